//! The document as text: a row per field, or per sixteen bytes of it.

use std::sync::Arc;

use pentad::findings::Severity;
use pentad::findings::render::escape;
use pentad::findings::render::terminal::Paint;

use super::Place;
use super::fields::{Field, Inside, Walk};
use super::marks::Marks;

/// Bytes in a row.
const ROW: usize = 16;

/// Longest array whose elements are shown although nobody named it.
const SHORT_ARRAY: usize = 64;

/// Rows shown from an offset on: a screenful.
const SCREEN: usize = 32;

/// Hands each line to `emit`, until that answers that the reader is gone.
pub(super) fn print(
    document: &Inside,
    marks: &Marks,
    place: Option<Place>,
    paint: Paint,
    emit: &mut dyn FnMut(&str) -> bool,
) {
    let (line, of) = (String::new(), "".into());
    let mut printer = Printer { emit, marks, is_closed: false, paint, line, mark: None, rest: None, of };
    match place {
        None => printer.walk(Walk::from(document, &[]), SHORT_ARRAY),
        Some(Place::Field(address)) => {
            let Some(field) = document.field_at(&address) else { return };
            printer.named(&field);
        }
        Some(Place::Byte(offset, owner)) => {
            printer.mark = Some(offset);
            printer.rest = Some(SCREEN);
            printer.walk(Walk::from(document, &owner), usize::MAX);
        }
    }
}

struct Printer<'o> {
    emit: &'o mut dyn FnMut(&str) -> bool,
    marks: &'o Marks,
    is_closed: bool,
    paint: Paint,
    line: String,
    /// The byte that was asked for; rows of its field before it are left out.
    mark: Option<u64>,
    /// Rows still to print, if not all.
    rest: Option<usize>,
    /// Which body the last row was of.
    of: Arc<str>,
}

impl Printer<'_> {
    fn walk(&mut self, mut walk: Walk, expand: usize) {
        while let Some(field) = walk.next() {
            if self.is_done() {
                return;
            }
            let closed = field.node.shares
                || field.node.value.is_some()
                || field.node.as_array().is_some_and(|array| array.count > expand);
            match (!closed).then(|| Inside::of(&field)).flatten() {
                Some(inside) => {
                    if field.node.inflated().is_some() {
                        self.field(&field, true);
                    }
                    walk.enter(inside);
                }
                None => self.field(&field, !field.node.shares),
            }
        }
    }

    /// A field that someone named: what it holds is worth a look even if it is long or says one thing.
    fn named(&mut self, field: &Field) {
        let inside = Inside::of(field);
        if inside.is_none() || field.node.inflated().is_some() {
            self.field(field, true);
        }
        if let Some(inside) = inside {
            self.walk(Walk::from(&inside, &[]), SHORT_ARRAY);
        }
    }

    fn is_done(&self) -> bool {
        self.is_closed || self.rest == Some(0)
    }

    fn field(&mut self, field: &Field, with_bytes: bool) {
        self.heading(field);
        let bytes = if with_bytes { field.bytes() } else { &[] };
        let start = field.node.span.offset;
        let mark = self.mark.and_then(|mark| usize::try_from(mark.checked_sub(start)?).ok());
        let skipped = mark.filter(|&mark| mark < bytes.len()).map_or(0, |mark| mark - mark % ROW);
        if bytes.is_empty() {
            self.row(field.range().map(|_| start), &[], None, Some(field));
        }
        for (i, row) in bytes[skipped..].chunks(ROW).enumerate() {
            if self.is_done() {
                return;
            }
            let at = skipped + i * ROW;
            let mark = mark.and_then(|mark| mark.checked_sub(at)).filter(|&mark| mark < row.len());
            self.row(Some(start + at as u64), row, mark, (i == 0).then_some(field));
        }
        // Later fields may lie before this one; the byte was shown.
        self.mark = None;
    }

    /// Says so where offsets begin to count other bytes.
    fn heading(&mut self, field: &Field) {
        if self.of == field.body.of {
            return;
        }
        self.of = field.body.of.clone();
        let heading = match &*self.of {
            "" => "file:".to_owned(),
            of => format!("inflated from {}, {} bytes:", escape(of), field.body.bytes.len()),
        };
        let heading = format!("{}\n", self.paint.strong(&heading));
        self.is_closed |= !(self.emit)(&heading);
    }

    fn row(&mut self, offset: Option<u64>, bytes: &[u8], mark: Option<usize>, label: Option<&Field>) {
        let paint = self.paint;
        self.rest = self.rest.map(|rest| rest.saturating_sub(1));
        self.line.clear();
        let offset = offset.map_or("--------".to_owned(), |offset| format!("{offset:08x}"));
        self.line.push_str(&paint.faint(&offset));
        self.line.push(' ');
        for i in 0..ROW {
            if i == ROW / 2 {
                self.line.push(if mark == Some(i - 1) { ']' } else { ' ' });
            }
            // A mark must also show where there are no colours.
            self.line.push(match mark {
                Some(mark) if mark == i => '[',
                Some(mark) if mark + 1 == i && i != ROW / 2 => ']',
                _ => ' ',
            });
            match bytes.get(i) {
                Some(byte) if mark == Some(i) => self.line.push_str(&paint.strong(&format!("{byte:02x}"))),
                Some(byte) => self.line.extend([byte >> 4, byte & 15].map(hex_digit)),
                None => self.line.push_str("  "),
            }
        }
        self.line.push(if mark == Some(ROW - 1) { ']' } else { ' ' });
        self.line.push(' ');
        if !bytes.is_empty() {
            self.line.push('|');
            self.line.extend(bytes.iter().map(|&byte| ascii(byte)));
            self.line.push('|');
        }
        if let Some(field) = label {
            let width = if bytes.is_empty() { ROW + 2 } else { ROW - bytes.len() };
            self.line.extend(std::iter::repeat_n(' ', width + 2));
            self.line.push_str(&paint.strong(&escape(&field.path)));
            self.line.push_str(&paint.faint(&field.type_suffix()));
            self.line.push_str(&field.value_suffix());
            for wrong in self.marks.of(field).filter(|_| !field.node.shares) {
                self.line.push_str(&paint.severity(Severity::Warning, &format!("  <- {}", escape(wrong))));
            }
        }
        self.line.push('\n');
        self.is_closed |= !(self.emit)(&self.line);
    }
}

fn hex_digit(nibble: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(nibble & 15)])
}

/// The byte as a character, if it shows as one.
pub(super) fn ascii(byte: u8) -> char {
    if byte == b' ' || byte.is_ascii_graphic() { char::from(byte) } else { '.' }
}

#[cfg(test)]
mod tests {
    use pentad::findings::{FILE_001, Finding};
    use pentad::wire::Span;

    use super::super::samples;
    use super::*;

    fn printed(document: &Inside, place: &str) -> Vec<String> {
        printed_with(document, &Marks::default(), place)
    }

    fn printed_with(document: &Inside, marks: &Marks, place: &str) -> Vec<String> {
        let place = (!place.is_empty()).then(|| Place::resolve(place, document).expect("a place of the sample"));
        let mut lines = Vec::new();
        let mut emit = |line: &str| {
            lines.push(line.trim_end_matches('\n').to_owned());
            true
        };
        print(document, marks, place, Paint { on: false }, &mut emit);
        lines
    }

    #[test]
    fn fields_stand_beside_their_bytes() {
        let lines = printed(&samples::danmodel(70), "");
        let expected = "\
00000000  00 14                                             |..|                header.magic_length: i16 = 20
00000002  44 61 6e 6d 61 6b 75 43  6f 72 65 20 44 61 6e 4d  |DanmakuCore DanM|  header.magic: text = \"DanmakuCore DanModel\"
00000012  6f 64 65 6c                                       |odel|
00000016  00 01                                             |..|                header.version: i16 = 1
00000018  00 06                                             |..|                header.name_length: i16 = 6
0000001a  68 65 61 72 74 1b                                 |heart.|            header.name: text = \"heart\\u{1b}\"
00000020  00 00                                             |..|                header.description_length: i16 = 0
00000022                                                                        header.description: text = \"\"";
        assert_eq!(lines[..8].join("\n"), expected);
    }

    #[test]
    fn long_array_is_one_field_until_a_path_names_it() {
        let document = samples::danmodel(70);
        let labels = |lines: &[String]| lines.iter().filter(|line| line.contains("vertices")).count();
        assert_eq!(labels(&printed(&document, "")), 1);
        assert_eq!(labels(&printed(&document, "pieces[0]")), 1);
        assert_eq!(labels(&printed(&document, "pieces[0].vertices")), 70 * 3);
        assert_eq!(labels(&printed(&samples::danmodel(64), "")), 64 * 3);
        let position = printed(&document, "pieces[0].vertices[3].position");
        assert_eq!(position.len(), 3);
        assert!(position[2].ends_with("pieces[0].vertices[3].position[2]: f64 = 32"), "{}", position[2]);
    }

    #[test]
    fn offset_is_marked_in_the_first_row_of_a_screen() {
        let document = samples::danmodel(70);
        let lines = printed(&document, "0x13");
        assert_eq!(lines.len(), SCREEN);
        assert!(lines[0].starts_with("00000012  6f[64]65 6c "), "{}", lines[0]);
        assert!(lines[0].contains("header.magic: text"));
        assert!(lines[1..].iter().all(|line| !line.contains('[') || line.contains("pieces[0]")));
        for (at, marked) in [(2, " [44]61"), (9, " 75[43] 6f"), (10, " 43 [6f]72"), (17, " 6e[4d] |")] {
            let line = printed(&document, &at.to_string()).remove(0);
            assert!(line.contains(marked), "{line}");
            assert_eq!(line.find('|'), Some(60), "{line}");
        }
    }

    #[test]
    fn inflated_bytes_have_a_heading_and_shared_ones_are_not_repeated() {
        let lines = printed(&samples::compressed(), "");
        let starts: Vec<&str> = lines.iter().map(|line| line.split("  |").next().unwrap_or(line).trim_end()).collect();
        let expected = [
            "00000000  48 45 41 44",
            "00000004  7a 7a 7a 7a",
            "inflated from body, 10 bytes:",
            "00000000  30 31 32 33",
            "00000004  34 35 36 37 38 39",
            "file:",
            "00000008  54 41 49 4c",
        ];
        assert_eq!(starts[..7], expected);
        assert!(lines[7].starts_with("00000001          ") && lines[7].ends_with("(shared)"), "{}", lines[7]);
        assert!(printed(&samples::compressed(), "again")[0].contains("45 41"));
    }

    #[test]
    fn findings_stand_behind_the_fields_they_point_at() {
        let document = samples::danmodel(70);
        let place = pentad::findings::Place::bytes("header.version", Span::file(0x16, 2));
        let finding = Finding::new(&FILE_001, place, "1 is not 2\u{1b}");
        let lines = printed_with(&document, &Marks::new(&[finding], false), "");
        let marked: Vec<&String> = lines.iter().filter(|line| line.contains("<-")).collect();
        assert_eq!(marked.len(), 1, "{marked:?}");
        let end = format!("header.version: i16 = 1  <- error[FILE-001 {}]: 1 is not 2\\u{{1b}}", FILE_001.name);
        assert!(marked[0].starts_with("00000016") && marked[0].ends_with(&end), "{marked:?}");
    }

    #[test]
    fn nobody_reading_ends_it() {
        let mut count = 0;
        let mut emit = |_: &str| {
            count += 1;
            count < 3
        };
        print(&samples::danmodel(70), &Marks::default(), None, Paint { on: false }, &mut emit);
        assert_eq!(count, 3);
    }
}
