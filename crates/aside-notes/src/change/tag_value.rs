//! The value of `tags` in a front matter, changed in its own form: a list between brackets, a list of lines, or a text.

use std::collections::BTreeSet;

use super::{
    ByteEdit, ChangeRefused,
    lines::{ending_near, line_end, line_start, next_line},
    yaml_text::{in_block, in_flow, quoted},
};
use crate::{Entry, Scalar, Value, folded};

/// The words of a value, each with the bytes to take out with it.
pub(super) struct TagValue<'a> {
    text: &'a str,
    entry: &'a Entry,
}

/// Returns the form of a tag in which equal ones are the same.
pub(super) fn key(tag: &str) -> String {
    folded(tag.trim().trim_start_matches('#'))
}

impl<'a> TagValue<'a> {
    pub(super) const fn new(text: &'a str, entry: &'a Entry) -> Self {
        Self { text, entry }
    }

    /// Returns the keys of the tags that it has.
    pub(super) fn keys(&self) -> BTreeSet<String> {
        match &self.entry.value {
            Value::Flow(items) | Value::Block(items) => items.iter().map(|item| key(&item.text)).collect(),
            Value::Text(scalar) => words(&scalar.text).map(key).collect(),
            Value::Null | Value::Other => BTreeSet::new(),
        }
    }

    /// Returns the edits that take tags out and put others at the end.
    pub(super) fn changed(&self, add: &[&str], remove: &BTreeSet<String>) -> Result<Vec<ByteEdit>, ChangeRefused> {
        match &self.entry.value {
            Value::Null => Ok(self.filled(add)),
            Value::Flow(items) => Ok(self.flow(items, add, remove)),
            Value::Block(items) => Ok(self.block(items, add, remove)),
            Value::Text(scalar) => Ok(self.words(scalar, add, remove)),
            Value::Other => Err(ChangeRefused::NoTag { tag: self.text[self.entry.value_range.clone()].to_owned() }),
        }
    }

    /// Returns the edits that give one tag another name in its place.
    pub(super) fn renamed(&self, from: &str, to: &str) -> Vec<ByteEdit> {
        let mut edits = Vec::new();
        match &self.entry.value {
            Value::Flow(items) | Value::Block(items) => {
                let is_flow = matches!(self.entry.value, Value::Flow(_));
                for item in items.iter().filter(|item| key(&item.text) == from) {
                    let hash = if item.text.starts_with('#') { "#" } else { "" };
                    let name = format!("{hash}{to}");
                    let written = if item.plain && is_flow { in_flow(&name) } else { in_block(&name) };
                    let written = if item.plain { written } else { quoted(&name) };
                    edits.push(ByteEdit::replace(item.range.clone(), written));
                }
            }
            Value::Text(scalar) => {
                let written = &self.text[scalar.range.clone()];
                for word in words(written).filter(|word| key(unquoted(word)) == from) {
                    let word = unquoted(word);
                    let start = scalar.range.start + offset(written, word) + usize::from(word.starts_with('#'));
                    edits.push(ByteEdit::replace(start..start + word.trim_start_matches('#').len(), to));
                }
            }
            Value::Null | Value::Other => {}
        }
        edits
    }

    fn filled(&self, add: &[&str]) -> Vec<ByteEdit> {
        if add.is_empty() {
            return Vec::new();
        }
        let range = &self.entry.value_range;
        let space = if self.text[..range.start].ends_with([' ', '\t']) { "" } else { " " };
        vec![ByteEdit::replace(range.clone(), format!("{space}{}", list(add)))]
    }

    fn flow(&self, items: &[Scalar], add: &[&str], remove: &BTreeSet<String>) -> Vec<ByteEdit> {
        let stays = |item: &Scalar| !remove.contains(&key(&item.text));
        if !items.iter().any(stays) {
            return vec![ByteEdit::replace(self.entry.value_range.clone(), list(add))];
        }
        let mut edits = Vec::new();
        let mut kept_before = false;
        for (at, item) in items.iter().enumerate() {
            if stays(item) {
                kept_before = true;
            } else if kept_before {
                // With the separator before it.
                edits.push(ByteEdit::delete(items[at - 1].range.end..item.range.end));
            } else if let Some(next) = items.get(at + 1) {
                edits.push(ByteEdit::delete(item.range.start..next.range.start));
            }
        }
        if let Some(last) = items.last().filter(|_| !add.is_empty()) {
            let more: String = add.iter().map(|tag| format!(", {}", in_flow(tag))).collect();
            edits.push(ByteEdit::insert(last.range.end, more));
        }
        edits
    }

    fn block(&self, items: &[Scalar], add: &[&str], remove: &BTreeSet<String>) -> Vec<ByteEdit> {
        let text = self.text;
        let stays = |item: &&Scalar| !remove.contains(&key(&item.text));
        let gone = items.iter().filter(|item| !stays(item));
        let mut edits: Vec<ByteEdit> = gone
            .map(|item| ByteEdit::delete(line_start(text, item.range.start)..next_line(text, item.range.end)))
            .collect();
        let Some(last) = items.last() else { return edits };
        if items.iter().any(|item| stays(&item)) {
            if !add.is_empty() {
                let prefix = &text[line_start(text, last.range.start)..last.range.start];
                let ending = ending_near(text, last.range.end);
                let more: String = add.iter().map(|tag| format!("{prefix}{}{ending}", in_block(tag))).collect();
                let at = next_line(text, last.range.end);
                edits.push(ByteEdit::insert(at, more));
            }
            return edits;
        }
        let colon = self.entry.key_range.end + text[self.entry.key_range.end..].find(':').map_or(0, |found| found + 1);
        edits.push(ByteEdit::insert(colon.min(line_end(text, colon)), format!(" {}", list(add))));
        edits
    }

    fn words(&self, scalar: &Scalar, add: &[&str], remove: &BTreeSet<String>) -> Vec<ByteEdit> {
        let written = &self.text[scalar.range.clone()];
        let all: Vec<&str> = words(&scalar.text).collect();
        let stays = |word: &&&str| !remove.contains(&key(word));
        let kept: Vec<&str> = all.iter().filter(stays).copied().collect();
        let needs_list = |tag: &&str| tag.contains([',', ':', '#', '"', '\'']) || tag.contains(char::is_whitespace);
        if kept.is_empty() || add.iter().any(needs_list) {
            let whole: Vec<&str> =
                kept.iter().map(|word| word.trim_start_matches('#')).chain(add.iter().copied()).collect();
            return vec![ByteEdit::replace(scalar.range.clone(), list(&whole))];
        }
        let (open, inside) = match written.chars().next() {
            Some(quote @ ('"' | '\'')) if !scalar.plain => (quote.len_utf8(), unquoted(written)),
            _ => (0, written),
        };
        let first = scalar.range.start + open;
        let spots: Vec<(usize, &str)> = words(inside).map(|word| (first + offset(inside, word), word)).collect();
        let mut edits = Vec::new();
        let mut kept_end = None;
        for (at, (start, word)) in spots.iter().enumerate() {
            let end = start + word.len();
            match (remove.contains(&key(word)), kept_end) {
                (false, _) => kept_end = Some(end),
                (true, Some(_)) => edits.push(ByteEdit::delete(spots[at - 1].0 + spots[at - 1].1.len()..end)),
                (true, None) => {
                    let next = spots.get(at + 1).map_or(end, |next| next.0);
                    edits.push(ByteEdit::delete(*start..next));
                }
            }
        }
        if let Some((start, word)) = spots.last().filter(|_| !add.is_empty()) {
            let separator = if inside.contains(',') || spots.len() < 2 { ", " } else { " " };
            let more: String = add.iter().map(|tag| format!("{separator}{tag}")).collect();
            edits.push(ByteEdit::insert(start + word.len(), more));
        }
        edits
    }
}

/// Returns `[a, b]`.
pub(super) fn list(tags: &[&str]) -> String {
    let items: Vec<String> = tags.iter().map(|tag| in_flow(tag)).collect();
    format!("[{}]", items.join(", "))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| character == ',' || character.is_whitespace()).filter(|word| !word.is_empty())
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

/// Returns the place of a part of a text in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}
