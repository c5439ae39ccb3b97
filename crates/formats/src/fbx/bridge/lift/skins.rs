//! Skins: joints in the order of clusters.

use scene::{Id, Scene, Skin};

use super::{Lifting, name, node_id};

impl Lifting<'_> {
    pub(super) fn skin(&mut self, skin: &ufbx::SkinDeformer, scene: &mut Scene) -> Id<Skin> {
        *self.skins.entry(skin.element.typed_id).or_insert_with(|| {
            let mut out = Skin { name: name(&skin.element.name), ..Skin::default() };
            for cluster in &skin.clusters {
                // A cluster without a bone stays where it is: its joint is the root.
                let bone = cluster.bone_node.as_ref().map_or(node_id(&self.source.root_node), |bone| node_id(bone));
                out.joints.push(bone);
                let m = &cluster.geometry_to_bone;
                let rows = [
                    [m.m00, m.m10, m.m20, 0.],
                    [m.m01, m.m11, m.m21, 0.],
                    [m.m02, m.m12, m.m22, 0.],
                    [m.m03, m.m13, m.m23, 1.],
                ];
                let mut columns = [0.; 16];
                columns.iter_mut().zip(rows.as_flattened()).for_each(|(slot, value)| *slot = *value as f32);
                out.inverse_bind.push(columns);
            }
            scene.skins.add(out)
        })
    }
}
