//! Two files: what the second does not show or say as the first does.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Aspect, Fact, KINDS, Subject};
use super::gltf::{index, indices};
use super::pose::{Animation, Matrix, Pose, pose};
use super::shown::{Look, Model, Piece, ROLES};

/// Something that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Difference {
    pub(crate) aspect: Aspect,
    pub(crate) what: String,
    /// The objects that may be named for it.
    pub(crate) subjects: Vec<Subject>,
    /// Whether it may be none: what was compared is perhaps not the same thing. It makes words true and asks for none.
    pub(crate) doubtful: bool,
}

/// How far numbers may be off, as a share of the size of what is compared.
const TOLERANCE: f64 = 1e-5;

/// A filter that is left to who shows it: any will do.
const UNSAID: usize = 0;

/// The times at which animations are looked at, as shares of their length. Keys and frames seldom lie there.
const TIMES: [f64; 3] = [0.137, 0.519, 0.861];

/// What differs, once for each aspect and object.
pub(crate) fn differences(a: &Model, b: &Model) -> Vec<Difference> {
    let mut out = BTreeSet::new();
    compare_facts(a, b, &mut out);
    for (image, json) in a.file.list("images").iter().enumerate() {
        // What is not there is shown nowhere, and the file that names it is all there is to name.
        if a.file.image(image).is_none() {
            let mut subjects = a.about_picture("image", image);
            let name = json["uri"].as_str().unwrap_or_default().to_owned();
            subjects.push(Subject { kind: "image", index: image, name });
            out.insert(Difference { doubtful: false, aspect: Aspect::NotFound, what: String::new(), subjects });
        }
    }
    for scene in 0..a.file.list("scenes").len() {
        if let Some(other) = same_scene(a, b, scene) {
            compare_scenes(a, b, scene, other, &mut out);
            compare_hidden(a, b, scene, other, &mut out);
        }
    }
    out.into_iter().collect()
}

/// The scene of the second file that shows what one of the first does.
fn same_scene(a: &Model, b: &Model, scene: usize) -> Option<usize> {
    if scene == a.default_scene() {
        return Some(b.default_scene()).filter(|other| *other < b.file.list("scenes").len());
    }
    let (ours, theirs) = (a.file.list("scenes"), b.file.list("scenes"));
    (ours.len() == theirs.len()).then_some(scene)
}

fn compare_scenes(a: &Model, b: &Model, scene: usize, other: usize, out: &mut BTreeSet<Difference>) {
    let ours = a.shown(scene, &pose(&a.file, &[], 0.));
    let theirs = b.shown(other, &pose(&b.file, &[], 0.));
    let view = View { a, b };
    let pairs = matched(&ours, &theirs, &|x, y, order| view.unlike(x, y, order).len());
    for (x, y, order) in &pairs.pairs {
        let (x, y) = (&ours[*x], &theirs[*y]);
        let doubtful = view.is_chance(x, y);
        for (aspect, what) in view.unlike(x, y, order) {
            out.insert(Difference { doubtful, aspect, what, subjects: about_same(a, &ours, x) });
        }
        if other_bits(x, y, order) {
            out.insert(Difference {
                doubtful: false,
                aspect: Aspect::Bits,
                what: String::new(),
                subjects: about_piece(a, x),
            });
        }
    }
    let near = TOLERANCE * size(&ours);
    for &at in &pairs.left_a {
        let aspect = if ours[at].at.len() == 3 { Aspect::Surface } else { Aspect::Thin };
        // Of pieces in one place, any may be the one that is there.
        let same = ours.iter().filter(|other| !orders(&ours[at], other, near).is_empty());
        let subjects = same.flat_map(|piece| about_piece(a, piece)).collect();
        out.insert(Difference { doubtful: false, aspect, what: "is not shown".into(), subjects });
    }
    if pairs.left_b.is_empty() {
        return compare_movements(a, b, scene, other, out);
    }
    // What was not shown before may have been hidden; what was shown or hidden may stand elsewhere now.
    let hidden = a.unshown(scene, &pose(&a.file, &[], 0.));
    let new: Vec<Piece> = pairs.left_b.iter().map(|&at| theirs[at].clone()).collect();
    let known = matched(&hidden, &new, &|x, y, order| view.unlike(x, y, order).len());
    let mut moved: Vec<Subject> = pairs.left_a.iter().flat_map(|&at| about_place(a, &ours, at)).collect();
    moved.extend(known.left_a.iter().flat_map(|&at| about_piece(a, &hidden[at])));
    for (at, piece) in new.iter().enumerate() {
        let mut subjects = about_piece(b, piece);
        match known.pairs.iter().find(|(_, new, _)| *new == at) {
            Some((hidden_at, _, order)) => {
                let before = &hidden[*hidden_at];
                subjects.extend(about_place(a, &hidden, *hidden_at));
                // Something of another name may have been moved to where that is.
                let called = b.subject("node", piece.node).name;
                let is_it = |node: &&Subject| node.kind == "node" && !node.name.is_empty();
                subjects.extend(moved.iter().filter(is_it).filter(|node| called.starts_with(&node.name)).cloned());
                let doubtful = view.is_chance(before, piece);
                for (aspect, what) in view.unlike(before, piece, order) {
                    out.insert(Difference { doubtful, aspect, what, subjects: about_same(a, &hidden, before) });
                }
            }
            None => subjects.extend(moved.clone()),
        }
        let aspect = if piece.at.len() == 3 { Aspect::SurfaceMadeUp } else { Aspect::ThinMadeUp };
        out.insert(Difference { doubtful: false, aspect, what: "is shown".into(), subjects: subjects.clone() });
        out.insert(Difference { doubtful: false, aspect: Aspect::Bits, what: String::new(), subjects });
    }
    compare_movements(a, b, scene, other, out);
}

/// What is hidden has a look as well, as far as it is in the same place.
fn compare_hidden(a: &Model, b: &Model, scene: usize, other: usize, out: &mut BTreeSet<Difference>) {
    let rest = |model: &Model| pose(&model.file, &[], 0.);
    let (ours, theirs) = (a.unshown(scene, &rest(a)), b.unshown(other, &rest(b)));
    let view = View { a, b };
    for (x, y, order) in matched(&ours, &theirs, &|x, y, order| view.unlike(x, y, order).len()).pairs {
        let doubtful = view.is_chance(&ours[x], &theirs[y]);
        for (aspect, what) in view.unlike(&ours[x], &theirs[y], &order) {
            out.insert(Difference { doubtful, aspect, what, subjects: about_same(a, &ours, &ours[x]) });
        }
        if other_bits(&ours[x], &theirs[y], &order) {
            let subjects = about_piece(a, &ours[x]);
            out.insert(Difference { doubtful: false, aspect: Aspect::Bits, what: String::new(), subjects });
        }
    }
}

/// Whether numbers of two pieces in the same place differ at all. What is flat has no normals worth comparing.
fn other_bits(x: &Piece, y: &Piece, order: &[usize]) -> bool {
    let places = order.iter().enumerate().any(|(i, &j)| x.at[i] != y.at[j]);
    places || x.normals != y.normals || x.uvs != y.uvs || !x.oriented
}

fn compare_movements(a: &Model, b: &Model, scene: usize, other: usize, out: &mut BTreeSet<Difference>) {
    for (number, animation) in a.animations.iter().enumerate() {
        let mut add = |aspect, what: &str, subjects: Vec<Subject>| {
            let subjects = [vec![a.subject("animation", number)], subjects].concat();
            out.insert(Difference { doubtful: false, aspect, what: what.to_owned(), subjects });
        };
        for subjects in unmoved(a, b, animation, &|pose| a.shown(scene, pose), &|pose| b.shown(other, pose)) {
            add(Aspect::Movement, "does not move so", subjects);
        }
        // What is hidden moves as well, be it shown now or not.
        let all = |pose: &Pose| [b.shown(other, pose), b.unshown(other, pose)].concat();
        for subjects in unmoved(a, b, animation, &|pose| a.unshown(scene, pose), &all) {
            add(Aspect::Carried, "does not move so", subjects);
        }
        for node in not_carried(a, b, animation) {
            add(Aspect::Carried, "stays behind", a.about_node(node));
        }
    }
}

/// The nodes that an animation moves, themselves or with what they stand on, and no animation of the second file moves
/// as it does.
fn not_carried(a: &Model, b: &Model, animation: &Animation) -> Vec<usize> {
    // Also at keys: a step may come with the last of them.
    let keys = animation.channels.iter().flat_map(|channel| channel.times.iter().copied());
    let times: Vec<f64> = TIMES.iter().map(|share| share * animation.end()).chain(keys).collect();
    let worlds = |model: &Model, animation: &Animation| -> Vec<Vec<Matrix>> {
        times.iter().map(|time| model.worlds(&pose(&model.file, &[animation], *time))).collect()
    };
    let ours = worlds(a, animation);
    let rest = a.worlds(&pose(&a.file, &[], 0.));
    let theirs: Vec<_> = b.animations.iter().map(|other| worlds(b, other)).collect();
    let called = |model: &Model, node: usize| model.file.list("nodes")[node]["name"].clone();
    let moves = |node: &usize| ours.iter().any(|worlds| !close(&rest[*node], &worlds[*node]));
    let follows = |node: usize, other: usize| {
        let follows = |theirs: &Vec<Vec<Matrix>>| ours.iter().zip(theirs).all(|(a, b)| close(&a[node], &b[other]));
        // A bone of that name carries no light.
        let shines = !a.has_light(node) || b.has_light(other);
        shines && called(a, node) == called(b, other) && theirs.iter().any(follows)
    };
    let is_left = |node: &usize| !(0..b.parents.len()).any(|other| follows(*node, other));
    (0..rest.len()).filter(moves).filter(is_left).collect()
}

/// What an animation moves and no animation of the second file moves as it does.
fn unmoved(
    a: &Model,
    b: &Model,
    animation: &Animation,
    ours: &dyn Fn(&Pose) -> Vec<Piece>,
    theirs: &dyn Fn(&Pose) -> Vec<Piece>,
) -> BTreeSet<Vec<Subject>> {
    let times = TIMES.map(|share| share * animation.end());
    let ours: Vec<Vec<Piece>> = times.iter().map(|time| ours(&pose(&a.file, &[animation], *time))).collect();
    let mut candidates: Vec<Vec<&Animation>> = b.animations.iter().map(|animation| vec![animation]).collect();
    // One that was split plays together with those of its name.
    let mut names: BTreeMap<&str, Vec<&Animation>> = BTreeMap::new();
    b.animations.iter().for_each(|animation| names.entry(&animation.name).or_default().push(animation));
    candidates.extend(names.into_values().filter(|list| list.len() > 1));
    candidates.push(Vec::new());
    // Of the same name first: if none is right, the difference is told of that one.
    candidates.sort_by_key(|list| list.first().is_none_or(|first| first.name != animation.name));
    let mut best: Option<(usize, BTreeSet<Vec<Subject>>)> = None;
    for playing in candidates {
        let mut count = 0;
        let mut still = BTreeSet::new();
        for (time, ours) in times.iter().zip(&ours) {
            let theirs = theirs(&pose(&b.file, &playing, *time));
            let pairs = matched(ours, &theirs, &|_, _, _| 0);
            count += pairs.left_a.len();
            still.extend(pairs.left_a.iter().map(|&at| about_place(a, ours, at)));
        }
        if best.as_ref().is_none_or(|(least, _)| count < *least) {
            best = Some((count, still));
        }
        if count == 0 {
            break;
        }
    }
    best.map(|(_, still)| still).unwrap_or_default()
}

/// What is shown, and what bends it.
fn about_piece(model: &Model, piece: &Piece) -> Vec<Subject> {
    let mut out = model.about_node(piece.node);
    let skin = index(&model.file.list("nodes")[piece.node], "skin");
    let joints = skin.map(|skin| indices(&model.file.list("skins")[skin], "joints")).unwrap_or_default();
    out.extend(joints.into_iter().flat_map(|joint| model.about_node(joint)));
    out.extend(piece.material.into_iter().flat_map(|material| model.about_material(material)));
    out
}

/// The same for all that is in one place: which of them is missed, nobody knows.
fn about_place(model: &Model, pieces: &[Piece], at: usize) -> Vec<Subject> {
    let near = TOLERANCE * size(pieces);
    let there = pieces.iter().filter(|other| !orders(other, &pieces[at], near).is_empty());
    let nodes: BTreeMap<(usize, Option<usize>), &Piece> = there.map(|p| ((p.node, p.material), p)).collect();
    nodes.into_values().flat_map(|piece| about_piece(model, piece)).collect()
}

/// The same for all of one part of a mesh that is in one place: any of them may be the one that changed.
fn about_same(model: &Model, pieces: &[Piece], piece: &Piece) -> Vec<Subject> {
    let is_same = |other: &&Piece| (other.mesh, other.part) == (piece.mesh, piece.part);
    let same: Vec<Piece> = [piece].into_iter().chain(pieces.iter().filter(is_same)).cloned().collect();
    about_place(model, &same, 0)
}

struct Pairs {
    /// Places in both lists, and which corner of the second is which of the first.
    pairs: Vec<(usize, usize, Vec<usize>)>,
    left_a: Vec<usize>,
    left_b: Vec<usize>,
}

/// Finds for each piece one of the same place, of those the one that looks most alike.
fn matched(ours: &[Piece], theirs: &[Piece], unlike: &dyn Fn(&Piece, &Piece, &[usize]) -> usize) -> Pairs {
    let size = size(ours);
    let near = TOLERANCE * size;
    let key = |piece: &Piece| piece.at.iter().flatten().sum::<f64>() / piece.at.len() as f64;
    let mut order: Vec<(f64, usize)> = theirs.iter().enumerate().map(|(at, piece)| (key(piece), at)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = vec![true; theirs.len()];
    let mut found: Vec<Option<(usize, Vec<usize>)>> = vec![None; ours.len()];
    let best = |at: usize, free: &[bool]| {
        let (piece, own) = (&ours[at], key(&ours[at]));
        let from = order.partition_point(|(key, _)| *key < own - 4. * near);
        let mut best: Option<(usize, f64, usize, Vec<usize>)> = None;
        let there = order[from..].iter().take_while(|(key, _)| *key <= own + 4. * near).map(|(_, other)| *other);
        for other in there.filter(|other| free[*other]) {
            for corners in orders(piece, &theirs[other], near) {
                let cost = unlike(piece, &theirs[other], &corners);
                let far = distance(piece, &theirs[other], &corners);
                if best.as_ref().is_none_or(|(least, near, ..)| (cost, far) < (*least, *near)) {
                    best = Some((cost, far, other, corners));
                }
            }
        }
        best
    };
    // What is most alike is taken first, so that nothing takes away what only another one is like.
    let mut open: BTreeSet<(usize, usize)> = (0..ours.len()).map(|at| (0, at)).collect();
    while let Some((least, at)) = open.pop_first() {
        match best(at, &free) {
            Some((cost, ..)) if cost > least => _ = open.insert((cost, at)),
            Some((_, _, other, corners)) => {
                free[other] = false;
                found[at] = Some((other, corners));
            }
            None => {}
        }
    }
    let pairs = found.iter().enumerate().filter_map(|(at, found)| Some((at, found.clone()?)));
    Pairs {
        pairs: pairs.map(|(at, (other, corners))| (at, other, corners)).collect(),
        left_a: (0..ours.len()).filter(|&at| found[at].is_none()).collect(),
        left_b: (0..theirs.len()).filter(|&at| free[at]).collect(),
    }
}

/// How far the corners of two pieces are apart.
fn distance(a: &Piece, b: &Piece, order: &[usize]) -> f64 {
    let corners = order.iter().enumerate().map(|(i, &j)| a.at[i].iter().zip(&b.at[j]));
    corners.flatten().fold(0., |most: f64, (a, b)| most.max((a - b).abs()))
}

/// How large numbers are, from which one counts how far they may be off.
fn size(pieces: &[Piece]) -> f64 {
    pieces.iter().flat_map(|piece| piece.at.iter().flatten()).fold(1e-6, |most: f64, v| most.max(v.abs()))
}

/// The ways in which the corners of two pieces are in the same places.
fn orders(a: &Piece, b: &Piece, near: f64) -> Vec<Vec<usize>> {
    const TURNS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let ways: Vec<Vec<usize>> = match (a.at.len(), b.at.len()) {
        (1, 1) => vec![vec![0]],
        (2, 2) => vec![vec![0, 1], vec![1, 0]],
        (3, 3) if a.oriented && b.oriented => TURNS[..3].iter().map(|turn| turn.to_vec()).collect(),
        (3, 3) => TURNS.iter().map(|turn| turn.to_vec()).collect(),
        _ => Vec::new(),
    };
    let close = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= near);
    let fits = |way: &Vec<usize>| way.iter().enumerate().all(|(i, &j)| close(&a.at[i], &b.at[j]));
    ways.into_iter().filter(fits).collect()
}

struct View<'a> {
    a: &'a Model,
    b: &'a Model,
}

/// Whether numbers are as close as those of colours and texture coordinates should be.
fn close(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(1., |most: f64, v| most.max(v.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE * size)
}

fn close_rows<const N: usize>(a: &[[f64; N]], b: &[[f64; N]], order: &[usize]) -> bool {
    a.len() == b.len() && order.iter().enumerate().all(|(i, &j)| close(&a[i], &b[j]))
}

impl View<'_> {
    /// Whether two pieces may be in one place by chance: they are no more than a point, and their meshes are not called
    /// the same.
    fn is_chance(&self, x: &Piece, y: &Piece) -> bool {
        let name = |model: &Model, piece: &Piece| model.subject("mesh", piece.mesh).name;
        x.at.iter().all(|corner| close(corner, &x.at[0])) && name(self.a, x) != name(self.b, y)
    }

    /// What is different about two pieces in the same place.
    fn unlike(&self, x: &Piece, y: &Piece, order: &[usize]) -> Vec<(Aspect, String)> {
        let mut out = Vec::new();
        let mut add = |aspect, what: String| out.push((aspect, what));
        if let (Some(ours), Some(theirs)) = (&x.normals, &y.normals)
            && !close_rows(ours, theirs, order)
        {
            add(Aspect::Normals, "other normals".into());
        }
        let parts = (&self.a.meshes[x.mesh][x.part], &self.b.meshes[y.mesh][y.part]);
        // Joints of what no skin moves are data of another name.
        let bound =
            |name: &str| ["JOINTS", "WEIGHTS"].iter().any(|word| name.trim_start_matches('_').starts_with(word));
        // A set of coordinates that repeats another one is that one: das2 and DGL2 cannot tell them apart.
        let repeats = |name: &str| {
            let set = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<usize>().ok());
            set.is_some_and(|set| x.uvs.iter().take(set).any(|other| Some(other) == x.uvs.get(set)))
        };
        let own = |name: &&String| !bound(name) && !repeats(name);
        let default = Look { base: [1.; 4], metal: 1., rough: 1., alpha: "OPAQUE".into(), ..Look::default() };
        let ours = x.material.map_or(&default, |material| &self.a.looks[material]);
        let theirs = y.material.map_or(&default, |material| &self.b.looks[material]);
        for lost in parts.0.semantics.iter().filter(own).filter(|name| !parts.1.semantics.contains(name)) {
            add(Aspect::Attribute, lost.clone());
        }
        for new in parts.1.semantics.iter().filter(own).filter(|name| !parts.0.semantics.contains(name)) {
            // Colours are compared by what they show, and so are coordinates that have taken over the transform of the
            // texture that lies by them, whatever their number is now; it is not seen where its image is missing.
            let is_set = new.starts_with("TEXCOORD_");
            let mut moved = ours.pictures.values().filter(|picture| (0..x.uvs.len()).any(|set| picture.moves(set)));
            let is_new = |set: &usize| !x.uvs.iter().any(|rows| close_rows(rows, &y.uvs[*set], order));
            let mut sets = (0..y.uvs.len()).filter(is_new);
            let lies = sets.any(|set| theirs.pictures.values().any(|picture| picture.lies_by(set)));
            let taken_over = is_set && moved.any(|picture| lies || picture.image.is_none());
            let aspect = match new.starts_with("COLOR") {
                true => Aspect::ColorsMadeUp,
                false if taken_over => Aspect::Stored,
                false => Aspect::AttributeMadeUp,
            };
            add(aspect, new.clone());
        }
        // How lines follow each other is nothing that is shown.
        if parts.0.mode != parts.1.mode && x.at.len() == 3 {
            add(Aspect::Mode, format!("{} to {}", parts.0.mode, parts.1.mode));
        }
        if x.material.is_none() && y.material.is_some() {
            add(Aspect::MaterialMadeUp, String::new());
        }
        for (set, rows) in x.uvs.iter().enumerate() {
            // Sets may be numbered otherwise, and take over the transforms of textures: what lies where is told by those.
            let moved = ours.pictures.values().any(|picture| picture.moves(set));
            if !moved && y.uvs.get(set).is_some() && !y.uvs.iter().any(|other| close_rows(rows, other, order)) {
                add(Aspect::Uvs, format!("set {set}"));
            }
        }
        let shade = |piece: &Piece, look: &Look| -> Vec<[f64; 4]> {
            let colors = piece.colors.clone().unwrap_or_else(|| vec![[1.; 4]; piece.at.len()]);
            let opaque = look.alpha == "OPAQUE";
            let shade = |color: [f64; 4], i: usize| if opaque && i == 3 { 1. } else { color[i] * look.base[i] };
            colors.into_iter().map(|color| std::array::from_fn(|i| shade(color, i))).collect()
        };
        if !close_rows(&shade(x, ours), &shade(y, theirs), order) {
            let colored = x.colors.is_some() || y.colors.is_some();
            add(if colored { Aspect::Colors } else { Aspect::BaseColor }, "other colour".into());
        }
        // A part without a material looks as the standard says; who knows no materials at all need not tell.
        let aspect = |own| if x.material.is_some() { own } else { Aspect::DefaultLook };
        if !close(&[ours.metal], &[theirs.metal]) {
            add(aspect(Aspect::Metal), format!("{} to {}", ours.metal, theirs.metal));
        }
        if !close(&[ours.rough], &[theirs.rough]) {
            add(aspect(Aspect::Roughness), format!("{} to {}", ours.rough, theirs.rough));
        }
        if ours.sides != theirs.sides {
            add(aspect(Aspect::Sides), format!("{} to {}", ours.sides, theirs.sides));
        }
        if ours.unlit != theirs.unlit {
            add(aspect(Aspect::Lit), format!("{} to {}", ours.unlit, theirs.unlit));
        }
        if !close(&ours.emission, &theirs.emission) {
            add(Aspect::Emission, format!("{:?} to {:?}", ours.emission, theirs.emission));
        }
        if ours.alpha != theirs.alpha {
            add(Aspect::Alpha, format!("{} to {}", ours.alpha, theirs.alpha));
        }
        for (role, _) in ROLES {
            match (ours.pictures.get(role), theirs.pictures.get(role)) {
                (None, None) => {}
                (None, Some(_)) => add(Aspect::PictureMadeUp, role.into()),
                (Some(_), None) => add(Aspect::Picture, role.into()),
                (Some(ours), Some(theirs)) => {
                    if ours.image != theirs.image {
                        add(Aspect::Picture, format!("{role}, another"));
                    }
                    if let Some(laid) = ours.laid(x)
                        && !theirs.laid(y).is_some_and(|other| close_rows(&laid, &other, order))
                    {
                        add(Aspect::Laid, role.into());
                    }
                    if !close(&[ours.strength], &[theirs.strength]) {
                        add(Aspect::PictureStrength, role.into());
                    }
                    if !samples_alike(&ours.sampling, &theirs.sampling) {
                        add(Aspect::Sampling, role.into());
                    }
                }
            }
        }
        out
    }
}

/// Whether a texture is wrapped and filtered as another one is. Filters that are left to who shows it may be those that
/// viewers choose: mixed pixels, and mip maps.
fn samples_alike(ours: &[usize; 4], theirs: &[usize; 4]) -> bool {
    const LINEAR: usize = 9729;
    const LINEAR_MIPMAP_LINEAR: usize = 9987;
    let usual = [None, None, Some(LINEAR), Some(LINEAR_MIPMAP_LINEAR)];
    let pairs = ours.iter().zip(theirs).zip(usual);
    pairs.into_iter().all(|((a, b), usual)| a == b || *a == UNSAID && usual == Some(*b))
}

/// Which names things have of which something is said.
fn names_of(facts: &[Fact]) -> BTreeSet<(Aspect, &str)> {
    facts.iter().flat_map(|fact| fact.names.iter().map(|name| (fact.aspect, name.as_str()))).collect()
}

/// Aspects of meshes and materials in which many are alike.
const OFTEN_SAID: [Aspect; 9] = [
    Aspect::Vertices,
    Aspect::Parts,
    Aspect::BaseColor,
    Aspect::Metal,
    Aspect::Roughness,
    Aspect::Emission,
    Aspect::Alpha,
    Aspect::Sides,
    Aspect::Lit,
];

/// Facts of the first file that the second does not have, and made-up ones.
fn compare_facts(a: &Model, b: &Model, out: &mut BTreeSet<Difference>) {
    let (ours, theirs) = (a.facts(true), b.facts(false));
    let mut free: Vec<bool> = vec![true; theirs.len()];
    let size = size(&a.shown(a.default_scene(), &pose(&a.file, &[], 0.)));
    let said = |a: &Fact, b: &Fact, any_key: bool| {
        if a.aspect != b.aspect {
            return false;
        }
        let most = a.numbers.iter().fold(size, |most: f64, v| if v.abs() < 1e30 { most.max(v.abs()) } else { most });
        if a.aspect == Aspect::Sampling && a.key == b.key && a.numbers.len() == b.numbers.len() {
            let words = |fact: &Fact| std::array::from_fn(|at| fact.numbers[at] as usize);
            return samples_alike(&words(a), &words(b));
        }
        let unsaid = |v: f64| v.is_nan();
        let near = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= TOLERANCE * most || unsaid(*a);
        (a.key == b.key || (any_key && a.aspect == Aspect::Parent))
            && a.numbers.len() == b.numbers.len()
            && a.numbers.iter().zip(&b.numbers).all(near)
    };
    let mut left: Vec<&Fact> = Vec::new();
    // A name that was lost may be any other, but what one says of meshes and materials, many say: it is not said of one
    // that kept its name.
    let called: BTreeSet<(Aspect, &str)> = names_of(&ours);
    let find = |fact: &Fact, lost: &BTreeSet<String>, any_key: bool, free: &mut Vec<bool>| {
        let kept = |b: &String| {
            OFTEN_SAID.contains(&fact.aspect) && called.contains(&(fact.aspect, b.as_str())) && !lost.contains(b)
        };
        let same = |(a, b): (&String, &String)| a == b || lost.contains(a) && !kept(b);
        // What stands below something of its name was made for it: a bone.
        let made_up =
            |fact: &Fact| fact.aspect == Aspect::Parent && fact.names[0] == fact.names[1] && !fact.names[0].is_empty();
        let named = |other: &Fact| fact.names.iter().zip(&other.names).all(same) && (made_up(fact) || !made_up(other));
        let fits = |other: &Fact| said(fact, other, any_key) && named(other);
        // What has the name of something else is that first.
        let is_other = |(a, b): (&String, &String)| a != b && called.contains(&(fact.aspect, b.as_str()));
        let found = (0..theirs.len()).filter(|&at| free[at] && fits(&theirs[at]));
        let at = found.min_by_key(|&at| fact.names.iter().zip(&theirs[at].names).any(is_other))?;
        free[at] = false;
        Some(at)
    };
    let none = BTreeSet::new();
    let mut guessed: Vec<&Fact> = Vec::new();
    for fact in &ours {
        let found = find(fact, &none, false, &mut free);
        // Who has no name may be any that has none.
        guessed.extend(found.and(fact.names.iter().any(String::is_empty).then_some(fact)));
        match found {
            None => left.push(fact),
            Some(at) if fact.numbers != theirs[at].numbers => {
                let subjects = fact.subjects.clone();
                out.insert(Difference { doubtful: false, aspect: Aspect::Bits, what: String::new(), subjects });
            }
            Some(_) => {}
        }
    }
    // A mesh without a node of that name has kept its own where an object is called so.
    left.retain(|fact| {
        let as_object = Fact { key: "node".to_owned(), ..(*fact).clone() };
        !((fact.aspect, fact.key.as_str()) == (Aspect::Name, "mesh")
            && find(&as_object, &none, false, &mut free).is_some())
    });
    for (list, kind) in KINDS {
        if b.file.list(list).len() < a.file.list(list).len() {
            let all = (0..a.file.list(list).len()).map(|at| a.subject(kind, at));
            let subjects = all.filter(|subject| subject.name.is_empty()).collect();
            out.insert(Difference { doubtful: false, aspect: Aspect::Count, what: list.into(), subjects });
        }
    }
    // Whatever has nothing of its own may have taken the place of a node that has nothing at all.
    if b.bare_nodes().len() < a.bare_nodes().len() {
        out.insert(Difference {
            doubtful: false,
            aspect: Aspect::Count,
            what: "bare nodes".into(),
            subjects: a.bare_nodes(),
        });
    }
    // Names that are new were given to what had none, though something without a name may be there as well.
    let known: BTreeSet<_> = a.names().collect();
    let made_up: BTreeSet<&str> = b.names().filter(|name| !known.contains(name)).map(|(kind, _)| kind).collect();
    for (list, kind) in KINDS.iter().filter(|(_, kind)| made_up.contains(kind)) {
        let all = (0..a.file.list(list).len()).map(|at| a.subject(kind, at));
        let subjects = all.filter(|subject| subject.name.is_empty()).collect();
        out.insert(Difference { doubtful: false, aspect: Aspect::Unnamed, what: "got a name".into(), subjects });
    }
    // What is called otherwise is looked for by what is said of it.
    let is_name =
        |fact: &Fact| matches!(fact.aspect, Aspect::Name | Aspect::Unnamed | Aspect::Scene | Aspect::Animation);
    let mut lost: BTreeSet<String> =
        left.iter().filter(|fact| is_name(fact)).map(|fact| fact.names[0].clone()).collect();
    // What an image or a skin was called says nothing of the nodes.
    // Nor does what anything else was called say how many parts a mesh has, or how a material looks.
    let of_kind = |kind: &str| -> BTreeSet<String> {
        left.iter().filter(|fact| is_name(fact) && fact.key == kind).map(|fact| fact.names[0].clone()).collect()
    };
    let (mut lost_nodes, mut lost_meshes, mut lost_materials) = (of_kind("node"), of_kind("mesh"), of_kind("material"));
    // What has no name may get one.
    [&mut lost, &mut lost_nodes, &mut lost_meshes, &mut lost_materials]
        .into_iter()
        .for_each(|lost| _ = lost.insert(String::new()));
    // Of nodes of one name, one may be called otherwise while something that had no name got theirs.
    lost.extend(a.shared_names());
    lost_nodes.extend(a.shared_names());
    // What shows something was there for a reason, and finds its like before what holds nothing.
    // What only another scene shows, and what never had a name, is easily taken for something else: it comes last.
    left.sort_by_key(|fact| {
        let holds = fact.subjects.iter().any(|subject| subject.kind == "mesh");
        let elsewhere = fact.subjects.iter().any(|subject| subject.kind == "scene");
        (elsewhere, !holds, fact.names.iter().any(String::is_empty))
    });
    // Whoever kept its name comes before those that lost theirs.
    left.retain(|fact| is_name(fact) || find(fact, &none, true, &mut free).is_none());
    let mut missing: Vec<(&Fact, bool)> = Vec::new();
    for fact in left {
        let lost = match fact.aspect {
            Aspect::Parent => &lost_nodes,
            Aspect::Parts => &lost_meshes,
            Aspect::BaseColor | Aspect::Metal | Aspect::Roughness | Aspect::Emission => &lost_materials,
            Aspect::Alpha | Aspect::Sides | Aspect::Lit => &lost_materials,
            _ => &lost,
        };
        let renamed = fact.names.iter().any(|name| lost.contains(name));
        let lost = if renamed { lost } else { &none };
        if !is_name(fact) && [false, true].iter().any(|any_key| find(fact, lost, *any_key, &mut free).is_some()) {
            guessed.extend(renamed.then_some(fact));
        } else {
            missing.push((fact, renamed));
        }
    }
    for (fact, renamed) in missing {
        // Of several that are alike and lost their names, any may be the one that is there.
        let alike = guessed.iter().filter(|other| renamed && !is_name(fact) && said(fact, other, true));
        let subjects = [fact].into_iter().chain(alike.copied()).flat_map(|fact| fact.subjects.clone()).collect();
        let what = format!("{} {}", fact.names.join(" of "), fact.key);
        // Which of several that say the same is gone, nobody knows.
        let bits = |fact: &Fact| fact.numbers.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let whole = |fact: &Fact| (fact.aspect, fact.names.clone(), fact.key.clone(), bits(fact));
        let same = ours.iter().filter(|other| whole(other) == whole(fact));
        let subjects: Vec<Subject> = subjects;
        let subjects = subjects.into_iter().chain(same.flat_map(|other| other.subjects.clone())).collect();
        out.insert(Difference { doubtful: false, aspect: fact.aspect, what, subjects });
    }
    // Animations that became several.
    for number in 0..a.animations.len() {
        let count =
            |model: &Model| model.animations.iter().filter(|other| other.name == a.animations[number].name).count();
        if count(b) > count(a) {
            let subjects = vec![a.subject("animation", number)];
            out.insert(Difference {
                doubtful: false,
                aspect: Aspect::Said,
                what: "several animations".into(),
                subjects,
            });
        }
    }
    // One without a name may have become several of a name that is new.
    let is_new = |name: &str| !a.animations.iter().any(|animation| animation.name == name);
    let count = |name: &str| b.animations.iter().filter(|animation| animation.name == name).count();
    if b.animations.iter().any(|animation| is_new(&animation.name) && count(&animation.name) > 1) {
        let all = (0..a.animations.len()).map(|at| a.subject("animation", at));
        let subjects = all.filter(|subject| subject.name.is_empty()).collect();
        out.insert(Difference { doubtful: false, aspect: Aspect::Said, what: "several animations".into(), subjects });
    }
    // What meshes have now and had not: those of that name, or, where none is, any that was called otherwise.
    for fact in theirs.iter().zip(&free).filter(|(fact, free)| **free && fact.aspect == Aspect::Stored).map(|(f, _)| f)
    {
        let meshes = || ours.iter().filter(|mesh| mesh.aspect == Aspect::Parts);
        let is_known = meshes().any(|mesh| mesh.names == fact.names);
        let may_be = |mesh: &&Fact| {
            let renamed = mesh.names[0].is_empty() || lost.contains(&mesh.names[0]);
            if is_known { mesh.names == fact.names } else { renamed }
        };
        let subjects = meshes().filter(may_be).flat_map(|mesh| mesh.subjects.clone()).collect();
        out.insert(Difference { doubtful: false, aspect: Aspect::Stored, what: fact.key.clone(), subjects });
    }
}
