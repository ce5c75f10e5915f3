//! Reads the todo of a line, behind its bullet.

use std::ops::Range;

use super::signs::{read_planning, signs};
use crate::{
    Flavour, NoteBlock, Sign, Todo, TodoState,
    scan::{Mask, TextLine, list_marker, mask_at},
};

/// A list item that may be a todo.
pub(crate) struct TodoLine<'a> {
    pub text: &'a str,
    pub line: TextLine,
    /// The lines behind it.
    pub later: &'a [TextLine],
    pub number: u32,
    pub bullet: Range<usize>,
    pub indent: u32,
    pub quote: u32,
    /// Its code, comments and formulas.
    pub masks: &'a [(Range<usize>, Mask)],
    pub block: Option<NoteBlock>,
}

/// Words at the start of a todo in a Logseq graph.
const WORDS: [(&str, TodoState); 10] = [
    ("TODO", TodoState::Open),
    ("LATER", TodoState::Open),
    ("WAITING", TodoState::Open),
    ("WAIT", TodoState::Open),
    ("NOW", TodoState::Doing),
    ("DOING", TodoState::Doing),
    ("IN-PROGRESS", TodoState::Doing),
    ("DONE", TodoState::Done),
    ("CANCELED", TodoState::Cancelled),
    ("CANCELLED", TodoState::Cancelled),
];

/// Reads the todo of a list item, if it is one.
pub(crate) fn todo(place: TodoLine<'_>, flavour: Flavour) -> Option<Todo> {
    let text = place.text;
    let behind = place.bullet.end;
    let start = behind + spaces(&text[behind..place.line.end]);
    if start == behind || place.masks.iter().any(|(mask, _)| mask.start < start) {
        return None;
    }
    let (state, mark_range, rest) = in_brackets(text, start, place.line.end)
        .or_else(|| if flavour == Flavour::Logseq { word(text, start, place.line.end) } else { None })?;
    let from = rest + spaces(&text[rest..place.line.end]);
    let body = from..place.line.end;
    if from == rest || is_empty(text, &body, place.masks) {
        return None;
    }
    let words = words_end(text, &body, place.block.as_ref());
    let (mut signs, lines) = (signs(text, body.start..words, place.masks, flavour), place.line.range());
    let shown = shown(text, body.start..words, &signs, place.masks);
    let lines = if flavour == Flavour::Logseq { planning(&place, &mut signs) } else { lines };
    Some(Todo {
        line: place.number,
        range: place.line.range(),
        lines,
        bullet: place.bullet,
        indent: place.indent,
        quote: place.quote,
        state,
        mark: text[mark_range.clone()].to_owned(),
        word: !text[..mark_range.start].ends_with('['),
        mark_range,
        body,
        text: shown,
        signs,
        block: place.block,
        parent: None,
    })
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// `[x]`: the state, the bytes of the mark, and the byte behind the brackets.
fn in_brackets(text: &str, start: usize, end: usize) -> Option<(TodoState, Range<usize>, usize)> {
    let inside = text[start..end].strip_prefix('[')?;
    let mark = inside.chars().next()?;
    let variation = if inside[mark.len_utf8()..].starts_with('\u{fe0f}') { '\u{fe0f}'.len_utf8() } else { 0 };
    let length = mark.len_utf8() + variation;
    inside[length..].starts_with(']').then_some(())?;
    let state = match mark {
        'x' | 'X' => TodoState::Done,
        '/' => TodoState::Doing,
        '-' => TodoState::Cancelled,
        '>' => TodoState::Moved,
        _ => TodoState::Open,
    };
    Some((state, start + 1..start + 1 + length, start + length + 2))
}

fn word(text: &str, start: usize, end: usize) -> Option<(TodoState, Range<usize>, usize)> {
    let length = text[start..end].find(char::is_whitespace)?;
    let word = &text[start..start + length];
    let (_, state) = WORDS.iter().find(|(name, _)| *name == word)?;
    Some((*state, start..start + length, start + length))
}

/// Tells whether there is nothing but comments.
fn is_empty(text: &str, body: &Range<usize>, masks: &[(Range<usize>, Mask)]) -> bool {
    let is_comment =
        |at: usize| mask_at(masks, at).is_some_and(|(_, kind)| matches!(kind, Mask::HtmlComment | Mask::Comment));
    text[body.clone()].char_indices().all(|(at, sign)| sign.is_whitespace() || is_comment(body.start + at))
}

/// The end of the words: before ` ^id`, a closing `\` and the white space before them.
fn words_end(text: &str, body: &Range<usize>, block: Option<&NoteBlock>) -> usize {
    let end = block.map_or(body.end, |block| block.range.start);
    let words = text[body.start..end].trim_end();
    let words = if words.ends_with('\\') && !words.ends_with("\\\\") { &words[..words.len() - 1] } else { words };
    body.start + words.trim_end().len()
}

/// The words without signs and HTML comments, with single spaces.
fn shown(text: &str, range: Range<usize>, signs: &[Sign], masks: &[(Range<usize>, Mask)]) -> String {
    let comments = masks.iter().filter(|(_, kind)| *kind == Mask::HtmlComment).map(|(mask, _)| mask.clone());
    let mut gaps: Vec<Range<usize>> = signs.iter().map(|sign| sign.range.clone()).chain(comments).collect();
    gaps.sort_by_key(|gap| gap.start);
    let (mut words, mut at) = (String::new(), range.start);
    for gap in gaps.iter().filter(|gap| gap.start >= range.start && gap.start < range.end) {
        words.push_str(&text[at.min(gap.start)..gap.start]);
        at = at.max(gap.end.min(range.end));
    }
    words.push_str(&text[at..range.end]);
    let mut words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // A comment at the end may stand behind the `\`.
    if words.ends_with('\\') && !words.ends_with("\\\\") {
        words.truncate(words[..words.len() - 1].trim_end().len());
    }
    words
}

/// Reads the `DEADLINE:` and `SCHEDULED:` lines of the block; returns the bytes of the todo with them.
fn planning(place: &TodoLine<'_>, signs: &mut Vec<Sign>) -> Range<usize> {
    let mut lines = place.line.range();
    for line in place.later {
        let content = place.text[line.range()].trim_start();
        if content.is_empty() || list_marker(content).is_some() {
            break;
        }
        let found = read_planning(place.text, line.range());
        if !found.is_empty() {
            lines.end = line.end;
            signs.extend(found);
        }
    }
    lines
}
