use std::fmt;

use wire::{Exceeded, Fault, FaultKind, Limit, Node};

use crate::{FILE_001, FILE_002, FILE_003, Place, RuleInfo};

/// What Unix answers when bytes are to be written from a mapped file and are not there any more; Windows keeps mapped
/// files whole, and its 14 means too little memory.
#[cfg(unix)]
const BAD_ADDRESS: i32 = 14;
#[cfg(not(unix))]
const BAD_ADDRESS: i32 = i32::MIN;

/// Result of everything that can stop.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// It cannot go on: what, where, and what to do.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    rule: &'static RuleInfo,
    place: Place,
    message: String,
    help: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
    read: Option<Read>,
}

/// What was read before it stopped: found out when someone asks.
struct Read(Box<dyn Fn() -> Vec<Node> + Send + Sync>);

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Read")
    }
}

/// Who must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The author of the file: it breaks its format.
    Malformed,
    /// Nobody: no format of this build fits.
    Unsupported,
    /// The operator: a limit was reached.
    Limit,
    /// The author of the scene: the target cannot hold it.
    Unrepresentable,
    /// The machine: a path, a disk, a permission.
    Io,
    /// The caller: the options contradict each other or the file.
    Usage,
}

impl Error {
    /// An error that a rule explains.
    #[cold]
    pub fn new(kind: ErrorKind, rule: &'static RuleInfo, place: Place, message: impl Into<String>) -> Error {
        Error(Box::new(Inner { kind, rule, place, message: message.into(), help: None, source: None, read: None }))
    }

    /// The file breaks `rule`.
    #[cold]
    pub fn malformed(rule: &'static RuleInfo, place: Place, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Malformed, rule, place, message)
    }

    /// A structure of the wire could not be read or written.
    #[cold]
    pub fn fault(rule: &'static RuleInfo, fault: Fault) -> Error {
        let kind = match fault.kind() {
            FaultKind::Exceeded(exceeded) => return Error::exceeded(Place::from(&fault), *exceeded),
            FaultKind::Limit(_) => return Error::limit(Place::from(&fault), fault.reason()),
            FaultKind::TooLong { .. } => ErrorKind::Unrepresentable,
            _ => ErrorKind::Malformed,
        };
        let subject = fault.path().rsplit('.').next().filter(|s| !s.is_empty()).unwrap_or("file");
        let mut error = Error::new(kind, rule, Place::from(&fault), format!("{subject} {}", fault.reason()));
        error.0.source = Some(Box::new(fault));
        error
    }

    /// The caller asked for something that cannot be done.
    #[cold]
    pub fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, &FILE_002, Place::file(), message)
    }

    /// A limit was reached.
    #[cold]
    pub fn limit(place: Place, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Limit, &FILE_003, place, message)
    }

    /// A limit was reached that a user can change.
    #[cold]
    pub fn beyond(limit: Limit, place: Place, message: impl Into<String>) -> Error {
        Error::limit(place, message).with_help(format!("if you trust the file, allow more with {}", limit.flag()))
    }

    /// More would be made than a run may make.
    #[cold]
    pub fn exceeded(place: Place, exceeded: Exceeded) -> Error {
        Error::beyond(exceeded.limit, place, exceeded.to_string())
    }

    /// No format fits.
    #[cold]
    pub fn unsupported(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Unsupported, &FILE_001, Place::file(), message)
    }

    /// The machine said no.
    #[cold]
    pub fn io(message: impl Into<String>, source: std::io::Error) -> Error {
        let source = match source.raw_os_error() {
            Some(BAD_ADDRESS) => std::io::Error::other("a file was cut short by another program while it was read"),
            _ => source,
        };
        let mut error = Error::new(ErrorKind::Io, &FILE_002, Place::file(), message);
        error.0.source = Some(Box::new(source));
        error
    }

    /// The same error with advice.
    #[cold]
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// The same error with a way to find out which fields were read before it; they need not cover everything.
    #[cold]
    pub fn having_read(mut self, read: impl Fn() -> Vec<Node> + Send + Sync + 'static) -> Error {
        self.0.read.get_or_insert_with(|| Read(Box::new(read)));
        self
    }

    /// The same error at the number that asked for more than there is, if such a number was read.
    #[cold]
    pub fn at_its_count(mut self) -> Error {
        let fault = self.0.source.as_ref().and_then(|source| source.downcast_ref::<Fault>());
        let Some(FaultKind::Truncated { counted: Some((field, _)), .. }) = fault.map(Fault::kind) else { return self };
        let beside = match self.0.place.path.rsplit_once('.') {
            Some((around, _)) => format!("{around}.{field}"),
            None => (*field).to_owned(),
        };
        let read = self.what_was_read();
        let found =
            [beside, (*field).to_owned()].into_iter().find_map(|path| Some((wire::find(&read, &path)?.span, path)));
        if let Some((span, path)) = found {
            self.0.place = Place::bytes(path, span);
        }
        self
    }

    /// The fields that were read before it.
    pub fn what_was_read(&self) -> Vec<Node> {
        self.0.read.as_ref().map(|read| (read.0)()).unwrap_or_default()
    }

    /// Who must act.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
    /// The rule that explains it.
    pub fn rule(&self) -> &'static RuleInfo {
        self.0.rule
    }
    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.0.place
    }
    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// What to do, if the rule's page does not say it better.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
    /// Whether the file ends too early.
    pub fn is_truncated(&self) -> bool {
        let fault = self.0.source.as_ref().and_then(|source| source.downcast_ref::<Fault>());
        fault.is_some_and(Fault::is_truncated)
    }
    /// Whether a limit was reached.
    pub fn is_limit(&self) -> bool {
        self.0.kind == ErrorKind::Limit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(source) = self.0.source.as_ref().filter(|s| !s.is::<Fault>()) {
            write!(f, ": {source}")?;
        }
        if self.0.place != Place::file() { write!(f, " at {}", self.0.place) } else { Ok(()) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
    }
}
