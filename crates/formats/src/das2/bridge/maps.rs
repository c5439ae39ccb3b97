//! Maps of materials: which slot of texture coordinates serves which, and which channel of it counts.

use scene::{AlphaMode, ColorChannel, Material, Role};

use super::super::attributes::SLOTS;
use super::super::layout::MaterialType;

/// Which set of texture coordinates each slot names.
pub(super) type Slots = [Option<u8>; SLOTS];

/// What alpha does where nothing says it.
pub(super) fn alpha_mode(alpha: f32) -> AlphaMode {
    if alpha < 1. { AlphaMode::Blend } else { AlphaMode::Opaque }
}

/// Which channel of a map counts. The document does not say; a file that is the map of both roughness and metalness is
/// packed as glTF packs it.
pub(super) fn channel(role: &Role, packed: bool) -> ColorChannel {
    match role {
        Role::Roughness if packed => ColorChannel::Green,
        Role::Metallic if packed => ColorChannel::Blue,
        Role::Roughness | Role::Metallic | Role::Occlusion => ColorChannel::Red,
        _ => ColorChannel::All,
    }
}

/// The slots that serve textures of a kind of material.
pub(super) fn roles(kind: MaterialType) -> &'static [(usize, Role)] {
    match kind {
        MaterialType::PHONG => &[(2, Role::Emission), (6, Role::BaseColor), (7, Role::SpecularColor)],
        MaterialType::PBR => &[
            (1, Role::Occlusion),
            (2, Role::Emission),
            (3, Role::BaseColor),
            (4, Role::Metallic),
            (5, Role::Roughness),
        ],
        _ => &[],
    }
}

/// The sets that the textures of a material use, by slot.
pub(super) fn used(kind: MaterialType, material: &Material) -> Slots {
    let mut used = [None; SLOTS];
    for (slot, role) in roles(kind) {
        used[*slot] = material.slot(role).map(|slot| slot.uv_set);
    }
    used
}

/// The slots that a writer chooses for so many sets: each names the set its texture uses. The others name the first
/// set, or an unused one, such that sets are met in their order wherever textures allow it.
pub(super) fn chosen(sets: u8, used: &Slots) -> Slots {
    if sets == 0 {
        return [None; SLOTS];
    }
    let used = used.map(|set| set.filter(|set| *set < sets));
    let mut named = vec![false; sets.into()];
    let mut out = [None; SLOTS];
    for slot in 0..SLOTS {
        let next = named.iter().position(|named| !named).unwrap_or(0) as u8;
        // A texture further on may name it soon enough.
        let later = || used[slot..].iter().flatten().find(|set| **set >= next) == Some(&next);
        let set = used[slot].unwrap_or(if next > 0 && later() { 0 } else { next });
        named[usize::from(set)] = true;
        out[slot] = Some(set);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(pinned: &[(usize, u8)]) -> Slots {
        let mut used = [None; SLOTS];
        pinned.iter().for_each(|(slot, set)| used[*slot] = Some(*set));
        used
    }

    #[test]
    fn every_slot_names_the_set_of_its_texture_and_every_set_is_named() {
        assert_eq!(chosen(0, &slots(&[])), [None; SLOTS]);
        assert_eq!(chosen(1, &slots(&[(3, 0)])), [Some(0); SLOTS]);
        // Occlusion on the second set: it is named there and nowhere else.
        assert_eq!(chosen(2, &slots(&[(1, 1), (3, 0)])), [0, 1, 0, 0, 0, 0, 0, 0].map(Some));
        // An unused set is named by an unused slot.
        assert_eq!(chosen(2, &slots(&[(3, 0)])), [0, 1, 0, 0, 0, 0, 0, 0].map(Some));
        assert_eq!(chosen(3, &slots(&[(1, 2)])), [0, 2, 1, 0, 0, 0, 0, 0].map(Some), "its order cannot be kept");
        assert_eq!(chosen(1, &slots(&[(3, 9)])), [Some(0); SLOTS], "no such set");
    }
}
