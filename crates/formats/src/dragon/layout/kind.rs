//! The kinds of sections and their tags.

/// What a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Kind {
    Dragon,
    Null,
    Settings,
    Skeleton,
    Vertex,
    Morph,
    Indice,
    Geometry,
    Material,
    Socket,
    Texture,
    Image,
    AssetRef,
    Light,
    Object,
    Instance,
    VoxelPlt,
    VoxelObj,
    VoxelMat,
    Animate,
    AniTrack,
    Asset,
}

impl Kind {
    /// Every kind with its tag.
    pub const ALL: [(Kind, [u8; 8]); 22] = [
        (Kind::Dragon, *b"DRAGON\x1A\n"),
        (Kind::Null, *b"________"),
        (Kind::Settings, *b"SETTINGS"),
        (Kind::Skeleton, *b"SKELETON"),
        (Kind::Vertex, *b"VERTEX__"),
        (Kind::Morph, *b"MORPH___"),
        (Kind::Indice, *b"INDICE__"),
        (Kind::Geometry, *b"GEOMETRY"),
        (Kind::Material, *b"MATERIAL"),
        (Kind::Socket, *b"SOCKET__"),
        (Kind::Texture, *b"TEXTURE_"),
        (Kind::Image, *b"IMAGE___"),
        (Kind::AssetRef, *b"ASSETREF"),
        (Kind::Light, *b"LIGHT___"),
        (Kind::Object, *b"OBJECT__"),
        (Kind::Instance, *b"INSTANCE"),
        (Kind::VoxelPlt, *b"VOXELPLT"),
        (Kind::VoxelObj, *b"VOXELOBJ"),
        (Kind::VoxelMat, *b"VOXELMAT"),
        (Kind::Animate, *b"ANIMATE_"),
        (Kind::AniTrack, *b"ANITRACK"),
        (Kind::Asset, *b"ASSET___"),
    ];

    /// The eight bytes it starts with.
    pub fn tag(self) -> [u8; 8] {
        Kind::ALL[self as usize].1
    }

    /// Its name in the document.
    pub fn name(self) -> &'static str {
        let tag = &Kind::ALL[self as usize].1;
        let size = tag.iter().position(|byte| !byte.is_ascii_uppercase()).unwrap_or(tag.len());
        match std::str::from_utf8(&tag[..size]) {
            Ok("") | Err(_) => "NULL",
            Ok(name) => name,
        }
    }

    /// The kind with this tag, and how the tag was spelt.
    pub fn of(tag: [u8; 8]) -> Option<(Kind, Spelling)> {
        let known = |tag: [u8; 8]| Kind::ALL.iter().find(|(_, own)| *own == tag).map(|(kind, _)| *kind);
        let mut reversed = tag;
        reversed.reverse();
        match known(tag) {
            Some(kind) => Some((kind, Spelling::Plain)),
            None if tag == NULL_OF_2019 => Some((Kind::Null, Spelling::Of2019)),
            None => known(reversed).map(|kind| (kind, Spelling::Reversed)),
        }
    }

    /// Whether the section header's `count` counts something of the body; where it does not, it should be 0.
    pub fn counts(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Settings
                | Skeleton
                | Vertex
                | Morph
                | Indice
                | Geometry
                | Material
                | Instance
                | VoxelPlt
                | VoxelObj
                | VoxelMat
                | Animate
                | AniTrack
        )
    }
}

/// What the program of 2019 calls NULL.
const NULL_OF_2019: [u8; 8] = *b"DRAGON__";

/// How a tag was spelt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// As the document's text has it.
    #[default]
    Plain,
    /// Last byte first.
    Reversed,
    /// As the program of 2019 has it.
    Of2019,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_stand_in_the_order_of_the_kinds() {
        for (i, (kind, tag)) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(Kind::of(tag), Some((kind, Spelling::Plain)));
        }
        assert_eq!(Kind::Null.name(), "NULL");
        assert_eq!(Kind::Vertex.name(), "VERTEX");
        assert_eq!(Kind::of(*b"___HPROM"), Some((Kind::Morph, Spelling::Reversed)));
        assert_eq!(Kind::of(*b"DRAGON__"), Some((Kind::Null, Spelling::Of2019)));
        assert_eq!(Kind::of(*b"VENDOR_X"), None);
    }
}
