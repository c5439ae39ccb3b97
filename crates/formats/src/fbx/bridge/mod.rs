//! Document → scene.
//!
//! | FBX | scene |
//! |---|---|
//! | model | a node; its pivots and its kind of inheritance are part of the transform or become nodes of their own |
//! | axes and unit | the root node, marked as the one that turns the axes; it scales to metres |
//! | mesh | a mesh with a primitive per material; corners that are equal in everything are one vertex |
//! | material | Phong, or metal and roughness if the program says so |
//! | texture | by role; images inside the file are embedded |
//! | skin | joints in the order of its clusters |
//! | blend channel | a morph target: the last of its targets |
//! | animation stack | an animation, sampled by `ufbx` where curves are no straight lines |
//! | light, camera | the same; lengths in metres |
//! | LOD group | its first child, whose mesh has those of the others as coarser versions |
//! | user property | a property of the node |

mod lift;

pub(super) use lift::{lift, space, texture_paths, unconverted};
