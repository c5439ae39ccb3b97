//! Writes every bomb into a folder of its own below the one that is named: `cargo run -p pentad-corpus --example bombs -- DIR`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    for bomb in corpus::bombs::bombs() {
        let own = folder.join(bomb.file.replace('.', "-"));
        std::fs::create_dir_all(&own)?;
        std::fs::write(own.join(bomb.file), (bomb.bytes)())?;
        for (name, bytes) in (bomb.beside)() {
            std::fs::write(own.join(name), bytes)?;
        }
    }
    Ok(())
}
