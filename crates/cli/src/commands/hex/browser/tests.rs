use pentad::findings::{FILE_001, Finding};
use pentad::wire::Span;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Modifier;

use super::super::fields::Inside;
use super::super::marks::Marks;
use super::super::{Place, samples};
use super::draw::draw;
use super::state::{Browser, Focus, Mode};

/// A browser on a screen of its own.
struct Screen {
    browser: Browser,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn new(document: Inside, width: u16, height: u16) -> Screen {
        Screen::with_marks(document, Marks::default(), width, height)
    }

    fn with_marks(document: Inside, marks: Marks, width: u16, height: u16) -> Screen {
        let browser = Browser::new("m.danmodel  DanModel".into(), document, marks, false);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut screen = Screen { browser, terminal };
        screen.draw();
        screen
    }

    fn draw(&mut self) {
        self.terminal.draw(|frame| draw(frame, &mut self.browser)).unwrap();
    }

    fn press(&mut self, code: KeyCode) -> &mut Screen {
        self.browser.key(KeyEvent::new(code, KeyModifiers::NONE));
        self.draw();
        self
    }

    fn type_text(&mut self, text: &str) -> &mut Screen {
        text.chars().fold(self, |screen, c| screen.press(KeyCode::Char(c)))
    }

    fn row(&self, y: u16) -> String {
        let buffer = self.terminal.backend().buffer();
        (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned()
    }

    fn text(&self) -> String {
        let rows = self.terminal.backend().buffer().area.height;
        (0..rows).map(|y| self.row(y) + "\n").collect()
    }

    /// The text that looks as `modifier` says.
    fn marked(&self, modifier: Modifier, x: std::ops::Range<u16>) -> String {
        let buffer = self.terminal.backend().buffer();
        let cells = (1..buffer.area.height - 2).flat_map(|y| x.clone().map(move |x| &buffer[(x, y)]));
        cells.filter(|cell| cell.modifier.contains(modifier)).map(|cell| cell.symbol()).collect()
    }

    fn path(&self) -> String {
        self.browser.field().map(|field| field.path).unwrap_or_default()
    }
}

/// Where the bytes of a row of sixteen lie on a screen of 120 columns.
const HEX: std::ops::Range<u16> = 53..102;

#[test]
fn opening_shows_structure_and_bytes() {
    let screen = Screen::new(samples::danmodel(70), 120, 24);
    assert!(screen.row(0).starts_with(" m.danmodel  DanModel"), "{}", screen.text());
    assert!(screen.row(1).starts_with(" ▾ header: Header"), "{}", screen.text());
    assert!(screen.row(1).ends_with("00000000  00 14 44 61 6e 6d 61 6b  75 43 6f 72 65 20 44 61  ..DanmakuCore Da"));
    assert!(screen.row(3).starts_with("     magic: text = \"DanmakuCore DanModel\""), "{}", screen.text());
    assert!(screen.text().contains(" ▸ pieces: Piece[1]"));
    assert!(screen.row(6).contains("name: text = \"heart\\u{1b}\""), "{}", screen.text());
}

#[test]
fn selection_marks_its_bytes_and_says_where_they_are() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.press(KeyCode::Down).press(KeyCode::Down);
    assert_eq!(screen.path(), "header.magic");
    assert!(screen.row(22).starts_with(" header.magic: text = \"DanmakuCore DanModel\""), "{}", screen.text());
    assert_eq!(screen.row(23), " bytes 0x2..0x16 (2..22), 20 bytes");
    let bytes = screen.marked(Modifier::UNDERLINED, HEX).replace(' ', "");
    assert_eq!(bytes, "44616e6d616b75436f72652044616e4d6f64656c");
}

#[test]
fn fields_open_and_close() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.press(KeyCode::Char('h'));
    assert!(screen.row(2).starts_with(" ▸ pieces"), "{}", screen.text());
    screen.press(KeyCode::Down).press(KeyCode::Right).press(KeyCode::Right).press(KeyCode::Enter);
    assert_eq!(screen.path(), "pieces[0]");
    screen.press(KeyCode::End);
    assert_eq!(screen.path(), "pieces[0].vertices");
    screen.press(KeyCode::Char(' ')).press(KeyCode::End);
    assert_eq!(screen.path(), "pieces[0].vertices[69]");
    assert!(screen.text().contains("[69]: ColoredVertex"), "{}", screen.text());
    screen.press(KeyCode::Left);
    assert_eq!(screen.path(), "pieces[0].vertices");
    screen.press(KeyCode::Left).press(KeyCode::Left);
    assert_eq!(screen.path(), "pieces[0]");
    screen.press(KeyCode::Home).press(KeyCode::Down).press(KeyCode::Down);
    assert_eq!(screen.path(), "pieces[0]");
}

#[test]
fn what_opens_at_the_edge_of_the_screen_comes_into_sight() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 17);
    screen.press(KeyCode::End);
    assert!(screen.row(14).starts_with(" ▸ pieces"), "{}", screen.text());
    screen.press(KeyCode::Enter);
    assert!(screen.row(14).starts_with("   ▸ [0]: Piece"), "{}", screen.text());
    screen.type_text("gpieces[0].vertices").press(KeyCode::Enter).press(KeyCode::Enter);
    assert!(screen.row(1).starts_with("     ▾ vertices"), "{}", screen.text());
}

#[test]
fn cursor_in_the_bytes_selects_their_owner() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.press(KeyCode::Tab).press(KeyCode::Right).press(KeyCode::Down);
    assert_eq!(screen.path(), "header.magic");
    assert_eq!(screen.marked(Modifier::REVERSED, HEX), "4d");
    assert!(screen.row(23).ends_with("cursor 0x11 (17)"), "{}", screen.text());
    screen.press(KeyCode::End);
    assert_eq!(screen.path(), "pieces[0].vertices[69].normal");
    let rows = screen.browser.outline.rows();
    screen.press(KeyCode::PageUp);
    assert_ne!(screen.path(), "pieces[0].vertices[69].normal");
    assert_eq!(screen.browser.outline.rows(), rows, "what was opened in passing closes behind");
    screen.press(KeyCode::Home);
    assert_eq!((screen.path().as_str(), screen.browser.cursor), ("header.magic_length", 0));
}

#[test]
fn going_to_a_path_an_offset_and_nowhere() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.type_text("gpieces[0].vertices[12].uv");
    assert_eq!(screen.row(23), " go to offset or path: pieces[0].vertices[12].uv");
    screen.press(KeyCode::Enter);
    assert_eq!(screen.path(), "pieces[0].vertices[12].uv");
    assert!(screen.text().contains("uv: f64[2] = (123, 124)"), "{}", screen.text());
    screen.type_text("g0x17").press(KeyCode::Enter);
    assert_eq!((screen.path().as_str(), screen.browser.cursor), ("header.version", 0x17));
    screen.type_text("gmeshes").press(KeyCode::Enter);
    assert_eq!(screen.row(23), " the document has no meshes");
    assert_eq!(screen.path(), "header.version");
    screen.type_text("g999999").press(KeyCode::Enter);
    assert!(screen.row(23).contains("outside the file"), "{}", screen.text());
    screen.type_text("gx").press(KeyCode::Esc);
    assert!(!screen.browser.quit && screen.browser.mode == Mode::Browse);
}

#[test]
fn finding_names_and_bytes() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.press(KeyCode::Char('n'));
    assert!(screen.row(23).contains("nothing to find yet"), "{}", screen.text());
    screen.type_text("/Normal").press(KeyCode::Enter).press(KeyCode::Char('n'));
    assert_eq!(screen.path(), "pieces[0].vertices[1].normal");
    screen.type_text("/\"Model\"").press(KeyCode::Enter);
    assert_eq!((screen.path().as_str(), screen.browser.cursor), ("header.magic", 0x11));
    screen.type_text("/de ad").press(KeyCode::Enter);
    assert_eq!(screen.row(23), " these bytes are nowhere");
}

#[test]
fn search_goes_back_and_says_where_it_ends() {
    let mut screen = Screen::new(samples::danmodel(2), 120, 24);
    screen.type_text("/normal").press(KeyCode::Enter).press(KeyCode::Char('n'));
    assert_eq!(screen.path(), "pieces[0].vertices[1].normal");
    assert!(screen.row(23).starts_with(" bytes"), "{}", screen.text());
    screen.press(KeyCode::Char('n'));
    assert_eq!(screen.row(23), " that was the last one; this is the first");
    assert_eq!(screen.path(), "pieces[0].vertices[0].normal");
    screen.press(KeyCode::Char('N'));
    assert_eq!(screen.row(23), " that was the first one; this is the last");
    assert_eq!(screen.path(), "pieces[0].vertices[1].normal");
    screen.press(KeyCode::Char('N'));
    assert_eq!(screen.path(), "pieces[0].vertices[0].normal");
}

#[test]
fn escape_leaves_questions_and_never_the_program() {
    let mut screen = Screen::new(samples::danmodel(2), 120, 24);
    for open in ["g0x", "/nor", "?"] {
        screen.type_text(open).press(KeyCode::Esc);
        assert!(!screen.browser.quit && screen.browser.mode == Mode::Browse, "{open}");
    }
    screen.press(KeyCode::Esc).press(KeyCode::Esc);
    assert!(!screen.browser.quit);
    assert_eq!(screen.row(23), " q quits");
}

#[test]
fn findings_are_marked_and_found() {
    let at = |offset, path: &str| {
        let place = pentad::findings::Place::bytes(path, Span::file(offset, 2));
        Finding::new(&FILE_001, place, format!("{path} is wrong"))
    };
    let marks = Marks::new(&[at(0x18, "header.name_length"), at(0x16, "header.version")], false);
    let mut screen = Screen::with_marks(samples::danmodel(2), marks, 120, 24);
    assert_eq!(screen.row(23), " 2 findings are marked; f goes to the next");
    // Version 1 and a name of six bytes, one behind the other.
    assert_eq!(screen.marked(Modifier::ITALIC, HEX).replace(' ', ""), "00010006");
    assert!(screen.row(1).starts_with("!▾ header"), "{}", screen.text());
    let version = (1..22).map(|y| screen.row(y)).find(|row| row.contains("version: i16")).unwrap();
    assert!(version.starts_with('!'), "{version}");
    screen.press(KeyCode::Char('f'));
    assert_eq!(screen.path(), "header.version");
    assert!(screen.row(23).contains("header.version is wrong"), "{}", screen.text());
    screen.press(KeyCode::Char('f'));
    assert_eq!(screen.path(), "header.name_length");
    screen.press(KeyCode::Char('f'));
    assert_eq!(
        (screen.path().as_str(), screen.row(23).as_str()),
        ("header.version", " that was the last one; this is the first")
    );
    screen.press(KeyCode::Char('F'));
    assert_eq!(screen.path(), "header.name_length");
}

#[test]
fn inflated_bytes_are_a_place_of_their_own() {
    let mut screen = Screen::new(samples::compressed(), 120, 24);
    screen.type_text("gbody.second").press(KeyCode::Enter);
    assert!(screen.row(0).contains("inflated from body"), "{}", screen.text());
    assert!(screen.row(1).ends_with("0123456789"), "{}", screen.text());
    assert!(screen.row(23).starts_with(" inflated bytes 0x4..0xa"), "{}", screen.text());
    screen.press(KeyCode::Tab).press(KeyCode::Home);
    assert_eq!(screen.path(), "body.first");
    screen.type_text("g9").press(KeyCode::Enter);
    assert_eq!(screen.path(), "body.second");
    screen.press(KeyCode::Tab).press(KeyCode::Left);
    assert_eq!(screen.path(), "body");
    assert!(screen.row(1).ends_with("HEADzzzzTAIL"), "{}", screen.text());
}

#[test]
fn help_opens_over_everything_and_any_key_closes_it() {
    let mut screen = Screen::new(samples::danmodel(70), 120, 24);
    screen.press(KeyCode::Char('?'));
    assert!(screen.text().contains("go to an offset"), "{}", screen.text());
    screen.press(KeyCode::Char('q'));
    assert!(!screen.browser.quit && !screen.text().contains("go to an offset"));
    screen.press(KeyCode::Char('q'));
    assert!(screen.browser.quit);
}

#[test]
fn narrow_screen_shows_the_side_that_has_the_focus() {
    let mut screen = Screen::new(samples::danmodel(70), 40, 10);
    assert!(screen.row(1).starts_with(" ▾ header") && !screen.text().contains("00000000"));
    screen.press(KeyCode::Tab);
    assert!(screen.row(1).starts_with(" 00000000  00 14 44 61"), "{}", screen.text());
    assert_eq!(screen.browser.focus, Focus::Bytes);
    let wide = Screen::new(samples::danmodel(70), 80, 24);
    assert!(wide.row(1).ends_with("00000000  00 14 44 61 6e 6d 61 6b  ..Danmak"), "{}", wide.text());
}

#[test]
fn every_size_and_key_is_survived() {
    let keys = [KeyCode::End, KeyCode::Right, KeyCode::PageDown, KeyCode::Tab, KeyCode::PageUp, KeyCode::Char('?')];
    let sizes = [(10, 3), (1, 1), (0, 0), (59, 2), (60, 7), (300, 100), (12, 1), (80, 24)];
    let empty = || Inside::document(Vec::new(), pentad::wire::Blob::file(Vec::new()));
    for document in [empty(), samples::danmodel(0), samples::danmodel(70), samples::compressed()] {
        let mut screen = Screen::new(document, 120, 24);
        for (width, height) in sizes {
            screen.terminal.backend_mut().resize(width, height);
            screen.draw();
            for &key in keys.iter().chain(&keys) {
                screen.press(key);
            }
            screen.type_text("g0x1").press(KeyCode::Enter);
            screen.type_text("/zzz").press(KeyCode::Enter);
        }
    }
    let mut tiny = Screen::new(samples::danmodel(70), 10, 3);
    assert_eq!(tiny.row(0), " ▾ header:");
    tiny.press(KeyCode::End);
    assert_eq!(tiny.row(1), " ▸ pieces:");
}

#[test]
fn place_on_the_command_line_is_where_it_starts() {
    let document = samples::danmodel(70);
    let place = Place::resolve("0x19", &document).unwrap();
    let mut browser = Browser::new(String::new(), document, Marks::default(), true);
    browser.go_to(place);
    assert_eq!((browser.field().unwrap().path.as_str(), browser.cursor), ("header.name_length", 0x19));
}

#[test]
fn objects_of_a_list_are_named() {
    let sample = corpus::samples().into_iter().find(|sample| sample.format == "dgl2" && sample.name == "model");
    let bytes = (sample.expect("a sample of DGL2").bytes)();
    let asset = pentad::File::from_bytes("m.dgl2", bytes).read(&pentad::OpenOptions::default()).unwrap();
    let document = Inside::document(asset.document().tree(), asset.file().bytes().clone());
    let screen = Screen::new(document, 120, 24);
    let row = (1..22).map(|y| screen.row(y)).find(|row| row.contains("[1]")).unwrap();
    assert!(row.starts_with("   ▸ [1]: Chunk TRIMESH \"Mixed\""), "{}", screen.text());
}
