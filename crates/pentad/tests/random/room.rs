//! What each format has room for, written down from the documents of the five formats and from the customs of the others,
//! and not from what the program says of itself: a loss that tells of no room where there is some breaks the law.

/// Formats without room for something, by the code that tells of it.
pub(crate) struct NoRoom {
    pub(crate) code: &'static str,
    /// Ids of formats; `dgl3 engine` is one dialect.
    pub(crate) formats: &'static [&'static str],
}

const fn no_room(code: &'static str, formats: &'static [&'static str]) -> NoRoom {
    NoRoom { code, formats }
}

pub(crate) const NO_ROOM: &[NoRoom] = &[
    // das2: Animation. Animations of DGL3 are those of its meshes, and its engine skips them; ANIMATE of DRAGON moves
    // bones and morphs, and nothing else.
    no_room("LOSS-001", &["danmodel", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // DGL3: bones; das2: Skeleton. A SKELETON of DRAGON is that of a GEOMETRY: one that bends nothing has no room.
    no_room("LOSS-002", &["danmodel", "dgl2", "dgl3 engine", "dragon", "obj", "ply", "stl"]),
    // das2: MorphTarget; DRAGON: MORPH. The frames of DGL3 are whole shapes that follow each other: they have no weights.
    no_room("LOSS-003", &["danmodel", "dgl2", "dgl3", "obj", "ply", "stl"]),
    // DGL2: entities of type 1; DGL3: lights. DRAGON: LIGHT. All stand somewhere: a light
    // without a place has no room.
    no_room("LOSS-004", &["danmodel", "das2", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // None of the documents has cameras.
    no_room("LOSS-005", &["danmodel", "das2", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // DGL2: MATERIAL; das2: MaterialPbr; DRAGON: MATERIAL. Materials of DGL3 are files, there only if an entity names them.
    no_room("LOSS-006", &["danmodel", "dgl3", "ply", "stl"]),
    // das2: Node has children, but one number for all scales: a node that is stretched while it moves becomes two.
    // Entities of DGL2 and DGL3 and the objects of DRAGON have no parents.
    no_room("LOSS-008", &["danmodel", "das2", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // Everything else has places: entities, Node, OBJECT. Lights of DGL3 and DRAGON have no scale, an INSTANCE no place.
    // Entities of DGL2 and DGL3 have a position, a rotation and a scale: shear has no room.
    no_room("LOSS-009", &["danmodel", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // DRAGON: INSTANCE, which stands still: those of a mesh whose weights move become objects.
    no_room("LOSS-010", &["danmodel", "das2", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // das2: levels of detail of a Mesh, which is one part; where the parts of a level are others, they have no room.
    no_room("LOSS-012", &["danmodel", "das2", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // das2: Scene.
    no_room("LOSS-025", &["danmodel", "dgl2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // DGL2: visible.
    no_room("LOSS-028", &["danmodel", "das2", "dgl3", "dragon", "obj", "ply", "stl"]),
    // DanModel: GL_POINTS, GL_LINES and more; OBJ: p and l; PLY: vertices without faces, edges.
    no_room("LOSS-029", &["das2", "dgl2", "dgl3", "dragon", "ply", "stl"]),
    // DGL3: animationName. Animation of das2 and ANIMATE of DRAGON have no names.
    no_room("LOSS-060", &["das2", "dragon"]),
    // The layout of the library knows one map for both.
    no_room("LOSS-061", &["das2 engine"]),
];

/// Whether a loss may be told on the way to a format.
pub(crate) fn is_expected(code: &str, format: &str, dialect: &str) -> bool {
    let listed = |no: &&NoRoom| {
        no.formats.iter().any(|listed| match listed.split_once(' ') {
            Some(both) => both == (format, dialect),
            None => *listed == format,
        })
    };
    NO_ROOM.iter().find(|no| no.code == code).as_ref().is_none_or(listed)
}

/// Losses that random scenes do not show, and the test that covers each.
pub(crate) const UNSEEN: &[(&str, &str)] = &[
    ("LOSS-011", "settings_of_voxels_are_properties_and_those_of_their_palette_are_listed"),
    ("LOSS-013", "what_is_lost_is_what_the_table_says"),
    ("LOSS-021", "numbers_that_are_not_finite_are_not_written"),
    ("LOSS-026", "slack_and_tail_survive"),
    ("LOSS-027", "numbers_that_mean_nothing_are_told"),
    ("LOSS-032", "paths_that_lead_out_are_flattened_and_links_follow"),
    ("LOSS-043", "a_triangle_of_a_vertex_that_is_not_there_is_left_out_of_glb"),
    ("LOSS-051", "bad_keys_are_mended"),
    ("LOSS-055", "a_scene_numbers_anew_and_tells"),
    ("LOSS-063", "numbers_that_mean_nothing_are_told"),
    ("LOSS-070", "bytes_of_no_known_layout_are_not_swapped_and_listed"),
    ("LOSS-071", "what_is_lost_is_what_the_table_says"),
    ("LOSS-083", "data_reads_as_written_by_hand"),
    ("LOSS-090", "what_missing_files_hold_is_listed"),
    ("LOSS-091", "an_edit_inside_a_scene_of_another_file_survives"),
];
