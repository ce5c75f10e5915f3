//! Real files: those of this repository that people write by hand.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Lines of a file that make it worth editing, and keep a case quick.
const LENGTH: std::ops::RangeInclusive<usize> = 60..=2000;
const ENDINGS: [&str; 9] = ["rs", "ts", "tsx", "css", "md", "py", "toml", "mjs", "tex"];

/// A text that is edited.
pub struct Source {
    pub name: String,
    pub lines: Vec<String>,
}

/// Returns the files in the order of their names.
pub fn read() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["crates", "xtask", "web/src", "web/tests", "docs"] {
        walk(&root.join(folder), &mut paths);
    }
    paths.sort();
    paths.iter().filter_map(|path| source(&root, path)).collect()
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match path.is_dir() {
            true if matches!(name, "target" | "node_modules" | "gen") || name.starts_with('.') => {}
            true => walk(&path, paths),
            false if ENDINGS.iter().any(|ending| path.extension().is_some_and(|found| found == *ending)) => {
                paths.push(path);
            }
            false => {}
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the files of the repository are what is measured on")]
fn source(root: &Path, path: &Path) -> Option<Source> {
    let text = fs::read_to_string(path).ok()?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
    LENGTH.contains(&lines.len()).then_some(Source { name, lines })
}
