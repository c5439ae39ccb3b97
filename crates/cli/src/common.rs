use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pentad::OpenOptions;
use pentad::wire::Limits;

/// Options of every verb.
#[derive(Args)]
#[command(next_help_heading = "Options of every verb")]
pub struct Common {
    /// Say only what was asked for
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Number of threads
    #[arg(short = 'j', long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Also look in this folder for the files a model names
    #[arg(long, global = true, value_name = "DIR")]
    pub search_path: Vec<PathBuf>,
    /// Let a model name files in this folder
    #[arg(long, global = true, value_name = "DIR")]
    pub allow_root: Vec<PathBuf>,
    /// Most memory to make for one file: bytes, or with K, M or G; else 2G and 8 times its size
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Most elements and objects to make that take no bytes in the file
    #[arg(long, global = true, value_name = "N")]
    pub max_elements: Option<u64>,
    /// Largest size a compressed body may inflate to: bytes, or with K, M or G
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_inflate: Option<u64>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Common {
    /// How files are opened.
    pub(crate) fn open_options(&self) -> OpenOptions {
        let mut limits = Limits { max_memory: self.max_memory, ..Limits::default() };
        limits.max_elements = self.max_elements.unwrap_or(limits.max_elements);
        if let Some(max_inflate) = self.max_inflate {
            // Whoever names a size has thought about this file: its ratio no longer matters.
            (limits.max_inflate, limits.max_ratio) = (max_inflate, u64::MAX);
        }
        let (search_paths, allow_roots) = (self.search_path.clone(), self.allow_root.clone());
        OpenOptions { limits, search_paths, allow_roots, ..OpenOptions::default() }
    }

    /// Gives the thread pool its size, before anyone uses it.
    pub(crate) fn set_threads(&self) {
        if let Some(threads) = self.threads {
            // It can only fail if the pool exists already, and nothing has run yet.
            _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        }
    }
}

fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" | "KIB" => 10,
        "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        _ => return Err(format!("{unit} is no unit; K, M and G are")),
    };
    let number: u64 = digits.parse().map_err(|_| "a number such as 512M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_may_have_units() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("2K"), Ok(2048));
        assert_eq!(size("1GiB"), Ok(1 << 30));
        assert!(size("M").is_err());
        assert!(size("99999999999G").is_err());
    }
}
