use crate::{Extras, Id, Name, Properties, Texture};

/// How a surface looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: Name,
    /// Its lighting model with the factors of that model.
    pub shading: Shading,
    /// Light it gives off.
    pub emissive: [f32; 3],
    /// Factor on that light.
    pub emissive_strength: f32,
    /// What alpha does.
    pub alpha_mode: AlphaMode,
    /// Whether the back is visible.
    pub double_sided: bool,
    /// Its textures, one per role.
    pub slots: Vec<Slot>,
    /// Properties a user gave it.
    pub properties: Properties,
    /// What travels along.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            name: Name::default(),
            shading: Shading::Pbr(Pbr::default()),
            emissive: [0.; 3],
            emissive_strength: 1.,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            slots: Vec::new(),
            properties: Vec::new(),
            extras: Extras::default(),
        }
    }
}

/// The lighting model and its factors, as the source has them.
#[derive(Clone, Debug, PartialEq)]
pub enum Shading {
    /// Metal and roughness.
    Pbr(Pbr),
    /// Diffuse and specular.
    Phong(Phong),
    /// Not lit: the colour as it is.
    Unlit {
        /// Colour and alpha.
        color: [f32; 4],
    },
}

/// Factors of the metallic-roughness model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pbr {
    /// Colour and alpha.
    pub base_color: [f32; 4],
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 mirror, 1 chalk.
    pub roughness: f32,
    /// Strength of the reflection of a dielectric.
    pub specular: f32,
    /// Its colour.
    pub specular_color: [f32; 3],
}

impl Default for Pbr {
    fn default() -> Pbr {
        Pbr { base_color: [1.; 4], metallic: 1., roughness: 1., specular: 1., specular_color: [1.; 3] }
    }
}

/// Factors of the Phong model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phong {
    /// Colour and alpha.
    pub diffuse: [f32; 4],
    /// Colour of highlights.
    pub specular: [f32; 4],
    /// Colour in ambient light.
    pub ambient: [f32; 4],
    /// Sharpness of highlights.
    pub shininess: f32,
}

impl Default for Phong {
    fn default() -> Phong {
        Phong { diffuse: [1.; 4], specular: [0., 0., 0., 1.], ambient: [0., 0., 0., 1.], shininess: 0. }
    }
}

impl Material {
    /// The metallic-roughness factors, by the documented mapping where the source has others: base = diffuse,
    /// metallic 0, roughness = √(2 / (shininess + 2)), specular colour = specular.
    pub fn pbr(&self) -> Pbr {
        match &self.shading {
            Shading::Pbr(pbr) => *pbr,
            Shading::Phong(phong) => Pbr {
                base_color: phong.diffuse,
                metallic: 0.,
                roughness: (2. / (phong.shininess.max(0.) + 2.)).sqrt(),
                specular: 1.,
                specular_color: [phong.specular[0], phong.specular[1], phong.specular[2]],
            },
            Shading::Unlit { color } => Pbr { base_color: *color, metallic: 0., roughness: 1., ..Pbr::default() },
        }
    }

    /// The colour a target without materials shows.
    pub fn color(&self) -> [f32; 4] {
        self.pbr().base_color
    }

    /// The slot of a role.
    pub fn slot(&self, role: &Role) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.role == *role)
    }
}

/// What alpha does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    Opaque,
    /// Cuts out what lies below the threshold.
    Mask(f32),
    /// Mixes with what lies behind.
    Blend,
    /// Adds to what lies behind.
    Additive,
}

/// What a texture is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Base or diffuse colour.
    BaseColor,
    /// Normals in tangent space, green up.
    Normal,
    /// Light given off.
    Emission,
    /// Ambient occlusion.
    Occlusion,
    /// Roughness.
    Roughness,
    /// Metalness.
    Metallic,
    /// Strength of the dielectric reflection.
    Specular,
    /// Its colour.
    SpecularColor,
    /// Alpha.
    Opacity,
    /// Baked light on a second UV set.
    LightMap,
    /// Anything else, by the source's word.
    Other(String),
}

impl Role {
    /// The word reports use.
    pub fn name(&self) -> &str {
        match self {
            Role::BaseColor => "base colour",
            Role::Normal => "normal",
            Role::Emission => "emission",
            Role::Occlusion => "occlusion",
            Role::Roughness => "roughness",
            Role::Metallic => "metallic",
            Role::Specular => "specular",
            Role::SpecularColor => "specular colour",
            Role::Opacity => "opacity",
            Role::LightMap => "light map",
            Role::Other(word) => word,
        }
    }
}

/// Which channels of an image a role reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorChannel {
    /// All of them.
    #[default]
    All,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Alpha.
    Alpha,
}

/// A texture in a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// What it is for.
    pub role: Role,
    /// The texture.
    pub texture: Id<Texture>,
    /// Which channels count.
    pub channel: ColorChannel,
    /// Which texture coordinates it uses.
    pub uv_set: u8,
    /// Normal scale or occlusion strength.
    pub strength: f32,
    /// Change of the texture coordinates.
    pub transform: Option<UvTransform>,
}

/// Shift, turn and stretch of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Shift.
    pub offset: [f32; 2],
    /// Turn in radians.
    pub rotation: f32,
    /// Stretch.
    pub scale: [f32; 2],
}
