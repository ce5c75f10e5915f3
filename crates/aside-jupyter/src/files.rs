//! What discovery may look at, so that it can be tried on trees that are made up.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Files as they lie in folders, only to be read.
pub trait Files {
    /// Reads a file.
    ///
    /// # Errors
    /// As the system says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the names in a folder, sorted; none if there is no such folder.
    fn list(&self, folder: &Path) -> Vec<String>;

    /// Tells whether there is a file; a link to one is one.
    fn is_file(&self, path: &Path) -> bool;
}

/// The disk.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Files for Disk {
    #[expect(clippy::disallowed_methods, reason = "what describes a kernel lies outside the workspace, too")]
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// Returns where a program is, as a shell would find it, but never in a folder that is named relative to another.
pub(crate) fn find_program(files: &impl Files, path: &str, name: &str) -> Option<PathBuf> {
    let folders = path.split(':').map(Path::new).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|program| files.is_file(program))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Files that are made up.
    #[derive(Default)]
    pub(crate) struct Tree(BTreeMap<PathBuf, String>);

    impl Tree {
        pub(crate) fn with(mut self, path: &str, text: &str) -> Self {
            self.0.insert(path.into(), text.into());
            self
        }
    }

    impl Files for Tree {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            let text = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
            Ok(text.clone().into_bytes())
        }

        fn list(&self, folder: &Path) -> Vec<String> {
            let below = self.0.keys().filter_map(|path| path.strip_prefix(folder).ok()?.iter().next()?.to_str());
            let mut names: Vec<String> = below.map(str::to_owned).collect();
            names.dedup();
            names
        }

        fn is_file(&self, path: &Path) -> bool {
            self.0.contains_key(path)
        }
    }

    #[test]
    fn the_disk_is_as_the_made_up_tree() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(Disk.list(here).contains(&"Cargo.toml".to_owned()));
        assert!(Disk.is_file(&here.join("Cargo.toml")) && !Disk.is_file(&here.join("src")));
        assert!(Disk.list(&here.join("no-such-folder")).is_empty());
        assert_eq!(Disk.read(&here.join("no-such-file")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_program_is_not_found_in_a_relative_folder() {
        let tree = Tree::default().with("/usr/bin/python3", "").with("bin/python3", "");
        assert_eq!(find_program(&tree, "bin:.::/usr/bin", "python3").unwrap(), Path::new("/usr/bin/python3"));
        assert_eq!(find_program(&tree, "bin", "python3"), None);
    }
}
