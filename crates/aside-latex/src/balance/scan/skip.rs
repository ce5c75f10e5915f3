//! What is passed over: names in braces, verbatim text, addresses, definitions.

use super::{Scan, Sort, command_name};
use crate::balance::names::DEFINING;

/// The longest verbatim text within a line.
const LONGEST_INLINE: usize = 4096;

impl<'a> Scan<'a> {
    /// The text in the braces that come next, on one line.
    pub(super) fn braced(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let inner = rest.trim_start_matches([' ', '\t']).strip_prefix('{')?;
        let end = inner.find(['}', '{', '\n', '\\'])?;
        if inner.as_bytes()[end] != b'}' {
            return None;
        }
        self.at += rest.len() - inner.len() + end + 1;
        Some(inner[..end].trim())
    }

    pub(super) fn skip_delimiter(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let delimiter = match trimmed.strip_prefix('\\') {
            Some(name) => 1 + command_name(name).len(),
            None if trimmed.starts_with(['{', '}', '$', '%', '\n']) => 0,
            None => trimmed.chars().next().map_or(0, char::len_utf8),
        };
        self.at += rest.len() - trimmed.len() + delimiter;
    }

    pub(super) fn inline(&mut self, name: &str) {
        if self.rest().starts_with('*') {
            self.at += 1;
        }
        if self.rest().starts_with('[') {
            self.at += self.rest().find([']', '\n']).map_or(0, |end| end + 1);
        }
        if name == "mintinline" && self.braced().is_none() {
            return;
        }
        let rest = self.rest();
        let Some(sign) =
            rest.chars().next().filter(|sign| !sign.is_ascii_alphabetic() && *sign != '{' && !sign.is_whitespace())
        else {
            return;
        };
        let inner = &rest[sign.len_utf8()..];
        let line = first_line(inner);
        if let Some(length) = line.find(sign) {
            self.at += 2 * sign.len_utf8() + length;
        }
    }

    pub(super) fn address(&mut self) {
        let rest = first_line(self.rest());
        if let Some(end) = rest.find('}').filter(|&end| rest.starts_with('{') && !rest[1..end].contains('{')) {
            self.at += end + 1;
        }
    }

    pub(super) fn definition(&mut self, name: &str) {
        let Some(&(_, groups)) = DEFINING.iter().find(|(defining, _)| *defining == name) else { return };
        let plain = name.ends_with("def");
        let rest = self.rest().trim_start_matches(['*', ' ']);
        let braced = !plain && rest.starts_with('{');
        if plain {
            let head = first_line(self.rest()).find('{').unwrap_or(0);
            self.at += head;
        } else if let Some(defined) = rest.strip_prefix('\\') {
            self.at += self.rest().len() - defined.len() + command_name(defined).len();
        }
        self.loosely(groups + usize::from(braced));
    }

    /// Reads so many groups in which only braces count, and what is in brackets between them.
    pub(super) fn loosely(&mut self, groups: usize) {
        for _ in 0..groups {
            let rest = self.rest();
            let mut next = rest.trim_start_matches([' ', '\t', '*', '\n', '%']);
            while let Some(end) = next.strip_prefix('[').and_then(|inner| inner.find([']', '\n'])) {
                next = next[end + 2..].trim_start_matches([' ', '\t', '\n', '%']);
            }
            if !next.starts_with('{') {
                return;
            }
            self.at += rest.len() - next.len();
            self.group();
        }
    }

    pub(super) fn group(&mut self) {
        let start = self.at;
        let depth = self.open.len();
        self.at += 1;
        self.push(Sort::Brace { loose: true }, "{", start);
        while self.at < self.text.len() && self.open.len() > depth && self.step() {}
    }

    pub(super) fn skip_past(&mut self, end: &str) {
        self.at += self.rest().find(end).map_or(0, |length| length + end.len());
    }
}

/// The rest of a line, as far as it is looked at.
fn first_line(text: &str) -> &str {
    let near = &text[..text.floor_char_boundary(LONGEST_INLINE)];
    &near[..near.find('\n').unwrap_or(near.len())]
}
