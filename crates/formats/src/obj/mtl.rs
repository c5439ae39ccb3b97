//! Material libraries: MTL text → materials, textures and images of the scene.
//!
//! | MTL | scene |
//! |---|---|
//! | `Ka Kd Ks Ns` | Phong ambient, diffuse, specular, shininess |
//! | `Pr Pm`, `map_Pr map_Pm` | make it metallic-roughness instead, with `Kd` as base colour |
//! | `Ke` | emissive; 1 if there is only a `map_Ke` |
//! | `d`, `Tr` | alpha = d, or 1 − Tr without it; blended if below 1 or if there is a `map_d` |
//! | `map_Kd map_Ks map_Ke map_d` | base colour, specular colour, emission, opacity |
//! | `norm map_Pr map_Pm` | normal, roughness, metallic |
//! | `map_Ka map_Ns bump disp decal refl …` | slots by the file's word; `-bm` is their strength |
//! | `-s -o`, `-clamp on`, `-imfchan` | texture transform, clamped edges, channel |
//! | all options as they are written | `obj.options` of the texture |
//! | everything else | properties of the material, by keyword |

use std::collections::HashMap;

use findings::{Place, Rule};
use scene::{
    AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Pbr, Phong, Properties, Role, Scene, Shading,
    Slot, Texture, UvTransform, Value, Wrap,
};
use wire::{Blob, Table};

use super::layout::{Document, Kind, row};
use super::lex::{Cursor, arguments, joined, plain, quote, words};
use super::rules::*;
use crate::{BridgeCx, Loaded};

/// The materials of a scene, by name.
pub(super) struct Materials {
    by_name: HashMap<Vec<u8>, Id<Material>>,
    /// Whether every library that the file names was read, and there is one: only then a material can be unknown.
    complete: bool,
}

impl Materials {
    /// Reads every library that the file names and adds its materials to the scene.
    pub(super) fn load(doc: &Document, scene: &mut Scene, cx: &mut BridgeCx<'_>) -> Materials {
        let libraries = Libraries::find(doc, cx);
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
        for (file, text) in &libraries.found {
            let mut said = Said { file, cx };
            for entry in read(text, &mut said) {
                match places.get(&entry.name) {
                    Some(&place) => {
                        let message =
                            format!("material {} is described twice; the last one counts", quote(&entry.name));
                        said.find(&OBJ_020, entry.line, message);
                        entries[place] = entry;
                    }
                    None => {
                        places.insert(entry.name.clone(), entries.len());
                        entries.push(entry);
                    }
                }
            }
        }
        let mut pictures = Pictures::default();
        let mut by_name = HashMap::new();
        for entry in entries {
            let name = entry.name.clone();
            let material = entry.into_material(scene, &mut pictures, cx);
            by_name.insert(name, scene.materials.add(material));
        }
        Materials { by_name, complete: libraries.missing == 0 && !libraries.found.is_empty() }
    }

    /// The material that a `usemtl` names; one that nobody describes is white.
    pub(super) fn find(
        &mut self,
        doc: &Document,
        run: usize,
        scene: &mut Scene,
        cx: &mut BridgeCx<'_>,
    ) -> Id<Material> {
        let name = doc.name(run);
        if let Some(&id) = self.by_name.get(&name) {
            return id;
        }
        if self.complete {
            let place = Place::bytes(format!("statements[{run}][0]"), doc.span(doc.argument(run)));
            cx.find(&OBJ_019, place, format!("no material library describes {}", quote(&name)));
        }
        let shading = Shading::Phong(Phong::default());
        let id = scene.materials.add(Material { name: Name::from(&name[..]), shading, ..Material::default() });
        self.by_name.insert(name, id);
        id
    }
}

/// The libraries a file names.
struct Libraries {
    found: Vec<(String, Blob)>,
    missing: usize,
}

impl Libraries {
    fn find(doc: &Document, cx: &mut BridgeCx<'_>) -> Libraries {
        let mut libraries = Libraries { found: Vec::new(), missing: 0 };
        let mut seen = HashMap::new();
        for (run, _) in doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind == Kind::Mtllib) {
            let whole = doc.name(run);
            let words: Vec<&[u8]> = words(&whole).collect();
            // Names are separated by blanks, yet programs write names with blanks: such a file, if it is there, is
            // what is meant.
            if words.len() > 1 && !seen.contains_key(&whole) {
                let file = String::from_utf8_lossy(&whole).into_owned();
                if let Loaded::Found { bytes: text, .. } = cx.source.load(&file, None) {
                    libraries.found.push((file, text));
                    seen.insert(whole.clone(), true);
                }
            }
            if seen.get(&whole) == Some(&true) {
                continue;
            }
            for word in words {
                if seen.contains_key(word) {
                    continue;
                }
                let file = String::from_utf8_lossy(word).into_owned();
                let loaded = cx.source.load(&file, None);
                seen.insert(word.to_vec(), matches!(loaded, Loaded::Found { .. }));
                let why = match loaded {
                    Loaded::Found { bytes: text, .. } => {
                        libraries.found.push((file, text));
                        continue;
                    }
                    Loaded::Missing => format!("material library {} was not found", quote(word)),
                    Loaded::Refused(why) => format!("material library {}: {why}", quote(word)),
                };
                libraries.missing += 1;
                let place = Place::bytes(format!("statements[{run}][0]"), doc.span(doc.argument(run)));
                cx.find(&OBJ_018, place, why);
            }
        }
        libraries
    }
}

/// Where findings about a library go.
struct Said<'a, 'c, 's> {
    file: &'a str,
    cx: &'c mut BridgeCx<'s>,
}

impl Said<'_, '_, '_> {
    fn find(&mut self, rule: &'static Rule<Document>, line: usize, message: impl std::fmt::Display) {
        let file = plain(self.file.as_bytes());
        self.cx.find(rule, Place::path(format!("{file}:{line}")), format!("{file}, line {line}: {message}"));
    }
}

/// A material as a library describes it.
#[derive(Default)]
struct Entry {
    file: String,
    line: usize,
    name: Vec<u8>,
    ambient: Option<[f32; 3]>,
    diffuse: Option<[f32; 3]>,
    specular: Option<[f32; 3]>,
    emissive: Option<[f32; 3]>,
    shininess: Option<f32>,
    dissolve: Option<f32>,
    transparency: Option<f32>,
    roughness: Option<f32>,
    metallic: Option<f32>,
    maps: Vec<Map>,
    properties: Properties,
}

/// A texture as a library describes it.
struct Map {
    role: Role,
    line: usize,
    path: Vec<u8>,
    options: Options,
}

#[derive(Clone)]
struct Options {
    written: Vec<u8>,
    scale: [f32; 2],
    offset: [f32; 2],
    clamp: bool,
    strength: f32,
    channel: ColorChannel,
    /// Which side of a reflection map it is.
    side: Option<Vec<u8>>,
}

fn read(text: &Blob, said: &mut Said<'_, '_, '_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut cursor = Cursor::new(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let (mut line, mut counted) = (1, 0);
    while cursor.at < cursor.text.len() {
        line += super::lex::lines_before(&cursor.text[counted..], cursor.at - counted);
        counted = cursor.at;
        cursor.blanks();
        if !cursor.at_line_end() && cursor.peek() != Some(b'#') {
            let keyword = cursor.word();
            let rest = joined(&cursor.text[cursor.rest()]);
            if keyword.eq_ignore_ascii_case(b"newmtl") {
                let (file, name) = (said.file.to_owned(), rest.into_owned());
                entries.push(Entry { file, line, name, ..Entry::default() });
            } else if let Some(entry) = entries.last_mut() {
                entry.statement(keyword, &rest, line, said);
            } else {
                said.find(&OBJ_023, line, format!("{} stands before any newmtl", quote(keyword)));
            }
        }
        cursor.next_line();
    }
    entries
}

impl Entry {
    fn statement(&mut self, keyword: &[u8], rest: &[u8], line: usize, said: &mut Said<'_, '_, '_>) {
        match keyword.to_ascii_lowercase().as_slice() {
            b"ka" => self.ambient = self.color(keyword, rest, line, said).or(self.ambient),
            b"kd" => self.diffuse = self.color(keyword, rest, line, said).or(self.diffuse),
            b"ks" => self.specular = self.color(keyword, rest, line, said).or(self.specular),
            b"ke" => self.emissive = self.color(keyword, rest, line, said).or(self.emissive),
            b"ns" => self.shininess = number(keyword, rest, line, said).or(self.shininess),
            b"pr" => self.roughness = number(keyword, rest, line, said).or(self.roughness),
            b"pm" => self.metallic = number(keyword, rest, line, said).or(self.metallic),
            b"tr" => self.transparency = number(keyword, rest, line, said).or(self.transparency),
            b"d" => {
                let plain = rest.strip_prefix(b"-halo");
                if plain.is_some() {
                    self.keep(keyword, rest);
                }
                self.dissolve = number(keyword, plain.unwrap_or(rest), line, said).or(self.dissolve);
            }
            b"ni" | b"tf" | b"illum" | b"sharpness" | b"ps" | b"pc" | b"pcr" | b"aniso" | b"anisor" | b"map_aat" => {
                self.keep(keyword, rest);
            }
            lower => match role(lower) {
                Some(role) => self.map(role, keyword, rest, line, said),
                None => {
                    said.find(&OBJ_023, line, format!("{} is no statement of a material", quote(keyword)));
                    self.keep(keyword, rest);
                }
            },
        }
    }

    /// A colour, or nothing if it is not given as red, green and blue. One number stands for all three.
    fn color(&mut self, keyword: &[u8], rest: &[u8], line: usize, said: &mut Said<'_, '_, '_>) -> Option<[f32; 3]> {
        if rest.starts_with(b"spectral") || rest.starts_with(b"xyz") {
            let message = format!("{} is not given as red, green and blue but as {}", plain(keyword), quote(rest));
            said.find(&OBJ_022, line, message);
            self.keep(keyword, rest);
            return None;
        }
        let numbers = numbers(rest);
        match numbers.as_deref() {
            Some(&[red]) => Some([red; 3]),
            Some(&[red, green, blue, ..]) => Some([red, green, blue]),
            found => {
                let message = format!("{} needs 1 or 3 numbers, found {}", plain(keyword), quote(rest));
                said.find(&OBJ_021, line, message);
                let &[red, green] = found? else { return None };
                Some([red, green, red])
            }
        }
    }

    /// Keeps a statement that the scene has no word for.
    fn keep(&mut self, keyword: &[u8], rest: &[u8]) {
        let value = match numbers(rest).as_deref() {
            Some(&[number]) if number.fract() == 0. && keyword.eq_ignore_ascii_case(b"illum") => {
                Value::Int(number as i64)
            }
            Some(&[number]) => Value::F32(number),
            Some(numbers) => Value::List(numbers.iter().map(|&number| Value::F32(number)).collect()),
            None => Value::Text(rest.into()),
        };
        self.properties.push((keyword.into(), value));
    }

    fn map(&mut self, role: Role, keyword: &[u8], rest: &[u8], line: usize, said: &mut Said<'_, '_, '_>) {
        let mut cursor = Cursor::new(rest);
        let (options, unknown) = Options::read(&mut cursor);
        if let Some(unknown) = unknown {
            said.find(&OBJ_024, line, format!("{} is no option of a texture", quote(unknown)));
        }
        let path = rest[cursor.rest()].to_vec();
        if path.is_empty() {
            said.find(&OBJ_021, line, format!("{} names no file", plain(keyword)));
            return;
        }
        let role = match (&role, &options.side) {
            (Role::Other(word), Some(side)) => Role::Other(format!("{word} {}", String::from_utf8_lossy(side))),
            _ => role,
        };
        // A slot per role: what is said last counts.
        self.maps.retain(|map| map.role != role);
        self.maps.push(Map { role, line, path, options });
    }

    fn into_material(self, scene: &mut Scene, pictures: &mut Pictures, cx: &mut BridgeCx<'_>) -> Material {
        let has = |role: Role| self.maps.iter().any(|map| map.role == role);
        let alpha = self.dissolve.or(self.transparency.map(|transparency| 1. - transparency)).unwrap_or(1.);
        let with = |color: [f32; 3], alpha: f32| [color[0], color[1], color[2], alpha];
        let diffuse = with(self.diffuse.unwrap_or([1.; 3]), alpha);
        let (rough_map, metal_map) = (has(Role::Roughness), has(Role::Metallic));
        let mut properties = self.properties;
        let shading = if self.roughness.is_some() || self.metallic.is_some() || rough_map || metal_map {
            // The metallic-roughness model has no place for these; the way back needs them.
            let further = [("Ka", self.ambient), ("Ks", self.specular)];
            let further = further.into_iter().filter_map(|(word, color)| Some((word, list(&color?))));
            let shininess = self.shininess.map(|shininess| ("Ns", Value::F32(shininess)));
            properties.extend(further.chain(shininess).map(|(word, value)| (word.into(), value)));
            Shading::Pbr(Pbr {
                base_color: diffuse,
                metallic: self.metallic.unwrap_or(if metal_map { 1. } else { 0. }),
                roughness: self.roughness.unwrap_or(1.),
                ..Pbr::default()
            })
        } else {
            let default = Phong::default();
            Shading::Phong(Phong {
                diffuse,
                specular: self.specular.map_or(default.specular, |color| with(color, 1.)),
                ambient: self.ambient.map_or(default.ambient, |color| with(color, 1.)),
                shininess: self.shininess.unwrap_or(default.shininess),
            })
        };
        let glows = if has(Role::Emission) { [1.; 3] } else { [0.; 3] };
        let blends = alpha < 1. || has(Role::Opacity);
        let mut said = Said { file: &self.file, cx };
        let slots = self.maps.into_iter().map(|map| pictures.slot(map, scene, &mut said)).collect();
        Material {
            name: Name::from(&self.name[..]),
            shading,
            emissive: self.emissive.unwrap_or(glows),
            alpha_mode: if blends { AlphaMode::Blend } else { AlphaMode::Opaque },
            slots,
            properties,
            ..Material::default()
        }
    }
}

fn list(numbers: &[f32]) -> Value {
    Value::List(numbers.iter().map(|&number| Value::F32(number)).collect())
}

/// What a texture statement is for, by its keyword in lower case.
fn role(keyword: &[u8]) -> Option<Role> {
    let other = |word: &str| Role::Other(word.to_owned());
    Some(match keyword {
        b"map_kd" => Role::BaseColor,
        b"map_ks" => Role::SpecularColor,
        b"map_ke" => Role::Emission,
        b"map_d" => Role::Opacity,
        b"norm" | b"map_kn" => Role::Normal,
        b"map_pr" => Role::Roughness,
        b"map_pm" => Role::Metallic,
        // Heights, as the format has it; there are files with normals in them, but nothing in them says so.
        b"bump" | b"map_bump" => other("bump"),
        b"disp" | b"map_disp" => other("disp"),
        b"refl" | b"map_refl" => other("refl"),
        b"decal" | b"map_decal" => other("decal"),
        b"map_ka" => other("map_Ka"),
        b"map_ns" => other("map_Ns"),
        b"map_tr" => other("map_Tr"),
        b"map_ps" => other("map_Ps"),
        b"map_pc" => other("map_Pc"),
        b"map_pcr" => other("map_Pcr"),
        _ => return None,
    })
}

/// The numbers of a statement, if it is made of numbers that are finite.
fn numbers(rest: &[u8]) -> Option<Vec<f32>> {
    let number = |word| fast_float2::parse::<f32, _>(word).ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f32>> = arguments(rest).map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

fn number(keyword: &[u8], rest: &[u8], line: usize, said: &mut Said<'_, '_, '_>) -> Option<f32> {
    let number = numbers(rest).map(|numbers| numbers[0]);
    if number.is_none() {
        said.find(&OBJ_021, line, format!("{} needs a number, found {}", plain(keyword), quote(rest)));
    }
    number
}

impl Options {
    /// Reads the options in front of a file name. The first word that looks like an option and is none is handed back,
    /// with the cursor before it.
    fn read<'a>(cursor: &mut Cursor<'a>) -> (Options, Option<&'a [u8]>) {
        let mut options = Options {
            written: Vec::new(),
            scale: [1.; 2],
            offset: [0.; 2],
            clamp: false,
            strength: 1.,
            channel: ColorChannel::All,
            side: None,
        };
        let mut unknown = None;
        loop {
            cursor.blanks();
            let start = cursor.at;
            let Some(word) = cursor.next_word().filter(|word| word.starts_with(b"-")) else {
                cursor.at = start;
                break;
            };
            match word {
                b"-s" => options.scale = pair(&triple(cursor), options.scale),
                b"-o" => options.offset = pair(&triple(cursor), options.offset),
                b"-t" => drop(triple(cursor)),
                b"-mm" => {
                    cursor.next_word();
                    cursor.next_word();
                }
                b"-bm" => {
                    let strength = cursor.next_word().and_then(|word| fast_float2::parse::<f32, _>(word).ok());
                    options.strength = strength.filter(|number| number.is_finite()).unwrap_or(1.);
                }
                b"-clamp" => options.clamp = cursor.next_word() == Some(b"on"),
                b"-imfchan" => {
                    options.channel = match cursor.next_word() {
                        Some(b"r") => ColorChannel::Red,
                        Some(b"g") => ColorChannel::Green,
                        Some(b"b") => ColorChannel::Blue,
                        Some(b"m") => ColorChannel::Alpha,
                        _ => ColorChannel::All,
                    };
                }
                b"-type" => options.side = cursor.next_word().map(<[u8]>::to_vec),
                b"-blendu" | b"-blendv" | b"-boost" | b"-cc" | b"-texres" | b"-colorspace" => {
                    cursor.next_word();
                }
                _ => {
                    cursor.at = start;
                    unknown = Some(word);
                    break;
                }
            }
            options.written = cursor.text[..cursor.at].to_vec();
        }
        (options, unknown)
    }

    /// The change of texture coordinates in the scene's space, where V counts from the top:
    /// 1 − (s·(1 − v) + o) = s·v + (1 − s − o).
    fn transform(&self) -> Option<UvTransform> {
        let changes = self.scale != [1.; 2] || self.offset != [0.; 2];
        let offset = [self.offset[0], 1. - self.scale[1] - self.offset[1]];
        changes.then_some(UvTransform { offset, rotation: 0., scale: self.scale })
    }
}

/// One to three numbers; what is no number is left for the file's name.
fn triple(cursor: &mut Cursor<'_>) -> Vec<f32> {
    let mut numbers = Vec::new();
    while numbers.len() < 3 {
        cursor.blanks();
        let start = cursor.at;
        match cursor.number() {
            Ok(number) if number.is_finite() && cursor.at > start => numbers.push(number),
            _ => {
                cursor.at = start;
                break;
            }
        }
    }
    numbers
}

fn pair(numbers: &[f32], default: [f32; 2]) -> [f32; 2] {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(default[i]))
}

/// The images and textures so far: one image per path, one texture per path and way to sample it.
#[derive(Default)]
struct Pictures {
    images: HashMap<Vec<u8>, Id<Image>>,
    textures: HashMap<(Vec<u8>, Vec<u8>), Id<Texture>>,
}

impl Pictures {
    fn slot(&mut self, map: Map, scene: &mut Scene, said: &mut Said<'_, '_, '_>) -> Slot {
        let Map { role, line, path, options } = map;
        let image = *self.images.entry(path.clone()).or_insert_with(|| {
            let file = String::from_utf8_lossy(&path).into_owned();
            let bytes = match said.cx.source.load(&file, None) {
                Loaded::Found { bytes, .. } => Some(bytes),
                Loaded::Missing => {
                    said.find(&OBJ_025, line, format!("texture {} was not found", quote(&path)));
                    None
                }
                Loaded::Refused(why) => {
                    said.find(&OBJ_025, line, format!("texture {}: {why}", quote(&path)));
                    None
                }
            };
            let source = ImageSource::File { path: Name::from(&path[..]), bytes };
            scene.images.add(Image { name: Name::default(), source, extras: Default::default() })
        });
        let texture = *self.textures.entry((path, options.written.clone())).or_insert_with(|| {
            let mut texture = Texture::new(image);
            if options.clamp {
                texture.wrap = [Wrap::Clamp; 2];
            }
            if !options.written.is_empty() {
                texture.extras.set("obj.options", Value::Text(Name::from(&options.written[..])));
            }
            scene.textures.add(texture)
        });
        let (strength, channel) = (options.strength, options.channel);
        Slot { role, texture, channel, uv_set: 0, strength, transform: options.transform() }
    }
}

/// The statements of a library, as the reference page prints them.
pub(super) static STATEMENTS: Table = Table {
    name: "MTL statements",
    doc: &[" One per line, for the material that the last `newmtl` names."],
    rows: &[
        row("newmtl", "name", &[" What follows describes this material."]),
        row("Ka, Kd, Ks, Ke", "r g b", &[" Ambient, diffuse, specular and emitted colour."]),
        row("Ns", "exponent", &[" Sharpness of highlights."]),
        row("d", "[-halo] alpha", &[" Opacity; wins over `Tr`."]),
        row("Tr", "1 − alpha", &[" Transparency."]),
        row("Pr, Pm", "factor", &[" Roughness and metalness."]),
        row("Ni, Tf, illum, sharpness", "…", &[" Kept as properties."]),
        row("Ps, Pc, Pcr, aniso, anisor", "factor", &[" Sheen, clear coat, anisotropy: kept as properties."]),
        row("map_Kd, map_Ks, map_Ke", "[options] file", &[" Textures of these colours."]),
        row("map_d, map_Pr, map_Pm", "[options] file", &[" Textures of opacity, roughness and metalness."]),
        row("norm", "[options] file", &[" Normals in tangent space."]),
        row("bump, disp, decal, refl, map_Ka, map_Ns, …", "[options] file", &[" Kept by their word."]),
    ],
};
