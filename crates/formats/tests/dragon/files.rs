//! Fields against bytes that were laid out by hand, and what editing does to them.

use findings::Losses;
use formats::dragon::{
    AniTrack, AttributeType, Bezier, Body, Document, Dragon, DrawType, Guid, Indices, Kind, LightType, Pair,
    Placements, Rotation, RotationType, Sampling, Section, Semantic, Vertex,
};
use formats::{Document as _, Format, LowerCx, NoSource, Options};
use wire::{Blob, CText, F32, Order, Sink, Text};

use crate::support::*;

fn body(doc: &Document, kind: Kind) -> &Body {
    let section = doc.sections.iter().find(|section| section.kind() == Some(kind));
    &section.unwrap_or_else(|| panic!("no {}", kind.name())).body
}

fn vertex(doc: &Document) -> &Vertex {
    let Body::Vertex(vertex) = body(doc, Kind::Vertex) else { panic!("it is a VERTEX") };
    vertex
}

fn transcode(doc: &mut Document, options: &[(&str, &str)], dialect: &'static str) -> findings::Result<Losses> {
    let mut set = Options::default();
    options.iter().for_each(|(name, value)| set.set(name, *value));
    let mut cx = LowerCx { options: &set, ..LowerCx::new(&NoSource, dialect) };
    Dragon::transcode(doc, &mut cx)?;
    Ok(cx.losses)
}

#[test]
fn triangle_reads_as_written_by_hand() {
    let doc = read(&corpus::dragon::one_triangle());
    assert_eq!(doc.header.guid, Guid::FILE);
    assert_eq!(doc.header.guid.to_string(), "abbb0d0a1a0aababbbbb0d0a1a0aabbb");
    let vertex = vertex(&doc);
    assert_eq!((vertex.stride, vertex.len()), (12, 3));
    let Body::Geometry(geometry) = body(&doc, Kind::Geometry) else { panic!() };
    assert_eq!(geometry.name.to_string(), "g");
    assert_eq!((geometry.vertex_buffer, geometry.indice_buffer), (Guid([1; 16]), Guid([2; 16])));
    let mesh = &geometry.meshes[0];
    assert_eq!((mesh.draw_type, mesh.vertex_count, mesh.face_offset, mesh.face_count), (DrawType::TRIANGLE, 3, 0, 3));
    let Body::Indice(indice) = body(&doc, Kind::Indice) else { panic!() };
    assert_eq!((indice.indices.width(), indice.indices.get(2)), (2, Some(2)));
}

#[test]
fn offsets_count_from_themselves_and_reading_returns() {
    // Attributes at 125 = 117 + 8, rows at 137 = 121 + 16: two arrays behind two offsets.
    let doc = read(&corpus::dragon::one_triangle());
    let tree = doc.tree();
    for (path, offset, size) in [
        ("sections[0].attributes_offset", 117, 4),
        ("sections[0].buffer_offset", 121, 4),
        ("sections[0].attributes", 125, 12),
        ("sections[0].buffer", 137, 36),
        ("sections[1].indices", 230, 6),
        ("sections[2].meshes[0].face_count", 405, 4),
        ("header.total_size", 52, 4),
    ] {
        assert_eq!(wire::locate(&tree, path), Some(wire::Span::file(offset, size)), "{path}");
    }
}

#[test]
fn model_has_every_kind() {
    let doc = read(&corpus::dragon::model(false));
    let mut kinds: Vec<Kind> = doc.sections.iter().filter_map(|section| section.kind()).collect();
    kinds.push(Kind::Dragon);
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, Kind::ALL.map(|(kind, _)| kind));
}

#[test]
fn both_byte_orders_say_the_same() {
    let (little, big) = (read(&corpus::dragon::model(false)), read(&corpus::dragon::model(true)));
    assert_eq!((little.order, big.order), (Order::Little, Order::Big));
    assert!(little.sections == big.sections);
    assert!(little != big, "the byte order is part of the document");
}

#[test]
fn byte_order_can_be_changed_and_changed_back() {
    let (little, big) = (corpus::dragon::model(false), corpus::dragon::model(true));
    let mut doc = read(&little);
    let losses = transcode(&mut doc, &[("endian", "big")], "spec").expect("it is an order");
    assert!(losses.is_empty());
    assert!(write(&doc) == big);
    let losses = transcode(&mut doc, &[("endian", "little")], "spec").expect("it is an order");
    assert!(losses.is_empty() && write(&doc) == little);
}

#[test]
fn the_same_byte_order_changes_nothing() {
    let file = corpus::dragon::model(true);
    let mut doc = read(&file);
    let losses = transcode(&mut doc, &[("endian", "big")], "spec").expect("it is an order");
    assert!(losses.is_empty() && doc.is_as_read() && write(&doc) == file);
    let error = transcode(&mut doc, &[("endian", "middle")], "spec").expect_err("no such order");
    assert!(error.message().contains("middle"), "{error}");
}

#[test]
fn bytes_of_no_known_layout_are_not_swapped_and_listed() {
    let sample = testing::sample("dragon", "unknown-section");
    let mut doc = read(&sample);
    let losses = transcode(&mut doc, &[("endian", "big")], "spec").expect("it is an order");
    let codes: Vec<&str> = losses.iter().map(|loss| loss.code).collect();
    assert_eq!(codes, ["LOSS-070"]);
    let Some(Body::Unknown(unknown)) = doc.sections.last().map(|section| &section.body) else { panic!() };
    assert_eq!((&unknown.tag, &unknown.bytes[..]), (b"VENDOR_X", &b"whatever"[..]));
    assert_eq!(read(&write(&doc)), doc);
}

#[test]
fn a_variant_asked_for_canonically_becomes_canonical() {
    for variant in corpus::dragon::VARIANTS {
        let mut doc = read(&(variant.file)());
        let losses = transcode(&mut doc, &[], "spec").expect("it can be written");
        assert!(losses.is_empty());
        let again = read(&write(&doc));
        assert!(again.variants().is_empty(), "{}: {:?}", variant.name, again.variants());
        assert!(again == doc, "{}", variant.name);
    }
}

#[test]
fn a_file_of_2019_gets_what_is_named_today() {
    let find = |name: &str| corpus::dragon::VARIANTS.iter().find(|v| v.name == name).expect("it is listed");
    let doc = read(&(find("variant-2019").file)());
    assert!(doc.is_of_2019());
    let Body::Texture(texture) = body(&doc, Kind::Texture) else { panic!() };
    assert_eq!(texture.path_of_2019.as_ref().map(|path| path.to_string()).as_deref(), Some("textures\\scales.png"));
    let modern = anew(&doc);
    assert!(!modern.is_of_2019());
    let Body::Texture(texture) = body(&modern, Kind::Texture) else { panic!() };
    let image = modern.find(texture.image).expect("the image is named");
    assert!(matches!(&image.body, Body::Image(image) if image.path.bytes() == b"textures\\scales.png"));
    assert_eq!(read(&write(&modern)), modern);
}

#[test]
fn attributes_become_typed_streams_where_they_lie() {
    for big in [false, true] {
        let file = Blob::file(corpus::dragon::model(big));
        let doc = Dragon::read(file.clone(), &mut formats::ReadCx::default()).expect("readable");
        let vertex = vertex(&doc);
        let stream =
            |semantic, layer| vertex.stream(vertex.find(semantic, layer).expect("it is there")).expect("typed");
        assert_eq!(stream(Semantic::POSITION, 0).to_f32(), [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.]);
        assert_eq!(stream(Semantic::NORMAL, 0).to_f32()[..3], [0., 0., 1.]);
        assert_eq!(stream(Semantic::TEXCOORD, 0).to_f32()[..4], [0., 0., 1., 0.]);
        // Half floats.
        assert_eq!(stream(Semantic::TEXCOORD, 1).to_f32()[4..6], [1., 1.]);
        assert_eq!(stream(Semantic::COLOR, 0).to_f64()[..4], [1., 128. / 255., 0., 1.]);
        assert_eq!(stream(Semantic::BLENDINDICES, 0).to_u32()[..2], [0, 1]);
        let place = stream(Semantic::POSITION, 0).data().as_ptr();
        assert!(file.as_ptr_range().contains(&place), "it is a view of the file");
    }
}

#[test]
fn attribute_widths_are_told_from_their_types() {
    let doc = read(&corpus::dragon::one_triangle());
    let mut attribute = vertex(&doc).attributes.get(0).expect("one");
    let mut has = |kind, width| {
        (attribute.attribute_type, attribute.width) = (kind, width);
        attribute.component().is_some()
    };
    assert_eq!([1, 2, 4, 8].map(|width| has(AttributeType::FLOAT, width)), [false, true, true, true]);
    assert_eq!([1, 2, 3, 4, 8].map(|width| has(AttributeType::SIGNED, width)), [true, true, false, true, true]);
    assert!(!has(AttributeType(0), 4));
}

#[test]
fn values_of_settings_follow_the_byte_order() {
    let doc = read(&corpus::dragon::model(true));
    let Body::Settings(settings) = body(&doc, Kind::Settings) else { panic!() };
    let value =
        |key: &str| settings.pairs.iter().find(|p| p.key.bytes() == key.as_bytes()).map(|p| p.value_in(Order::Little));
    assert_eq!(value("unit_scale").as_deref(), Some(&0.5_f32.to_le_bytes()[..]));
    assert_eq!(value("flags").as_deref(), Some(&[1, 0, 3, 2][..]));
    assert_eq!(value("name").as_deref(), Some(&b"Dragon"[..]));
    // Nothing says what an unknown word swaps.
    let odd = Pair::new(ctext("k"), ctext("thing"), Blob::memory(vec![1, 2]), Order::Big);
    assert_eq!(&odd.value_in(Order::Little)[..], [1, 2]);
}

fn ctext(text: &str) -> CText {
    CText(Text::from(text))
}

#[test]
fn an_edited_section_is_written_anew_and_the_others_are_copied() {
    let sample = testing::sample("dragon", "permuted");
    let file = sample;
    let mut doc = read(&file);
    let Body::Geometry(geometry) = &mut doc.sections[2].edit().body else { panic!() };
    geometry.name = ctext("longer");
    let written = write(&doc);
    // Five bytes more; everything between the header and the edited section is as it was, odd order and all.
    assert_eq!(written.len(), file.len() + 5);
    assert!(written[57..236] == file[57..236]);
    assert_eq!(written[52..56], u32::try_from(written.len()).expect("small").to_le_bytes());
    assert_eq!(read(&written), doc);
}

#[test]
fn a_matrix_of_three_with_a_position_becomes_one_of_four() {
    let variant = corpus::dragon::VARIANTS.iter().find(|v| v.name == "variant-bones-whole-3").expect("it is listed");
    let modern = anew(&read(&(variant.file)()));
    let Body::Skeleton(skeleton) = body(&modern, Kind::Skeleton) else { panic!() };
    assert_eq!(skeleton.rotation_type, RotationType::MAT4);
    let expected = [0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1., 0., 0., 1., 0., 1.].map(F32);
    assert_eq!(skeleton.bones[1].rotation, Rotation::Matrix4(expected));
}

#[test]
fn placements_are_views_by_the_type_of_their_rotation() {
    let doc = read(&corpus::dragon::model(false));
    let Body::Instance(instance) = body(&doc, Kind::Instance) else { panic!() };
    let placements = &instance.instances[0].placements;
    assert!(matches!(placements, Placements::Quaternion(_)));
    let (position, rotation, scale) = placements.get(1).expect("two of them");
    assert_eq!((position, rotation.kind(), scale), ([4., 0., 0.].map(F32), RotationType::VEC4, [F32(1.); 3]));
}

#[test]
fn an_index_width_that_is_none_survives() {
    let sample = testing::sample("dragon", "index-width-3");
    let doc = read(&sample);
    let Body::Indice(indice) = body(&doc, Kind::Indice) else { panic!() };
    assert!(matches!(indice.indices, Indices::Other { width: 3, count: 2, .. }));
}

#[test]
fn new_names_are_made_from_content_alone() {
    let name = |ordinal: u64, body: &[u8], attempt: u32| Guid::of(Kind::Image.tag(), ordinal, body, attempt);
    assert_eq!(name(0, b"a", 0), name(0, b"a", 0));
    let others = [name(1, b"a", 0), name(0, b"b", 0), name(0, b"a", 1), Guid::of(Kind::Texture.tag(), 0, b"a", 0)];
    assert!(others.iter().all(|other| *other != name(0, b"a", 0)));
}

fn refused(doc: &Document) -> (&'static str, String) {
    let error = Dragon::write(doc, &mut Sink::default()).expect_err("it cannot be written");
    (error.rule().id, error.place().path.clone())
}

#[test]
fn a_buffer_beyond_its_size_field_is_refused() {
    // DRG-058. The room is never touched, so it takes none.
    let mut doc = read(&corpus::dragon::one_triangle());
    let Body::Vertex(vertex) = &mut doc.sections[0].edit().body else { panic!() };
    vertex.buffer = formats::dragon::Buffer::new(Blob::memory(vec![0; 1 << 32]), Order::Little);
    assert_eq!(refused(&doc), ("DRG-058", "sections[0].size".to_owned()));
}

#[test]
fn values_without_room_are_refused() {
    // DRG-059
    let with = |body: Body| {
        let mut doc = Document::default();
        doc.sections.push(wire::Kept::new(Section::new(Guid([1; 16]), body)));
        doc
    };
    let nul = formats::dragon::Image { path: CText(Text::from(Blob::memory(b"a\0b".to_vec()))) };
    assert_eq!(refused(&with(nul.into())), ("DRG-059", "sections[0].path".to_owned()));
    let bone = formats::dragon::Bone { rotation: Rotation::Matrix3([F32(0.); 9]), ..Default::default() };
    let skeleton =
        formats::dragon::Skeleton { rotation_type: RotationType::VEC4, bones: vec![bone], ..Default::default() };
    assert_eq!(refused(&with(skeleton.into())), ("DRG-059", "sections[0].bones[0].rotation".to_owned()));
    let curve = AniTrack { sampling_type: Sampling::LINEAR, bezier: Some(Bezier::default()), ..Default::default() };
    assert_eq!(refused(&with(curve.into())), ("DRG-059", "sections[0].d1".to_owned()));
    let light = formats::dragon::Light { light_type: LightType::POINT, ..Default::default() };
    assert_eq!(refused(&with(light.into())), ("DRG-059", "sections[0].rotation_type".to_owned()));
}

#[test]
fn a_new_document_is_a_canonical_file() {
    let mut doc = Document::new(Order::Big);
    let image = formats::dragon::Image { path: ctext("a.png") };
    doc.sections.push(wire::Kept::new(Section::new(Guid([7; 16]), image)));
    let file = write(&doc);
    assert!(file.starts_with(b"\n\x1ANOGARD") && file.len() == 57 + 52 + 6);
    assert_eq!(&file[57..65], b"IMAGE___");
    assert_eq!(read(&file), doc);
    assert_eq!(read(&file).dialect(), "spec");
}

/// The places of all offsets of a file that lead to elements.
fn offsets(nodes: &[wire::Node], out: &mut Vec<wire::Span>) {
    const NO_PLACES: [&str; 3] = ["index_offset", "vertex_offset", "face_offset"];
    for node in nodes {
        let leads = node.name.ends_with("_offset") && !NO_PLACES.contains(&node.name.as_str());
        if leads && node.value != Some(wire::Value::Unsigned(0)) {
            out.push(node.span);
        }
        offsets(&node.children().expect("it was read"), out);
    }
}

#[test]
fn every_offset_that_leads_nowhere_is_an_error() {
    let file = corpus::dragon::model(false);
    let mut spans = Vec::new();
    offsets(&read(&file).tree(), &mut spans);
    assert!(spans.len() > 20, "{}", spans.len());
    for span in spans {
        let at = span.offset as usize;
        for offset in [0, 1, 2, 3, 1 << 16, i32::MAX as u32, u32::MAX] {
            let mut damaged = file.clone();
            damaged[at..at + 4].copy_from_slice(&offset.to_le_bytes());
            let found = findings(&damaged);
            let places: Vec<_> = found.iter().filter(|f| f.rule.id == "DRG-020").map(|f| f.place.span).collect();
            assert_eq!(places, [Some(span)], "offset {offset} at {at}");
            assert!(write(&read(&damaged)) == damaged, "offset {offset} at {at}: as read");
        }
    }
}
