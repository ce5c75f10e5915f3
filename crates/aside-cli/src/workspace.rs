//! Which workspace a command is about, and the server that has it open.

use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use aside_core::{InvalidPath, TOKEN_PREFIX, WorkspacePath};
use aside_protocol::Serving;
use aside_server::{ServeOptions, Started};

use crate::{arguments::Where, client::Client};

/// Returns a client of the workspace's server; if none is running, one is started for this command.
pub async fn open(place: &Where) -> anyhow::Result<Client> {
    let options = ServeOptions { port: Some(0), ..ServeOptions::new(find(place)?) };
    match aside_server::running(&options.workspace, options.data_folder.as_ref()) {
        Some(serving) => Client::to(as_holder(serving)),
        None => start(options).await,
    }
}

/// With the token of a grant in `ASIDE_TOKEN`, a command runs under that grant.
fn as_holder(serving: Serving) -> Serving {
    match std::env::var("ASIDE_TOKEN") {
        Ok(token) if token.starts_with(TOKEN_PREFIX) => Serving { token, ..serving },
        _ => serving,
    }
}

/// Returns the running server of a workspace, if there is one.
pub fn running(place: &Where) -> anyhow::Result<Option<Serving>> {
    let options = ServeOptions::new(find(place)?);
    Ok(aside_server::running(&options.workspace, options.data_folder.as_ref()))
}

/// The named folder, else the nearest workspace above the current folder, else that folder.
pub fn find(place: &Where) -> anyhow::Result<PathBuf> {
    match &place.workspace {
        Some(folder) => folder.canonicalize().with_context(|| format!("cannot open {}", folder.display())),
        None => {
            let here = std::env::current_dir().context("cannot determine the current folder")?;
            Ok(nearest(&here).unwrap_or(&here).to_owned())
        }
    }
}

/// Returns a file that was named on the command line as the workspace calls it: as seen from the folder you are in, or
/// from the workspace's if you are elsewhere.
pub fn file(place: &Where, named: &Path) -> anyhow::Result<WorkspacePath> {
    let here = std::env::current_dir().context("cannot determine the current folder")?;
    within(&find(place)?, &here, named)
}

fn within(workspace: &Path, here: &Path, named: &Path) -> anyhow::Result<WorkspacePath> {
    let from = if here.starts_with(workspace) { here } else { workspace };
    let whole = without_dots(&from.join(named));
    let real = || Some(whole.parent()?.canonicalize().ok()?.join(whole.file_name()?));
    let inside = match whole.strip_prefix(workspace) {
        Ok(inside) => Some(inside.to_owned()),
        Err(_) => real().and_then(|real| Some(real.strip_prefix(workspace).ok()?.to_owned())),
    };
    let inside = inside.with_context(|| {
        let (named, workspace) = (named.display(), workspace.display());
        format!("`{named}` is not in the workspace {workspace}: pass another workspace with `--workspace`")
    })?;
    Ok(named_path(workspace, &inside)?)
}

/// The path of a name as it is on the disk, or as Aside writes it, with escapes, if nothing there is called so.
fn named_path(workspace: &Path, inside: &Path) -> Result<WorkspacePath, InvalidPath> {
    let escapes = inside.to_str().and_then(|text| WorkspacePath::new(text).ok()).filter(WorkspacePath::has_escapes);
    match escapes {
        Some(path) if workspace.join(inside).symlink_metadata().is_err() => Ok(path),
        _ => WorkspacePath::of_disk(inside),
    }
}

/// Without `.` and `..`, as they are read: a link keeps its name.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn nearest(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".aside").is_dir())
}

async fn start(options: ServeOptions) -> anyhow::Result<Client> {
    match aside_server::serve(options).await? {
        Started::Serving(running) => Client::own(running),
        Started::Joined(serving) => Client::to(serving),
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    use super::*;

    #[test]
    fn a_file_is_named_from_the_folder_one_is_in() {
        let check = |here: &str, named: &str| within(Path::new("/w"), Path::new(here), Path::new(named));
        let found = |here, named| check(here, named).unwrap().to_string();
        assert_eq!(found("/w", "a.ipynb"), "a.ipynb");
        assert_eq!(found("/w/sub", "a.ipynb"), "sub/a.ipynb");
        assert_eq!(found("/w/sub", "../a.ipynb"), "a.ipynb");
        assert_eq!(found("/w/sub", "/w/other/a.ipynb"), "other/a.ipynb");
        assert_eq!(found("/elsewhere", "sub/a.ipynb"), "sub/a.ipynb");
        for (here, named) in [("/w", "../a.ipynb"), ("/w", "/x/a.ipynb"), ("/w", "."), ("/elsewhere", "../w2/a.ipynb")]
        {
            check(here, named).unwrap_err();
        }
    }

    #[test]
    fn a_file_is_found_through_a_link_to_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (real, link) = (root.join("real"), root.join("link"));
        std::fs::DirBuilder::new().create(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_eq!(within(&real, &root, &link.join("a.ipynb")).unwrap().as_str(), "a.ipynb");
    }

    #[test]
    fn escaped_names_are_understood() {
        let folder = tempfile::tempdir().unwrap();
        let found = |named: &OsStr| within(folder.path(), folder.path(), Path::new(named)).unwrap().to_string();
        assert_eq!(found(OsStr::from_bytes(b"caf\xe9\n.txt")), "caf\\xe9\\n.txt");
        assert_eq!(found(OsStr::new("caf\\xe9\\n.txt")), "caf\\xe9\\n.txt");
        std::os::unix::fs::symlink("nowhere", folder.path().join("a\\n")).unwrap();
        assert_eq!(found(OsStr::new("a\\n")), "a\\u{5c}n");
    }

    #[test]
    fn the_nearest_workspace_above_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::DirBuilder::new().recursive(true).create(&deep).unwrap();
        std::fs::DirBuilder::new().create(folder.path().join(".aside")).unwrap();
        assert_eq!(nearest(&deep), Some(folder.path()));
        std::fs::DirBuilder::new().create(folder.path().join("a/.aside")).unwrap();
        assert_eq!(nearest(&deep), Some(folder.path().join("a").as_path()));
    }
}
