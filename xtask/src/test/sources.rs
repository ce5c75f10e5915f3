//! The content of every file of the repository that git does not ignore, as one number each.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use crate::run::{command, quiet, root};

/// The files by path, relative to the repository, with slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(pub BTreeMap<String, u64>);

impl Sources {
    /// Reads all of them: those that git knows, and new ones.
    pub fn read() -> Result<Self, String> {
        let mut list = command("git", ".");
        list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let paths = quiet("git ls-files", &mut list)?;
        let files = paths.split('\0').filter(|path| !path.is_empty());
        Ok(Self(files.filter_map(|path| Some((path.to_owned(), content(&root().join(path))?))).collect()))
    }
}

/// A number for bytes and mode, or for the target of a link; nothing for a file that is gone.
fn content(file: &Path) -> Option<u64> {
    let metadata = fs::symlink_metadata(file).ok()?;
    let mut hasher = DefaultHasher::new();
    if metadata.is_symlink() {
        fs::read_link(file).ok()?.hash(&mut hasher);
    } else {
        (metadata.permissions().mode() & 0o111, fs::read(file).ok()?).hash(&mut hasher);
    }
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repository_has_its_own_files() {
        let sources = Sources::read().unwrap();
        assert!(sources.0.contains_key("xtask/src/test/sources.rs"));
        assert!(!sources.0.keys().any(|path| path.starts_with("target/")));
    }
}
