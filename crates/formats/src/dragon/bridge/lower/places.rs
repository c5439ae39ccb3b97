//! What stands where: objects, copies, lights and voxels.

use std::collections::{BTreeSet, HashMap, HashSet};

use findings::{Result, Subject, SubjectKind};
use glam::DMat4;
use scene::loss::*;
use scene::{
    Id, Instances, Light, LightKind, Material, Mesh, Name, Node, NodeRole, Properties, Skin, Transform, Value,
};
use wire::F32;

use super::super::super::body::{
    self, Body, Instance, InstanceGroup, Matrix4Placement, Object, Placements, QuaternionPlacement,
};
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::super::rotation::Rotation;
use super::super::super::words::{LightType, RotationType};
use super::super::{keys, transforms};
use super::Lower;
use super::rigs::exact_trs;
use super::shapes::Manner;

/// A node and its place.
pub(super) struct Placed {
    pub(super) id: Id<Node>,
    pub(super) transform: Transform,
    /// Where the node itself stands: what bends a shape moves it elsewhere, but no light.
    own: Transform,
    manner: Manner,
}

impl Lower<'_, '_, '_> {
    pub(super) fn places(&mut self) -> Result<()> {
        let scene = self.scene;
        let primary = self.sockets()?;
        let placed = self.placed(&primary);
        let mut uses: HashMap<Id<Mesh>, Vec<&Manner>> = HashMap::new();
        for one in &placed {
            if let Some(mesh) = scene.nodes[one.id].mesh {
                uses.entry(mesh).or_default().push(&one.manner);
            }
        }
        for mesh in scene.meshes.ids() {
            for manner in uses.get(&mesh).map_or(&[][..], Vec::as_slice) {
                self.geometries(mesh, manner)?;
            }
        }
        for one in &placed {
            let node = &scene.nodes[one.id];
            match (&node.instances, node.mesh) {
                (Some(instances), _) => self.instances(one, instances)?,
                (None, Some(mesh)) => self.objects(one, mesh)?,
                (None, None) if node.light.is_none() && node.voxels.is_none() => self.empty(one)?,
                _ => {}
            }
            if let Some(light) = node.light.filter(|light| scene.lights.get(*light).is_some()) {
                self.light(one, light)?;
            }
            if let Some(voxels) = node.voxels {
                self.voxels(one, voxels)?;
            }
        }
        Ok(())
    }

    /// The nodes that something is written for, and where they stand.
    fn placed(&mut self, primary: &HashMap<Id<Node>, Guid>) -> Vec<Placed> {
        let scene = self.scene;
        let tops: HashSet<Id<Node>> = scene.scenes.iter().flat_map(|root| root.nodes.iter().copied()).collect();
        let skins: HashSet<Id<Skin>> = self.rigs.keys().filter_map(|id| scene.nodes[*id].skin).collect();
        let joints = skins.iter().filter_map(|skin| scene.skins.get(*skin)).flat_map(|skin| &skin.joints);
        let joints: HashSet<Id<Node>> = joints.copied().collect();
        let mut out = Vec::new();
        let mut written = HashSet::new();
        for (id, world) in scene.placed(scene.default_scene.unwrap_or(0)) {
            let node = &scene.nodes[id];
            let holds = node.mesh.is_some() || node.light.is_some() || node.voxels.is_some();
            let holds = holds || node.instances.is_some();
            let is_place = node.role == NodeRole::Own && node.socket.is_none() && !self.moved.contains_key(&id);
            if !(holds || is_place && node.skin.is_none()) {
                let above_bones = self.moved.contains_key(&id) && node.role == NodeRole::Own && !joints.contains(&id);
                if above_bones && !node.name.is_empty() && !self.own {
                    let label = node.subject(id);
                    self.cx.lose(&LOSS_008, &label, 1, "node above bones", "its place is in the bones below it");
                }
                continue;
            }
            written.insert(id);
            if !tops.contains(&id) {
                let label = node.subject(id);
                self.cx.lose(&LOSS_008, &label, 1, "node below another", "DRAGON has no hierarchy");
            }
            let rig = self.rigs.get(&id);
            let own = if tops.contains(&id) { node.transform } else { exact_trs(&world) };
            let transform = rig.map_or(own, |rig| rig.object);
            let defaults = node.mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(Vec::new(), |mesh| {
                mesh.morphs.iter().map(|morph| morph.default.to_bits()).collect::<Vec<u32>>()
            });
            let weights: Vec<u32> = node.weights.iter().map(|weight| weight.to_bits()).collect();
            let manner = Manner {
                weights: if weights == defaults { Vec::new() } else { weights },
                skeleton: rig.map_or(Guid::NONE, |rig| rig.skeleton),
                socket: primary.get(&id).copied().unwrap_or_default(),
            };
            out.push(Placed { id, transform, own, manner });
        }
        if self.own {
            self.share_manners(&mut out);
        } else {
            self.lose_of_bones(&written);
        }
        out
    }

    /// Lists what users say of nodes that are bones and nothing else.
    fn lose_of_bones(&mut self, written: &HashSet<Id<Node>>) {
        let scene = self.scene;
        let bones: BTreeSet<usize> = self.moved.keys().map(|bone| bone.index()).collect();
        for node in bones.into_iter().map(Id::new).filter(|id| !written.contains(id)) {
            let Node { name, properties, socket, .. } = &scene.nodes[node];
            let label = Subject::new(SubjectKind::Node, node.index(), name);
            for (key, _) in properties.iter().filter(|_| socket.is_none()) {
                self.cx.lose(&LOSS_015, &label, 1, &format!("property {key}"), "bones of DRAGON have none");
            }
        }
    }

    /// Copies show the same geometry that stands elsewhere by itself: nothing moves them, whatever its skeleton.
    fn share_manners(&self, placed: &mut [Placed]) {
        let nodes = &self.scene.nodes;
        let alone = placed.iter().filter(|one| nodes[one.id].instances.is_none());
        let mut known: HashMap<Id<Mesh>, Manner> = HashMap::new();
        for one in alone {
            nodes[one.id].mesh.into_iter().for_each(|mesh| _ = known.entry(mesh).or_insert_with(|| one.manner.clone()));
        }
        for one in placed.iter_mut().filter(|one| nodes[one.id].instances.is_some()) {
            let Some(mesh) = nodes[one.id].mesh else { continue };
            let skeleton = keys::guid(&self.scene.meshes[mesh].extras, keys::SKELETON);
            match known.get(&mesh) {
                Some(manner) => one.manner = manner.clone(),
                None => one.manner.skeleton = skeleton.filter(|guid| self.sections.has(*guid)).unwrap_or_default(),
            }
        }
    }

    fn material_guid(&self, material: Option<Id<Material>>) -> Guid {
        material.and_then(|material| self.materials.get(material.index()).copied()).unwrap_or_default()
    }

    pub(super) fn node_settings(
        &mut self,
        node: &Node,
        name: &Name,
        needed: Properties,
        label: &Subject,
    ) -> Result<Guid> {
        self.sections.settings(name, needed, &node.properties, &node.extras, label, self.cx)
    }

    fn objects(&mut self, placed: &Placed, mesh: Id<Mesh>) -> Result<()> {
        let node = &self.scene.nodes[placed.id];
        let geometries = self.geometries(mesh, &placed.manner)?;
        let says_nothing = placed.transform.is_identity() && node.material.is_none() && node.properties.is_empty();
        if node.role == NodeRole::Unplaced && says_nothing {
            return Ok(());
        }
        for (part, geometry) in geometries.into_iter().enumerate() {
            self.object(placed, geometry, part)?;
        }
        Ok(())
    }

    /// A place where nothing stands.
    fn empty(&mut self, placed: &Placed) -> Result<()> {
        self.object(placed, Guid::NONE, 0)
    }

    fn object(&mut self, placed: &Placed, geometry: Guid, part: usize) -> Result<()> {
        let node = &self.scene.nodes[placed.id];
        let label = node.subject(placed.id);
        let settings = self.node_settings(node, &node.name, Vec::new(), &label)?;
        if let Some(body) = self.lone_instance(placed, geometry).filter(|_| part == 0) {
            self.sections.add(keys::guid(&node.extras, keys::GUID), settings, body)?;
            return Ok(());
        }
        let rotation_type = transforms::kind_of([&placed.transform], self.own);
        let (position, rotation, scale) = transforms::lower(&placed.transform, rotation_type);
        let material = self.material_guid(node.material);
        let body = Object { material, geometry, rotation_type, position, rotation, scale };
        let wanted = keys::guid(&node.extras, keys::GUID).filter(|_| part == 0);
        self.sections.add(wanted, settings, body)?;
        Ok(())
    }

    /// An INSTANCE of one copy or none, which other formats have no reason to tell from a node.
    fn lone_instance(&self, placed: &Placed, geometry: Guid) -> Option<Instance> {
        let node = &self.scene.nodes[placed.id];
        let old = self.kept.get(keys::guid(&node.extras, keys::GUID)?, Kind::Instance)?;
        let Body::Instance(old) = &old.body else { return None };
        let sizes: Vec<usize> = old.instances.iter().map(|group| group.placements.len()).collect();
        if sizes.iter().all(|size| *size == 0) && placed.transform.is_identity() && geometry == old.geometry {
            return Some(old.clone());
        }
        if sizes != [1] {
            return None;
        }
        let rotation_type = transforms::kind_of([&placed.transform], self.own);
        let placements = placements(&[placed.transform], rotation_type);
        let group = InstanceGroup { material: self.material_guid(node.material), placements };
        Some(Instance { rotation_type, geometry, instances: vec![group] })
    }

    fn instances(&mut self, placed: &Placed, instances: &Instances) -> Result<()> {
        let node = &self.scene.nodes[placed.id];
        let label = node.subject(placed.id);
        let geometries = match node.mesh {
            Some(mesh) => self.geometries(mesh, &placed.manner)?,
            None => vec![Guid::NONE],
        };
        let settings = self.node_settings(node, &node.name, Vec::new(), &label)?;
        let at = placed.transform.matrix();
        let moved = at != DMat4::IDENTITY;
        let places: Vec<Transform> = instances
            .placements
            .iter()
            .map(|p| if moved { exact_trs(&(at * p.transform.matrix())) } else { p.transform })
            .collect();
        let rotation_type = transforms::kind_of(&places, self.own);
        let materials: Vec<Guid> =
            instances.placements.iter().map(|p| self.material_guid(p.material.or(node.material))).collect();
        let mut groups = Vec::new();
        let mut start = 0;
        for size in group_sizes(node, &materials) {
            let end = (start + size).min(places.len());
            let material = materials.get(start).copied().filter(|_| size > 0).unwrap_or_default();
            groups.push(InstanceGroup { material, placements: placements(&places[start..end], rotation_type) });
            start = end;
        }
        for (part, geometry) in geometries.into_iter().enumerate() {
            let body = Instance { rotation_type, geometry, instances: groups.clone() };
            let wanted = keys::guid(&node.extras, keys::GUID).filter(|_| part == 0);
            self.sections.add(wanted, settings, body)?;
        }
        Ok(())
    }

    fn light(&mut self, placed: &Placed, id: Id<Light>) -> Result<()> {
        let node = &self.scene.nodes[placed.id];
        let light = &self.scene.lights[id];
        let label = light.subject(id);
        let mut lose = |what: &str, why: &str| self.cx.lose(&LOSS_045, &label, 1, what, why);
        if light.range.is_some() {
            lose("range", "lights of DRAGON reach everywhere");
        }
        let stored = match light.extras.get(keys::FOV) {
            Some(Value::F32(fov)) => Some(*fov),
            _ => None,
        };
        let mut needed: Properties = Vec::new();
        let (light_type, fov) = match light.kind {
            LightKind::Spot { inner, outer } => {
                if inner != 0. {
                    lose("inner cone", "spots of DRAGON have one angle");
                }
                let same = |fov: &f32| (*fov / 2.).to_radians().to_bits() == outer.to_bits();
                (LightType::SPOT, stored.filter(same).unwrap_or((f64::from(outer).to_degrees() * 2.) as f32))
            }
            LightKind::Point => (LightType::POINT, stored.unwrap_or(0.)),
            LightKind::Area => (LightType::AREA, stored.unwrap_or(0.)),
            LightKind::Ambient => (LightType::AMBIENT, stored.unwrap_or(0.)),
            LightKind::Directional => {
                if stored.is_none() {
                    lose("direction", "a setting says that this ambient light shines in one direction");
                }
                needed.push(("light".into(), "directional".into()));
                (LightType::AMBIENT, stored.unwrap_or(0.))
            }
        };
        let name = if node.name.is_empty() { &light.name } else { &node.name };
        let alone = node.mesh.is_none();
        let settings = match alone {
            true => self.node_settings(node, name, needed, &label)?,
            false => self.sections.settings(name, needed, &Vec::new(), &Default::default(), &label, self.cx)?,
        };
        let rotation_type = transforms::kind_of([&placed.own], self.own);
        let (position, rotation, scale) = transforms::lower(&placed.own, rotation_type);
        let size = scale.iter().fold(0_f64, |most, v| most.max((f64::from(v.get()) - 1.).abs()));
        if size > 0. && alone {
            let place = node.subject(placed.id);
            self.cx.losses.add_measured(&LOSS_009, size, place, 1, "size of a light", "lights of DRAGON have none");
        }
        let body = body::Light {
            rotation_type,
            fov: F32(fov),
            color: light.color.map(F32),
            strength: F32(light.intensity),
            light_type,
            position,
            rotation,
        };
        self.sections.add(keys::guid(&node.extras, keys::GUID).filter(|_| alone), settings, body)?;
        Ok(())
    }
}

/// How many copies each group has: as the source had them, or as many as share a material.
fn group_sizes(node: &Node, materials: &[Guid]) -> Vec<usize> {
    if let Some(Value::List(list)) = node.extras.get(keys::GROUPS) {
        let sizes: Vec<usize> = list.iter().filter_map(|v| usize::try_from(v.as_int()?).ok()).collect();
        if sizes.iter().try_fold(0_usize, |sum, size| sum.checked_add(*size)) == Some(materials.len()) {
            return sizes;
        }
    }
    materials.chunk_by(|a, b| a == b).map(<[Guid]>::len).collect()
}

fn placements(places: &[Transform], kind: RotationType) -> Placements {
    let parts = places.iter().map(|place| transforms::lower(place, kind));
    if kind == RotationType::MAT4 {
        let one = |(position, rotation, scale)| match rotation {
            Rotation::Matrix4(rotation) => Matrix4Placement { position, rotation, scale },
            _ => Matrix4Placement { position, scale, ..Matrix4Placement::default() },
        };
        return Placements::Matrix4(parts.map(one).collect::<Vec<_>>().into());
    }
    let one = |(position, rotation, scale)| match rotation {
        Rotation::Quaternion(rotation) => QuaternionPlacement { position, rotation, scale },
        _ => QuaternionPlacement { position, scale, ..QuaternionPlacement::default() },
    };
    Placements::Quaternion(parts.map(one).collect::<Vec<_>>().into())
}
