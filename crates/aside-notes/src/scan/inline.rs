//! The inside of a line: tags and links, and the code, comments, formulas and addresses in which there are none.

use std::ops::Range;

use super::{
    Mask,
    blocks::Scanner,
    code_spans::run,
    destination::{closing, destination, link},
    links::wiki_link,
};
use crate::{Flavour, LinkKind, tag};

/// A line while it is scanned.
pub(super) struct Inline {
    /// Its number, from 1.
    number: u32,
    /// The first byte of its text, behind bullets and `>`.
    first: usize,
    at: usize,
    end: usize,
    /// Open `[`s, and whether a `!` stands before each.
    brackets: Vec<(usize, bool)>,
    /// The `!` before the byte at hand.
    bang: Option<usize>,
    /// The next `]]`, and the last `[[` before it.
    wiki: Option<(usize, usize)>,
    no_wiki: bool,
    no_formula: bool,
}

impl Scanner<'_> {
    /// Scans a line from `at` on; its text begins at `first`.
    pub(super) fn inline(&mut self, number: u32, first: usize, at: usize, end: usize) {
        let mut line = Inline {
            number,
            first,
            at,
            end,
            brackets: Vec::new(),
            bang: None,
            wiki: None,
            no_wiki: false,
            no_formula: false,
        };
        while line.at < line.end {
            let bytes = self.text.as_bytes();
            let byte = bytes[line.at];
            let bang = line.bang.take();
            match byte {
                b'\\' => line.at += 1 + usize::from(bytes.get(line.at + 1).is_some_and(u8::is_ascii_punctuation)),
                b'`' => self.code_span(&mut line),
                b'<' => self.angle(&mut line),
                b'%' if bytes[line.at..line.end].starts_with(b"%%") => self.percent_comment(&mut line),
                b'$' => self.formula(&mut line),
                b'!' => {
                    line.bang = Some(line.at);
                    line.at += 1;
                }
                b'[' => self.bracket(&mut line, bang),
                b']' => self.closing_bracket(&mut line),
                b'#' => self.tag(&mut line),
                b':' => self.address(&mut line),
                _ => line.at += 1,
            }
        }
    }

    /// Leaves a part out, which may end on a later line.
    fn mask(&mut self, line: &mut Inline, end: usize, mask: Mask) {
        self.masks.push((line.at..end.min(line.end), mask));
        if end > line.end {
            self.resume = Some((end, mask));
        }
        line.at = end.min(line.end);
    }

    fn code_span(&mut self, line: &mut Inline) {
        match self.spans.end(self.text, line.at) {
            Some(end) => self.mask(line, end, Mask::Code),
            None => line.at += run(self.text, line.at),
        }
    }

    /// A comment, a tag of HTML, or an address in `<…>`.
    fn angle(&mut self, line: &mut Inline) {
        let rest = &self.text[line.at..];
        if !rest.starts_with("<!--") {
            line.at += html_length(&self.text[line.at..line.end]).unwrap_or(1);
            return;
        }
        let close = if self.no_comment_end { None } else { rest[2..].find("-->").map(|at| line.at + at + 5) };
        match close {
            Some(end) => self.mask(line, end, Mask::HtmlComment),
            // As in CommonMark: one that begins a line and never ends takes all the rest.
            None if line.at == line.first => self.mask(line, self.text.len(), Mask::HtmlComment),
            None => {
                self.no_comment_end = true;
                line.at += 4;
            }
        }
    }

    fn percent_comment(&mut self, line: &mut Inline) {
        let from = line.at + 2;
        let close = self.text[from..].find("%%").map(|at| from + at);
        match close.filter(|close| line.at == line.first || !has_empty_line(&self.text[from..*close])) {
            Some(close) => self.mask(line, close + 2, Mask::Comment),
            None => line.at = from,
        }
    }

    /// `$…$` within the line, or `$$…$$`.
    fn formula(&mut self, line: &mut Inline) {
        let bytes = self.text.as_bytes();
        if bytes.get(line.at + 1) == Some(&b'$') {
            let from = line.at + 2;
            let close = unescaped(&self.text[from..], "$$").map(|at| from + at);
            match close.filter(|close| line.at == line.first || !has_empty_line(&self.text[from..*close])) {
                Some(close) => self.mask(line, close + 2, Mask::Math),
                None => line.at = from,
            }
            return;
        }
        match self.formula_end(line) {
            Some(end) => self.mask(line, end, Mask::Math),
            None => line.at += 1,
        }
    }

    /// The byte behind the `$` that closes the one at hand. `$5 and $6` is no formula.
    fn formula_end(&mut self, line: &mut Inline) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let is_space = |at: usize| bytes.get(at).is_none_or(u8::is_ascii_whitespace);
        if line.no_formula || is_space(line.at + 1) {
            return None;
        }
        let mut at = line.at + 1;
        while at < line.end {
            match bytes[at] {
                b'\\' => at += 2,
                b'`' => at = self.spans.end(self.text, at).unwrap_or(at + run(self.text, at)),
                b'$' if !is_space(at - 1) && !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => return Some(at + 1),
                _ => at += 1,
            }
        }
        line.no_formula = true;
        None
    }

    fn bracket(&mut self, line: &mut Inline, bang: Option<usize>) {
        if self.text.as_bytes()[line.at..line.end].starts_with(b"[[")
            && let Some((close, open)) = self.wiki_close(line)
            && open == line.at
        {
            let start = bang.unwrap_or(line.at);
            self.found.links.extend(wiki_link(self.text, start, line.at + 2, close, line.number));
            line.at = close + 2;
            return;
        }
        line.brackets.push((line.at, bang.is_some()));
        line.at += 1;
    }

    /// The next `]]` of the line outside code, and the last `[[` before it.
    fn wiki_close(&mut self, line: &mut Inline) -> Option<(usize, usize)> {
        if let Some(known) = line.wiki.filter(|(_, open)| line.at <= *open) {
            return Some(known);
        }
        let mut at = line.at + 2;
        while !line.no_wiki && at < line.end {
            let Some(found) = self.text[at..line.end].find(['`', ']']).map(|found| at + found) else { break };
            let rest = &self.text[found..line.end];
            if rest.starts_with("]]") {
                let open = self.text[line.at..found].rfind("[[").map(|open| line.at + open)?;
                line.wiki = Some((found, open));
                return line.wiki;
            }
            let span = if rest.starts_with('`') { self.spans.end(self.text, found) } else { Some(found + 1) };
            at = span.unwrap_or_else(|| found + run(self.text, found));
        }
        line.no_wiki = true;
        None
    }

    fn closing_bracket(&mut self, line: &mut Inline) {
        let open = line.brackets.pop();
        line.at += 1;
        let Some((open, is_image)) = open else { return };
        if self.text.as_bytes()[..line.end].get(line.at) != Some(&b'(') {
            return;
        }
        let inside = &self.text[line.at + 1..line.end];
        let start = line.at + 1 + (inside.len() - inside.trim_start().len());
        let Some(target) = destination(self.text, start, line.end) else { return };
        let Some(end) = closing(self.text, target.end, line.end) else { return };
        let (kind, first) = if is_image { (LinkKind::Image, open - 1) } else { (LinkKind::Markdown, open) };
        self.found.links.extend(link(self.text, kind, line.number, first..end, &target));
        line.at = end;
    }

    fn tag(&mut self, line: &mut Inline) {
        let start = line.at + 1;
        let before = self.text[..line.at].chars().next_back();
        let begins = line.at == line.first || before.is_none_or(|before| before.is_whitespace() || before == '(');
        // `## Words { #name }` names a heading, as Pandoc and MkDocs write it.
        let is_anchor = self.text[line.first..line.at].trim_end().ends_with('{');
        line.at = start;
        if !begins || is_anchor {
            return;
        }
        if self.flavour == Flavour::Logseq && self.text[start..line.end].starts_with("[[") {
            // The link itself is read next.
            if let Some(close) = self.text[start..line.end].find("]]").map(|at| start + at) {
                let name = self.text[start + 2..close].trim();
                let is_name = !name.is_empty() && !name.contains('[');
                let range = start + 2..close;
                self.found.tags.extend(is_name.then(|| tag::place_of(name, line.number, range, false)));
            }
            return;
        }
        let Some(length) = tag::length_of_name(&self.text[start..line.end]) else { return };
        let range = start..start + length;
        self.found.tags.push(tag::place_of(&self.text[range.clone()], line.number, range, false));
        line.at = start + length;
    }

    /// Goes over `https://…`.
    fn address(&mut self, line: &mut Inline) {
        let rest = &self.text[line.at..line.end];
        let has_scheme = line.at > line.first && self.text.as_bytes()[line.at - 1].is_ascii_alphanumeric();
        if !has_scheme || !rest.starts_with("://") {
            line.at += 1;
            return;
        }
        let ends = |character: char| character.is_whitespace() || "<>\"`|])".contains(character);
        line.at += 3 + rest[3..].find(ends).unwrap_or(rest.len() - 3);
    }
}

/// Bytes of the HTML tag or the address in `<…>` at the start of a text.
fn html_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = usize::from(bytes.get(1) == Some(&b'/')) + 1;
    if !bytes.get(first)?.is_ascii_alphabetic() {
        return None;
    }
    let (mut at, mut quote) = (first, None);
    loop {
        match (*bytes.get(at)?, quote) {
            (byte, Some(open)) => quote = (byte != open).then_some(open),
            (b'>', None) => return Some(at + 1),
            (b'<' | b'`', None) => return None,
            (byte @ (b'"' | b'\''), None) if bytes[at - 1] == b'=' => quote = Some(byte),
            _ => {}
        }
        at += 1;
    }
}

fn unescaped(text: &str, wanted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let found = from + text[from..].find(wanted)?;
        let slashes = text.as_bytes()[..found].iter().rev().take_while(|byte| **byte == b'\\').count();
        if slashes % 2 == 0 {
            return Some(found);
        }
        from = found + 1;
    }
}

fn has_empty_line(text: &str) -> bool {
    let mut lines = text.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim().is_empty() {
            return true;
        }
    }
    false
}

/// The parts of `masks` that lie in a range.
pub(super) fn within(masks: &[(Range<usize>, Mask)], range: &Range<usize>) -> Vec<(Range<usize>, Mask)> {
    let inside = |(mask, kind): &(Range<usize>, Mask)| {
        let part = mask.start.max(range.start)..mask.end.min(range.end);
        (part.start < part.end).then_some((part, *kind))
    };
    masks.iter().filter_map(inside).collect()
}
