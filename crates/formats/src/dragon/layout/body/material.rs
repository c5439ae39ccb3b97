//! Materials and images.

use wire::{CText, Fault};

use crate::dragon::layout::fields::{BodyReader, Name, Part, body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::words::{ImageSampling, Projection, Wrap};

body! {
    /// How a mesh looks.
    pub struct Material: 6 {
        /// What it is called.
        name: CText = text as "cstring",
        /// The program that draws it.
        shader: CText = text as "cstring",
        /// Its textures.
        slots: Vec<MaterialSlot> = list as "-> MaterialSlot[count]",
    }
}

body! {
    /// A texture and what it is for.
    pub struct MaterialSlot: 17 {
        /// What it is for: `albedo`, `normal` and other words.
        target: CText = text as "cstring",
        /// The TEXTURE.
        texture: Guid = fixed as "guid",
    }
}

/// How an image is laid over a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// How it is looked up between its pixels.
    pub sampling: ImageSampling,
    /// How it is laid over a mesh.
    pub projection: Projection,
    /// What lies beside it.
    pub wrap_x: Wrap,
    /// What lies above and below it.
    pub wrap_y: Wrap,
    /// The IMAGE.
    pub image: Guid,
    /// The image itself, in files of 2019, which have no IMAGE and nothing else here.
    pub path_of_2019: Option<CText>,
}

body! { @table [" How an image is laid over a mesh."] Texture {
    [" How it is looked up between its pixels."] sampling "ImageSampling",
    [" How it is laid over a mesh."] projection "Projection",
    [" What lies beside it."] wrap_x "Wrap",
    [" What lies above and below it."] wrap_y "Wrap",
    [" The IMAGE."] image "guid",
} }

impl Part for Texture {
    const NAME: &'static str = "Texture";
    const MIN: usize = 1;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Texture, Fault> {
        if r.pass.reading.of_2019 {
            let path = r.text(Name("path", ""))?;
            return Ok(Texture { path_of_2019: Some(path), ..Texture::default() });
        }
        Ok(Texture {
            sampling: r.word(Name("sampling", ""))?,
            projection: r.word(Name("projection", ""))?,
            wrap_x: r.word(Name("wrap_x", ""))?,
            wrap_y: r.word(Name("wrap_y", ""))?,
            image: r.fixed(Name("image", ""))?,
            path_of_2019: None,
        })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.sampling);
        w.w.fixed(self.projection);
        w.w.fixed(self.wrap_x);
        w.w.fixed(self.wrap_y);
        w.w.fixed(self.image);
        Ok(())
    }
}

body! {
    /// An image in another file.
    pub struct Image: 1 {
        /// Its path, relative to this file.
        path: CText = text as "cstring",
    }
}
