//! What stands where: objects, instances, lights, voxels, and what is not placed.

use findings::{Result, Subject, SubjectKind};
use scene::loss::*;
use scene::{Extras, Id, Instances, Light, LightKind, Mesh, Node, NodeRole, Placement, Value};
use wire::F32;

use super::super::{keys, name, transforms};
use super::{Key, Lift};
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{self, Body, Geometry, Instance, Object};
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::words::LightType;

const UNIT: [F32; 3] = [F32(1.); 3];

impl<'d> Lift<'d, '_, '_> {
    /// Kinds follow each other as they do in a file that is written anew.
    pub(super) fn nodes(&mut self) -> Result<()> {
        let doc = self.doc;
        let each = || doc.sections.iter().map(|section| &**section);
        for section in each() {
            if let Body::Object(object) = &section.body {
                self.object(section, object)?;
            }
        }
        for section in each() {
            if let Body::Instance(instance) = &section.body {
                self.instance(section, instance)?;
            }
        }
        for section in each() {
            if let Body::Light(light) = &section.body {
                self.light(section, light)?;
            }
        }
        for section in each() {
            if let Body::VoxelObj(voxels) = &section.body {
                self.voxels(section, voxels)?;
            }
        }
        for section in each() {
            if let Body::Geometry(geometry) = &section.body
                && !self.is_placed(section)
            {
                let mesh = Some(self.mesh(section, geometry)?);
                let name = name(&geometry.name);
                let node = self.place(Node { name, mesh, role: NodeRole::Unplaced, ..Node::default() })?;
                self.show(node, Some((section, geometry)))?;
            }
        }
        for section in each() {
            let key: Key = section;
            if let Body::Skeleton(skeleton) = &section.body
                && !self.skins.uses.contains_key(&key)
            {
                let name = name(&skeleton.name);
                let node = self.place(Node { name, role: NodeRole::Unplaced, ..Node::default() })?;
                self.rig(node, section, skeleton, None)?;
            }
        }
        self.loose_sockets()
    }

    fn is_placed(&self, section: &Section) -> bool {
        let mesh = self.known.meshes.get(&std::ptr::from_ref(section));
        mesh.is_some_and(|mesh| self.placed.contains(mesh))
    }

    fn geometry(&mut self, guid: super::Guid, place: &str) -> Option<(&'d Section, &'d Geometry)> {
        let section = self.find(guid, Kind::Geometry, place)?;
        match &section.body {
            Body::Geometry(geometry) => Some((section, geometry)),
            _ => None,
        }
    }

    fn object(&mut self, section: &'d Section, object: &'d Object) -> Result<()> {
        let mut extras = Extras::default();
        let (name, properties) = self.said(section, true, &mut extras);
        let geometry = self.geometry(object.geometry, "OBJECT");
        let mesh = match geometry {
            Some((section, geometry)) => Some(self.mesh(section, geometry)?),
            None => None,
        };
        let material = match self.find(object.material, Kind::Material, "OBJECT") {
            Some(section) => self.material(section),
            None => None,
        };
        let transform = transforms::lift(object.position, &object.rotation, object.scale);
        let node = self.place(Node { name, transform, mesh, material, properties, extras, ..Node::default() })?;
        self.show(node, geometry)
    }

    /// Joints and sockets of what a node shows.
    fn show(&mut self, node: scene::Id<Node>, geometry: Option<(&'d Section, &'d Geometry)>) -> Result<()> {
        let Some((_, geometry)) = geometry else { return Ok(()) };
        let skeleton = self.find(geometry.skeleton, Kind::Skeleton, "GEOMETRY");
        if let Some(mesh) = self.scene.nodes[node].mesh {
            self.skins.shown.push((node, mesh, skeleton.map(std::ptr::from_ref)));
        }
        if let Some(section) = skeleton
            && let Body::Skeleton(skeleton) = &section.body
        {
            self.rig(node, section, skeleton, Some(geometry))?;
        }
        self.own_socket(node, geometry)
    }

    fn instance(&mut self, section: &'d Section, instance: &'d Instance) -> Result<()> {
        let mut extras = Extras::default();
        let (name, properties) = self.said(section, true, &mut extras);
        let geometry = self.geometry(instance.geometry, "INSTANCE");
        let mesh = match geometry {
            Some((section, geometry)) => Some(self.mesh(section, geometry)?),
            None => None,
        };
        if let (Some((_, geometry)), Some(mesh)) = (geometry, mesh)
            && self.is_moved(geometry, mesh)
        {
            let label = Subject::new(SubjectKind::Node, self.scene.nodes.len(), &name);
            self.cx.lose(&LOSS_002, &label, 1, "animation of instances", "instances stand still");
        }
        self.count(instance.instances.iter().map(|group| group.placements.len() as u64).sum())?;
        let mut placements = Vec::new();
        for group in &instance.instances {
            let material = match self.find(group.material, Kind::Material, "INSTANCE") {
                Some(section) => self.material(section),
                None => None,
            };
            let all = (0..group.placements.len()).filter_map(|i| group.placements.get(i));
            placements.extend(all.map(|(position, rotation, scale)| Placement {
                transform: transforms::lift(position, &rotation, scale),
                material,
            }));
        }
        let instances = Some(Instances { placements });
        self.place(Node { name, mesh, instances, properties, extras, ..Node::default() })?;
        Ok(())
    }

    /// Whether some animation of the file moves a mesh.
    fn is_moved(&self, geometry: &Geometry, mesh: Id<Mesh>) -> bool {
        let moves = |body: &Body| match body {
            Body::Animate(animate) => !animate.skeleton.is_none() && animate.skeleton == geometry.skeleton,
            Body::AniTrack(track) => {
                let weighs = |name: &str| {
                    self.scene.meshes[mesh].morphs.iter().any(|morph| morph.name.bytes() == name.as_bytes())
                };
                super::animations::morph_name(track).is_some_and(weighs)
            }
            _ => false,
        };
        self.doc.sections.iter().any(|section| moves(&section.body))
    }

    fn light(&mut self, section: &'d Section, body: &'d body::Light) -> Result<()> {
        let mut extras = Extras::default();
        let mut said = self.settings(section.settings, true, "LIGHT");
        let directional = body.light_type == LightType::AMBIENT && said.take_word("light", "directional");
        said.remember_types(&mut extras);
        keys::remember(&mut extras, keys::GUID, section.guid);
        keys::remember(&mut extras, keys::SETTINGS, section.settings);
        let kind = match body.light_type {
            LightType::SPOT => LightKind::Spot { inner: 0., outer: (body.fov.get() / 2.).to_radians() },
            LightType::AMBIENT if directional => LightKind::Directional,
            LightType::AMBIENT => LightKind::Ambient,
            LightType::AREA => LightKind::Area,
            _ => LightKind::Point,
        };
        let mut light = Light {
            name: said.name.clone(),
            kind,
            color: body.color.map(F32::get),
            intensity: body.strength.get(),
            range: None,
            extras: Extras::default(),
        };
        if body.light_type != LightType::SPOT {
            keys::FOV.set(&mut light.extras, Value::F32(body.fov.get()));
        }
        let light = Some(self.scene.lights.add(light));
        let transform = transforms::lift(body.position, &body.rotation, UNIT);
        let (name, properties) = (said.name, said.properties);
        self.place(Node { name, transform, light, properties, extras, ..Node::default() })?;
        Ok(())
    }
}
