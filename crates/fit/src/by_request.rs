//! Repairs that a format asks for while it lowers a scene: it alone sees what needs them, by how it places joints and
//! nodes. What they cost is said here.

use findings::{Losses, Subject};
use ops::{BakedShear, Bound, Reversed};
use scene::loss::{LOSS_009, LOSS_019, LOSS_054, LOSS_072};
use scene::{Id, Node, Scene};

/// [`ops::bake_shear`], and what that costs.
pub fn bake_shear(scene: &Scene, why: &str) -> Option<(Scene, Losses)> {
    let (out, baked) = ops::bake_shear(scene)?;
    let mut losses = Losses::default();
    for BakedShear { node, reversed } in baked {
        let label = scene.nodes[node].subject(node);
        losses.add(&LOSS_009, &label, 1, "shear of the transform", why);
        reversed.into_iter().for_each(|part| lose_strips(part, &label, &mut losses));
    }
    Some((out, losses))
}

/// [`ops::reverse_skinned`], and what that costs.
pub fn reverse_skinned(scene: &Scene, is_turned: impl Fn(Id<Node>) -> bool) -> Option<(Scene, Losses)> {
    let (out, reversed) = ops::reverse_skinned(scene, is_turned)?;
    let mut losses = Losses::default();
    for (node, part) in reversed {
        lose_strips(part, &scene.nodes[node].subject(node), &mut losses);
    }
    Some((out, losses))
}

/// [`ops::split_skinned`], and what that costs.
pub fn split_skinned(
    scene: &Scene,
    why: &str,
    wanted: impl Fn(Id<Node>) -> bool,
    put: impl Fn(&mut Scene, Id<Node>, Node),
) -> Option<(Scene, Losses)> {
    let (out, split) = ops::split_skinned(scene, wanted, put)?;
    let mut losses = Losses::default();
    for mesh in split {
        let label = scene.meshes[mesh].subject(mesh);
        losses.add(&LOSS_072, label, 1, "parts that a skin moves beside others", why);
    }
    Some((out, losses))
}

/// [`ops::bind_moving`], and what that costs a target in which only meshes move.
pub fn bind_moving(scene: Scene, target: &str, losses: &mut Losses) -> Scene {
    let (out, told) = ops::bind_moving(scene);
    let label = |node: Id<Node>| out.nodes[node].subject(node);
    for bound in told {
        match bound {
            Bound::Left(node) => {
                let why = format!("only meshes move in {target}");
                losses.add(&LOSS_054, label(node), 1, "animation of what stands at a node", why);
            }
            Bound::Collapsed(node) => {
                losses.add(&LOSS_054, label(node), 1, "animation", "its place at rest cannot be undone");
            }
            Bound::Reversed(node, reversed) => lose_strips(reversed, &label(node), losses),
        }
    }
    out
}

/// Tells of strips and fans that became triangles.
pub(super) fn lose_strips(Reversed { was, count }: Reversed, place: &Subject, losses: &mut Losses) {
    let why = "they are mirrored, so that their corners turn around";
    losses.add(&LOSS_019, place, count, format!("{} made triangles", was.name()), why);
}
