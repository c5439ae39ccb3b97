//! The same document with its bytes elsewhere: `.gltf` ⇄ `.glb`, and images inside or beside. Nothing of the JSON
//! changes but where buffers and images are, so that every number in it stays true, and everything nobody here knows
//! stays where it is.

mod cut;

use std::collections::{BTreeSet, HashMap};

use findings::Result;
use scene::loss::*;
use scene::{Extras, Id, Image, ImageSource};
use wire::{Blob, Kept};

use super::lower::{self, Mode};
use crate::file_name::safe_name;
use crate::gltf::carry::KEY;
use crate::gltf::data::{Data, meshopt, uri};
use crate::gltf::extensions;
use crate::gltf::layout::{Chunk, ChunkKind, Container, Document};
use crate::gltf::schema::{self, Buffer, BufferView, Json, Root};
use crate::{LowerCx, Package, Textures, images};

/// Where each buffer starts in the binary chunk.
const ALIGNMENT: usize = 4;

/// The document in another container, its images where the options want them. Nothing if a file is missing, or an
/// image would have to be another one: then it goes through a scene, which tells what becomes of it.
pub(in crate::gltf) fn repack(
    doc: &Document,
    container: Container,
    cx: &mut LowerCx<'_>,
) -> Result<Option<Package<Document>>> {
    let mode = lower::mode(cx, container);
    let data = Data::new(doc, cx.source, cx.limits.clone());
    let mut moved =
        Moved { root: Root::clone(&doc.root), views: Vec::new(), embedded: HashMap::new(), gone: Vec::new() };
    let Some(mut buffers) = buffers(&data) else { return Ok(None) };
    if mode == Mode::Reference || moved.images(&data, mode, container, cx).is_none() {
        return Ok(None);
    }
    let gone = moved.drop_views(cx);
    // Buffers of a JSON file stay what they are: others may name them.
    if doc.container == Container::Binary {
        cut::cut(&mut moved.root, &gone, &mut buffers);
    }
    let mut document = Document { container, ..Document::default() };
    match container {
        Container::Binary => {
            let bin = moved.join(buffers, cx);
            document.chunks.extend((!bin.is_empty()).then_some(Chunk { kind: ChunkKind::BIN, data: bin }));
            let others = doc.chunks.iter().skip(usize::from(doc.binary().is_some()));
            document.chunks.extend(others.cloned());
        }
        Container::Json => {
            moved.scatter(doc, buffers, cx);
            lose_chunks(doc, cx);
        }
    }
    document.root = Kept::new(moved.root);
    Ok(Some(Package::new(document, cx)))
}

/// The bytes of every buffer; those that compressed ones stand in for have none.
fn buffers(data: &Data<'_>) -> Option<Vec<Bytes>> {
    let one = |(index, buffer): (usize, &Buffer)| {
        if meshopt::is_fallback(buffer) && buffer.uri.is_none() {
            return Some(None);
        }
        // The binary chunk may be longer by its padding.
        data.buffer(index).ok()?.bytes.get(0, buffer.byte_length).map(|bytes| Some(vec![bytes]))
    };
    data.root.buffers.iter().enumerate().map(one).collect()
}

/// The pieces of a buffer, if it has bytes.
type Bytes = Option<Vec<Blob>>;

/// A document on its way into another container.
struct Moved {
    root: Root,
    /// Images that become views behind all others.
    views: Vec<Blob>,
    /// Where the images of each link are among those views, and what they are.
    embedded: HashMap<String, (usize, String)>,
    /// Views of images that have a file now.
    gone: Vec<usize>,
}

impl Moved {
    fn images(&mut self, data: &Data<'_>, mode: Mode, container: Container, cx: &mut LowerCx<'_>) -> Option<()> {
        let mut images = std::mem::take(&mut self.root.images);
        for (at, image) in images.iter_mut().enumerate() {
            let is_file = image.uri.as_deref().and_then(uri::path).is_some();
            match (mode, container) {
                (Mode::Beside, _) => self.write_file(Id::new(at), image, data, cx)?,
                (_, Container::Binary) if image.uri.is_some() => {
                    let (view, mime) = self.embed(image, data, cx)?;
                    (image.uri, image.buffer_view, image.mime_type) = (None, Some(view), Some(mime));
                }
                (_, Container::Json) if is_file || image.buffer_view.is_some() => {
                    let bytes = data.image(image)?;
                    cx.limits.charge(bytes.len() as u64 / 3 * 4).ok()?;
                    let uri = lower::data_uri(&mime(image, &bytes)?, &bytes);
                    self.gone.extend(image.buffer_view.take());
                    (image.uri, image.mime_type) = (Some(uri.into()), None);
                }
                _ => {}
            }
        }
        self.root.images = images;
        Some(())
    }

    /// The view of an image that is linked to, and what kind it is. However many name it, its bytes are there once.
    fn embed(&mut self, image: &schema::Image, data: &Data<'_>, cx: &LowerCx<'_>) -> Option<(usize, String)> {
        let link = image.uri.as_deref()?;
        let known = self.embedded.get(link).filter(|(_, mime)| image.mime_type.as_ref().is_none_or(|own| own == mime));
        if let Some(known) = known {
            return Some(known.clone());
        }
        let bytes = data.image(image)?;
        cx.limits.charge(bytes.len() as u64).ok()?;
        let new = (self.root.buffer_views.len() + self.views.len(), mime(image, &bytes)?);
        self.views.push(bytes);
        self.embedded.insert(link.to_owned(), new.clone());
        Some(new)
    }

    /// An image in a file stays there if the model finds it; else it gets one.
    fn write_file(
        &mut self,
        id: Id<Image>,
        image: &mut schema::Image,
        data: &Data<'_>,
        cx: &mut LowerCx<'_>,
    ) -> Option<()> {
        if image.uri.is_none() && image.buffer_view.is_none() {
            return Some(());
        }
        let bytes = data.image(image)?;
        if let Some(path) = image.uri.as_deref().and_then(uri::path) {
            let source = ImageSource::File { path: path.as_str().into(), bytes: None };
            let named = Image { name: Default::default(), source, extras: Extras::default() };
            let link = images::link(&named, id, &bytes, None, "", cx).to_string();
            if link != path {
                image.uri = Some(lower::percent_encode(&link.replace('\\', "/")).into());
            }
            return Some(());
        }
        let mime = mime(image, &bytes)?;
        let described = described(image, &mime, &bytes);
        let extension = if mime == "image/jpeg" { "jpg" } else { mime.rsplit('/').next().unwrap_or_default() };
        let link = images::link(&described, id, &bytes, Some(&format!(".{extension}")), "", cx).to_string();
        self.gone.extend(image.buffer_view.take());
        (image.uri, image.mime_type) = (Some(lower::percent_encode(&link.replace('\\', "/")).into()), None);
        Some(())
    }

    /// Takes away the views that only images named; those behind them have other numbers then.
    fn drop_views(&mut self, cx: &mut LowerCx<'_>) -> Vec<BufferView> {
        let accessors = self.root.accessors.iter().filter_map(|accessor| accessor.buffer_view);
        let images = self.root.images.iter().filter_map(|image| image.buffer_view);
        let used: BTreeSet<usize> = accessors.chain(images).collect();
        let gone: BTreeSet<usize> = self.gone.drain(..).filter(|view| !used.contains(view)).collect();
        let Some(&first) = gone.first() else { return Vec::new() };
        let count = self.root.buffer_views.len();
        if gone.len() < count - first.min(count) {
            let sorted: Vec<usize> = gone.iter().copied().collect();
            let now = |view: usize| view - sorted.partition_point(|gone| *gone < view);
            renumber(&mut self.root, &now);
            lose_numbers(&self.root, "buffer views", cx);
        }
        let mut index = 0;
        let views = &mut self.root.buffer_views;
        let is_gone = |_: &mut BufferView| {
            index += 1;
            gone.contains(&(index - 1))
        };
        views.extract_if(.., is_gone).collect()
    }

    /// All buffers as one, with the images behind them.
    fn join(&mut self, buffers: Vec<Bytes>, cx: &mut LowerCx<'_>) -> Vec<Blob> {
        let (mut parts, mut size) = (Vec::new(), 0);
        let mut add = |bytes: Vec<Blob>| {
            let (start, length) = (size, bytes.iter().map(|part| part.len()).sum::<usize>());
            size += length.next_multiple_of(ALIGNMENT);
            let padding = size - start - length;
            parts.extend(bytes);
            if padding > 0 {
                parts.push(Blob::memory(&[0; ALIGNMENT][..padding]));
            }
            start
        };
        let whole = buffers.iter().flatten().count();
        let old = std::mem::take(&mut self.root.buffers);
        let mut places = Vec::with_capacity(old.len());
        let (mut first, mut stand_ins) = (None, Vec::new());
        for (i, (buffer, bytes)) in old.into_iter().zip(buffers).enumerate() {
            match bytes {
                Some(bytes) => {
                    places.push((0, add(bytes)));
                    match &first {
                        None => first = Some(Buffer { uri: None, ..buffer }),
                        Some(_) => lose_buffer(i, &buffer, cx),
                    }
                }
                None => {
                    stand_ins.push(buffer);
                    places.push((stand_ins.len(), 0));
                }
            }
        }
        let views = std::mem::take(&mut self.views).into_iter().map(|bytes| {
            let (byte_length, start) = (bytes.len(), add(vec![bytes]));
            BufferView { byte_offset: (start > 0).then_some(start), byte_length, ..BufferView::default() }
        });
        let views: Vec<BufferView> = views.collect();
        let has_bytes = first.is_some() || !views.is_empty();
        self.root.buffers.extend(has_bytes.then(|| Buffer { byte_length: size, ..first.unwrap_or_default() }));
        self.root.buffers.append(&mut stand_ins);
        let moved = |buffer: usize, offset: usize| {
            let (buffer, start) = places.get(buffer).copied().unwrap_or((buffer, 0));
            (buffer, offset.saturating_add(start))
        };
        if places.iter().enumerate().any(|(i, place)| *place != (i, 0)) {
            self.root.buffer_views.iter_mut().for_each(|view| move_view(view, &moved));
        }
        if whole > 1 {
            lose_numbers(&self.root, "buffers", cx);
        }
        self.root.buffer_views.extend(views);
        parts
    }

    /// Every buffer in a file, or in its own URI.
    fn scatter(&mut self, doc: &Document, buffers: Vec<Bytes>, cx: &mut LowerCx<'_>) {
        for (buffer, bytes) in self.root.buffers.iter_mut().zip(buffers) {
            let Some(bytes) = bytes.map(lower::join) else { continue };
            let path = buffer.uri.as_deref().and_then(uri::path);
            if buffer.uri.is_some() && path.is_none() && doc.container == Container::Json {
                continue;
            }
            if cx.embed {
                buffer.uri = Some(lower::data_uri("application/octet-stream", &bytes).into());
                continue;
            }
            let near = cx.textures == Textures::Near;
            if path.as_ref().is_some_and(|path| near && cx.side_files.room().holds(path, &bytes)) {
                continue;
            }
            let kept = path.as_deref().and_then(crate::below).map(|path| images::safe_path(&path));
            let last = path.as_ref().and_then(|path| path.rsplit(['/', '\\']).next()).map(safe_name);
            let wanted = kept.or(last).unwrap_or_else(|| format!("{}.bin", safe_name(cx.stem)));
            let name = cx.side_files.share(&wanted, bytes);
            if path.is_none_or(|path| path != name) {
                buffer.uri = Some(lower::percent_encode(&name).into());
            }
        }
    }
}

/// What an image is, by its first bytes or by what the file says; other kinds belong to extensions.
fn mime(image: &schema::Image, bytes: &[u8]) -> Option<String> {
    let known = ops::images::kind(bytes).map(|(mime, _)| mime).or(match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, ..] => Some("image/ktx2"),
        _ => None,
    });
    // It becomes the extension of a file and a part of a URI.
    let is_plain = |mime: &String| mime.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-+.".contains(&b));
    known.map(str::to_owned).or_else(|| image.mime_type.clone().filter(is_plain))
}

/// An image as its file is named after it.
fn described(image: &schema::Image, mime: &str, bytes: &Blob) -> Image {
    let path = image.extras.as_ref().and_then(|extras| extras.get(KEY)?.get("path")?.as_str());
    let source = match path {
        Some(path) => ImageSource::File { path: path.into(), bytes: None },
        None => ImageSource::Embedded { mime: mime.to_owned(), bytes: bytes.clone() },
    };
    Image { name: image.name.as_deref().unwrap_or_default().into(), source, extras: Extras::default() }
}

/// Puts a view, and what it is a compressed form of, elsewhere: from buffer and offset to buffer and offset.
fn move_view(view: &mut BufferView, moved: &impl Fn(usize, usize) -> (usize, usize)) {
    let (buffer, offset) = moved(view.buffer, view.byte_offset.unwrap_or(0));
    (view.buffer, view.byte_offset) = (buffer, (offset > 0).then_some(offset));
    if let Some((buffer, offset, _)) = compressed(view)
        && let Some(Json::Object(packed)) = meshopt::of_mut(&mut view.extensions)
    {
        let (buffer, offset) = moved(buffer, offset);
        packed.insert("buffer".to_owned(), buffer.into());
        packed.insert("byteOffset".to_owned(), offset.into());
    }
}

/// Buffer, offset and size of the compressed bytes of a view.
fn compressed(view: &BufferView) -> Option<(usize, usize, usize)> {
    let (_, packed) = meshopt::of(&view.extensions)?;
    let number = |key: &str| packed.get(key).and_then(Json::as_u64).map(|number| number as usize);
    Some((number("buffer")?, number("byteOffset").unwrap_or(0), number("byteLength")?))
}

/// Gives views other numbers, wherever they are named by a word that is known. What is beside it is nobody's here.
fn renumber(root: &mut Root, now: &impl Fn(usize) -> usize) {
    fn walk(json: &mut Json, now: &impl Fn(usize) -> usize) {
        match json {
            Json::Object(object) => {
                for (key, value) in object.iter_mut() {
                    match (key.as_str(), value.as_u64()) {
                        ("bufferView", Some(view)) => *value = now(view as usize).into(),
                        ("extras", _) => value.get_mut(KEY).into_iter().for_each(|own| walk(own, now)),
                        _ => walk(value, now),
                    }
                }
            }
            Json::Array(list) => list.iter_mut().for_each(|value| walk(value, now)),
            _ => {}
        }
    }
    // A document is JSON and comes from it.
    if let Ok(mut json) = serde_json::to_value(&*root) {
        walk(&mut json, now);
        if let Ok(renumbered) = serde_json::from_value(json) {
            *root = renumbered;
        }
    }
}

/// Unknown extensions may call things by numbers that are no longer theirs.
fn lose_numbers(root: &Root, what: &str, cx: &mut LowerCx<'_>) {
    // Draco names its view by the usual word, and nothing else.
    let unknown =
        root.extensions_used.iter().filter(|name| !extensions::is_followed(name) && !extensions::is_opaque(name));
    for name in unknown {
        let what = format!("numbers of {what} in {name}");
        cx.lose(&LOSS_055, "file", 1, &what, "they changed, and nobody here knows where it names them");
    }
}

fn lose_buffer(index: usize, buffer: &Buffer, cx: &mut LowerCx<'_>) {
    let said = usize::from(buffer.name.is_some()) + usize::from(buffer.extras.is_some()) + buffer.extensions.len();
    if said > 0 {
        let what = "name, extras and extensions of the buffer";
        cx.lose(&LOSS_015, format!("buffers[{index}]"), said as u64, what, "a GLB has one buffer");
    }
}

/// Lists what only a GLB has room for.
fn lose_chunks(doc: &Document, cx: &mut LowerCx<'_>) {
    let chunks = doc.chunks.iter().skip(usize::from(doc.binary().is_some())).map(Chunk::size);
    let bytes = chunks.sum::<u64>() + (doc.slack.len() + doc.tail.len()) as u64;
    if bytes > 0 {
        cx.lose(&LOSS_026, "chunks", bytes, "bytes", "a JSON file has no room for other chunks");
    }
}
