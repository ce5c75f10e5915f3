//! The lines of a text.

use std::ops::Range;

/// One line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLine {
    /// Its first byte.
    pub start: usize,
    /// The byte behind its last one, without its line end.
    pub end: usize,
}

impl TextLine {
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Returns the lines from a byte on; the text after the last line end is a line if there is any.
pub(crate) fn lines(text: &str, from: usize) -> Vec<TextLine> {
    let (mut lines, mut start) = (Vec::new(), from);
    for (at, _) in text[from..].match_indices('\n') {
        let mut end = from + at;
        if text[start..end].ends_with('\r') {
            end -= 1;
        }
        lines.push(TextLine { start, end });
        start = from + at + 1;
    }
    if start < text.len() {
        lines.push(TextLine { start, end: text.len() });
    }
    lines
}
