//! Every kind of loss, for all targets: one list, with a page each.

use findings::{Level, LossInfo, Page};

/// Declares the list: a constant per loss, its code, its name, how grave it is, and its page.
macro_rules! losses {
    ($($(#[doc = $doc:literal])* $NAME:ident $code:literal $name:literal $level:ident;)*) => {
        $($(#[doc = $doc])* pub static $NAME: LossInfo =
            LossInfo { code: $code, name: $name, level: Level::$level, page: Page(&[$($doc),*]) };)*

        /// All of them.
        pub static LOSSES: &[&LossInfo] = &[$(&$NAME),*];
    };
}

losses! {
    /// ## What is lost
    /// Animations: the target has none. The rest pose is written.
    ///
    /// ## Fix
    /// Convert to a format that holds animations; `pentad formats` shows which.
    LOSS_001 "LOSS-001" "animations-dropped" Dropped;
    /// ## What is lost
    /// Skins: the target has none. Vertices are written where the joints have them at rest.
    ///
    /// ## Fix
    /// Convert to a format that holds skins; `pentad formats` shows which.
    LOSS_002 "LOSS-002" "skins-dropped" Dropped;
    /// ## What is lost
    /// Morph targets: the target has none. The mesh is written as it is at rest, with the default weights; or, where
    /// the target stores frames of meshes, as animations show it.
    ///
    /// ## Fix
    /// Convert to a format that holds morph targets; `pentad formats` shows which.
    LOSS_003 "LOSS-003" "morph-targets-dropped" Dropped;
    /// ## What is lost
    /// Lights: the target has none.
    ///
    /// ## Fix
    /// Convert to a format that holds lights; `pentad formats` shows which.
    LOSS_004 "LOSS-004" "lights-dropped" Dropped;
    /// ## What is lost
    /// Cameras: the target has none.
    ///
    /// ## Fix
    /// Convert to a format that holds cameras; `pentad formats` shows which.
    LOSS_005 "LOSS-005" "cameras-dropped" Dropped;
    /// ## What is lost
    /// A material's name and every factor but its colour, which is multiplied into the vertex colours.
    ///
    /// ## Fix
    /// Convert to a format that holds materials; `pentad formats` shows which.
    LOSS_006 "LOSS-006" "materials-dropped" Dropped;
    /// ## What is lost
    /// Textures: the target has none, or cannot hold this kind.
    ///
    /// ## Fix
    /// Convert to a format that holds textures; `pentad formats` shows which.
    LOSS_007 "LOSS-007" "textures-dropped" Dropped;
    /// ## What is lost
    /// Which node stands below which, and nodes that hold nothing the target knows.
    ///
    /// ## Fix
    /// Convert to a format with a hierarchy; `pentad formats` shows which.
    LOSS_008 "LOSS-008" "hierarchy-flattened" Dropped;
    /// ## What is lost
    /// A node's transform: the target has none, so it is multiplied into the vertices. Or that part of a light's which
    /// shows nothing: its scale.
    ///
    /// ## Fix
    /// Convert to a format whose nodes have transforms; `pentad formats` shows which.
    LOSS_009 "LOSS-009" "transforms-baked" Changed;
    /// ## What is lost
    /// That objects are instances of one mesh: each becomes an object of its own.
    ///
    /// ## Fix
    /// Convert to a format that holds instances; `pentad formats` shows which.
    LOSS_010 "LOSS-010" "instances-expanded" Changed;
    /// ## What is lost
    /// Voxels: the target has none. Cubes become faces in the colours of their palette; faces between cubes are left
    /// out, and faces in one plane that look alike are joined.
    ///
    /// ## Fix
    /// Convert to a format that holds voxels; `pentad formats` shows which.
    LOSS_011 "LOSS-011" "voxels-meshed" Changed;
    /// ## What is lost
    /// Coarser versions of a mesh: the target has none.
    ///
    /// ## Fix
    /// Convert to a format that holds levels of detail; `pentad formats` shows which.
    LOSS_012 "LOSS-012" "lods-dropped" Dropped;
    /// ## What is lost
    /// Sockets, where things can be attached: the target has none.
    ///
    /// ## Fix
    /// Convert to a format that holds sockets; `pentad formats` shows which.
    LOSS_013 "LOSS-013" "sockets-dropped" Dropped;
    /// ## What is lost
    /// Names of nodes and meshes: the target has none.
    ///
    /// ## Fix
    /// Convert to a format that holds names; `pentad formats` shows which.
    LOSS_014 "LOSS-014" "names-dropped" Dropped;
    /// ## What is lost
    /// Properties of an object that the target has no field for.
    ///
    /// ## Fix
    /// glTF carries them in `extras`; `pentad formats` shows what else holds properties.
    LOSS_015 "LOSS-015" "properties-dropped" Dropped;
    /// ## What is lost
    /// Metadata that the target has no field for.
    ///
    /// ## Fix
    /// `pentad formats` shows which metadata each format holds.
    LOSS_016 "LOSS-016" "metadata-dropped" Dropped;
    /// ## What is lost
    /// Vertex attributes beyond those the target holds: further sets of texture coordinates or colours, tangents,
    /// joints, custom ones.
    ///
    /// ## Fix
    /// `pentad formats` shows which attributes each format holds.
    LOSS_017 "LOSS-017" "attributes-dropped" Dropped;
    /// ## What is lost
    /// Nothing, but something was made up: the target demands an attribute that the source does not have. Texture
    /// coordinates become zero, normals are computed from the faces, colours become white.
    ///
    /// ## Fix
    /// Give the source what the target demands.
    LOSS_018 "LOSS-018" "attributes-invented" Changed;
    /// ## What is lost
    /// Faces with more than three corners, strips or fans: the target draws triangles. Their shape stays.
    ///
    /// ## Fix
    /// `--carry` brings the original faces back; `pentad formats` shows what each format draws.
    LOSS_019 "LOSS-019" "faces-triangulated" Changed;
    /// ## What is lost
    /// Digits: the target stores 32-bit floats, and these doubles are not exactly such.
    ///
    /// ## Fix
    /// `--carry` brings the doubles back.
    LOSS_020 "LOSS-020" "precision-reduced" Rounding;
    /// ## What is lost
    /// Numbers that are infinite, not a number, or too large for the target: they become zero, or what changes nothing
    /// where that is something else, as a size of 1.
    ///
    /// ## Fix
    /// `pentad check` shows where they are. `--carry` brings the originals back.
    LOSS_021 "LOSS-021" "values-made-finite" Changed;
    /// ## What is lost
    /// Normals that are not of unit length: the target demands it, so they were scaled or, where they had no length,
    /// computed from the faces.
    ///
    /// ## Fix
    /// `pentad check` shows where they are. `--carry` brings the originals back.
    LOSS_022 "LOSS-022" "normals-normalised" Changed;
    /// ## What is lost
    /// Colours outside 0…1: the target demands that range, so they were clamped.
    ///
    /// ## Fix
    /// `pentad check` shows where they are. `--carry` brings the originals back.
    LOSS_023 "LOSS-023" "colors-clamped" Changed;
    /// ## What is lost
    /// Parts of a mesh without vertices: the target cannot hold them.
    ///
    /// ## Fix
    /// Nothing is missing from the picture.
    LOSS_024 "LOSS-024" "empty-parts-left-out" Dropped;
    /// ## What is lost
    /// Scenes beyond the default one: the target holds one.
    ///
    /// ## Fix
    /// Convert to a format that holds several scenes; `pentad formats` shows which.
    LOSS_025 "LOSS-025" "scenes-dropped" Dropped;
    /// ## What is lost
    /// Bytes of the source that no structure explains.
    ///
    /// ## Fix
    /// Rewriting in the same format keeps them.
    LOSS_026 "LOSS-026" "unexplained-bytes-dropped" Dropped;
    /// ## What is lost
    /// How vertices are connected: the source's number for it has no meaning, so they are shown as points.
    ///
    /// ## Fix
    /// `pentad check` shows the number.
    LOSS_027 "LOSS-027" "topology-unknown" Changed;
    /// ## What is lost
    /// That a node is hidden: the target shows everything.
    ///
    /// ## Fix
    /// Convert to a format with visibility; `pentad formats` shows which.
    LOSS_028 "LOSS-028" "visibility-dropped" Dropped;
    /// ## What is lost
    /// Points and lines: the target draws surfaces only.
    ///
    /// ## Fix
    /// `pentad formats` shows what each format draws.
    LOSS_029 "LOSS-029" "points-and-lines-dropped" Dropped;
    /// ## What is lost
    /// A texture whose file was not found, or is of a kind the target cannot hold.
    ///
    /// ## Fix
    /// Name the folder with `--search-path`, or convert the image to PNG or JPEG.
    LOSS_030 "LOSS-030" "images-missing" Dropped;
    /// ## What is lost
    /// A node's rotation that is not of unit length, or a matrix that is no translation, rotation and scale, or a
    /// number that is not finite: the target demands it, so it was made so.
    ///
    /// ## Fix
    /// `pentad check` shows where they are.
    LOSS_031 "LOSS-031" "transforms-made-valid" Changed;
    /// ## What is lost
    /// A file that the model names and that it will not find: there is no folder to write it to when the output is a
    /// stream, its path leads out of the folder, another file has its name there, or `--textures reference` wrote its
    /// path alone.
    ///
    /// ## Fix
    /// Write to a file, or to a format that is one file; give the file a path below the model, or a name of its own.
    LOSS_032 "LOSS-032" "side-files-not-written" Dropped;
    /// ## What is lost
    /// Faces, lines or points that cannot be drawn, because a corner of them names no vertex.
    ///
    /// ## Fix
    /// `pentad check` shows each of them; mend the source.
    LOSS_033 "LOSS-033" "elements-left-out" Dropped;
    /// ## What is lost
    /// Nodes that stand in no scene, with all they hold: the target would show them.
    ///
    /// ## Fix
    /// Add them to a scene, or convert to a format with visibility; `pentad formats` shows which.
    LOSS_034 "LOSS-034" "unshown-nodes-left-out" Dropped;
    /// ## What is lost
    /// The keys of an animation: the target stores frames, so it was sampled at a fixed rate.
    ///
    /// ## Fix
    /// A higher `--fps` follows the animation more closely.
    LOSS_040 "LOSS-040" "frames-resampled" Changed;
    /// ## What is lost
    /// A setting of a material or texture that the target has no field for: a channel, a second set of texture
    /// coordinates, a factor on a texture, a way of blending.
    ///
    /// ## Fix
    /// `pentad formats` shows what each format holds.
    LOSS_041 "LOSS-041" "material-settings-dropped" Dropped;
    /// ## What is lost
    /// A name as it was: the target demands names that are there, differ from each other, or lack some characters.
    ///
    /// ## Fix
    /// Rename the object if you do not like the name it was given.
    LOSS_042 "LOSS-042" "names-changed" Changed;
    /// ## What is lost
    /// Links to things that are not there: a bone, a vertex or a mesh that does not exist.
    ///
    /// ## Fix
    /// `pentad check` shows where they are.
    LOSS_043 "LOSS-043" "broken-links-dropped" Dropped;
    /// ## What is lost
    /// The pose that a skeleton has when nothing animates it, or the weights that morph targets have then: the target
    /// shows the bind pose and the base shape.
    ///
    /// ## Fix
    /// Apply the pose to the mesh, or add an animation that holds it.
    LOSS_044 "LOSS-044" "rest-pose-dropped" Dropped;
    /// ## What is lost
    /// A setting of a light that the target has no field for: its strength, its range, its cone.
    ///
    /// ## Fix
    /// `pentad formats` shows what each format holds.
    LOSS_045 "LOSS-045" "light-settings-dropped" Dropped;
    /// ## What is lost
    /// The edge from which texture coordinates count: the target does not store it, and a reader that judges by the
    /// faces will judge these wrongly, because more of them are mirrored than not.
    ///
    /// ## Fix
    /// Choose another dialect of the target, or give `--uv-origin` when the file is read.
    LOSS_046 "LOSS-046" "texture-origin-not-stored" Changed;
    /// ## What is lost
    /// Weights of joints as they were: the target demands that those of a vertex are not negative, name joints that
    /// are there and sum to 1.
    ///
    /// ## Fix
    /// Mend the weights in the source. `--carry` brings the originals back.
    LOSS_050 "LOSS-050" "weights-made-valid" Changed;
    /// ## What is lost
    /// Keys of an animation as they were: the target demands times that grow from 0 on, finite values and rotations of
    /// unit length.
    ///
    /// ## Fix
    /// Mend the animation in the source. `--carry` brings the originals back.
    LOSS_051 "LOSS-051" "keys-made-valid" Changed;
    /// ## What is lost
    /// An image as it was stored: the target holds other kinds, or several images became one. It was converted, and
    /// scaled where sizes differ.
    ///
    /// ## Fix
    /// Store images as PNG or JPEG of one size. glTF carries their names for the way back.
    LOSS_052 "LOSS-052" "images-converted" Changed;
    /// ## What is lost
    /// The curve of an animation: the target has no such easing, so it was replaced by straight lines that follow it.
    /// The reason says how far they are from it at most, as a share of the way between two keys.
    ///
    /// ## Fix
    /// Nothing is missing from the picture. `--carry` brings the originals back.
    LOSS_053 "LOSS-053" "easing-baked" Changed;
    /// ## What is lost
    /// A track of an animation that the target cannot play: it moves something the target has no field for, or nothing,
    /// or what another track moves already.
    ///
    /// ## Fix
    /// `pentad formats` shows what each format holds. glTF carries the track for the way back.
    LOSS_054 "LOSS-054" "tracks-dropped" Dropped;
    /// ## What is lost
    /// The truth of numbers in a glTF extension that pentad does not understand: objects of the file got other numbers,
    /// and the extension, which is kept, may still name them by the old ones.
    ///
    /// ## Fix
    /// Convert without what changes the numbers: `.gltf` to `.glb` and back keeps them where each file has one buffer.
    LOSS_055 "LOSS-055" "extension-numbers-stale" Changed;
    /// ## What is lost
    /// Names of animations: the layout of the das2 document has no field for them.
    ///
    /// ## Fix
    /// `--dialect engine` keeps them.
    LOSS_060 "LOSS-060" "animation-names-dropped" Dropped;
    /// ## What is lost
    /// Roughness maps: the das2 library lost the field for them.
    ///
    /// ## Fix
    /// `--dialect spec` keeps them.
    LOSS_061 "LOSS-061" "roughness-maps-dropped" Dropped;
    /// ## What is lost
    /// Scales that differ along the axes, of joints or in animations: the target has one number for all axes, and gets
    /// the mean of their sizes, negative if they mirror. The line says how far off that is at most.
    ///
    /// ## Fix
    /// Apply the scale to the mesh before exporting it. A node that no animation scales keeps its scale in a matrix.
    LOSS_062 "LOSS-062" "scales-made-uniform" Changed;
    /// ## What is lost
    /// What lies between the keys of an animation: the source's number for it has no meaning, so straight lines join
    /// them.
    ///
    /// ## Fix
    /// `pentad check` shows the number.
    LOSS_063 "LOSS-063" "interpolation-unknown" Changed;
    /// ## What is lost
    /// Vertices that are not drawn: a mesh of the scene has those of its faces, lines and points, and a target may
    /// count up to the last one that is drawn.
    ///
    /// ## Fix
    /// Nothing is missing from the picture.
    LOSS_064 "LOSS-064" "unused-vertices-dropped" Dropped;
    /// ## What is lost
    /// The byte order of numbers inside a section of no known layout: its bytes are copied as they are.
    ///
    /// ## Fix
    /// Keep the byte order of the source, or leave the section out.
    LOSS_070 "LOSS-070" "bytes-not-swapped" Changed;
    /// ## What is lost
    /// A section without references to it, which shows nothing by itself: a buffer, settings, a palette, a track.
    ///
    /// ## Fix
    /// Rewriting in the same format keeps it.
    LOSS_071 "LOSS-071" "sections-left-out" Dropped;
    /// ## What is lost
    /// That the parts of a mesh are one object: the target has one vertex layout per mesh, and these parts have several.
    /// Each layout becomes a mesh and an object of its own.
    ///
    /// ## Fix
    /// Give all parts of the mesh the same attributes.
    LOSS_072 "LOSS-072" "meshes-split" Changed;
    /// ## What is lost
    /// That tracks are one animation: the target has one per skeleton or mesh.
    ///
    /// ## Fix
    /// Play the animations of one name together.
    LOSS_073 "LOSS-073" "animations-split" Changed;
    /// ## What is lost
    /// Nothing, but something was made up: a part without a material. The target cannot say so behind a part that has
    /// one, so a white material was written for it.
    ///
    /// ## Fix
    /// Give every part of the source a material.
    LOSS_080 "LOSS-080" "materials-made-up" Changed;
    /// ## What is lost
    /// Normals of corners: the target has one normal per face, the one that the order of its corners gives. Round
    /// surfaces show their facets.
    ///
    /// ## Fix
    /// Convert to a format that holds a normal per vertex; `pentad formats` shows which.
    LOSS_081 "LOSS-081" "normals-made-flat" Changed;
    /// ## What is lost
    /// Which part of the model is which object: the target holds one.
    ///
    /// ## Fix
    /// Write each object to a file of its own, or choose a format that holds several.
    LOSS_082 "LOSS-082" "objects-merged" Changed;
    /// ## What is lost
    /// Elements and properties of a file that anyone may invent, and for which the scene has no word.
    ///
    /// ## Fix
    /// A rewrite in the same format keeps them. Numbers of vertices are kept as attributes of their names.
    LOSS_083 "LOSS-083" "elements-not-converted" Dropped;
    /// ## What is lost
    /// What a file says that the model names and that was not found: a material, a mesh, a scene.
    ///
    /// ## Fix
    /// Put the file where the model names it, or name its folder with `--search-path`.
    LOSS_090 "LOSS-090" "files-missing" Dropped;
    /// ## What is lost
    /// That a mesh or a scene is in a file of its own: the file does not say it any more, or would not be found, so it is
    /// written into the model.
    ///
    /// ## Fix
    /// Nothing is missing. Change the file itself to keep it apart.
    LOSS_091 "LOSS-091" "files-merged" Changed;
    /// ## What is lost
    /// A factor on a texture that is not shown: alone it would make the whole material glow, or metal, so it is 0.
    ///
    /// ## Fix
    /// Put the texture where the model names it, or name its folder with `--search-path`. glTF carries the factor for
    /// the way back.
    LOSS_092 "LOSS-092" "factors-without-textures" Changed;
}
