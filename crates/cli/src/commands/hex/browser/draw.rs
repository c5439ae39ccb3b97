//! How the browser looks. Drawing measures the screen and scrolls; it changes nothing else.

use std::ops::Range;

use pentad::findings::render::escape;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::super::fields::Field;
use super::super::plain::ascii;
use super::keys::KEYS;
use super::state::{Browser, Focus, Mode};

/// Narrowest screen with both sides; on a narrower one, Tab changes between them.
const BOTH_SIDES: u16 = 60;

/// Columns that the structure keeps.
const STRUCTURE: u16 = 30;

/// The colours, or what stands for them where there are none.
struct Look {
    title: Style,
    faint: Style,
    selected: Style,
    selected_elsewhere: Style,
    field: Style,
    cursor: Style,
    /// Bytes and fields that something is wrong with, over how they look otherwise.
    wrong: Style,
}

impl Look {
    fn new(colors: bool) -> Look {
        let (plain, reversed) = (Style::new(), Style::new().add_modifier(Modifier::REVERSED));
        if colors {
            Look {
                title: plain.fg(Color::Cyan).add_modifier(Modifier::BOLD),
                faint: plain.fg(Color::DarkGray),
                selected: plain.fg(Color::White).bg(Color::Blue),
                selected_elsewhere: plain.fg(Color::White).bg(Color::DarkGray),
                field: plain.fg(Color::White).bg(Color::Blue),
                cursor: plain.fg(Color::Black).bg(Color::Yellow),
                wrong: plain.fg(Color::LightRed).add_modifier(Modifier::BOLD),
            }
        } else {
            Look {
                title: plain.add_modifier(Modifier::BOLD),
                faint: plain.add_modifier(Modifier::DIM),
                selected: reversed,
                selected_elsewhere: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
                field: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
                cursor: reversed,
                wrong: plain.add_modifier(Modifier::ITALIC | Modifier::UNDERLINED),
            }
        }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, browser: &mut Browser) {
    let look = Look::new(browser.colors);
    let area = frame.area();
    // A low screen gives up its title first, then the second line of the status.
    let (title_rows, status_rows) = match area.height {
        0 | 1 => (0, 0),
        2..7 => (0, 1),
        _ => (1, 2),
    };
    let rows = [Constraint::Length(title_rows), Constraint::Fill(1), Constraint::Length(status_rows)];
    let [title, main, status] = area.layout(&Layout::vertical(rows));
    let (structure, bytes) = sides(main, browser);
    browser.view.structure_rows = usize::from(structure.height);
    browser.view.byte_rows = usize::from(bytes.height);
    browser.scroll();

    frame.render_widget(title_line(browser, &look, title.width), title);
    if structure.width > 0 {
        frame.render_widget(structure_text(browser, &look, structure), structure);
    }
    if structure.width > 0 && bytes.width > 0 {
        let edge = Rect { x: structure.right(), width: 1, ..structure };
        let line = Line::styled("│", look.faint);
        frame.render_widget(Paragraph::new(vec![line; usize::from(edge.height)]), edge);
    }
    if bytes.width > 0 {
        frame.render_widget(byte_text(browser, &look), bytes);
    }
    frame.render_widget(status_text(browser, &look, status.height), status);
    match &browser.mode {
        Mode::Browse => {}
        Mode::Help => help(frame, area),
        Mode::GoTo(text) => prompt(frame, "go to offset or path: ", text),
        Mode::Find(text) => prompt(frame, "find name, 4c 61 or \"text\": ", text),
    }
}

/// Divides the screen, and decides how many bytes a row has.
fn sides(area: Rect, browser: &mut Browser) -> (Rect, Rect) {
    let digits = digits(browser);
    let fits = |room: u16| [16, 8, 4, 2].into_iter().find(|&bytes| bytes_width(bytes, digits) <= usize::from(room));
    if area.width < BOTH_SIDES {
        browser.view.bytes_per_row = fits(area.width).unwrap_or(1);
        let none = Rect { width: 0, ..area };
        return match browser.focus {
            Focus::Structure => (area, none),
            Focus::Bytes => (none, area),
        };
    }
    let per_row = fits(area.width - STRUCTURE - 1).unwrap_or(1);
    browser.view.bytes_per_row = per_row;
    let width = bytes_width(per_row, digits).min(usize::from(area.width)) as u16;
    let columns = [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(width)];
    let [structure, _, bytes] = area.layout(&Layout::horizontal(columns));
    (structure, bytes)
}

/// Digits of an offset: eight, or as many as the last one needs.
fn digits(browser: &Browser) -> usize {
    let last = browser.body.start() + browser.body.bytes.len() as u64;
    format!("{last:x}").len().max(8)
}

/// Columns of a row: margin, offset, bytes in groups of eight, characters.
fn bytes_width(bytes: usize, digits: usize) -> usize {
    1 + digits + 2 + bytes * 3 + (bytes - 1) / 8 + 1 + bytes
}

fn title_line(browser: &Browser, look: &Look, width: u16) -> Line<'static> {
    let mut title = format!(" {}", escape(&browser.title));
    if !browser.body.of.is_empty() {
        title.push_str(&format!("  inflated from {}", escape(&browser.body.of)));
    }
    let title = Span::styled(title, look.title);
    // As many hints as fit; the help has them all.
    let hints = ["Tab side  g go to  / find  ? help  q quit ", "? help  q quit ", "? "];
    let room = usize::from(width).saturating_sub(title.width() + 2);
    let hint = hints.into_iter().find(|hint| hint.len() <= room).unwrap_or_default();
    let gap = usize::from(width).saturating_sub(title.width() + hint.len());
    Line::from(vec![title, Span::raw(" ".repeat(gap)), Span::styled(hint, look.faint)])
}

fn structure_text(browser: &Browser, look: &Look, area: Rect) -> Paragraph<'static> {
    let first = browser.view.structure_top;
    let rows = first..first + usize::from(area.height);
    let lines = rows.map_while(|row| {
        let address = browser.outline.address(row)?;
        let field = browser.outline.field(&address)?;
        let is_open = browser.outline.is_open(&address);
        let is_wrong = browser.marks.of(&field).next().is_some();
        let line = structure_line(&field, address.len() - 1, is_open, is_wrong, look);
        Some(match browser.selected == address {
            true => selected_line(line, browser.focus, look, area.width),
            false => line,
        })
    });
    Paragraph::new(lines.collect::<Vec<_>>())
}

fn structure_line(field: &Field, depth: usize, is_open: bool, is_wrong: bool, look: &Look) -> Line<'static> {
    let has_more = field.node.has_children() || field.node.as_array().is_some_and(|array| array.count > 0);
    let sign = match (is_open, has_more) {
        (true, _) => "▾ ",
        (false, true) => "▸ ",
        (false, false) => "  ",
    };
    let name = format!("{}{sign}{}", "  ".repeat(depth), escape(&field.node.name));
    let mark = if is_wrong { Span::styled("!", look.wrong) } else { Span::raw(" ") };
    let ty = Span::styled(field.type_suffix(), look.faint);
    Line::from(vec![mark, Span::raw(name), ty, Span::raw(field.value_suffix())])
}

/// The selection reaches over the whole row, in one colour.
fn selected_line(line: Line<'static>, focus: Focus, look: &Look, width: u16) -> Line<'static> {
    let style = if focus == Focus::Structure { look.selected } else { look.selected_elsewhere };
    let rest = usize::from(width).saturating_sub(line.width());
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    Line::styled(text + &" ".repeat(rest), style)
}

fn byte_text(browser: &Browser, look: &Look) -> Paragraph<'static> {
    let view = &browser.view;
    let selected = browser.field().and_then(|field| field.range()).unwrap_or_default();
    let digits = digits(browser);
    let style = style_of(browser, look, &selected);
    let rows = browser.body.bytes.chunks(view.bytes_per_row).enumerate().skip(view.byte_top).take(view.byte_rows);
    let lines = rows.map(|(row, bytes)| {
        let at = row * view.bytes_per_row;
        let offset = format!(" {:0digits$x}  ", browser.body.start() + at as u64);
        let mut spans = vec![Span::styled(offset, look.faint)];
        byte_spans(&mut spans, bytes, at, view.bytes_per_row, &style);
        Line::from(spans)
    });
    Paragraph::new(lines.collect::<Vec<_>>())
}

/// How the byte at an index looks.
fn style_of(browser: &Browser, look: &Look, selected: &Range<usize>) -> impl Fn(usize) -> Style {
    // Without the focus, the cursor is where the selected field begins, and that shows anyway.
    let cursor = (browser.focus == Focus::Bytes).then_some(browser.cursor);
    let (selected, field, at_cursor, wrong) = (selected.clone(), look.field, look.cursor, look.wrong);
    let marked = browser.marks.ranges(&browser.body);
    move |at| {
        let style = match cursor {
            Some(cursor) if cursor == at => return at_cursor,
            _ if selected.contains(&at) => field,
            _ => Style::new(),
        };
        if marked.iter().any(|range| range.contains(&at)) { style.patch(wrong) } else { style }
    }
}

fn byte_spans(spans: &mut Vec<Span<'static>>, bytes: &[u8], at: usize, per_row: usize, style: &dyn Fn(usize) -> Style) {
    for i in 0..per_row {
        if i > 0 {
            let gap = if i % 8 == 0 { "  " } else { " " };
            // A field is one block, gaps included.
            let joined = i < bytes.len() && style(at + i) == style(at + i - 1);
            spans.push(Span::styled(gap, if joined { style(at + i) } else { Style::new() }));
        }
        spans.push(match bytes.get(i) {
            Some(byte) => Span::styled(format!("{byte:02x}"), style(at + i)),
            None => Span::raw("  "),
        });
    }
    spans.push(Span::raw("  "));
    spans.extend(bytes.iter().enumerate().map(|(i, &byte)| Span::styled(ascii(byte).to_string(), style(at + i))));
}

fn status_text(browser: &Browser, look: &Look, height: u16) -> Paragraph<'static> {
    let Some(field) = browser.field() else {
        return Paragraph::new(Line::from(" the document has no fields"));
    };
    let path = Span::styled(format!(" {}", escape(&field.path)), look.title);
    let what = Line::from(vec![path, Span::raw(format!("{}{}", field.type_suffix(), field.value_suffix()))]);
    let place = match field.range() {
        Some(_) => format!(" {}, {}", field.node.span, size(field.node.span.size)),
        None => " no bytes in the file".into(),
    };
    let cursor = match browser.focus {
        Focus::Bytes => {
            let offset = browser.body.start() + browser.cursor as u64;
            format!("  cursor {offset:#x} ({offset})")
        }
        Focus::Structure => String::new(),
    };
    let wrong: Vec<String> = browser.marks.of(&field).map(|text| format!("  {}", escape(text))).collect();
    let mut place = Line::from(vec![Span::raw(place + &cursor), Span::styled(wrong.concat(), look.wrong)]);
    if !browser.note.is_empty() {
        place = Line::styled(format!(" {}", escape(&browser.note)), look.title);
    }
    match height {
        // With one line only, what was just said matters more than what is selected.
        1 if !browser.note.is_empty() => Paragraph::new(place),
        1 => Paragraph::new(what),
        _ => Paragraph::new(vec![what, place]),
    }
}

fn size(bytes: u64) -> String {
    if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") }
}

/// The last row of the screen, as a question.
fn prompt(frame: &mut Frame<'_>, question: &str, text: &str) {
    let area = frame.area();
    let row = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    let text = escape(text);
    let line = Line::from(format!(" {question}{text}"));
    // The end of what is typed stays in sight.
    let hidden = (line.width() + 1).saturating_sub(usize::from(row.width)) as u16;
    let end = (line.width() as u16).saturating_sub(hidden);
    frame.render_widget(Clear, row);
    frame.render_widget(Paragraph::new(line).scroll((0, hidden)), row);
    if row.area() > 0 {
        frame.set_cursor_position((row.x + end.min(row.width - 1), row.y));
    }
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let keys_width = KEYS.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let lines: Vec<Line<'_>> =
        KEYS.iter().map(|(keys, does)| Line::from(format!(" {keys:keys_width$}  {does} "))).collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 2;
    let height = lines.len() as u16 + 2;
    let place = area.centered(Constraint::Length(width.min(area.width)), Constraint::Length(height.min(area.height)));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys ")), place);
}
