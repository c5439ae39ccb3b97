//! `check --fix`.

use std::path::Path;

use pentad::findings::render::escape;
use pentad::findings::{Error, Policy, Result};
use pentad::formats::{Info, Mend};
use pentad::{Asset, File, Mendings, back_up, replace};

use crate::common::Common;
use crate::output::Output;
use crate::signals::ON_THE_WAY;

/// How far `--fix` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Fix {
    /// What removes nothing
    #[value(hide = true)]
    Keep,
    /// What removes bytes too
    All,
}

/// What is mended, and how.
pub(super) struct Fixing<'a> {
    pub(super) fix: Fix,
    pub(super) dry_run: bool,
    pub(super) backup: bool,
    pub(super) policy: &'a Policy,
    pub(super) common: &'a Common,
}

impl Fixing<'_> {
    /// Mends a file in place and says so; answers with the file as it is then, if anything was done. `named` is whether
    /// the user named it.
    pub(super) fn mend(&self, asset: &Asset, named: bool, out: &Output) -> Result<Option<Asset>> {
        let mend = if self.fix == Fix::All { Mend::All } else { Mend::Keep };
        let mended = asset.mend(mend, &|rule| self.policy.wants(rule))?;
        let name = escape(asset.file().name()).into_owned();
        let say = |text: String| out.remark(&format!("{name}: {text}"));
        let Some(path) = asset.file().path().filter(|_| !mended.done.is_empty() || !mended.left.is_empty()) else {
            return Ok(None);
        };
        if let Some(why) = untouchable(path, asset.format(), named) {
            say(format!("not mended: {why}"));
            return Ok(None);
        }
        if !mended.left.is_empty() {
            say(format!(
                "left as it is: {}; --fix=all mends it, which removes bytes or takes what is there for all there was",
                list(&mended.left)
            ));
        }
        if mended.done.is_empty() {
            return Ok(None);
        }
        if self.dry_run {
            say(format!("would mend {}", list(&mended.done)));
            return Ok(None);
        }
        let kept = if self.backup { Some(back_up(path, &ON_THE_WAY)?) } else { None };
        replace(path, &ON_THE_WAY, |file| file.write_all(&mended.bytes))?;
        let kept = kept.map(|kept| format!("; the old file is {}", escape(&kept.to_string_lossy())));
        say(format!("mended {}{}", list(&mended.done), kept.unwrap_or_default()));
        File::open(path)?.read_as(Some(asset.document().format()), &self.common.open_options()).map(Some)
    }
}

fn list(mendings: &Mendings) -> String {
    let one = |(rule, count): &(&pentad::findings::RuleInfo, u64)| format!("{count} x {} {}", rule.id, rule.name);
    mendings.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Why a file must stay as it is.
fn untouchable(path: &Path, format: &Info, named: bool) -> Option<String> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if !format.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension)) {
        let own: Vec<String> = format.extensions.iter().map(|own| format!(".{own}")).collect();
        return Some(format!("its content is {}, and its extension is not {}", format.name, own.join(" or ")));
    }
    if path.is_symlink() && !named {
        return Some("it is a link, and may lead out of the folder; name the file it leads to".to_owned());
    }
    let read_only = path.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    read_only.then(|| "it is read-only".to_owned())
}

/// Why files cannot be mended at all.
pub(super) fn check_paths(paths: &[std::path::PathBuf]) -> Result<()> {
    match paths.iter().any(|path| path == Path::new("-")) {
        true => Err(Error::usage("standard input cannot be mended in place")),
        false => Ok(()),
    }
}
