//! The names of what textures are for.

use scene::{ColorChannel, Name, Role};

/// The names, without case and separators, and what they stand for; of several for one role the first is written.
const WORDS: &[(&str, &str, Role, ColorChannel)] = &[
    ("albedo", "albedo", Role::BaseColor, ColorChannel::All),
    ("diffuse", "albedo", Role::BaseColor, ColorChannel::All),
    ("basecolor", "albedo", Role::BaseColor, ColorChannel::All),
    ("color", "albedo", Role::BaseColor, ColorChannel::All),
    ("colour", "albedo", Role::BaseColor, ColorChannel::All),
    ("normal", "normal", Role::Normal, ColorChannel::All),
    ("normalmap", "normal", Role::Normal, ColorChannel::All),
    ("occlusion", "occlusion", Role::Occlusion, ColorChannel::Red),
    ("ao", "occlusion", Role::Occlusion, ColorChannel::Red),
    ("emissive", "emissive", Role::Emission, ColorChannel::All),
    ("emission", "emissive", Role::Emission, ColorChannel::All),
    ("metallic", "metallic", Role::Metallic, ColorChannel::Red),
    ("metalness", "metallic", Role::Metallic, ColorChannel::Red),
    ("roughness", "roughness", Role::Roughness, ColorChannel::Red),
    ("specular", "specular", Role::Specular, ColorChannel::Red),
    ("specularcolor", "specular_color", Role::SpecularColor, ColorChannel::All),
    ("opacity", "opacity", Role::Opacity, ColorChannel::Red),
    ("alpha", "opacity", Role::Opacity, ColorChannel::Red),
    ("lightmap", "light_map", Role::LightMap, ColorChannel::All),
];

/// Metal in the blue and roughness in the green channel of one image.
pub(super) const METALLIC_ROUGHNESS: &str = "metallic_roughness";

/// What a word stands for: one role, or several that share an image.
pub(super) fn roles(target: &Name) -> Vec<(Role, ColorChannel)> {
    let plain: String =
        target.to_string().chars().filter(|c| !matches!(c, '_' | '-' | ' ')).collect::<String>().to_lowercase();
    let packed = [(Role::Metallic, ColorChannel::Blue), (Role::Roughness, ColorChannel::Green)];
    match plain.as_str() {
        "metallicroughness" => packed.to_vec(),
        "orm" => [&[(Role::Occlusion, ColorChannel::Red)], packed.as_slice()].concat(),
        word => match WORDS.iter().find(|(known, ..)| *known == word) {
            Some((_, _, role, channel)) => vec![(role.clone(), *channel)],
            None => vec![(Role::Other(target.to_string()), ColorChannel::All)],
        },
    }
}

/// The word that is written for a role, and the channels that it means.
pub(super) fn word(role: &Role) -> (&str, ColorChannel) {
    match role {
        Role::Other(word) => (word, ColorChannel::All),
        role => WORDS.iter().find(|(_, _, own, _)| own == role).map_or(("", ColorChannel::All), |w| (w.1, w.3)),
    }
}
