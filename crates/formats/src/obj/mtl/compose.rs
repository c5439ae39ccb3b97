//! Materials of the scene → the text of a library.

use std::collections::{HashMap, HashSet};

use findings::Subject;
use scene::loss::*;
use scene::{
    AlphaMode, ColorChannel, Id, Material, Phong, Role, Scene, Shading, Slot, Texture, TextureProjection, Value, Wrap,
};
use wire::Blob;

use super::images;
use super::read;
use crate::LowerCx;
use crate::decimal::{push_float, push_int};
use crate::file_name::safe_name;
use crate::images::Images;
use crate::obj::bridge::{STATEMENTS, VALUES, one_line};

/// The library that is being written.
pub(in crate::obj) struct LibraryWriter {
    /// The name of every material, by its position in the scene.
    names: Vec<Vec<u8>>,
    taken: HashSet<Vec<u8>>,
    /// By wanted names, the last number that was tried.
    numbers: HashMap<Vec<u8>, usize>,
    made_up: Option<Vec<u8>>,
    text: Vec<u8>,
    images: Images,
}

impl LibraryWriter {
    pub(in crate::obj) fn new(scene: &Scene, cx: &mut LowerCx<'_>) -> LibraryWriter {
        let mut library = LibraryWriter {
            images: Images::default(),
            names: Vec::new(),
            taken: HashSet::new(),
            numbers: HashMap::new(),
            made_up: None,
            text: Vec::new(),
        };
        for (id, material) in scene.materials.entries() {
            let label = material.subject(id);
            let name = library.new_name(id, material, &label, cx);
            let images = &mut library.images;
            let text = std::mem::take(&mut library.text);
            let mut composer = Composer { scene, material, label, images, text, cx };
            composer.material(&name);
            library.text = composer.text;
            library.names.push(name);
        }
        library
    }

    fn new_name(&mut self, id: Id<Material>, material: &Material, label: &Subject, cx: &mut LowerCx<'_>) -> Vec<u8> {
        let own = material.name.bytes();
        let wanted = if own.is_empty() { format!("material-{}", id.index()).into_bytes() } else { one_line(own) };
        let name = self.take(wanted);
        if own.is_empty() {
            cx.lose(&LOSS_042, label, 1, "name made up", "materials of OBJ have names");
        } else if name != own {
            cx.lose(&LOSS_042, label, 1, "name", "names of materials are one line and differ from each other");
        }
        name
    }

    fn take(&mut self, wanted: Vec<u8>) -> Vec<u8> {
        let mut name = wanted.clone();
        while !self.taken.insert(name.clone()) {
            let number = self.numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            name = [&wanted[..], format!("-{number}").as_bytes()].concat();
        }
        name
    }

    /// The name of a material of the scene.
    pub(in crate::obj) fn name(&self, id: Id<Material>) -> Option<Vec<u8>> {
        self.names.get(id.index()).cloned()
    }

    /// The name of a white material, for what has none behind something that has one.
    pub(in crate::obj) fn made_up(&mut self, label: &Subject, cx: &mut LowerCx<'_>) -> Vec<u8> {
        cx.lose(&LOSS_080, label, 1, "white material", "OBJ cannot say that there is none");
        if let Some(name) = &self.made_up {
            return name.clone();
        }
        let name = self.take(b"none".to_vec());
        self.text.extend_from_slice(&[b"newmtl ", &name[..], b"\nKd 1 1 1\n"].concat());
        self.made_up = Some(name.clone());
        name
    }

    /// Writes the library beside the model, if there is any need for one; answers what it is called.
    pub(in crate::obj) fn finish(self, cx: &mut LowerCx<'_>) -> Option<String> {
        let wanted = || format!("{}.mtl", safe_name(cx.stem.trim_start_matches(['-', ' '])));
        (!self.text.is_empty()).then(wanted).map(|wanted| cx.side_files.add(&wanted, Blob::memory(self.text)))
    }
}

/// A material whose text is being written.
struct Composer<'a, 'c, 's> {
    scene: &'a Scene,
    material: &'a Material,
    label: Subject,
    images: &'a mut Images,
    text: Vec<u8>,
    cx: &'c mut LowerCx<'s>,
}

impl Composer<'_, '_, '_> {
    fn material(&mut self, name: &[u8]) {
        if !self.text.is_empty() {
            self.text.push(b'\n');
        }
        self.words("newmtl", name);
        self.shading();
        self.emission();
        self.alpha();
        if self.material.double_sided {
            self.lose("that both sides are visible");
        }
        for (keyword, value) in &self.material.properties {
            self.property(keyword.bytes(), value);
        }
        for slot in &self.material.slots {
            self.slot(slot);
        }
    }

    fn lose(&mut self, what: &str) {
        self.cx.lose(&LOSS_041, &self.label, 1, what, "MTL has no statement for it");
    }

    fn words(&mut self, keyword: &str, rest: &[u8]) {
        self.text.extend_from_slice(keyword.as_bytes());
        self.text.push(b' ');
        self.text.extend_from_slice(rest);
        self.text.push(b'\n');
    }

    fn numbers(&mut self, keyword: &str, numbers: &[f32]) {
        let mut rest = Vec::new();
        for &number in numbers {
            if !rest.is_empty() {
                rest.push(b' ');
            }
            if !number.is_finite() {
                let what = format!("{keyword} set to zero");
                self.cx.lose(&LOSS_021, &self.label, 1, &what, "numbers of a material are finite");
            }
            push_float(&mut rest, if number.is_finite() { number } else { 0. });
        }
        self.words(keyword, &rest);
    }

    fn shading(&mut self) {
        match self.material.shading.clone() {
            Shading::Phong(Phong { diffuse, specular, ambient, shininess }) => {
                self.numbers("Ka", &ambient[..3]);
                self.numbers("Kd", &diffuse[..3]);
                self.numbers("Ks", &specular[..3]);
                self.numbers("Ns", &[shininess]);
                if [ambient[3], specular[3]] != [1.; 2] {
                    self.lose("alpha of the ambient or specular colour");
                }
            }
            Shading::Pbr(pbr) => {
                self.numbers("Kd", &pbr.base_color[..3]);
                self.numbers("Pr", &[pbr.roughness]);
                self.numbers("Pm", &[pbr.metallic]);
                if pbr.specular != 1. || pbr.specular_color != [1.; 3] {
                    self.lose("strength and colour of the reflection");
                }
            }
            Shading::Unlit { color } => {
                self.numbers("Kd", &color[..3]);
                self.words("illum", b"0");
                self.lose("that it is not lit, but for illum 0");
            }
        }
    }

    fn emission(&mut self) {
        let strength = self.material.emissive_strength;
        let light = self.material.emissive.map(|light| light * strength);
        if light != [0.; 3] || self.material.slot(&Role::Emission).is_some() {
            self.numbers("Ke", &light);
        }
    }

    fn alpha(&mut self) {
        let material = self.material;
        let alpha = material.color()[3];
        let see_through = material.alpha_mode != AlphaMode::Opaque;
        let has_image = [Role::Opacity, Role::BaseColor].iter().any(|role| material.slot(role).is_some());
        let own = |(keyword, value): &(scene::Name, Value)| {
            keyword.bytes().eq_ignore_ascii_case(b"d") && value.as_text().is_some()
        };
        if alpha != 1. && !see_through {
            self.lose("alpha that has no effect");
        } else if alpha != 1. && !material.properties.iter().any(own) {
            self.numbers("d", &[alpha]);
        }
        match material.alpha_mode {
            AlphaMode::Mask(_) => self.lose("threshold of the alpha mask"),
            AlphaMode::Additive => self.lose("additive blending"),
            AlphaMode::Blend if alpha == 1. && !has_image => self.lose("that it blends, although its alpha is 1"),
            AlphaMode::Opaque | AlphaMode::Blend => {}
        }
        // The alpha of an image counts only where a statement says so.
        if see_through
            && material.slot(&Role::Opacity).is_none()
            && let Some(base) = material.slot(&Role::BaseColor)
        {
            self.slot(&Slot { role: Role::Opacity, channel: ColorChannel::Alpha, strength: 1., ..base.clone() });
        }
    }

    fn property(&mut self, keyword: &[u8], value: &Value) {
        let is_statement = read::is_kept(keyword) || is_listed(self.material, keyword);
        let Some(rest) = statement(value).filter(|_| is_statement) else {
            let what = format!("property {}", String::from_utf8_lossy(keyword));
            self.cx.lose(&LOSS_015, &self.label, 1, &what, "MTL has no statement for it");
            return;
        };
        let word = String::from_utf8_lossy(keyword).into_owned();
        if one_line(keyword) != keyword || keyword.contains(&b' ') || keyword.starts_with(b"#") {
            self.cx.lose(&LOSS_015, &self.label, 1, format!("property {word}"), "it is no word");
            return;
        }
        self.words(&word, &rest);
    }

    fn slot(&mut self, slot: &Slot) {
        let scene = self.scene;
        let lost = |why: &str, composer: &mut Self| {
            composer.cx.lose(&LOSS_007, &composer.label, 1, format!("{} texture", slot.role.name()), why);
        };
        let is_pbr = matches!(self.material.shading, Shading::Pbr(_));
        let Some((keyword, side)) = read::keyword(&slot.role) else {
            return lost("MTL has no statement for it", self);
        };
        if matches!(slot.role, Role::Roughness | Role::Metallic) && !is_pbr {
            return lost("it would make the material one of metal and roughness", self);
        }
        if slot.uv_set != 0 {
            self.lose("which set of texture coordinates a texture uses");
        }
        let Some(texture) = scene.textures.get(slot.texture) else { return lost("there is no such texture", self) };
        let path = texture.image.and_then(|image| images::path(self.images, scene, image, self.cx));
        let Some(path) = path else { return lost("it has no image that can be named", self) };
        let options = self.options(slot, texture, side);
        let mut rest = options;
        if !rest.is_empty() {
            rest.push(b' ');
        }
        rest.extend_from_slice(&path);
        self.words(keyword, &rest);
    }

    /// The options in front of an image's path.
    fn options(&mut self, slot: &Slot, texture: &Texture, side: Option<&str>) -> Vec<u8> {
        let clamps = texture.wrap == [Wrap::Clamp; 2];
        self.lose_sampling(texture, clamps);
        let mut out = Vec::new();
        let mut option = |words: &[&[u8]]| {
            out.extend_from_slice(if out.is_empty() { b"-" } else { b" -" });
            out.extend_from_slice(&words.join(&b' '));
        };
        let number = |number: f32| {
            let mut out = Vec::new();
            push_float(&mut out, if number.is_finite() { number } else { 0. });
            out
        };
        if let Some(side) = side {
            option(&[b"type", side.as_bytes()]);
        }
        if let Some(transform) = slot.transform {
            let [u, v] = transform.scale;
            option(&[b"s", &number(u), &number(v), b"1"]);
            option(&[b"o", &number(transform.offset[0]), &number(1. - v - transform.offset[1]), b"0"]);
        }
        if let Some(Value::List(values)) = VALUES.get(&texture.extras)
            && let [Some(base), Some(gain)] = [0, 1].map(|i| values.get(i).and_then(Value::as_f64))
        {
            option(&[b"mm", &number(base as f32), &number(gain as f32)]);
        }
        if clamps {
            option(&[b"clamp on"]);
        }
        if slot.strength != 1. {
            option(&[b"bm", &number(slot.strength)]);
        }
        match slot.channel {
            ColorChannel::All => {}
            ColorChannel::Red => option(&[b"imfchan r"]),
            ColorChannel::Green => option(&[b"imfchan g"]),
            ColorChannel::Blue => option(&[b"imfchan b"]),
            ColorChannel::Alpha => option(&[b"imfchan m"]),
        }
        if slot.transform.is_some_and(|transform| transform.rotation != 0.) {
            self.lose("turn of texture coordinates");
        }
        out
    }

    fn lose_sampling(&mut self, texture: &Texture, clamps: bool) {
        let filtered = texture.magnify.is_some() || texture.reduce.is_some();
        let wraps = !clamps && texture.wrap != [Wrap::Repeat; 2];
        if filtered || wraps || texture.projection != TextureProjection::Flat {
            self.lose("how a texture is sampled");
        }
    }
}

/// Whether a material says that a property of it is a statement.
fn is_listed(material: &Material, keyword: &[u8]) -> bool {
    let Some(Value::List(names)) = STATEMENTS.get(&material.extras) else { return false };
    names.iter().filter_map(Value::as_text).any(|name| name.bytes() == keyword)
}

/// A value as the rest of a statement.
fn statement(value: &Value) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match value {
        Value::Int(number) => push_int(&mut out, *number),
        Value::Uint(number) => push_int(&mut out, *number),
        Value::F32(number) if number.is_finite() => push_float(&mut out, *number),
        Value::F64(number) if number.is_finite() => push_float(&mut out, *number),
        Value::Text(text) if text.is_empty() => {}
        Value::Text(text) => out = one_line(text.bytes()),
        Value::List(values) => {
            let words: Option<Vec<Vec<u8>>> = values.iter().map(statement).collect();
            out = words?.join(&b' ');
        }
        _ => return None,
    }
    Some(out)
}
