//! Which differences a loss explains, and what may be lost at all.

use std::collections::BTreeSet;

use pentad::findings::{Level, Loss, SubjectKind};

use super::compare::Difference;
use super::facts::Aspect::{self, *};
use super::shown::Model;

/// Differences that need no words: the same picture, stored otherwise.
pub(crate) const QUIET: &[Aspect] = &[
    Vertices,
    Stored,
    Unnamed,
    RigPlace,
    RigParent,
    CopiesAs,
    Carried,
    Said,
    Count,
    Parts,
    Channel,
    MaterialMadeUp,
    ColorsMadeUp,
    NotFound,
    Bits,
];

/// Everything that is said of a node or a mesh: what is lost with it.
const OBJECT: &[Aspect] = &[
    Name,
    Parent,
    Place,
    Hidden,
    Copies,
    Levels,
    Skin,
    Morphs,
    MorphNames,
    RestWeights,
    Light,
    LightSettings,
    Camera,
    Extras,
    RigPlace,
    RigParent,
    Surface,
    Thin,
    Vertices,
    Stored,
    Parts,
    Channel,
    Movement,
];
const MESH: &[Aspect] = &[Skin, Name, Extras, Levels, Morphs, MorphNames, RestWeights, Vertices, Stored, Parts];
const LOOKS: &[Aspect] = &[
    BaseColor,
    Metal,
    Roughness,
    Emission,
    Alpha,
    Sides,
    Lit,
    DefaultLook,
    Extension,
    Picture,
    PictureMadeUp,
    Laid,
    PictureStrength,
    Sampling,
    Name,
    Extras,
    Image,
    Colors,
];
const TEXTURES: &[Aspect] = &[
    Picture,
    Laid,
    PictureStrength,
    Sampling,
    Image,
    Name,
    Extras,
    BaseColor,
    Metal,
    Roughness,
    Emission,
    PictureMadeUp,
];

/// A loss and what can be seen of it.
pub(crate) struct Seen {
    pub(crate) code: &'static str,
    pub(crate) aspects: &'static [&'static [Aspect]],
}

const fn seen(code: &'static str, aspects: &'static [&'static [Aspect]]) -> Seen {
    Seen { code, aspects }
}

pub(crate) const SEEN: &[Seen] = &[
    seen("LOSS-001", &[&[Animation, Movement, Channel, Extras]]),
    // With a skin goes the tree of its joints.
    seen("LOSS-002", &[&[Skin, Name, Parent, Stored, Extras, Bits]]),
    seen("LOSS-003", &[&[Morphs, MorphNames, RestWeights, Bits]]),
    seen("LOSS-004", &[&[Light, LightSettings, Name, Extras, Said]]),
    seen("LOSS-005", &[&[Camera, Name, Extras]]),
    seen("LOSS-006", &[LOOKS, &[ColorsMadeUp]]),
    seen("LOSS-007", &[TEXTURES, &[Said]]),
    seen("LOSS-008", &[OBJECT]),
    seen("LOSS-009", &[&[Place, RigPlace, Light, Bits]]),
    seen("LOSS-010", &[&[Copies, CopiesAs]]),
    seen("LOSS-012", &[MESH]),
    seen("LOSS-014", &[&[Name, Scene, MorphNames]]),
    seen("LOSS-015", &[&[Extension, Extras, Name, Levels, Metal, Roughness, Sampling]]),
    seen("LOSS-016", &[&[Metadata, Extras]]),
    seen("LOSS-017", &[&[Attribute, Stored, Colors, Uvs, Normals]]),
    seen("LOSS-018", &[&[AttributeMadeUp, ColorsMadeUp, Stored]]),
    seen("LOSS-019", &[&[Mode, Stored]]),
    seen("LOSS-020", &[&[Bits, Uvs]]),
    seen("LOSS-022", &[&[Normals, Attribute, AttributeMadeUp, Stored, Bits]]),
    seen("LOSS-023", &[&[BaseColor, Emission, Colors]]),
    seen("LOSS-024", &[MESH, &[Thin, Surface]]),
    seen("LOSS-025", &[&[Scene], OBJECT]),
    seen("LOSS-028", &[&[Hidden, SurfaceMadeUp, ThinMadeUp]]),
    seen("LOSS-029", &[MESH, &[Thin, Movement, Copies, CopiesAs]]),
    seen("LOSS-030", &[TEXTURES, &[NotFound]]),
    seen("LOSS-031", &[&[Place, RigPlace, Surface, SurfaceMadeUp, Movement, Carried, Skin, Bits]]),
    seen("LOSS-033", &[&[Vertices]]),
    seen("LOSS-034", &[OBJECT]),
    seen("LOSS-040", &[&[Channel, Movement]]),
    seen("LOSS-041", &[LOOKS, &[Said]]),
    seen("LOSS-042", &[&[Name, Unnamed, Scene, Animation, MorphNames]]),
    seen("LOSS-044", &[&[RestWeights, Said, Surface, SurfaceMadeUp, Place, RigPlace, Movement]]),
    seen("LOSS-045", &[&[LightSettings, Light]]),
    seen("LOSS-046", &[&[Uvs, Laid]]),
    seen("LOSS-050", &[&[Vertices, Surface, SurfaceMadeUp, Movement]]),
    seen("LOSS-052", &[TEXTURES]),
    seen("LOSS-053", &[&[Channel, Movement]]),
    seen("LOSS-054", &[&[Channel, Movement, Carried, Animation]]),
    seen("LOSS-060", &[&[Animation]]),
    seen("LOSS-061", &[TEXTURES]),
    seen("LOSS-062", &[&[Place, RigPlace, Surface, SurfaceMadeUp, Movement, Channel]]),
    seen("LOSS-064", &[&[Vertices]]),
    seen("LOSS-072", &[&[Parts, Name, Stored]]),
    seen("LOSS-073", &[&[Animation, Channel, Said]]),
    seen("LOSS-080", &[&[MaterialMadeUp]]),
    seen("LOSS-081", &[&[Normals, Attribute, AttributeMadeUp, Bits]]),
    seen("LOSS-082", &[OBJECT]),
    seen("LOSS-092", &[LOOKS]),
];

/// Formats that know no materials: how parts without one look is nothing that they could say.
const WITHOUT_MATERIALS: &[&str] = &["danmodel", "ply", "stl"];

/// Losses that the documents ask for although whoever reads the file as they say sees no difference: format, code, what.
const ASKED: &[(&str, &str, &str)] = &[
    // A light that shines in one direction is an ambient one with a setting.
    ("dragon", "LOSS-045", "direction"),
];

/// Losses of what vertices have. Where these are not in the same place anyway, nobody sees it.
const OF_VERTICES: &[&str] = &["LOSS-018", "LOSS-020", "LOSS-046"];

/// Breaches that are known and not mended yet. The goal is an empty list.
pub(crate) const KNOWN: &[(&str, &[&str])] = &[];

/// Whether a loss is about one of the objects of a difference.
pub(crate) fn is_about(loss: &Loss, difference: &Difference, second: bool, known: &BTreeSet<(&str, String)>) -> bool {
    let lost = &loss.subject;
    if lost.is_file() {
        return ["file", ""].contains(&&*lost.name);
    }
    let mut alike = difference.subjects.iter().filter(|subject| subject.kind == lost.kind.word());
    alike.any(|subject| match &*lost.name {
        "" => subject.name.is_empty() || second,
        name if name == subject.name => true,
        // On the way back, things have the names that they were given.
        name => second && !known.contains(&(subject.kind, name.to_owned())),
    })
}

pub(crate) fn can_tell(loss: &Loss, aspect: Aspect) -> bool {
    SEEN.iter().any(|seen| seen.code == loss.code && seen.aspects.iter().any(|list| list.contains(&aspect)))
}

/// What breaks the law: a difference nobody tells of, or words about nothing.
pub(crate) fn breaches(
    format: &str,
    source: &Model,
    differences: &[Difference],
    losses: &[(Loss, bool)],
) -> Vec<String> {
    let known: BTreeSet<_> = source.names().collect();
    let mut out = Vec::new();
    let is_quiet =
        |aspect: Aspect| QUIET.contains(&aspect) || aspect == DefaultLook && WITHOUT_MATERIALS.contains(&format);
    let asks = |difference: &&Difference| !difference.doubtful && !is_quiet(difference.aspect);
    for difference in differences.iter().filter(asks) {
        // Weights of targets that move nothing are as good as none: what is shown is compared by itself.
        let least = if difference.aspect == RestWeights { Level::Rounding } else { Level::Changed };
        let told = |(loss, second): &(Loss, bool)| {
            loss.level >= least && can_tell(loss, difference.aspect) && is_about(loss, difference, *second, &known)
        };
        // A name that a mesh shares with one of its nodes is kept by the node.
        let mesh = difference.subjects.first().filter(|first| difference.aspect == Name && first.kind == "mesh");
        let of_node = mesh.is_some_and(|mesh| {
            // One that it shares with another node may be found there only because that node is gone.
            let of_other = |(loss, _): &(Loss, bool)| {
                can_tell(loss, Name)
                    && (loss.subject.kind, &loss.subject.name) == (SubjectKind::Node, &mesh.name)
                    && !mesh.name.is_empty()
            };
            source.is_called_as_a_node(mesh) || losses.iter().any(of_other)
        });
        if !of_node && !losses.iter().any(told) {
            let subjects: Vec<String> =
                difference.subjects.iter().map(|s| format!("{} {} {:?}", s.kind, s.index, s.name)).collect();
            out.push(format!("silent {:?}|{} [{}]", difference.aspect, difference.what, subjects.join(", ")));
        }
    }
    for (loss, second) in losses {
        let way = if *second { "back" } else { "there" };
        let Some(_) = SEEN.iter().find(|seen| seen.code == loss.code) else {
            out.push(format!("unknown {}|{way} {loss} ({})", loss.code, loss.why));
            continue;
        };
        let shows = |difference: &&Difference| {
            let seen = can_tell(loss, difference.aspect) || loss.level == Level::Rounding && difference.aspect == Bits;
            let gone = matches!(difference.aspect, Surface | Thin);
            let seen = seen || difference.aspect == Count || gone && OF_VERTICES.contains(&loss.code);
            seen && is_about(loss, difference, *second, &known)
        };
        if ASKED.contains(&(format, loss.code, &loss.what)) {
            continue;
        }
        // A name that something else has as well may be there although it was lost.
        let name = if loss.subject.is_file() { "" } else { &*loss.subject.name };
        let shared = source.names().filter(|(_, known)| known == name).count() > 1;
        if shared && matches!(loss.code, "LOSS-014" | "LOSS-042") {
            continue;
        }
        // Which of several nodes of one name stands below another or is gone, nobody knows.
        if matches!(loss.code, "LOSS-008" | "LOSS-034") && source.count_nodes(name) > 1 {
            continue;
        }
        if !differences.iter().any(|difference| shows(&difference)) {
            out.push(format!("false {}|{way} {loss} ({})", loss.code, loss.why));
        }
    }
    out
}
