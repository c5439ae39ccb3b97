//! The samples: what FBX files hold, what real ones get wrong, and what is none.

use super::*;
use crate::png::png;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "A triangle with normals, texture coordinates, material, texture, skin, morph target and animation; a lamp and a camera.",
        beside: || vec![("paint.png", png(1, &[[255, 0, 0]]))],
        ..good("model", everything)
    },
    Sample { about: "One triangle, Z up, in inches.", ..good("triangle", triangle) },
    Sample {
        about: "A file that ends before its last brace.",
        complete_cuts: never_complete,
        ..odd("cut", || {
            let file = triangle();
            file[..file.len() - 2].to_vec()
        })
    },
    Sample {
        about: "A connection that is there twice, and a texture that is not.",
        ..odd("twice", || {
            let objects = [geometry(1, ""), model(2, "T", "Mesh", ""), MATERIAL.into(), TEXTURE.into()].concat();
            let connections = ["\"OO\",2,0", "\"OO\",1,2", "\"OO\",1,2", "\"OO\",3,2", "\"OP\",4,3, \"DiffuseColor\""];
            file(&settings(Y_UP, 100.), &objects, &connections).into_bytes()
        })
    },
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("prose", "A text about something else.", || b"Kaydara FBX ASCII".to_vec()),
    bad("magic", "A binary file that ends behind its first word.", || b"Kaydara FBX Binary  \0".to_vec()),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "fbx",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("ascii"),
        // Without the last line end.
        complete_cuts: |file| vec![file.len() - 1],
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, complete_cuts: never_complete, ..good(name, bytes) }
}

/// A triangle, Z up, in inches.
pub fn triangle() -> Vec<u8> {
    let objects = [geometry(1, ""), model(2, "Triangle", "Mesh", "")].concat();
    file(&settings(Z_UP, 2.54), &objects, &["\"OO\",2,0", "\"OO\",1,2"]).into_bytes()
}

const MATERIAL: &str = "Material: 3, \"Material::red\", \"\" {\nVersion: 102\nShadingModel: \"phong\"\nProperties70:  {\n\
    P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0.5,0.25\nP: \"SpecularColor\", \"Color\", \"\", \"A\",0.5,0.5,0.5\n\
    P: \"ShininessExponent\", \"Number\", \"\", \"A\",16\n}\n}\n";

const TEXTURE: &str = "Texture: 4, \"Texture::picture\", \"\" {\nType: \"TextureVideoClip\"\nVersion: 202\n\
    FileName: \"C:\\models\\paint.png\"\nRelativeFilename: \"paint.png\"\n}\n";

fn everything() -> Vec<u8> {
    let layers = "LayerElementNormal: 0 {\nVersion: 101\nName: \"\"\nMappingInformationType: \"ByPolygonVertex\"\n\
        ReferenceInformationType: \"Direct\"\nNormals: *9 {\na: 0,0,1,0,0,1,0,0,1\n}\n}\n\
        LayerElementUV: 0 {\nVersion: 101\nName: \"map\"\nMappingInformationType: \"ByPolygonVertex\"\n\
        ReferenceInformationType: \"IndexToDirect\"\nUV: *6 {\na: 0,0,1,0,0,0.25\n}\nUVIndex: *3 {\na: 0,1,2\n}\n}\n\
        LayerElementMaterial: 0 {\nVersion: 101\nName: \"\"\nMappingInformationType: \"AllSame\"\n\
        ReferenceInformationType: \"IndexToDirect\"\nMaterials: *1 {\na: 0\n}\n}\n\
        Layer: 0 {\nVersion: 100\nLayerElement:  {\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}\n\
        LayerElement:  {\nType: \"LayerElementMaterial\"\nTypedIndex: 0\n}\n\
        LayerElement:  {\nType: \"LayerElementUV\"\nTypedIndex: 0\n}\n}\n";
    let place = |x: f64, y: f64| format!("P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},0\n");
    let user = "P: \"height\", \"Integer\", \"\", \"AU\",7\n";
    let identity = "a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n";
    let objects = [
        geometry(1, layers),
        model(2, "Triangle", "Mesh", &(place(0., 2.) + user)),
        MATERIAL.into(),
        TEXTURE.into(),
        "NodeAttribute: 5, \"NodeAttribute::Lamp\", \"Light\" {\nTypeFlags: \"Light\"\nProperties70:  {\n\
            P: \"LightType\", \"enum\", \"\", \"\",2\nP: \"Color\", \"Color\", \"\", \"A\",1,0.5,0\n\
            P: \"Intensity\", \"Number\", \"\", \"A\",200\nP: \"InnerAngle\", \"Number\", \"\", \"A\",30\n\
            P: \"OuterAngle\", \"Number\", \"\", \"A\",60\n}\n}\n"
            .into(),
        model(6, "Lamp", "Light", &place(0., 5.)),
        "NodeAttribute: 7, \"NodeAttribute::Eye\", \"Camera\" {\nTypeFlags: \"Camera\"\nProperties70:  {\n\
            P: \"NearPlane\", \"double\", \"Number\", \"\",0.5\nP: \"FarPlane\", \"double\", \"Number\", \"\",100\n}\n}\n"
            .into(),
        model(8, "Eye", "Camera", &place(0., 0.)),
        "NodeAttribute: 9, \"NodeAttribute::Bone\", \"LimbNode\" {\nTypeFlags: \"Skeleton\"\n}\n".into(),
        model(10, "Bone", "LimbNode", &place(1., 0.)),
        "Deformer: 11, \"Deformer::Skin\", \"Skin\" {\nVersion: 101\n}\n".into(),
        format!(
            "Deformer: 12, \"SubDeformer::Bone\", \"Cluster\" {{\nVersion: 100\n{}{}Transform: *16 {{\n{identity}}}\n\
            TransformLink: *16 {{\n{identity}}}\n}}\n",
            array("Indexes", "0,1,2"),
            array("Weights", "1,1,1"),
        ),
        "Deformer: 13, \"Deformer::Shapes\", \"BlendShape\" {\nVersion: 100\n}\n".into(),
        "Deformer: 14, \"SubDeformer::taller\", \"BlendShapeChannel\" {\nVersion: 100\nDeformPercent: 25\n\
            FullWeights: *1 {\na: 100\n}\n}\n"
            .into(),
        format!(
            "Geometry: 15, \"Geometry::taller\", \"Shape\" {{\nVersion: 100\n{}{}}}\n",
            array("Indexes", "2"),
            array("Vertices", "0,1,0"),
        ),
        "AnimationStack: 16, \"AnimStack::rise\", \"\" {\nProperties70:  {\n\
            P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n}\n}\n\
            AnimationLayer: 17, \"AnimLayer::Base\", \"\" {\n}\n\
            AnimationCurveNode: 18, \"AnimCurveNode::T\", \"\" {\nProperties70:  {\n\
            P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",2\n\
            P: \"d|Z\", \"Number\", \"\", \"A\",0\n}\n}\n"
            .into(),
        format!(
            "AnimationCurve: 19, \"AnimCurve::\", \"\" {{\nDefault: 2\nKeyVer: 4008\n{}{}{}{}{}}}\n",
            array("KeyTime", "0,46186158000"),
            array("KeyValueFloat", "2,4"),
            // Straight lines.
            array("KeyAttrFlags", "4"),
            array("KeyAttrDataFloat", "0,0,0,0"),
            array("KeyAttrRefCount", "2"),
        ),
    ];
    let connections = [
        "\"OO\",2,0",
        "\"OO\",1,2",
        "\"OO\",3,2",
        "\"OP\",4,3, \"DiffuseColor\"",
        "\"OO\",6,0",
        "\"OO\",5,6",
        "\"OO\",8,0",
        "\"OO\",7,8",
        "\"OO\",10,0",
        "\"OO\",9,10",
        "\"OO\",11,1",
        "\"OO\",12,11",
        "\"OO\",10,12",
        "\"OO\",13,1",
        "\"OO\",14,13",
        "\"OO\",15,14",
        "\"OO\",17,16",
        "\"OO\",18,17",
        "\"OP\",18,2, \"Lcl Translation\"",
        "\"OP\",19,18, \"d|Y\"",
    ];
    file(&settings(Y_UP, 100.), &objects.concat(), &connections).into_bytes()
}
