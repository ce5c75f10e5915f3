//! Answers as callers get them.

use std::ops::Range;

use aside_search::{Hit, Why};

use crate::{DocumentKind, IndexProgress};

/// An answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundPlaces {
    /// The places, the best first.
    pub places: Vec<FoundPlace>,
    /// How far the index is.
    pub progress: IndexProgress,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlace {
    /// The document: the path of a file, `thread/ID` or `chat/ID`.
    pub path: String,
    /// Its kind.
    pub kind: DocumentKind,
    /// The line, from 1; in a notebook the cell, in a conversation the message.
    pub line: u32,
    /// The document's title.
    pub title: String,
    /// The headings above, outermost first.
    pub headings: Vec<String>,
    /// An excerpt.
    pub text: String,
    /// The UTF-16 units of the excerpt that were found.
    pub marks: Vec<[u32; 2]>,
    /// The reason for which it was found.
    pub why: Why,
}

impl FoundPlace {
    /// Returns a hit as a place; none if the index has a kind that is not known here.
    pub(crate) fn of(hit: Hit) -> Option<Self> {
        let Hit { path, kind, title, line, mut headings, text, marks, why } = hit;
        // The heading that gives a note its title is told once.
        if headings.first() == Some(&title) {
            headings.remove(0);
        }
        let marks = marks.into_iter().map(|mark| units(&text, &mark)).collect();
        Some(Self { kind: DocumentKind::of_name(&kind)?, path, line, title, headings, text, marks, why })
    }
}

/// Bytes of a text as UTF-16 units.
fn units(text: &str, mark: &Range<usize>) -> [u32; 2] {
    let before = |end: usize| {
        let end = text.floor_char_boundary(end.min(text.len()));
        u32::try_from(text[..end].encode_utf16().count()).unwrap_or(u32::MAX)
    };
    [before(mark.start), before(mark.end)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_count_utf16_units() {
        let text = "🚀 é tide";
        let at = text.find("tide").unwrap();
        assert_eq!(units(text, &(at..at + 4)), [5, 9]);
        assert_eq!(units(text, &(0..99)), [0, 9]);
    }
}
