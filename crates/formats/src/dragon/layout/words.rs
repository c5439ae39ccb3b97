//! Numbers with names.

use wire::wire_enum;

wire_enum! {
    /// Which way is up.
    pub struct UpDirection: u8 {
        /// Along y.
        POSITIVE_Y = 0 "PositiveY",
        /// Along z.
        POSITIVE_Z = 1 "PositiveZ",
        /// Along x.
        POSITIVE_X = 2 "PositiveX",
        /// Against y.
        NEGATIVE_Y = 3 "NegativeY",
        /// Against z.
        NEGATIVE_Z = 4 "NegativeZ",
        /// Against x.
        NEGATIVE_X = 5 "NegativeX",
    }
}

wire_enum! {
    /// How rotations are stored.
    pub struct RotationType: u8 {
        /// Three angles in radians, about fixed x, then y, then z.
        VEC3 = 1 "vec3",
        /// A quaternion, x y z w.
        VEC4 = 2 "vec4",
        /// A matrix of 3 by 3.
        MAT3 = 3 "mat3",
        /// A matrix of 4 by 4.
        MAT4 = 4 "mat4",
    }
}

impl RotationType {
    /// Every type, shortest first.
    pub(crate) const EVERY: [RotationType; 4] =
        [RotationType::VEC3, RotationType::VEC4, RotationType::MAT3, RotationType::MAT4];

    /// How many floats a rotation of this type has.
    pub fn floats(self) -> Option<usize> {
        match self {
            RotationType::VEC3 => Some(3),
            RotationType::VEC4 => Some(4),
            RotationType::MAT3 => Some(9),
            RotationType::MAT4 => Some(16),
            _ => None,
        }
    }

    /// Whether it is a matrix: bones then have no position and scale of their own.
    pub fn is_matrix(self) -> bool {
        self == RotationType::MAT3 || self == RotationType::MAT4
    }
}

wire_enum! {
    /// What the numbers of an attribute are.
    pub struct AttributeType: u8 {
        /// Floats of 2, 4 or 8 bytes.
        FLOAT = 1 "Float",
        /// Whole numbers that can be negative.
        SIGNED = 2 "Signed",
        /// Whole numbers that cannot.
        UNSIGNED = 3 "Unsigned",
    }
}

wire_enum! {
    /// What an attribute means: `D3DDECLUSAGE`.
    pub struct Semantic: u32 {
        /// Where the vertex is.
        POSITION = 0 "POSITION",
        /// How much each bone moves it.
        BLENDWEIGHT = 1 "BLENDWEIGHT",
        /// Which bones move it.
        BLENDINDICES = 2 "BLENDINDICES",
        /// Which way it faces.
        NORMAL = 3 "NORMAL",
        /// How large its point is.
        PSIZE = 4 "PSIZE",
        /// Where it is on a texture.
        TEXCOORD = 5 "TEXCOORD",
        /// Which way u grows.
        TANGENT = 6 "TANGENT",
        /// Which way v grows.
        BINORMAL = 7 "BINORMAL",
        /// How finely it is divided.
        TESSFACTOR = 8 "TESSFACTOR",
        /// Where it is on the screen.
        POSITIONT = 9 "POSITIONT",
        /// Its colour.
        COLOR = 10 "COLOR",
        /// How much fog covers it.
        FOG = 11 "FOG",
        /// How deep it is.
        DEPTH = 12 "DEPTH",
        /// A sampler's value.
        SAMPLE = 13 "SAMPLE",
    }
}

wire_enum! {
    /// How the indices of a mesh are connected.
    pub struct DrawType: u8 {
        /// Three by three.
        TRIANGLE = 0 "Triangle",
        /// Each with the two before it, every other one turned round.
        TRIANGLE_STRIP = 1 "TriangleStrip",
        /// Each with the one before it and the first.
        TRIANGLE_FAN = 2 "TriangleFan",
        /// Four by four.
        QUADS = 3 "Quads",
    }
}

wire_enum! {
    /// How a texture is looked up between its pixels.
    pub struct ImageSampling: u8 {
        /// Blended.
        LINEAR = 0 "Linear",
        /// The nearest pixel.
        STEP = 1 "Step",
        /// Blended smoothly.
        CUBIC = 2 "Cubic",
    }
}

wire_enum! {
    /// How a texture is laid over a mesh.
    pub struct Projection: u8 {
        /// By texture coordinates.
        FLAT = 0 "Flat",
        /// From six sides.
        BOX = 1 "Box",
        /// Around a sphere.
        SPHERE = 2 "Sphere",
        /// From the sides of a cube.
        CUBE = 3 "Cube",
        /// Around a cylinder.
        CYLINDER = 4 "Cylinder",
    }
}

wire_enum! {
    /// What lies outside a texture.
    pub struct Wrap: u8 {
        /// The texture again.
        REPEAT = 0 "Repeat",
        /// Its edge, stretched.
        STRETCH = 1 "Stretch",
        /// Nothing.
        CLIP = 2 "Clip",
    }
}

wire_enum! {
    /// How a light shines.
    pub struct LightType: u8 {
        /// In a cone.
        SPOT = 0 "Spot",
        /// In all directions.
        POINT = 1 "Point",
        /// On everything. In 2019 this number was the sun.
        AMBIENT = 2 "Ambient",
        /// From an area.
        AREA = 3 "Area",
    }
}

wire_enum! {
    /// What a track's values are measured from.
    pub struct AnimationType: u8 {
        /// From nothing: they replace the bone's own.
        ABSOLUTE = 0 "Absolute",
        /// From the bone at rest. In 2019 this number was called Additive.
        RELATIVE = 1 "Relative",
        /// Of 2019: from the bone at rest.
        RELATIVE_2019 = 2 "Relative of 2019",
        /// Of 2019: from the frame before.
        DELTA_2019 = 3 "Delta of 2019",
    }
}

wire_enum! {
    /// How a track moves from frame to frame.
    pub struct Sampling: u16 {
        /// Evenly.
        LINEAR = 0 "Linear",
        /// Not at all, then at once.
        CONSTANT = 1 "Constant",
        /// Along a sine.
        SIN = 2 "Sin",
        /// By the second power.
        QUAD = 3 "Quad",
        /// By the third power.
        CUBIC = 4 "Cubic",
        /// By the fourth power.
        QUAT = 5 "Quat",
        /// By the fifth power.
        QUINT = 6 "Quint",
        /// Along a Bézier curve through d1 and d2.
        BEZIER = 7 "Bezier",
    }
}

wire_enum! {
    /// At which end a track is eased: a set of bits.
    pub struct Smoothing: u8 {
        /// At neither; the document has no name for it.
        NONE = 0 "None",
        /// At its start.
        EASE_IN = 1 "EaseIn",
        /// At its end.
        EASE_OUT = 2 "EaseOut",
        /// At both.
        EASE_IN_OUT = 3 "EaseInOut",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_as_in_the_document() {
        assert_eq!(Sampling::ALL.iter().map(|s| s.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!((Sampling::QUAT.0, Sampling::BEZIER.word()), (5, Some("Bezier")));
        assert_eq!((AttributeType::FLOAT.0, RotationType::VEC3.0, Smoothing::EASE_IN.0), (1, 1, 1));
        assert_eq!((Semantic::SAMPLE.0, UpDirection::NEGATIVE_X.0, DrawType::QUADS.0), (13, 5, 3));
        assert_eq!(RotationType::EVERY.map(RotationType::floats), [Some(3), Some(4), Some(9), Some(16)]);
    }
}
