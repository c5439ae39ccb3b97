//! Document ⇄ scene.
//!
//! | key | scene |
//! |---|---|
//! | diffuseColor, diffuseTexture | base colour; the texture replaces the colour, as in the engine's shader |
//! | roughness, metallic, specularity and their textures | the factors, 1 where a texture replaces one; red counts |
//! | specularColor | specular colour |
//! | emissionColor, emissionTexture | emission; with a texture the fourth number is its strength |
//! | normalTexture | normals, green up |
//! | shadeless, doubleSided, additiveBlending | unlit, double sided, additive |
//! | name | name |
//! | obsolete textures | slots by their word |
//! | all else that is not what it is by itself | properties, also what a texture or shadeless hides |

mod lift;
mod lower;

pub(super) use lift::lift;
#[cfg(feature = "dgl3")]
pub(crate) use lift::{Textures, lift_material};
pub(super) use lower::lower;
#[cfg(feature = "dgl3")]
pub(crate) use lower::lower_material;

use scene::{Texture, TextureProjection, Wrap};

use super::keys::{KEYS, Kind};

/// Whether a texture says anything about how it is laid on a mesh and sampled.
fn is_sampled(texture: &Texture) -> bool {
    let filtered = texture.magnify.is_some() || texture.reduce.is_some();
    filtered || texture.wrap != [Wrap::Repeat; 2] || texture.projection != TextureProjection::Flat
}

fn default_color(key: &str) -> [f32; 4] {
    KEYS.iter().find(|k| k.name == key).map_or([1.; 4], |key| match key.kind {
        Kind::Color(color) => color,
        _ => [1.; 4],
    })
}

fn default_number(key: &str) -> f32 {
    KEYS.iter().find(|k| k.name == key).map_or(1., |key| match key.kind {
        Kind::Number(number) => number,
        _ => 1.,
    })
}
