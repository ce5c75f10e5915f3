//! The source files that people write: Rust, TypeScript and CSS, without generated files.

use std::{fs, path::Path};

use crate::run::root;

const FOLDERS: &[&str] = &["crates", "fuzz/fuzz_targets", "web/src", "web/tests", "xtask"];
const ENDINGS: &[&str] = &[".rs", ".ts", ".tsx", ".css"];
const NOT_WRITTEN_BY_PEOPLE: &[&str] = &["gen", "node_modules", "target"];

/// A file and its text.
pub struct SourceFile {
    /// Relative to the repository, with slashes.
    pub path: String,
    pub text: String,
}

impl SourceFile {
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    pub fn is_typescript(&self) -> bool {
        self.path.ends_with(".ts") || self.path.ends_with(".tsx")
    }

    /// Returns the crate, or the folder of `web/`, in which the file lies: `crates/aside-core`, `web/src/notebook`.
    pub fn folder(&self) -> String {
        let depth = match self.path.split('/').next() {
            Some("crates") => 2,
            Some("web") => 3,
            _ => 1,
        };
        let folders = self.path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').take(depth).collect::<Vec<_>>().join("/")
    }
}

/// Reads all source files, in the order of their paths.
pub fn files() -> Vec<SourceFile> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        read_below(folder, &mut files);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn read_below(folder: &str, files: &mut Vec<SourceFile>) {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            if !name.starts_with('.') && !NOT_WRITTEN_BY_PEOPLE.contains(&name.as_str()) {
                read_below(&path, files);
            }
        } else if let Some(text) = text(&entry.path(), &name) {
            files.push(SourceFile { path, text });
        }
    }
}

fn text(path: &Path, name: &str) -> Option<String> {
    let is_source = ENDINGS.iter().any(|ending| name.ends_with(ending));
    is_source.then(|| fs::read_to_string(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_the_crate_or_a_folder_of_the_web() {
        for (path, folder) in [
            ("crates/aside-core/src/grant/mod.rs", "crates/aside-core"),
            ("web/src/notebook/cell/cell.tsx", "web/src/notebook"),
            ("web/src/main.tsx", "web/src"),
            ("xtask/src/main.rs", "xtask"),
            ("fuzz/fuzz_targets/diff.rs", "fuzz"),
        ] {
            assert_eq!(SourceFile { path: path.to_owned(), text: String::new() }.folder(), folder);
        }
    }
}
