//! What a DGL3 file is made of, in the order of its document.

use wire::{
    Blob, Bulk, Count, Counted, F32, Fault, FaultKind, Flag32, Kept, Layout, Node, Order, Reader, Text, Value, Writer,
    layout, record, wire_enum,
};

use super::dialect::Dialect;
use super::property::Property;
use super::weights::Weights;

/// The first bytes of every file.
pub const MAGIC: [u8; 4] = *b"DGL3";

/// The only version there is.
pub const VERSION: i32 = 300;

/// Every number is little-endian: the exporter packs them so.
pub(crate) const ORDER: Order = Order::Little;

layout! {
    /// Everything before the meshes.
    pub struct Header {
        /// `DGL3`.
        magic: [u8; 4],
        /// `formatVersionNumber`: always 300.
        version: i32,
        let name_size: Count<i32> = name.len(),
        let creator_name_size: Count<i32> = creator_name.len(),
        let data_size: Count<i32> = data.len(),
        /// Name of the scene.
        name: Text{name_size},
        /// The program that wrote the file; `pentad spec` and `pentad engine` also say which dialect it is in.
        creator_name: Text{creator_name_size},
        /// Bytes of no known meaning.
        data: Blob{data_size},
        /// How many meshes follow.
        num_meshes: i32,
        /// How many entities follow them.
        num_entities: i32,
        /// How many lights follow those; the exporter counts them and writes none.
        num_lights: i32,
    }
}

layout! {
    /// A reference to another file.
    pub struct External {
        let external_filename_size: Count<i32> = external_filename.len(),
        /// Relative to the file that names it.
        external_filename: Text{external_filename_size},
    }
}

layout! {
    /// A mesh, here or in another file.
    pub struct Mesh {
        /// What entities call it; unique.
        mesh_id: i32,
        let name_size: Count<i32> = name.len(),
        /// Unique.
        name: Text{name_size},
        /// Whether the mesh is in another file.
        is_external: Flag32,
        /// The file, if it is.
        external: External where is_external.is_set(),
        /// The mesh itself, if it is not.
        body: Body where !is_external.is_set(),
    }
}

layout! {
    /// A mesh itself.
    pub struct Body {
        let num_vertices: Count<i32> = vertices.len(),
        /// Positions.
        vertices: Bulk<[F32; 3]>{num_vertices},
        /// Unit length.
        normals: Bulk<[F32; 3]>{num_vertices},
        /// v counts from the top.
        texcoords: Bulk<[F32; 2]>{num_vertices},
        /// Whether there is a second set.
        have_lightmap_tex_coords: Flag32,
        /// The second set.
        lightmap_tex_coords: Bulk<[F32; 2]>{num_vertices} where have_lightmap_tex_coords.is_set(),
        let num_triangles: Count<i32> = triangles.len(),
        /// Three vertices each, counter-clockwise.
        triangles: Bulk<[i32; 3]>{num_triangles},
        /// Whether bones move it. The engine ignores the flag and cannot read what follows.
        has_skeletal_animation: Flag32,
        /// The bones.
        skeletal: Skeletal{num_vertices} where has_skeletal_animation.is_set(),
        /// Whether it has frames of its own. The engine ignores the flag and cannot read what follows.
        has_morph_target_animation: Flag32,
        /// The frames.
        morph: Morph{num_vertices} where has_morph_target_animation.is_set(),
    }
}

layout! {
    /// Bones, how they move the vertices, and how they move.
    pub struct Skeletal(num_vertices: Count<i32>) {
        let num_bones: Count<i32> = bones.len(),
        /// The bones at rest.
        bones: Bulk<Bone>{num_bones},
        let bone_weights_per_vertex: Count<i32> = weights.per_vertex(),
        /// Per vertex as many bone indices, then as many weights.
        weights: Weights{num_vertices, bone_weights_per_vertex},
        /// How long a frame is.
        frames_per_second: i32,
        let num_animations: Count<i32> = animations.len(),
        /// The animations.
        animations: SkeletalAnimation[num_animations],
    }
}

record! {
    /// A bone at rest: a place relative to its parent, without rotation or scale.
    pub struct Bone {
        /// -1 for none.
        parent_bone_index: i32,
        /// x y z.
        local_position: [F32; 3],
    }
}
const _: () = assert!(<Bone as wire::Fixed>::SIZE == 16);

layout! {
    /// An animation of bones.
    pub struct SkeletalAnimation {
        let animation_name_size: Count<i32> = animation_name.len(),
        /// Unique among the animations of the mesh.
        animation_name: Text{animation_name_size},
        let num_frames: Count<i32> = frames.len(),
        /// Its frames.
        frames: SkeletalFrame[num_frames],
    }
}

layout! {
    /// One frame: the bones that are not at rest.
    pub struct SkeletalFrame {
        let num_transformations: Count<i32> = transformations.len(),
        /// What replaces a bone's transform.
        transformations: Bulk<Transformation>{num_transformations},
    }
}

record! {
    /// Where a bone is in a frame, relative to its parent.
    pub struct Transformation {
        /// The bone.
        bone_index: i32,
        /// x y z w.
        local_rotation: [F32; 4],
        /// x y z.
        local_translation: [F32; 3],
        /// x y z.
        local_scaling: [F32; 3],
    }
}
const _: () = assert!(<Transformation as wire::Fixed>::SIZE == 44);

layout! {
    /// Frames of the vertices themselves.
    pub struct Morph(num_vertices: Count<i32>) {
        /// How long a frame is.
        frames_per_second: i32,
        let num_animations: Count<i32> = animations.len(),
        /// The animations.
        animations: Vec<MorphAnimation>{num_animations, num_vertices},
    }
}

layout! {
    /// An animation of the vertices.
    pub struct MorphAnimation(num_vertices: Count<i32>) {
        let animation_name_size: Count<i32> = animation_name.len(),
        /// Unique among the animations of the mesh.
        animation_name: Text{animation_name_size},
        let num_frames: Count<i32> = frames.0.len(),
        /// Its frames.
        frames: MorphFrames{num_frames, num_vertices},
    }
}

layout! {
    /// One frame of the vertices.
    pub struct MorphFrame(num_vertices: Count<i32>) {
        /// Positions.
        vertices: Bulk<[F32; 3]>{num_vertices},
        /// Unit length.
        normals: Bulk<[F32; 3]>{num_vertices},
    }
}

/// The frames of an animation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MorphFrames(pub Vec<MorphFrame>);

/// Written by hand: without vertices a frame takes no bytes, and then any count would fit.
impl Layout<(Count<i32>, Count<i32>)> for MorphFrames {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, (count, vertices): (Count<i32>, Count<i32>)) -> Result<MorphFrames, Fault> {
        const VERTEX: u64 = 24;
        let need = (count.count() as u64).saturating_mul((vertices.count() as u64).saturating_mul(VERTEX));
        let have = r.remaining() as u64;
        if need > have {
            let fault = Fault::new(FaultKind::Truncated { need, have, counted: None }, r.here(r.remaining()));
            return Err(fault.counted("num_frames", count.count() as u64));
        }
        if vertices.count() == 0 && count.count() > 0 {
            return Err(Fault::value(r.here(0), "no frames of a mesh without vertices", format!("{}", count.count())));
        }
        r.many(count, vertices).map(MorphFrames)
    }
    fn write(&self, w: &mut Writer<'_>, (count, vertices): (Count<i32>, Count<i32>)) -> Result<(), Fault> {
        w.many(&self.0, count.count(), "num_frames", vertices)
    }
}

layout! {
    /// Something that stands somewhere.
    pub struct Entity(dialect: Dialect) {
        /// Unique.
        entity_id: i32,
        let name_size: Count<i32> = name.len(),
        /// Unique.
        name: Text{name_size},
        /// Whether it stands for the scene of another file.
        is_external: Flag32,
        /// The file, if it does; everything else follows all the same.
        external: External where is_external.is_set(),
        /// The mesh that stands there, -1 for none.
        mesh_id: i32,
        /// Where it stands.
        transform: Transform{dialect},
        let num_custom_properties: Count<i32> = properties.len(),
        /// What the user said about it; `material` names its material file.
        properties: Property[num_custom_properties],
    }
}

/// Where an entity stands: translation, rotation and scale, applied scale first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transform {
    /// x y z.
    pub position: [F32; 3],
    /// x y z w.
    pub rotation: [F32; 4],
    /// x y z.
    pub scale: [F32; 3],
}

impl Transform {
    /// The same bytes read in the other order.
    pub(super) fn in_other_order(self, from: Dialect) -> Transform {
        let ([x, y, z, w], [a, b, c]) = (self.rotation, self.scale);
        let (rotation, scale) = match from {
            Dialect::Engine => ([w, a, b, c], [x, y, z]),
            Dialect::Spec => ([a, b, c, x], [y, z, w]),
        };
        Transform { rotation, scale, ..self }
    }
}

/// Written by hand: the order of its fields is the dialect.
impl Layout<Dialect> for Transform {
    const MIN_SIZE: usize = 40;
    fn read(r: &mut Reader<'_>, dialect: Dialect) -> Result<Transform, Fault> {
        r.note_type("Transform");
        let mut this = Transform { position: r.field("position", Reader::fixed)?, ..Transform::default() };
        match dialect {
            Dialect::Spec => {
                this.scale = r.field("scale", Reader::fixed)?;
                this.rotation = r.field("rotation", Reader::fixed)?;
            }
            Dialect::Engine => {
                this.rotation = r.field("rotation", Reader::fixed)?;
                this.scale = r.field("scale", Reader::fixed)?;
            }
        }
        Ok(this)
    }
    fn write(&self, w: &mut Writer<'_>, dialect: Dialect) -> Result<(), Fault> {
        w.fixed(self.position);
        match dialect {
            Dialect::Spec => {
                w.fixed(self.scale);
                w.fixed(self.rotation);
            }
            Dialect::Engine => {
                w.fixed(self.rotation);
                w.fixed(self.scale);
            }
        }
        Ok(())
    }
}

wire_enum! {
    /// How a light shines.
    pub struct LightType: i32 {
        /// In all directions.
        POINT = 0 "point",
        /// In one direction.
        DIRECTIONAL = 1 "directional",
    }
}

layout! {
    /// A light.
    pub struct Light {
        /// Unique.
        light_id: i32,
        let name_size: Count<i32> = name.len(),
        /// Unique.
        name: Text{name_size},
        /// `type`.
        light_type: LightType,
        /// x y z.
        position: [F32; 3],
        /// x y z w; a directional light shines along its -Y.
        rotation: [F32; 4],
        /// red green blue alpha.
        color: [F32; 4],
    }
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Which order its entities are in.
    pub dialect: Dialect,
    /// Everything before the meshes.
    pub header: Kept<Header>,
    /// The meshes.
    pub meshes: Vec<Kept<Mesh>>,
    /// What stands where.
    pub entities: Vec<Kept<Entity>>,
    /// The lights.
    pub lights: Vec<Kept<Light>>,
    /// Bytes behind the last record.
    pub tail: Blob,
}

impl Document {
    /// The first mesh with this id: what an entity means.
    pub fn mesh(&self, id: i32) -> Option<usize> {
        self.meshes.iter().position(|mesh| mesh.mesh_id == id)
    }

    /// Whether the file announces lights that it does not have.
    pub fn lights_missing(&self) -> bool {
        self.lights.is_empty() && self.header.num_lights > 0
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn tree(&self) -> Vec<Node> {
        let numbered = |i: usize| format!("[{i}]");
        let meshes = self.meshes.iter().enumerate().map(|(i, mesh)| mesh.node(numbered(i), ORDER, ()));
        let entities = self.entities.iter().enumerate().map(|(i, e)| e.node(numbered(i), ORDER, self.dialect));
        let lights = self.lights.iter().enumerate().map(|(i, light)| light.node(numbered(i), ORDER, ()));
        let mut tree = vec![self.header.node("header", ORDER, ())];
        tree.push(Node::list("meshes", "Mesh", meshes.collect()));
        tree.push(Node::list("entities", "Entity", entities.collect()));
        tree.push(Node::list("lights", "Light", lights.collect()));
        if !self.tail.is_empty() {
            tree.push(Node::leaf("tail", "unused bytes", self.tail.span()).with_value(Value::Bytes(self.tail.clone())));
        }
        tree
    }

    fn forget_raw(&mut self) {
        self.header.forget_raw();
        self.meshes.iter_mut().for_each(Kept::forget_raw);
        self.entities.iter_mut().for_each(Kept::forget_raw);
        self.lights.iter_mut().for_each(Kept::forget_raw);
    }

    fn facts(&self, full: bool) -> crate::Facts {
        super::facts::facts(self, full)
    }
}
