//! Images, textures and materials.

use super::draw::{Draw, Feature};
use super::json::{Object, list, text};
use super::plan::{Home, Image, Material, Slot, Texture};

/// What a texture can be for, and how often it is.
const ROLES: &[(&str, usize)] = &[
    ("baseColorTexture", 75),
    ("metallicRoughnessTexture", 25),
    ("normalTexture", 25),
    ("occlusionTexture", 20),
    ("emissiveTexture", 25),
];

impl Draw<'_> {
    pub(super) fn looks(&mut self) {
        if self.has(Feature::Textures) {
            self.images();
        }
        for _ in 0..self.chance.between(1, 3) {
            let material = self.material();
            self.plan.materials.push(material);
        }
    }

    fn images(&mut self) {
        for _ in 0..self.chance.between(1, 3) {
            let side = self.chance.between(1, 3);
            let pixels: Vec<[u8; 3]> = (0..side * side).map(|_| [(); 3].map(|()| self.chance.byte())).collect();
            let words = self.words("image");
            let number = self.plan.images.len();
            let home = if self.roll(Feature::MissingTextures, 50) {
                Home::Missing(format!("gone-{number}.png"))
            } else if self.roll(Feature::FileTextures, 60) {
                Home::File(self.chance.one_of(&["skin.png", "maps/wood.png", "a b.png"]).to_string())
            } else if self.chance.percent(25) {
                Home::Uri
            } else {
                Home::View
            };
            // Two images may be one file, and then they are the same.
            let path = |home: &Home| if let Home::File(name) = home { Some(name.clone()) } else { None };
            let same = self.plan.images.iter().find(|image| path(&home).is_some() && path(&image.home) == path(&home));
            let bytes = same.map_or_else(|| crate::png::png(side as u32, &pixels), |image| image.bytes.clone());
            self.plan.images.push(Image { words, bytes, home });
        }
        for image in 0..self.plan.images.len() {
            for _ in 0..if self.has(Feature::Samplers) { self.chance.between(1, 2) } else { 1 } {
                let sampler = self.has(Feature::Samplers).then(|| self.sampler());
                let words = self.words("texture");
                self.plan.textures.push(Texture { words, image, sampler });
            }
        }
    }

    fn sampler(&mut self) -> Vec<(&'static str, String)> {
        let wrap = [10497, 33071, 33648];
        let mut fields = vec![("wrapS", self.chance.one_of(&wrap).to_string())];
        fields.push(("wrapT", self.chance.one_of(&wrap).to_string()));
        if self.chance.percent(60) {
            fields.push(("magFilter", self.chance.one_of(&[9728, 9729]).to_string()));
            fields.push(("minFilter", self.chance.one_of(&[9728, 9729, 9984, 9985, 9986, 9987]).to_string()));
        }
        fields
    }

    fn material(&mut self) -> Material {
        let mut out = Material { words: self.words("material"), ..Material::default() };
        let rich = self.has(Feature::Materials);
        if self.chance.percent(70) {
            let alpha = if rich && self.chance.percent(40) { self.share() } else { 1. };
            out.pbr.push(("baseColorFactor", list(&[self.share(), self.share(), self.share(), alpha])));
        }
        if self.chance.percent(60) {
            out.pbr.push(("metallicFactor", self.share().to_string()));
        }
        if self.chance.percent(60) {
            out.pbr.push(("roughnessFactor", self.share().to_string()));
        }
        if rich {
            if self.chance.percent(50) {
                out.fields.push(("emissiveFactor", list(&[self.share(), self.share(), self.share()])));
            }
            match self.chance.below(4) {
                0 => out.fields.push(("alphaMode", text("BLEND"))),
                1 => {
                    out.fields.push(("alphaMode", text("MASK")));
                    if self.chance.percent(60) {
                        out.fields.push(("alphaCutoff", self.share().to_string()));
                    }
                }
                _ => {}
            }
            if self.chance.percent(40) {
                out.fields.push(("doubleSided", "true".to_owned()));
            }
            if self.chance.percent(20) {
                let strength = Object::default().put("emissiveStrength", 2.5).done();
                out.extensions.push(("KHR_materials_emissive_strength", strength));
            }
        }
        if self.roll(Feature::Unlit, 50) {
            out.extensions.push(("KHR_materials_unlit", "{}".to_owned()));
        }
        for &(role, share) in ROLES {
            if !self.plan.textures.is_empty() && self.chance.percent(share) {
                let slot = self.slot(role);
                out.slots.push(slot);
            }
        }
        out
    }

    fn slot(&mut self, role: &'static str) -> Slot {
        let texture = self.chance.below(self.plan.textures.len());
        let uv = if self.roll(Feature::ManyUvs, 40) { self.chance.between(1, 2) } else { 0 };
        let mut fields = Vec::new();
        if self.chance.percent(40) {
            match role {
                "normalTexture" => fields.push(("scale", self.share().to_string())),
                "occlusionTexture" => fields.push(("strength", self.share().to_string())),
                _ => {}
            }
        }
        let transform = self.roll(Feature::MovedTextures, 60).then(|| {
            let mut out = Object::default();
            out.put("offset", list(&[self.number(1.), self.number(1.)]));
            out.put("scale", list(&[*self.chance.one_of(&[0.5, 2., -1.]), *self.chance.one_of(&[1., 3.])]));
            if self.chance.percent(50) {
                out.put("rotation", self.number(3.));
            }
            out.done()
        });
        Slot { role, texture, uv, fields, transform }
    }
}
