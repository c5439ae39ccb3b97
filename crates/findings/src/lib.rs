//! What pentad says about a file.
//!
//! * [`Error`]: it cannot go on.
//! * [`Finding`]: it went on, and you should know. Every finding belongs to a [`Rule`], which is data: id, name,
//!   severity, stage and a page that explains it.
//! * [`Loss`]: a conversion left something behind.
//!
//! Everything carries a [`Place`]: a path in the document and the bytes it stands for.

mod checker;
mod error;
mod file_rules;
mod finding;
mod loss;
mod place;
mod policy;
pub mod render;
mod rule;
mod source;
mod subject;

pub use checker::{Checker, ENGINE, MAX_PER_RULE};
pub use error::{Error, ErrorKind, Result};
pub use file_rules::{FILE_001, FILE_002, FILE_003, FILE_004, FILE_005, FILE_006, FILE_007, FILE_RULES};
pub use finding::{Finding, grouped, sort, tally};
pub use loss::{Level, Loss, LossGroup, LossInfo, Losses, ROUNDING, moved_by};
pub use place::Place;
pub use policy::Policy;
pub use rule::{Page, Rule, RuleInfo, Severity, Stage};
pub use source::{FileId, Loaded, NoSource, Source};
pub use subject::{Aspect, AttributeKind, Subject, SubjectKind};
