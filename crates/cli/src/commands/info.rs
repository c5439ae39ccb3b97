use std::path::PathBuf;

use pentad::findings::Result;
use pentad::findings::render::escape;
use pentad::{Asset, report};

use super::grouped;
use crate::Exit;
use crate::common::Common;
use crate::output::Output;

/// Say what a file is: format, counts, sizes, bounds, textures
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad info model.danmodel
  pentad info --json *.danmodel | jq .counts.triangles
  pentad info --quick huge.danmodel    structure only, in milliseconds")]
pub(crate) struct Args {
    /// Files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON document per file
    #[arg(long)]
    json: bool,
    /// Look at structure only; bounds and whatever needs a pass over the data are left open
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let mut exit = Exit::Done;
    for (i, path) in args.files.iter().enumerate() {
        let Some(asset) = super::open(path, common, out) else {
            exit = Exit::Failed;
            continue;
        };
        match report::info(&asset, args.quick) {
            Ok(info) if args.json => out.json(&info),
            Ok(info) => {
                if i > 0 {
                    out.line("");
                }
                print(&info, &asset, args.quick, out);
            }
            Err(error) => {
                out.error(&error, asset.file().name(), Some(asset.file()));
                exit = Exit::Failed;
            }
        }
    }
    Ok(exit)
}

fn print(info: &report::Info, asset: &Asset, quick: bool, out: &mut Output) {
    let heading = out.paint_out.strong(&escape(&info.file));
    out.line(heading);
    let mut row = |key: &str, value: String| {
        if !value.is_empty() {
            out.line(format!("  {key:<12} {value}"));
        }
    };
    row("format", format!("{}, dialect {} ({})", info.format, info.dialect, asset.format().name));
    row("size", format!("{} bytes", grouped(info.bytes)));
    let counts = asset.document().facts(!quick).counts.rows();
    let counts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count != Some(0))
        .map(|(name, count)| match count {
            Some(count) => format!("{} {}", grouped(*count), noun(name, *count)),
            None => format!("? {}", noun(name, 2)),
        })
        .collect();
    row("counts", counts.join(", "));
    let corner = |p: [f64; 3]| format!("({})", p.map(|v| format!("{v:.4}")).join(", "));
    match &info.bounds {
        Some(bounds) => row("bounds", format!("{} to {}", corner(bounds.min), corner(bounds.max))),
        None if !quick => row("bounds", "empty".to_owned()),
        None => {}
    }
    let unit = if info.space.unit == "metre" { "metres" } else { "unknown unit" };
    row(
        "space",
        format!("{} up, {}-handed, {unit}, UV origin {}", info.space.up, info.space.handedness, info.space.uv_origin),
    );
    for (key, value) in &info.further {
        row(&key.replace('_', " "), escape(value).into_owned());
    }
    for (key, names) in [
        ("nodes", &info.names.nodes),
        ("meshes", &info.names.meshes),
        ("materials", &info.names.materials),
        ("animations", &info.names.animations),
    ] {
        row(key, some_names(names));
    }
    if let Some(textures) = &info.textures {
        row("textures", some_names(&textures.found));
        row("missing", some_names(&textures.missing));
    }
    let tolerated = asset.findings().len();
    if tolerated > 0 {
        row("findings", format!("{tolerated} while reading; pentad check says which"));
    }
}

fn noun(name: &str, count: u64) -> String {
    let name = name.replace('_', " ");
    if count != 1 {
        return name;
    }
    match name.as_str() {
        "vertices" => "vertex".to_owned(),
        "meshes" => "mesh".to_owned(),
        other => other.strip_suffix('s').unwrap_or(other).to_owned(),
    }
}

/// The first few names.
fn some_names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let named: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    let mut shown: Vec<String> = named.iter().take(SHOWN).map(|name| escape(name).into_owned()).collect();
    if named.len() > SHOWN {
        shown.push(format!("and {} more", named.len() - SHOWN));
    }
    shown.join(", ")
}
