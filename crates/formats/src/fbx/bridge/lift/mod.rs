//! Document → scene.

mod animations;
mod cameras;
mod lights;
mod materials;
mod meshes;
mod nodes;
mod skins;

pub(in super::super) use materials::texture_paths;

use std::collections::HashMap;

use findings::{Result, Subject, SubjectKind};
use scene::loss::*;
use scene::{Id, Lod, Material, Mesh, Name, Node, Origin, Scene, Skin, SourceSpace, Unit, UpAxis, UvOrigin};

use super::super::layout::Document;
use crate::{Document as _, LiftCx};

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let source = doc.scene();
    let mut scene = Scene::new();
    scene.space = space(source);
    scene.origin = Some(Origin { format: "fbx".into(), dialect: doc.dialect().into() });
    scene.metadata.generator = name(&source.metadata.creator);
    for (what, count) in unconverted(source) {
        cx.lose(&LOSS_083, "file", count, &what, "the scene has no field for them");
    }
    let materials = materials::lift(source, &mut scene, cx);
    nodes::lift(source, &mut scene);
    let mut lifting = Lifting { source, materials, meshes: HashMap::new(), skins: HashMap::new() };
    for node in &source.nodes {
        lifting.attach(node, &mut scene, cx);
    }
    join_levels(source, &mut scene, cx);
    animations::lift(source, &mut scene, cx);
    Ok(scene)
}

pub(super) fn name(text: &str) -> Name {
    Name::from(text)
}

pub(super) fn three(v: &ufbx::Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// The node of the scene that a node of the file is: they are numbered alike.
pub(super) fn node_id(node: &ufbx::Node) -> Id<Node> {
    Id::new(node.element.typed_id as usize)
}

/// Axes, unit and texture origin of a file.
pub(in super::super) fn space(source: &ufbx::Scene) -> SourceSpace {
    use ufbx::CoordinateAxis as Axis;
    let up = match source.settings.axes.up {
        Axis::PositiveX => UpAxis::PosX,
        Axis::NegativeX => UpAxis::NegX,
        Axis::NegativeY => UpAxis::NegY,
        Axis::PositiveZ => UpAxis::PosZ,
        Axis::NegativeZ => UpAxis::NegZ,
        Axis::PositiveY | Axis::Unknown => UpAxis::PosY,
    };
    let left = axes(source).is_some_and(|rows| determinant(&rows) < 0.);
    let handedness = if left { scene::Handedness::Left } else { scene::Handedness::Right };
    SourceSpace { up, handedness, unit: Unit::Metre, uv_origin: UvOrigin::Bottom }
}

/// What the scene's x, y and z are made of; nothing if the file does not say.
fn axes(source: &ufbx::Scene) -> Option<[[f64; 3]; 3]> {
    use ufbx::CoordinateAxis as Axis;
    let row = |axis: Axis| {
        Some(match axis {
            Axis::PositiveX => [1., 0., 0.],
            Axis::NegativeX => [-1., 0., 0.],
            Axis::PositiveY => [0., 1., 0.],
            Axis::NegativeY => [0., -1., 0.],
            Axis::PositiveZ => [0., 0., 1.],
            Axis::NegativeZ => [0., 0., -1.],
            Axis::Unknown => return None,
        })
    };
    let own = &source.settings.axes;
    let rows = [row(own.right)?, row(own.up)?, row(own.front)?];
    (determinant(&rows) != 0.).then_some(rows)
}

fn determinant([a, b, c]: &[[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// What a unit of length is.
fn metres(source: &ufbx::Scene) -> f64 {
    let metres = source.settings.unit_meters;
    if metres.is_finite() && metres > 0. { metres } else { 1. }
}

/// What has been made so far.
struct Lifting<'a> {
    source: &'a ufbx::Scene,
    materials: Vec<Id<Material>>,
    /// By the mesh of the file and the materials that a node gives it.
    meshes: HashMap<(u32, Vec<u32>), Id<Mesh>>,
    skins: HashMap<u32, Id<Skin>>,
}

impl Lifting<'_> {
    /// Puts on a node of the scene what stands at that of the file.
    fn attach(&mut self, node: &ufbx::Node, scene: &mut Scene, cx: &mut LiftCx<'_>) {
        let id = node_id(node);
        if let Some(mesh) = &node.mesh {
            let materials: Vec<u32> = node.materials.into_iter().map(|material| material.element.typed_id).collect();
            let key = (mesh.element.typed_id, materials);
            let known = self.meshes.get(&key).copied();
            let lifted = known.unwrap_or_else(|| {
                let materials = key.1.iter().map(|&material| self.materials.get(material as usize).copied()).collect();
                let lifted = scene.meshes.add(meshes::lift(mesh, materials, cx));
                self.meshes.insert(key, lifted);
                lifted
            });
            scene.nodes[id].mesh = Some(lifted);
            scene.nodes[id].skin = mesh.skin_deformers.first().map(|skin| self.skin(skin, scene));
        }
        if let Some(light) = &node.light {
            scene.nodes[id].light = Some(scene.lights.add(lights::lift(light)));
        }
        if let Some(camera) = &node.camera {
            scene.nodes[id].camera = Some(scene.cameras.add(cameras::lift(camera, self.source)));
        }
    }
}

/// Makes levels of detail of groups whose children are nothing but meshes.
fn join_levels(source: &ufbx::Scene, scene: &mut Scene, cx: &mut LiftCx<'_>) {
    for group in source.nodes.into_iter().filter(|node| node.attrib_type == ufbx::ElementType::LodGroup) {
        let levels: Vec<Id<Node>> = group.children.into_iter().map(node_id).collect();
        let plain = |id: &Id<Node>| scene.nodes[*id].mesh.is_some() && scene.nodes[*id].children.is_empty();
        if levels.len() < 2 || !levels.iter().all(plain) {
            let label = Subject::new(SubjectKind::Node, node_id(group).index(), name(&group.element.name));
            cx.lose(&LOSS_012, &label, 1, "levels of detail", "its children are not one mesh each");
            continue;
        }
        let coarser = levels[1..].iter().filter_map(|id| scene.nodes[*id].mesh).collect::<Vec<_>>();
        if let Some(mesh) = scene.nodes[levels[0]].mesh {
            let lods = coarser.into_iter().map(|mesh| Lod { mesh, coverage: None }).collect();
            scene.meshes[mesh].lods = lods;
            scene.nodes[node_id(group)].children = vec![levels[0]];
        }
    }
}

/// Objects that the scene has no field for, and how many there are.
pub(in super::super) fn unconverted(source: &ufbx::Scene) -> Vec<(String, u64)> {
    let further_skins = source.meshes.into_iter().filter(|mesh| mesh.skin_deformers.len() > 1).count();
    let between = source.blend_channels.into_iter().filter(|channel| channel.keyframes.len() > 1).count();
    let all = [
        ("curves", source.line_curves.len() + source.nurbs_curves.len()),
        ("NURBS surfaces", source.nurbs_surfaces.len() + source.nurbs_trim_surfaces.len()),
        ("procedural geometries", source.procedural_geometries.len()),
        ("geometry caches", source.cache_deformers.len()),
        ("constraints", source.constraints.len()),
        ("characters", source.characters.len()),
        ("sounds", source.audio_clips.len()),
        ("second skins of a mesh", further_skins),
        ("morph targets between others", between),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| (what.to_owned(), count as u64)).collect()
}
