//! How the notebook format keeps texts of several lines: as a list of lines with their ends.

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

fn ends_line(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns the text that a string or a list of strings stands for; `None` if it is neither.
pub fn joined(value: &Raw) -> Option<String> {
    match value.items() {
        Some(items) => items.iter().map(Raw::text).collect(),
        None => value.text(),
    }
}

/// Writes a text as a list of its lines. Lines that stood in `before` keep their spelling, so that only the others change.
pub fn multiline(text: &str, before: Option<&Raw>) -> Raw {
    let known: Vec<(String, Raw)> = before
        .and_then(Raw::items)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|item| Some((item.text()?, item)))
        .filter(|(line, _)| !line.contains('\u{fffd}'))
        .collect();
    let known: std::collections::HashMap<&str, &Raw> = known.iter().map(|(line, item)| (line.as_str(), item)).collect();
    let lines: Vec<Raw> = python_lines(text)
        .into_iter()
        .map(|line| known.get(line).map_or_else(|| Raw::of_text(line), |item| (*item).clone()))
        .collect();
    Raw::of_items(&lines)
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
    fn a_line_that_stays_keeps_its_spelling() {
        let before = Raw::parse(r#"["h\u00e9\n", "b"]"#).unwrap();
        assert_eq!(multiline("hé\nç", Some(&before)).as_str(), r#"["h\u00e9\n","ç"]"#);
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
