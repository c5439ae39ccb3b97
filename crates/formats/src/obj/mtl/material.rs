//! What libraries say → materials, textures and images of the scene.

use std::collections::HashMap;

use findings::{FileId, Loaded, MAX_PER_RULE, Source, Subject, SubjectKind};
use scene::loss::LOSS_041;
use scene::{
    AlphaMode, ColorChannel, Extras, Id, Image, ImageSource, Material, Name, Pbr, Phong, Role, Scene, Shading, Slot,
    Texture, Value, Wrap,
};
use wire::Blob;

use super::library::{Catalogue, Libraries, Library, Remark};
use super::read::{Entry, Map, is_kept};
use crate::LiftCx;
use crate::obj::bridge::{STATEMENTS, VALUES};
use crate::obj::layout::Document;
use crate::obj::lex::quote;
use crate::obj::rules::{OBJ_018, OBJ_025, locate};

/// The materials of a scene, by name.
pub(in crate::obj) struct Materials(HashMap<Vec<u8>, Id<Material>>);

impl Materials {
    /// Reads every library that the file names and adds its materials to the scene. Files that are missing are told;
    /// what is wrong inside of libraries is for `check` to say.
    pub(in crate::obj) fn load(doc: &Document, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Materials {
        let libraries = Libraries::find(doc, cx.source);
        for missing in libraries.missing.iter().take(MAX_PER_RULE) {
            let (place, line) = locate(doc, missing.at.clone());
            cx.find(&OBJ_018, place, format!("line {line}: {}", missing.why));
        }
        let mut textures = Textures::new(cx.source);
        let mut by_name = HashMap::new();
        for entry in Catalogue::read(&libraries, &mut |_| {}).entries {
            let name = entry.name.clone();
            let further: u64 = entry.maps.iter().map(|map| map.options.further).sum();
            if further > 0 {
                let label = Subject::new(SubjectKind::Material, scene.materials.len(), Name::from(&name[..]));
                cx.report_unless_carried(
                    &LOSS_041,
                    label,
                    further,
                    "options of textures",
                    "a scene has no fields for them",
                );
            }
            let mut tell = |remark: Remark| cx.find(remark.rule, remark.place, remark.message);
            let material = entry.into_material(scene, &mut textures, &mut tell);
            by_name.insert(name, scene.materials.add(material));
        }
        Materials(by_name)
    }

    /// The material that a `usemtl` names; one that is not described is white.
    pub(in crate::obj) fn find(&mut self, doc: &Document, run: usize, scene: &mut Scene) -> Id<Material> {
        let name = doc.name(run);
        if let Some(&id) = self.0.get(&name) {
            return id;
        }
        let shading = Shading::Phong(Phong::default());
        let id = scene.materials.add(Material { name: Name::from(&name[..]), shading, ..Material::default() });
        self.0.insert(name, id);
        id
    }
}

impl Entry<'_> {
    fn into_material(self, scene: &mut Scene, textures: &mut Textures<'_>, tell: &mut dyn FnMut(Remark)) -> Material {
        let said = self.said;
        let has = |role: Role| self.maps.iter().any(|map| map.role == role);
        let alpha = said.dissolve.or(said.transparency.map(|transparency| 1. - transparency)).unwrap_or(1.);
        let with = |color: [f32; 3], alpha: f32| [color[0], color[1], color[2], alpha];
        let diffuse = with(said.diffuse.unwrap_or([1.; 3]), alpha);
        let (rough_map, metal_map) = (has(Role::Roughness), has(Role::Metallic));
        let mut properties = self.properties;
        let shading = if said.roughness.is_some() || said.metallic.is_some() || rough_map || metal_map {
            // The metallic-roughness model has no place for these; the way back needs them.
            let further = [("Ka", said.ambient), ("Ks", said.specular)];
            let further = further.into_iter().filter_map(|(word, color)| Some((word, list(&color?))));
            let shininess = said.shininess.map(|shininess| ("Ns", Value::F32(shininess)));
            properties.extend(further.chain(shininess).map(|(word, value)| (word.into(), value)));
            Shading::Pbr(Pbr {
                base_color: diffuse,
                metallic: said.metallic.unwrap_or(if metal_map { 1. } else { 0. }),
                roughness: said.roughness.unwrap_or(1.),
                ..Pbr::default()
            })
        } else {
            let default = Phong::default();
            Shading::Phong(Phong {
                diffuse,
                specular: said.specular.map_or(default.specular, |color| with(color, 1.)),
                ambient: said.ambient.map_or(default.ambient, |color| with(color, 1.)),
                shininess: said.shininess.unwrap_or(default.shininess),
            })
        };
        let glows = if has(Role::Emission) { [1.; 3] } else { [0.; 3] };
        let blends = alpha < 1. || has(Role::Opacity);
        let slots: Vec<Slot> = self.maps.into_iter().map(|map| textures.slot(self.library, map, scene, tell)).collect();
        // The alpha of the image that colours a material which blends counts anyway.
        let is_said = |slot: &Slot| {
            let base = slots.iter().find(|base| base.role == Role::BaseColor).cloned();
            base.is_some_and(|base| *slot == Slot { role: Role::Opacity, channel: ColorChannel::Alpha, ..base })
        };
        let slots = slots.iter().filter(|slot| !is_said(slot)).cloned().collect();
        let mut extras = Extras::default();
        let further = properties.iter().map(|(name, _)| name).filter(|name| !is_kept(name.bytes()));
        let further: Vec<Value> = further.map(|name| Value::Text(name.clone())).collect();
        if !further.is_empty() {
            STATEMENTS.set(&mut extras, Value::List(further));
        }
        Material {
            name: Name::from(&self.name[..]),
            shading,
            emissive: said.emissive.unwrap_or(glows),
            alpha_mode: if blends { AlphaMode::Blend } else { AlphaMode::Opaque },
            slots,
            properties,
            extras,
            ..Material::default()
        }
    }
}

fn list(numbers: &[f32]) -> Value {
    Value::List(numbers.iter().map(|&number| Value::F32(number)).collect())
}

/// The files that textures name, each looked for once: beside the library, then beside the model.
pub(in crate::obj) struct Gallery<'s> {
    source: &'s dyn Source,
    /// What became of each path of each library.
    seen: HashMap<(FileId, Vec<u8>), Option<Found>>,
}

/// A file that was found.
type Found = (Blob, FileId);

impl<'s> Gallery<'s> {
    pub(in crate::obj) fn new(source: &'s dyn Source) -> Gallery<'s> {
        Gallery { source, seen: HashMap::new() }
    }

    /// Looks for every texture of a material.
    pub(in crate::obj) fn visit(&mut self, entry: &Entry<'_>, tell: &mut dyn FnMut(Remark)) {
        for map in &entry.maps {
            self.find(entry.library, map, tell);
        }
    }

    fn find(&mut self, library: &Library, map: &Map, tell: &mut dyn FnMut(Remark)) -> Option<Found> {
        let look = || {
            let path = quote(&map.path);
            let why = match self.source.load(&String::from_utf8_lossy(&map.path), Some(&library.id)) {
                Loaded::Found { bytes, id } => return Some((bytes, id)),
                Loaded::Missing => format!("texture {path} was not found"),
                Loaded::Refused(why) => format!("texture {path}: {why}"),
            };
            let message = format!("line {}: {why}", map.line);
            tell(Remark { rule: &OBJ_025, place: map.place.clone(), message });
            None
        };
        self.seen.entry((library.id.clone(), map.path.clone())).or_insert_with(look).clone()
    }
}

/// The images and textures so far: one image per path and file, one texture per image and way to sample it.
struct Textures<'s> {
    gallery: Gallery<'s>,
    images: HashMap<(Vec<u8>, Option<FileId>), Id<Image>>,
    textures: HashMap<Way, Id<Texture>>,
}

/// An image, and a way to sample it.
type Way = (Id<Image>, bool, Option<[u32; 2]>);

impl<'s> Textures<'s> {
    fn new(source: &'s dyn Source) -> Textures<'s> {
        Textures { gallery: Gallery::new(source), images: HashMap::new(), textures: HashMap::new() }
    }

    fn slot(&mut self, library: &Library, map: Map, scene: &mut Scene, tell: &mut dyn FnMut(Remark)) -> Slot {
        let (bytes, file) = self.gallery.find(library, &map, tell).unzip();
        let Map { role, path, options, .. } = map;
        let image = *self.images.entry((path.clone(), file)).or_insert_with(|| {
            let source = ImageSource::File { path: Name::from(&path[..]), bytes };
            scene.images.add(Image { name: Name::default(), source, extras: Default::default() })
        });
        let texture = *self
            .textures
            .entry((image, options.clamp, options.values.map(|values| values.map(f32::to_bits))))
            .or_insert_with(|| {
                let mut texture = Texture::new(image);
                if options.clamp {
                    texture.wrap = [Wrap::Clamp; 2];
                }
                if let Some(values) = &options.values {
                    VALUES.set(&mut texture.extras, list(values));
                }
                scene.textures.add(texture)
            });
        let (strength, channel) = (options.strength, options.channel);
        Slot { role, texture, channel, uv_set: 0, strength, transform: options.transform() }
    }
}
