//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::Place;
use super::search::{Direction, Needle};
use super::state::{Browser, Focus, Mode};

/// The help: keys and what they do.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("arrows, h j k l", "move; in the structure, right opens and left closes"),
    ("Enter, Space", "open or close a field"),
    ("PgUp, PgDn", "move by a screen"),
    ("Home, End", "first, last"),
    ("Tab", "from the structure to the bytes and back"),
    ("g", "go to an offset (76, 0x4c) or a path (pieces[0].mode)"),
    ("/", "find a field by name, bytes (0x4c, 4c 61) or \"text\""),
    ("n, N", "find the next one, the one before"),
    ("f, F", "go to the next finding, to the one before"),
    ("Esc", "leave a question, or this help"),
    ("q", "quit"),
];

impl Browser {
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.note.clear();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match std::mem::replace(&mut self.mode, Mode::Browse) {
            // Any key leaves the help; one that quits elsewhere must not quit from here.
            Mode::Help => {}
            Mode::Browse if control && key.code == KeyCode::Char('c') => self.quit = true,
            Mode::Browse => self.browse(key.code),
            Mode::GoTo(text) => {
                if let Some(text) = self.edit(text, key.code, control, Mode::GoTo) {
                    self.go_to_text(&text);
                }
            }
            Mode::Find(text) => {
                if let Some(text) = self.edit(text, key.code, control, Mode::Find) {
                    self.needle = Some(Needle::from_text(&text));
                    self.find(Direction::Onward);
                }
            }
        }
    }

    fn browse(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('q') => self.quit = true,
            // Whoever leaves a question with one Esc too many does not want to lose the place.
            KeyCode::Esc => self.note = "q quits".into(),
            KeyCode::Char('?') | KeyCode::F(1) => self.mode = Mode::Help,
            KeyCode::Char('g') => self.mode = Mode::GoTo(String::new()),
            KeyCode::Char('/') => self.mode = Mode::Find(String::new()),
            KeyCode::Char('n') => self.find(Direction::Onward),
            KeyCode::Char('N') => self.find(Direction::Back),
            KeyCode::Char('f') => self.find_finding(Direction::Onward),
            KeyCode::Char('F') => self.find_finding(Direction::Back),
            KeyCode::Tab | KeyCode::BackTab => {
                self.focus = match self.focus {
                    Focus::Structure => Focus::Bytes,
                    Focus::Bytes => Focus::Structure,
                }
            }
            _ => match self.focus {
                Focus::Structure => self.move_in_structure(code),
                Focus::Bytes => self.move_in_bytes(code),
            },
        }
    }

    fn move_in_structure(&mut self, code: KeyCode) {
        let screen = self.view.structure_rows.max(2) as isize - 1;
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.move_rows(-1),
            KeyCode::Down | KeyCode::Char('j') => self.move_rows(1),
            KeyCode::PageUp => self.move_rows(-screen),
            KeyCode::PageDown => self.move_rows(screen),
            KeyCode::Home => self.move_rows(isize::MIN),
            KeyCode::End => self.move_rows(isize::MAX),
            KeyCode::Right | KeyCode::Char('l') => self.expand(),
            KeyCode::Left | KeyCode::Char('h') => self.collapse(),
            KeyCode::Enter | KeyCode::Char(' ') => self.toggle(),
            _ => {}
        }
    }

    fn move_in_bytes(&mut self, code: KeyCode) {
        let row = self.view.bytes_per_row;
        let screen = row * self.view.byte_rows.max(2).saturating_sub(1);
        let back = |by: usize| self.cursor.checked_sub(by);
        let on = |by: usize| Some(self.cursor.saturating_add(by)).filter(|&to| to < self.body.bytes.len());
        let to = match code {
            KeyCode::Left | KeyCode::Char('h') => back(1),
            KeyCode::Right | KeyCode::Char('l') => on(1),
            KeyCode::Up | KeyCode::Char('k') => back(row),
            KeyCode::Down | KeyCode::Char('j') => on(row),
            KeyCode::PageUp => back(screen).or(Some(self.cursor % row)),
            KeyCode::PageDown => on(screen).or(Some(usize::MAX)),
            KeyCode::Home => Some(0),
            KeyCode::End => Some(usize::MAX),
            KeyCode::Enter | KeyCode::Char(' ') => return self.toggle(),
            _ => None,
        };
        if let Some(to) = to {
            self.move_cursor(to);
        }
    }

    /// One key of a prompt: the text, once it is entered.
    fn edit(&mut self, mut text: String, code: KeyCode, control: bool, mode: fn(String) -> Mode) -> Option<String> {
        match code {
            KeyCode::Enter => return Some(text).filter(|text| !text.trim().is_empty()),
            KeyCode::Esc => return None,
            KeyCode::Char('c') if control => return None,
            KeyCode::Char('u') if control => text.clear(),
            // Erasing nothing leaves, as in vi and less.
            KeyCode::Backspace => drop(text.pop()?),
            KeyCode::Char(c) if !control => text.push(c),
            _ => {}
        }
        self.mode = mode(text);
        None
    }

    fn go_to_text(&mut self, text: &str) {
        let text = text.trim();
        let inflated = !self.body.of.is_empty();
        match super::super::offset(text) {
            // Someone who reads offsets of inflated bytes means those.
            Some(offset) if inflated => match usize::try_from(offset).ok().filter(|&to| to < self.body.bytes.len()) {
                Some(to) => self.move_cursor(to),
                None => self.note = format!("offset {offset:#x} lies outside the inflated bytes"),
            },
            _ => match Place::resolve(text, self.outline.document()) {
                Ok(place) => self.go_to(place),
                Err(error) => self.note = error.message().to_owned(),
            },
        }
    }
}
