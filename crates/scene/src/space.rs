/// Which way is up in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// The scene's own.
    #[default]
    PosY,
    /// Blender's and many CAD programs'.
    PosZ,
    /// Along X.
    PosX,
    /// Upside down.
    NegY,
    /// Against Z.
    NegZ,
    /// Against X.
    NegX,
}

impl UpAxis {
    /// Every axis.
    pub const ALL: [UpAxis; 6] = [UpAxis::PosY, UpAxis::PosZ, UpAxis::PosX, UpAxis::NegY, UpAxis::NegZ, UpAxis::NegX];

    /// The word reports and options use.
    pub fn name(self) -> &'static str {
        match self {
            UpAxis::PosY => "+Y",
            UpAxis::PosZ => "+Z",
            UpAxis::PosX => "+X",
            UpAxis::NegY => "-Y",
            UpAxis::NegZ => "-Z",
            UpAxis::NegX => "-X",
        }
    }

    /// The turn that brings this axis up: a signed permutation, so no number changes but its sign.
    ///
    /// Rows: what the new x, y and z are made of.
    pub fn turn(self) -> [[f32; 3]; 3] {
        match self {
            UpAxis::PosY => [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
            UpAxis::PosZ => [[1., 0., 0.], [0., 0., 1.], [0., -1., 0.]],
            UpAxis::PosX => [[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]],
            UpAxis::NegY => [[1., 0., 0.], [0., -1., 0.], [0., 0., -1.]],
            UpAxis::NegZ => [[1., 0., 0.], [0., 0., -1.], [0., 1., 0.]],
            UpAxis::NegX => [[0., 1., 0.], [-1., 0., 0.], [0., 0., 1.]],
        }
    }
}

/// Which hand the axes follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handedness {
    /// The scene's own.
    #[default]
    Right,
    /// Mirrored.
    Left,
}

impl Handedness {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Handedness::Right => "right",
            Handedness::Left => "left",
        }
    }
}

/// What one unit of length is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Unit {
    /// The scene's own.
    #[default]
    Metre,
    /// The source does not say; taken as metres.
    Unknown,
}

impl Unit {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Metre => "metre",
            Unit::Unknown => "unknown",
        }
    }
}

/// Where the first row of a texture is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UvOrigin {
    /// The scene's own.
    #[default]
    Top,
    /// OpenGL's and OBJ's.
    Bottom,
    /// The source does not say.
    Unknown,
}

impl UvOrigin {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            UvOrigin::Top => "top",
            UvOrigin::Bottom => "bottom",
            UvOrigin::Unknown => "unknown",
        }
    }
}

/// The space of the file that a scene came from; the scene itself is always in glTF's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SourceSpace {
    /// Which way is up.
    pub up: UpAxis,
    /// Which hand the axes follow.
    pub handedness: Handedness,
    /// What one unit of length is.
    pub unit: Unit,
    /// Where the first row of a texture is.
    pub uv_origin: UvOrigin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_is_a_rotation_that_brings_its_axis_up() {
        let axes = [[0., 1., 0.], [0., 0., 1.], [1., 0., 0.], [0., -1., 0.], [0., 0., -1.], [-1., 0., 0.]];
        for (up, axis) in UpAxis::ALL.into_iter().zip(axes) {
            let rows = up.turn();
            let turned = rows.map(|row: [f32; 3]| row.iter().zip(axis).map(|(a, b)| a * b).sum::<f32>());
            assert_eq!(turned, [0., 1., 0.], "{}", up.name());
            let [a, b, c] = rows;
            let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
            assert_eq!(determinant, 1.0, "{}", up.name());
        }
    }
}
