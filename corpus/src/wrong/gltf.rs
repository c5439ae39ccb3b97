//! glTF: the triangle with one piece of its text replaced. The wrong value stands between `«` and `»`.

use super::WrongField;

/// What is replaced, and by what; the marks are no part of it.
const PIECES: &[(&str, &str)] = &[
    (r#""2.0""#, r#"«"1.0"»"#),
    (r#""2.0""#, r#"«"3.1"»"#),
    (r#""2.0""#, r#"«2»"#),
    (r#""scene":0"#, r#""scene":«1»"#),
    (r#""scene":0"#, r#""scene":«-1»"#),
    (r#""scene":0"#, r#""scene":«"a"»"#),
    (r#""nodes":[0]"#, r#""nodes":[«1»]"#),
    (r#""nodes":[0]"#, r#""nodes":[0,«0»]"#),
    (r#""nodes":[0]"#, r#""nodes":«0»"#),
    (r#""mesh":0"#, r#""mesh":«7»"#),
    (r#""mesh":0"#, r#""mesh":«0.5»"#),
    (r#""mesh":0"#, r#""mesh":0,"skin":«0»"#),
    (r#""mesh":0"#, r#""mesh":0,"camera":«2»"#),
    (r#""mesh":0"#, r#""mesh":0,"children":[«0»]"#),
    (r#""mesh":0"#, r#""mesh":0,"children":[«4»]"#),
    (r#""mesh":0"#, r#""mesh":0,"rotation":«[0,0,0,2]»"#),
    (r#""mesh":0"#, r#""mesh":0,"rotation":«[0,0,1]»"#),
    (r#""mesh":0"#, r#""mesh":0,"scale":«[1,1]»"#),
    (r#""mesh":0"#, r#""mesh":0,"translation":«true»"#),
    (r#""mesh":0"#, r#""mesh":0,"matrix":«[1,0,0]»"#),
    (r#""mesh":0"#, r#""mesh":0,"weights":«[1]»"#),
    (r#"{"POSITION":0}"#, r#"{"POSITION":«3»}"#),
    (r#"{"POSITION":0}"#, r#"{"POSITION":«-1»}"#),
    (r#"{"POSITION":0}"#, r#"{"POSITION":0,"NORMAL":«9»}"#),
    (r#"{"POSITION":0}"#, r#"«{}»"#),
    (r#"{"attributes""#, r#"{"mode":«9»,"attributes""#),
    (r#"{"attributes""#, r#"{"indices":«5»,"attributes""#),
    (r#"{"attributes""#, r#"{"material":«0»,"attributes""#),
    (r#""bufferView":0"#, r#""bufferView":«1»"#),
    (r#""componentType":5126"#, r#""componentType":«5127»"#),
    (r#""componentType":5126"#, r#""componentType":«1»"#),
    (r#""componentType":5126"#, r#""componentType":«"float"»"#),
    (r#""count":3"#, r#""count":«4»"#),
    (r#""count":3"#, r#""count":«4000000000»"#),
    (r#""VEC3""#, r#"«"VEC5"»"#),
    (r#""VEC3""#, r#"«"vec3"»"#),
    (r#""min":[0,0,0]"#, r#""min":«[0,1,0]»"#),
    (r#""min":[0,0,0]"#, r#""min":«[0,0]»"#),
    (r#""max":[1,1,0]"#, r#""max":«[1,2,0]»"#),
    (r#""max":[1,1,0]"#, r#""max":«[1]»"#),
    (r#"{"buffer":0"#, r#"{"buffer":«2»"#),
    (r#""byteLength":36}],"#, r#""byteLength":«37»}],"#),
    (r#""byteLength":36}],"#, r#""byteOffset":«400»,"byteLength":36}],"#),
    (r#""byteLength":36}],"#, r#""byteLength":36,"byteStride":«8»}],"#),
    (r#"AAAA","byteLength":36"#, r#"AAAA","byteLength":«40»"#),
    (r#"AAAA","byteLength":36"#, r#"AAAA","byteLength":«-1»"#),
    (r#""buffers":["#, r#""materials":[{"alphaMode":«"ADD"»}],"buffers":["#),
    (r#""buffers":["#, r#""textures":[{"source":«4»}],"buffers":["#),
    (r#""buffers":["#, r#""textures":[{"sampler":0}],"samplers":[{"wrapS":«1»}],"buffers":["#),
    (r#""buffers":["#, r#""textures":[{"sampler":0}],"samplers":[{"magFilter":«7»}],"buffers":["#),
    (r#""buffers":["#, r#""images":[{"uri":«"data:no"»}],"buffers":["#),
    (r#""buffers":["#, r#""extensionsRequired":[«"EXT_x"»],"extensionsUsed":["EXT_x"],"buffers":["#),
];

pub(super) fn files() -> impl Iterator<Item = WrongField> {
    let sample = crate::gltf::triangle();
    PIECES.iter().map(move |(old, new)| {
        assert_eq!(sample.matches(old).count(), 1, "{old}");
        let marked = sample.replace(old, new);
        let start = marked.find('«').unwrap_or(0);
        let end = marked.find('»').unwrap_or(0).saturating_sub('«'.len_utf8());
        WrongField {
            format: "gltf",
            field: new,
            sample: sample.clone().into_bytes(),
            file: marked.replace(['«', '»'], "").into_bytes(),
            at: (start as u64, (end - start) as u64),
            why: None,
        }
    })
}
