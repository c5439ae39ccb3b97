//! Sections as they were, where the scene cannot say all of what they say: a small DRAGON file that travels with the
//! object. A section is taken back only if it still says what the scene says.

use std::cell::OnceCell;
use std::collections::HashMap;

use scene::{Extras, Id, Image, ImageSource, Material, Mesh, Scene, Slot, Texture, Value, Voxels};
use wire::{Blob, Kept as Unit, Order, Sink};

use super::super::guid::Guid;
use super::super::kind::Kind;
use super::super::layout::{Document, Section};
use super::super::{read, write};
use super::keys;
use crate::{LiftCx, NoSource, ReadCx};

/// Sections as a file.
pub(super) fn store(sections: &[&Section], order: Order) -> Option<Value> {
    let mut doc = Document::new(order);
    doc.sections = sections.iter().map(|section| Unit::new((*section).clone())).collect();
    let mut sink = Sink::default();
    write::write(&doc, &mut sink).ok()?;
    Some(Value::Bytes(sink.into_vec()))
}

/// The sections that travel with an object.
pub(super) fn load(extras: &Extras, key: &str) -> Vec<Section> {
    let Some(Value::Bytes(bytes)) = extras.get(key) else { return Vec::new() };
    let doc = read::read(&Blob::memory(bytes.clone()), &mut ReadCx::default());
    doc.map_or(Vec::new(), |doc| doc.sections.into_iter().map(|section| (*section).clone()).collect())
}

/// All sections that travel with a scene.
#[derive(Default)]
pub(super) struct Kept {
    doc: Document,
    by_name: HashMap<Guid, usize>,
    /// What they say. It is made when it is first asked for.
    said: OnceCell<Said>,
}

/// What sections say, by their names.
#[derive(Default)]
struct Said {
    scene: Scene,
    meshes: HashMap<Guid, Id<Mesh>>,
    materials: HashMap<Guid, Id<Material>>,
    voxels: HashMap<Guid, Id<Voxels>>,
}

impl Kept {
    /// Gathers them.
    pub(super) fn of(scene: &Scene) -> Kept {
        let mut doc = Document::default();
        doc.canonicalize();
        let extras = scene.nodes.iter().map(|node| &node.extras);
        let extras = extras.chain(scene.meshes.iter().map(|mesh| &mesh.extras));
        let extras = extras.chain(scene.materials.iter().map(|material| &material.extras));
        let extras = extras.chain(scene.skins.iter().map(|skin| &skin.extras));
        let extras = extras.chain(scene.animations.iter().map(|animation| &animation.extras));
        let extras = extras.chain([&scene.extras]);
        let all = extras.flat_map(|extras| load(extras, keys::KEPT)).chain(load(&scene.extras, keys::SECTIONS));
        doc.sections = all.map(Unit::new).collect();
        let mut by_name = HashMap::new();
        for (i, section) in doc.sections.iter().enumerate().filter(|(_, section)| !section.guid.is_none()) {
            by_name.entry(section.guid).or_insert(i);
        }
        Kept { doc, by_name, said: OnceCell::new() }
    }

    /// A section of this name and kind.
    pub(super) fn get(&self, guid: Guid, kind: Kind) -> Option<&Section> {
        self.any(guid).filter(|section| section.kind() == Some(kind))
    }

    /// A section of this name.
    pub(super) fn any(&self, guid: Guid) -> Option<&Section> {
        self.by_name.get(&guid).map(|at| &*self.doc.sections[*at])
    }

    /// All of a kind.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &Section> {
        self.doc.sections.iter().map(|section| &**section).filter(move |section| section.kind() == Some(kind))
    }

    fn said(&self) -> &Said {
        self.said.get_or_init(|| {
            let mut cx = LiftCx::new(&NoSource);
            let scene = super::lift(&self.doc, &mut cx).unwrap_or_default();
            let name = |extras: &Extras| keys::guid(extras, keys::GUID);
            let meshes = scene.meshes.entries().filter_map(|(id, mesh)| Some((name(&mesh.extras)?, id))).collect();
            let materials = scene.materials.entries().filter_map(|(id, own)| Some((name(&own.extras)?, id))).collect();
            let voxels = scene.nodes.iter().filter_map(|node| Some((name(&node.extras)?, node.voxels?))).collect();
            Said { scene, meshes, materials, voxels }
        })
    }

    /// The shape that a GEOMETRY is.
    pub(super) fn mesh(&self, guid: Guid) -> Option<&Mesh> {
        self.get(guid, Kind::Geometry)?;
        let said = self.said();
        said.meshes.get(&guid).map(|id| &said.scene.meshes[*id])
    }

    /// The cubes that a VOXELOBJ is.
    pub(super) fn voxels(&self, guid: Guid) -> Option<&Voxels> {
        self.get(guid, Kind::VoxelObj)?;
        let said = self.said();
        said.voxels.get(&guid).map(|id| &said.scene.voxels[*id])
    }

    /// Whether a MATERIAL and its SETTINGS say what a material does, pictures by their paths.
    pub(super) fn says(&self, guid: Guid, scene: &Scene, material: &Material) -> bool {
        let Some(said) = self.get(guid, Kind::Material).map(|_| self.said()) else { return false };
        let Some(was) = said.materials.get(&guid).map(|id| &said.scene.materials[*id]) else { return false };
        let own = &said.scene;
        let alike = |a: &Slot, b: &Slot| {
            (&a.role, a.channel, a.uv_set, a.transform) == (&b.role, b.channel, b.uv_set, b.transform)
                && a.strength.to_bits() == b.strength.to_bits()
                && same_texture((own, a.texture), (scene, b.texture))
        };
        was.name == material.name
            && super::factors::lower(was) == super::factors::lower(material)
            && super::factors::shader(was) == super::factors::shader(material)
            && was.properties == material.properties
            && was.extras.get(keys::SHADER) == material.extras.get(keys::SHADER)
            && was.slots.len() == material.slots.len()
            && was.slots.iter().all(|a| material.slots.iter().any(|b| alike(a, b)))
    }
}

fn same_texture(a: (&Scene, Id<Texture>), b: (&Scene, Id<Texture>)) -> bool {
    let (Some(x), Some(y)) = (a.0.textures.get(a.1), b.0.textures.get(b.1)) else { return false };
    let sampled = |t: &Texture| (t.magnify, t.reduce, t.wrap, t.projection);
    let path = |scene: &Scene, image: Option<Id<Image>>| match &scene.images.get(image?)?.source {
        ImageSource::File { path, .. } => Some(path.clone()),
        ImageSource::Embedded { .. } => None,
    };
    sampled(x) == sampled(y) && path(a.0, x.image) == path(b.0, y.image)
}
