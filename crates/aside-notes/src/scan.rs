//! Scans the text of a note line by line: headings, tags, links, todos and ids of blocks, and the code, comments and
//! formulas in which there are none.

mod blocks;
mod code_spans;
mod destination;
mod finds;
mod inline;
mod lines;
mod links;
mod marks;
mod nesting;
mod words;

use std::ops::Range;

pub(crate) use blocks::scan;
pub(crate) use destination::decoded;
pub(crate) use lines::TextLine;
pub(crate) use marks::list_marker;

use crate::{Heading, Link, NoteBlock, TagPlace, Todo};

/// The finds in a text.
#[derive(Debug, Default)]
pub(crate) struct ScanFinds {
    pub headings: Vec<Heading>,
    pub blocks: Vec<NoteBlock>,
    pub links: Vec<Link>,
    pub tags: Vec<TagPlace>,
    pub todos: Vec<Todo>,
    /// The first level-1 heading outside quotes.
    pub title: Option<(String, Range<usize>)>,
}

/// Returns the link that a target with its anchor would be.
pub(crate) fn link_of_target(target: &str, is_markdown: bool) -> Option<Link> {
    if !is_markdown {
        let text = format!("[[{target}]]");
        return links::wiki_link(&text, 0, 2, text.len() - 2, 1);
    }
    let range = 0..target.len();
    let whole = destination::Destination { range: range.clone(), angle: false, end: target.len() };
    destination::link(target, crate::LinkKind::Markdown, 1, range, &whole)
}

/// Returns the part that a byte lies in. The parts are in order, none within another.
pub(crate) fn mask_at(masks: &[(Range<usize>, Mask)], at: usize) -> Option<&(Range<usize>, Mask)> {
    let next = masks.partition_point(|(mask, _)| mask.end <= at);
    masks.get(next).filter(|(mask, _)| mask.contains(&at))
}

/// The kind of a part of a line that is no plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    Code,
    HtmlComment,
    Comment,
    Math,
}
