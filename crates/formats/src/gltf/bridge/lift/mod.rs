//! Document → scene. One step per file, in the order in which things name each other: images, materials, meshes, nodes,
//! then what bends and moves nodes. Bulk data stays in the buffers. What lowering had to change or had no field
//! for is in `extras.pentad`; every step takes back its own share of it, if it still fits the file.

mod accessors;
mod added;
mod animations;
mod carried;
mod default_material;
mod earlier;
mod geometry;
mod images;
mod instances;
mod keys;
mod levels;
mod literal;
mod made_up;
mod materials;
mod morphs;
mod nodes;
mod numbers;
mod objects;
mod packed;
mod regroup;
mod skins;
mod source;
mod trees;

pub(in crate::gltf) use self::levels::{ids as levels_of, linked as linked_levels};
pub(in crate::gltf) use self::source::carried;
pub(in crate::gltf) use self::trees::second_places;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use findings::{Error, ErrorKind, Place, Result, Rule};
use scene::extras::{MIN_VERSION, REQUIRED};
use scene::loss::LOSS_015;
use scene::{
    Handedness, Id, Image, Light, Material, Metadata, Name, Node, Origin, Scene, SourceSpace, Texture, Unit, UpAxis,
    UvOrigin, Value,
};

use self::carried::{Carried, text};
use self::geometry::Shown;
use super::super::about;
use super::super::carry::{KEY, SOURCE, decode, unhex};
use super::super::data::{self, Data, Found, meshopt};
use super::super::layout::{Container, Document};
use super::super::rules::*;
use super::super::schema::{Json, Map, Root};
use super::super::{SPACE, extensions};
use super::inside::Inside;
use crate::LiftCx;
use crate::gltf::dialect::Dialect;

/// What is being lifted.
struct Input<'d, 'c, 'o> {
    root: &'d Root,
    data: Data<'d>,
    cx: &'c mut LiftCx<'o>,
    scene: Scene,
    said: Said,
    images: Images,
    made: Made,
}

/// What the file says of itself.
struct Said {
    /// Whether pentad wrote it.
    ours: bool,
    /// Whether objects still have the numbers that they had when pentad wrote the file.
    numbered: bool,
    /// Names of meshes that several nodes showed.
    shared_meshes: Vec<String>,
    /// Names of attributes as the source had them, by those that they have in glTF.
    renamed: HashMap<String, String>,
    /// Animations that glTF cannot play at all.
    unplayable: Option<Json>,
    /// Bytes of buffer views that keys of formats name.
    bulk: u64,
    /// Whether anything was below pentad's key.
    own_words: Cell<bool>,
}

/// Images and textures that the file does not name.
#[derive(Default)]
struct Images {
    /// Textures of such images, by path and sampling.
    missing: HashMap<String, Id<Texture>>,
    /// Images that went into packed ones, by their paths.
    unpacked: HashMap<Name, packed::Unpacked>,
    /// Packed images whose parts came back.
    packed: HashSet<Id<Image>>,
}

/// What became of the objects of the file.
#[derive(Default)]
struct Made {
    /// The material of each of the file's, but the one that stands for none.
    materials: Vec<Option<Id<Material>>>,
    /// What a node that names one of the file's meshes shows.
    meshes: Vec<Shown>,
    lights: Vec<Option<Id<Light>>>,
    /// The node of each of the file's, but those that are coarser versions of others.
    nodes: Vec<Option<Id<Node>>>,
    /// Nodes that an editor made for what the nodes above them show.
    moved_up: Vec<usize>,
    /// Joints by the nodes that stand for them.
    joints: HashMap<usize, usize>,
}

pub(in crate::gltf) fn lift<'o>(doc: &Document, cx: &mut LiftCx<'o>) -> Result<Scene> {
    let root: &Root = &doc.root;
    if let Some(position) = root.extensions_required.iter().position(|name| extensions::is_opaque(name)) {
        let place = Place::path(format!("extensionsRequired[{position}]"));
        let message =
            format!("{} hides the geometry, and this version cannot read it", root.extensions_required[position]);
        let error = Error::new(ErrorKind::Unsupported, &GLTF_010.info, place, message);
        return Err(error.with_help("export the file without this compression"));
    }
    let limits = cx.limits.clone();
    let source: &'o dyn crate::Source = cx.source;
    let (root, moved_up) = if cx.as_others { (Cow::Borrowed(root), Vec::new()) } else { regroup::undone(root) };
    let mut input = Input {
        root: &root,
        data: Data::new(doc, source, limits),
        cx,
        scene: Scene { space: SPACE, ..Scene::default() },
        said: Said {
            ours: false,
            numbered: true,
            shared_meshes: Vec::new(),
            renamed: HashMap::new(),
            unplayable: None,
            bulk: 0,
            own_words: Cell::new(false),
        },
        images: Images::default(),
        made: Made { moved_up, ..Made::default() },
    };
    input.demand_buffers()?;
    instances::charge(&mut input)?;
    lift_file(&mut input, doc.container);
    lose_extras(&mut input);
    let called = numbers::called(&root);
    images::lift(&mut input)?;
    numbers::mark_images(&mut input, &called);
    materials::lift(&mut input);
    geometry::lift(&mut input)?;
    objects::lift(&mut input);
    nodes::lift(&mut input)?;
    skins::lift(&mut input)?;
    animations::lift(&mut input)?;
    numbers::mark_others(&mut input, called);
    input.cx.own_words = input.said.own_words.get();
    Ok(input.scene)
}

impl Input<'_, '_, '_> {
    fn find(&mut self, rule: &'static Rule<Document>, place: Place, message: impl Into<String>) {
        self.cx.find(rule, place, message);
    }

    /// What an object says beside glTF's own words, less what is to be left aside.
    fn carried(&self, extras: Option<&Json>) -> Carried {
        let carried = Carried::new(extras);
        self.said.own_words.set(self.said.own_words.get() || carried.has_own());
        if self.cx.as_others { carried.without_own() } else { carried }
    }

    /// Names of properties that the format of the source gives a meaning to.
    fn meant(&self) -> &'static [&'static str] {
        super::meant(&self.scene)
    }

    /// Whether the model was made of a file of another format.
    fn comes_from_elsewhere(&self) -> bool {
        super::comes_from_elsewhere(&self.scene)
    }

    /// What was found; a fault of the file is reported and stands for nothing, a limit stops.
    fn settle<T>(&mut self, found: Found<T>) -> Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(trouble) if trouble.limit.is_some() => Err(trouble.into_error()),
            Err(trouble) => {
                self.find(trouble.rule, trouble.place, trouble.message);
                Ok(None)
            }
        }
    }

    /// The number by which a key of pentad calls an object, while objects have the numbers they had.
    fn kept_number(&self, json: &Json) -> Option<usize> {
        usize::try_from(json.as_u64()?).ok().filter(|_| self.said.numbered)
    }

    /// The number of one of so many objects; a number of none is reported.
    fn number(&mut self, index: usize, count: usize, path: &str) -> Option<usize> {
        if index >= count {
            self.find(&GLTF_014, Place::path(path), format!("it is {index}, and there are {count}"));
        }
        (index < count).then_some(index)
    }

    /// One of the file's objects by its number; a number of none is reported.
    fn refer<T: Copy>(&mut self, all: &[Option<T>], index: usize, path: &str) -> Option<T> {
        self.number(index, all.len(), path).and_then(|index| all[index])
    }

    /// Without its buffers a file is an empty shell: better none than one that was a model.
    fn demand_buffers(&mut self) -> Result<()> {
        let mut asked = vec![false; self.root.buffers.len()];
        for view in self.root.buffer_views.iter().filter(|view| meshopt::of(&view.extensions).is_none()) {
            if let Some(asked) = asked.get_mut(view.buffer).filter(|asked| !**asked) {
                *asked = true;
                self.data.buffer(view.buffer).map_err(data::Trouble::into_error)?;
            }
        }
        Ok(())
    }
}

/// Lists what is beside objects that a scene does not have.
fn lose_extras(input: &mut Input<'_, '_, '_>) {
    let root = input.root;
    let samplers = root.animations.iter().flat_map(|animation| &animation.samplers);
    let counts = [
        ("accessors", root.accessors.iter().filter(|o| o.extras.is_some()).count()),
        ("buffer views", root.buffer_views.iter().filter(|o| o.extras.is_some()).count()),
        ("buffers", root.buffers.iter().filter(|o| o.extras.is_some()).count()),
        ("samplers of animations", samplers.filter(|o| o.extras.is_some()).count()),
    ];
    for (what, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        input.cx.lose(&LOSS_015, "file", count as u64, format!("extras of {what}"), "a scene has no such objects");
    }
}

/// What concerns the file as a whole.
fn lift_file(input: &mut Input<'_, '_, '_>, container: Container) {
    let asset = &input.root.asset;
    input.said.ours = Carried::new(asset.extras.as_ref()).take("carry").is_some();
    let mut carried = input.carried(asset.extras.as_ref());
    carried.take("carry");
    let mut path = "asset".to_owned();
    let said = about::said(input.root, |extras| input.carried(extras).take(about::FILE));
    if let Some((scene, words)) = said {
        input.said.ours = true;
        path = format!("scenes[{scene}]");
        carried = carried.with_own(words);
    }
    tell_fewer(input, carried.take(about::HOLDS), &path);
    input.said.numbered = carried.take(about::NUMBERS).is_none_or(|numbers| numbers == about::numbers(input.root));
    if let Some(names) = carried.take(about::NAMES) {
        input.said.shared_meshes = about::shared_meshes(&names);
        input.said.renamed = about::renamed(&names);
    }
    let ours = input.said.ours && asset.generator.as_deref().is_some_and(|g| g.starts_with("pentad "));
    let format = if container == Container::Binary { "glb" } else { "gltf" };
    let own = Origin { format: format.to_owned(), dialect: Dialect::Standard.id().to_owned() };
    let said_origin = carried.take("origin");
    let came_from = said_origin.as_ref().and_then(origin);
    input.scene.default_material = came_from.is_none().then(Material::default);
    input.scene.origin = Some(came_from.unwrap_or(own));
    // Earlier versions wrote the space beside it.
    let said = carried.take("space").or(said_origin);
    input.scene.space = said.as_ref().and_then(space).unwrap_or(SPACE);
    let mut metadata = carried.taken("metadata", |json| metadata(json.as_object()?)).unwrap_or_default();
    metadata.properties = carried.properties();
    let shown = |text: &Option<String>| text.as_deref().map(Name::from).unwrap_or_default();
    // Editors drop it, and have no way to take it away.
    let dropped = asset.copyright.is_none() && !ours && input.said.ours;
    if !dropped && metadata.copyright.to_string() != asset.copyright.clone().unwrap_or_default() {
        metadata.copyright = shown(&asset.copyright);
    }
    if !ours {
        metadata.generator = shown(&asset.generator);
    }
    input.scene.metadata = metadata;
    input.said.unplayable = carried.take("channels").or(carried.take("animations"));
    let known = &[extensions::LIGHTS];
    let mut extras = carried.finish(input, &path, &input.root.extensions, known);
    let required = input.root.extensions_required.iter().filter(|name| !extensions::is_stored(name));
    let required: Vec<Value> = required.map(|name| name.as_str().into()).collect();
    let mut inside = Inside::of_extensions(&input.root.extensions, known);
    if !required.is_empty() {
        inside.add_value(REQUIRED, Value::List(required));
    }
    if let Some(version) = &asset.min_version {
        inside.add_value(MIN_VERSION, version.as_str().into());
    }
    inside.add_rest("/asset", &asset.other);
    inside.add_rest("", &input.root.other);
    inside.add_object("/asset", &asset.extensions, None);
    inside.add_object("", &Map::new(), root_extras(input.root.extras.as_ref()).as_ref());
    inside.keep(&mut extras);
    input.scene.extras = extras;
}

/// Says what other programs left out of the file.
fn tell_fewer(input: &mut Input<'_, '_, '_>, held: Option<Json>, path: &str) {
    for (kind, was, is) in held.iter().flat_map(|held| about::fewer(input.root, held)) {
        let place = Place::path(path).field("extras").field(KEY);
        input.find(&GLTF_050, place, about::fewer_message(kind, was, is));
    }
}

/// The extras of the root, but for the source: that is no part of the scene.
fn root_extras(extras: Option<&Json>) -> Option<Json> {
    if source::entry(extras).is_none() {
        return extras.cloned();
    }
    let mut rest = extras?.as_object()?.clone();
    let mut own = rest.shift_remove(KEY)?.as_object()?.clone();
    own.shift_remove(SOURCE);
    if !own.is_empty() {
        rest.insert(KEY.to_owned(), Json::Object(own));
    }
    (!rest.is_empty()).then_some(Json::Object(rest))
}

fn origin(json: &Json) -> Option<Origin> {
    let word = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    Some(Origin { format: word("format")?, dialect: word("dialect")? })
}

fn space(json: &Json) -> Option<SourceSpace> {
    let word = |key: &str| json.get(key)?.as_str();
    let (up, handedness, unit, uv_origin) = (word("up")?, word("handedness")?, word("unit")?, word("uv_origin")?);
    Some(SourceSpace {
        up: UpAxis::ALL.into_iter().find(|axis| axis.name() == up)?,
        handedness: [Handedness::Right, Handedness::Left].into_iter().find(|hand| hand.name() == handedness)?,
        unit: [Unit::Metre, Unit::Unknown].into_iter().find(|known| known.name() == unit)?,
        uv_origin: [UvOrigin::Top, UvOrigin::Bottom, UvOrigin::Unknown]
            .into_iter()
            .find(|origin| origin.name() == uv_origin)?,
    })
}

fn metadata(json: &Map<String, Json>) -> Option<Metadata> {
    let mut all = Metadata::default();
    for (key, json) in json {
        let slot = match key.as_str() {
            "title" => &mut all.title,
            "description" => &mut all.description,
            "author" => &mut all.author,
            "copyright" => &mut all.copyright,
            "comment" => &mut all.comment,
            "generator" => &mut all.generator,
            "project" => &mut all.project,
            "created" => {
                all.created = match decode(json)? {
                    Value::Uint(created) => Some(created),
                    other => Some(u64::try_from(other.as_int()?).ok()?),
                };
                continue;
            }
            "raw" => {
                all.raw = unhex(json.as_str()?)?;
                continue;
            }
            _ => continue,
        };
        *slot = text(json)?;
    }
    Some(all)
}
