use serde::Serialize;

/// What is measured of a file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// [`super::Verified::max_position_error`].
    MaxPositionError,
    /// [`super::Verified::max_animated_error`].
    MaxAnimatedError,
    /// [`super::Verified::max_normal_error`].
    MaxNormalError,
    /// [`super::Verified::max_uv_error`].
    MaxUvError,
    /// [`super::Verified::max_color_error`].
    MaxColorError,
    /// [`super::Verified::max_material_error`].
    MaxMaterialError,
    /// [`super::Verified::max_image_error`].
    MaxImageError,
    /// [`super::Verified::missing_elements`].
    MissingElements,
    /// [`super::Verified::extra_elements`].
    ExtraElements,
    /// [`super::Verified::collapsed_parts`].
    CollapsedParts,
    /// [`super::Verified::missing_nodes`].
    MissingNodes,
    /// [`super::Verified::missing_lights`].
    MissingLights,
    /// [`super::Verified::missing_animations`].
    MissingAnimations,
    /// [`super::Verified::renamed_animations`].
    RenamedAnimations,
}

impl Measure {
    /// All of them, in the order in which they are told.
    pub const ALL: [Measure; 14] = [
        Measure::MaxPositionError,
        Measure::MaxAnimatedError,
        Measure::MaxNormalError,
        Measure::MaxUvError,
        Measure::MaxColorError,
        Measure::MaxMaterialError,
        Measure::MaxImageError,
        Measure::MissingElements,
        Measure::ExtraElements,
        Measure::CollapsedParts,
        Measure::MissingNodes,
        Measure::MissingLights,
        Measure::MissingAnimations,
        Measure::RenamedAnimations,
    ];

    /// Its key in reports.
    pub fn key(self) -> &'static str {
        match self {
            Measure::MaxPositionError => "max_position_error",
            Measure::MaxAnimatedError => "max_animated_error",
            Measure::MaxNormalError => "max_normal_error",
            Measure::MaxUvError => "max_uv_error",
            Measure::MaxColorError => "max_color_error",
            Measure::MaxMaterialError => "max_material_error",
            Measure::MaxImageError => "max_image_error",
            Measure::MissingElements => "missing_elements",
            Measure::ExtraElements => "extra_elements",
            Measure::CollapsedParts => "collapsed_parts",
            Measure::MissingNodes => "missing_nodes",
            Measure::MissingLights => "missing_lights",
            Measure::MissingAnimations => "missing_animations",
            Measure::RenamedAnimations => "renamed_animations",
        }
    }

    /// Whether it counts things; else it is the size of an error.
    pub fn is_count(self) -> bool {
        !matches!(
            self,
            Measure::MaxPositionError
                | Measure::MaxAnimatedError
                | Measure::MaxNormalError
                | Measure::MaxUvError
                | Measure::MaxColorError
                | Measure::MaxMaterialError
                | Measure::MaxImageError
        )
    }
}
