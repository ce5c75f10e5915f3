//! Adds the finds of a line: headings, targets of references, ids of blocks, todos.

use std::ops::Range;

use super::{
    blocks::Scanner,
    destination::{destination, link},
    inline::within,
    nesting::Cursor,
    words::{heading_words, slug},
};
use crate::{
    Heading, LinkKind, NoteBlock,
    todo::read::{TodoLine, todo},
};

impl Scanner<'_> {
    pub(super) fn heading(&mut self, level: u8, line: u32, range: Range<usize>, words: Range<usize>) {
        let text = heading_words(&self.text[words.clone()]);
        if text.is_empty() {
            return;
        }
        if level == 1 && self.found.title.is_none() && self.quotes() == 0 {
            self.found.title = Some((text.clone(), words.clone()));
        }
        let slug = slug(&text);
        self.found.headings.push(Heading { text, slug, level, line, range, words });
    }

    /// `[label]: target`.
    pub(super) fn definition(&mut self, at: usize, number: u32, cursor: &Cursor<'_>) -> bool {
        let rest = cursor.rest();
        let Some(label) = rest.strip_prefix('[').filter(|label| !label.starts_with('^')) else { return false };
        let Some(close) = label.find(']').filter(|close| !label[..*close].trim().is_empty()) else { return false };
        if label[..close].contains('[') || !label[close + 1..].starts_with(':') {
            return false;
        }
        let behind = cursor.at + close + 3;
        let inside = &self.text[behind..cursor.end];
        let start = behind + (inside.len() - inside.trim_start().len());
        let Some(target) = destination(self.text, start, cursor.end).filter(|target| target.end > start) else {
            return false;
        };
        let line = self.lines[at].start;
        let is_alone = self.text[line..cursor.at].bytes().all(|byte| byte == b' ');
        let first = if is_alone { line } else { cursor.at };
        let kind = LinkKind::Reference;
        self.found.links.extend(link(self.text, kind, number, first..target.end, &target));
        true
    }

    /// `^id` at the end of a line.
    pub(super) fn block_id(&mut self, number: u32, from: usize, end: usize) {
        let line = self.text[from..end].trim_end();
        let Some(hat) = line.rfind('^') else { return };
        let id = &line[hat + 1..];
        let begins = line[..hat].chars().next_back().is_none_or(char::is_whitespace);
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let range = from + hat..from + line.len();
        if begins && is_id && within(&self.masks, &range).is_empty() {
            self.found.blocks.push(NoteBlock { id: id.to_owned(), line: number, range });
        }
    }

    pub(super) fn todo(&mut self, at: usize, number: u32, bullet: Range<usize>, indent: u32) {
        let line = self.lines[at];
        let masks = within(&self.masks, &line.range());
        let block = self.found.blocks.last().filter(|block| block.line == number).cloned();
        let quote = self.quotes();
        let later = &self.lines[at + 1..];
        let place = TodoLine { text: self.text, line, later, number, bullet, indent, quote, masks: &masks, block };
        let Some(mut todo) = todo(place, self.flavour) else { return };
        self.paragraph = None;
        self.parents.retain(|(other, column, _)| *other < quote || *column < indent);
        todo.parent = self.parents.last().filter(|(other, ..)| *other == quote).map(|(.., line)| *line);
        self.parents.push((quote, indent, number));
        self.found.todos.push(todo);
    }
}
