//! A scene before it is a file: objects name each other by their places in these lists.

/// Everything a file will hold.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) scenes: Vec<Root>,
    pub(super) default_scene: Option<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    pub(super) lights: Vec<Thing>,
    pub(super) cameras: Vec<Thing>,
    pub(super) copyright: Option<String>,
    pub(super) extras: Option<String>,
    /// Whether it is one file, and not one with its numbers beside it.
    pub(super) packed: bool,
    /// Whether texture coordinates are whole numbers that are no shares.
    pub(super) quantised: bool,
}

/// What every object can say.
#[derive(Clone, Default)]
pub(super) struct Words {
    pub(super) name: Option<String>,
    /// JSON.
    pub(super) extras: Option<String>,
}

#[derive(Default)]
pub(super) struct Root {
    pub(super) words: Words,
    pub(super) nodes: Vec<usize>,
}

#[derive(Default)]
pub(super) struct Node {
    pub(super) words: Words,
    pub(super) parent: Option<usize>,
    pub(super) place: Place,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) light: Option<usize>,
    pub(super) camera: Option<usize>,
    pub(super) weights: Vec<f32>,
    pub(super) instances: Vec<Trs>,
    /// Nodes that stand in for this one from afar.
    pub(super) levels: Vec<usize>,
    pub(super) hidden: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) enum Place {
    #[default]
    Origin,
    Trs(Trs),
    /// The same, multiplied out.
    Matrix(Trs),
}

#[derive(Clone, Copy)]
pub(super) struct Trs {
    pub(super) translation: [f32; 3],
    /// x, y, z, w.
    pub(super) rotation: [f32; 4],
    pub(super) scale: [f32; 3],
}

impl Trs {
    pub(super) const NONE: Trs = Trs { translation: [0.; 3], rotation: [0., 0., 0., 1.], scale: [1.; 3] };

    /// Column by column.
    pub(super) fn matrix(&self) -> [f64; 16] {
        let [x, y, z, w] = self.rotation.map(f64::from);
        let s = self.scale.map(f64::from);
        let t = self.translation.map(f64::from);
        let columns = [
            [1. - 2. * (y * y + z * z), 2. * (x * y + z * w), 2. * (x * z - y * w)],
            [2. * (x * y - z * w), 1. - 2. * (x * x + z * z), 2. * (y * z + x * w)],
            [2. * (x * z + y * w), 2. * (y * z - x * w), 1. - 2. * (x * x + y * y)],
        ];
        let mut out = [0.; 16];
        for (column, values) in columns.iter().enumerate() {
            (0..3).for_each(|row| out[column * 4 + row] = values[row] * s[column]);
        }
        (0..3).for_each(|row| out[12 + row] = t[row]);
        out[15] = 1.;
        out
    }
}

impl Place {
    pub(super) fn trs(&self) -> Trs {
        match self {
            Place::Origin => Trs::NONE,
            Place::Trs(trs) | Place::Matrix(trs) => *trs,
        }
    }
}

#[derive(Default)]
pub(super) struct Mesh {
    pub(super) words: Words,
    pub(super) parts: Vec<Part>,
    /// How many morph targets each part has, and what they are called.
    pub(super) targets: usize,
    pub(super) target_names: Vec<String>,
    pub(super) weights: Vec<f32>,
    /// How many joints its vertices name.
    pub(super) joints: usize,
}

/// Some triangles, lines or points.
#[derive(Default)]
pub(super) struct Part {
    pub(super) mode: usize,
    pub(super) material: Option<usize>,
    pub(super) attributes: Vec<(String, Numbers)>,
    pub(super) indices: Option<(Vec<u32>, usize)>,
    pub(super) targets: Vec<Vec<(String, Numbers)>>,
    pub(super) extras: Option<String>,
}

/// Numbers of an accessor, and how they are stored.
#[derive(Clone)]
pub(super) struct Numbers {
    pub(super) width: usize,
    pub(super) values: Vec<f32>,
    pub(super) stored: Stored,
    pub(super) bounds: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stored {
    Float,
    /// Whole numbers of so many bytes; if they are shares, their largest is 1.
    Whole {
        bytes: usize,
        shares: bool,
    },
}

#[derive(Default)]
pub(super) struct Skin {
    pub(super) words: Words,
    pub(super) joints: Vec<usize>,
    pub(super) root: Option<usize>,
    pub(super) binds: Vec<[f64; 16]>,
}

#[derive(Default)]
pub(super) struct Animation {
    pub(super) words: Words,
    pub(super) channels: Vec<Channel>,
}

pub(super) struct Channel {
    pub(super) node: usize,
    pub(super) path: &'static str,
    pub(super) interpolation: &'static str,
    pub(super) times: Vec<f32>,
    pub(super) values: Numbers,
}

/// A light or a camera: its fields.
pub(super) struct Thing {
    pub(super) words: Words,
    pub(super) fields: Vec<(&'static str, String)>,
}

#[derive(Default)]
pub(super) struct Material {
    pub(super) words: Words,
    pub(super) fields: Vec<(&'static str, String)>,
    pub(super) pbr: Vec<(&'static str, String)>,
    /// Role, texture, set of coordinates, further fields.
    pub(super) slots: Vec<Slot>,
    pub(super) extensions: Vec<(&'static str, String)>,
}

pub(super) struct Slot {
    pub(super) role: &'static str,
    pub(super) texture: usize,
    pub(super) uv: usize,
    pub(super) fields: Vec<(&'static str, String)>,
    pub(super) transform: Option<String>,
}

pub(super) struct Texture {
    pub(super) words: Words,
    pub(super) image: usize,
    /// The fields of its sampler.
    pub(super) sampler: Option<Vec<(&'static str, String)>>,
}

pub(super) struct Image {
    pub(super) words: Words,
    pub(super) bytes: Vec<u8>,
    pub(super) home: Home,
}

/// Where the bytes of an image are.
pub(super) enum Home {
    View,
    Uri,
    File(String),
    Missing(String),
}
