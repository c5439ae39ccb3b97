//! Properties of entities: a name, a type and a value of that type.

use wire::{Count, F32, Fault, Layout, Reader, Text, Writer, layout, wire_enum};

wire_enum! {
    /// What a property's value is.
    pub struct PropertyType: i32 {
        /// A whole number.
        INT = 0 "int",
        /// A number.
        FLOAT = 1 "float",
        /// Two numbers.
        VEC2 = 2 "vec2",
        /// Three numbers.
        VEC3 = 3 "vec3",
        /// Four numbers, or a quaternion.
        VEC4 = 4 "vec4",
        /// Text.
        STRING = 5 "string",
    }
}

layout! {
    /// Something a user said about an entity.
    pub struct Property {
        let name_size: Count<i32> = name.len(),
        /// Unique among the properties of the entity.
        name: Text{name_size},
        /// What the value is: `propertyType`.
        property_type: PropertyType,
        /// The value.
        value: PropertyValue{property_type},
    }
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PropertyValue {
    Int(i32),
    Float(F32),
    Vec2([F32; 2]),
    Vec3([F32; 3]),
    Vec4([F32; 4]),
    Text(Text),
}

impl Default for PropertyValue {
    fn default() -> PropertyValue {
        PropertyValue::Int(0)
    }
}

impl PropertyValue {
    /// The type that announces it.
    pub fn kind(&self) -> PropertyType {
        match self {
            PropertyValue::Int(_) => PropertyType::INT,
            PropertyValue::Float(_) => PropertyType::FLOAT,
            PropertyValue::Vec2(_) => PropertyType::VEC2,
            PropertyValue::Vec3(_) => PropertyType::VEC3,
            PropertyValue::Vec4(_) => PropertyType::VEC4,
            PropertyValue::Text(_) => PropertyType::STRING,
        }
    }
}

impl Property {
    /// A property of a value.
    pub fn new(name: Text, value: PropertyValue) -> Property {
        Property { name, property_type: value.kind(), value }
    }
}

/// Written by hand: what it is depends on the type before it.
impl Layout<PropertyType> for PropertyValue {
    const MIN_SIZE: usize = 4;
    fn read(r: &mut Reader<'_>, kind: PropertyType) -> Result<PropertyValue, Fault> {
        Ok(match kind {
            PropertyType::INT => PropertyValue::Int(r.fixed()?),
            PropertyType::FLOAT => PropertyValue::Float(r.fixed()?),
            PropertyType::VEC2 => PropertyValue::Vec2(r.fixed()?),
            PropertyType::VEC3 => PropertyValue::Vec3(r.fixed()?),
            PropertyType::VEC4 => PropertyValue::Vec4(r.fixed()?),
            PropertyType::STRING => {
                r.note_type("string");
                let size: Count<i32> = r.field("value_size", |r| Layout::read(r, ()))?;
                let size = wire::Named::named(size, "value_size");
                PropertyValue::Text(r.field("text", |r| Text::read(r, size))?)
            }
            other => {
                let mut at = r.here(4);
                at.offset = at.offset.saturating_sub(4);
                return Err(Fault::value(at, "a property type from 0 to 5", other.0.to_string()));
            }
        })
    }
    fn write(&self, w: &mut Writer<'_>, kind: PropertyType) -> Result<(), Fault> {
        if kind != self.kind() {
            return Err(Fault::value(w.here(), "a value of the property's type", "another one"));
        }
        match self {
            PropertyValue::Int(value) => w.fixed(*value),
            PropertyValue::Float(value) => w.fixed(*value),
            PropertyValue::Vec2(value) => w.fixed(*value),
            PropertyValue::Vec3(value) => w.fixed(*value),
            PropertyValue::Vec4(value) => w.fixed(*value),
            PropertyValue::Text(text) => {
                let size = <Count<i32> as wire::FromMemory<usize>>::from_memory(text.len());
                let size = size.map_err(|kind| Fault::new(kind, w.here()).inside("value_size"))?;
                size.write(w, ())?;
                text.write(w, size)?;
            }
        }
        Ok(())
    }
}
