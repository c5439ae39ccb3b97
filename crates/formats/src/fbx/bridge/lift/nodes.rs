//! Nodes, and the turn from the axes and the unit of the file.

use scene::{Name, Node, NodeRole, Scene, Transform, Value};

use super::{axes, metres, name, node_id, three};

/// The turn of the axes and the scale to metres.
fn to_metres(source: &ufbx::Scene) -> Transform {
    let rows = axes(source).unwrap_or([[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]);
    let metres = metres(source);
    let mut columns = [0.; 16];
    for (i, column) in columns.chunks_mut(4).take(3).enumerate() {
        rows.iter().zip(column).for_each(|(row, slot)| *slot = (row[i] * metres) as f32);
    }
    columns[15] = 1.;
    Transform::Matrix(columns)
}

fn transform(transform: &ufbx::Transform) -> Transform {
    let q = &transform.rotation;
    Transform::Trs {
        translation: three(&transform.translation),
        rotation: [q.x as f32, q.y as f32, q.z as f32, q.w as f32],
        scale: three(&transform.scale),
    }
}

pub(super) fn lift(source: &ufbx::Scene, scene: &mut Scene) {
    for node in &source.nodes {
        let children = node.children.into_iter().map(node_id).collect();
        let mut out = Node {
            name: name(&node.element.name),
            children,
            transform: transform(&node.local_transform),
            visible: node.visible,
            ..Node::default()
        };
        if node.is_root {
            out.name = Name::from("axis");
            out.transform = to_metres(source);
            out.role = NodeRole::Axis;
        }
        for property in node.element.props.props.iter() {
            if let Some(value) = user_value(property) {
                out.properties.push((name(&property.name), value));
            }
        }
        scene.nodes.add(out);
    }
    scene.scenes[0].nodes = vec![node_id(&source.root_node)];
}

/// The value of a property that a user gave an object.
fn user_value(property: &ufbx::Prop) -> Option<Value> {
    use ufbx::PropType as Type;
    let flag = ufbx::PropFlags::USER_DEFINED;
    if !(property.flags & flag).any() {
        return None;
    }
    let v = &property.value_vec4;
    Some(match property.type_ {
        Type::Boolean => Value::Bool(property.value_int != 0),
        Type::Integer => Value::Int(property.value_int),
        Type::Number | Type::Distance => Value::F64(v.x),
        Type::Vector | Type::Color | Type::Translation | Type::Rotation | Type::Scaling => {
            Value::List([v.x, v.y, v.z].map(Value::F64).into())
        }
        Type::ColorWithAlpha => Value::List([v.x, v.y, v.z, v.w].map(Value::F64).into()),
        _ => Value::Text(name(&property.value_str)),
    })
}
