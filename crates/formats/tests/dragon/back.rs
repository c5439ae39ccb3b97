//! The way back from glTF: with the file at hand, what nobody edited is the same sections; without it, it is called and
//! means the same.

use findings::Source;
use formats::dragon::{
    Attribute, AttributeType, Body, Buffer, Document, Dragon, DrawType, Geometry, Guid, Indice, Indices, Kind,
    LightType, Mesh, Object, Pair, Rotation, RotationType, Sampling, Section, Semantic as Meaning, Settings,
    UpDirection, Vertex,
};
use formats::restore::Three;
use formats::{Format, LiftCx, NoSource};
use scene::{Scene, Semantic, Shading, Stream, Transform};
use testing::corpus_dir;
use wire::{Blob, Bool8, CText, F32, Kept, Order, Text};

use crate::support::*;

/// A document that went through a GLB, with itself at hand on the way back.
fn through_glb(doc: &Document, source: &dyn Source) -> Document {
    edited_in_glb(doc, source, |_| {})
}

/// The same; what the GLB says is changed before the way back.
fn edited_in_glb(doc: &Document, source: &dyn Source, edit: impl FnOnce(&mut Scene)) -> Document {
    let there = glb_of(doc, source);
    let mut edited = there.clone();
    edit(&mut edited);
    let (base, ours) = (lowered(&there), lowered(&edited));
    let merged = Dragon::merge(Three { origin: doc, base: &base, ours: &ours }).expect("its sections correspond");
    read(&write(&merged.document))
}

/// The scene of a GLB that was made of a document.
fn glb_of(doc: &Document, source: &dyn Source) -> Scene {
    let scene = Dragon::lift(doc, &mut LiftCx::new(source)).expect("it has a scene");
    testing::through_glb(&scene).0
}

fn lowered(scene: &Scene) -> Document {
    testing::lower::<Dragon>(scene, "spec").doc
}

/// Sections by name: their order is layout.
fn in_order(doc: &Document) -> Vec<&Section> {
    let mut sections: Vec<&Section> = doc.sections.iter().map(|section| &**section).collect();
    sections.sort_by_key(|section| (section.guid.0, section.kind().map(|kind| kind.tag())));
    sections
}

fn assert_same(back: &Document, doc: &Document, what: &str) {
    let (found, expected) = (in_order(back), in_order(doc));
    for (found, expected) in found.iter().zip(&expected) {
        let name = format!("{what}: {:?} {}", expected.kind(), expected.guid);
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(found.len(), expected.len(), "{what}");
    assert_eq!((&back.header, back.order, &back.tail), (&doc.header, doc.order, &doc.tail), "{what}");
}

#[test]
fn files_of_others_come_back_from_glb() {
    let Some(dir) = corpus_dir() else { return };
    for folder in ["dragon", "literal"].map(|folder| dir.join(folder)) {
        for entry in std::fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be listed").path();
            let file = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            if file.starts_with("bad-") || !file.ends_with(".dragon") {
                continue;
            }
            let doc = anew(&read(&std::fs::read(&path).expect("it is there")));
            assert_same(&through_glb(&doc, &testing::beside(&path)), &doc, &file);
        }
    }
}

#[test]
fn samples_come_back_from_glb() {
    for sample in corpus::samples().iter().filter(|s| s.kind == corpus::Kind::Good && s.format == "dragon") {
        let doc = anew(&read(&(sample.bytes)()));
        assert_same(&through_glb(&doc, &NoSource), &doc, sample.name);
    }
}

#[test]
fn names_of_what_is_shown_come_back_from_glb_alone() {
    let doc = good("model");
    let back = lowered(&glb_of(&doc, &NoSource));
    let named = |doc: &Document| -> Vec<Guid> {
        let is_shown = |kind: Kind| {
            [Kind::Asset, Kind::AssetRef, Kind::Skeleton, Kind::Material, Kind::Socket, Kind::Geometry]
                .into_iter()
                .chain([Kind::Object, Kind::Instance, Kind::Light, Kind::Animate])
                .any(|own| own == kind)
        };
        in_order(doc).into_iter().filter(|section| section.kind().is_some_and(is_shown)).map(|s| s.guid).collect()
    };
    let (found, expected) = (named(&back), named(&doc));
    let missing: Vec<&Guid> = expected.iter().filter(|guid| !found.contains(guid)).collect();
    assert!(missing.is_empty() && expected.len() > 9, "{missing:?} of {expected:?}");
}

#[test]
fn values_without_a_meaning_come_back_from_glb() {
    let mut doc = good("model");
    let header = doc.header.edit();
    (header.guid.0[0], header.up_direction) = (0xAA, UpDirection(9));
    for section in &mut doc.sections {
        match &mut section.edit().body {
            Body::Light(light) => light.light_type = LightType(9),
            Body::Skeleton(skeleton) => skeleton.bones.iter_mut().for_each(|bone| bone.enabled = Bool8(2)),
            _ => {}
        }
    }
    assert_same(&through_glb(&doc, &NoSource), &doc, "model");
}

#[test]
fn a_buffer_that_is_written_anew_has_the_settings_it_had() {
    let mut doc = good("one-triangle");
    let settings = Settings { pairs: vec![Pair::new(text("by"), text("string"), Blob::memory("me"), Order::Little)] };
    doc.sections.push(Kept::new(Section::new(Guid([7; 16]), settings)));
    for section in &mut doc.sections {
        if section.kind() == Some(Kind::Vertex) {
            section.edit().settings = Guid([7; 16]);
        }
    }
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        let part = &mut scene.meshes.iter_mut().next().expect("a mesh").primitives[0];
        let position = part.attributes.iter_mut().find(|a| a.semantic == Semantic::Position).expect("it has places");
        position.stream = Stream::from_f32(3, vec![0., 0., 0., 2., 0., 0., 0., 2., 0.]);
    });
    assert_eq!(changed(&back, &doc), [Kind::Vertex]);
    let vertex = back.sections.iter().find(|section| section.kind() == Some(Kind::Vertex)).expect("a buffer");
    assert_eq!(vertex.settings, Guid([7; 16]));
}

#[test]
fn a_track_that_somebody_changed_is_the_only_section_that_differs() {
    let turn = |scene: &mut Scene| {
        let channels = scene.animations.iter_mut().flat_map(|animation| &mut animation.channels);
        let channel = { channels }.find(|channel| channel.node.is_some()).expect("a channel");
        let width = channel.values.len() / channel.times.len();
        channel.values.rotate_left(width);
    };
    let curved = good("model");
    let mut straight = curved.clone();
    for section in &mut straight.sections {
        if let Body::AniTrack(track) = &mut section.edit().body {
            (track.sampling_type, track.bezier) = (Sampling::LINEAR, None);
        }
    }
    // Curves are frames in glTF, and all tracks of an animation have its rate.
    for (doc, differ) in [(straight, &[Kind::AniTrack][..]), (curved, &[Kind::AniTrack, Kind::AniTrack, Kind::Animate])]
    {
        let back = edited_in_glb(&doc, &NoSource, turn);
        assert_eq!(changed(&back, &doc), differ);
        assert_eq!(back.sections.len(), doc.sections.len());
    }
}

/// The names of sections that are not what they were, by kind; new ones have none.
fn changed(back: &Document, doc: &Document) -> Vec<Kind> {
    let same = |section: &&Section| doc.sections.iter().any(|old| **old == **section);
    in_order(back).into_iter().filter(|section| !same(section)).filter_map(Section::kind).collect()
}

fn good(name: &str) -> Document {
    let samples = corpus::samples();
    let sample = samples.iter().find(|sample| (sample.format, sample.name) == ("dragon", name)).expect("a sample");
    anew(&read(&(sample.bytes)()))
}

#[test]
fn what_changed_on_the_way_is_not_taken_back() {
    let doc = good("model");
    // The rows hold floats of 16 bits beside others: a part that moved is written anew, with the shape that names it.
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        for mesh in scene.meshes.iter_mut() {
            let Some(part) = mesh.primitives.first_mut().filter(|part| part.get(&Semantic::Joints(0)).is_some()) else {
                continue;
            };
            let places = part.get(&Semantic::Position).expect("places").to_f32().iter().map(|v| v * 2.).collect();
            part.set(Semantic::Position, Stream::from_f32(3, places));
        }
    });
    let kinds = changed(&back, &doc);
    assert!(kinds.contains(&Kind::Vertex) && !kinds.contains(&Kind::Object), "{kinds:?}");

    // Faces of cubes that are red now are no cubes of another colour.
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        for material in scene.materials.iter_mut().filter(|material| material.extras.own.is_empty()) {
            if let Shading::Pbr(pbr) = &mut material.shading {
                pbr.base_color = [1., 0., 0., 1.];
            }
        }
    });
    assert!(!back.sections.iter().any(|section| section.kind() == Some(Kind::VoxelObj)));
    assert!(changed(&back, &doc).contains(&Kind::Geometry));

    // Angles stay angles where nobody turned anything.
    let doc = good("angles");
    let lights = |doc: &Document| -> Vec<Rotation> {
        let bodies = doc.sections.iter().filter_map(|section| match &section.body {
            Body::Light(light) => Some(light.rotation),
            _ => None,
        });
        bodies.collect()
    };
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        let light = scene.nodes.iter_mut().find(|node| node.light.is_some()).expect("a light");
        light.transform = Transform::Trs { translation: [0.; 3], rotation: [0., 1., 0., 0.], scale: [1.; 3] };
    });
    assert_eq!(changed(&back, &doc), [Kind::Light]);
    let (was, is) = (lights(&doc), lights(&back));
    assert_eq!(is[0], Rotation::Quaternion([0., 1., 0., 0.].map(wire::F32)));
    assert_eq!(was[1..], is[1..]);
}

/// Attributes in every type there is, three bytes that belong to none, a vertex that no part draws, and indices of one
/// byte, in parts that overlap.
fn odd_buffers(order: Order) -> Document {
    const FLOAT: AttributeType = AttributeType::FLOAT;
    const SIGNED: AttributeType = AttributeType::SIGNED;
    const UNSIGNED: AttributeType = AttributeType::UNSIGNED;
    let attribute = |attribute_type, semantic, normalized: bool, width, count, layer| Attribute {
        attribute_type,
        semantic,
        normalized: normalized.into(),
        width,
        count,
        layer,
    };
    let attributes = vec![
        attribute(UNSIGNED, Meaning::COLOR, true, 2, 4, 0),
        attribute(FLOAT, Meaning::POSITION, false, 8, 3, 0),
        attribute(SIGNED, Meaning::NORMAL, true, 1, 3, 0),
        attribute(FLOAT, Meaning::TEXCOORD, false, 2, 2, 0),
        attribute(FLOAT, Meaning::TEXCOORD, false, 4, 3, 4),
        attribute(UNSIGNED, Meaning::SAMPLE, false, 4, 1, 7),
        attribute(FLOAT, Meaning::TANGENT, false, 4, 3, 0),
    ];
    let stride = 8 + 24 + 3 + 4 + 12 + 4 + 12 + 3;
    let mut rows = Vec::new();
    for row in 0..5_u8 {
        let float = f64::from(row) + 0.1;
        (0..4_u16).for_each(|k| rows.extend((u16::from(row) * 1000 + k).to_le_bytes()));
        [float, float * 3., if row % 2 == 0 { 1. } else { -1. } * float]
            .iter()
            .for_each(|v| rows.extend(v.to_le_bytes()));
        rows.extend([0x80, 0x7F, row]);
        rows.extend([0x01, 0x3C, row, 0x3D]);
        [0.1_f32, 0.7, 9.5].iter().for_each(|v| rows.extend(v.to_le_bytes()));
        rows.extend((0xFFFF_FF00 + u32::from(row)).to_le_bytes());
        [1_f32, 0., 0.].iter().for_each(|v| rows.extend(v.to_le_bytes()));
        rows.extend([0xAB, row, 0xCD]);
    }
    assert_eq!(rows.len(), stride * 5);
    let vertex = Vertex {
        stride: stride as u32,
        attributes: attributes.into(),
        buffer: Buffer::new(Blob::memory(rows), Order::Little),
    };
    let part = |name: &str, first, count, draw_type| Mesh {
        name: text(name),
        draw_type,
        vertex_offset: 0,
        vertex_count: 4,
        face_offset: first,
        face_count: count,
        ..Mesh::default()
    };
    let geometry = Geometry {
        name: text("zoo"),
        vertex_buffer: Guid([1; 16]),
        indice_buffer: Guid([2; 16]),
        meshes: vec![part("a", 0, 3, DrawType::TRIANGLE), part("b", 1, 4, DrawType::TRIANGLE_STRIP)],
        ..Geometry::default()
    };
    let indices = Indices::U8(vec![0_u8, 1, 2, 3, 0, 1].into());
    let mut doc = Document::new(order);
    doc.sections = vec![
        Kept::new(Section::new(Guid([1; 16]), vertex)),
        Kept::new(Section::new(Guid([2; 16]), Indice { indices })),
        Kept::new(Section::new(Guid([3; 16]), geometry)),
        Kept::new(Section::new(
            Guid([4; 16]),
            Object {
                geometry: Guid([3; 16]),
                rotation_type: RotationType::VEC4,
                scale: [F32(1.); 3],
                ..Object::default()
            },
        )),
    ];
    doc
}

fn text(text: &str) -> CText {
    CText(Text::from(text))
}

#[test]
fn numbers_come_back_from_glb_in_their_types_and_rows() {
    for order in [Order::Little, Order::Big] {
        let doc = read(&write(&odd_buffers(order)));
        assert_same(&through_glb(&doc, &NoSource), &doc, &format!("{order:?}"));
    }
}
