//! The keys of `extras.pentad` that belong to no format. Their values and what stands inside are in `docs/carry.md`.

use crate::carry::{Key, Owner};

/// Every object with a name.
const NAMED: &[Owner] = &[
    Owner::Scene,
    Owner::Node,
    Owner::Mesh,
    Owner::Material,
    Owner::Texture,
    Owner::Image,
    Owner::Light,
    Owner::Camera,
    Owner::Skin,
    Owner::Animation,
];

/// The key of what objects of a glTF file say where the scene has no room.
const INSIDE: &[Owner] =
    &[Owner::Asset, Owner::Node, Owner::Material, Owner::Texture, Owner::Light, Owner::Camera, Owner::Animation];

const fn key(name: &'static str, of: &'static [Owner], about: &'static str) -> Key {
    Key { name, of, about }
}

pub(super) const KEYS: &[Key] = &[
    key(
        "origin",
        &[Owner::Asset],
        "`format` and `dialect` of the source, and its axes and unit: `up`, `handedness`, `unit`, `uv_origin`; not for glTF",
    ),
    key(
        "metadata",
        &[Owner::Asset],
        "`title`, `description`, `author`, `copyright`, `comment`, `generator`, `project`: text as a value; `created`: value; `raw`: header data in hexadecimal",
    ),
    key(
        "holds",
        &[Owner::Asset],
        "how many there were of what editors drop: `skins`, `animations`, `levels of detail`, `lights`, `scenes`, `nodes that show a mesh`, `names of meshes`, `sets of texture coordinates`, and nodes, meshes, materials, skins and animations `with extras.pentad`; if there are fewer, another program left them out: GLTF-050. `source`: the source itself was in the file",
    ),
    key(
        "names",
        &[Owner::Asset],
        "names that several `nodes`, `meshes`, `materials` or `animations` have, an empty one if some have none; `targets` if morph targets have none; `shown_often`: meshes that several nodes show; `attributes`: names of attributes that had to be renamed, by those they have. Editors make such names different (`wood.001`, `Node_4`, `target_0`), and several meshes of one: that is undone",
    ),
    key(
        "numbers",
        &[Owner::Asset],
        "a sign for the numbers that nodes, meshes, materials, skins and textures had: the first eight digits of the SHA-256 of their names, each followed by a zero byte. Once it differs, words that name objects by numbers do not count",
    ),
    key(
        "name_bytes",
        NAMED,
        "the name as it was, in hexadecimal, if its bytes are not UTF-8; `name` then shows U+FFFD for what is wrong",
    ),
    key(
        "properties",
        &[Owner::Asset, Owner::Node, Owner::Mesh, Owner::Material],
        "properties a user gave the object: a list of pairs of name and value, in order, repeated ones too",
    ),
    key(
        "role",
        &[Owner::Scene, Owner::Node, Owner::Mesh, Owner::Material],
        "why the object is there, or what it stands for; see below",
    ),
    key(
        "level",
        &[Owner::Node],
        "of a coarser version: `of`, the group of levels it belongs to, `number`, which one it is, and `at`, where it was written, as a node says it. Of the node that has them: `group`, and `coverage`, shares of the screen below which each is used, a value or `null`; if all are known they are in `extras.MSFT_screencoverage`, followed by 0",
    ),
    key("socket", &[Owner::Node], "things can be attached here; `primary`: whether it is the main one"),
    key("skin", &[Owner::Node], "number of the skin, if the node shows no mesh"),
    key(
        "light",
        &[Owner::Node, Owner::Light],
        "a light that glTF has no kind for, in the source's words: `kind` (`point directional spot ambient area`), `name`, `color`, `intensity`, `range`, `cone` (two values: inner and outer angle)",
    ),
    key(
        "morph_ranges",
        &[Owner::Mesh],
        "smallest and largest weight of each morph target: pairs of values; absent if all are 0 to 1",
    ),
    key("alpha_mode", &[Owner::Material], "`additive`; glTF has only mixing"),
    key("phong", &[Owner::Material], "`diffuse`, `specular`, `ambient`: four values; `shininess`: value"),
    key(
        "factors",
        &[Owner::Material],
        "factors that an image says now, or whose texture is not there, as lists of values: `metallic roughness emission specular-colour`; `emission` has the colour and its strength",
    ),
    key("slots", &[Owner::Material], "textures that glTF has no slot for, or no image; see below"),
    key("packed", &[Owner::Material], "textures that are channels of an image that the source does not have: slots"),
    key("sampling", &[Owner::Texture], "how it is sampled, if glTF has no number for it; see below"),
    key(
        "path",
        &[Owner::Image],
        "text as a value: its path as the source writes it. A name that is that of the file is none",
    ),
    key("frame_rate", &[Owner::Animation], "value: frames per second"),
    key(
        "channels",
        &[Owner::Asset, Owner::Animation],
        "tracks that glTF cannot play; see below. Of the file: animations without any other, `at` (position among the source's), `name`, `extras` as an animation has them",
    ),
    key("gltf.inside", INSIDE, "what a glTF file had where the scene has no room, by JSON pointers; see below"),
];
