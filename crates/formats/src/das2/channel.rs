//! Animation channels. Their arrays have no lengths of their own: target and interpolation decide.

use wire::{Bulk, Count, Counted, F32, Fault, Layout, Reader, Row, Table, Writer, wire_enum};

use super::form::{Form, Kind};
use super::layout::NONE;

wire_enum! {
    /// What a channel animates.
    pub struct AnimationTarget: u8 {
        /// Nothing that is known; there are no values.
        UNKNOWN = 0 "unknown",
        /// The weights of a node's morph targets.
        WEIGHTS = 1 "weights",
        /// x y z.
        TRANSLATION = 2 "translation",
        /// x y z w.
        ROTATION = 3 "rotation",
        /// One number for all axes.
        SCALE = 4 "scale",
    }
}

wire_enum! {
    /// What happens between two keyframes.
    pub struct Interpolation: u8 {
        /// Nothing that is known.
        UNKNOWN = 0 "unknown",
        /// A straight line, or the shortest arc.
        LINEAR = 1 "linear",
        /// The value stays until the next keyframe.
        STEP = 2 "step",
        /// A cubic spline with tangents.
        CUBIC_SPLINE = 3 "cubic spline",
    }
}

impl AnimationTarget {
    /// Whether it says how many numbers a value has.
    pub fn is_known(self) -> bool {
        (AnimationTarget::WEIGHTS..=AnimationTarget::SCALE).contains(&self)
    }
}

impl Interpolation {
    /// Whether it says what happens, and whether there are tangents.
    pub fn is_known(self) -> bool {
        (Interpolation::LINEAR..=Interpolation::CUBIC_SPLINE).contains(&self)
    }
}

/// How one property of a node or joint changes over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnimationChannel {
    /// Its number.
    pub structure: u8,
    /// The node, or [`NONE`].
    pub node_property_id: u32,
    /// The joint, or [`NONE`].
    pub joint_property_id: u32,
    /// What changes.
    pub animation_target: AnimationTarget,
    /// How.
    pub interpolation_type: Interpolation,
    /// Numbers per value of a weights channel; 0 for other targets.
    pub weight_count: u32,
    /// Times of the keyframes, in seconds.
    pub keyframes: Bulk<F32>,
    /// Of a cubic spline: per keyframe the tangent before it, then the one behind it, each as long as a value.
    pub tangents: Bulk<F32>,
    /// One value per keyframe.
    pub target_values: Bulk<F32>,
}

impl Default for AnimationChannel {
    fn default() -> AnimationChannel {
        AnimationChannel {
            structure: Kind::ANIMATION_CHANNEL.0,
            node_property_id: NONE,
            joint_property_id: NONE,
            animation_target: AnimationTarget::UNKNOWN,
            interpolation_type: Interpolation::UNKNOWN,
            weight_count: 0,
            keyframes: Bulk::default(),
            tangents: Bulk::default(),
            target_values: Bulk::default(),
        }
    }
}

impl AnimationChannel {
    /// The declaration, for the reference pages.
    pub const TABLE: &'static Table = &Table {
        name: "AnimationChannel",
        doc: &[
            " How one property of a node or joint changes over time.",
            " The two counts stand in this order in `spec*` and `head-text`, the other way round in `engine`, `v2`, `v3`.",
        ],
        rows: &[
            row("structure", "u8", &[" Its number."]),
            row("node_property_id", "u32", &[" The node, or -1."]),
            row("joint_property_id", "u32", &[" The joint, or -1."]),
            row("animation_target", "AnimationTarget", &[" What changes."]),
            row("interpolation_type", "Interpolation", &[" How."]),
            row("keyframe_count", "Count<u32>", &[" Number of keyframes."]),
            row("weight_count", "u32", &[" Numbers per value of a weights channel; 0 for other targets."]),
            row("keyframes", "f32[keyframe_count]", &[" Times, in seconds."]),
            row(
                "tangents",
                "f32[2 · keyframe_count · width]",
                &[
                    " Only of a cubic spline: per keyframe the tangent before it and the one behind it.",
                    " The width is 3 for translations, 4 for rotations, 1 for scales, `weight_count` for weights.",
                ],
            ),
            row("target_values", "f32[keyframe_count · width]", &[" One value per keyframe."]),
        ],
    };

    /// Numbers per value.
    pub fn width(&self) -> usize {
        width(self.animation_target, self.weight_count)
    }
}

const fn row(field: &'static str, ty: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when: "", doc, wire_only: false }
}

fn width(target: AnimationTarget, weight_count: u32) -> usize {
    match target {
        AnimationTarget::WEIGHTS => weight_count as usize,
        AnimationTarget::TRANSLATION => 3,
        AnimationTarget::ROTATION => 4,
        AnimationTarget::SCALE => 1,
        _ => 0,
    }
}

/// Written by hand: the order of its counts is the dialect, and two other fields tell how long its arrays are.
impl Layout<Form> for AnimationChannel {
    const MIN_SIZE: usize = 19;
    fn read(r: &mut Reader<'_>, form: Form) -> Result<AnimationChannel, Fault> {
        r.note_type("AnimationChannel");
        let mut this = AnimationChannel { structure: r.field("structure", Reader::fixed)?, ..Default::default() };
        this.node_property_id = r.field("node_property_id", Reader::fixed)?;
        this.joint_property_id = r.field("joint_property_id", Reader::fixed)?;
        this.animation_target = r.field("animation_target", Reader::fixed)?;
        this.interpolation_type = r.field("interpolation_type", Reader::fixed)?;
        let keyframe_count = |r: &mut Reader<'_>| {
            let count = r.field("keyframe_count", |r| <Count<u32> as Layout>::read(r, ()))?;
            Ok::<_, Fault>(wire::Named::named(count, "keyframe_count"))
        };
        let count = if form.counts_keyframes_first() {
            let count = keyframe_count(r)?;
            this.weight_count = r.field("weight_count", Reader::fixed)?;
            count
        } else {
            this.weight_count = r.field("weight_count", Reader::fixed)?;
            keyframe_count(r)?
        };
        let values = count.times(this.width());
        this.keyframes = r.field("keyframes", |r| Layout::read(r, count))?;
        if this.interpolation_type == Interpolation::CUBIC_SPLINE {
            this.tangents = r.field("tangents", |r| Layout::read(r, values.times(2)))?;
        }
        this.target_values = r.field("target_values", |r| Layout::read(r, values))?;
        Ok(this)
    }
    fn write(&self, w: &mut Writer<'_>, form: Form) -> Result<(), Fault> {
        w.fixed(self.structure);
        w.fixed([self.node_property_id, self.joint_property_id]);
        w.fixed(self.animation_target);
        w.fixed(self.interpolation_type);
        let count: Count<u32> = wire::FromMemory::from_memory(self.keyframes.len())
            .map_err(|kind| Fault::new(kind, w.here()).inside("keyframe_count"))?;
        if form.counts_keyframes_first() {
            count.write(w, ())?;
            w.fixed(self.weight_count);
        } else {
            w.fixed(self.weight_count);
            count.write(w, ())?;
        }
        let values = count.count().saturating_mul(self.width());
        let tangents =
            if self.interpolation_type == Interpolation::CUBIC_SPLINE { values.saturating_mul(2) } else { 0 };
        w.field("keyframes", |w| self.keyframes.write(w, count))?;
        w.field("tangents", |w| self.tangents.write(w, tangents))?;
        w.field("target_values", |w| self.target_values.write(w, values))
    }
}
