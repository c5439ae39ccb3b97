use std::fmt;

use crate::Checker;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the file is right.
    Info,
    /// Readable, but someone will stumble over it.
    Warning,
    /// The file breaks its format.
    Error,
}

impl Severity {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which step notices it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Bytes and fields: sizes, counts, ends.
    Wire,
    /// How the parts of a document fit together.
    Structure,
    /// References between them, and to other files.
    Links,
    /// What the numbers say.
    Values,
    /// Nothing is wrong, but it could be better.
    Advice,
    /// Raised by writing: the document asks for what the format cannot hold.
    Write,
}

impl Stage {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Wire => "wire",
            Stage::Structure => "structure",
            Stage::Links => "links",
            Stage::Values => "values",
            Stage::Advice => "advice",
            Stage::Write => "write",
        }
    }
}

/// What is known about a rule without running it.
#[derive(Debug)]
pub struct RuleInfo {
    /// Prefix and number, never reused: `DAN-011`.
    pub id: &'static str,
    /// Readable name of the fault: `mode-unknown`.
    pub name: &'static str,
    /// Which step notices it.
    pub stage: Stage,
    /// How bad it is, unless a finding says otherwise.
    pub severity: Severity,
    /// The version that brought it.
    pub since: &'static str,
    /// Its page.
    pub page: Page,
}

/// A page of explanation: the doc comment of a rule or loss, line by line, with `## ` headings.
#[derive(Clone, Copy, Debug)]
pub struct Page(pub &'static [&'static str]);

impl Page {
    /// The whole page as Markdown.
    pub fn markdown(&self) -> String {
        let lines: Vec<&str> = self.0.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n")
    }

    /// The text below one heading, on one line.
    pub fn section(&self, heading: &str) -> String {
        let lines = self.0.iter().map(|line| line.trim());
        let body = lines.skip_while(|line| line.strip_prefix("## ") != Some(heading)).skip(1);
        let body: Vec<&str> =
            body.take_while(|line| !line.starts_with("## ")).filter(|line| !line.is_empty()).collect();
        body.join(" ")
    }

    /// The headings, in order.
    pub fn headings(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter_map(|line| line.trim().strip_prefix("## "))
    }
}

/// A rule over documents of type `D`.
///
/// Declared with [`rule!`](crate::rule!). A rule without a check is raised by the reader or the writer, which meet the
/// fault on their way.
pub struct Rule<D: 'static> {
    /// What is known about it.
    pub info: RuleInfo,
    /// Looks at a document and reports.
    pub check: Option<fn(&D, &mut Checker<'_>)>,
    /// Mends a document where that takes no judgement and removes nothing; says how many places it mended.
    pub fix: Option<fn(&mut D) -> u64>,
    /// Mends a document by removing bytes; says how many places it mended.
    pub cut: Option<fn(&mut D) -> u64>,
}

/// Declares a rule: its page as doc comment, its id, name, stage and severity, and how it is checked.
///
/// The page has the headings *What it finds*, *Why it matters*, *Example* and *Fix*, in that order. A rule that ends
/// with `raised by read` or `raised by write` has no check of its own. Either form may be followed by a `fn fix`, which
/// mends what can be mended without judgement and without removing a byte, and by a `fn cut`, which removes what is
/// unused: `check --fix` runs the first, `check --fix=all` both.
#[macro_export]
macro_rules! rule {
    (
        $(#[doc = $doc:literal])*
        $NAME:ident $id:literal $name:literal, stage: $stage:ident, severity: $severity:ident, since: $since:literal,
        fn check($doc_arg:ident: &$Doc:ty, $cx:ident: &mut Checker<'_>) $body:block
        $(fn fix($fix_arg:ident: &mut $Fixed:ty) -> u64 $fix:block)?
        $(fn cut($cut_arg:ident: &mut $Cut:ty) -> u64 $cut:block)?
    ) => {
        $(#[doc = $doc])*
        pub static $NAME: $crate::Rule<$Doc> = $crate::Rule {
            info: $crate::rule!(@info $id $name $stage $severity $since $($doc)*),
            check: {
                fn check($doc_arg: &$Doc, $cx: &mut $crate::Checker<'_>) $body
                Some(check)
            },
            fix: $crate::rule!(@fix $(($fix_arg $Fixed) $fix)?),
            cut: $crate::rule!(@fix $(($cut_arg $Cut) $cut)?),
        };
    };
    (
        $(#[doc = $doc:literal])*
        $NAME:ident $id:literal $name:literal, stage: $stage:ident, severity: $severity:ident, since: $since:literal,
        raised by $step:ident of $Doc:ty
        $(; fn fix($fix_arg:ident: &mut $Fixed:ty) -> u64 $fix:block)?
        $(; fn cut($cut_arg:ident: &mut $Cut:ty) -> u64 $cut:block)?
    ) => {
        $(#[doc = $doc])*
        pub static $NAME: $crate::Rule<$Doc> = $crate::Rule {
            info: $crate::rule!(@info $id $name $stage $severity $since $($doc)*),
            check: None,
            fix: $crate::rule!(@fix $(($fix_arg $Fixed) $fix)?),
            cut: $crate::rule!(@fix $(($cut_arg $Cut) $cut)?),
        };
    };
    (@fix) => { None };
    (@fix ($doc:ident $Doc:ty) $body:block) => {{
        fn mend($doc: &mut $Doc) -> u64 $body
        Some(mend)
    }};
    (@info $id:literal $name:literal $stage:ident $severity:ident $since:literal $($doc:literal)*) => {
        $crate::RuleInfo {
            id: $id,
            name: $name,
            stage: $crate::Stage::$stage,
            severity: $crate::Severity::$severity,
            since: $since,
            page: $crate::Page(&[$($doc),*]),
        }
    };
}
