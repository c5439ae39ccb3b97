use std::path::PathBuf;

use pentad::findings::render::escape;
use pentad::findings::{ErrorKind, Result};
use pentad::report::{self, Info};
use pentad::{Asset, File};

use super::grouped;
use crate::Exit;
use crate::common::Common;
use crate::output::Output;
use crate::walk::{Found, Walk};

/// Say what a file is: format, counts, sizes, bounds, textures
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad info model.danmodel
  pentad info models/                  every model below a folder, by its extension
  pentad info --json *.danmodel | jq .counts.triangles
  pentad info --quick huge.danmodel    structure only, in milliseconds

Of long lists the first few are shown; -v shows all.")]
pub(crate) struct Args {
    /// Files and folders; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Print one JSON document per file
    #[arg(long)]
    json: bool,
    /// Look at structure only; bounds and whatever needs a pass over the data are left open
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let walk = Walk::below(&args.paths);
    let mut exit = if walk.errors.is_empty() { Exit::Done } else { Exit::Failed };
    walk.errors.iter().for_each(|error| out.error(error, "", None));
    let mut printed = false;
    for found in &walk.files {
        let (file, told) = match File::open(&found.path) {
            Ok(file) => {
                if let Some(foreign) = found.foreign(&file) {
                    out.remark(&format!("{}: {}", escape(file.name()), foreign.message));
                    continue;
                }
                let told = look(found, &file, args, common);
                (Some(file), told)
            }
            Err(error) => (None, Err(error)),
        };
        match told {
            Ok((info, _)) if args.json => out.json(&info),
            Ok((info, asset)) => {
                if std::mem::replace(&mut printed, true) {
                    out.line("");
                }
                print(&info, &asset, out);
            }
            Err(error) => {
                exit = Exit::Failed;
                let name = found.path.to_string_lossy();
                // The machine's errors say which file they are about.
                out.error(&error, if error.kind() == ErrorKind::Io { "" } else { &name }, file.as_ref());
                if args.json {
                    out.json(&report::unreadable(&found.path, file.as_ref(), &error));
                }
            }
        }
    }
    walk.tell_others("found", out);
    Ok(exit)
}

fn look(found: &Found, file: &File, args: &Args, common: &Common) -> Result<(Info, Asset)> {
    let asset = file.read_as(found.format(file), &common.open_options())?;
    Ok((report::info(&asset, args.quick)?, asset))
}

fn print(info: &Info, asset: &Asset, out: &mut Output) {
    let most = if out.verbose { usize::MAX } else { SHOWN };
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |key: &str, value: String| {
        if !value.is_empty() {
            rows.push((key.replace('_', " "), value));
        }
    };
    let format = asset.format();
    row("format", format!("{}, dialect {} ({})", format.id, asset.document().dialect(), format.name));
    row("size", format!("{} bytes", grouped(info.bytes.unwrap_or(0))));
    row("counts", counts(info));
    let corner = |p: [f64; 3]| format!("({})", p.map(|v| format!("{v:.4}")).join(", "));
    match &info.bounds {
        Some(bounds) => row("bounds", format!("{} to {}", corner(bounds.min), corner(bounds.max))),
        None if info.meshes.is_some() => row("bounds", "empty".to_owned()),
        None => {}
    }
    if let Some(space) = &info.space {
        let unit = if space.unit == "metre" { "metres" } else { "unknown unit" };
        row("space", format!("{} up, {}-handed, {unit}, UV origin {}", space.up, space.handedness, space.uv_origin));
    }
    for (key, value) in &info.further {
        match (key.as_str(), value.as_u64()) {
            ("header_data", Some(0)) => {}
            ("header_data", Some(bytes)) => row(key, format!("{} bytes", grouped(bytes))),
            ("created", Some(seconds)) => row(key, format!("{seconds} seconds after 1970")),
            _ => row(key, escape(&plain(value)).into_owned()),
        }
    }
    let names = &info.names;
    row("nodes", some_names(&names.nodes, most));
    let mut tables = Vec::new();
    match &info.meshes {
        Some(_) => tables = self::tables(info, most),
        None => {
            row("meshes", some_names(&names.meshes, most));
            row("animations", some_names(&names.animations, most));
        }
    }
    row("materials", some_names(&names.materials, most));
    if let Some(textures) = &info.textures {
        row("missing", some_names(&textures.missing, most));
    }
    if let Some(files) = &info.files {
        row("files", some_names(&files.found, most));
        row("missing files", some_names(&files.missing, most));
    }
    let tolerated = asset.findings().len();
    if tolerated > 0 {
        row("findings", format!("{tolerated} while reading; pentad check says which"));
    }
    let width = rows.iter().map(|(key, _)| key.len()).chain(tables.iter().map(|(key, _)| key.len())).max().unwrap_or(0);
    let heading = out.paint_out.strong(&escape(&info.file));
    out.line(heading);
    for (key, value) in rows {
        out.line(format!("  {key:<width$}  {value}"));
    }
    for (key, lines) in tables {
        for (i, line) in lines.iter().enumerate() {
            let (key, line) = if i == 0 { (key, out.paint_out.faint(line)) } else { ("", line.clone()) };
            out.line(format!("  {key:<width$}  {line}"));
        }
    }
}

fn counts(info: &Info) -> String {
    let counts = info.counts.rows();
    let shown = counts.iter().filter(|(_, count)| *count != Some(0)).map(|(name, count)| match count {
        Some(count) => format!("{} {}", grouped(*count), noun(name, *count)),
        None => format!("? {}", noun(name, 2)),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// What a model is made of, object by object. A table of names alone is a list, and printed as such.
fn tables(info: &Info, most: usize) -> Vec<(&'static str, Vec<String>)> {
    let meshes = info.meshes.iter().flatten();
    let meshes = meshes
        .enumerate()
        .map(|(i, mesh)| [label(i, &mesh.name), grouped(mesh.triangles), grouped(mesh.vertices), grouped(mesh.bytes)]);
    // Those that are missing have a row of their own.
    let images = info.images.iter().flatten().enumerate().filter(|(_, image)| image.bytes.is_some());
    let images = images.map(|(i, image)| {
        let pixels = image.pixels.map_or("?".to_owned(), |[width, height]| format!("{width} x {height}"));
        [label(i, &image.name), pixels, image.bytes.map_or("?".to_owned(), grouped), image.stored.to_owned()]
    });
    let animations = info.animations.iter().flatten().enumerate();
    let animations = animations.map(|(i, animation)| [label(i, &animation.name), format!("{:.3}", animation.seconds)]);
    let tables = [
        ("meshes", table(["name", "triangles", "vertices", "bytes"], meshes.collect(), most)),
        ("images", table(["name", "pixels", "bytes", "stored"], images.collect(), most)),
        ("animations", table(["name", "seconds"], animations.collect(), most)),
    ];
    tables.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

/// The name of an object; its number, if it has none.
fn label(i: usize, name: &str) -> String {
    if name.is_empty() { format!("[{i}]") } else { escape(name).into_owned() }
}

/// A heading and a line per row, the first of many.
fn table<const N: usize>(heading: [&str; N], mut rows: Vec<[String; N]>, most: usize) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    rows.insert(0, heading.map(str::to_owned));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cell = |(i, width): (usize, &usize)| match i {
            0 => format!("{:<width$}", row[i]),
            _ => format!("{:>width$}", row[i]),
        };
        widths.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if more > 0 {
        lines.push(format!("and {more} more (-v shows them)"));
    }
    lines
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

/// How much of a long list is shown.
const SHOWN: usize = 8;

/// The first names of a list.
fn some_names(names: &[String], most: usize) -> String {
    let named: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    let mut shown: Vec<String> = named.iter().take(most).map(|name| escape(name).into_owned()).collect();
    if named.len() > most {
        shown.push(format!("and {} more (-v shows them)", named.len() - most));
    }
    shown.join(", ")
}
