//! Finds lines that name a note without a link to it.

use std::ops::Range;

use crate::{Note, folded, stem};

/// A search for the names of a note in other texts.
#[derive(Clone, Debug)]
pub struct MentionSearch {
    /// Folded names, the longest first.
    names: Vec<String>,
}

/// A line that names a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The line, from 1.
    pub line: u32,
    /// The bytes of the name.
    pub range: Range<usize>,
}

/// Shorter names are in too many lines.
const LEAST_LETTERS: usize = 3;

impl MentionSearch {
    /// Searches for the title, the aliases and the file name of a note; none if all are too short or only digits.
    pub fn new(note: &Note) -> Option<Self> {
        let own = [&*note.title, stem(note.path.name())];
        let mut names: Vec<String> =
            own.into_iter().chain(note.aliases.iter().map(String::as_str)).map(|name| folded(name.trim())).collect();
        let is_name = |name: &String| {
            name.chars().count() >= LEAST_LETTERS && name.contains(|letter: char| letter.is_alphabetic())
        };
        names.retain(is_name);
        names.sort_by_key(|name| (std::cmp::Reverse(name.len()), name.clone()));
        names.dedup();
        (!names.is_empty()).then_some(Self { names })
    }

    /// Tells whether a text may have one of the names: without it, a search finds nothing.
    pub fn may_be_in(&self, text: &str) -> bool {
        let text = folded(text);
        self.names.iter().any(|name| text.contains(name.as_str()))
    }

    /// Returns the lines of another note that have one of the names as whole words outside links and front matter, each
    /// once. `text` is the text that the note was parsed from.
    pub fn mentions(&self, note: &Note, text: &str, most: usize) -> Vec<Mention> {
        let (mut found, mut start) = (Vec::new(), 0);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let at = start;
            start += line.len();
            if at < note.body || found.len() == most {
                continue;
            }
            let words = line.trim_end_matches(['\n', '\r']);
            let place = self.names.iter().find_map(|name| {
                places(words, name).into_iter().map(|range| at + range.start..at + range.end).find(|range| {
                    let next = note.links.partition_point(|link| link.range.end <= range.start);
                    note.links.get(next).is_none_or(|link| link.range.start >= range.end)
                })
            });
            found.extend(place.map(|range| Mention { line: number, range }));
        }
        found
    }
}

/// The bytes of a folded name in a line, as whole words.
fn places(line: &str, name: &str) -> Vec<Range<usize>> {
    let key = folded(line);
    if !key.contains(name) {
        return Vec::new();
    }
    // Folding may change lengths: then each character is folded by itself, to know where it was.
    let (mut text, mut at) = (String::new(), Vec::new());
    for (place, character) in line.char_indices() {
        text.extend(character.to_lowercase());
        at.resize(text.len(), place);
    }
    at.push(line.len());
    let is_word = |side: Option<char>| side.is_some_and(|side| side.is_alphanumeric() || side == '_');
    let whole = |range: &Range<usize>| {
        !is_word(line[..range.start].chars().next_back()) && !is_word(line[range.end..].chars().next())
    };
    text.match_indices(name).map(|(found, _)| at[found]..at[found + name.len()]).filter(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flavour, parse_text};

    #[test]
    fn mentions_are_whole_words_outside_links() {
        let note =
            parse_text(&"Über tide.md".parse().unwrap(), "---\naliases: [neap, ab, 2026]\n---\n", Flavour::Markdown);
        let search = MentionSearch::new(&note).unwrap();
        let text = "---\nx: neap\n---\nNEAP and ab\n[[neap]] only\n[[x]] ÜBER TIDE!\nneaps\nİ neap\n2026\n";
        let other = parse_text(&"o.md".parse().unwrap(), text, Flavour::Markdown);
        let shown: Vec<_> =
            search.mentions(&other, text, 9).into_iter().map(|found| (found.line, &text[found.range])).collect();
        assert_eq!(shown, [(4, "NEAP"), (6, "ÜBER TIDE"), (8, "neap")]);
        let digits = parse_text(&"2026.md".parse().unwrap(), "", Flavour::Markdown);
        assert!(MentionSearch::new(&digits).is_none());
    }
}
