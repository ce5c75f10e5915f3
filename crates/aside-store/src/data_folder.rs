//! The person's own folder, for what belongs to no workspace: policy, and what other parts keep for all of them.

use std::path::{Path, PathBuf};

use crate::TextFile;

/// The user-wide folder. It is made, for its owner alone, when something is first written to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// Takes the folder that the environment names: `ASIDE_DATA_DIR`, else `$XDG_DATA_HOME/aside`, else
    /// `~/.local/share/aside`. Only absolute paths count; none if there is not even a home.
    pub fn from_environment(read: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let absolute = |name: &str| read(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let path = absolute("ASIDE_DATA_DIR")
            .or_else(|| Some(absolute("XDG_DATA_HOME")?.join("aside")))
            .or_else(|| Some(absolute("HOME")?.join(".local/share/aside")))?;
        Some(Self { path })
    }

    /// Takes this folder.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names a file in it; one with more bytes than `longest` is not read.
    pub fn file(&self, name: &str, longest: u64) -> TextFile {
        TextFile::new(self.path.join(name), longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(environment: &[(&str, &str)], expected: Option<&str>) {
        let read = |name: &str| Some(environment.iter().find(|(known, _)| *known == name)?.1.to_owned());
        let found = DataFolder::from_environment(read);
        assert_eq!(found.as_ref().map(DataFolder::path), expected.map(Path::new));
    }

    #[test]
    fn the_nearest_name_counts() {
        check(&[("ASIDE_DATA_DIR", "/a"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")], Some("/a"));
        check(&[("XDG_DATA_HOME", "/x"), ("HOME", "/h")], Some("/x/aside"));
        check(&[("HOME", "/h")], Some("/h/.local/share/aside"));
        check(&[], None);
    }

    #[test]
    fn a_path_that_depends_on_where_one_is_does_not_count() {
        check(&[("ASIDE_DATA_DIR", "a"), ("XDG_DATA_HOME", ""), ("HOME", "/h")], Some("/h/.local/share/aside"));
    }
}
