//! Searches notes by words and filters: `"a phrase"`, `path:x`, `tag:x`, `has:todo`, `before:D`, `after:D`, `related:PATH`,
//! each with `-` in front to leave out.

use std::ops::Range;

use aside_core::WorkspacePath;
use jiff::civil::Date;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::{Note, Vault, date_at_start, folded};

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteQuery {
    /// Words and phrases, as they compare, and whether each leaves out.
    words: Vec<(String, bool)>,
    filters: Vec<(Filter, bool)>,
}

/// A filter of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Filter {
    Path(String),
    Tag(String),
    HasTodo,
    Before(Date),
    After(Date),
    Related(WorkspacePath),
}

/// A place at which a note fits a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteHit {
    /// How well it fits; the most is the best.
    pub score: u32,
    /// The best line, from 1.
    pub line: u32,
    /// The bytes of the words in that line, from its start.
    pub marks: Vec<Range<usize>>,
}

impl NoteQuery {
    /// Reads a query. A filter without a sensible value is an error that says so.
    pub fn parse(query: &str) -> Result<Self, String> {
        let mut found = Self::default();
        for (part, is_phrase) in parts(query) {
            let (negated, part) = match part.strip_prefix('-') {
                Some(rest) if !is_phrase && !rest.is_empty() => (true, rest.to_owned()),
                _ => (false, part),
            };
            if !is_phrase && let Some(filter) = filter(&part)? {
                found.filters.push((filter, negated));
            } else {
                let key = search_key(part.trim_matches('"'));
                found.words.extend((!key.trim().is_empty()).then(|| (key.trim().to_owned(), negated)));
            }
        }
        Ok(found)
    }

    /// Tells whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.filters.is_empty()
    }

    /// Tells whether only filters are asked for: then all notes that fit are found, the newest first.
    pub fn has_only_filters(&self) -> bool {
        self.words.iter().all(|(_, negated)| *negated)
    }

    /// Tells whether a note passes the filters, without its text.
    pub fn admits(&self, vault: &Vault, note: &Note) -> bool {
        let passes = |filter: &Filter| match filter {
            Filter::Path(path) => folded(note.path.as_str()).starts_with(path.as_str()),
            Filter::Tag(tag) => note.has_tag(tag),
            Filter::HasTodo => !note.todos.is_empty(),
            Filter::Before(day) => note.date.is_some_and(|date| date < *day),
            Filter::After(day) => note.date.is_some_and(|date| date > *day),
            Filter::Related(path) => vault.neighbourhood(path, 1, 500).nodes.iter().any(|(near, _)| *near == note.path),
        };
        self.filters.iter().all(|(filter, negated)| passes(filter) != *negated)
    }

    /// Returns the best place of the words in a note; none if one of them is not in it. `text` is its text.
    pub fn hit(&self, note: &Note, text: &str) -> Option<NoteHit> {
        let (title, path) = (search_key(&note.title), search_key(note.path.as_str()));
        let whole = search_key(text);
        let is_in = |word: &str| whole.contains(word) || title.contains(word) || path.contains(word);
        if !self.words.iter().all(|(word, negated)| is_in(word) != *negated) {
            return None;
        }
        let wanted: Vec<&str> =
            self.words.iter().filter(|(_, negated)| !negated).map(|(word, _)| word.as_str()).collect();
        let own_words = |word: &str| {
            let in_title = if title == word { 60 } else { u32::from(title.contains(word)) * 30 };
            let in_tags = note.tags.iter().any(|tag| search_key(&tag.name).contains(word));
            let in_heading = note.headings.iter().any(|heading| search_key(&heading.text).contains(word));
            in_title + u32::from(in_tags) * 20 + u32::from(in_heading) * 10 + u32::from(path.contains(word)) * 5
        };
        let score = wanted.iter().map(|word| own_words(word) + whole.matches(word).take(9).count() as u32).sum();
        let (line, marks) = best_line(text, &wanted);
        Some(NoteHit { score, line, marks })
    }
}

/// The words of a query; those in quotes are one.
fn parts(query: &str) -> Vec<(String, bool)> {
    let (mut parts, mut rest) = (Vec::new(), query.trim_start());
    while !rest.is_empty() {
        let is_phrase = rest.starts_with('"');
        let end = if is_phrase {
            rest[1..].find('"').map_or(rest.len(), |at| at + 2)
        } else {
            // A filter's value may be in quotes.
            let mut quoted = false;
            let ends = |sign: char| {
                quoted ^= sign == '"';
                sign.is_whitespace() && !quoted
            };
            rest.find(ends).unwrap_or(rest.len())
        };
        parts.push((rest[..end].trim_matches('"').to_owned(), is_phrase));
        rest = rest[end..].trim_start();
    }
    parts
}

fn filter(part: &str) -> Result<Option<Filter>, String> {
    let Some((name, value)) = part.split_once(':') else { return Ok(None) };
    let value = value.trim_matches('"');
    let day = || {
        let found = date_at_start(value).filter(|(_, length)| *length == value.len());
        found.map(|(day, _)| day).ok_or_else(|| format!("`{value}` is no day: write `{name}:2026-12-01`"))
    };
    Ok(Some(match name {
        "path" => Filter::Path(folded(value.trim_start_matches('/'))),
        "tag" => Filter::Tag(folded(value.trim_start_matches('#').trim_end_matches('/'))),
        "has" if value == "todo" => Filter::HasTodo,
        "has" => return Err(format!("`has:{value}` is no filter; `has:todo` is one")),
        "before" => Filter::Before(day()?),
        "after" => Filter::After(day()?),
        "related" => {
            Filter::Related(value.parse().map_err(|_| format!("`{value}` is no path of a note in this workspace"))?)
        }
        _ => return Ok(None),
    }))
}

/// The line with most of the words, and where they are in it.
fn best_line(text: &str, wanted: &[&str]) -> (u32, Vec<Range<usize>>) {
    let mut best = (0, 1, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let key = search_key(line);
        let count = wanted.iter().filter(|word| key.contains(**word)).count();
        if count > best.0 {
            best = (count, number, marks(line, wanted));
        }
    }
    (best.1, best.2)
}

/// The bytes of words in a line: each character compares by itself here, to know where it was.
fn marks(line: &str, wanted: &[&str]) -> Vec<Range<usize>> {
    let (mut key, mut at) = (String::new(), Vec::new());
    for (place, character) in line.char_indices().take(20_000) {
        key.push_str(&search_key(character.encode_utf8(&mut [0; 4])));
        at.resize(key.len(), place);
    }
    at.push(line.len());
    let mut marks: Vec<Range<usize>> = wanted
        .iter()
        .flat_map(|word| key.match_indices(word).take(20).map(|(found, _)| at[found]..at[found + word.len()]))
        .filter(|mark| mark.start < mark.end)
        .collect();
    marks.sort_by_key(|mark| (mark.start, mark.end));
    marks.dedup();
    marks
}

/// Returns a text as a search compares it: without case, accents and widths; `ß` is `ss`, `œ` is `oe`.
pub fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let voiced = |mark: char| matches!(mark, '\u{3099}' | '\u{309a}');
    let whole: String = text.nfkc().collect();
    let bare: String =
        whole.to_lowercase().nfd().filter(|sign| voiced(*sign) || !is_combining_mark(*sign)).nfc().collect();
    bare.replace('ß', "ss").replace('œ', "oe").replace('æ', "ae").replace('ø', "o").replace('ł', "l").replace('ı', "i")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    fn found(query: &str) -> Vec<&'static str> {
        let notes = [
            (
                "tide.md",
                "---\ncreated: 2026-01-05\ntags: [sea/deep]\n---\n# Tide tables\nStraße, cœur, ＡＢＣ\n- [ ] x\n",
            ),
            ("x/neap.md", "# Neap\nlow tide tables here, ｶﾞ [[tide]]\n"),
            ("x/2026-11-27.md", "Café\n"),
        ];
        let mut vault = Vault::default();
        for (path, text) in notes {
            vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
        }
        let query = NoteQuery::parse(query).unwrap();
        let fits = |(path, text): &(&str, &str)| {
            let note = vault.note(&path.parse().unwrap()).unwrap();
            query.admits(&vault, note) && query.hit(note, text).is_some()
        };
        notes.into_iter().filter(fits).map(|(path, _)| path).collect()
    }

    #[test]
    fn words_and_filters_find_notes() {
        for (query, paths) in [
            ("tide", &["tide.md", "x/neap.md"][..]),
            ("\"tide tables here\"", &["x/neap.md"]),
            ("STRASSE coeur abc", &["tide.md"]),
            ("ガ", &["x/neap.md"]),
            ("cafe", &["x/2026-11-27.md"]),
            ("tide -neap", &["tide.md"]),
            ("path:x/", &["x/neap.md", "x/2026-11-27.md"]),
            ("-path:x/", &["tide.md"]),
            ("tag:sea", &["tide.md"]),
            ("has:todo", &["tide.md"]),
            ("after:2026-06-01", &["x/2026-11-27.md"]),
            ("before:2026-06-01", &["tide.md"]),
            ("related:tide.md -path:tide", &["x/neap.md"]),
        ] {
            assert_eq!(found(query), paths, "{query}");
        }
        assert!(NoteQuery::parse("  ").unwrap().is_empty());
        assert!(NoteQuery::parse("before:soon").is_err() && NoteQuery::parse("has:x").is_err());
    }

    #[test]
    fn hits_name_their_line_and_its_words() {
        let text = "# A\n\nthe Ärger\nno\n";
        let note = parse_text(&"n.md".parse().unwrap(), text, Flavour::Markdown);
        let hit = NoteQuery::parse("arger").unwrap().hit(&note, text).unwrap();
        assert_eq!((hit.line, &"the Ärger"[hit.marks[0].clone()]), (3, "Ärger"));
    }
}
