//! das2 against bytes written down by hand, against its own ledger (`src/das2/SPEC.md`), and against facts that an
//! independent reader measured.

#![cfg(feature = "das2")]

mod bridge;
mod dialects;
mod engine;
mod files;
mod inflating;
mod meaning;
mod merging;
mod real_files;
mod rules;
mod support;

use formats::Format;
use formats::das2::{Buffer, Das2, Document, Form, Structure};
use wire::{Blob, Sink, Text};

use support::read;

fn refusal(doc: &Document) -> (&'static str, String) {
    let error = Das2::write(doc, &mut Sink::default()).expect_err("it cannot be held");
    (error.rule().id, error.place().path.clone())
}

#[test]
fn a_string_beyond_its_field_is_refused() {
    // DAS2-051
    let mut doc = read(&corpus::das2::one_triangle());
    doc.header.edit().comment = Text::from(Blob::memory(vec![b'x'; 1 << 16])).into();
    assert_eq!(refusal(&doc), ("DAS2-051", "header.comment.length".to_owned()));
}

#[test]
fn arrays_that_disagree_with_their_count_are_refused() {
    // DAS2-052
    let mut doc = read(&corpus::das2::model());
    let channel = doc.structures.iter_mut().find(|s| matches!(&***s, Structure::AnimationChannel(_))).expect("one");
    if let Structure::AnimationChannel(channel) = channel.edit() {
        channel.target_values.to_mut().pop();
    }
    assert_eq!(refusal(&doc), ("DAS2-052", "body.channels[0].target_values".to_owned()));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_buffer_beyond_four_gibibytes_is_refused() {
    // DAS2-052. The room is never touched, so it takes none.
    let mut doc = Document::new(Form::SPEC, 0);
    doc.push(Structure::Buffer(Buffer::new(Blob::memory(vec![0; 1 << 32]))));
    assert_eq!(refusal(&doc), ("DAS2-052", "body.buffers[0].length".to_owned()));
}
