//! Links of other notes to a file.

use std::{collections::BTreeSet, sync::Arc};

use aside_core::WorkspacePath;

use super::{Vault, day_key, name_key};
use crate::{Link, Note, folded};

/// A line of another note with a link to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlink<'a> {
    /// The other note.
    pub note: &'a Arc<Note>,
    /// The first such link of the line.
    pub link: &'a Link,
}

impl Vault {
    /// Returns the links of other notes to a file, once a line, by path and line.
    pub fn backlinks(&self, path: &WorkspacePath) -> Vec<Backlink<'_>> {
        let mut backlinks = Vec::new();
        for (note, links) in self.links_to(path) {
            if note.path == *path {
                continue;
            }
            let mut last = 0;
            for link in links {
                if link.line != last {
                    backlinks.push(Backlink { note, link });
                }
                last = link.line;
            }
        }
        backlinks
    }

    /// Returns the notes with links to a file, its own included, each with all these links.
    pub fn links_to(&self, path: &WorkspacePath) -> Vec<(&Arc<Note>, Vec<&Link>)> {
        let Some(number) = self.numbers.get(path) else { return Vec::new() };
        let means = |note: &Note, link: &&Link| {
            self.find(&note.path, link.kind, &link.target).is_some_and(|(found, ..)| found == *number)
        };
        let mut found: Vec<(&Arc<Note>, Vec<&Link>)> = Vec::new();
        for source in self.sources(*number) {
            let Some(note) = &self.file(source).note else { continue };
            let links: Vec<&Link> = note.links.iter().filter(|link| means(note, link)).collect();
            if !links.is_empty() {
                found.push((note, links));
            }
        }
        found.sort_by(|(one, _), (two, _)| one.path.cmp(&two.path));
        found
    }

    /// Notes with a link that could mean a file, itself included: it may link to itself without a name.
    fn sources(&self, number: u32) -> BTreeSet<u32> {
        let file = self.file(number);
        let mut keys = vec![name_key(file.path.name())];
        if let Some(note) = &file.note {
            keys.extend(note.aliases.iter().map(|alias| folded(alias)));
            keys.push(folded(&note.title));
            keys.extend(note.daily.map(day_key));
        }
        let mut sources: BTreeSet<u32> =
            keys.iter().filter_map(|key| self.linking.get(key)).flatten().copied().collect();
        sources.insert(number);
        sources
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flavour, parse_text};

    fn set(vault: &mut Vault, path: &str, text: &str) {
        vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
    }

    fn shown(vault: &Vault, path: &str) -> Vec<String> {
        let links = vault.backlinks(&path.parse().unwrap());
        links.iter().map(|found| format!("{}:{}", found.note.path, found.link.line)).collect()
    }

    #[test]
    fn backlinks_follow_every_change_of_the_vault() {
        let mut vault = Vault::default();
        set(&mut vault, "x/a.md", "[[B]] [[b|twice]]\n![[b]] [m](../y/b.md)\n[[A]]");
        assert!(shown(&vault, "y/b.md").is_empty());
        set(&mut vault, "y/b.md", "---\naliases: [other]\n---\n# Title\n[[#x]] [[b]]");
        set(&mut vault, "c.md", "[[OTHER]]\n[[title]]\n[[c]]");
        assert_eq!(shown(&vault, "y/b.md"), ["c.md:1", "c.md:2", "x/a.md:1", "x/a.md:2"]);
        set(&mut vault, "x/b.md", "");
        assert_eq!(shown(&vault, "y/b.md"), ["c.md:1", "c.md:2", "x/a.md:2"], "a nearer note takes the name");
        vault.remove(&"x/b.md".parse().unwrap());
        set(&mut vault, "x/a.md", "no links");
        assert_eq!(shown(&vault, "y/b.md"), ["c.md:1", "c.md:2"]);
    }

    #[test]
    fn notes_that_embed_each_other_are_only_listed() {
        let mut vault = Vault::default();
        set(&mut vault, "a.md", "![[b]]");
        set(&mut vault, "b.md", "![[a]] ![[b]]");
        assert_eq!(shown(&vault, "a.md"), ["b.md:1"]);
        assert_eq!(shown(&vault, "b.md"), ["a.md:1"]);
    }
}
