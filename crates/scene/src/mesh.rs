use crate::{Attribute, Extras, Id, Material, MorphRange, MorphTarget, Name, Semantic, Stream};

/// How vertices make points, lines and faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Each vertex by itself.
    Points,
    /// Pairs.
    Lines,
    /// One line through all vertices and back to the first.
    LineLoop,
    /// One line through all vertices.
    LineStrip,
    /// Triples.
    Triangles,
    /// Each vertex and the two before it, every second triangle turned round.
    TriangleStrip,
    /// Each vertex, the one before it and the first.
    TriangleFan,
    /// Fours.
    Quads,
    /// Each pair of vertices and the pair before it.
    QuadStrip,
    /// One convex polygon through all vertices.
    Polygon,
    /// Polygons of any number of corners; [`Primitive::corners`] says how many each has.
    Polygons,
}

impl Topology {
    /// Every topology.
    pub const ALL: [Topology; 11] = [
        Topology::Points,
        Topology::Lines,
        Topology::LineLoop,
        Topology::LineStrip,
        Topology::Triangles,
        Topology::TriangleStrip,
        Topology::TriangleFan,
        Topology::Quads,
        Topology::QuadStrip,
        Topology::Polygon,
        Topology::Polygons,
    ];

    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Topology::Points => "points",
            Topology::Lines => "lines",
            Topology::LineLoop => "line-loop",
            Topology::LineStrip => "line-strip",
            Topology::Triangles => "triangles",
            Topology::TriangleStrip => "triangle-strip",
            Topology::TriangleFan => "triangle-fan",
            Topology::Quads => "quads",
            Topology::QuadStrip => "quad-strip",
            Topology::Polygon => "polygon",
            Topology::Polygons => "polygons",
        }
    }

    /// Whether it makes faces.
    pub fn is_surface(self) -> bool {
        !matches!(self, Topology::Points | Topology::Lines | Topology::LineLoop | Topology::LineStrip)
    }

    /// How many triangles `vertices` vertices make; [`Topology::Polygons`] needs the corners.
    pub fn triangles(self, vertices: u64) -> u64 {
        match self {
            Topology::Triangles => vertices / 3,
            Topology::TriangleStrip | Topology::TriangleFan | Topology::Polygon => vertices.saturating_sub(2),
            Topology::Quads => vertices / 4 * 2,
            Topology::QuadStrip => (vertices / 2).saturating_sub(1) * 2,
            _ => 0,
        }
    }
}

/// Which vertices are used, in which order. Equal ones name the same vertices, in however many bytes each.
#[derive(Clone, Debug)]
pub struct Indices(pub Stream);

impl PartialEq for Indices {
    fn eq(&self, other: &Indices) -> bool {
        self.0 == other.0 || (self.len() == other.len() && self.to_vec() == other.to_vec())
    }
}

impl Indices {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The numbers.
    pub fn to_vec(&self) -> Vec<u32> {
        self.0.to_u32()
    }
}

impl From<Vec<u32>> for Indices {
    fn from(indices: Vec<u32>) -> Indices {
        Indices(Stream::from_u32(1, indices))
    }
}

/// Vertices of one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// How the vertices are connected.
    pub topology: Topology,
    /// Their streams; all of one length.
    pub attributes: Vec<Attribute>,
    /// Their order, if it is not the stored one.
    pub indices: Option<Indices>,
    /// For [`Topology::Polygons`]: corners of each polygon, in order.
    pub corners: Vec<u32>,
    /// How they look.
    pub material: Option<Id<Material>>,
    /// What they turn into.
    pub targets: Vec<MorphTarget>,
    /// What travels along.
    pub extras: Extras,
}

impl Primitive {
    /// A primitive without streams.
    pub fn new(topology: Topology) -> Primitive {
        Primitive {
            topology,
            attributes: Vec::new(),
            indices: None,
            corners: Vec::new(),
            material: None,
            targets: Vec::new(),
            extras: Extras::default(),
        }
    }

    /// The same with one more stream.
    pub fn with(mut self, semantic: Semantic, stream: Stream) -> Primitive {
        self.attributes.push(Attribute { semantic, stream });
        self
    }

    /// One of its streams.
    pub fn get(&self, semantic: &Semantic) -> Option<&Stream> {
        self.attributes.iter().find(|a| a.semantic == *semantic).map(|a| &a.stream)
    }

    /// Replaces or adds a stream.
    pub fn set(&mut self, semantic: Semantic, stream: Stream) {
        match self.attributes.iter_mut().find(|a| a.semantic == semantic) {
            Some(attribute) => attribute.stream = stream,
            None => self.attributes.push(Attribute { semantic, stream }),
        }
    }

    /// How many vertices it stores.
    pub fn vertex_count(&self) -> usize {
        self.attributes.first().map_or(0, |a| a.stream.len())
    }

    /// How many vertices it draws.
    pub fn draw_count(&self) -> usize {
        self.indices.as_ref().map_or_else(|| self.vertex_count(), Indices::len)
    }

    /// Bytes of its numbers in a scene and in a file, if it shares them with no other and they are floats.
    pub fn room(&self) -> u64 {
        let deltas = self.targets.iter().flat_map(|target| &target.attributes);
        let streams = self.attributes.iter().chain(deltas).map(|attribute| &attribute.stream);
        let numbers = |stream: &Stream| (stream.len() as u64).saturating_mul(stream.count() as u64);
        streams.map(numbers).fold(self.draw_count() as u64, u64::saturating_add).saturating_mul(8)
    }

    /// How many triangles it makes.
    pub fn triangle_count(&self) -> u64 {
        match self.topology {
            Topology::Polygons => self.corners.iter().map(|&n| u64::from(n).saturating_sub(2)).sum(),
            other => other.triangles(self.draw_count() as u64),
        }
    }
}

/// Geometry that nodes show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: Name,
    /// Its parts.
    pub primitives: Vec<Primitive>,
    /// Its morph targets: every primitive has as many, in this order.
    pub morphs: Vec<MorphRange>,
    /// Coarser versions, nearest first.
    pub lods: Vec<Lod>,
    /// Properties a user gave it.
    pub properties: crate::Properties,
    /// What travels along.
    pub extras: Extras,
}

impl Mesh {
    /// See [`Primitive::room`].
    pub fn room(&self) -> u64 {
        self.primitives.iter().map(Primitive::room).fold(0, u64::saturating_add)
    }
}

/// A coarser version of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Lod {
    /// The coarser mesh.
    pub mesh: Id<Mesh>,
    /// Share of the screen's height below which it is used, if the source says.
    pub coverage: Option<f32>,
}
