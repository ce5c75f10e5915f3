//! Finds the file that a link means.

use aside_core::WorkspacePath;

use super::{Vault, name_key};
use crate::{Link, LinkKind, Note, day_of_name, folded, nfc, stem};

/// The way by which a link found its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// It names only a heading or block of its own note.
    Itself,
    /// By a path from the linking note's folder, or from the root.
    Path,
    /// By the end of its path, in most cases the file's name.
    Name,
    /// The same without case.
    NameWithoutCase,
    /// By another name of the note.
    Alias,
    /// By its title.
    Title,
    /// By its day.
    Day,
}

/// The form in which two names are compared.
type Form = fn(&str) -> String;

/// The file that a link means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The file.
    pub path: WorkspacePath,
    /// The way by which it was found.
    pub by: FoundBy,
    /// Others could be meant too.
    pub ambiguous: bool,
    /// The line of its anchor; none if there is no anchor, or no such heading or block.
    pub anchor_line: Option<u32>,
    /// The anchor is there; none if the link has none.
    pub anchor_found: Option<bool>,
}

impl Vault {
    /// Returns the file that a link of a note means.
    pub fn resolve(&self, from: &WorkspacePath, link: &Link) -> Option<Resolved> {
        let is_wiki = link.kind.is_wiki();
        let (number, by, ambiguous) = self.find(from, link.kind, &link.target)?;
        let file = self.file(number);
        let anchor_line = link.anchor.as_deref().and_then(|anchor| file.note.as_ref()?.anchor_line(anchor, !is_wiki));
        let anchor_found = link.anchor.as_ref().map(|_| anchor_line.is_some());
        Some(Resolved { path: file.path.clone(), by, ambiguous, anchor_line, anchor_found })
    }

    /// Returns the file that a target without anchor means in a note.
    pub fn resolve_target(&self, from: &WorkspacePath, kind: LinkKind, target: &str) -> Option<Resolved> {
        let (number, by, ambiguous) = self.find(from, kind, target)?;
        let path = self.file(number).path.clone();
        Some(Resolved { path, by, ambiguous, anchor_line: None, anchor_found: None })
    }

    pub(super) fn find(&self, from: &WorkspacePath, kind: LinkKind, target: &str) -> Option<(u32, FoundBy, bool)> {
        if target.is_empty() {
            return Some((*self.numbers.get(from)?, FoundBy::Itself, false));
        }
        if kind.is_wiki() { self.find_wiki(from, target) } else { self.find_markdown(from, target) }
    }

    fn find_markdown(&self, from: &WorkspacePath, target: &str) -> Option<(u32, FoundBy, bool)> {
        let path = match target.strip_prefix('/') {
            Some(rooted) => joined("", rooted)?,
            None => joined(folder(from.as_str()), target)?,
        };
        self.at_path(from, &path).map(|(number, ambiguous)| (number, FoundBy::Path, ambiguous))
    }

    fn find_wiki(&self, from: &WorkspacePath, target: &str) -> Option<(u32, FoundBy, bool)> {
        if target.starts_with("./") || target.starts_with("../") {
            return self.find_markdown(from, target);
        }
        let rooted = target.trim_start_matches('/');
        let candidates = self.candidates(rooted);
        if target.contains('/') {
            let wanted = nfc(rooted);
            let exact = candidates.iter().copied().filter(|number| self.is_at(*number, &wanted, nfc));
            if let Some((number, ambiguous)) = self.best(from, exact.collect()) {
                return Some((number, FoundBy::Path, ambiguous));
            }
        }
        let steps: [(FoundBy, Form); 2] = [(FoundBy::Name, nfc), (FoundBy::NameWithoutCase, folded)];
        for (by, form) in steps {
            let wanted = form(rooted);
            let ending = candidates.iter().copied().filter(|number| self.ends_with(*number, &wanted, form));
            if let Some((number, ambiguous)) = self.best(from, ending.collect()) {
                return Some((number, by, ambiguous));
            }
        }
        let name = folded(target);
        let days = day_of_name(target).and_then(|day| self.days.get(&day));
        let rest =
            [(FoundBy::Alias, self.aliases.get(&name)), (FoundBy::Title, self.titles.get(&name)), (FoundBy::Day, days)];
        rest.into_iter()
            .find_map(|(by, found)| self.best(from, found?.clone()).map(|(number, ambiguous)| (number, by, ambiguous)))
    }

    /// Files whose name is the last part of a target, or would be with the ending of a note.
    fn candidates(&self, target: &str) -> &[u32] {
        let last = target.trim_end_matches('/').rsplit('/').next().unwrap_or(target);
        self.names.get(&name_key(last)).map_or(&[], Vec::as_slice)
    }

    /// The file at a path from the root, with or without the ending of a note; without case if nothing has the case.
    fn at_path(&self, from: &WorkspacePath, path: &str) -> Option<(u32, bool)> {
        if path.ends_with('/') {
            return None;
        }
        let forms: [Form; 2] = [nfc, folded];
        forms.into_iter().find_map(|form| {
            let wanted = form(path);
            let found: Vec<u32> =
                self.candidates(path).iter().copied().filter(|number| self.is_at(*number, &wanted, form)).collect();
            // A file of exactly this name goes before one that only the ending of a note makes fit.
            let whole = found.iter().copied().find(|number| form(self.file(*number).path.as_str()) == wanted);
            whole.map(|number| (number, false)).or_else(|| self.best(from, found))
        })
    }

    fn is_at(&self, number: u32, wanted: &str, form: Form) -> bool {
        let file = self.file(number);
        form(file.path.as_str()) == wanted || (file.note.is_some() && form(stem(file.path.as_str())) == wanted)
    }

    fn ends_with(&self, number: u32, wanted: &str, form: Form) -> bool {
        let ends = |path: &str| {
            let path = form(path);
            path.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let file = self.file(number);
        ends(file.path.as_str()) || (file.note.is_some() && ends(stem(file.path.as_str())))
    }

    /// The best of several: in the linking note's own folder, else with the fewest parts, else the first by bytes.
    fn best(&self, from: &WorkspacePath, mut numbers: Vec<u32>) -> Option<(u32, bool)> {
        numbers.sort_unstable();
        numbers.dedup();
        let own = folder(from.as_str());
        let rank = |number: &u32| {
            let path = self.file(*number).path.as_str();
            (folder(path) != own, path.matches('/').count(), path)
        };
        let best = numbers.iter().min_by_key(|number| rank(number)).copied()?;
        Some((best, numbers.len() > 1))
    }
}

/// The folder of a path, without `/` at its end; empty for the root.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path from the root for one from a folder; none if it leaves the root.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let slash = if path.ends_with('/') { "/" } else { "" };
    Some(parts.join("/") + slash)
}

impl Note {
    /// Returns the line of a heading or block; headings also by their slugs if the link is one of Markdown.
    pub fn anchor_line(&self, anchor: &str, by_slug: bool) -> Option<u32> {
        super::anchor::line_of(self, anchor, by_slug)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    fn vault(files: &[(&str, &str)]) -> Vault {
        let mut vault = Vault::default();
        for (path, text) in files {
            let path = path.parse().unwrap();
            match crate::is_note(&path) {
                true => vault.set(Arc::new(parse_text(&path, text, Flavour::Markdown))),
                false => vault.set_file(&path),
            }
        }
        vault
    }

    #[track_caller]
    fn check(vault: &Vault, from: &str, target: &str, expected: Option<&str>) {
        let kind = if target.ends_with(')') { LinkKind::Markdown } else { LinkKind::Wiki };
        let inner = target.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
        let found = vault.resolve_target(&from.parse().unwrap(), kind, inner);
        let shown = found.map(|found| format!("{}{}", found.path, if found.ambiguous { " ?" } else { "" }));
        assert_eq!(shown.as_deref(), expected, "{target} from {from}");
    }

    #[test]
    fn wiki_links_find_notes_step_by_step() {
        let vault = vault(&[
            ("Home.md", "---\naliases: [Start, b/c]\n---"),
            ("a/Home.md", "# Title of a"),
            ("a/b/c.md", ""),
            ("x.ipynb", ""),
            ("u\u{308}.md", ""),
            ("2026_11_27.md", ""),
            ("v1.2.md", ""),
            ("d/Case.md", ""),
            ("e/case.md", ""),
        ]);
        for (from, target, expected) in [
            ("Home.md", "[[a/Home]]", Some("a/Home.md")),
            ("a/b/c.md", "[[Home]]", Some("Home.md ?")),
            ("a/Home.md", "[[Home.md]]", Some("a/Home.md ?")),
            ("a/Home.md", "[[/Home]]", Some("Home.md")),
            ("Home.md", "[[b/c]]", Some("a/b/c.md")),
            ("a/b/c.md", "[[../Home]]", Some("a/Home.md")),
            ("a/b/c.md", "[[../../../Home]]", None),
            ("Home.md", "[[./c]]", None),
            ("Home.md", "[[start]]", Some("Home.md")),
            ("Home.md", "[[TITLE OF A]]", Some("a/Home.md")),
            ("Home.md", "[[x.ipynb]]", Some("x.ipynb")),
            ("Home.md", "[[x]]", None),
            ("Home.md", "[[\u{fc}]]", Some("u\u{308}.md")),
            ("Home.md", "[[Nov 27th, 2026]]", Some("2026_11_27.md")),
            ("Home.md", "[[v1.2]]", Some("v1.2.md")),
            ("Home.md", "[[Case]]", Some("d/Case.md")),
            ("Home.md", "[[CASE]]", Some("d/Case.md ?")),
        ] {
            check(&vault, from, target, expected);
        }
    }

    #[test]
    fn markdown_links_are_paths() {
        let vault =
            vault(&[("a/B.md", ""), ("a/c.md", ""), ("a/c", ""), ("d.MD", ""), ("f/g.markdown", ""), ("p.png", "")]);
        for (from, target, expected) in [
            ("a/c.md", "(B.md)", Some("a/B.md")),
            ("a/c.md", "(b)", Some("a/B.md")),
            ("a/c.md", "(/d)", Some("d.MD")),
            ("a/c.md", "(../p.png)", Some("p.png")),
            ("a/c.md", "(./c)", Some("a/c")),
            ("a/c.md", "(../../p.png)", None),
            ("d.MD", "(a/)", None),
            ("d.MD", "(B.md)", None),
            ("d.MD", "(f/g)", Some("f/g.markdown")),
        ] {
            check(&vault, from, target, expected);
        }
    }
}
