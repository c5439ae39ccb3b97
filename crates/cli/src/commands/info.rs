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
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |key: &str, value: String| {
        if !value.is_empty() {
            rows.push((key.replace('_', " "), value));
        }
    };
    row("format", format!("{}, dialect {} ({})", info.format, info.dialect, asset.format().name));
    row("size", format!("{} bytes", grouped(info.bytes)));
    let counts = info.counts.rows();
    let shown = counts.iter().filter(|(_, count)| *count != Some(0)).map(|(name, count)| match count {
        Some(count) => format!("{} {}", grouped(*count), noun(name, *count)),
        None => format!("? {}", noun(name, 2)),
    });
    row("counts", shown.collect::<Vec<_>>().join(", "));
    let corner = |p: [f64; 3]| format!("({})", p.map(|v| format!("{v:.4}")).join(", "));
    match &info.bounds {
        Some(bounds) => row("bounds", format!("{} to {}", corner(bounds.min), corner(bounds.max))),
        None if !quick => row("bounds", "empty".to_owned()),
        None => {}
    }
    let unit = if info.space.unit == "metre" { "metres" } else { "unknown unit" };
    let space = &info.space;
    row("space", format!("{} up, {}-handed, {unit}, UV origin {}", space.up, space.handedness, space.uv_origin));
    for (key, value) in &info.further {
        row(key, escape(&plain(value)).into_owned());
    }
    let names = &info.names;
    row("nodes", some_names(&names.nodes));
    row("meshes", some_names(&names.meshes));
    row("materials", some_names(&names.materials));
    row("animations", some_names(&names.animations));
    if let Some(textures) = &info.textures {
        row("textures", some_names(&textures.found));
        row("missing", some_names(&textures.missing));
    }
    if let Some(files) = &info.files {
        row("files", some_names(&files.found));
        row("missing files", some_names(&files.missing));
    }
    let tolerated = asset.findings().len();
    if tolerated > 0 {
        row("findings", format!("{tolerated} while reading; pentad check says which"));
    }
    let width = rows.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let heading = out.paint_out.strong(&escape(&info.file));
    out.line(heading);
    for (key, value) in rows {
        out.line(format!("  {key:<width$}  {value}"));
    }
}

fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(words) => words.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
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
