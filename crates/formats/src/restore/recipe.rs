//! A source as what a glTF file says of it already, and what is left.
//!
//! Most of a model is vertex data, which glTF has too: the same bytes, or the same numbers spelled otherwise. A recipe
//! says where such numbers lie in the source and how they are spelled there. What they say, and zeros between them, is
//! the source but for a rest, which is what the two differ in; of bytes that are foretold it is zeros, and takes next to
//! no room once it is deflated. A number that somebody changed since changes the bytes it foretells, and nothing else.

use std::collections::HashMap;
use std::io::{Read, Write};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use scene::{Component, Stream};
use wire::{Blob, Order};

/// Fewer bytes are not worth a line of the recipe.
const LEAST: usize = 256;

/// Bytes of a line.
const LINE: usize = 28;

/// A line foretells [`LEAST`] bytes of the source at least; this many may foretell the same ones.
const SHARED: usize = 4;

/// So many bytes of accessors are looked at for each byte of the source: a few lines could name a large one over and
/// over.
const WORK: u64 = 64;

/// As many are looked at in any case.
const LEAST_WORK: u64 = 1 << 20;

/// How hard to deflate: what is foretold is zeros, and those need no more.
const LEVEL: u32 = 6;

/// Where numbers of an accessor lie in the source, and how they are spelled there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    accessor: u32,
    at: u64,
    stride: u32,
    elements: u32,
    component: u8,
    count: u8,
    /// 1: big-endian; 2: the second number is 1 − v.
    flags: u8,
    /// Of the bytes of the accessor.
    sum: u32,
}

const COMPONENTS: [Component; 7] =
    [Component::U8, Component::I8, Component::U16, Component::I16, Component::U32, Component::I32, Component::F32];

impl Line {
    /// The line of a stream that lies in the source and was written as an accessor.
    fn of(source: &Blob, stored: &Stream, accessor: usize, written: &Stream) -> Option<Line> {
        let (start, data) = (source.as_ptr().addr(), stored.data());
        let at = data.as_ptr().addr().checked_sub(start).filter(|at| at + data.len() <= source.len())?;
        let encoding = stored.encoding();
        let component = COMPONENTS.iter().position(|own| *own == encoding.component)?;
        if stored.len() * encoding.element_size() < LEAST {
            return None;
        }
        Some(Line {
            accessor: u32::try_from(accessor).ok()?,
            at: at as u64,
            stride: u32::try_from(encoding.stride).ok()?,
            elements: u32::try_from(stored.len()).ok()?,
            component: component as u8,
            count: encoding.count,
            flags: u8::from(encoding.order == Order::Big) | u8::from(encoding.flip_v) << 1,
            sum: sum(written),
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.accessor.to_le_bytes());
        out.extend(self.at.to_le_bytes());
        out.extend(self.stride.to_le_bytes());
        out.extend(self.elements.to_le_bytes());
        out.extend([self.component, self.count, self.flags, 0]);
        out.extend(self.sum.to_le_bytes());
    }

    fn read(bytes: &[u8; LINE]) -> Line {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Line {
            accessor: word(0),
            at: u64::from(word(4)) | u64::from(word(8)) << 32,
            stride: word(12),
            elements: word(16),
            component: bytes[20],
            count: bytes[21],
            flags: bytes[22],
            sum: word(24),
        }
    }

    /// Writes what the numbers of an accessor are in the source. What is not there, or has no room, is left.
    fn foretell(&self, numbers: &Stream, source: &mut [u8]) -> Option<()> {
        let component = *COMPONENTS.get(usize::from(self.component))?;
        let (size, count, stride) = (component.size(), usize::from(self.count), self.stride as usize);
        let elements = (self.elements as usize).min(numbers.len());
        let room = source.get_mut(usize::try_from(self.at).ok()?..)?;
        if count == 0 || stride < size * count || elements == 0 {
            return None;
        }
        let room = room.get_mut(..(elements - 1).checked_mul(stride)?.checked_add(size * count)?)?;
        let (big, flipped) = (self.flags & 1 != 0, self.flags & 2 != 0);
        let from = numbers.encoding();
        let as_it_is = from.component == component && usize::from(from.count) == count && !big && !flipped;
        if as_it_is {
            for i in 0..elements {
                let bytes = numbers.data().get(i * from.stride, size * count)?;
                room[i * stride..][..size * count].copy_from_slice(&bytes);
            }
            return Some(());
        }
        let put = |element: &mut [u8], k: usize, bytes: &[u8]| {
            let number = &mut element[k * size..][..size];
            number.copy_from_slice(&bytes[..size]);
            if big {
                number.reverse();
            }
        };
        let width = numbers.count();
        if component == Component::F32 {
            for (row, element) in numbers.to_f32().chunks_exact(width).take(elements).zip(room.chunks_mut(stride)) {
                for (k, value) in row.iter().enumerate().take(count) {
                    let value = if flipped && k == 1 { 1. - value } else { *value };
                    put(element, k, &value.to_le_bytes());
                }
            }
        } else {
            for (row, element) in numbers.to_u32().chunks_exact(width).take(elements).zip(room.chunks_mut(stride)) {
                row.iter().enumerate().take(count).for_each(|(k, value)| put(element, k, &value.to_le_bytes()));
            }
        }
        Some(())
    }
}

/// A sum over the bytes of packed elements.
fn sum(stream: &Stream) -> u32 {
    let (encoding, data) = (stream.encoding(), stream.data());
    let size = encoding.element_size();
    let mut crc = Crc::new();
    if encoding.stride == size {
        crc.update(&data[..data.len().min(stream.len() * size)]);
    } else {
        (0..stream.len()).filter_map(|i| data.get(i * encoding.stride, size)).for_each(|bytes| crc.update(&bytes));
    }
    crc.sum()
}

/// Writes a recipe: each pair is a stream of the scene and the accessor that it was written as. Nothing if the source
/// itself takes no more room.
pub(crate) fn write(source: &Blob, streams: &[(Stream, usize, Stream)]) -> Option<Vec<u8>> {
    let lines =
        streams.iter().filter_map(|(stored, at, written)| Some((Line::of(source, stored, *at, written)?, written)));
    let lines: Vec<(Line, &Stream)> = lines.collect();
    let mut rest = vec![0; source.len()];
    lines.iter().for_each(|(line, written)| _ = line.foretell(written, &mut rest));
    rest.iter_mut().zip(source.iter()).for_each(|(foretold, byte)| *foretold ^= byte);
    let mut head = Vec::with_capacity(4 + lines.len() * LINE);
    head.extend(u32::try_from(lines.len()).ok()?.to_le_bytes());
    lines.iter().for_each(|(line, _)| line.write(&mut head));
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(&head).and_then(|()| encoder.write_all(&rest)).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < source.len())
}

/// A source that was made of a recipe.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// Whether all numbers that foretell it are what they were.
    pub(crate) is_foretold: bool,
}

/// Follows a recipe for a source of `size` bytes; `accessor` has the numbers of one, and there are `count`. Nothing if
/// it is none.
pub(crate) fn read(
    packed: &[u8],
    size: usize,
    count: usize,
    accessor: impl Fn(usize) -> Option<Stream>,
) -> Option<Made> {
    let mut decoder = ZlibDecoder::new(packed);
    let mut head = [0; 4];
    decoder.read_exact(&mut head).ok()?;
    let lines = u32::from_le_bytes(head) as usize;
    if lines > size / LEAST * SHARED {
        return None;
    }
    let mut line = [0; LINE];
    let read = |_| decoder.read_exact(&mut line).ok().map(|()| Line::read(&line));
    let lines: Vec<Line> = (0..lines).map(read).collect::<Option<_>>()?;
    let mut rest = Vec::new();
    rest.try_reserve_exact(size).ok()?;
    decoder.by_ref().take(size as u64).read_to_end(&mut rest).ok()?;
    if rest.len() != size || decoder.read(&mut [0]).ok()? != 0 {
        return None;
    }
    let mut bytes = vec![0; size];
    let mut is_foretold = true;
    let mut found = Search { count, accessor, left: WORK * size as u64 + LEAST_WORK, sums: None };
    for line in lines {
        let own = found.of_length(line.accessor as usize, line.elements);
        let is_same = own.as_ref().map_or(Some(false), |own| Some(found.sum(own)? == line.sum))?;
        let numbers = if is_same { own.clone() } else { found.elsewhere(&line)? };
        is_foretold &= numbers.is_some();
        if let Some(numbers) = numbers.or(own) {
            found.look(&numbers)?;
            _ = line.foretell(&numbers, &mut bytes);
        }
    }
    bytes.iter_mut().zip(rest).for_each(|(byte, rest)| *byte ^= rest);
    Some(Made { bytes, is_foretold })
}

/// Looks for the accessors that foretell a source, for as long as the source is worth it.
struct Search<F> {
    count: usize,
    accessor: F,
    /// Bytes that may still be looked at.
    left: u64,
    /// The sums of all accessors, once they are asked for.
    sums: Option<HashMap<u32, usize>>,
}

impl<F: Fn(usize) -> Option<Stream>> Search<F> {
    fn of_length(&self, at: usize, elements: u32) -> Option<Stream> {
        (self.accessor)(at).filter(|stream| stream.len() == elements as usize)
    }

    /// Nothing if that is too much.
    fn look(&mut self, stream: &Stream) -> Option<()> {
        let bytes = stream.len() as u64 * stream.encoding().element_size() as u64;
        self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    fn sum(&mut self, stream: &Stream) -> Option<u32> {
        self.look(stream)?;
        Some(sum(stream))
    }

    /// The numbers of a line under another number: programs number accessors anew. Nothing at all if that is too much.
    fn elsewhere(&mut self, line: &Line) -> Option<Option<Stream>> {
        if self.sums.is_none() {
            let mut sums = HashMap::new();
            for at in (0..self.count).rev() {
                if let Some(stream) = (self.accessor)(at) {
                    sums.insert(self.sum(&stream)?, at);
                }
            }
            self.sums = Some(sums);
        }
        let at = self.sums.as_ref().and_then(|sums| sums.get(&line.sum));
        Some(at.and_then(|at| self.of_length(*at, line.elements)))
    }
}

#[cfg(test)]
mod tests {
    use scene::Encoding;

    use super::*;

    /// A file with a header, floats, texture coordinates from the bottom, and indices, and what glTF has of it.
    fn file() -> (Blob, Vec<(Stream, usize, Stream)>) {
        let floats: Vec<f32> = (0..300).map(|i| (i as f32).sin()).collect();
        let coordinates: Vec<f32> = (0..200).map(|i| i as f32 / 777.).collect();
        let indices: Vec<u32> = (0..300).rev().collect();
        let mut bytes = b"header of 16 by.".to_vec();
        floats.iter().chain(&coordinates).for_each(|v| bytes.extend(v.to_le_bytes()));
        indices.iter().for_each(|v| bytes.extend(v.to_be_bytes()));
        let file = Blob::file(bytes);
        let stream =
            |at: usize, size: usize, len: usize, encoding| Stream::new(file.slice(at..at + size), len, encoding);
        let flipped = Encoding { flip_v: true, ..Encoding::packed(Component::F32, 2) };
        let big = Encoding { order: Order::Big, ..Encoding::packed(Component::U32, 1) };
        let shorts = indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect::<Vec<u8>>();
        let streams = vec![
            (stream(16, 1200, 100, Encoding::packed(Component::F32, 3)), Stream::from_f32(3, floats)),
            (stream(1216, 800, 100, flipped), Stream::from_f32(2, stream(1216, 800, 100, flipped).to_f32())),
            (stream(2016, 1200, 300, big), Stream::new(Blob::memory(shorts), 300, Encoding::packed(Component::U16, 1))),
        ];
        let streams = streams.into_iter().enumerate().map(|(at, (stored, written))| (stored, at, written)).collect();
        (file, streams)
    }

    #[test]
    fn what_gltf_says_takes_no_room() {
        let (file, streams) = file();
        let packed = write(&file, &streams).unwrap();
        assert!(packed.len() < 300, "{}", packed.len());
        let accessor = |at: usize| streams.get(at).map(|(.., written)| written.clone());
        let made = read(&packed, file.len(), 3, accessor).unwrap();
        assert!(made.bytes == file[..] && made.is_foretold);
        // Numbered anew.
        let turned = |at: usize| streams.get(2_usize.checked_sub(at)?).map(|(.., written)| written.clone());
        let made = read(&packed, file.len(), 3, turned).unwrap();
        assert!(made.bytes == file[..] && made.is_foretold);
    }

    #[test]
    fn a_changed_number_changes_its_own_bytes() {
        let (file, streams) = file();
        let packed = write(&file, &streams).unwrap();
        let accessor = |at: usize| match at {
            0 => Some(Stream::from_f32(3, (0..300).map(|i| if i == 7 { 9. } else { (i as f32).sin() }).collect())),
            _ => streams.get(at).map(|(.., written)| written.clone()),
        };
        let made = read(&packed, file.len(), 3, accessor).unwrap();
        let differ: Vec<usize> = (0..file.len()).filter(|&i| made.bytes[i] != file[i]).collect();
        assert!(!made.is_foretold && differ.iter().all(|at| (44..48).contains(at)), "{differ:?}");
        assert_eq!(made.bytes[44..48], 9_f32.to_le_bytes());
    }

    #[test]
    fn lines_that_name_one_accessor_over_and_over_end() {
        let numbers = Stream::from_f32(1, vec![0.; 1 << 18]);
        let source = Blob::memory(vec![0; 1 << 16]);
        let sum = sum(&numbers);
        let line = Line { accessor: 0, at: 0, stride: 4, elements: 1 << 18, component: 6, count: 1, flags: 0, sum };
        let recipe = |lines: usize| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
            let mut plain = (lines as u32).to_le_bytes().to_vec();
            (0..lines).for_each(|_| line.write(&mut plain));
            plain.extend(&source[..]);
            encoder.write_all(&plain).unwrap();
            encoder.finish().unwrap()
        };
        let looked = std::cell::Cell::new(0);
        let accessor = |_: usize| {
            looked.set(looked.get() + 1);
            Some(numbers.clone())
        };
        assert!(read(&recipe(1), source.len(), 1, accessor).is_some());
        looked.set(0);
        // Each line looks at a mebibyte twice; sixty-four sources and one mebibyte are five of them.
        assert!(read(&recipe(1000), source.len(), 1, accessor).is_none());
        assert!(looked.get() < 10, "{}", looked.get());
        assert!(read(&recipe(1025), source.len(), 1, accessor).is_none(), "more lines than it has room for");
    }

    #[test]
    fn what_is_no_recipe_is_refused() {
        let (file, streams) = file();
        let packed = write(&file, &streams).unwrap();
        let none = |_: usize| None;
        assert!(read(&packed, file.len() + 1, 0, none).is_none());
        assert!(read(&packed, file.len() - 1, 0, none).is_none());
        assert!(read(&packed[..packed.len() / 2], file.len(), 0, none).is_none());
        assert!(read(b"no zlib", 9, 0, none).is_none());
        assert!(!read(&packed, file.len(), 0, none).unwrap().is_foretold);
    }
}
