//! A link to another note, at words of a line or in a paragraph of its own.

use super::{
    ByteEdit, ChangeRefused,
    lines::{ending_near, line_range},
};
use crate::Note;

/// The place of a new link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkPlace {
    /// The line, from 1; the end of the note if absent.
    pub line: Option<u32>,
    /// The words that become the link; the end of the line if absent.
    pub words: Option<String>,
}

/// Returns the edit that writes `[[name]]` into a note.
pub fn link_to(text: &str, note: &Note, name: &str, place: &LinkPlace) -> Result<ByteEdit, ChangeRefused> {
    if note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: note.path.clone() });
    }
    let missing = |line, words: &str| ChangeRefused::NoWords { path: note.path.clone(), line, words: words.to_owned() };
    let (line, range) = match (place.line, &place.words) {
        (None, None) => return Ok(at_end(text, note, name)),
        (Some(line), _) => {
            let range =
                line_range(text, line).ok_or_else(|| ChangeRefused::NoLine { path: note.path.clone(), line })?;
            (line, range)
        }
        (None, Some(words)) => {
            let at = free(text, note, note.body..text.len(), words).ok_or_else(|| missing(0, words))?;
            return Ok(over(at, words, name));
        }
    };
    match &place.words {
        Some(words) => {
            let at = free(text, note, range, words).ok_or_else(|| missing(line, words))?;
            Ok(over(at, words, name))
        }
        None => {
            let line = &text[range.clone()];
            let space = if line.is_empty() || line.ends_with(char::is_whitespace) { "" } else { " " };
            Ok(ByteEdit::insert(range.end, format!("{space}[[{name}]]")))
        }
    }
}

fn over(at: usize, words: &str, name: &str) -> ByteEdit {
    let link = if words == name { format!("[[{name}]]") } else { format!("[[{name}|{words}]]") };
    ByteEdit::replace(at..at + words.len(), link)
}

/// The first place of some words that is in no link yet.
fn free(text: &str, note: &Note, range: std::ops::Range<usize>, words: &str) -> Option<usize> {
    if words.is_empty() || words.contains(['[', ']', '|', '\n']) {
        return None;
    }
    let is_linked =
        |at: usize| note.links.iter().any(|link| link.range.start < at + words.len() && at < link.range.end);
    let found = text[range.clone()].match_indices(words).map(|(at, _)| range.start + at);
    found.into_iter().find(|at| !is_linked(*at))
}

fn at_end(text: &str, note: &Note, name: &str) -> ByteEdit {
    let ending = ending_near(text, text.len());
    if text[note.body..].trim().is_empty() {
        let end = if text.is_empty() || text.ends_with('\n') { ending } else { "" };
        let lead = if note.body > 0 && !text[..note.body].ends_with(['\n', '\u{feff}']) { ending } else { "" };
        return ByteEdit::insert(text.len(), format!("{lead}[[{name}]]{end}"));
    }
    if !text.ends_with('\n') {
        return ByteEdit::insert(text.len(), format!("{ending}{ending}[[{name}]]"));
    }
    let has_empty_line = text.trim_end_matches(['\n', '\r']).len() + ending.len() < text.len();
    let lead = if has_empty_line { "" } else { ending };
    ByteEdit::insert(text.len(), format!("{lead}[[{name}]]{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, note};

    fn linked(text: &str, line: Option<u32>, words: Option<&str>) -> Option<String> {
        let place = LinkPlace { line, words: words.map(str::to_owned) };
        Some(made(text, &[link_to(text, &note(text), "Plan", &place).ok()?]))
    }

    #[test]
    fn link_stands_in_a_paragraph_of_its_own() {
        for (before, after) in [
            ("text\n", "text\n\n[[Plan]]\n"),
            ("text", "text\n\n[[Plan]]"),
            ("a\r\n\r\n", "a\r\n\r\n[[Plan]]\r\n"),
            ("", "[[Plan]]\n"),
            ("---\na: b\n---\n", "---\na: b\n---\n[[Plan]]\n"),
        ] {
            assert_eq!(linked(before, None, None).as_deref(), Some(after));
        }
    }

    #[test]
    fn words_become_the_link() {
        assert_eq!(linked("see the plan\n", None, Some("the plan")).unwrap(), "see [[Plan|the plan]]\n");
        assert_eq!(linked("a\nPlan [[Plan]] Plan", Some(2), Some("Plan")).unwrap(), "a\n[[Plan]] [[Plan]] Plan");
        assert_eq!(linked("a\nb\r\n", Some(2), None).unwrap(), "a\nb [[Plan]]\r\n");
        assert_eq!((linked("a", Some(2), None), linked("[[a]]", Some(1), Some("a"))), (None, None));
    }
}
