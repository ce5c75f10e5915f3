//! The tags of all notes.

use std::collections::{BTreeMap, BTreeSet};

use super::Vault;

/// A tag, and how many notes have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagUse {
    /// As it is spelled in the first note that has it, by path.
    pub name: String,
    /// Without case.
    pub key: String,
    /// The notes with exactly this tag.
    pub notes: u32,
}

impl Vault {
    /// Returns all tags, by name without case.
    pub fn tags(&self) -> Vec<TagUse> {
        let mut tags: BTreeMap<&str, (&str, &str, u32)> = BTreeMap::new();
        for note in self.notes() {
            let mut seen = BTreeSet::new();
            for tag in note.tags.iter().filter(|tag| seen.insert(&*tag.key)) {
                let (path, name, notes) = tags.entry(&tag.key).or_insert((note.path.as_str(), &tag.name, 0));
                *notes += 1;
                if note.path.as_str() < *path {
                    (*path, *name) = (note.path.as_str(), &tag.name);
                }
            }
        }
        let used = |(key, (_, name, notes)): (&str, (&str, &str, u32))| TagUse {
            name: name.to_owned(),
            key: key.to_owned(),
            notes,
        };
        tags.into_iter().map(used).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    #[test]
    fn tags_count_notes_and_keep_the_first_spelling() {
        let mut vault = Vault::default();
        for (path, text) in [("b.md", "#TIDE #tide #a/b"), ("a.md", "#Tide"), ("c.md", "#a")] {
            vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
        }
        let shown: Vec<_> = vault.tags().into_iter().map(|tag| (tag.name, tag.notes)).collect();
        assert_eq!(shown, [("a".to_owned(), 1), ("a/b".to_owned(), 1), ("Tide".to_owned(), 2)]);
    }
}
