//! Streams that the reference encoder made, with what its decoder makes of them.

use serde_json::json;

use super::*;
use crate::gltf::carry::unhex;

/// Elements, bytes per element, mode, filter, compressed and inflated bytes.
type Case = (usize, usize, &'static str, &'static str, &'static str, &'static str);

/// Floats of a grid, in a block of 20.
const VERTICES: Case = (
    20,
    12,
    "ATTRIBUTES",
    "NONE",
    concat!(
        "a000000700ffff8080ffffff8080ffffff8080ffff000000ffff808005383e0f837e7f7e7f7e7fe00000007e00000100",
        "000c03ff8001003000007e0700b726181882f88b9ec573c8f894a05bff000000672ae3930700d4ba8b7881d9422c8986",
        "89ba77f03dff000000219344720700ae22af626834cdaaac70e8eb63b3adff000000da396b4d0531c71c387efdfdfdfe",
        "e3000000fefe0000000000000000000000000000000000000000000000000000000000000000",
    ),
    concat!(
        "0000000000000000000000000000803f00000000a46a573f0000004000000000b7c7683f0000404000000000c381103e",
        "0000804000000000cfbd41bf000000000000003f107c75bf0000803f0000003f8c0f8fbe000000400000003f4630283f",
        "000040400000003f95467d3f000080400000003f3201d33e000000000000803ff8440bbf0000803f0000803f5cff7fbf",
        "000000400000803fd85c09bf000040400000803f2220d73e000080400000803f72987d3f000000000000c03f4479263f",
        "0000803f0000c03f106893be000000400000c03f251e76bf000040400000c03fb34040bf000080400000c03f6979193e",
    ),
);

/// Bytes of every size, over several groups.
const NOISE: Case = (
    40,
    4,
    "ATTRIBUTES",
    "NONE",
    concat!(
        "a0152aeaeaea050505eaeaeaea05050505eaea000005051a0883af5f2d80352b1318e6d1145c945322ff1a15fffd0000",
        "0c1304160d0e0f1f004ae9d79a2c07a8a864c0635ffc5a803ed677924b085ed489350b1034f5a9f6ffff00003c0344c2",
        "a99803f300000000000000000000000000000000000000000000000000000000000004f500",
    ),
    concat!(
        "0004f50001081a00020ca500030a3900000f860001059c0002029800030eec00000f400001087200020cd200030ca000",
        "000a70000107ee0002081b0003025b0000097a00010ce5000205a9000304f2000003cc000105d0000202ff0003086900",
        "00032400010509000202030003000b00000125000102aa00020f55000304d000000aee000100ec0002020e00030d6f00",
        "00061a00010d6600020564000304ea00",
    ),
);

/// A grid of triangles, then some out of order.
const TRIANGLES: Case = (
    84,
    4,
    "TRIANGLES",
    "NONE",
    concat!(
        "e1fe1e100e100e100ece1e160e150e140ece1e140e140e140effff150f0f0aefa2013b3f8b010ebc01007687566778a9",
        "866589689801690000",
    ),
    concat!(
        "000000000100000005000000050000000100000006000000060000000100000002000000060000000200000007000000",
        "070000000200000003000000070000000300000008000000080000000300000004000000080000000400000009000000",
        "05000000060000000a0000000a000000060000000b0000000b00000006000000070000000b000000070000000c000000",
        "0c00000007000000080000000c000000080000000d0000000d00000008000000090000000d000000090000000e000000",
        "0a0000000b0000000f0000000f0000000b00000010000000100000000b0000000c000000100000000c00000011000000",
        "110000000c0000000d000000110000000d00000012000000120000000d0000000e000000120000000e00000013000000",
        "640000000300000046000000000000001300000007000000070000001300000012000000070000001200000065000000",
    ),
);

/// Runs of numbers, and jumps.
const SEQUENCE: Case = (
    12,
    2,
    "INDICES",
    "NONE",
    "d1000404200404d10f220405e8ff0fd30f00000000",
    "0000010002000a000b000c00f40103000400f501feff0000",
);

/// Unit vectors in bytes.
const OCT8: Case = (
    5,
    4,
    "ATTRIBUTES",
    "OCTAHEDRAL",
    concat!(
        "a0013fc00000fe91ead4013fc00000fe70c35500010fc00000fe04fe0000000000000000000000000000000000000000",
        "000000000000000000007f00",
    ),
    "00007f00000081004c9a007fb749b68122436600",
);

/// Unit vectors in 16 bits.
const OCT16: Case = (
    5,
    8,
    "ATTRIBUTES",
    "OCTAHEDRAL",
    concat!(
        "a0011fc00000dc7cab013fc000000e07110e011fc00000de31ac013fc000000e1714050000010740000004010ec00000",
        "feff00000000000000000000000000000000000000000000000000000000ff070000",
    ),
    "00000000ff7f00000000000001800000c54c95990000ff7f23b6dd4907b6018032227d4495660000",
);

/// Rotations.
const QUAT: Case = (
    5,
    8,
    "ATTRIBUTES",
    "QUATERNION",
    concat!(
        "a0013fc00000fbfc3433013fc00000b4b32423013fc00000fb3b3393013fc00000b47223fe013fc00000fbfc3334013f",
        "c00000b4b32526013d400000050400000000000000000000000000000000000000000000000000000000000000ff7f",
    ),
    "000000000000ff7fff3f00400040004034b300006566000033f39959cd0c67a6ff7f000000000000",
);

/// Floats that share exponents.
const EXP: Case = (
    2,
    16,
    "ATTRIBUTES",
    "EXPONENTIAL",
    concat!(
        "a000000001300000001c01300000001f000001300000001c0130000000500120000000012000000001300000001c0130",
        "000000cf01300000001d0001300000001c00000000000000000000000000000000000000fc100000fcd8fffffc803e00",
        "fc",
    ),
    "000000000000803f000020c000007a4400000000000000000000000000603c4b",
);

fn packed(case: &Case, size: usize) -> Packed {
    let (count, stride, mode, filter, ..) = case;
    let json = json!({
        "buffer": 0, "byteLength": size, "byteStride": stride, "count": count, "mode": mode, "filter": filter,
    });
    Packed::new(&json).unwrap()
}

const CASES: [Case; 8] = [VERTICES, NOISE, TRIANGLES, SEQUENCE, OCT8, OCT16, QUAT, EXP];

#[test]
fn streams_of_the_reference_encoder_inflate() {
    for case in CASES {
        let bytes = unhex(case.4).unwrap();
        let found = packed(&case, bytes.len()).inflate(&bytes).map(|bytes| crate::gltf::carry::hex(&bytes));
        assert_eq!(found.as_deref(), Some(case.5), "{} {}", case.2, case.3);
    }
}

#[test]
fn damaged_streams_are_refused_or_say_something_else() {
    for case in CASES {
        let bytes = unhex(case.4).unwrap();
        for size in 0..bytes.len() {
            // What ends too early is never whole: every codec knows where its stream ends.
            assert_eq!(packed(&case, size).inflate(&bytes[..size]), None, "{} {size}", case.2);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xFF;
            let inflated = packed(&case, damaged.len()).inflate(&damaged);
            assert!(inflated.is_none_or(|inflated| inflated.len() == case.0 * case.1));
        }
        let count = usize::MAX / 3 * 3;
        let lying = Packed { count, ..packed(&case, bytes.len()) };
        assert_eq!(lying.inflate(&bytes), None);
    }
}

#[test]
fn properties_of_no_meaning_are_refused() {
    let whole = json!({"buffer": 0, "byteLength": 1, "byteStride": 4, "count": 3, "mode": "ATTRIBUTES"});
    assert!(Packed::new(&whole).is_some());
    let bad = [
        ("byteStride", json!(3)),
        ("byteStride", json!(260)),
        ("byteStride", json!(0)),
        ("mode", json!("POINTS")),
        ("filter", json!("QUATERNION")),
        ("filter", json!("BLUR")),
        ("count", json!(-1)),
    ];
    for (key, value) in bad {
        let mut broken = whole.clone();
        broken[key] = value;
        assert!(Packed::new(&broken).is_none(), "{broken}");
    }
}
