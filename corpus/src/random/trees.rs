//! Nodes, skeletons, what nodes show, and scenes.

use super::draw::{Draw, Feature};
use super::json::{Object, text};
use super::plan::{Node, Place, Root, Skin, Thing};

impl Draw<'_> {
    pub(super) fn trees(&mut self) {
        self.nodes();
        self.skeletons();
        self.unused();
        self.levels();
        self.things();
        self.scenes();
    }

    fn node(&mut self, parent: Option<usize>) -> usize {
        let place = match self.chance.below(10) {
            0..3 => Place::Origin,
            _ => {
                let trs = self.trs();
                // A matrix must be one that can be taken apart again.
                let as_matrix = self.roll(Feature::Matrices, 50) && trs.scale.iter().all(|s| *s != 0.);
                if as_matrix { Place::Matrix(trs) } else { Place::Trs(trs) }
            }
        };
        let hidden = self.roll(Feature::Hidden, 25);
        let words = self.words("node");
        self.plan.nodes.push(Node { words, parent, place, hidden, ..Node::default() });
        self.plan.nodes.len() - 1
    }

    fn nodes(&mut self) {
        for at in 0..self.chance.between(1, if self.has(Feature::Hierarchy) { 6 } else { 4 }) {
            let parent = (at > 0 && self.roll(Feature::Hierarchy, 70)).then(|| self.chance.below(at));
            let node = self.node(parent);
            if at == 0 || self.chance.percent(60) {
                self.show(node);
            }
        }
    }

    /// Gives a node a mesh that no joints bend.
    fn show(&mut self, node: usize) {
        let shared = self.has(Feature::SharedMeshes);
        let free = |draw: &Draw<'_>, mesh: usize| {
            draw.plan.meshes[mesh].joints == 0 && (shared || draw.plan.nodes.iter().all(|n| n.mesh != Some(mesh)))
        };
        let Some(mesh) = (0..self.plan.meshes.len()).find(|&mesh| free(self, mesh)) else { return };
        let later = (mesh..self.plan.meshes.len()).filter(|&mesh| free(self, mesh)).collect::<Vec<_>>();
        let mesh = *self.chance.one_of(&later);
        self.plan.nodes[node].mesh = Some(mesh);
        self.weigh(node);
        if self.roll(Feature::Instances, 50) {
            for _ in 0..self.chance.between(1, 3) {
                let copy = self.trs();
                self.plan.nodes[node].instances.push(copy);
            }
        }
    }

    /// Weights of a node stand in for those of its mesh.
    fn weigh(&mut self, node: usize) {
        let targets = self.plan.nodes[node].mesh.map_or(0, |mesh| self.plan.meshes[mesh].targets);
        if targets > 0 && self.roll(Feature::MorphWeights, 40) {
            self.plan.nodes[node].weights = (0..targets).map(|_| self.share()).collect();
        }
    }

    /// Trees of joints, skins over them, and nodes with the meshes that they bend.
    fn skeletons(&mut self) {
        let skinned: Vec<usize> =
            (0..self.plan.meshes.len()).filter(|&mesh| self.plan.meshes[mesh].joints > 0).collect();
        if skinned.is_empty() {
            return;
        }
        let most = skinned.iter().map(|&mesh| self.plan.meshes[mesh].joints).max().unwrap_or(1);
        let trees = if self.has(Feature::NestedSkins) { 1 } else { self.chance.between(1, 2) };
        let mut skins = Vec::new();
        for _ in 0..trees {
            let below = (self.roll(Feature::Hierarchy, 50)).then(|| self.chance.below(self.plan.nodes.len()));
            let root = self.node(below);
            let mut tree = vec![root];
            for _ in 0..most + self.chance.below(3) {
                let parent = *self.chance.one_of(&tree);
                tree.push(self.node(Some(parent)));
            }
            for at in 0..if self.has(Feature::NestedSkins) { self.chance.between(2, 3) } else { 1 } {
                // The first takes the tree from its root on, others what lies below or between.
                let order = if at == 0 { (0..tree.len()).collect() } else { self.chance.order(tree.len()) };
                let count = self.chance.between(most, tree.len());
                let joints: Vec<usize> = order.into_iter().take(count).map(|at| tree[at]).collect();
                let binds = self.binds(&joints);
                let skeleton = self.chance.percent(30).then_some(root);
                let words = self.words("skin");
                skins.push(self.plan.skins.len());
                self.plan.skins.push(Skin { words, joints, root: skeleton, binds });
            }
        }
        for mesh in skinned {
            for _ in 0..if self.has(Feature::SharedSkins) { self.chance.between(1, 3) } else { 1 } {
                let parent = self.roll(Feature::Hierarchy, 30).then(|| self.chance.below(self.plan.nodes.len()));
                let node = self.node(parent);
                self.plan.nodes[node].mesh = Some(mesh);
                self.plan.nodes[node].skin = Some(*self.chance.one_of(&skins));
                self.weigh(node);
            }
        }
        // Something that a joint carries.
        if self.chance.percent(40) {
            let joint = *self.chance.one_of(&self.plan.skins[0].joints);
            let node = self.node(Some(joint));
            self.show(node);
        }
    }

    /// Inverse bind matrices: those of the pose at rest where it has an inverse, or any others, or none.
    fn binds(&mut self, joints: &[usize]) -> Vec<[f64; 16]> {
        if self.chance.percent(15) {
            return Vec::new();
        }
        let other = self.has(Feature::OtherBinds);
        let bind = |draw: &mut Self, joint: usize| {
            let at_rest = inverse(&draw.world(joint)).filter(|_| !(other && draw.chance.percent(50)));
            at_rest.unwrap_or_else(|| draw.trs().matrix())
        };
        joints.iter().map(|&joint| bind(self, joint)).collect()
    }

    fn world(&self, node: usize) -> [f64; 16] {
        let own = self.plan.nodes[node].place.trs().matrix();
        self.plan.nodes[node].parent.map_or(own, |parent| product(&self.world(parent), &own))
    }

    /// A mesh without a node would be told of by none, so it gets one; an unused material goes, unless
    /// it was asked for.
    fn unused(&mut self) {
        for mesh in 0..self.plan.meshes.len() {
            if self.plan.nodes.iter().all(|node| node.mesh != Some(mesh)) {
                let node = self.node(None);
                self.plan.nodes[node].mesh = Some(mesh);
                self.weigh(node);
            }
        }
        if !self.has(Feature::UnusedMaterials) {
            self.drop_unused_looks();
        }
    }

    fn drop_unused_looks(&mut self) {
        let plan = &mut self.plan;
        let parts = |plan: &super::plan::Plan| -> Vec<Option<usize>> {
            plan.meshes.iter().flat_map(|mesh| &mesh.parts).map(|part| part.material).collect()
        };
        for material in (0..plan.materials.len()).rev() {
            if !parts(plan).contains(&Some(material)) {
                plan.materials.remove(material);
                let above = plan.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).filter_map(|p| p.material.as_mut());
                above.filter(|used| **used > material).for_each(|used| *used -= 1);
            }
        }
        for texture in (0..plan.textures.len()).rev() {
            let slots = || plan.materials.iter().flat_map(|material| &material.slots);
            if slots().all(|slot| slot.texture != texture) {
                plan.textures.remove(texture);
                let above = plan.materials.iter_mut().flat_map(|material| &mut material.slots);
                above.filter(|slot| slot.texture > texture).for_each(|slot| slot.texture -= 1);
            }
        }
        for image in (0..plan.images.len()).rev() {
            if plan.textures.iter().all(|texture| texture.image != image) {
                plan.images.remove(image);
                plan.textures.iter_mut().filter(|t| t.image > image).for_each(|texture| texture.image -= 1);
            }
        }
    }

    /// Coarser versions: nodes that are nothing but another mesh in the same place, and that no scene shows.
    fn levels(&mut self) {
        let shown = |node: &Node| node.mesh.is_some() && node.skin.is_none() && node.instances.is_empty();
        for node in 0..self.plan.nodes.len() {
            if !shown(&self.plan.nodes[node]) || !self.roll(Feature::Levels, 50) {
                continue;
            }
            for _ in 0..self.chance.between(1, 2) {
                let mesh = self.mesh(0);
                self.plan.meshes.push(mesh);
                let words = self.words("level");
                let mesh = Some(self.plan.meshes.len() - 1);
                let place = self.plan.nodes[node].place;
                self.plan.nodes.push(Node { words, mesh, place, ..Node::default() });
                let level = self.plan.nodes.len() - 1;
                self.plan.nodes[node].levels.push(level);
            }
        }
    }

    /// Lights and cameras.
    fn things(&mut self) {
        let count = if self.has(Feature::Lights) { self.chance.between(1, 3) } else { 0 };
        for _ in 0..count {
            let light = self.light();
            self.plan.lights.push(light);
            let node = self.holder();
            self.plan.nodes[node].light = Some(self.chance.below(self.plan.lights.len()));
        }
        self.plan.lights.truncate(count);
        let count = if self.has(Feature::Cameras) { self.chance.between(1, 2) } else { 0 };
        for _ in 0..count {
            let camera = self.camera();
            self.plan.cameras.push(camera);
            let node = self.holder();
            self.plan.nodes[node].camera = Some(self.chance.below(self.plan.cameras.len()));
        }
    }

    /// A node for a light or a camera: one that is there, or a new one.
    fn holder(&mut self) -> usize {
        let levels: Vec<usize> = self.plan.nodes.iter().flat_map(|node| node.levels.clone()).collect();
        let old = self.chance.below(self.plan.nodes.len());
        let new = self.chance.percent(60) || levels.contains(&old);
        let parent = self.roll(Feature::Hierarchy, 50).then_some(old).filter(|old| !levels.contains(old));
        if new { self.node(parent) } else { old }
    }

    fn light(&mut self) -> Thing {
        let kind = *self.chance.one_of(&["directional", "point", "spot"]);
        let mut fields = vec![("type", text(kind))];
        if self.chance.percent(70) {
            fields.push(("color", super::json::list(&[self.share(), self.share(), self.share()])));
        }
        if self.chance.percent(60) {
            fields.push(("intensity", (self.share() * 10.).to_string()));
        }
        if kind != "directional" && self.chance.percent(40) {
            fields.push(("range", (self.share() * 10. + 1.).to_string()));
        }
        if kind == "spot" {
            let mut spot = Object::default();
            if self.chance.percent(60) {
                spot.put("innerConeAngle", 0.25).put("outerConeAngle", 0.75);
            }
            fields.push(("spot", spot.done()));
        }
        Thing { words: self.words("light"), fields }
    }

    fn camera(&mut self) -> Thing {
        let mut inner = Object::default();
        let perspective = self.chance.percent(60);
        if perspective {
            inner.put("yfov", 0.75).put("znear", 0.125).maybe("zfar", self.chance.percent(50).then_some(64));
            inner.maybe("aspectRatio", self.chance.percent(50).then_some(1.5));
        } else {
            inner.put("xmag", 2).put("ymag", 1.5).put("znear", 0.5).put("zfar", 32);
        }
        let kind = if perspective { "perspective" } else { "orthographic" };
        Thing { words: self.words("camera"), fields: vec![("type", text(kind)), (kind, inner.done())] }
    }

    /// Shows trees in scenes. What a skin ties together is shown together.
    fn scenes(&mut self) {
        let count = if self.has(Feature::Scenes) { self.chance.between(2, 3) } else { 1 };
        self.plan.scenes = (0..count).map(|_| Root { words: self.words("scene"), nodes: Vec::new() }).collect();
        let levels: Vec<usize> = self.plan.nodes.iter().flat_map(|node| node.levels.clone()).collect();
        let nodes = &self.plan.nodes;
        let tops: Vec<usize> = (0..nodes.len()).filter(|n| nodes[*n].parent.is_none() && !levels.contains(n)).collect();
        let top = |mut node: usize| {
            while let Some(parent) = nodes[node].parent {
                node = parent;
            }
            node
        };
        let mut group: Vec<usize> = (0..nodes.len()).collect();
        for (at, node) in nodes.iter().enumerate() {
            for &joint in node.skin.map_or(&[][..], |skin| &self.plan.skins[skin].joints) {
                let (from, to) = (group[top(at)], group[top(joint)]);
                group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
        let mut shown: Vec<Option<Vec<usize>>> = vec![None; group.len()];
        for &node in &tops {
            if shown[group[node]].is_none() {
                let first = node != tops[0] && self.roll(Feature::Unshown, 40);
                let also = self.chance.below(count);
                let some = (0..count).filter(|&scene| scene == also || self.chance.percent(25)).collect();
                shown[group[node]] = Some(if first { Vec::new() } else { some });
            }
            for &scene in shown[group[node]].iter().flatten() {
                self.plan.scenes[scene].nodes.push(node);
            }
        }
        self.plan.default_scene = (count == 1 || self.chance.percent(80)).then(|| self.chance.below(count));
    }
}

/// a · b, column by column.
fn product(a: &[f64; 16], b: &[f64; 16]) -> [f64; 16] {
    let mut out = [0.; 16];
    for (at, value) in out.iter_mut().enumerate() {
        let (column, row) = (at / 4, at % 4);
        *value = (0..4).map(|k| a[k * 4 + row] * b[column * 4 + k]).sum();
    }
    out
}

/// The inverse of an affine matrix, if it has one worth the name.
fn inverse(m: &[f64; 16]) -> Option<[f64; 16]> {
    let at = |row: usize, column: usize| m[column * 4 + row];
    let minor = |row: usize, column: usize| {
        let (r, c) = ([(row + 1) % 3, (row + 2) % 3], [(column + 1) % 3, (column + 2) % 3]);
        at(r[0], c[0]) * at(r[1], c[1]) - at(r[0], c[1]) * at(r[1], c[0])
    };
    let determinant: f64 = (0..3).map(|column| at(0, column) * minor(0, column)).sum();
    if determinant.abs() < 1e-3 {
        return None;
    }
    let mut out = [0.; 16];
    for row in 0..3 {
        for column in 0..3 {
            out[column * 4 + row] = minor(column, row) / determinant;
        }
        out[12 + row] = -(0..3).map(|k| out[k * 4 + row] * m[12 + k]).sum::<f64>();
    }
    out[15] = 1.;
    Some(out)
}
