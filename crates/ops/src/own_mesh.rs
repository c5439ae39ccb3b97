//! A mesh of its own for a node that shares one with others.

use scene::extras::COPY;
use scene::{Id, Mesh, Node, Scene};

/// How many nodes show each mesh.
pub struct MeshUsers(Vec<usize>);

impl MeshUsers {
    /// Counts them.
    pub fn of(scene: &Scene) -> MeshUsers {
        let mut users = vec![0; scene.meshes.len()];
        for mesh in scene.nodes.iter().filter_map(|node| node.mesh) {
            users.get_mut(mesh.index()).into_iter().for_each(|count| *count += 1);
        }
        MeshUsers(users)
    }

    /// The mesh of a node, which no other node shows from now on. The last node takes the shared one over: a mesh that
    /// none shows would be told of as if it were written.
    pub fn own_mesh<'a>(&mut self, scene: &'a mut Scene, node: Id<Node>) -> Option<&'a mut Mesh> {
        let mut own = scene.nodes[node].mesh?;
        let shared = scene.meshes.get(own)?;
        // A mesh that was not there when users were counted is one that a node was given here.
        if let Some(users) = self.0.get_mut(own.index()).filter(|users| **users > 1) {
            *users -= 1;
            let mut copy = shared.clone();
            copy.extras.set(COPY, 1);
            own = scene.meshes.add(copy);
            scene.nodes[node].mesh = Some(own);
        }
        Some(&mut scene.meshes[own])
    }
}
