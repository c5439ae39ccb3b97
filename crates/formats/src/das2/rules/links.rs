//! What names what.

use std::collections::BTreeMap;

use findings::{Place, Severity, rule};

use super::super::document::Document;
use super::super::form::Kind;
use super::super::layout::{MaterialType, NONE};
use super::super::links::material_kind;
use super::{each_mesh, place, quoted};

rule! {
    /// ## What it finds
    /// An id beyond the structures of its kind. -1 means none, where none is allowed.
    ///
    /// ## Why it matters
    /// The library reads beyond its lists.
    ///
    /// ## Example
    /// Node 5 as a child, where there are three nodes.
    ///
    /// ## Fix
    /// Correct the id, or write the structure it names.
    DAS2_019 "DAS2-019" "no-such-structure", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        parts.broken(&mut |reference| {
            if reference.to != Kind::BUFFER {
                let (word, count) = (reference.to.word().unwrap_or_default(), parts.count(reference.to));
                let path = format!("{}{}", doc.list(reference.from.0), reference.path());
                cx.report(Place::path(path), format!("there is no {word} {}; there are {count}", signed(reference.id)));
            }
        });
    }
}

fn signed(id: u32) -> i64 {
    if id == NONE { -1 } else { id.into() }
}

rule! {
    /// ## What it finds
    /// A buffer id beyond the buffers.
    ///
    /// ## Why it matters
    /// The attribute has no bytes.
    ///
    /// ## Example
    /// `position_vertex_buffer_id` is 2, and there is one buffer.
    ///
    /// ## Fix
    /// Correct the id, or set it to -1 if the mesh does not have the attribute.
    DAS2_020 "DAS2-020" "no-such-buffer", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        parts.broken(&mut |reference| {
            if reference.to == Kind::BUFFER {
                let path = format!("{}{}", doc.list(reference.from.0), reference.path());
                let message = format!("there is no buffer {}; there are {}", reference.id, parts.buffers.len());
                cx.report(Place::path(path), message);
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A default scene that does not exist, or two fields that name different ones.
    ///
    /// ## Why it matters
    /// Readers do not know what to show.
    ///
    /// ## Example
    /// `default_scene_index` is 1, and there is one scene.
    ///
    /// ## Fix
    /// Set it to 0.
    DAS2_021 "DAS2-021" "no-such-scene", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let (count, index) = (doc.parts().scenes.len(), doc.header.default_scene_index);
        if count > 0 && index as usize >= count {
            let message = format!("there is no scene {}; there are {count}", signed(index));
            cx.report(Place::path("header.default_scene_index"), message);
        }
        if let Some(again) = doc.header.default_scene_index_again.filter(|again| *again != index) {
            let message = format!("the default scene is {index}, and here {again}");
            cx.report_as(Severity::Warning, Place::path("header.default_scene_index_again"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A file without a scene; a warning if there is nothing else in it either.
    ///
    /// ## Why it matters
    /// The document demands at least one; without it nothing is placed.
    ///
    /// ## Example
    /// A file with a buffer and nothing else.
    ///
    /// ## Fix
    /// Add a scene whose roots are the topmost nodes.
    DAS2_022 "DAS2-022" "no-scene", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.structures.is_empty() {
            cx.report_as(Severity::Warning, Place::path("header"), "nothing follows the header: there is no scene");
        } else if doc.parts().scenes.is_empty() {
            cx.report(Place::path("body"), "there is no scene");
        }
    }
}

rule! {
    /// ## What it finds
    /// A material type beyond 2; as a warning, a material id without a type, or a type without an id.
    ///
    /// ## Why it matters
    /// Nothing says which list the id counts in.
    ///
    /// ## Example
    /// `material_type` is 0 and `material_id` is 4.
    ///
    /// ## Fix
    /// Set the type to 1 for Phong or 2 for PBR, or the id to -1.
    DAS2_023 "DAS2-023" "material-type", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_mesh(doc, &doc.parts(), |mesh, place| {
            let (ty, id) = (mesh.material_type, mesh.material_id);
            if ty > MaterialType::PBR {
                let message = format!("the material type is {}; types are 0, 1 and 2", ty.0);
                cx.report(place.field("material_type"), message);
            } else if material_kind(ty).is_none() && id != NONE {
                let message = format!("material {id} is named, but not of which kind");
                cx.report_as(Severity::Warning, place.field("material_id"), message);
            } else if material_kind(ty).is_some() && id == NONE {
                let message = "a kind of material is named, but none of them";
                cx.report_as(Severity::Warning, place.field("material_id"), message);
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A path that other machines cannot follow: absolute, with backslashes, leading out of the folder, or with the
    /// image inside it.
    ///
    /// ## Why it matters
    /// Textures are looked for beside the file, and nowhere else.
    ///
    /// ## Example
    /// `C:\textures\wood.png`
    ///
    /// ## Fix
    /// Put the image beside the file and name it alone.
    DAS2_046 "DAS2-046" "uri-not-portable", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let mut see = |kind, i, (field, uri): (&'static str, &super::super::text::DasString)| {
            if let Some(why) = not_portable(uri.bytes()) {
                let place = place(doc, kind, i).field(field).field("text");
                cx.report(place, format!("{} {why}", quoted(uri.bytes())));
            }
        };
        for (i, material) in parts.phong_materials.iter().enumerate() {
            material.maps().for_each(|map| see(Kind::MATERIAL_PHONG, i, map));
        }
        for (i, material) in parts.pbr_materials.iter().enumerate() {
            material.maps().for_each(|map| see(Kind::MATERIAL_PBR, i, map));
        }
    }
}

fn not_portable(uri: &[u8]) -> Option<&'static str> {
    let has_drive = matches!(uri, [letter, b':', ..] if letter.is_ascii_alphabetic());
    match uri {
        _ if uri.starts_with(b"data:") => Some("holds the image itself; das2 has no field for that"),
        _ if uri.windows(3).any(|part| part == b"://") => Some("is an address, and das2 names files"),
        [b'/' | b'\\', ..] => Some("is an absolute path"),
        _ if has_drive => Some("is an absolute path"),
        _ if uri.contains(&b'\\') => Some("has backslashes"),
        _ if uri.split(|b| *b == b'/').any(|part| part == b"..") => Some("leads out of the folder"),
        _ => None,
    }
}

rule! {
    /// ## What it finds
    /// An unused mesh, material or buffer, and bytes of a buffer that no mesh uses: 16 or more, since fewer
    /// align what follows.
    ///
    /// ## Why it matters
    /// They take room and are never shown.
    ///
    /// ## Example
    /// A mesh in no group.
    ///
    /// ## Fix
    /// Remove it.
    DAS2_047 "DAS2-047" "unused", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        super::super::unused::each(doc, &mut |place, message| cx.report(place, message));
    }
}

rule! {
    /// ## What it finds
    /// Two structures of one kind with one name.
    ///
    /// ## Why it matters
    /// Ids tell them apart, but whoever looks for a name finds only one.
    ///
    /// ## Example
    /// Two nodes called `wheel`.
    ///
    /// ## Fix
    /// Rename one of them.
    DAS2_048 "DAS2-048" "name-twice", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let lists: [(Kind, Vec<&[u8]>); 8] = [
            (Kind::MESH_GROUP, parts.mesh_groups.iter().map(|it| it.name.bytes()).collect()),
            (Kind::NODE, parts.nodes.iter().map(|it| it.name.bytes()).collect()),
            (Kind::SCENE, parts.scenes.iter().map(|it| it.name.bytes()).collect()),
            (Kind::SKELETON_JOINT, parts.joints.iter().map(|it| it.name.bytes()).collect()),
            (Kind::SKELETON, parts.skeletons.iter().map(|it| it.name.bytes()).collect()),
            (Kind::ANIMATION, parts.animations.iter().map(|a| a.name.as_ref().map_or(&[][..], |n| n.bytes())).collect()),
            (Kind::MATERIAL_PHONG, parts.phong_materials.iter().map(|it| it.name.bytes()).collect()),
            (Kind::MATERIAL_PBR, parts.pbr_materials.iter().map(|it| it.name.bytes()).collect()),
        ];
        for (kind, names) in lists {
            let mut first = BTreeMap::new();
            for (id, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                match first.get(name) {
                    Some(other) => {
                        let message = format!("{} is also the name of {}[{other}]", quoted(name), kind.list());
                        cx.report(place(doc, kind, id).field("name.text"), message);
                    }
                    None => _ = first.insert(name, id),
                }
            }
        }
    }
}
