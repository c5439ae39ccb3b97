use wire::Blob;

use crate::{Arena, Extras, Id, Name, Scene};

/// An image and how it is sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Its name.
    pub name: Name,
    /// The image.
    pub image: Option<Id<Image>>,
    /// How it is enlarged.
    pub magnify: Option<Filter>,
    /// How it is reduced, and between which mip levels.
    pub reduce: Option<(Filter, Option<Filter>)>,
    /// What lies beyond its edges along U and V.
    pub wrap: [Wrap; 2],
    /// How it is laid on a mesh.
    pub projection: Projection,
    /// What travels along.
    pub extras: Extras,
}

impl Texture {
    /// An image with default sampling.
    pub fn new(image: Id<Image>) -> Texture {
        Texture {
            name: Name::default(),
            image: Some(image),
            magnify: None,
            reduce: None,
            wrap: [Wrap::Repeat; 2],
            projection: Projection::Flat,
            extras: Extras::default(),
        }
    }
}

/// How pixels between pixels are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// Mixed from its neighbours.
    Linear,
    /// Mixed from more of them.
    Cubic,
}

/// What lies beyond the edge of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The image again.
    Repeat,
    /// The image mirrored.
    Mirror,
    /// Its edge.
    Clamp,
    /// Nothing.
    Clip,
}

/// How an image is laid on a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// By texture coordinates.
    #[default]
    Flat,
    /// From six sides.
    Box,
    /// From a sphere.
    Sphere,
    /// As a cube map.
    Cube,
    /// From a cylinder.
    Cylinder,
}

/// An image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Its name.
    pub name: Name,
    /// Where it is.
    pub source: ImageSource,
    /// What travels along.
    pub extras: Extras,
}

impl Scene {
    /// Which textures and which images some material shows.
    pub fn shown_images(&self) -> (Vec<bool>, Vec<bool>) {
        let (mut textures, mut images) = (vec![false; self.textures.len()], vec![false; self.images.len()]);
        for slot in self.materials.iter().flat_map(|material| &material.slots) {
            let image = self.textures.get(slot.texture).and_then(|texture| texture.image);
            textures.get_mut(slot.texture.index()).into_iter().for_each(|shown| *shown = true);
            image.and_then(|image| images.get_mut(image.index())).into_iter().for_each(|shown| *shown = true);
        }
        (textures, images)
    }

    /// Leaves out the textures and images that these lists say no to, and that no material shows.
    pub fn keep_images(&mut self, textures: &[bool], images: &[bool]) {
        if !textures.contains(&false) && !images.contains(&false) {
            return;
        }
        let image = kept(&mut self.images, images);
        let texture = kept(&mut self.textures, textures);
        for stays in self.textures.iter_mut() {
            stays.image = stays.image.and_then(|id| image.get(id.index()).copied().flatten());
        }
        for slot in self.materials.iter_mut().flat_map(|material| &mut material.slots) {
            slot.texture = texture.get(slot.texture.index()).copied().flatten().unwrap_or(slot.texture);
        }
    }
}

/// Leaves out some of a list; answers where each of the others is now.
fn kept<T: Clone>(list: &mut Arena<T>, keep: &[bool]) -> Vec<Option<Id<T>>> {
    let mut left = Arena::default();
    let moved = list.iter().zip(keep).map(|(item, keep)| keep.then(|| left.add(item.clone()))).collect();
    *list = left;
    moved
}

impl Image {
    /// Its bytes, if there are any.
    pub fn bytes(&self) -> Option<&Blob> {
        match &self.source {
            ImageSource::File { bytes, .. } => bytes.as_ref(),
            ImageSource::Embedded { bytes, .. } => Some(bytes),
        }
    }

    /// Whether its file says its name: it does where it gets a file for the first time.
    pub fn is_named_by_its_file(&self) -> bool {
        let ImageSource::File { path, .. } = &self.source else { return true };
        let path = path.to_string();
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name = self.name.to_string();
        name.is_empty() || name == file || name == stem
    }
}

/// Where an image is.
#[derive(Clone, Debug, PartialEq)]
pub enum ImageSource {
    /// In a file: the path as the source writes it, and its bytes if it was found.
    File {
        /// The path as written.
        path: Name,
        /// What was found there.
        bytes: Option<Blob>,
    },
    /// In the model itself.
    Embedded {
        /// `image/png` and the like.
        mime: String,
        /// The encoded image.
        bytes: Blob,
    },
}
