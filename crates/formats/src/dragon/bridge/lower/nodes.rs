//! What stands where: objects, instances, lights and voxels.

use std::collections::{BTreeSet, HashMap, HashSet};

use findings::{Result, Subject, SubjectKind};
use glam::DMat4;
use scene::loss::*;
use scene::{
    Id, Instances, Light, LightKind, Material, Mesh, Name, Node, NodeRole, Properties, Skin, Transform, Value,
};
use wire::F32;

use super::super::{keys, transforms};
use super::Lower;
use super::meshes::Manner;
use super::skins::exact_trs;
use crate::dragon::layout::body::{
    self, Instance, InstanceGroup, Matrix4Placement, Object, Placements, QuaternionPlacement,
};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::{LightType, RotationType};

/// A node and its place.
pub(super) struct Placed {
    pub(super) id: Id<Node>,
    pub(super) transform: Transform,
    /// Where the node itself stands: what moves a skinned mesh moves it elsewhere, but no light.
    own: Transform,
    manner: Manner,
}

impl Lower<'_, '_, '_> {
    pub(super) fn nodes(&mut self) -> Result<()> {
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
        let skins: HashSet<Id<Skin>> = self.skins.of_nodes.keys().filter_map(|id| scene.nodes[*id].skin).collect();
        let joints = skins.iter().filter_map(|skin| scene.skins.get(*skin)).flat_map(|skin| &skin.joints);
        let joints: HashSet<Id<Node>> = joints.copied().collect();
        let mut out = Vec::new();
        let mut written = HashSet::new();
        for (id, world) in scene.placed(scene.default_scene.unwrap_or(0)) {
            let node = &scene.nodes[id];
            let holds = node.mesh.is_some() || node.light.is_some() || node.voxels.is_some();
            let holds = holds || node.instances.is_some();
            let is_place = node.role == NodeRole::Own && node.socket.is_none() && !self.skins.moved.contains_key(&id);
            if !(holds || is_place && node.skin.is_none()) {
                let above_bones =
                    self.skins.moved.contains_key(&id) && node.role == NodeRole::Own && !joints.contains(&id);
                if above_bones && !node.name.is_empty() {
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
            let rig = self.skins.of_nodes.get(&id);
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
        self.share_manners(&mut out);
        self.lose_of_bones(&written);
        out
    }

    /// Lists what users say of nodes that are bones and nothing else.
    fn lose_of_bones(&mut self, written: &HashSet<Id<Node>>) {
        let scene = self.scene;
        let bones: BTreeSet<usize> = self.skins.moved.keys().map(|bone| bone.index()).collect();
        for node in bones.into_iter().map(Id::new).filter(|id| !written.contains(id)) {
            let Node { name, properties, socket, .. } = &scene.nodes[node];
            let label = Subject::new(SubjectKind::Node, node.index(), name);
            for (key, _) in properties.iter().filter(|_| socket.is_none()) {
                self.cx.lose(&LOSS_015, &label, 1, format!("property {key}"), "bones of DRAGON have none");
            }
        }
    }

    /// Instances show the geometry that stands elsewhere by itself: nothing moves them, whatever its skeleton.
    fn share_manners(&self, placed: &mut [Placed]) {
        let nodes = &self.scene.nodes;
        let alone = placed.iter().filter(|one| nodes[one.id].instances.is_none());
        let mut known: HashMap<(Id<Mesh>, Vec<u32>), Manner> = HashMap::new();
        for one in alone {
            let Some(mesh) = nodes[one.id].mesh else { continue };
            known.entry((mesh, one.manner.weights.clone())).or_insert_with(|| one.manner.clone());
        }
        for one in placed.iter_mut().filter(|one| nodes[one.id].instances.is_some()) {
            let shared = nodes[one.id].mesh.and_then(|mesh| known.get(&(mesh, one.manner.weights.clone())));
            shared.into_iter().for_each(|manner| one.manner = manner.clone());
        }
    }

    fn material_guid(&self, material: Option<Id<Material>>) -> Guid {
        material.and_then(|material| self.materials.materials.get(material.index()).copied()).unwrap_or_default()
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
        // Cubes that became faces have a name of their own.
        let says_nothing = says_nothing && keys::guid(&node.extras, keys::GUID).is_none();
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
        let rotation_type = transforms::kind_of([&placed.transform]);
        let (position, rotation, scale) = transforms::lower(&placed.transform, rotation_type);
        let material = self.material_guid(node.material);
        let body = Object { material, geometry, rotation_type, position, rotation, scale };
        let wanted = keys::guid(&node.extras, keys::GUID).filter(|_| part == 0);
        self.sections.add(wanted, settings, body)?;
        Ok(())
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
        let rotation_type = transforms::kind_of(&places);
        let materials: Vec<Guid> =
            instances.placements.iter().map(|p| self.material_guid(p.material.or(node.material))).collect();
        let mut groups = Vec::new();
        let mut start = 0;
        for group in materials.chunk_by(|a, b| a == b) {
            let own = &places[start..start + group.len()];
            groups.push(InstanceGroup { material: group[0], placements: placements(own, rotation_type) });
            start += group.len();
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
        let stored = match keys::FOV.get(&light.extras) {
            Some(Value::F32(fov)) => Some(*fov),
            _ => None,
        };
        let mut needed: Properties = Vec::new();
        let (light_type, fov) = match light.kind {
            LightKind::Spot { inner, outer } => {
                if inner != 0. {
                    lose("inner cone", "spots of DRAGON have one angle");
                }
                (LightType::SPOT, (f64::from(outer).to_degrees() * 2.) as f32)
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
        let rotation_type = transforms::kind_of([&placed.own]);
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
