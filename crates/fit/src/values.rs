//! Numbers: as precise as the target stores them, and valid where its standard demands it.

use findings::{Level, Losses, Subject};
use glam::{DQuat, DVec3};
use scene::loss::*;
use scene::{Attribute, Component, Indices, Numbers, Primitive, Scene, Semantic, Stream, Topology, Transform};

use super::Target;

/// How far from 1 the length of a normal or rotation may be and still count as unit: what text with three decimals
/// can say.
const UNIT_TOLERANCE: f64 = 1e-3;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let numbers = target.numbers(scene);
    let finite = target.demands_finite(scene);
    super::each_primitive(scene, |primitive, place| {
        if finite {
            make_finite(primitive, target, place, losses);
        }
        if numbers == Numbers::Valid {
            make_unit(primitive, target, place, losses);
            clamp_colors(primitive, target, place, losses);
        }
        if !target.can.doubles {
            narrow(primitive, target, place, losses);
        }
        lose_inexact_flips(primitive, target, place, losses);
    });
    if numbers == Numbers::Valid {
        make_transforms_valid(scene, target, losses);
        leave_out_empty_parts(scene, target, losses);
    }
}

fn semantics(primitive: &Primitive) -> Vec<Semantic> {
    primitive.attributes.iter().map(|a| a.semantic.clone()).collect()
}

fn is_float(stream: &Stream) -> bool {
    matches!(stream.encoding().component, Component::F16 | Component::F32 | Component::F64)
}

fn change(primitive: &mut Primitive, semantic: &Semantic, each: impl FnMut(&mut [f64])) {
    if let Some(stream) = primitive.get(semantic) {
        let changed = changed(stream, each);
        primitive.set(semantic.clone(), changed);
    }
}

fn changed(stream: &Stream, each: impl FnMut(&mut [f64])) -> Stream {
    let width = stream.count();
    let mut values = stream.to_f64();
    values.chunks_mut(width.max(1)).for_each(each);
    match stream.encoding().component {
        Component::F64 => Stream::from_f64(width as u8, values),
        _ => Stream::from_f32(width as u8, values.into_iter().map(|v| v as f32).collect()),
    }
}

fn make_finite(primitive: &mut Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    let largest = if target.can.doubles { f64::MAX } else { f32::MAX.into() };
    // NaN lies in no range, so it counts as beyond.
    let beyond = |v: &f64| !(-largest..=largest).contains(v);
    // Normals come last, since faces have them only where positions are.
    let (normals, others): (Vec<_>, Vec<_>) = semantics(primitive).into_iter().partition(|s| *s == Semantic::Normal);
    for semantic in others.into_iter().chain(normals) {
        let Some(stream) = primitive.get(&semantic).filter(|s| is_float(s)) else { continue };
        let (count, width) = (stream.count_elements(|row| row.iter().any(beyond)), stream.count());
        if count == 0 {
            continue;
        }
        let why = format!("{} demands finite numbers", target.name);
        // A direction of zeros is none; those of targets with a standard are made unit later on.
        if semantic == Semantic::Normal && width == 3 && target.can.numbers == Numbers::Checked {
            losses.add(&LOSS_021, place, count, semantic.became("computed from the faces"), why);
            let faces = ops::normals(primitive);
            let mut faces = faces.as_chunks::<3>().0.iter();
            change(primitive, &semantic, |row| {
                let face = faces.next().map_or([0., 1., 0.], |face| face.map(f64::from));
                if row.iter().any(beyond) {
                    row.copy_from_slice(&face);
                }
            });
            continue;
        }
        losses.add(&LOSS_021, place, count, semantic.became("set to zero"), why);
        change(primitive, &semantic, |row| row.iter_mut().filter(|v| beyond(v)).for_each(|v| *v = 0.));
    }
    let deltas = primitive.targets.iter_mut().flat_map(|target| &mut target.attributes);
    for Attribute { semantic, stream } in deltas.filter(|delta| is_float(&delta.stream)) {
        let count = stream.count_elements(|row| row.iter().any(beyond));
        if count > 0 {
            let why = format!("{} demands finite numbers", target.name);
            losses.add(&LOSS_021, place, count, semantic.became("of a morph target set to zero"), why);
            *stream = changed(stream, |row| row.iter_mut().filter(|v| beyond(v)).for_each(|v| *v = 0.));
        }
    }
}

fn make_unit(primitive: &mut Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    let off = |row: &[f64]| (DVec3::from_slice(&row[..3]).length() - 1.).abs() > UNIT_TOLERANCE;
    for semantic in [Semantic::Normal, Semantic::Tangent] {
        let Some(stream) = primitive.get(&semantic).filter(|s| s.count() >= 3) else { continue };
        let count = stream.count_elements(off);
        if count == 0 {
            continue;
        }
        let why = format!("{} demands unit length", target.name);
        let length = |row: &[f64]| (DVec3::from_slice(&row[..3]).length() - 1.).abs();
        let size = stream.to_f64().chunks(stream.count()).map(length).fold(0_f64, f64::max);
        losses.add_measured(&LOSS_022, size, place, count, semantic.became("changed"), why);
        let faces = ops::normals(primitive);
        let mut faces = faces.chunks(3);
        change(primitive, &semantic, |row| {
            let face = faces.next().map_or(DVec3::Y, |n| DVec3::new(n[0].into(), n[1].into(), n[2].into()));
            if off(row) {
                let unit = DVec3::from_slice(&row[..3]).try_normalize().unwrap_or(face);
                row[..3].copy_from_slice(&unit.to_array());
            }
        });
    }
}

fn clamp_colors(primitive: &mut Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    for semantic in semantics(primitive).into_iter().filter(|s| matches!(s, Semantic::Color(_))) {
        let Some(stream) = primitive.get(&semantic).filter(|s| is_float(s)) else { continue };
        let count = stream.count_elements(|row| row.iter().any(|v| !(0. ..=1.).contains(v)));
        if count > 0 {
            let why = format!("{} demands 0 to 1", target.name);
            let all = stream.to_f32();
            let valid: Vec<f32> = all.iter().map(|v| v.clamp(0., 1.)).collect();
            let size = findings::moved_by(&all, &valid);
            losses.add_measured(&LOSS_023, size, place, count, semantic.became("clamped"), why);
            change(primitive, &semantic, |row| row.iter_mut().for_each(|v| *v = v.clamp(0., 1.)));
        }
    }
}

fn narrow(primitive: &mut Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    for semantic in semantics(primitive) {
        let Some(stream) = primitive.get(&semantic) else { continue };
        let count = stream.beyond_f32();
        if count > 0 {
            let why = format!("{} stores 32-bit floats", target.name);
            let level = if rounded_by(stream) < findings::ROUNDING { Level::Rounding } else { Level::Changed };
            losses.add_at(level, &LOSS_020, place, count, semantic.became("rounded"), why);
        }
    }
}

/// How far 32-bit floats are from the numbers of a stream at most, as a share of the largest one: numbers that are all
/// smaller than such floats can be are gone.
fn rounded_by(stream: &Stream) -> f64 {
    let numbers = stream.to_f64();
    let finite = || numbers.iter().filter(|number| number.is_finite());
    let largest = finite().fold(0_f64, |most, number| most.max(number.abs()));
    finite().map(|number| (number - f64::from(*number as f32)).abs() / largest).fold(0., f64::max)
}

/// Texture coordinates counted from the bottom are flipped for a target that counts from the top. Where 1 − v cannot
/// be undone exactly, digits are lost.
fn lose_inexact_flips(primitive: &Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    for semantic in semantics(primitive).into_iter().filter(|s| matches!(s, Semantic::TexCoord(_))) {
        let Some(stream) = primitive.get(&semantic).filter(|s| target.can.carries && s.encoding().flip_v) else {
            continue;
        };
        // 1 − (1 − v) with the rounding of the target's floats; the stream hands out 1 − v in the source's precision.
        let inexact = stream.count_elements(|row| {
            let stored = 1. - row[1];
            let written = row[1] as f32;
            f64::from(1. - written).to_bits() != stored.to_bits() || 1. - stored != f64::from(written)
        });
        if inexact > 0 {
            let why = format!("{} counts them from the top", target.name);
            losses.add_at(Level::Rounding, &LOSS_020, place, inexact, semantic.became("rounded"), why);
        }
    }
}

fn make_transforms_valid(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let mut changes: Vec<(&str, Option<f64>)> = Vec::new();
        node.transform = match node.transform {
            Transform::Trs { translation, rotation, scale } => {
                let quat = DQuat::from_array(rotation.map(f64::from));
                let unit = (quat.length() - 1.).abs() <= UNIT_TOLERANCE;
                let rotation = if unit {
                    rotation
                } else {
                    let off = (quat.length() - 1.).abs();
                    changes.push(("rotation made unit", Some(off).filter(|off| off.is_finite())));
                    let quat = if quat.is_finite() && quat.length() > 0. { quat.normalize() } else { DQuat::IDENTITY };
                    quat.to_array().map(|v| v as f32)
                };
                let mut finite = |v: [f32; 3], instead: f32, what| {
                    if v.iter().any(|v| !v.is_finite()) {
                        changes.push((what, None));
                    }
                    v.map(|v| if v.is_finite() { v } else { instead })
                };
                let translation = finite(translation, 0., "translation made finite");
                Transform::Trs { translation, rotation, scale: finite(scale, 1., "scale made finite") }
            }
            Transform::Matrix(columns) => {
                let affine = [columns[3], columns[7], columns[11], columns[15]] == [0., 0., 0., 1.];
                if columns.iter().all(|v| v.is_finite()) && affine {
                    Transform::Matrix(columns)
                } else {
                    changes.push(("matrix replaced by the identity", None));
                    Transform::default()
                }
            }
        };
        for (what, off) in changes {
            let place = node.subject(index);
            let why = format!("{} demands a valid transform", target.name);
            match off {
                Some(off) => losses.add_measured(&LOSS_031, off, place, 1, what, why),
                None => losses.add(&LOSS_031, place, 1, what, why),
            }
        }
    }
}

/// Leaves out the rest of a face or line, and parts that draw nothing whole.
fn leave_out_empty_parts(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    super::each_primitive(scene, |primitive, place| {
        if leave_out_rest(primitive) {
            losses.add(&LOSS_033, place, 1, "face or line left out", "it lacks corners");
        }
    });
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let place = mesh.subject(index);
        let before = mesh.primitives.len();
        mesh.primitives.retain(|part| draws(part) && part.get(&Semantic::Position).is_some());
        let count = before - mesh.primitives.len();
        if count > 0 {
            let why = format!("{} demands at least one face, line or point", target.name);
            losses.add(&LOSS_024, place, count as u64, "part that draws nothing", why);
        }
    }
}

/// Whether there is a whole face, line or point.
fn draws(primitive: &Primitive) -> bool {
    match primitive.topology {
        Topology::Points => primitive.draw_count() > 0,
        faces if faces.is_surface() => primitive.triangle_count() > 0,
        _ => primitive.draw_count() > 1,
    }
}

/// Leaves out corners behind the last whole face or line; says whether there were any.
fn leave_out_rest(primitive: &mut Primitive) -> bool {
    let drawn = primitive.draw_count();
    let rest = match primitive.topology {
        Topology::Triangles => drawn % 3,
        Topology::Lines => drawn % 2,
        _ => 0,
    };
    if rest == 0 || rest == drawn {
        return false;
    }
    let whole = drawn - rest;
    let mut indices = primitive.indices.as_ref().map_or_else(|| (0..whole as u32).collect(), Indices::to_vec);
    indices.truncate(whole);
    primitive.indices = Some(indices.into());
    true
}
