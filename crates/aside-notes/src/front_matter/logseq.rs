//! Reads the front matter of a note in a Logseq graph: `key:: value` lines at the top.

use std::ops::Range;

use super::{FrontMatterEntry, Scalar, Value};

/// Reads the entries at the start of a text; returns them and the first byte behind their lines.
pub(crate) fn entries(text: &str, start: usize) -> (Vec<FrontMatterEntry>, usize) {
    let (mut entries, mut at, mut line) = (Vec::new(), start, 1);
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
        let Some(entry) = entry(text, at..end, line) else { break };
        entries.push(entry);
        (at, line) = (end, line + 1);
    }
    (entries, at)
}

fn entry(text: &str, range: Range<usize>, line: u32) -> Option<FrontMatterEntry> {
    let whole = text[range.clone()].trim_end();
    let (key, value) = whole.split_once("::")?;
    let is_key = !key.is_empty() && !key.contains(|character: char| character.is_whitespace() || character == ':');
    if !is_key || key.starts_with(['-', '*', '#', '>', '`']) || !(value.is_empty() || value.starts_with([' ', '\t'])) {
        return None;
    }
    let key_range = range.start..range.start + key.len();
    let trimmed = value.trim_start();
    let end = range.start + whole.len();
    let value_range = if trimmed.is_empty() { key_range.end + 2..key_range.end + 2 } else { end - trimmed.len()..end };
    let scalar = Scalar { text: trimmed.to_owned(), range: value_range.clone(), plain: true };
    let value = if trimmed.is_empty() { Value::Null } else { Value::Text(scalar) };
    Some(FrontMatterEntry { key: key.to_lowercase(), line, key_range, value_range, value })
}

/// Splits a value at the commas outside `[[…]]`; `[[x]]` and `#x` are x.
pub(crate) fn items(text: &str, start: usize) -> Vec<Scalar> {
    let (mut items, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, character) in text.char_indices().chain([(text.len(), ',')]) {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth <= 0 || at == text.len() => {
                items.extend(item(&text[from..at], start + from));
                from = at + 1;
            }
            _ => {}
        }
    }
    items
}

fn item(text: &str, start: usize) -> Option<Scalar> {
    let mut inner = text.trim();
    inner = inner.strip_prefix('#').unwrap_or(inner);
    if let Some(name) = inner.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        inner = name.trim();
    }
    let from = start + (inner.as_ptr() as usize - text.as_ptr() as usize);
    let scalar = Scalar { text: inner.to_owned(), range: from..from + inner.len(), plain: true };
    (!inner.is_empty()).then_some(scalar)
}
