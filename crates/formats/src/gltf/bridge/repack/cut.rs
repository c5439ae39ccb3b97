//! Buffers without the bytes of views that are gone.

use std::ops::Range;

use wire::Blob;

use super::{ALIGNMENT, Bytes, compressed, move_view};
use crate::gltf::schema::{BufferView, Root};

/// Takes the bytes of views that are `gone` out of their buffers, as far as no other view has them. What lies behind
/// them moves by whole multiples of what views are aligned to.
pub(super) fn cut(root: &mut Root, gone: &[BufferView], buffers: &mut [Bytes]) {
    for (index, bytes) in buffers.iter_mut().enumerate() {
        let Some([whole]) = bytes.as_deref() else { continue };
        let cuts = Cuts::of(root, gone, index, whole.len());
        let parts = cuts.rest(whole);
        // A buffer has at least one byte.
        if cuts.0.is_empty() || parts.is_empty() {
            continue;
        }
        root.buffers[index].byte_length = parts.iter().map(|part| part.len()).sum();
        *bytes = Some(parts);
        let moved = |buffer: usize, offset: usize| (buffer, if buffer == index { cuts.moved(offset) } else { offset });
        root.buffer_views.iter_mut().for_each(|view| move_view(view, &moved));
    }
}

/// What is taken out of a buffer, in order, each with the bytes that were taken out before its end.
struct Cuts(Vec<(Range<usize>, usize)>);

impl Cuts {
    fn of(root: &Root, gone: &[BufferView], buffer: usize, size: usize) -> Cuts {
        let range = |(_, start, length): (usize, usize, usize)| start..start.saturating_add(length);
        let stored = |view: &BufferView| (view.buffer, view.byte_offset.unwrap_or(0), view.byte_length);
        let all = root.buffer_views.iter().flat_map(|view| [Some(stored(view)), compressed(view)]).flatten();
        let mut kept: Vec<Range<usize>> = all.filter(|(own, ..)| *own == buffer).map(range).collect();
        kept.sort_unstable_by_key(|range| range.start);
        // How far those up to each one reach.
        let mut reach = 0;
        let mut reached = |range: &Range<usize>| {
            reach = reach.max(range.end);
            reach
        };
        let ends: Vec<usize> = kept.iter().map(&mut reached).collect();
        let plain = gone.iter().filter(|view| compressed(view).is_none()).map(stored);
        let mut wanted: Vec<Range<usize>> = plain.filter(|(own, ..)| *own == buffer).map(range).collect();
        wanted.sort_unstable_by_key(|range| range.start);
        let (mut cuts, mut taken, mut free) = (Vec::new(), 0, 0);
        for cut in wanted {
            let behind = kept.partition_point(|range| range.start < cut.end);
            let reached = behind.checked_sub(1).map_or(0, |last| ends[last]);
            if cut.start < free.max(reached) || cut.end > size {
                continue;
            }
            let next = kept.get(behind).map(|range| range.start);
            // The padding goes with it.
            let end = cut.end.next_multiple_of(ALIGNMENT).min(next.unwrap_or(size));
            let length = end - cut.start;
            let end = if next.is_some() { end - length % ALIGNMENT } else { end };
            taken += end - cut.start;
            free = end;
            cuts.push((cut.start..end, taken));
        }
        Cuts(cuts)
    }

    fn moved(&self, offset: usize) -> usize {
        let before = self.0.partition_point(|(cut, _)| cut.end <= offset);
        offset - before.checked_sub(1).map_or(0, |last| self.0[last].1)
    }

    fn rest(&self, whole: &Blob) -> Vec<Blob> {
        let starts = std::iter::once(0).chain(self.0.iter().map(|(cut, _)| cut.end));
        let ends = self.0.iter().map(|(cut, _)| cut.start).chain([whole.len()]);
        starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| whole.slice(start..end)).collect()
    }
}
