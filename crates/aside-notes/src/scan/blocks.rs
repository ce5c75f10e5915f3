//! The lines of a text, one after the other: which are code, headings, items or plain text.

use std::ops::Range;

use super::{
    Mask, ScanFinds, TextLine,
    code_spans::CodeSpans,
    lines::lines,
    marks::{Fence, closes, heading, is_rule, list_marker, opening_fence, underline},
    nesting::{Container, Cursor, continued},
};
use crate::Flavour;

/// Most quotes and items in each other; the marks of more are text.
const MOST_DEPTH: usize = 100;

/// The kind of the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Blank,
    Text,
    IndentedCode,
    Other,
}

/// The state between two lines.
pub(crate) struct Scanner<'a> {
    pub text: &'a str,
    pub flavour: Flavour,
    pub found: ScanFinds,
    /// Code, comments and formulas of the line at hand.
    pub masks: Vec<(Range<usize>, Mask)>,
    /// The end of a code span, comment or formula that began on an earlier line.
    pub resume: Option<(usize, Mask)>,
    pub spans: CodeSpans,
    /// There is no `-->` any more.
    pub no_comment_end: bool,
    pub lines: Vec<TextLine>,
    containers: Vec<Container>,
    /// The open fence, and the number of containers around it.
    fence: Option<(Fence, usize)>,
    before: Before,
    /// The first byte of the paragraph at hand, and its line.
    pub paragraph: Option<(usize, usize)>,
    /// Todos that later ones can belong to: how many quotes are around it, its indent, its line.
    pub parents: Vec<(u32, u32, u32)>,
}

/// Scans a text from a byte on; `number` lines lie before it.
pub(crate) fn scan(text: &str, from: usize, number: usize, flavour: Flavour) -> ScanFinds {
    let mut scanner = Scanner {
        text,
        flavour,
        found: ScanFinds::default(),
        masks: Vec::new(),
        resume: None,
        spans: CodeSpans::default(),
        no_comment_end: false,
        lines: lines(text, from),
        containers: Vec::new(),
        fence: None,
        before: Before::Other,
        paragraph: None,
        parents: Vec::new(),
    };
    for at in 0..scanner.lines.len() {
        scanner.line(at, (number + at + 1) as u32);
    }
    let mut found = scanner.found;
    found.links.sort_by_key(|link| link.range.start);
    found
}

impl Scanner<'_> {
    fn line(&mut self, at: usize, number: u32) {
        let line = self.lines[at];
        self.masks.clear();
        if let Some((end, mask)) = self.resume.filter(|(end, _)| *end > line.start) {
            self.masks.push((line.start..end.min(line.end), mask));
            if end <= line.end {
                self.resume = None;
                self.plain(at, number, line.start, end);
                if mask != Mask::Code {
                    self.paragraph = None;
                }
            }
            return;
        }
        self.resume = None;
        let mut cursor = Cursor { text: self.text, at: line.start, end: line.end, column: 0 };
        let matched = continued(&self.containers, &mut cursor);
        if self.is_code(&cursor, matched) {
            return;
        }
        if cursor.rest().trim().is_empty() {
            // Items continue over it, quotes end.
            self.leave(matched);
            (self.before, self.paragraph) = (Before::Blank, None);
            return;
        }
        self.text_line(at, number, cursor, matched);
    }

    /// Takes a line of a fence, or its end.
    fn is_code(&mut self, cursor: &Cursor<'_>, matched: usize) -> bool {
        let Some((fence, depth)) = self.fence else { return false };
        if matched < depth {
            self.fence = None;
            return false;
        }
        if closes(fence, cursor.rest()) {
            self.fence = None;
        }
        self.before = Before::Other;
        true
    }

    /// Takes a line with text: first its marks, then its words.
    fn text_line(&mut self, at: usize, number: u32, mut cursor: Cursor<'_>, matched: usize) {
        let mut marker = None;
        let mut depth = matched;
        loop {
            cursor.skip_spaces();
            let in_list = self.containers[..depth].iter().any(|container| matches!(container, Container::Item { .. }));
            let is_far = !in_list && cursor.column >= 4;
            if is_far && matches!(self.before, Before::Blank | Before::IndentedCode) {
                self.leave(depth);
                (self.before, self.paragraph) = (Before::IndentedCode, None);
                return;
            }
            let rest = cursor.rest();
            let is_deep = depth >= MOST_DEPTH;
            if rest.starts_with('>') && !is_far && !is_deep {
                self.enter(depth, Container::Quote);
                cursor.skip_quote();
                marker = None;
            } else if self.is_underline(rest, depth) {
                return self.underlined(at, number);
            } else if is_rule(rest) && !is_far {
                self.leave(depth);
                (self.before, self.paragraph) = (Before::Other, None);
                return;
            } else if let Some(mark) = list_marker(rest).filter(|_| !is_deep) {
                let bullet = cursor.at..cursor.at + mark.length;
                let item = cursor.skip_marker(&mark);
                let Container::Item { indent, .. } = item else { return };
                self.enter(depth, item);
                marker = Some((bullet, indent as u32));
            } else {
                break;
            }
            depth += 1;
            (self.before, self.paragraph) = (Before::Other, None);
        }
        self.words(at, number, &cursor, depth, marker);
    }

    fn words(
        &mut self,
        at: usize,
        number: u32,
        cursor: &Cursor<'_>,
        depth: usize,
        marker: Option<(Range<usize>, u32)>,
    ) {
        let (rest, end) = (cursor.rest(), cursor.end);
        let is_far = cursor.column >= 4 && !self.containers[..depth].iter().any(|one| *one != Container::Quote);
        let is_lazy = depth < self.containers.len() && self.before == Before::Text;
        if let Some(fence) = opening_fence(rest).filter(|_| !is_far) {
            self.leave(depth);
            self.fence = Some((fence, depth));
            (self.before, self.paragraph) = (Before::Other, None);
        } else if let Some((level, words)) = heading(rest).filter(|_| !is_far) {
            self.leave(depth);
            let words = cursor.at + words.start..cursor.at + words.end;
            self.heading(level, number, cursor.at..end, words);
            self.spans = CodeSpans::new(cursor.at..end);
            self.inline(number, cursor.at, cursor.at + usize::from(level), end);
            self.block_id(number, cursor.at, end);
            (self.before, self.paragraph) = (Before::Other, None);
        } else if !is_far && self.definition(at, number, cursor) {
            self.leave(depth);
            (self.before, self.paragraph) = (Before::Other, None);
        } else {
            if !is_lazy {
                self.leave(depth);
            }
            self.plain(at, number, cursor.at, cursor.at);
            if let Some((bullet, indent)) = marker {
                self.todo(at, number, bullet, indent);
            }
        }
    }

    /// Takes plain text, from `from` on; the line's text begins at `first`.
    fn plain(&mut self, at: usize, number: u32, first: usize, from: usize) {
        let end = self.lines[at].end;
        if first >= self.spans.range.end || first < self.spans.range.start {
            self.spans = CodeSpans::new(from..self.paragraph_end(at));
        }
        self.inline(number, first, from, end);
        self.block_id(number, from, end);
        self.before = Before::Text;
        self.paragraph.get_or_insert((first, at));
    }

    /// The end of the paragraph that a line belongs to.
    fn paragraph_end(&self, at: usize) -> usize {
        let mut end = self.lines[at].end;
        let is_row = self.text[self.lines[at].range()].trim_start().starts_with('|');
        for line in self.lines[at + 1..].iter().take_while(|_| !is_row) {
            let text = self.text[line.range()].trim_start_matches(|sign: char| sign == '>' || sign.is_whitespace());
            let begins = |text: &str| {
                text.is_empty()
                    || text.starts_with('|')
                    || list_marker(text).is_some()
                    || heading(text).is_some()
                    || opening_fence(text).is_some()
                    || is_rule(text)
                    || underline(text).is_some()
            };
            if begins(text) {
                break;
            }
            end = line.end;
        }
        end
    }

    /// Ends the containers behind the first `depth`, and the lists among them.
    fn leave(&mut self, depth: usize) {
        self.containers.truncate(depth);
        let quotes = self.quotes();
        let in_list = matches!(self.containers.last(), Some(Container::Item { .. }));
        self.parents.retain(|(quote, ..)| *quote < quotes || (*quote == quotes && in_list));
    }

    /// Enters a quote or an item, which ends those that the line does not continue.
    fn enter(&mut self, depth: usize, container: Container) {
        if let (Container::Item { indent, sign, .. }, Some(Container::Item { indent: old, sign: other, .. })) =
            (&container, self.containers.get(depth))
        {
            // Another sign begins another list; one that is only less far in belongs to the same for a reader.
            if sign != other && indent <= old {
                let (quotes, old) = (self.quotes_of(depth), *old as u32);
                self.parents.retain(|(quote, indent, _)| *quote != quotes || *indent < old);
            }
            self.containers.truncate(depth);
        } else {
            self.leave(depth);
        }
        self.containers.push(container);
        if self.containers.last() == Some(&Container::Quote) {
            let quotes = self.quotes();
            self.parents.retain(|(quote, ..)| *quote < quotes);
        }
    }

    pub(super) fn quotes(&self) -> u32 {
        self.quotes_of(self.containers.len())
    }

    fn quotes_of(&self, depth: usize) -> u32 {
        self.containers[..depth].iter().filter(|container| **container == Container::Quote).count() as u32
    }

    fn is_underline(&self, rest: &str, depth: usize) -> bool {
        underline(rest).is_some()
            && self.paragraph.is_some()
            && self.before == Before::Text
            && depth == self.containers.len()
    }

    fn underlined(&mut self, at: usize, number: u32) {
        let (Some((start, first)), line) = (self.paragraph.take(), self.lines[at]) else { return };
        let last = self.lines[at - 1].end;
        let level = underline(self.text[line.range()].trim_start_matches(['>', ' ', '\t'])).unwrap_or(2);
        let count = (at - first) as u32;
        self.heading(level, number - count, start..line.end, start..last);
        self.before = Before::Other;
    }
}
