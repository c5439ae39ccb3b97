//! Document → scene.
//!
//! | FBX | scene |
//! |---|---|
//! | model | a node; its pivots and its kind of inheritance are part of the transform or become nodes of their own |
//! | axes and unit | the root node, marked as the one that turns the axes; it scales to metres |
//! | mesh | a mesh with a primitive per material; corners that are equal in everything are one vertex |
//! | material | Phong, or metal and roughness if the program says so |
//! | texture | by role; pictures inside the file are embedded |
//! | skin | joints in the order of its clusters |
//! | blend channel | a morph target: its last shape |
//! | animation stack | an animation, sampled by `ufbx` where curves are no straight lines |
//! | light, camera | the same; lengths in metres |
//! | LOD group | its first child, whose mesh has those of the others as coarser versions |
//! | user property | a property of the node |

mod animations;
mod geometry;
mod materials;

pub(super) use materials::texture_paths;

use std::collections::HashMap;

use findings::{Result, Subject, SubjectKind};
use scene::loss::*;
use scene::{
    Camera, Id, Light, LightKind, Lod, Material, Mesh, Name, Node, NodeRole, Origin, Projection, Scene, Skin,
    SourceSpace, Transform, Unit, UpAxis, UvOrigin, Value,
};

use super::layout::Document;
use crate::{Document as _, LiftCx};

pub(super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let source = doc.scene();
    let mut scene = Scene::new();
    scene.space = space(source);
    scene.origin = Some(Origin { format: "fbx".into(), dialect: doc.dialect().into() });
    scene.metadata.generator = name(&source.metadata.creator);
    for (what, count) in unconverted(source) {
        cx.lose(&LOSS_083, "file", count, &what, "the scene has no word for them");
    }
    let materials = materials::lift(source, &mut scene, cx);
    lift_nodes(source, &mut scene);
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
pub(super) fn space(source: &ufbx::Scene) -> SourceSpace {
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

/// The turn of the axes and the scale to metres.
fn to_metres(source: &ufbx::Scene) -> Transform {
    let rows = axes(source).unwrap_or([[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]);
    let metres = metres(source);
    let mut columns = [0.; 16];
    for (i, column) in columns.chunks_mut(4).take(3).enumerate() {
        rows.iter().zip(column).for_each(|(row, slot)| *slot = (row[i] * metres) as f32);
    }
    columns[15] = 1.;
    Transform::Matrix(columns)
}

fn transform(transform: &ufbx::Transform) -> Transform {
    let q = &transform.rotation;
    Transform::Trs {
        translation: three(&transform.translation),
        rotation: [q.x as f32, q.y as f32, q.z as f32, q.w as f32],
        scale: three(&transform.scale),
    }
}

fn lift_nodes(source: &ufbx::Scene, scene: &mut Scene) {
    for node in &source.nodes {
        let children = node.children.into_iter().map(node_id).collect();
        let mut out = Node {
            name: name(&node.element.name),
            children,
            transform: transform(&node.local_transform),
            visible: node.visible,
            ..Node::default()
        };
        if node.is_root {
            out.name = Name::from("axis");
            out.transform = to_metres(source);
            out.role = NodeRole::Axis;
        }
        for property in node.element.props.props.iter() {
            if let Some(value) = user_value(property) {
                out.properties.push((name(&property.name), value));
            }
        }
        scene.nodes.add(out);
    }
    scene.scenes[0].nodes = vec![node_id(&source.root_node)];
}

/// The value of a property that a user gave an object.
fn user_value(property: &ufbx::Prop) -> Option<Value> {
    use ufbx::PropType as Type;
    let flag = ufbx::PropFlags::USER_DEFINED;
    if !(property.flags & flag).any() {
        return None;
    }
    let v = &property.value_vec4;
    Some(match property.type_ {
        Type::Boolean => Value::Bool(property.value_int != 0),
        Type::Integer => Value::Int(property.value_int),
        Type::Number | Type::Distance => Value::F64(v.x),
        Type::Vector | Type::Color | Type::Translation | Type::Rotation | Type::Scaling => {
            Value::List([v.x, v.y, v.z].map(Value::F64).into())
        }
        Type::ColorWithAlpha => Value::List([v.x, v.y, v.z, v.w].map(Value::F64).into()),
        _ => Value::Text(name(&property.value_str)),
    })
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
                let lifted = scene.meshes.add(geometry::lift(mesh, materials, cx));
                self.meshes.insert(key, lifted);
                lifted
            });
            scene.nodes[id].mesh = Some(lifted);
            scene.nodes[id].skin = mesh.skin_deformers.first().map(|skin| self.skin(skin, scene));
        }
        if let Some(light) = &node.light {
            scene.nodes[id].light = Some(scene.lights.add(lift_light(light)));
        }
        if let Some(camera) = &node.camera {
            scene.nodes[id].camera = Some(scene.cameras.add(lift_camera(camera, self.source)));
        }
    }

    fn skin(&mut self, skin: &ufbx::SkinDeformer, scene: &mut Scene) -> Id<Skin> {
        *self.skins.entry(skin.element.typed_id).or_insert_with(|| {
            let mut out = Skin { name: name(&skin.element.name), ..Skin::default() };
            for cluster in &skin.clusters {
                // A cluster without a bone stays where it is: its joint is the root.
                let bone = cluster.bone_node.as_ref().map_or(node_id(&self.source.root_node), |bone| node_id(bone));
                out.joints.push(bone);
                let m = &cluster.geometry_to_bone;
                let rows = [
                    [m.m00, m.m10, m.m20, 0.],
                    [m.m01, m.m11, m.m21, 0.],
                    [m.m02, m.m12, m.m22, 0.],
                    [m.m03, m.m13, m.m23, 1.],
                ];
                let mut columns = [0.; 16];
                columns.iter_mut().zip(rows.as_flattened()).for_each(|(slot, value)| *slot = *value as f32);
                out.inverse_bind.push(columns);
            }
            scene.skins.add(out)
        })
    }
}

fn lift_light(light: &ufbx::Light) -> Light {
    let kind = match light.type_ {
        ufbx::LightType::Directional => LightKind::Directional,
        ufbx::LightType::Spot => LightKind::Spot {
            inner: (light.inner_angle as f32 / 2.).to_radians(),
            outer: (light.outer_angle as f32 / 2.).to_radians(),
        },
        ufbx::LightType::Area => LightKind::Area,
        ufbx::LightType::Point | ufbx::LightType::Volume => LightKind::Point,
    };
    Light {
        name: name(&light.element.name),
        kind,
        color: three(&light.color),
        intensity: light.intensity as f32,
        range: None,
        extras: Default::default(),
    }
}

/// A camera, in metres: the scale of the root node is none of a lens.
fn lift_camera(camera: &ufbx::Camera, source: &ufbx::Scene) -> Camera {
    let metres = metres(source);
    // Blender writes the width of what a parallel camera sees in its own unit, whatever that of the file is.
    let by_blender = source.metadata.exporter == ufbx::Exporter::BlenderBinary;
    let half = if by_blender { 0.5 } else { metres / 2. };
    let projection = match camera.projection_mode {
        ufbx::ProjectionMode::Perspective => Projection::Perspective {
            fov_y: (camera.field_of_view_deg.y as f32).to_radians(),
            aspect: Some(camera.aspect_ratio as f32).filter(|aspect| *aspect > 0.),
        },
        ufbx::ProjectionMode::Orthographic => Projection::Orthographic {
            x: (camera.orthographic_size.x * half) as f32,
            y: (camera.orthographic_size.y * half) as f32,
        },
    };
    Camera {
        name: name(&camera.element.name),
        projection,
        near: (camera.near_plane * metres) as f32,
        far: Some((camera.far_plane * metres) as f32),
        extras: Default::default(),
    }
}

/// Makes levels of detail of groups whose children are nothing but meshes.
fn join_levels(source: &ufbx::Scene, scene: &mut Scene, cx: &mut LiftCx<'_>) {
    for group in source.nodes.into_iter().filter(|node| node.attrib_type == ufbx::ElementType::LodGroup) {
        let levels: Vec<Id<Node>> = group.children.into_iter().map(node_id).collect();
        let plain = |id: &Id<Node>| scene.nodes[*id].mesh.is_some() && scene.nodes[*id].children.is_empty();
        if levels.len() < 2 || !levels.iter().all(plain) {
            let label = Subject::new(SubjectKind::Node, node_id(group).index(), &name(&group.element.name));
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

/// Objects that the scene has no word for, and how many there are.
pub(super) fn unconverted(source: &ufbx::Scene) -> Vec<(String, u64)> {
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
        ("shapes between others", between),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| (what.to_owned(), count as u64)).collect()
}
