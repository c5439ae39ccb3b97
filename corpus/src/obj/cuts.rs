//! Where an OBJ can be cut so that what is left is a whole file: behind every line, and inside of a line wherever the
//! rest of it is a statement too. `v 1 2 34` is `v 1 2 3` without its last byte, and nothing tells the one from a
//! piece of the other.

/// The lengths to which a file can be cut so that its last line still says something whole.
pub(super) fn complete_cuts(file: &[u8]) -> Vec<usize> {
    (1..file.len()).filter(|&size| says_something(&file[..size]) && is_complete(file, size)).collect()
}

fn is_complete(file: &[u8], size: usize) -> bool {
    // A line that says something wrong says it to its end; what is wrong with it is no cut.
    let ends_a_line = matches!(file[size], b'\n' | b'\r') && last_line(&file[..=size]).is_empty();
    ends_a_line || is_statement(last_line(&file[..size]))
}

/// Whether there is anything besides blanks and the byte order mark.
fn says_something(file: &[u8]) -> bool {
    file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file).iter().any(|byte| !byte.is_ascii_whitespace())
}

/// What follows the last line end that no backslash joins; backslashes in comments join nothing.
fn last_line(file: &[u8]) -> &[u8] {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let mut start = 0;
    for at in 0..file.len() {
        // In front of a line feed it is the return that may be joined.
        let joint = if file[at] == b'\n' && at > 0 && file[at - 1] == b'\r' { at - 1 } else { at };
        let joined = joint > start && file[joint - 1] == b'\\' && !is_comment(&file[start..at]);
        if matches!(file[at], b'\n' | b'\r') && !joined {
            start = at + 1;
        }
    }
    &file[start..]
}

fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

/// Statements of which nobody here knows what belongs behind their first word.
const OPEN: &[&[u8]] = &[b"vp", b"cstype", b"deg", b"curv", b"parm", b"end", b"lod", b"bevel", b"vcolor"];

fn is_statement(line: &[u8]) -> bool {
    let words = words(line);
    let Some((&keyword, rest)) = words.split_first() else { return true };
    let arguments: Vec<&[u8]> = rest.iter().copied().take_while(|word| !word.starts_with(b"#")).collect();
    let numbers = |counts: &[usize]| counts.contains(&arguments.len()) && arguments.iter().all(|word| is_number(word));
    let corners = |fewest: usize| arguments.len() >= fewest && arguments.iter().all(|word| is_corner(word));
    match keyword {
        b"v" => numbers(&[3, 4, 6, 7]),
        b"vt" => numbers(&[1, 2, 3]),
        b"vn" => numbers(&[3]),
        b"f" => corners(3),
        b"l" => corners(2),
        b"p" => corners(1),
        b"s" => arguments.len() == 1 && (arguments[0] == b"off" || is_integer(arguments[0])),
        b"g" => true,
        b"o" | b"usemtl" | b"mtllib" => !rest.is_empty(),
        other => other.starts_with(b"#") || OPEN.contains(&other),
    }
}

/// The words of a line; joined line ends are blanks.
fn words(line: &[u8]) -> Vec<&[u8]> {
    let blank = |at: usize| {
        let ends = |at: usize| matches!(line.get(at), Some(b'\n' | b'\r'));
        matches!(line[at], b' ' | b'\t') || ends(at) || line[at] == b'\\' && ends(at + 1)
    };
    let mut words = Vec::new();
    let mut start = 0;
    for at in 0..=line.len() {
        if at == line.len() || blank(at) {
            words.push(&line[start..at]);
            start = at + 1;
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_number(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok())
}

fn is_integer(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<i64>().is_ok())
}

/// Up to three numbers with slashes between them; those behind the first may be missing.
fn is_corner(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'/');
    parts.next().is_some_and(is_integer)
        && parts.clone().count() <= 2
        && parts.all(|part| part.is_empty() || is_integer(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_leave_whole_statements() {
        let kept = |file: &str| -> Vec<String> {
            complete_cuts(file.as_bytes()).into_iter().map(|size| file[..size].to_owned()).collect()
        };
        assert_eq!(kept("v 1 2 34\n"), ["v 1 2 3", "v 1 2 34"]);
        assert_eq!(kept("f 1 2 3 4/5"), ["f 1 2 3", "f 1 2 3 ", "f 1 2 3 4", "f 1 2 3 4/"]);
        assert_eq!(kept("l 1 \\\r\n2\n"), ["l 1 \\\r\n2"]);
        assert_eq!(kept("v 0 0 x\n"), ["v 0 0 x"]);
        assert_eq!(kept("\u{FEFF}# \\\ns off"), ["\u{FEFF}#", "\u{FEFF}# ", "\u{FEFF}# \\", "\u{FEFF}# \\\n"]);
    }
}
