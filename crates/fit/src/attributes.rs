//! Attributes beyond those the target holds, and those it demands.

use std::collections::HashSet;

use findings::Losses;
use ops::normals;
use scene::loss::*;
use scene::{Count, Primitive, Scene, Semantic, Stream};

use super::Target;

/// Leaves out what the target has no room for, and tells what will be made up. What skins need stays until they have
/// moved their vertices.
pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let bends = target.can.skins.is_lost() && !scene.skins.is_empty();
    super::each_primitive(scene, |primitive, place| {
        primitive.attributes.retain(|attribute| {
            let bends = bends && matches!(attribute.semantic, Semantic::Joints(_) | Semantic::Weights(_));
            let kept = bends || holds(target, &attribute.semantic);
            if !kept {
                let why = target.why(&attribute.semantic.to_string());
                losses.add(&LOSS_017, place, 1, &attribute.semantic, why);
            }
            kept
        });
        let count = primitive.vertex_count() as u64;
        for semantic in missing(primitive, target).into_iter().filter(|_| count > 0) {
            let what = match semantic {
                Semantic::Normal => "normals computed from the faces",
                Semantic::TexCoord(_) => "texture coordinates set to zero",
                // White is what a mesh without colours shows anyway.
                _ => continue,
            };
            losses.add(&LOSS_018, place, count, what, format!("{} demands them", target.name));
        }
    });
    if target.can.uv_sets.min > 1 {
        tell_copied_sets(scene, target, losses);
    }
}

/// Tells of parts that get a further set of texture coordinates which is seen: it is the first once more, and nobody
/// would ask for it but for a part of the same material that has one of its own.
fn tell_copied_sets(scene: &Scene, target: &Target, losses: &mut Losses) {
    for (id, mesh) in scene.meshes.entries() {
        let further = |part: &&Primitive| part.get(&Semantic::TexCoord(1)).is_some();
        let asked: HashSet<_> = mesh.primitives.iter().filter(further).map(|part| part.material).collect();
        for (number, part) in mesh.primitives.iter().enumerate().filter(|(_, part)| !further(part)) {
            if asked.contains(&part.material) {
                let place = mesh.subject(id).part(number);
                let (count, what) = (part.vertex_count() as u64, "second texture coordinates copied from the first");
                losses.add(&LOSS_018, place, count, what, format!("{} demands them", target.name));
            }
        }
    }
}

/// The first sets that a target demands and a primitive does not have.
fn missing(primitive: &Primitive, target: &Target) -> Vec<Semantic> {
    let demands = [
        (target.can.normals, Semantic::Normal),
        (target.can.uv_sets, Semantic::TexCoord(0)),
        (target.can.color_sets, Semantic::Color(0)),
    ];
    let demanded = demands.into_iter().filter(|(Count { min, .. }, _)| *min > 0).map(|(_, semantic)| semantic);
    demanded.filter(|semantic| primitive.get(semantic).is_none()).collect()
}

/// Makes up what the target demands.
pub(super) fn make_up(scene: &mut Scene, target: &Target) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let count = primitive.vertex_count();
        if count == 0 {
            continue;
        }
        for semantic in missing(primitive, target) {
            let made_up = match semantic {
                Semantic::Normal => Stream::from_f32(3, normals(primitive)),
                // The corner that both origins call zero after their own flip.
                Semantic::TexCoord(_) => Stream::from_f32(2, vec![0.; count * 2]).flipped(),
                _ => Stream::from_f32(4, vec![1.; count * 4]),
            };
            primitive.set(semantic, made_up);
        }
        // Further sets that a target demands repeat the first: nothing that shows is made up.
        for set in 1..target.can.uv_sets.min {
            if primitive.get(&Semantic::TexCoord(set)).is_none()
                && let Some(first) = primitive.get(&Semantic::TexCoord(0)).cloned()
            {
                primitive.set(Semantic::TexCoord(set), first);
            }
        }
    }
}

fn holds(target: &Target, semantic: &Semantic) -> bool {
    match semantic {
        Semantic::Position => true,
        Semantic::Normal => target.can.normals.max > 0,
        Semantic::Tangent => !target.can.tangents.is_lost(),
        Semantic::TexCoord(set) => *set < target.can.uv_sets.max,
        Semantic::Color(set) => *set < target.can.color_sets.max,
        Semantic::Joints(set) | Semantic::Weights(set) => *set < target.can.joint_sets.max,
        Semantic::Custom(_) => !target.can.custom_attributes.is_lost(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use scene::{Capabilities, Hold, Id, Material, Mesh, Topology};

    #[test]
    fn a_second_set_is_told_of_where_a_part_of_the_same_material_has_one() {
        let part = |sets: u8, material: usize| {
            let stream = |width: u8| Stream::from_f32(width, vec![0.5; 3 * usize::from(width)]);
            let bare = Primitive::new(Topology::Triangles).with(Semantic::Position, stream(3));
            let laid = (0..sets).fold(bare, |part, set| part.with(Semantic::TexCoord(set), stream(2)));
            Primitive { material: Some(Id::new(material)), ..laid }
        };
        let mut scene = Scene::new();
        (0..2).for_each(|_| _ = scene.materials.add(Material::default()));
        let primitives = vec![part(2, 0), part(1, 0), part(1, 1)];
        let mesh = Some(scene.meshes.add(Mesh { primitives, name: "m".into(), ..Mesh::default() }));
        scene.add_root(scene::Node { mesh, ..scene::Node::default() });
        let can = Capabilities { uv_sets: Count { min: 2, max: 2 }, materials: Hold::Yes, ..flat(Hold::Yes, Hold::No) };
        let mut losses = Losses::default();
        fit(&scene, &can, &mut losses);
        let told: Vec<String> = losses.iter().filter(|loss| loss.code == "LOSS-018").map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("LOSS-018 mesh \"m\" part 1: second texture coordinates"), "{told:?}");
    }
}
