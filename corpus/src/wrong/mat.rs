//! DGL materials: texts with one wrong word, which stands between `«` and `»`.

use super::WrongField;

/// Every text; the marks are no part of it.
const TEXTS: &[&str] = &[
    // The only statement of a text.
    "«roughness» 0.5\n",
    "roughness«:»\n",
    "name: \"t\"\nnormalTexture: «\"n.png»\n",
    "diffuseColor: «[1, 0, 0, 1»\n",
    "metallic: 0.5 «0.6»\n",
    "shadeless: «2»\n",
    "«rougness»: 0.5\nmetallic: 1\n",
    // Statements that are none, beside one that is.
    "metallic: 1\n«#» shiny\n",
    "metallic: 1\n«1roughness»: 0.5\n",
    "metallic: 1\n«-roughness»: 0.5\n",
    "metallic: 1\n«:» 0.5\n",
    "metallic: 1\nroughness: «\"»\n",
    "metallic: 1\nroughness: 0.5«]»\n",
    "metallic: 1\nroughness: 0«,5»\n",
    "metallic: 1;«;»\nroughness: 0.5;\n",
    "metallic: 1;\nroughness: «0.5»\nmatcap: 0;\n",
    // Keys.
    "metallic: 1\n«metallic»: 0.5\n",
    "name: \"t\"\nroughness: 1\n«name»: \"u\"\n",
    "metallic: 1\n«Roughness»: 0.5\n",
    "metallic: 1\n«diffusecolor»: [1, 1, 1, 1]\n",
    "metallic: 1\n«color»: [1, 1, 1, 1]\n",
    "metallic: 1\n«fresnel»: 0.5\n",
    "metallic: 1\n«ambientTexture»: \"a.png\"\n",
    "metallic: 1\n«pbrTexture»: \"a.png\"\n",
    "metallic: 1\n«specAmbientTexture»: \"a.png\"\n",
    // Values of another kind.
    "metallic: «x»\n",
    "metallic: «true»\n",
    "metallic: «\"1\"»\n",
    "metallic: «[1]»\n",
    "metallic: «nan»\n",
    "roughness: «inf»\n",
    "roughness: «1e999»\n",
    "specularity: «half»\n",
    "diffuseColor: «[1, 0, 0]»\n",
    "diffuseColor: «[1, 0, 0, 0, 1]»\n",
    "diffuseColor: «[1, x, 0, 1]»\n",
    "diffuseColor: «[]»\n",
    "diffuseColor: «red»\n",
    "emissionColor: «1»\n",
    "specularColor: «\"white\"»\n",
    "ambientColor: «[0 0 0 1]»\n",
    "shadeless: «true»\n",
    "matcap: «-1»\n",
    "doubleSided: «yes»\n",
    "additiveBlending: «\"1\"»\n",
    "castShadows: «0.5»\n",
    "receiveShadows: «[1]»\n",
    "useTextures: «10»\n",
    "useGLSL: «on»\n",
    "useFog: «2»\n",
    "normalTexture: «n.png»\n",
    "normalTexture: «1»\n",
    "diffuseTexture: «[a.png]»\n",
    "metallic: 1\nname: «t»\n",
    // Values outside of their range.
    "metallic: «255»\n",
    "roughness: «-0.1»\n",
    "specularity: «1.5»\n",
    "diffuseColor: «[255, 0, 0, 255]»\n",
    "emissionColor: «[0, -1, 0, 1]»\n",
    // Links.
    "normalTexture: «\"n.tga\"»\n",
    "normalTexture: «\"/n.png\"»\n",
    "normalTexture: «\"C:/n.png\"»\n",
    "normalTexture: «\"../n.png\"»\n",
    "normalTexture: «\"\"»\n",
    // Bytes.
    "metallic: 1\nname: \"«\u{1}»\"\n",
    "metallic: 1\nname: \"«\u{7F}»\"\n",
];

pub(super) fn files() -> impl Iterator<Item = WrongField> {
    TEXTS.iter().map(|text| {
        let start = text.find('«').unwrap_or(0);
        let end = text.find('»').unwrap_or(0).saturating_sub('«'.len_utf8());
        WrongField {
            format: "mat",
            field: text,
            sample: Vec::new(),
            file: text.replace(['«', '»'], "").into_bytes(),
            at: (start as u64, (end - start) as u64),
            why: None,
        }
    })
}
