//! What faces say about their corners: texture coordinates of each, and one colour for all of them. Vertices are parted
//! where corners differ.

use ops::{Welded, weld_rows};
use scene::loss::*;
use scene::{Attribute, Primitive, Semantic, Stream};

use crate::LiftCx;
use crate::ply::data::decode;
use crate::ply::meaning::Meaning;

/// What makes a vertex: the one of the file, its texture coordinates, its colour.
type Corner = (u32, [u32; 2], [u32; 4]);

/// Gives the primitive of some faces, which are rows of their element, what they say about their corners.
pub(super) fn part(mut primitive: Primitive, rows: &[u32], meaning: &Meaning<'_>, cx: &mut LiftCx<'_>) -> Primitive {
    if meaning.corner_uv.is_none() && meaning.face_color.is_none() {
        return primitive;
    }
    let order = primitive.indices.as_ref().map(|indices| indices.to_vec()).unwrap_or_default();
    let sizes = meaning.face.map(|lists| meaning.indices(lists).0).unwrap_or_default();
    let (texcoords, missing) = texcoords(rows, sizes, meaning);
    if missing > 0 {
        let why = "their lists are not two numbers for each corner";
        cx.lose(&LOSS_018, "file", missing, "texture coordinates of faces set to zero", why);
    }
    let colors = colors(meaning);
    let (mut all, mut at) = (Vec::<Corner>::with_capacity(order.len()), 0);
    for &row in rows {
        let color = colors.as_ref().map_or([0; 4], |colors| colors(row).map(f32::to_bits));
        for _ in 0..sizes.get(row as usize).copied().unwrap_or(0) {
            let uv = texcoords.get(at).copied().unwrap_or_default().map(f32::to_bits);
            all.push((order.get(at).copied().unwrap_or(0), uv, color));
            at += 1;
        }
    }
    let Welded { rows: corners, indices } = weld_rows(all);
    let vertices: Vec<u32> = corners.iter().map(|corner| corner.0).collect();
    primitive.attributes.iter_mut().for_each(|attribute| attribute.stream = attribute.stream.gather(&vertices));
    let mut add = |semantic, stream| primitive.attributes.push(Attribute { semantic, stream });
    if let Some(properties) = &meaning.face_color {
        let width = properties.len();
        let numbers = corners.iter().flat_map(|corner| corner.2[..width].iter().map(|bits| f32::from_bits(*bits)));
        add(Semantic::Color(0), Stream::from_f32(width as u8, numbers.collect()));
    }
    if meaning.corner_uv.is_some() {
        let numbers = corners.iter().flat_map(|corner| corner.1.map(f32::from_bits)).collect();
        add(Semantic::TexCoord(0), Stream::from_f32(2, numbers).flipped());
    }
    primitive.indices = Some(indices.into());
    primitive
}

/// The texture coordinates of all corners of some faces, and how many faces have none.
fn texcoords(rows: &[u32], sizes: &[u32], meaning: &Meaning<'_>) -> (Vec<[f32; 2]>, u64) {
    let Some(lists) = meaning.corner_uv else { return (Vec::new(), 0) };
    let (element, table) = meaning.element(lists.element);
    let (item, list) = (element.properties[lists.property].item, &table.lists[lists.list]);
    let mut starts = Vec::with_capacity(list.sizes.len());
    let mut next = 0;
    for &size in &list.sizes {
        starts.push(next);
        next += size as usize * item.size();
    }
    let (mut out, mut missing) = (Vec::new(), 0);
    for &row in rows {
        let row = row as usize;
        let corners = sizes.get(row).copied().unwrap_or(0) as usize;
        let own = list.sizes.get(row).filter(|size| **size as usize == corners * 2);
        let bytes = own.and_then(|_| list.items.get(starts[row]..starts[row] + corners * 2 * item.size()));
        match bytes {
            Some(bytes) => {
                let number = |bytes: &[u8]| decode(bytes, item, table.order) as f32;
                out.extend(bytes.chunks_exact(2 * item.size()).map(|pair| {
                    let (u, v) = pair.split_at(item.size());
                    [number(u), number(v)]
                }));
            }
            None => {
                missing += 1;
                out.resize(out.len() + corners, [0.; 2]);
            }
        }
    }
    (out, missing)
}

/// The colour of a face by its row.
fn colors<'a>(meaning: &'a Meaning<'a>) -> Option<impl Fn(u32) -> [f32; 4] + 'a> {
    let properties = meaning.face_color.as_ref()?;
    let (element, table) = meaning.element(meaning.face?.element);
    let (offsets, _) = element.offsets();
    Some(move |row: u32| {
        let mut color = [1.; 4];
        for (slot, &property) in color.iter_mut().zip(properties) {
            let scalar = element.properties[property].item;
            let number = table.number(row as usize, offsets[property], scalar);
            *slot = scalar.share(number) as f32;
        }
        color
    })
}
