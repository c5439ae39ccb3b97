//! Scene → document.

mod animations;
mod materials;
mod meshes;
mod morphs;
mod names;
mod nodes;
mod sections;
mod skins;
mod voxels;

use std::collections::HashMap;

use findings::{Error, Result};
use scene::loss::LOSS_009;
use scene::sample::Pose;
use scene::{Forest, Id, Mesh, Name, Node, NodeRole, Scene, UpAxis, Value};
use wire::Order;

use super::super::transcode;
use super::{ctext, keys};
use crate::dragon::layout::Document;
use crate::dragon::layout::body::{Asset, AssetRef};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::UpDirection;
use crate::{LowerCx, Package};

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let up = up(scene, cx)?;
    let big = keys::ENDIAN.get(&scene.extras).is_some();
    let order = transcode::endian(cx)?.unwrap_or(if big { Order::Big } else { Order::Little });
    let rate = animations::frames::Rate::of(cx)?;
    lose_places_of_instances(scene, cx);
    let mut stood = ops::turn_up(scene, up);
    names::clean(&mut stood, cx);
    cx.lose_loose_lights(scene, "lights of DRAGON have a place");
    morphs::free_instances(&mut stood, cx);
    if let Some((parted, losses)) = skins::part(&stood) {
        stood = parted;
        cx.losses.extend(losses);
    }
    let mut moving = fit::bind_moving(stood, "DRAGON", &mut cx.losses);
    let parted = morphs::part(&mut moving);
    if let Some((turned, losses)) = skins::turn_round(&moving) {
        moving = turned;
        cx.losses.extend(losses);
    }
    let rest = Pose::rest(&moving);
    let mut lower = Lower {
        scene: &moving,
        motion: animations::poses::Motion::new(&moving, &rest),
        cx,
        order,
        rate,
        sections: sections::Sections::default(),
        parted,
        materials: materials::Written::default(),
        meshes: meshes::Written::default(),
        skins: skins::Written::default(),
        voxel_materials: HashMap::new(),
    };
    let mut document = Document::new(order);
    let settings = lower.file()?;
    let header = document.header.edit();
    header.settings = settings;
    header.up_direction = UpDirection(UpAxis::ALL.iter().position(|axis| *axis == up).unwrap_or(0) as u8);
    document.sections = lower.sections.in_order();
    Ok(Package::new(document, cx))
}

pub(super) struct Lower<'a, 'c, 's> {
    scene: &'a Scene,
    /// Where its nodes are while animations play.
    motion: animations::poses::Motion<'a>,
    cx: &'c mut LowerCx<'s>,
    order: Order,
    rate: animations::frames::Rate,
    sections: sections::Sections,
    /// Meshes that were made because their weights move in another way, and what they were made of.
    parted: HashMap<Id<Mesh>, Id<Mesh>>,
    materials: materials::Written,
    meshes: meshes::Written,
    skins: skins::Written,
    /// Materials of voxels that were written.
    voxel_materials: HashMap<(usize, usize), Guid>,
}

impl Lower<'_, '_, '_> {
    fn file(&mut self) -> Result<Guid> {
        let scene = self.scene;
        let settings = self.sections.settings(
            &Name::default(),
            Vec::new(),
            &scene.metadata.properties,
            &scene.extras,
            &"file".into(),
            self.cx,
        )?;
        self.about()?;
        self.materials()?;
        self.name_morphs();
        self.skeletons()?;
        self.nodes()?;
        self.animations()?;
        Ok(settings)
    }

    fn about(&mut self) -> Result<()> {
        let (metadata, extras) = (&self.scene.metadata, &self.scene.extras);
        let said = [&metadata.project, &metadata.copyright, &metadata.author].iter().any(|text| !text.is_empty());
        if said || metadata.created.is_some() || keys::ASSET.get(extras).is_some() {
            let asset = Asset {
                project: ctext(&metadata.project),
                copyright: ctext(&metadata.copyright),
                creator: ctext(&metadata.author),
                time: metadata.created.unwrap_or(0),
            };
            self.sections.add(keys::guid(extras, keys::ASSET), Guid::NONE, asset)?;
        }
        let Some(Value::List(references)) = keys::REFERENCES.get(extras) else { return Ok(()) };
        for reference in references {
            if let Value::List(pair) = reference
                && let [guid, Value::Text(path)] = pair.as_slice()
            {
                self.sections.add(keys::as_guid(guid), Guid::NONE, AssetRef { reference: ctext(path) })?;
            }
        }
        Ok(())
    }
}

/// Lists nodes that hold instances and stand somewhere: in DRAGON it is the instances that do.
fn lose_places_of_instances(scene: &Scene, cx: &mut LowerCx<'_>) {
    let forest = Forest::of(scene);
    let is_moved = |id: Id<Node>| scene.nodes[id].role == NodeRole::Own && !scene.nodes[id].transform.is_identity();
    for (id, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
        let node = &scene.nodes[id];
        if node.instances.is_some() && forest.chain(id).any(is_moved) {
            let why = "instances of DRAGON stand where they stand in the world";
            cx.lose(&LOSS_009, node.subject(id), 1, "transform of a node with instances", why);
        }
    }
}

/// Which way is up in the file: as asked for, or as the source has it.
fn up(scene: &Scene, cx: &LowerCx<'_>) -> Result<UpAxis> {
    let Some(given) = cx.options.get("target-up") else { return Ok(scene.space.up) };
    let found = UpAxis::ALL.into_iter().find(|axis| axis.name().eq_ignore_ascii_case(given));
    let words: Vec<&str> = UpAxis::ALL.iter().map(|axis| axis.name()).collect();
    found.ok_or_else(|| {
        Error::usage(format!("--target-up {given} is no axis")).with_help(format!("it is one of {}", words.join(" ")))
    })
}
