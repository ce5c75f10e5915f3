//! Offers for a link, a heading or a tag while somebody types.

use aside_core::WorkspacePath;

use super::Vault;
use crate::{folded, stem};

/// One offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text to put in.
    pub insert: String,
    /// The words to show.
    pub label: String,
    /// A second line.
    pub detail: String,
    /// The file.
    pub path: Option<WorkspacePath>,
    /// The line of a heading.
    pub line: Option<u32>,
}

/// How well words fit; the least is the best.
type Rank = (u32, usize, String);

impl Vault {
    /// Returns the notes and files whose name, title or alias has the words of a text, the best first; and whether there
    /// are more.
    pub fn complete_names(&self, from: &WorkspacePath, text: &str, most: usize) -> (Vec<Completion>, bool) {
        let wanted = folded(text.trim());
        let mut ranked: Vec<(Rank, u32, &str)> = Vec::new();
        for number in self.numbers.values() {
            let file = self.file(*number);
            let named: Vec<&str> = match &file.note {
                Some(note) => {
                    let own = [stem(file.path.name()), &*note.title];
                    own.into_iter().chain(note.aliases.iter().map(String::as_str)).collect()
                }
                None => vec![file.path.name()],
            };
            let best = named.into_iter().filter_map(|name| Some((rank(name, &wanted)?, name))).min();
            let by_path = || rank(file.path.as_str(), &wanted).map(|(level, ..)| (level + 4, 0, file.path.to_string()));
            let best = best.or_else(|| Some((by_path()?, stem(file.path.name()))));
            if let Some(((level, length, key), name)) = best {
                let level = if file.note.is_some() { level } else { level + 8 };
                ranked.push(((level, length, key + "\0" + file.path.as_str()), *number, name));
            }
        }
        let more = ranked.len() > most;
        ranked.sort_unstable();
        ranked.truncate(most);
        let offer = |(_, number, name): (Rank, u32, &str)| {
            let path = &self.file(number).path;
            Completion {
                insert: self.link_target(from, path),
                label: name.to_owned(),
                detail: path.to_string(),
                path: Some(path.clone()),
                line: None,
            }
        };
        (ranked.into_iter().map(offer).collect(), more)
    }

    /// Returns the headings of a note with the words of a text, in their order; and whether there are more.
    pub fn complete_headings(&self, note: &WorkspacePath, text: &str, most: usize) -> (Vec<Completion>, bool) {
        let wanted = folded(text.trim());
        let headings = self.note(note).map_or(&[][..], |note| &note.headings);
        let offers =
            headings.iter().filter(|heading| rank(&heading.text, &wanted).is_some()).map(|heading| Completion {
                insert: heading
                    .text
                    .replace(['#', '|', '^', '[', ']'], " ")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                label: heading.text.clone(),
                detail: "#".repeat(usize::from(heading.level)),
                path: Some(note.clone()),
                line: Some(heading.line),
            });
        bounded(offers, most)
    }

    /// Returns the tags with the words of a text, the most used first; and whether there are more.
    pub fn complete_tags(&self, text: &str, most: usize) -> (Vec<Completion>, bool) {
        let wanted = folded(text.trim_start_matches('#'));
        let mut found: Vec<_> =
            self.tags().into_iter().filter_map(|tag| Some((rank(&tag.name, &wanted)?.0, tag))).collect();
        found.sort_by(|(one, a), (two, b)| one.cmp(two).then(b.notes.cmp(&a.notes)).then(a.key.cmp(&b.key)));
        let offers = found.into_iter().map(|(_, tag)| Completion {
            insert: tag.name.clone(),
            label: tag.name,
            detail: tag.notes.to_string(),
            path: None,
            line: None,
        });
        bounded(offers, most)
    }
}

fn bounded(offers: impl Iterator<Item = Completion>, most: usize) -> (Vec<Completion>, bool) {
    let mut offers: Vec<_> = offers.take(most + 1).collect();
    let more = offers.len() > most;
    offers.truncate(most);
    (offers, more)
}

/// Ranks a name: whole, at its start, at the start of a word, inside, its letters in order.
fn rank(name: &str, wanted: &str) -> Option<Rank> {
    let key = folded(name);
    let level = if key == wanted {
        0
    } else if key.starts_with(wanted) {
        1
    } else if let Some(at) = key.find(wanted) {
        2 + u32::from(key[..at].ends_with(char::is_alphanumeric))
    } else {
        let mut letters = key.chars();
        let in_order = wanted.chars().all(|wanted| letters.any(|letter| letter == wanted));
        if !in_order {
            return None;
        }
        12
    };
    Some((level, key.len(), key))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    #[test]
    fn offers_are_the_best_first() {
        let mut vault = Vault::default();
        for (path, text) in [
            ("tide.md", "# Tide tables #sea\n## Low # water"),
            ("x/tidewater.md", "#sea #Tide"),
            ("neap.md", "---\naliases: [low tide]\n---\n"),
            ("other.md", ""),
        ] {
            vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
        }
        vault.set_file(&"tide.png".parse().unwrap());
        let from = "other.md".parse().unwrap();
        let names = |text: &str| {
            let (offers, more) = vault.complete_names(&from, text, 4);
            (offers.into_iter().map(|offer| offer.insert).collect::<Vec<_>>(), more)
        };
        let all = ["tide", "tidewater", "neap", "tide.png"].map(str::to_owned).to_vec();
        assert_eq!(names("tide"), (all, false));
        assert_eq!(names("tdw").0, ["tidewater"]);
        assert!(names("").1);
        let (headings, _) = vault.complete_headings(&"tide.md".parse().unwrap(), "low", 9);
        assert_eq!((headings[0].insert.as_str(), headings[0].line), ("Low water", Some(2)));
        let (tags, more) = vault.complete_tags("", 1);
        assert_eq!((tags[0].insert.as_str(), tags[0].detail.as_str(), more), ("sea", "2", true));
    }
}
