//! Scene → document.

mod agreeing;
mod frames;
mod morphs;
mod motion;
mod names;
mod places;
mod rigs;
mod rows;
mod sections;
mod shapes;
mod surfaces;
mod tracks;
mod voxels;

pub(super) use rows::Layout;
pub(super) use tracks::track_of;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use findings::{Error, Result};
use scene::loss::LOSS_009;
use scene::sample::Pose;
use scene::{Forest, Id, Material, Mesh, Name, Node, NodeRole, Scene, UpAxis, Value};
use wire::{Blob, Order};

use super::super::body::{Asset, AssetRef};
use super::super::guid::Guid;
use super::super::layout::Document;
use super::super::transcode;
use super::super::words::UpDirection;
use super::kept::Kept;
use super::{ctext, keys};
use crate::images::Images;
use crate::{LowerCx, Package};

/// How far from the movement of the source frames may be between two of them, by the diagonal of the box around it.
const TOLERANCE: f64 = 1e-3;

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let own = scene.origin.as_ref().is_some_and(|origin| origin.format == "dragon");
    let up = up(scene, own, cx)?;
    let big = own && scene.extras.get(keys::ENDIAN).is_some();
    let order = transcode::endian(cx)?.unwrap_or(if big { Order::Big } else { Order::Little });
    let (rate, tolerance) = (rate(cx)?, tolerance(cx)?);
    let fixed = rate.is_some() && cx.options.get("tolerance").is_none();
    let kept = Rc::new(if own { Kept::of(scene) } else { Kept::default() });
    let (restored, made) = voxels::restore(scene, &kept);
    if !own {
        lose_places_of_copies(&restored, cx);
    }
    let mut stood = ops::turn_up(&restored, up);
    names::clean(&mut stood, cx);
    cx.lose_loose_lights(scene, "lights of DRAGON have a place");
    morphs::free_copies(&mut stood, cx);
    if !own && let Some((parted, losses)) = rigs::part(&stood) {
        stood = parted;
        cx.losses.extend(losses);
    }
    let mut moving = fit::bind_moving(stood, "DRAGON", &mut cx.losses);
    let parted = morphs::part(&mut moving);
    if let Some((turned, losses)) = rigs::turn_round(&moving) {
        moving = turned;
        cx.losses.extend(losses);
    }
    let rest = Pose::rest(&moving);
    let mut lower = Lower {
        scene: &moving,
        motion: motion::Motion::new(&moving, &rest),
        cx,
        own,
        order,
        rate,
        fixed,
        tolerance,
        sections: sections::Sections::new(Rc::clone(&kept)),
        kept,
        made,
        parted,
        files: Images::named(),
        images: Vec::new(),
        textures: Vec::new(),
        materials: Vec::new(),
        morph_names: Vec::new(),
        buffers: HashMap::new(),
        geometries: HashMap::new(),
        rigs: HashMap::new(),
        moved: HashMap::new(),
        bent: HashSet::new(),
        skeletons: HashMap::new(),
        voxel_materials: HashMap::new(),
    };
    let mut document = Document::new(order);
    let settings = lower.file()?;
    let header = document.header.edit();
    header.settings = settings;
    if let Some(version) = scene.extras.get(keys::VERSION).and_then(Value::as_int).filter(|_| own) {
        header.version = u32::try_from(version).unwrap_or(header.version);
    }
    if let Some(Value::Bytes(guid)) = scene.extras.get(keys::FILE).filter(|_| own) {
        header.guid = guid.as_slice().try_into().map_or(header.guid, Guid);
    }
    header.up_direction = UpDirection(UpAxis::ALL.iter().position(|axis| *axis == up).unwrap_or(0) as u8);
    let undefined = scene.extras.get(keys::UP).and_then(Value::as_int).and_then(|up| u8::try_from(up).ok());
    // It was taken for the usual one, which the scene still has.
    if let Some(undefined) = undefined.map(UpDirection).filter(|up| own && up.word().is_none())
        && header.up_direction == UpDirection::POSITIVE_Y
    {
        header.up_direction = undefined;
    }
    if let Some(Value::Bytes(tail)) = scene.extras.get(keys::TAIL).filter(|_| own) {
        document.tail = Blob::memory(tail.clone());
    }
    lower.sections.into_document(&mut document, scene);
    Ok(Package::new(document, cx))
}

pub(super) struct Lower<'a, 'c, 's> {
    scene: &'a Scene,
    /// Where its nodes are while animations play.
    motion: motion::Motion<'a>,
    cx: &'c mut LowerCx<'s>,
    /// Whether the scene came from this format.
    own: bool,
    order: Order,
    /// Frames per second that the user asks for.
    rate: Option<f32>,
    /// Whether that rate stays, however far frames are off.
    fixed: bool,
    tolerance: f64,
    sections: sections::Sections,
    /// Sections that travelled with the scene.
    kept: Rc<Kept>,
    /// Materials of faces that stood for cubes.
    made: HashSet<Id<Material>>,
    /// Meshes that were made because their weights move in another way, and what they were made of.
    parted: HashMap<Id<Mesh>, Id<Mesh>>,
    /// Links to images.
    files: Images,
    images: Vec<Guid>,
    textures: Vec<Guid>,
    materials: Vec<Guid>,
    /// By mesh: the names that its morphs are written with.
    morph_names: Vec<Vec<Name>>,
    buffers: HashMap<Id<Mesh>, Vec<shapes::Buffers>>,
    geometries: HashMap<(Id<Mesh>, shapes::Manner), Vec<Guid>>,
    /// What moves the shapes of nodes.
    rigs: HashMap<Id<Node>, Rc<rigs::Rig>>,
    /// The first node of each skeleton that a node moves, in order.
    moved: HashMap<Id<Node>, Vec<Id<Node>>>,
    /// Meshes whose vertices some skeleton moves.
    bent: HashSet<Id<Mesh>>,
    /// Which joints the bones of each skeleton are, and the node that it moves.
    skeletons: HashMap<Guid, Id<Node>>,
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
        self.surfaces()?;
        self.name_morphs();
        self.skeletons()?;
        self.places()?;
        self.animations()?;
        Ok(settings)
    }

    fn about(&mut self) -> Result<()> {
        let (metadata, extras) = (&self.scene.metadata, &self.scene.extras);
        let said = [&metadata.project, &metadata.copyright, &metadata.author].iter().any(|text| !text.is_empty());
        if said || metadata.created.is_some() || extras.get(keys::ASSET).is_some() {
            let asset = Asset {
                project: ctext(&metadata.project),
                copyright: ctext(&metadata.copyright),
                creator: ctext(&metadata.author),
                time: metadata.created.unwrap_or(0),
            };
            self.sections.add(keys::guid(extras, keys::ASSET), Guid::NONE, asset)?;
        }
        let Some(Value::List(references)) = extras.get(keys::REFERENCES) else { return Ok(()) };
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

/// Lists nodes that hold copies and stand somewhere: in DRAGON it is the copies that do.
fn lose_places_of_copies(scene: &Scene, cx: &mut LowerCx<'_>) {
    let forest = Forest::of(scene);
    let is_moved = |id: Id<Node>| scene.nodes[id].role == NodeRole::Own && !scene.nodes[id].transform.is_identity();
    for (id, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
        let node = &scene.nodes[id];
        if node.instances.is_some() && forest.chain(id).any(is_moved) {
            let why = "copies of DRAGON stand where they stand in the world";
            cx.lose(&LOSS_009, &node.subject(id), 1, "place of a node with copies", why);
        }
    }
}

/// Which way is up in the file: as asked for, or as the source has it, or along +Y.
fn up(scene: &Scene, own: bool, cx: &LowerCx<'_>) -> Result<UpAxis> {
    match cx.options.get("target-up") {
        None if own => Ok(scene.space.up),
        None => Ok(UpAxis::PosY),
        Some(given) => {
            let found = UpAxis::ALL.into_iter().find(|axis| axis.name().eq_ignore_ascii_case(given));
            let words: Vec<&str> = UpAxis::ALL.iter().map(|axis| axis.name()).collect();
            found.ok_or_else(|| {
                Error::usage(format!("--target-up {given} is no axis"))
                    .with_help(format!("it is one of {}", words.join(" ")))
            })
        }
    }
}

fn rate(cx: &LowerCx<'_>) -> Result<Option<f32>> {
    let Some(given) = cx.options.get("fps") else { return Ok(None) };
    match given.parse::<f32>() {
        Ok(rate) if rate > 0. && rate <= frames::FASTEST => Ok(Some(rate)),
        _ => Err(Error::usage(format!("--fps is {given}"))
            .with_help(format!("it is a number above 0, at most {}", frames::FASTEST))),
    }
}

fn tolerance(cx: &LowerCx<'_>) -> Result<f64> {
    let Some(given) = cx.options.get("tolerance") else { return Ok(TOLERANCE) };
    match given.parse::<f64>() {
        Ok(tolerance) if tolerance > 0. && tolerance.is_finite() => Ok(tolerance),
        _ => Err(Error::usage(format!("--tolerance is {given}")).with_help("it is a number above 0")),
    }
}
