//! All notes of a folder, and how their links find each other. A change of one note costs only as much as its own links.

mod anchor;
mod backlinks;
mod complete;
mod graph;
mod mentions;
mod names;
mod resolve;
mod tags;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use aside_core::WorkspacePath;
use jiff::civil::Date;

pub use backlinks::Backlink;
pub use complete::Completion;
pub use graph::Neighbourhood;
pub use mentions::{Mention, MentionSearch};
pub use resolve::{FoundBy, Resolved};
pub use tags::TagUse;

use crate::{LinkKind, Note, day_of_name, folded, stem};

/// All files of a folder that links can lead to, and the notes among them.
#[derive(Clone, Debug, Default)]
pub struct Vault {
    /// By their numbers; none where a file is gone.
    files: Vec<Option<VaultFile>>,
    numbers: HashMap<WorkspacePath, u32>,
    free: Vec<u32>,
    /// By file name, without case and the ending of a note.
    names: HashMap<String, Vec<u32>>,
    /// By alias, without case.
    aliases: HashMap<String, Vec<u32>>,
    /// By title, without case.
    titles: HashMap<String, Vec<u32>>,
    days: HashMap<Date, Vec<u32>>,
    /// Notes by the names in their links: only these can link to a file of such a name.
    linking: HashMap<String, BTreeSet<u32>>,
    notes: usize,
}

#[derive(Clone, Debug)]
struct VaultFile {
    path: WorkspacePath,
    note: Option<Arc<Note>>,
}

impl Vault {
    /// Adds a note, or replaces it.
    pub fn set(&mut self, note: Arc<Note>) {
        let path = note.path.clone();
        self.put(VaultFile { path, note: Some(note) });
    }

    /// Adds a file that is no note; links can lead to it.
    pub fn set_file(&mut self, path: &WorkspacePath) {
        if self.numbers.get(path).is_none_or(|number| self.file(*number).note.is_some()) {
            self.put(VaultFile { path: path.clone(), note: None });
        }
    }

    /// Removes a note or another file; returns whether it was there.
    pub fn remove(&mut self, path: &WorkspacePath) -> bool {
        let Some(number) = self.numbers.remove(path) else { return false };
        let Some(file) = self.files[number as usize].take() else { return false };
        self.free.push(number);
        drop_number(&mut self.names, &name_key(path.name()), number);
        if let Some(note) = &file.note {
            self.notes -= 1;
            note.aliases.iter().for_each(|alias| drop_number(&mut self.aliases, &folded(alias), number));
            drop_number(&mut self.titles, &folded(&note.title), number);
            if let Some(day) = note.daily {
                drop_number(&mut self.days, &day, number);
            }
            for key in link_keys(note) {
                if let Some(sources) = self.linking.get_mut(&key) {
                    sources.remove(&number);
                    if sources.is_empty() {
                        self.linking.remove(&key);
                    }
                }
            }
        }
        true
    }

    /// Returns a note.
    pub fn note(&self, path: &WorkspacePath) -> Option<&Arc<Note>> {
        self.file(*self.numbers.get(path)?).note.as_ref()
    }

    /// Tells whether a file is there, be it a note or not.
    pub fn contains(&self, path: &WorkspacePath) -> bool {
        self.numbers.contains_key(path)
    }

    /// Returns all notes, in no order.
    pub fn notes(&self) -> impl Iterator<Item = &Arc<Note>> {
        self.files.iter().flatten().filter_map(|file| file.note.as_ref())
    }

    /// Returns all notes, by path.
    pub fn sorted_notes(&self) -> Vec<&Arc<Note>> {
        let mut notes: Vec<_> = self.notes().collect();
        notes.sort_by(|one, two| one.path.cmp(&two.path));
        notes
    }

    /// Returns the paths of all files, notes included, in no order.
    pub fn paths(&self) -> impl Iterator<Item = &WorkspacePath> {
        self.files.iter().flatten().map(|file| &file.path)
    }

    /// Returns the number of notes.
    pub fn len(&self) -> usize {
        self.notes
    }

    /// Tells whether there is no note.
    pub fn is_empty(&self) -> bool {
        self.notes == 0
    }

    /// Returns the notes of a day, the best first.
    pub fn notes_of_day(&self, day: Date) -> Vec<&WorkspacePath> {
        let mut paths: Vec<_> = self.days.get(&day).into_iter().flatten().map(|one| &self.file(*one).path).collect();
        paths.sort_by_key(|path| (path.as_str().matches('/').count(), path.as_str()));
        paths
    }

    fn put(&mut self, file: VaultFile) {
        self.remove(&file.path);
        let number = self.free.pop().unwrap_or(self.files.len() as u32);
        self.numbers.insert(file.path.clone(), number);
        self.names.entry(name_key(file.path.name())).or_default().push(number);
        if let Some(note) = &file.note {
            self.notes += 1;
            for alias in &note.aliases {
                self.aliases.entry(folded(alias)).or_default().push(number);
            }
            self.titles.entry(folded(&note.title)).or_default().push(number);
            if let Some(day) = note.daily {
                self.days.entry(day).or_default().push(number);
            }
            for key in link_keys(note) {
                self.linking.entry(key).or_default().insert(number);
            }
        }
        if number as usize == self.files.len() {
            self.files.push(Some(file));
        } else {
            self.files[number as usize] = Some(file);
        }
    }

    fn file(&self, number: u32) -> &VaultFile {
        self.files[number as usize].as_ref().expect("the indexes name files that are there")
    }
}

fn drop_number<K: std::hash::Hash + Eq>(index: &mut HashMap<K, Vec<u32>>, key: &K, number: u32) {
    if let Some(numbers) = index.get_mut(key) {
        numbers.retain(|other| *other != number);
        if numbers.is_empty() {
            index.remove(key);
        }
    }
}

/// A file name as names are looked up: without case and the endings of notes.
fn name_key(name: &str) -> String {
    let mut name = name;
    while stem(name).len() < name.len() {
        name = stem(name);
    }
    folded(name)
}

/// Names under which the links of a note are looked up.
fn link_keys(note: &Note) -> BTreeSet<String> {
    note.links.iter().flat_map(|link| target_keys(link.kind, &link.target)).collect()
}

fn target_keys(kind: LinkKind, target: &str) -> Vec<String> {
    let last = target.trim_end_matches('/').rsplit('/').next().unwrap_or(target);
    let mut keys = vec![name_key(last)];
    if kind.is_wiki() {
        let whole = folded(target);
        if whole != keys[0] {
            keys.push(whole);
        }
        keys.extend(day_of_name(target).map(day_key));
    }
    keys.retain(|key| !key.is_empty());
    keys
}

/// Days have keys that are no names.
fn day_key(day: Date) -> String {
    format!("\0{day}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flavour, parse_text};

    fn note(path: &str, text: &str) -> Arc<Note> {
        Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown))
    }

    #[test]
    fn removed_notes_leave_nothing_behind() {
        let mut vault = Vault::default();
        let first = note("a/2026-11-27.md", "---\naliases: [x]\n---\n# T\n[[y]] [m](b/z.md) [[2026-11-28]]");
        vault.set(Arc::clone(&first));
        vault.set(Arc::clone(&first));
        vault.set_file(&"a/p.png".parse().unwrap());
        assert_eq!((vault.len(), vault.paths().count()), (1, 2));
        assert!(vault.remove(&first.path) && !vault.remove(&first.path));
        assert!(vault.remove(&"a/p.png".parse().unwrap()));
        assert!(vault.is_empty() && vault.names.is_empty() && vault.aliases.is_empty() && vault.titles.is_empty());
        assert!(vault.days.is_empty() && vault.linking.is_empty() && vault.numbers.is_empty());
    }

    #[test]
    fn numbers_of_removed_files_are_used_again() {
        let mut vault = Vault::default();
        for _ in 0..10 {
            vault.set(note("a.md", "[[b]]"));
            vault.set(note("b.md", ""));
            vault.remove(&"b.md".parse().unwrap());
        }
        assert_eq!(vault.files.len(), 2);
    }
}
