//! What later formats rest on: offsets in any order, overlaps and slack, nesting, counts that must agree.

use wire::{
    Blob, Bulk, Count, Fault, FaultKind, Kept, Layout, Limits, Node, Order, Reader, Sink, Space, Span, Text, Unit,
    Writer, layout,
};

layout! {
    /// A name and what lies below it.
    struct Tree {
        let name_size: Count<u8> = name.len(),
        /// What it is called.
        name: Text{name_size},
        let child_count: Count<u8> = children.len(),
        /// What lies below.
        children: Vec<Tree>{child_count, ()},
    }
}

layout! {
    /// Two arrays under one count.
    struct Twins {
        let count: Count<u8> = left.len(),
        /// One.
        left: Bulk<u16>{count},
        /// The other.
        right: Bulk<u16>{count},
    }
}

/// Two blocks that the header names by their places, as DRAGON's arrays are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Blocks {
    first: Blob,
    second: Blob,
}

impl Layout for Blocks {
    const MIN_SIZE: usize = 2;
    fn read(r: &mut Reader<'_>, (): ()) -> Result<Blocks, Fault> {
        let block = |r: &mut Reader<'_>, name: &str, at: u8| {
            r.elsewhere(at.into(), |r| r.field(name, |r| Layout::read(r, 2_usize)))
        };
        let first_at = r.field("first_at", |r| <u8 as Layout>::read(r, ()))?;
        let first = block(r, "first", first_at)?;
        let second_at = r.field("second_at", |r| <u8 as Layout>::read(r, ()))?;
        let second = block(r, "second", second_at)?;
        Ok(Blocks { first, second })
    }
    fn write(&self, w: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        w.fixed([2_u8, 4]);
        w.blob(&self.first);
        w.blob(&self.second);
        Ok(())
    }
}

fn map(bytes: &[u8]) -> Vec<(String, Span, bool)> {
    let nodes = Unit::map::<Blocks, ()>(&Blob::file(bytes.to_vec()), Order::Little, ()).unwrap();
    nodes.into_iter().map(|node| (node.name, node.span, node.shares)).collect()
}

fn entry(name: &str, offset: u64, size: u64, shares: bool) -> (String, Span, bool) {
    (name.to_owned(), Span::file(offset, size), shares)
}

#[test]
fn blocks_in_any_order_and_slack_are_mapped() {
    // second, one byte of slack, first.
    let map = map(&[5, 2, 0xB1, 0xB2, 0xEE, 0xA1, 0xA2]);
    let expected = [
        entry("first_at", 0, 1, false),
        entry("first", 5, 2, false),
        entry("second_at", 1, 1, false),
        entry("second", 2, 2, false),
        entry("unused", 4, 1, false),
    ];
    assert_eq!(map, expected);
}

#[test]
fn the_first_field_owns_bytes_that_two_name() {
    let map = map(&[2, 2, 0xA1, 0xA2]);
    assert_eq!(map[1], entry("first", 2, 2, false));
    assert_eq!(map[3], entry("second", 2, 2, true));
}

#[test]
fn a_block_that_reaches_behind_the_end_names_its_field() {
    let read = |bytes: &[u8]| Blocks::read(&mut Reader::new(&Blob::file(bytes.to_vec()), Order::Little), ());
    let cut = read(&[3, 2, 0, 0]).unwrap_err();
    assert_eq!((cut.path(), cut.at()), ("first", Span::file(3, 1)));
    // A place outside the bytes altogether is the fault of the field that was just read.
    let outside = read(&[9, 2, 0, 0]).unwrap_err();
    assert_eq!(
        (outside.reason().as_str(), outside.at()),
        ("expected a place within 4 bytes, found 9", Span::file(1, 0))
    );
}

#[test]
fn kept_unit_goes_out_as_it_came_until_it_is_edited() {
    let file = Blob::file(vec![5, 2, 0xB1, 0xB2, 0xEE, 0xA1, 0xA2]);
    let mut unit = Kept::<Blocks>::read(&mut Reader::new(&file, Order::Little), ()).unwrap();
    // The cursor ends behind the header; the unit is what its format says it is.
    unit = Kept::read_from(unit.into_value(), file.clone());
    let written = |unit: &Kept<Blocks>| {
        let mut sink = Sink::default();
        unit.write(&mut Writer::new(&mut sink, Order::Little), ()).unwrap();
        sink.into_vec()
    };
    assert_eq!(written(&unit), file[..]);
    unit.edit();
    assert_eq!(written(&unit), [2, 4, 0xA1, 0xA2, 0xB1, 0xB2]);
    assert_eq!(wire::locate(&[unit.node("unit", Order::Little, ())], "unit.first"), None);
}

#[test]
fn nesting_stops_at_the_limit() {
    // Each level: no name, one child.
    let deep = Blob::file([0, 1].repeat(200_000));
    let fault = Tree::read(&mut Reader::new(&deep, Order::Little), ()).unwrap_err();
    assert!(matches!(fault.kind(), FaultKind::Limit(_)), "{fault}");
    let shallow = Blob::file(vec![0, 1, 0, 1, 0, 0]);
    let two = Limits { max_depth: 2, ..Limits::default() };
    let three = Limits { max_depth: 3, ..Limits::default() };
    assert!(Tree::read(&mut Reader::new(&shallow, Order::Little).within(&two.into()), ()).is_err());
    assert!(Tree::read(&mut Reader::new(&shallow, Order::Little).within(&three.into()), ()).is_ok());
}

#[test]
fn fault_in_a_nested_structure_has_the_whole_path() {
    let fault = Tree::read(&mut Reader::new(&Blob::file(vec![1, b'a', 1, 5, b'b']), Order::Little), ()).unwrap_err();
    assert_eq!(fault.to_string(), "children[0].name at 0x4 (4): needs 5 bytes, 1 remain; name_size says 5");
}

#[test]
fn arrays_that_disagree_with_their_count_are_not_written() {
    let twins = Twins { left: vec![1_u16, 2].into(), right: vec![3_u16].into() };
    let fault = twins.write(&mut Writer::new(&mut Sink::default(), Order::Little), ()).unwrap_err();
    assert_eq!(fault.path(), "right");
    assert_eq!(fault.reason(), "expected 2 elements, as count says, found 1");
}

#[test]
fn place_of_a_list_is_around_its_items_in_any_order() {
    let at = |i: usize, offset: u64| Node::leaf(format!("[{i}]"), "item", Span::file(offset, 4));
    assert_eq!(Node::list("items", "item", vec![at(0, 20), at(1, 8)]).span, Span::file(8, 16));
    assert_eq!(Node::list("items", "item", Vec::new()).span.space, Space::Memory);
}
