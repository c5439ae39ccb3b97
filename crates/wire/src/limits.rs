use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How much a file may ask for. Everything that grows with a number in the file is checked against these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes that a run makes; nothing stands for [`MEMORY`] and [`MEMORY_PER_INPUT`].
    pub max_memory: Option<u64>,
    /// Largest inflated body, in bytes.
    pub max_inflate: u64,
    /// How many times its own size a compressed body may inflate to, once that is more than a few megabytes.
    pub max_ratio: u64,
    /// Deepest nesting of structures and of files that name other files.
    pub max_depth: u32,
    /// Most elements and objects that a run makes out of structures that take no bytes of their own.
    pub max_elements: u64,
}

/// What a run may make of the smallest file, in bytes.
pub const MEMORY: u64 = 2 << 30;

/// What it may make more for each byte of the file and of the files that it names.
pub const MEMORY_PER_INPUT: u64 = 8;

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_memory: None, max_inflate: 4 << 30, max_ratio: 250, max_depth: 64, max_elements: 16 << 20 }
    }
}

/// Limits, and what a run has made so far. Clones share one account; it is charged before anything is allocated.
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Account>);

#[derive(Debug, Default)]
struct Account {
    limits: Limits,
    input: Arc<Mutex<Input>>,
    memory: AtomicU64,
    elements: AtomicU64,
    exceeded: OnceLock<Exceeded>,
}

/// The file in work and those that it names, each once.
#[derive(Debug, Default)]
struct Input {
    bytes: u64,
    files: HashSet<String>,
}

impl Budget {
    /// A new account for a file of so many bytes.
    pub fn new(limits: Limits, input: u64) -> Budget {
        let input = Arc::new(Mutex::new(Input { bytes: input, files: HashSet::new() }));
        Budget(Arc::new(Account { limits, input, ..Account::default() }))
    }

    /// An account for another run over the same input: what was made so far is there, what this run makes is its own.
    #[must_use]
    pub fn fork(&self) -> Budget {
        let Account { limits, input, memory, elements, .. } = &*self.0;
        let copy = |count: &AtomicU64| AtomicU64::new(count.load(Ordering::Relaxed));
        let (memory, elements) = (copy(memory), copy(elements));
        Budget(Arc::new(Account { limits: *limits, input: input.clone(), memory, elements, exceeded: OnceLock::new() }))
    }

    /// A file that the input names belongs to it from now on.
    pub fn admit(&self, file: &str, bytes: u64) {
        let mut input = self.0.input.lock().unwrap_or_else(PoisonError::into_inner);
        if input.files.insert(file.to_owned()) {
            input.bytes = input.bytes.saturating_add(bytes);
        }
    }

    /// Most bytes that the run makes.
    pub fn max_memory(&self) -> u64 {
        self.max_memory.unwrap_or_else(|| {
            let input = self.0.input.lock().unwrap_or_else(PoisonError::into_inner).bytes;
            input.saturating_mul(MEMORY_PER_INPUT).saturating_add(MEMORY)
        })
    }

    /// Bytes that the run may still make.
    pub fn room(&self) -> u64 {
        self.max_memory().saturating_sub(self.0.memory.load(Ordering::Relaxed))
    }

    /// So many bytes are about to be made, and will stay.
    ///
    /// # Errors
    /// If that is more than the run may make.
    pub fn charge(&self, bytes: u64) -> Result<(), Exceeded> {
        self.add(&self.0.memory, bytes, self.max_memory(), Limit::Memory)
    }

    /// So many bytes are about to be made, and stay as long as what is returned.
    ///
    /// # Errors
    /// If that is more than the run may make.
    pub fn hold(&self, bytes: u64) -> Result<Held, Exceeded> {
        self.charge(bytes)?;
        Ok(Held { budget: self.clone(), bytes })
    }

    /// So many elements are about to be made that take no bytes in the file.
    ///
    /// # Errors
    /// If they are more than the run may make.
    pub fn charge_elements(&self, count: u64) -> Result<(), Exceeded> {
        self.add(&self.0.elements, count, self.max_elements, Limit::Elements)
    }

    /// Whether the run can go on: what was refused is not there, however quietly it was left out.
    ///
    /// # Errors
    /// With what was refused first.
    pub fn check(&self) -> Result<(), Exceeded> {
        self.0.exceeded.get().map_or(Ok(()), |exceeded| Err(*exceeded))
    }

    fn add(&self, count: &AtomicU64, more: u64, most: u64, limit: Limit) -> Result<(), Exceeded> {
        let fits = |made: u64| made.checked_add(more).filter(|sum| *sum <= most);
        match count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => Ok(()),
            Err(made) => {
                let exceeded = Exceeded { limit, most, wanted: made.saturating_add(more) };
                Err(*self.0.exceeded.get_or_init(|| exceeded))
            }
        }
    }
}

impl From<Limits> for Budget {
    fn from(limits: Limits) -> Budget {
        Budget::new(limits, 0)
    }
}

impl Deref for Budget {
    type Target = Limits;
    fn deref(&self) -> &Limits {
        &self.0.limits
    }
}

/// Bytes that are there for a while: they may be made again once this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Held {
    budget: Budget,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.0.memory.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A limit that a user can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_memory`].
    Memory,
    /// [`Limits::max_inflate`].
    Inflate,
    /// [`Limits::max_elements`].
    Elements,
}

impl Limit {
    /// The option that changes it.
    pub fn flag(self) -> &'static str {
        match self {
            Limit::Memory => "--max-memory SIZE",
            Limit::Inflate => "--max-inflate SIZE",
            Limit::Elements => "--max-elements N",
        }
    }
}

/// More was about to be made than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Which limit.
    pub limit: Limit,
    /// What it allows.
    pub most: u64,
    /// What the run would have made by then.
    pub wanted: u64,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exceeded { limit, most, wanted } = self;
        let what = if *limit == Limit::Elements { "elements out of nothing" } else { "bytes" };
        write!(f, "it makes {wanted} {what}; the limit is {most}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_grows_with_the_input_and_each_file_counts_once() {
        let budget = Budget::new(Limits::default(), 10);
        budget.admit("side.bin", 5);
        budget.admit("side.bin", 5);
        assert_eq!(budget.max_memory(), MEMORY + 8 * 15);
        assert_eq!(Budget::new(Limits { max_memory: Some(7), ..Limits::default() }, 10).max_memory(), 7);
    }

    #[test]
    fn budget_that_is_exceeded_refuses_and_remembers() {
        let budget = Budget::from(Limits { max_memory: Some(100), max_elements: 3, ..Limits::default() });
        assert_eq!(budget.charge(60), Ok(()));
        let held = budget.hold(40).expect("as much as there is");
        assert_eq!(budget.charge(1), Err(Exceeded { limit: Limit::Memory, most: 100, wanted: 101 }));
        drop(held);
        assert_eq!(budget.clone().charge(40), Ok(()), "what was held is free again");
        assert_eq!(budget.check().map_err(|exceeded| exceeded.wanted), Err(101));
        let again = budget.fork();
        assert_eq!((again.check(), again.room()), (Ok(()), 0), "another run starts with what is there");
        assert!(
            again.charge(u64::MAX).is_err() && again.charge_elements(3).is_ok() && again.charge_elements(1).is_err()
        );
    }
}
