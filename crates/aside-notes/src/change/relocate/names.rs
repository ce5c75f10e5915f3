//! The names of files, and the file that a wiki link means by name or path.

use std::collections::HashMap;

use aside_core::WorkspacePath;
use unicode_normalization::UnicodeNormalization as _;

/// Files by the last part of their paths, without case and ending.
#[derive(Clone, Debug, Default)]
pub(super) struct FileNames {
    by_name: HashMap<String, Vec<WorkspacePath>>,
}

/// The file that a name means.
pub(super) struct NamedFile<'a> {
    pub path: &'a WorkspacePath,
    /// The name means no other file.
    pub only: bool,
}

impl FileNames {
    /// Adds a file.
    pub(super) fn add(&mut self, path: &WorkspacePath) {
        let name = folded(path.name());
        let short = without_ending(&name).to_owned();
        if short != name {
            self.by_name.entry(short).or_default().push(path.clone());
        }
        self.by_name.entry(name).or_default().push(path.clone());
    }

    /// Returns the file of a name or path, as a link in a note at `from` finds it.
    pub(super) fn find(&self, name: &str, from: &WorkspacePath) -> Option<NamedFile<'_>> {
        let name: String = name.nfc().collect();
        let last = name.rsplit('/').next()?;
        let alike = self.by_name.get(&folded(last))?;
        if name.contains('/')
            && let Some(path) =
                alike.iter().find(|path| ends_with(path, &name, true) && parts(path) == name.split('/').count())
        {
            return Some(NamedFile { path, only: true });
        }
        [true, false].into_iter().find_map(|case| {
            let mut found: Vec<&WorkspacePath> = alike.iter().filter(|path| ends_with(path, &name, case)).collect();
            let order = |path: &&WorkspacePath| (path.parent() != from.parent(), parts(path), path.as_str().to_owned());
            found.sort_by_key(order);
            found.dedup();
            found.first().map(|path| NamedFile { path, only: found.len() == 1 })
        })
    }
}

/// Tells whether whole parts of a path, its ending left out or not, are a name.
fn ends_with(path: &WorkspacePath, name: &str, case: bool) -> bool {
    let path: String = path.as_str().nfc().collect();
    let (path, name) = if case { (path, name.to_owned()) } else { (path.to_lowercase(), name.to_lowercase()) };
    let is_end = |path: &str| path == name || path.strip_suffix(&name).is_some_and(|before| before.ends_with('/'));
    is_end(&path) || is_end(without_ending(&path))
}

fn parts(path: &WorkspacePath) -> usize {
    path.as_str().split('/').count()
}

fn folded(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase()
}

/// Tells whether a name is written with the ending of a note.
pub(super) fn has_note_ending(name: &str) -> bool {
    without_ending(name).len() < name.len()
}

/// Leaves out `.md` or `.markdown`. Other endings belong to the name.
pub(super) fn without_ending(name: &str) -> &str {
    let shorn = |ending: &str| {
        let at = name.len().checked_sub(ending.len()).filter(|at| name.is_char_boundary(*at))?;
        name[at..].eq_ignore_ascii_case(ending).then(|| &name[..at])
    };
    shorn(".md").or_else(|| shorn(".markdown")).unwrap_or(name)
}
