//! Which framing a file has: byte order, header size, and what lies before the first section.

use wire::{Blob, Order};

use crate::dragon::layout::frame::{Form, HEAD, HEAD_44, HEAD_2019, HEADER_BODY, MAGIC, MAGIC_BIG};
use crate::dragon::layout::kind::Kind;

/// The fields of a header that lie in the same place whatever its size.
struct Numbers<'a> {
    file: &'a [u8],
    order: Order,
}

impl Numbers<'_> {
    fn at(&self, at: usize) -> Option<u32> {
        let bytes: [u8; 4] = self.file.get(at..at + 4)?.try_into().ok()?;
        Some(match self.order {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        })
    }

    fn tag_at(&self, at: usize) -> bool {
        let tag = at.checked_add(8).and_then(|end| self.file.get(at..end)).and_then(|tag| tag.try_into().ok());
        tag.is_some_and(|tag| Kind::of(tag).is_some())
    }
}

/// How many of version, size and count make sense in this order.
fn sense(file: &[u8], order: Order) -> usize {
    let numbers = Numbers { file, order };
    let len = file.len() as u64;
    let holds = |at: usize, fits: &dyn Fn(u64) -> bool| usize::from(numbers.at(at).is_some_and(|n| fits(n.into())));
    holds(8, &|version| version <= 0xFFFF)
        + holds(28, &|size| (HEAD_2019 as u64..=len).contains(&size))
        + holds(32, &|count| count <= len / HEAD_2019 as u64)
}

/// The byte order, and whether a big-endian file starts with forward letters. Nothing if it is no DRAGON file.
pub(in crate::dragon) fn order_of(file: &[u8]) -> Option<(Order, bool)> {
    if file.starts_with(&MAGIC_BIG) {
        return Some((Order::Big, false));
    }
    let forward = file.starts_with(&MAGIC);
    let big = sense(file, Order::Big) > sense(file, Order::Little);
    forward.then_some(if big { (Order::Big, true) } else { (Order::Little, false) })
}

/// The framing of a file that has a magic: the one that explains most of it.
pub(in crate::dragon) fn form_of(file: &Blob) -> Option<Form> {
    let (order, forward_magic) = order_of(file)?;
    let numbers = Numbers { file, order };
    let mut best: Option<(u32, Form)> = None;
    for (head, bias) in [(HEAD, 0), (HEAD_2019, 0), (HEAD_44, 0), (HEAD, 8)] {
        let mut form = Form { order, head, bias, forward_magic, size: file.len() as u64, ..Form::default() };
        let score = score(&numbers, &mut form, file);
        if best.as_ref().is_none_or(|(least, _)| score > *least) {
            best = Some((score, form));
        }
    }
    best.map(|(_, form)| form)
}

/// How much of a file a framing explains; finds what lies before the first section on the way.
fn score(numbers: &Numbers<'_>, form: &mut Form, file: &Blob) -> u32 {
    let (Some(size), Some(count)) = (numbers.at(28), numbers.at(32)) else { return 0 };
    let next = (size as usize).saturating_add(form.bias);
    // A writer that got every size wrong by the same amount may have added them up.
    let added_up = file.len() as u64 - (form.bias as u64).saturating_mul(u64::from(count) + 1).min(file.len() as u64);
    let total = numbers.at(form.head).map(u64::from);
    let up = numbers.file.get(form.head + 4);
    let mut score = 0;
    score += 2 * u32::from(total == Some(file.len() as u64) || total == Some(added_up));
    score += u32::from(up.is_some_and(|up| *up <= 5));
    let body = next.saturating_sub(form.head);
    // The offset of the sections may count as part of the header section.
    let inside = body == HEADER_BODY + 4 && numbers.at(next - 4) == Some(4);
    score += 2 * u32::from(body == HEADER_BODY || inside);
    let ends = next == file.len() && count == 0;
    if numbers.tag_at(next) || ends {
        score += 2;
        if inside {
            form.gap = file.slice(next - 4..next);
        }
    } else if let Some(offset) = numbers.at(next).map(|offset| offset as usize).filter(|offset| *offset >= 4)
        && numbers.tag_at(next.saturating_add(offset))
    {
        score += 2;
        form.gap = file.slice(next..next + offset);
    }
    score
}
