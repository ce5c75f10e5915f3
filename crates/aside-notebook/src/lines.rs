//! How the notebook format keeps texts of several lines: as a list of lines with their ends.

use std::borrow::Cow;

use crate::Raw;

/// Splits a text into lines with their ends, as Python's `splitlines(True)` does; that also ends lines at form feeds, the separators U+001C to
/// U+001E and U+2028 and U+2029, which the format's own writer relies on.
pub fn python_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, char)) = rest.next() {
        if !ends_line(char) {
            continue;
        }
        let mut end = at + char.len_utf8();
        if char == '\r' && rest.next_if(|(_, next)| *next == '\n').is_some() {
            end += 1;
        }
        lines.push(&text[start..end]);
        start = end;
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

pub(crate) fn ends_line(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns a text with the line endings that texts of open notebooks have.
pub fn lf(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// Returns the text that a string or a list of strings stands for; `None` if it is neither.
pub fn joined(value: &Raw) -> Option<String> {
    match value.items() {
        Some(items) => items.iter().map(Raw::text).collect(),
        None => value.text(),
    }
}

/// Writes a text as a list of its lines.
pub fn multiline(text: &str) -> Raw {
    Raw::of_items(&python_lines(text).into_iter().map(Raw::of_text).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_python_ends_them() {
        assert_eq!(
            python_lines("a\r\nb\rc\n\nd\u{2028}e\x0cf\u{85}g"),
            ["a\r\n", "b\r", "c\n", "\n", "d\u{2028}", "e\x0c", "f\u{85}", "g"]
        );
        assert!(python_lines("").is_empty());
        assert_eq!(python_lines("a\n"), ["a\n"]);
    }

    #[test]
    fn strings_and_lists_of_strings_are_texts() {
        let text = |text: &str| joined(&Raw::parse(text).unwrap());
        assert_eq!(text(r#"["a\n","b"]"#).as_deref(), Some("a\nb"));
        assert_eq!(text(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert_eq!(text("[1]"), None);
        assert_eq!(text("{}"), None);
    }
}
