use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

use pentad::File;
use pentad::findings::render::escape_json;
use pentad::findings::render::terminal::{self, Paint};
use pentad::findings::{Error, Finding};
use pentad::wire::Sink;
use serde::Serialize;

use crate::Exit;
use crate::common::{Color, Common};

/// Where a verb prints to: results on standard output, messages for people on standard error.
pub(crate) struct Output {
    stdout: BufWriter<Stream>,
    /// Colours for standard error.
    pub(crate) paint: Paint,
    /// Colours for standard output.
    pub(crate) paint_out: Paint,
    /// Whether to say only what was asked for.
    pub(crate) quiet: bool,
    /// Whether to say more.
    pub(crate) verbose: bool,
    failed: Option<io::Error>,
}

impl Output {
    pub(crate) fn new(common: &Common) -> Output {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let paint = |terminal: bool| Paint {
            on: match common.color {
                Color::Auto => terminal && !plain,
                Color::Always => true,
                Color::Never => false,
            },
        };
        Output {
            stdout: BufWriter::with_capacity(1 << 16, Stream(io::stdout())),
            paint: paint(io::stderr().is_terminal()),
            paint_out: paint(io::stdout().is_terminal()),
            quiet: common.quiet,
            verbose: common.verbose,
            failed: None,
        }
    }

    /// Prints a result.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.write(text.as_ref().as_bytes());
        self.write(b"\n");
    }

    /// Prints a result as it is.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.stdout.write_all(bytes)
        {
            self.failed = Some(error);
        }
    }

    /// Prints a file, piece by piece.
    pub(crate) fn write_sink(&mut self, sink: &Sink) {
        sink.parts().for_each(|part| self.write(part));
    }

    /// Prints a result as JSON, on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        if self.failed.is_none() {
            let mut json = serde_json::Serializer::with_formatter(&mut self.stdout, Harmless);
            self.failed = value.serialize(&mut json).err().map(io::Error::from);
        }
        self.write(b"\n");
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.failed.is_some()
    }

    /// Says something that must be said.
    pub(crate) fn message(&self, text: &str) {
        // Without a reader there is no place to say so.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Says something that --quiet leaves out.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            self.message(text);
        }
    }

    /// Says why a file could not be read.
    pub(crate) fn error(&self, error: &Error, name: &str, file: Option<&File>) {
        self.message(terminal::error(error, name, file.map(File::bytes), self.paint).trim_end());
    }

    /// Says what was noticed.
    pub(crate) fn finding(&self, finding: &Finding, file: &File) {
        let (name, bytes) = (file.name(), Some(file.bytes()));
        self.remark(terminal::finding(finding, name, bytes, self.verbose, self.paint).trim_end());
    }

    /// Flushes.
    pub(crate) fn finish(mut self, exit: Exit) -> Exit {
        let flushed = self.stdout.flush();
        if is_written(self.failed.take().or(flushed.err()), self.paint) { exit } else { Exit::Failed }
    }
}

/// Standard output. One that was closed when the program began takes nothing.
pub(crate) struct Stream(pub(crate) Stdout);

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if signals::stdout_was_closed() { Err(io::Error::other("it is closed")) } else { self.0.write(bytes) }
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether standard output took everything; says so if not. A reader that went away early (`| head`) is no failure; a
/// full disk is.
pub(crate) fn is_written(failed: Option<io::Error>, paint: Paint) -> bool {
    let Some(error) = failed.filter(|error| error.kind() != ErrorKind::BrokenPipe) else { return true };
    let error = Error::io("standard output cannot be written", error);
    // Without a reader there is no place to say so.
    let _ = write!(io::stderr(), "{}", terminal::error(&error, "", None, paint));
    false
}

/// JSON on one line, in which nothing moves a terminal.
struct Harmless;

impl serde_json::ser::Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        writer.write_all(escape_json(fragment).as_bytes())
    }
}
