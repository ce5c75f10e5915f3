//! Notes that get other paths: each link that meant one of them by name or path gets exactly another target.

mod destination;
mod names;

use std::collections::BTreeMap;

use aside_core::WorkspacePath;

use self::{
    destination::{encoded, joined, relative},
    names::{FileNames, has_note_ending, without_ending},
};
use super::ByteEdit;
use crate::{Flavour, Link, Note, parse_text};

/// A file that gets another path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The path before.
    pub from: WorkspacePath,
    /// The path after.
    pub to: WorkspacePath,
}

/// The file of a link before the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTarget {
    /// The file.
    pub path: WorkspacePath,
    /// The link means it by its name or path, not by an alias, a title or a day: those stay.
    pub by_path: bool,
    /// The link means it by a title that is made of its file name, as in a Logseq graph.
    pub by_file_title: bool,
}

/// A link that gets another target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEdit {
    /// The line of the link, from 1.
    pub line: u32,
    /// The link as it is written.
    pub before: String,
    /// The link as it would be written.
    pub after: String,
    /// The edit, of the note at its path before.
    pub edit: ByteEdit,
}

/// Files that get other paths, and the names of all files afterwards.
#[derive(Debug)]
pub struct Relocation {
    moves: BTreeMap<WorkspacePath, WorkspacePath>,
    names: FileNames,
}

/// Prepares a move among all files of the workspace.
pub fn relocate<'a>(files: impl IntoIterator<Item = &'a WorkspacePath>, moves: &[Move]) -> Relocation {
    let moves: BTreeMap<_, _> = moves.iter().map(|each| (each.from.clone(), each.to.clone())).collect();
    let mut names = FileNames::default();
    for file in files {
        names.add(moves.get(file).unwrap_or(file));
    }
    Relocation { moves, names }
}

impl Relocation {
    /// Returns the path of a file afterwards.
    pub fn after<'a>(&'a self, path: &'a WorkspacePath) -> &'a WorkspacePath {
        self.moves.get(path).unwrap_or(path)
    }

    /// Returns the links of a note that get another target. `target` says what each link leads to before the move.
    pub fn edits(&self, text: &str, note: &Note, target: impl Fn(&Link) -> Option<LinkTarget>) -> Vec<LinkEdit> {
        let from = self.after(&note.path);
        let edit = |link: &Link| {
            let written = text.get(link.target_range.clone()).filter(|written| !written.is_empty())?;
            let new = if link.kind.is_wiki() {
                self.wiki(from, written, &target(link)?)
            } else {
                self.markdown(note, link, written, &target(link)?)
            };
            let new = new.filter(|new| new != written)?;
            let before = text.get(link.range.clone())?.to_owned();
            let start = link.target_range.start - link.range.start;
            let after = format!("{}{new}{}", &before[..start], &before[start + written.len()..]);
            Some(LinkEdit { line: link.line, before, after, edit: ByteEdit::replace(link.target_range.clone(), new) })
        };
        note.links.iter().filter_map(edit).collect()
    }

    /// The new target of a wiki link; none if it stays.
    fn wiki(&self, from: &WorkspacePath, written: &str, target: &LinkTarget) -> Option<String> {
        let to = self.after(&target.path);
        if !target.by_path {
            let is_stale = target.by_file_title && to != &target.path;
            return is_stale.then(|| parse_text(to, "", Flavour::Logseq).title);
        }
        let table = written.ends_with('\\');
        let name = written.trim_end_matches('\\').trim();
        if name.starts_with("./") || name.starts_with("../") {
            let path = like(relative(from, to), name);
            let path = if name.starts_with("./") && !path.starts_with("../") { format!("./{path}") } else { path };
            let stays = joined(from, name).is_some_and(|path| is_same(&path, to));
            return (!stays).then_some(path);
        }
        let is_moved = to != &target.path;
        if !is_moved && self.names.find(name, from).is_some_and(|found| found.path == to) {
            return None;
        }
        let whole = like(to.as_str().to_owned(), name);
        let parts = name.split('/').count();
        let was_whole = is_same(name, &target.path);
        let short = last_parts(&whole, if was_whole && parts > 1 { usize::MAX } else { parts });
        let means_it = |name: &str| self.names.find(name, from).is_some_and(|found| found.path == to && found.only);
        let new = if means_it(short) || short == whole {
            short.to_owned()
        } else if self.names.find(&whole, from).is_some_and(|found| found.path == to) {
            whole
        } else {
            let path = like(relative(from, to), name);
            if path.starts_with("../") { path } else { format!("./{path}") }
        };
        Some(if table { new + "\\" } else { new })
    }

    /// The new destination of a Markdown link; none if it stays.
    fn markdown(&self, note: &Note, link: &Link, written: &str, target: &LinkTarget) -> Option<String> {
        let (from, to) = (self.after(&note.path), self.after(&target.path));
        if from == &note.path && to == &target.path {
            return None;
        }
        let stays = joined(from, &link.target).is_some_and(|path| is_same(&path, to));
        if stays {
            return None;
        }
        let path = match link.target.strip_prefix('/') {
            Some(_) => format!("/{to}"),
            None => relative(from, to),
        };
        let path = like(path, &link.target);
        let dot = link.target.starts_with("./") && !path.starts_with("../");
        let path = if dot { format!("./{path}") } else { path };
        Some(if link.angle { path } else { encoded(&path, written) })
    }
}

/// Leaves the ending of a note out where the link had none.
fn like(path: String, name: &str) -> String {
    if has_note_ending(name) { path } else { without_ending(&path).to_owned() }
}

/// Tells whether a name with or without its ending is a whole path.
fn is_same(name: &str, path: &WorkspacePath) -> bool {
    let (name, path) = (name.to_lowercase(), path.as_str().to_lowercase());
    name == path || name == without_ending(&path)
}

fn last_parts(path: &str, count: usize) -> &str {
    let slashes: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    match slashes.len().checked_sub(count) {
        Some(at) => &path[slashes[at] + 1..],
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, path};

    /// Moves `Notes/Old.md`; every link of the note means the file that is given.
    fn moved(own: &str, text: &str, meant: &str, to: &str, others: &[&str]) -> String {
        let files: Vec<WorkspacePath> = ["Notes/Old.md", own].iter().chain(others).map(|file| path(file)).collect();
        let relocation = relocate(&files, &[Move { from: path("Notes/Old.md"), to: path(to) }]);
        let note = parse_text(&path(own), text, Flavour::Markdown);
        let edits = relocation
            .edits(text, &note, |_| Some(LinkTarget { path: path(meant), by_path: true, by_file_title: false }));
        made(text, &edits.into_iter().map(|edit| edit.edit).collect::<Vec<_>>())
    }

    #[test]
    fn wiki_links_get_the_new_name() {
        for (before, after) in [
            ("[[Old]] ![[Old#A|b]] `[[Old]]`", "[[New]] ![[New#A|b]] `[[Old]]`"),
            ("[[Old.md]] [[Notes/Old]] [[Notes/Old.md#^x]]", "[[New.md]] [[Archive/New]] [[Archive/New.md#^x]]"),
            ("| [[Old\\|x]] |\n|---|\n", "| [[New\\|x]] |\n|---|\n"),
            ("[[./Notes/Old]]", "[[./Archive/New]]"),
        ] {
            assert_eq!(moved("a.md", before, "Notes/Old.md", "Archive/New.md", &[]), after);
        }
        let ambiguous = moved("a.md", "[[Old]]", "Notes/Old.md", "Archive/New.md", &["x/New.md"]);
        assert_eq!(ambiguous, "[[Archive/New]]");
    }

    #[test]
    fn markdown_links_keep_their_spelling() {
        for (before, after) in [
            ("[t](Notes/Old.md#h) [t](Notes/Old)", "[t](A%20b/New.md#h) [t](A%20b/New)"),
            ("[t](<Notes/Old.md>) [t](/Notes/Old.md)", "[t](<A b/New.md>) [t](/A%20b/New.md)"),
            ("[r]: Notes/Old.md \"title\"", "[r]: A%20b/New.md \"title\""),
        ] {
            assert_eq!(moved("a.md", before, "Notes/Old.md", "A b/New.md", &[]), after);
        }
    }

    #[test]
    fn moved_note_keeps_its_relative_links() {
        let (text, meant) = ("[t](../x/y.md) ![p](../x/y.md) [[y]]", "x/y.md");
        let after = moved("Notes/Old.md", text, meant, "Deep/er/Old.md", &["x/y.md"]);
        assert_eq!(after, "[t](../../x/y.md) ![p](../../x/y.md) [[y]]");
        assert_eq!(moved("Notes/Old.md", text, meant, "Notes/New.md", &["x/y.md"]), text, "in the same folder");
    }

    #[test]
    fn links_by_alias_stay() {
        let files = [path("Old.md"), path("a.md")];
        let relocation = relocate(&files, &[Move { from: path("Old.md"), to: path("New.md") }]);
        let note = parse_text(&path("a.md"), "[[Other name]]", Flavour::Markdown);
        let edits = relocation.edits("[[Other name]]", &note, |_| {
            Some(LinkTarget { path: path("Old.md"), by_path: false, by_file_title: false })
        });
        assert!(edits.is_empty());
    }

    #[test]
    fn titles_made_of_file_names_follow() {
        let files = [path("pages/a___b.md"), path("pages/x.md")];
        let relocation = relocate(&files, &[Move { from: path("pages/a___b.md"), to: path("pages/a___c.md") }]);
        let note = parse_text(&path("pages/x.md"), "- [[a/b]]", Flavour::Logseq);
        let meant = LinkTarget { path: path("pages/a___b.md"), by_path: false, by_file_title: true };
        let edits = relocation.edits("- [[a/b]]", &note, |_| Some(meant.clone()));
        assert_eq!(edits[0].after, "[[a/c]]");
    }
}
