//! Finding text in the workspace's files, as they are in the open editors. What git ignores is left out, and notebooks:
//! their cells may be kept from models, and are read one by one.

use aside_core::WorkspacePath;
use aside_doc::decode;

use crate::{MOST_TEXT, Workspace, WorkspaceError, kind::is_notebook, listing};

/// Files in which something is found, lines of one of them, and bytes of a line, that are told.
const MOST_FILES: usize = 40;
const MOST_LINES: usize = 20;
const MOST_OF_A_LINE: usize = 200;
/// Bytes of one file, and of all together, that are read.
const MOST_OF_A_FILE: u64 = if MOST_TEXT < 4_000_000 { MOST_TEXT } else { 4_000_000 };
const MOST_OF_ALL: u64 = 200_000_000;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The text, within one line.
    pub text: String,
    /// Only in this folder, or this file.
    pub within: Option<WorkspacePath>,
    /// Capitals count.
    pub match_case: bool,
}

/// Where it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finds {
    /// The files, by path.
    pub files: Vec<FoundIn>,
    /// How many files were looked through.
    pub looked_through: usize,
    /// There may be more: not all files were looked through.
    pub more: bool,
}

/// The lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIn {
    /// The file.
    pub path: WorkspacePath,
    /// Numbers, from 1, and texts; long ones cut around the find.
    pub lines: Vec<(u32, String)>,
    /// How many lines there are beside these.
    pub more: usize,
}

impl Workspace {
    /// Looks for a text in all files that git does not ignore, and tells of those that are admitted. What is no text, or
    /// huge, is left out.
    pub fn find(&self, wanted: &Wanted, admits: impl Fn(&WorkspacePath) -> bool) -> Result<Finds, WorkspaceError> {
        if let Some(within) = &wanted.within {
            // A path that is not there is an error, not an empty answer.
            self.root.resolve(within)?.entry()?.ok_or_else(|| WorkspaceError::NotFound(within.clone()))?;
        }
        let names = listing::names(&self.root);
        let is_for_all = |path: &WorkspacePath| !is_notebook(path) && !self.root.is_in_own(path);
        let inside = |path: &&WorkspacePath| wanted.within.as_ref().is_none_or(|within| path.is_within(within));
        let (mut finds, mut bytes) = (Finds { more: names.truncated, ..Finds::default() }, 0);
        for path in names.paths.iter().filter(inside).filter(|path| is_for_all(path)) {
            if finds.files.len() == MOST_FILES || bytes > MOST_OF_ALL {
                finds.more = true;
                break;
            }
            // What can't be read is not found.
            let Ok(content) = self.content(path, MOST_OF_A_FILE) else { continue };
            bytes += content.len() as u64;
            let Ok((text, _)) = decode(&content) else { continue };
            finds.looked_through += 1;
            finds.files.extend(found_in(path, &text, wanted).filter(|found| admits(&found.path)));
        }
        Ok(finds)
    }
}

fn found_in(path: &WorkspacePath, text: &str, wanted: &Wanted) -> Option<FoundIn> {
    let (mut lines, mut more) = (Vec::new(), 0);
    for (number, line) in (1..).zip(text.lines()) {
        match place_in(line, wanted) {
            Some(place) if lines.len() < MOST_LINES => lines.push((number, around(line, place))),
            Some(_) => more += 1,
            None => {}
        }
    }
    (!lines.is_empty()).then(|| FoundIn { path: path.clone(), lines, more })
}

/// The byte of a line at which it is, or near which: other capitals may have other lengths.
fn place_in(line: &str, wanted: &Wanted) -> Option<usize> {
    if wanted.match_case { line.find(&wanted.text) } else { line.to_lowercase().find(&wanted.text.to_lowercase()) }
}

fn around(line: &str, place: usize) -> String {
    if line.len() <= MOST_OF_A_LINE {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(place.saturating_sub(MOST_OF_A_LINE / 4).min(line.len()));
    let end = line.ceil_char_boundary((start + MOST_OF_A_LINE).min(line.len()));
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", mark(start > 0), &line[start..end], mark(end < line.len()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::fs;

    use aside_store::{Store, StoreOptions};

    use super::*;

    fn found(files: &[(&str, &str)], wanted: &Wanted) -> Result<Vec<(String, Vec<u32>)>, WorkspaceError> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = crate::Workspace::open(folder.path(), store).unwrap();
        let finds = workspace.find(wanted, |path| path.name() != "hidden.py")?;
        let lines = |found: FoundIn| (found.path.to_string(), found.lines.iter().map(|line| line.0).collect());
        Ok(finds.files.into_iter().map(lines).collect())
    }

    fn wanted(text: &str) -> Wanted {
        Wanted { text: text.to_owned(), within: None, match_case: false }
    }

    const FILES: [(&str, &str); 8] = [
        ("a.py", "tide\nno\nTide tide\n"),
        ("hidden.py", "tide"),
        ("src/b.py", "\u{130}nbetween: tide\n"),
        ("out/c.txt", "tide\n"),
        (".gitignore", "out/\n"),
        ("d.bin", "tide\0"),
        ("e.ipynb", "{\"tide\": 1}"),
        (".aside/f.txt", "tide"),
    ];

    #[test]
    fn text_is_found_in_what_people_write_and_nowhere_else() {
        let all = [("a.py".to_owned(), vec![1, 3]), ("src/b.py".to_owned(), vec![1])];
        assert_eq!(found(&FILES, &wanted("TIDE")).unwrap(), all);
        let exact = Wanted { match_case: true, ..wanted("Tide") };
        assert_eq!(found(&FILES, &exact).unwrap(), [("a.py".to_owned(), vec![3])]);
        let within = |path: &str| Wanted { within: Some(path.parse().unwrap()), ..wanted("tide") };
        assert_eq!(found(&FILES, &within("src")).unwrap(), [("src/b.py".to_owned(), vec![1])]);
        assert_eq!(found(&FILES, &within("nowhere")).unwrap_err().code(), "not_found");
    }

    #[test]
    fn a_long_line_is_cut_around_what_was_found() {
        let line = format!("{}needle{}", "ä".repeat(5_000), "ö".repeat(5_000));
        let cut = around(&line, line.find("needle").unwrap());
        assert!(cut.contains("needle") && cut.starts_with('…') && cut.ends_with('…') && cut.len() < 220, "{cut}");
        assert_eq!(around(&line, usize::MAX).chars().next(), Some('…'), "a place that is none");
    }
}
