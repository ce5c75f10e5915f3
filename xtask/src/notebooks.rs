//! `cargo xtask notebooks`: other people's notebooks, hundreds of them, read and written again: not a byte may change.

use std::{fs, path::Path};

use crate::{
    run::{command, quiet, root, step, target},
    tools,
};

/// Archives of sources that have notebooks in their tests and pages.
const SOURCES: [&str; 8] = [
    "hvplot==0.12.2",
    "jupytext==1.19.6",
    "nbclient==0.11.0",
    "nbconvert==7.17.2",
    "nbformat==5.11.1",
    "nbsphinx==0.9.8",
    "nbval==0.11.0",
    "papermill==2.7.0",
];

/// Fetches them once, and has them read and written; says which are refused, and why.
pub fn notebooks() -> Result<(), String> {
    let python = tools::python_with(&["nbformat"])?;
    let mut found = Vec::new();
    for source in SOURCES {
        let folder = target("notebooks").join(source);
        if !folder.is_dir() {
            fetch(&python, source, &folder)?;
        }
        notebooks_below(&folder, &mut found);
    }
    found.sort();
    let mut rewrite = command(env!("CARGO"), ".");
    rewrite.args(["run", "--quiet", "--locked", "--package", "aside-notebook", "--example", "rewrite", "--"]);
    step(&format!("read and write {} notebooks", found.len()), rewrite.args(&found))
}

/// Downloads an archive and unpacks it into a folder, which is only there when it is whole.
fn fetch(python: &Path, source: &str, folder: &Path) -> Result<(), String> {
    let name = source.split("==").next().unwrap_or(source);
    let unpacked = folder.with_extension("part");
    let failed = |error: std::io::Error| format!("cannot unpack {source}: {error}");
    if unpacked.is_dir() {
        fs::remove_dir_all(&unpacked).map_err(failed)?;
    }
    fs::create_dir_all(&unpacked).map_err(failed)?;
    let mut download = command(&python.to_string_lossy(), ".");
    download.args(["-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, "--dest"]).arg(&unpacked);
    step(&format!("download the sources of {source}"), download.arg(source))?;
    for archive in fs::read_dir(&unpacked).map_err(failed)?.flatten() {
        let mut tar = command("tar", ".");
        quiet("tar", tar.arg("-xzf").arg(archive.path()).arg("-C").arg(&unpacked))?;
    }
    fs::rename(&unpacked, folder).map_err(failed)
}

fn notebooks_below(folder: &Path, found: &mut Vec<String>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            notebooks_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            let path = path.strip_prefix(root()).map_or_else(|_| path.clone(), Path::to_owned);
            found.push(path.display().to_string());
        }
    }
}
