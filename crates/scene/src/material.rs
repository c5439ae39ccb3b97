use crate::{Extras, Id, Name, Properties, Texture};

/// How a mesh looks.
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

    /// Gives factors whose texture is not shown the value that is least wrong without it, by [`ALONE`]. Answers which
    /// were changed, and what they were.
    pub fn fall_back(&mut self, is_lost: impl Fn(&Slot) -> bool) -> Vec<(Role, Vec<f32>)> {
        let is_lost = |role: &Role| self.slot(role).is_some_and(&is_lost);
        let zero = ALONE.iter().filter(|(role, alone, _)| *alone == Alone::Zero && is_lost(role));
        let mut changed = Vec::new();
        for role in zero.map(|(role, ..)| role.clone()).collect::<Vec<_>>() {
            let before = match (&role, &mut self.shading) {
                (Role::Emission, _) => {
                    let [r, g, b] = std::mem::take(&mut self.emissive);
                    vec![r, g, b, std::mem::replace(&mut self.emissive_strength, 1.)]
                }
                (Role::Metallic, Shading::Pbr(pbr)) => vec![std::mem::take(&mut pbr.metallic)],
                (Role::SpecularColor, Shading::Phong(phong)) => {
                    let before = phong.specular[..3].to_vec();
                    phong.specular[..3].fill(0.);
                    before
                }
                _ => continue,
            };
            // A strength alone shows nothing.
            let shown = if role == Role::Emission { &before[..3] } else { &before[..] };
            if shown.iter().any(|factor| *factor != 0.) {
                changed.push((role, before));
            } else if role == Role::Emission {
                self.emissive_strength = before[3];
            }
        }
        changed
    }

    /// Its slots, those first that are seen most: they say how a set of texture coordinates is laid out.
    pub fn slots_by_weight(&self) -> Vec<&Slot> {
        let mut slots: Vec<&Slot> = self.slots.iter().collect();
        slots.sort_by_key(|slot| slot.role != Role::BaseColor);
        slots
    }

    /// How a set of texture coordinates is laid out, by the texture that is seen most of those that use it.
    pub fn layout(&self, uv_set: u8) -> Option<&UvTransform> {
        self.slots_by_weight().into_iter().find(|slot| slot.uv_set == uv_set)?.transform.as_ref()
    }

    /// The slot of a role.
    pub fn slot(&self, role: &Role) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.role == *role)
    }
}

/// What a factor says without the texture that it was on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// As much as with it, or no harm.
    Stays,
    /// Too much.
    Zero,
}

/// What becomes of the factor of a texture that is not found, or that a target has no room for; other roles have none.
/// A factor is the most that a texture lets through, so alone it says the most everywhere.
pub const ALONE: &[(Role, Alone, &str)] = &[
    (Role::BaseColor, Alone::Stays, "it is the colour of the material"),
    (
        Role::Emission,
        Alone::Zero,
        "most of such a texture is black, and a material that shines all over hides the rest",
    ),
    (Role::Metallic, Alone::Zero, "metal shows its surroundings, and without any it is black"),
    (Role::Roughness, Alone::Stays, "a material that is too rough has no highlights, which is what stands out least"),
    (Role::Specular, Alone::Stays, "1 is what every material reflects that is not metal"),
    (Role::SpecularColor, Alone::Zero, "for Phong: highlights all over look wet; for metal and roughness it stays"),
    (Role::Opacity, Alone::Stays, "what should be cut out is seen, and nothing is missing"),
];

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
    /// The set of texture coordinates that lays it out in formats whose textures do not choose one.
    pub fn usual_uv_set(&self) -> u8 {
        u8::from(*self == Role::LightMap)
    }

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

impl UvTransform {
    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        (self.offset, self.rotation, self.scale) == ([0.; 2], 0., [1.; 2])
    }

    /// Where it moves a point: stretched first, then turned, then shifted, with V downwards.
    pub fn apply(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = f64::from(self.rotation).sin_cos();
        let (u, v) = (u * f64::from(self.scale[0]), v * f64::from(self.scale[1]));
        [u * cos + v * sin + f64::from(self.offset[0]), v * cos - u * sin + f64::from(self.offset[1])]
    }
}
