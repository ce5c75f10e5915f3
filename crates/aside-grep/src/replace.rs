//! The replacements of a pattern's matches in a text, with the rules of the editor's own replace.

use std::ops::Range;

use grep_matcher::{Captures as _, Matcher as _};
use grep_regex::RegexCaptures;

use crate::Pattern;

/// One match and the text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The line of the match, from 1.
    pub line: u32,
    /// The bytes of the match in the text.
    pub range: Range<usize>,
    /// The new text.
    pub by: String,
}

impl Pattern {
    /// Returns the replacements of all matches in a text with LF line ends, in order.
    ///
    /// Of a literal pattern, the new text is literal. Of a regular expression, `\n`, `\r`, `\t` and `\\` are characters, `$1` is a group, `$&`
    /// the match and `$$` a dollar sign. A number without a group stays as it is written.
    pub fn replacements(&self, text: &str, by: &str) -> Vec<Replacement> {
        let template = if self.is_regex { unquoted(by) } else { by.to_owned() };
        let Ok(mut captures) = self.matcher.new_captures() else { return Vec::new() };
        let (mut all, mut start) = (Vec::new(), 0);
        for (number, line) in (1..).zip(text.split('\n')) {
            let found = self.matcher.captures_iter(line.as_bytes(), &mut captures, |captures| {
                let place = captures.get(0).expect("a match has its whole");
                let by = if self.is_regex { expanded(&template, line, captures) } else { template.clone() };
                all.push(Replacement { line: number, range: start + place.start()..start + place.end(), by });
                true
            });
            debug_assert!(found.is_ok(), "this matcher has no errors");
            start += line.len() + 1;
        }
        // A match inside a character can't be replaced.
        all.retain(|one| text.is_char_boundary(one.range.start) && text.is_char_boundary(one.range.end));
        all
    }
}

/// The text with its escapes of line ends, tabs and backslashes as characters.
fn unquoted(by: &str) -> String {
    let (mut text, mut rest) = (String::new(), by);
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let meant = match after.chars().next() {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('\\') => Some('\\'),
            _ => None,
        };
        text.push(meant.unwrap_or('\\'));
        rest = if meant.is_some() { &after[1..] } else { after };
    }
    text + rest
}

/// The template with the groups of one match.
fn expanded(template: &str, line: &str, captures: &RegexCaptures) -> String {
    let group =
        |number: usize| captures.get(number).and_then(|place| line.get(place.start()..place.end())).unwrap_or_default();
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let (meant, length) = match after.chars().next() {
            Some('$') => ("$", 1),
            Some('&') => (group(0), 1),
            _ => numbered(after, captures.len()).map_or(("$", 0), |(number, length)| (group(number), length)),
        };
        text.push_str(meant);
        rest = &after[length..];
    }
    text + rest
}

/// The longest number at the beginning that is a group's, and its length.
fn numbered(text: &str, groups: usize) -> Option<(usize, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let group = |length: usize| text[..length].parse().ok().filter(|number| (1..groups).contains(number));
    (1..=digits).rev().find_map(|length| Some((group(length)?, length)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FindQuery;

    fn replaced(query: FindQuery, text: &str, by: &str) -> String {
        let mut result = text.to_owned();
        for one in Pattern::new(&query).unwrap().replacements(text, by).into_iter().rev() {
            result.replace_range(one.range, &one.by);
        }
        result
    }

    fn literal(text: &str) -> FindQuery {
        FindQuery { text: text.to_owned(), ..FindQuery::default() }
    }

    fn regex(text: &str) -> FindQuery {
        FindQuery { regex: true, ..literal(text) }
    }

    #[test]
    fn literal_replacement_keeps_its_characters() {
        assert_eq!(replaced(literal("a.b"), "a.b axb A.B", r"$1\n$&"), r"$1\n$& axb $1\n$&");
        assert_eq!(replaced(FindQuery { whole_words: true, ..literal("🌊") }, "🌊 x🌊", "~"), "~ x🌊");
    }

    #[test]
    fn regex_replacement_expands_groups_and_escapes() {
        assert_eq!(replaced(regex(r"(\w)(\w)"), "ab cd", "$2$1"), "ba dc");
        assert_eq!(replaced(regex("(b)"), "abc", r"[$&$$$1$10$2]\n\t\\n\q$"), "a[b$bb0$2]\n\t\\n\\q$c");
        assert_eq!(replaced(regex("(x)?b"), "ab", "<$1>"), "a<>", "a group that took no part is empty");
    }

    #[test]
    fn empty_matches_are_places_to_insert() {
        assert_eq!(replaced(regex("^"), "a\nb\n", "> "), "> a\n> b\n> ");
        assert_eq!(replaced(regex("$"), "a\nb", ";"), "a;\nb;");
    }

    #[test]
    fn replacement_knows_its_line() {
        let found = Pattern::new(&literal("b")).unwrap().replacements("a\nb é b\n", "c");
        let lines: Vec<_> = found.iter().map(|one| (one.line, one.range.clone())).collect();
        assert_eq!(lines, [(2, 2..3), (2, 7..8)]);
    }
}
