//! Places: position, rotation and scale in four ways of storing a rotation.

use glam::{DMat3, DMat4, DQuat, DVec3};
use scene::{Transform, undone};
use wire::F32;

use crate::dragon::layout::body::{Bone, Object, Voxel, VoxelObj};
use crate::dragon::layout::fields::Vec3;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::RotationType;

const ORIGIN: Vec3 = [F32(0.); 3];
const UNIT: Vec3 = [F32(1.); 3];

/// T · R · S.
pub(super) fn lift(position: Vec3, rotation: &Rotation, scale: Vec3) -> Transform {
    match rotation {
        Rotation::Quaternion(quaternion) => trs(position, quaternion.map(F32::get), scale),
        Rotation::Euler(angles) => trs(position, quaternion(angles.map(F32::get)), scale),
        Rotation::Matrix4(whole) if (position, scale) == (ORIGIN, UNIT) => Transform::Matrix(whole.map(F32::get)),
        Rotation::Matrix3(matrix) => {
            let turn = DMat4::from_mat3(DMat3::from_cols_array(&matrix.map(|v| f64::from(v.get()))));
            placed(position, turn, scale)
        }
        Rotation::Matrix4(matrix) => {
            let turn = DMat4::from_cols_array(&matrix.map(|v| f64::from(v.get())));
            // A translation that says the position again counts once.
            let twice = matrix[12..15] == position && position != ORIGIN;
            placed(if twice { ORIGIN } else { position }, turn, scale)
        }
    }
}

/// A bone relative to its parent: a matrix of 4 by 4 is the whole of it, one of 3 by 3 has no place.
pub(super) fn lift_bone(bone: &Bone) -> Transform {
    match bone.rotation {
        Rotation::Matrix3(_) | Rotation::Matrix4(_) => lift(ORIGIN, &bone.rotation, UNIT),
        _ => lift(bone.position.unwrap_or(ORIGIN), &bone.rotation, bone.scale.unwrap_or(UNIT)),
    }
}

fn trs(position: Vec3, rotation: [f32; 4], scale: Vec3) -> Transform {
    Transform::Trs { translation: position.map(F32::get), rotation, scale: scale.map(F32::get) }
}

fn placed(position: Vec3, turn: DMat4, scale: Vec3) -> Transform {
    let vector = |v: Vec3| DVec3::from_array(v.map(|v| f64::from(v.get())));
    let whole = DMat4::from_translation(vector(position)) * turn * DMat4::from_scale(vector(scale));
    Transform::Matrix(whole.to_cols_array().map(|v| v as f32))
}

/// Angles in radians about fixed x, then y, then z.
pub(super) fn quaternion(angles: [f32; 3]) -> [f32; 4] {
    let [x, y, z] = angles.map(f64::from);
    let turn = DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x);
    turn.to_array().map(|v| v as f32)
}

/// A place as it is written. The kind says how rotations are stored: quaternions, or matrices of 4 by 4.
pub(super) fn lower(transform: &Transform, kind: RotationType) -> (Vec3, Rotation, Vec3) {
    match (transform, kind) {
        (Transform::Trs { translation, rotation, scale }, RotationType::VEC4) => {
            (translation.map(F32), Rotation::Quaternion(rotation.map(F32)), scale.map(F32))
        }
        (Transform::Matrix(whole), RotationType::VEC4) => match Transform::Matrix(*whole).nearest_trs().0 {
            trs @ Transform::Trs { .. } => lower(&trs, kind),
            Transform::Matrix(_) => (ORIGIN, Rotation::default(), UNIT),
        },
        (Transform::Matrix(whole), _) => (ORIGIN, Rotation::Matrix4(whole.map(F32)), UNIT),
        (trs, _) => (ORIGIN, Rotation::Matrix4(trs.matrix().to_cols_array().map(|v| F32(v as f32))), UNIT),
    }
}

/// How the rotations of some places are stored: as matrices only if one of them has no other form.
pub(super) fn kind_of<'a>(transforms: impl IntoIterator<Item = &'a Transform>) -> RotationType {
    stored_as(transforms.into_iter().any(|transform| match transform {
        Transform::Trs { .. } => false,
        Transform::Matrix(_) => !transform.nearest_trs().1,
    }))
}

/// The same for bones: matrices stay what they are, as what is bound to them is told by their bits.
pub(super) fn kind_of_bones(transforms: &[Transform]) -> RotationType {
    stored_as(transforms.iter().any(|transform| matches!(transform, Transform::Matrix(_))))
}

fn stored_as(matrices: bool) -> RotationType {
    if matrices { RotationType::MAT4 } else { RotationType::VEC4 }
}

/// Whether unit cubes stay unit cubes along the axes.
pub(super) fn keeps_cubes(world: &DMat4) -> bool {
    let is_axis = |column: DVec3| {
        let sum = column.abs().element_sum();
        (sum - 1.).abs() < 1e-6 && (column.abs().max_element() - 1.).abs() < 1e-6
    };
    is_axis(world.x_axis.truncate()) && is_axis(world.y_axis.truncate()) && is_axis(world.z_axis.truncate())
}

/// Where a cube is that was at a place.
pub(super) fn moved(world: &DMat4, place: [f32; 3]) -> [f32; 3] {
    world.transform_point3(DVec3::from_array(place.map(f64::from))).to_array().map(|v| v as f32)
}

/// Cubes whose faces stood at one place and now stand at another; nothing if they are no cubes there.
pub(in super::super) fn moved_cubes(cubes: &VoxelObj, was: &Object, is: &Object) -> Option<VoxelObj> {
    let whole = |object: &Object| lift(object.position, &object.rotation, object.scale).matrix();
    let world = whole(is) * undone(&whole(was))?;
    let voxel = |voxel: Voxel| Voxel { position: moved(&world, voxel.position.map(F32::get)).map(F32), ..voxel };
    let voxels = cubes.voxels.iter().map(voxel).collect::<Vec<_>>().into();
    keeps_cubes(&world).then_some(VoxelObj { voxels, ..*cubes })
}
