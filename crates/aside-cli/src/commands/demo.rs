//! `aside demo [DIR]`: the sample workspace. It is written once; a second start goes on where the first ended,
//! with what was deleted still gone.

use std::{
    fs::{DirBuilder, OpenOptions},
    io::{ErrorKind, Write as _},
    path::Path,
};

use anyhow::Context as _;
use aside_server::{ServeOptions, Ui};
use rust_embed::RustEmbed;

use super::open;
use crate::{arguments::Serve, ended::Ended, output::Output};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/demo"]
struct Demo;

/// Not part of the workspace: what the rehearsal model says, kept with the workspace's own state.
const REHEARSAL: &str = "rehearsal.json";

/// Writes the folder the first time, and opens it.
pub async fn demo(folder: &Path, serve: Serve, ui: Ui, output: &Output) -> anyhow::Result<Ended> {
    let options = ServeOptions { ui, ..ServeOptions::new(folder) };
    write(&options)?;
    open::serve(open::options(options, &serve), serve.no_open, output).await
}

/// Files that are there already are left as they are. The rehearsal comes last: it says that all was written.
fn write(options: &ServeOptions) -> anyhow::Result<()> {
    let folder = &options.workspace;
    if folder.join(".aside").join(REHEARSAL).exists() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).create(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let own = aside_server::prepare(options)?;
    let (rehearsal, files): (Vec<_>, Vec<_>) = Demo::iter().partition(|name| name == REHEARSAL);
    for name in files.into_iter().chain(rehearsal) {
        let file = Demo::get(&name).context("an embedded file is missing")?;
        let path = match name.as_ref() {
            REHEARSAL => own.join(REHEARSAL),
            name => folder.join(name),
        };
        write_new(&path, &file.data).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).create(parent)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(bytes),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the written files are this test's subject")]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_a_person_has_changed_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let data_folder = Some(aside_server::DataFolder::at(folder.path().join("own")));
        let options = ServeOptions { data_folder, ..ServeOptions::new(folder.path()) };
        write(&options).unwrap();
        let welcome = folder.path().join("Welcome.md");
        std::fs::write(&welcome, "mine").unwrap();
        std::fs::remove_file(folder.path().join("data/readings.csv")).unwrap();
        write(&options).unwrap();
        assert!(!folder.path().join("data/readings.csv").exists());
        assert_eq!(std::fs::read_to_string(welcome).unwrap(), "mine");
        assert!(folder.path().join(".aside/rehearsal.json").is_file());
        assert!(!folder.path().join("rehearsal.json").exists());
    }
}
