//! Skeletons inside each other: joints below joints of another skin, joints that several skins share, meshes below joints,
//! skeletons that look alike and move otherwise.

use super::{CORNERS, glb};
use crate::bytes::Bytes;

/// Every skin binds its joints where they rest, relative to its first one (`turned`: to its second one), so each strip
/// stands upright on that joint. The places of strips in the tree mean nothing: their joints have them.
///
/// Accessors: 0 positions, 1 joints, 2 weights, 3 indices of the strip; 4 the triangle; 5 to 7 matrices; 8 times;
/// 9 to 11 rotations, 12 translations.
const RIGS: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,8,9,10,13,14,17,20,21,22,25]}],"nodes":["#,
    r#"{"name":"torso","children":[1],"translation":[0,0.5,0],"rotation":[0,0.6,0,0.8],"scale":[2,2,2]},"#,
    r#"{"name":"hip","children":[2,7]},{"name":"spine","children":[3,5],"translation":[0,1,0]},"#,
    r#"{"name":"arm","children":[4],"translation":[1,0,0]},{"name":"hand","children":[6],"translation":[0,1,0]},"#,
    r#"{"name":"inner","mesh":0,"skin":1,"translation":[5,5,5]},"#,
    r#"{"name":"ring","mesh":1,"translation":[0,0.25,0],"scale":[0.5,0.5,0.5]},{"name":"belt","mesh":1},"#,
    r#"{"name":"outer","mesh":0,"skin":0},{"name":"shared","mesh":0,"skin":2},"#,
    r#"{"name":"carrier","children":[11],"mesh":0,"skin":0,"translation":[0,0,2]},"#,
    r#"{"name":"horn","children":[12],"translation":[0,1,0]},{"name":"tip","translation":[0,1,0]},"#,
    r#"{"name":"crown","mesh":0,"skin":3},"#,
    r#"{"name":"left","children":[15],"translation":[-3,0,0]},{"name":"bone","children":[16]},"#,
    r#"{"name":"end","children":[23],"translation":[0,1,0]},"#,
    r#"{"name":"right","children":[18],"translation":[3,0,0]},{"name":"bone","children":[19]},"#,
    r#"{"name":"end","translation":[0,1,0]},"#,
    r#"{"name":"left arm","mesh":0,"skin":4},{"name":"right arm","mesh":0,"skin":5},{"name":"turned","mesh":0,"skin":6},"#,
    r#"{"name":"finger","children":[24],"translation":[0,1,0]},{"name":"nail","translation":[0,1,0]},"#,
    r#"{"name":"glove","mesh":0,"skin":7}],"#,
    r#""meshes":[{"name":"strip","primitives":[{"attributes":{"JOINTS_0":1,"POSITION":0,"WEIGHTS_0":2},"indices":3}]},"#,
    r#"{"name":"triangle","primitives":[{"attributes":{"POSITION":4}}]}],"#,
    r#""skins":[{"inverseBindMatrices":5,"joints":[1,2]},{"inverseBindMatrices":5,"joints":[3,4]},"#,
    r#"{"inverseBindMatrices":7,"joints":[2,4]},{"inverseBindMatrices":5,"joints":[11,12]},"#,
    r#"{"inverseBindMatrices":5,"joints":[15,16]},{"inverseBindMatrices":5,"joints":[18,19]},"#,
    r#"{"inverseBindMatrices":6,"joints":[16,15]},{"inverseBindMatrices":5,"joints":[23,24]}],"#,
    r#""animations":[{"name":"wave","channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}},"#,
    r#"{"sampler":1,"target":{"node":3,"path":"rotation"}},{"sampler":3,"target":{"node":10,"path":"translation"}},"#,
    r#"{"sampler":2,"target":{"node":11,"path":"rotation"}},{"sampler":0,"target":{"node":15,"path":"rotation"}},"#,
    r#"{"sampler":1,"target":{"node":18,"path":"rotation"}}],"samplers":[{"input":8,"output":9},{"input":8,"output":10},"#,
    r#"{"input":8,"interpolation":"STEP","output":11},{"input":8,"output":12}]},"#,
    r#"{"name":"nod","channels":[{"sampler":0,"target":{"node":4,"path":"rotation"}},"#,
    r#"{"sampler":1,"target":{"node":19,"path":"translation"}}],"samplers":[{"input":8,"output":10},{"input":8,"output":12}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3","min":[-0.25,0,0],"max":[0.25,2,0]},"#,
    r#"{"bufferView":1,"componentType":5121,"count":6,"type":"VEC4"},"#,
    r#"{"bufferView":2,"componentType":5126,"count":6,"type":"VEC4"},"#,
    r#"{"bufferView":3,"componentType":5123,"count":12,"type":"SCALAR"},"#,
    r#"{"bufferView":4,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":5,"componentType":5126,"count":2,"type":"MAT4"},"#,
    r#"{"bufferView":5,"byteOffset":64,"componentType":5126,"count":2,"type":"MAT4"},"#,
    r#"{"bufferView":5,"byteOffset":128,"componentType":5126,"count":2,"type":"MAT4"},"#,
    r#"{"bufferView":6,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[1]},"#,
    r#"{"bufferView":7,"componentType":5126,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":7,"byteOffset":48,"componentType":5126,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":7,"byteOffset":96,"componentType":5126,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":8,"componentType":5126,"count":3,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":72},{"buffer":0,"byteOffset":72,"byteLength":24},"#,
    r#"{"buffer":0,"byteOffset":96,"byteLength":96},{"buffer":0,"byteOffset":192,"byteLength":24},"#,
    r#"{"buffer":0,"byteOffset":216,"byteLength":36},{"buffer":0,"byteOffset":252,"byteLength":256},"#,
    r#"{"buffer":0,"byteOffset":508,"byteLength":12},{"buffer":0,"byteOffset":520,"byteLength":144},"#,
    r#"{"buffer":0,"byteOffset":664,"byteLength":36}],"buffers":[{"byteLength":700}]}"#,
);

pub(super) fn rigs() -> Vec<u8> {
    let mut bin = Bytes::default();
    for height in [0_f32, 1., 2.] {
        bin.le_all(&[-0.25_f32, height, 0., 0.25, height, 0.]);
    }
    bin.raw(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    for [first, second] in [[1_f32, 0.], [1., 0.], [0.5, 0.5], [0.5, 0.5], [1., 0.], [1., 0.]] {
        bin.le_all(&[first, second, 0., 0.]);
    }
    bin.le_all(&[0_u16, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]).le_all(&CORNERS);
    for [x, y] in [[0_f32, 0.], [0., -1.], [0., 0.], [-1., -1.]] {
        bin.le_all(&[1_f32, 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, 0., 1.]);
    }
    bin.le_all(&[0_f32, 0.5, 1.]);
    // To (0.6, 0.8), which is 73.7 degrees, about one axis, and back or on.
    bin.le_all(&[0_f32, 0., 0., 1., 0., 0., 0.6, 0.8, 0., 0., 0., 1.]);
    bin.le_all(&[0_f32, 0., 0., 1., 0.6, 0., 0., 0.8, 0.8, 0., 0., 0.6]);
    bin.le_all(&[0_f32, 0., 0., 1., 0., 0.6, 0., 0.8, 0., 0., 0., 1.]);
    bin.le_all(&[0_f32, 1., 0., 0.5, 1., 0., 0., 1.5, 0.5]);
    glb(RIGS, &bin.done())
}
