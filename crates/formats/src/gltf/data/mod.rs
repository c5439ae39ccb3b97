//! Buffers, views and accessors → shared bytes and streams. The rules look at the same, so faults are data here: whoever
//! meets one reports it or goes on without.

pub(super) mod meshopt;
mod sparse;
pub(super) mod uri;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use findings::{Error, FileId, Loaded, Place, Rule, Source};
use scene::{Component, Encoding, Stream};
use wire::{Blob, Budget, Exceeded};

use crate::gltf::extensions::DRACO;
use crate::gltf::layout::Document;
use crate::gltf::rules::*;
use crate::gltf::schema::{Accessor, Image, Json, Root, gl};

/// Why something cannot be had.
#[derive(Clone)]
pub(in crate::gltf) struct Trouble {
    pub(in crate::gltf) rule: &'static Rule<Document>,
    pub(in crate::gltf) place: Place,
    pub(in crate::gltf) message: String,
    /// What the run may not make, and no fault of the file.
    pub(in crate::gltf) limit: Option<Box<Exceeded>>,
}

impl Trouble {
    pub(in crate::gltf) fn new(
        rule: &'static Rule<Document>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Trouble {
        Trouble { rule, place: Place::path(path), message: message.into(), limit: None }
    }

    fn exceeded(path: impl Into<String>, exceeded: Exceeded) -> Trouble {
        Trouble { limit: Some(Box::new(exceeded)), ..Trouble::new(&GLTF_020, path, exceeded.to_string()) }
    }

    pub(in crate::gltf) fn into_error(self) -> Error {
        match self.limit {
            Some(exceeded) => Error::exceeded(self.place, *exceeded),
            None => Error::malformed(&self.rule.info, self.place, self.message),
        }
    }
}

pub(in crate::gltf) type Found<T> = std::result::Result<T, Trouble>;

/// Bytes, and the file they are in if it is not the model itself.
#[derive(Clone)]
pub(in crate::gltf) struct Bytes {
    pub(in crate::gltf) bytes: Blob,
    pub(in crate::gltf) file: Option<FileId>,
}

/// The bulk data of a document.
pub(in crate::gltf) struct Data<'a> {
    pub(in crate::gltf) root: &'a Root,
    doc: &'a Document,
    source: &'a dyn Source,
    limits: Budget,
    buffers: Vec<OnceCell<Found<Bytes>>>,
    /// What compressed views inflate to.
    inflated: RefCell<HashMap<usize, Found<Blob>>>,
    streams: RefCell<HashMap<usize, Found<Stream>>>,
    /// Accessors whose numbers may be in a form that is not understood.
    hidden: HashSet<usize>,
}

const COMPONENTS: [(u32, Component); 6] = [
    (gl::BYTE, Component::I8),
    (gl::UNSIGNED_BYTE, Component::U8),
    (gl::SHORT, Component::I16),
    (gl::UNSIGNED_SHORT, Component::U16),
    (gl::UNSIGNED_INT, Component::U32),
    (gl::FLOAT, Component::F32),
];

pub(in crate::gltf) fn component(number: u32) -> Option<Component> {
    COMPONENTS.iter().find(|(known, _)| *known == number).map(|(_, component)| *component)
}

/// Type, numbers per column, columns.
const KINDS: [(&str, u8, u8); 7] =
    [("SCALAR", 1, 1), ("VEC2", 2, 1), ("VEC3", 3, 1), ("VEC4", 4, 1), ("MAT2", 2, 2), ("MAT3", 3, 3), ("MAT4", 4, 4)];

/// How an element of an accessor lies.
pub(in crate::gltf) struct Element {
    pub(in crate::gltf) component: Component,
    rows: usize,
    columns: usize,
}

impl Element {
    pub(in crate::gltf) fn of(accessor: &Accessor) -> Option<Element> {
        let &(_, rows, columns) = KINDS.iter().find(|(kind, ..)| *kind == accessor.kind)?;
        Some(Element { component: component(accessor.component_type)?, rows: rows.into(), columns: columns.into() })
    }

    /// The property of an accessor that is why its elements are unknown.
    pub(in crate::gltf) fn unknown(accessor: &Accessor) -> &'static str {
        if component(accessor.component_type).is_none() { "componentType" } else { "type" }
    }

    pub(in crate::gltf) fn count(&self) -> usize {
        self.rows * self.columns
    }

    fn column_size(&self) -> usize {
        self.rows * self.component.size()
    }

    /// Bytes from one column of a matrix to the next: each starts at a multiple of four.
    fn column_stride(&self) -> usize {
        if self.columns > 1 { self.column_size().next_multiple_of(4) } else { self.column_size() }
    }

    /// Bytes of one element in a buffer.
    pub(in crate::gltf) fn size(&self) -> usize {
        self.column_stride() * self.columns
    }

    fn is_padded(&self) -> bool {
        self.column_stride() != self.column_size()
    }

    fn encoding(&self, normalised: bool) -> Encoding {
        Encoding { normalised, ..Encoding::packed(self.component, self.count() as u8) }
    }
}

impl<'a> Data<'a> {
    pub(in crate::gltf) fn new(doc: &'a Document, source: &'a dyn Source, limits: Budget) -> Data<'a> {
        let root: &Root = &doc.root;
        Data {
            root,
            doc,
            source,
            limits,
            buffers: root.buffers.iter().map(|_| OnceCell::new()).collect(),
            inflated: RefCell::default(),
            streams: RefCell::default(),
            hidden: hidden(root),
        }
    }

    /// Counts what is made although the file does not hold it.
    pub(in crate::gltf) fn make(&self, path: &str, elements: u64, bytes: u64) -> Found<()> {
        let charged = self.limits.charge_elements(elements).and_then(|()| self.limits.charge(bytes));
        charged.map_err(|exceeded| Trouble::exceeded(path, exceeded))
    }

    /// The bytes of a buffer, at least as many as there are.
    pub(in crate::gltf) fn buffer(&self, index: usize) -> Found<Bytes> {
        let Some(cell) = self.buffers.get(index) else {
            return Err(Trouble::new(&GLTF_014, "buffers", format!("there is no buffer {index}")));
        };
        cell.get_or_init(|| self.load(index)).clone()
    }

    fn load(&self, index: usize) -> Found<Bytes> {
        let buffer = &self.root.buffers[index];
        let path = format!("buffers[{index}]");
        let own = |bytes| Ok(Bytes { bytes, file: None });
        let Some(uri) = &buffer.uri else {
            return match self.doc.binary().filter(|_| index == 0) {
                Some([one]) => own(one.clone()),
                Some(parts) => own(Blob::memory(parts.iter().map(|part| &part[..]).collect::<Vec<_>>().concat())),
                None if meshopt::is_fallback(buffer) => own(Blob::default()),
                None => Err(Trouble::new(&GLTF_016, path, "it has no URI, and the file no binary chunk")),
            };
        };
        let path = format!("{path}.uri");
        match uri::resolve(uri) {
            uri::Target::Data(_, bytes) => own(bytes),
            uri::Target::Nowhere(why) => Err(Trouble::new(&GLTF_018, path, why)),
            uri::Target::Path(name) => match self.find_file(&name, uri) {
                Loaded::Found { bytes, id } => Ok(Bytes { bytes, file: Some(id) }),
                Loaded::Missing => Err(Trouble::new(&GLTF_016, path, format!("{name} is not there"))),
                Loaded::Refused(why) => Err(Trouble::new(&GLTF_016, path, why)),
            },
        }
    }

    /// A file by its name; if there is none, by the name as the URI spells it.
    pub(in crate::gltf) fn find_file(&self, name: &str, uri: &str) -> Loaded {
        match self.source.load(name, None) {
            Loaded::Missing if name != uri => self.source.load(uri, None),
            loaded => loaded,
        }
    }

    /// The bytes of an image, if they are there.
    pub(in crate::gltf) fn image(&self, image: &Image) -> Option<Blob> {
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::resolve(uri) {
                uri::Target::Data(_, bytes) => Some(bytes),
                uri::Target::Path(name) => self.find_file(&name, uri).bytes(),
                uri::Target::Nowhere(_) => None,
            },
            (None, view) => self.view(view?).ok().map(|view| view.bytes),
        }
    }

    /// The bytes of a view.
    pub(in crate::gltf) fn view(&self, index: usize) -> Found<Bytes> {
        let path = || format!("bufferViews[{index}]");
        let Some(view) = self.root.buffer_views.get(index) else {
            return Err(Trouble::new(&GLTF_014, "bufferViews", format!("there is no buffer view {index}")));
        };
        if let Some((name, json)) = meshopt::of(&view.extensions) {
            let known = self.inflated.borrow().get(&index).cloned();
            let found = known.unwrap_or_else(|| {
                let found = self.inflate(json, &format!("{}.extensions.{name}", path()));
                self.inflated.borrow_mut().insert(index, found.clone());
                found
            });
            return found.map(|bytes| Bytes { bytes, file: None });
        }
        self.cut(view.buffer, view.byte_offset.unwrap_or(0), view.byte_length, &path())
    }

    fn cut(&self, buffer: usize, offset: usize, size: usize, path: &str) -> Found<Bytes> {
        let Bytes { bytes, file } = self.buffer(buffer)?;
        match bytes.get(offset, size) {
            Some(bytes) => Ok(Bytes { bytes, file }),
            None => {
                let end = offset as u128 + size as u128;
                let message = format!("it ends at byte {end}, and buffer {buffer} has {} bytes", bytes.len());
                let field = if offset > bytes.len() { "byteOffset" } else { "byteLength" };
                Err(Trouble::new(&GLTF_019, format!("{path}.{field}"), message))
            }
        }
    }

    fn inflate(&self, json: &Json, path: &str) -> Found<Blob> {
        let Some(packed) = meshopt::Packed::new(json) else {
            return Err(Trouble::new(
                &GLTF_037,
                path.to_owned(),
                "it lacks a property, or has one of no known meaning",
            ));
        };
        let Bytes { bytes, .. } = self.cut(packed.buffer, packed.byte_offset, packed.byte_length, path)?;
        self.make(path, 0, packed.size())?;
        match packed.inflate(&bytes) {
            Some(bytes) => Ok(Blob::inflated(bytes)),
            None => Err(Trouble::new(&GLTF_037, path.to_owned(), "the compressed bytes cannot be inflated")),
        }
    }

    /// The numbers of an accessor; they stay where the buffer has them, unless it is sparse.
    pub(in crate::gltf) fn stream(&self, index: usize) -> Found<Stream> {
        if let Some(known) = self.streams.borrow().get(&index) {
            return known.clone();
        }
        let found = self.make_stream(index);
        self.streams.borrow_mut().insert(index, found.clone());
        found
    }

    fn make_stream(&self, index: usize) -> Found<Stream> {
        let path = format!("accessors[{index}]");
        let Some(accessor) = self.root.accessors.get(index) else {
            return Err(Trouble::new(&GLTF_014, "accessors", format!("there is no accessor {index}")));
        };
        let Some(element) = Element::of(accessor) else {
            let message = format!("{} of component type {} is unknown", accessor.kind, accessor.component_type);
            return Err(Trouble::new(&GLTF_021, format!("{path}.{}", Element::unknown(accessor)), message));
        };
        let stream = match accessor.buffer_view {
            Some(view) => self.stored(accessor, &element, view, &path)?,
            None if self.hidden.contains(&index) => {
                return Err(Trouble::new(&GLTF_010, path, format!("only {DRACO} has its numbers")));
            }
            None => self.zeros(accessor, &element, &path)?,
        };
        match &accessor.sparse {
            Some(json) => sparse::apply(self, stream, json, &path),
            None => Ok(stream),
        }
    }

    fn stored(&self, accessor: &Accessor, element: &Element, view: usize, path: &str) -> Found<Stream> {
        let bytes = self.view(view)?.bytes;
        let stride = self.root.buffer_views.get(view).and_then(|v| v.byte_stride).unwrap_or(element.size());
        let offset = accessor.byte_offset.unwrap_or(0);
        let part = self.elements(&bytes, offset, accessor.count, stride, element.size(), path, view);
        let part = part.map_err(|trouble| {
            let place = match () {
                () if stride < element.size() => format!("bufferViews[{view}].byteStride"),
                () if offset > bytes.len() => format!("{path}.byteOffset"),
                () => format!("{path}.count"),
            };
            Trouble { place: Place::path(place), ..trouble }
        })?;
        let encoding = element.encoding(accessor.normalized == Some(true));
        if element.is_padded() {
            let size = (accessor.count * encoding.stride) as u64;
            self.make(path, 0, size)?;
            return Ok(Stream::new(without_padding(&part, accessor.count, stride, element), accessor.count, encoding));
        }
        Ok(Stream::new(part, accessor.count, Encoding { stride, ..encoding }))
    }

    /// The bytes of so many elements, if they all lie inside.
    #[allow(clippy::too_many_arguments)]
    pub(in crate::gltf) fn elements(
        &self,
        bytes: &Blob,
        offset: usize,
        count: usize,
        stride: usize,
        size: usize,
        path: &str,
        view: usize,
    ) -> Found<Blob> {
        if stride < size {
            let message = format!("an element takes {size} bytes, and the next one starts {stride} bytes later");
            return Err(Trouble::new(&GLTF_020, path, message));
        }
        let needed = match count {
            0 => Some(0),
            count => (count - 1).checked_mul(stride).and_then(|last| last.checked_add(size)),
        };
        needed.and_then(|needed| bytes.get(offset, needed)).ok_or_else(|| {
            let end = offset as u128 + count.saturating_sub(1) as u128 * stride as u128 + size as u128;
            let message = format!("it ends at byte {end}, and buffer view {view} has {} bytes", bytes.len());
            Trouble::new(&GLTF_020, path, message)
        })
    }

    /// Zeros: one element that stands for all.
    fn zeros(&self, accessor: &Accessor, element: &Element, path: &str) -> Found<Stream> {
        // Whoever looks at them takes them for doubles.
        let numbers = (accessor.count as u64).saturating_mul(8 * element.count() as u64);
        self.make(path, accessor.count as u64, numbers)?;
        let encoding = element.encoding(accessor.normalized == Some(true));
        let one = Blob::memory(vec![0; encoding.element_size()]);
        Ok(Stream::new(one, accessor.count, Encoding { stride: 0, ..encoding }))
    }
}

/// Accessors of primitives that are compressed by an extension which is not understood.
fn hidden(root: &Root) -> HashSet<usize> {
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let compressed = primitives.filter(|primitive| primitive.extensions.contains_key(DRACO));
    compressed.flat_map(|primitive| primitive.attributes.values().copied().chain(primitive.indices)).collect()
}

/// Matrices whose columns start at multiples of four bytes, packed.
fn without_padding(bytes: &[u8], count: usize, stride: usize, element: &Element) -> Blob {
    let mut out = Vec::with_capacity(count * element.column_size() * element.columns);
    for stored in bytes.chunks(stride).take(count) {
        for column in stored.chunks(element.column_stride()).take(element.columns) {
            out.extend_from_slice(&column[..element.column_size()]);
        }
    }
    Blob::memory(out)
}
