//! Numbers that are infinite or none, of everything but vertices: they become those that change nothing.

use scene::{
    AlphaMode, Channel, Interpolation, Light, LightKind, Material, Mesh, Pbr, Phong, Shading, Skin, Slot, Track,
    Transform,
};

/// Replaces what is not finite; answers how many numbers that were.
pub fn mend(numbers: &mut [f32], instead: f32) -> usize {
    let odd = numbers.iter_mut().filter(|v| !v.is_finite());
    odd.map(|v| *v = instead).count()
}

/// The same for several numbers, each of which has its own that stands in.
fn mend_by<const N: usize>(numbers: &mut [f32; N], instead: [f32; N]) -> usize {
    let odd = numbers.iter_mut().zip(instead).filter(|(v, _)| !v.is_finite());
    odd.map(|(v, instead)| *v = instead).count()
}

/// Forgets a number that is not finite.
pub fn drop_odd(number: &mut Option<f32>) -> usize {
    usize::from(number.take_if(|v| !v.is_finite()).is_some())
}

/// Numbers that mean nothing one by one: all or none.
fn mend_whole<const N: usize>(numbers: &mut [f32; N], instead: [f32; N]) -> usize {
    let odd = numbers.iter().any(|v| !v.is_finite());
    if odd {
        *numbers = instead;
    }
    usize::from(odd)
}

const UNTURNED: [f32; 4] = [0., 0., 0., 1.];
const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// Makes a transform finite: a part of it that is not becomes what changes nothing. Answers how many numbers that changed.
pub fn transform(transform: &mut Transform) -> usize {
    let odd = match transform {
        Transform::Trs { translation, rotation, scale } => {
            mend(translation, 0.) + mend_whole(rotation, UNTURNED) + mend(scale, 1.)
        }
        Transform::Matrix(columns) => mend_whole(columns, IDENTITY),
    };
    odd.min(1)
}

/// Makes the weights and ranges of a mesh's morph targets finite. Answers how many numbers that changed.
pub fn morph_weights(mesh: &mut Mesh) -> usize {
    let mut odd = 0;
    for morph in &mut mesh.morphs {
        let mut numbers = [morph.default, morph.min, morph.max];
        odd += mend_by(&mut numbers, [0., 0., 1.]);
        [morph.default, morph.min, morph.max] = numbers;
    }
    odd
}

/// Makes the inverse bind matrices of a skin finite. Answers how many numbers that changed.
pub fn inverse_binds(skin: &mut Skin) -> usize {
    skin.inverse_bind.iter_mut().map(|matrix| mend_whole(matrix, IDENTITY)).sum()
}

/// Makes the numbers of a material finite. Answers how many numbers that changed.
pub fn material(material: &mut Material) -> usize {
    let one = std::slice::from_mut;
    let mut odd = match &mut material.shading {
        Shading::Pbr(pbr) => {
            let plain = Pbr::default();
            mend(&mut pbr.base_color, 1.)
                + mend(one(&mut pbr.metallic), plain.metallic)
                + mend(one(&mut pbr.roughness), plain.roughness)
                + mend(one(&mut pbr.specular), plain.specular)
                + mend(&mut pbr.specular_color, 1.)
        }
        Shading::Phong(phong) => {
            let plain = Phong::default();
            mend(&mut phong.diffuse, 1.)
                + mend_by(&mut phong.specular, plain.specular)
                + mend_by(&mut phong.ambient, plain.ambient)
                + mend(one(&mut phong.shininess), plain.shininess)
        }
        Shading::Unlit { color } => mend(color, 1.),
    };
    odd += mend(&mut material.emissive, 0.) + mend(one(&mut material.emissive_strength), 1.);
    if let AlphaMode::Mask(threshold) = &mut material.alpha_mode {
        odd += mend(one(threshold), 0.5);
    }
    for Slot { strength, transform, .. } in &mut material.slots {
        odd += mend(one(strength), 1.);
        let is_odd = transform.is_some_and(|t| {
            let all = [t.offset[0], t.offset[1], t.rotation, t.scale[0], t.scale[1]];
            all.iter().any(|v| !v.is_finite())
        });
        if is_odd {
            *transform = None;
            odd += 1;
        }
    }
    odd
}

/// Makes the numbers of a light finite. Answers how many numbers that changed.
pub fn light(light: &mut Light) -> usize {
    let mut odd = mend(&mut light.color, 0.) + mend(std::slice::from_mut(&mut light.intensity), 0.);
    odd += drop_odd(&mut light.range);
    if let LightKind::Spot { inner, outer } = &mut light.kind {
        let mut angles = [*inner, *outer];
        odd += mend_by(&mut angles, [0., std::f32::consts::FRAC_PI_4]);
        [*inner, *outer] = angles;
    }
    odd
}

/// Makes the keys of a channel finite; their times are another step's business. Answers how many numbers that changed.
pub fn channel(channel: &mut Channel) -> usize {
    let mut odd = 0;
    if let Interpolation::Bezier { first, second } = &channel.interpolation
        && first.iter().chain(second).any(|v| !v.is_finite())
    {
        channel.interpolation = Interpolation::Linear;
        odd += 1;
    }
    let (width, cubic) = (channel.width().max(1), channel.interpolation == Interpolation::Cubic);
    for (i, row) in channel.values.chunks_mut(width).enumerate() {
        let tangent = cubic && i % 3 != 1;
        odd += match (&channel.track, <&mut [f32; 4]>::try_from(&mut *row)) {
            _ if tangent => mend(row, 0.),
            (Track::Rotation, Ok(turn)) => mend_whole(turn, UNTURNED),
            (Track::Scale, _) => mend(row, 1.),
            _ => mend(row, 0.),
        }
        .min(1);
    }
    odd
}
