//! The text while its types are erased.

use oxc::span::Span;

/// The source, and the same text with the types erased so far.
pub(super) struct Eraser<'s> {
    source: &'s str,
    pub(super) text: Vec<u8>,
    /// The end of the last erased range.
    erased_to: u32,
    /// The first refused piece: its offset, its word, a hint.
    pub(super) refused: Option<(u32, &'static str, &'static str)>,
}

impl<'s> Eraser<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, text: source.as_bytes().to_vec(), erased_to: 0, refused: None }
    }

    /// Replaces a range by spaces. Line ends stay.
    pub(super) fn blank(&mut self, start: u32, end: u32) {
        for byte in &mut self.text[start as usize..end as usize] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        self.erased_to = self.erased_to.max(end);
    }

    pub(super) fn put(&mut self, offset: u32, byte: u8) {
        self.text[offset as usize] = byte;
    }

    /// Removes a whole statement or class member.
    pub(super) fn remove(&mut self, span: Span) {
        self.blank(span.start, span.end);
        self.put(span.start, b';');
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &str {
        self.source.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn has_line_end(&self, start: u32, end: u32) -> bool {
        self.slice(start, end).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    /// Blanks the first such character between two offsets.
    pub(super) fn blank_mark(&mut self, mark: char, start: u32, end: u32) {
        if let Some(place) = self.slice(start, end).find(mark) {
            let at = start + offset(place);
            self.blank(at, at + 1);
        }
    }

    /// Blanks a word between two offsets.
    pub(super) fn blank_word(&mut self, word: &str, start: u32, end: u32) {
        if let Some(place) = self.slice(start, end).find(word) {
            let at = start + offset(place);
            self.blank(at, at + offset(word.len()));
        }
    }

    pub(super) fn refuse(&mut self, at: u32, word: &'static str, hint: &'static str) {
        if self.refused.is_none_or(|(before, _, _)| at < before) {
            self.refused = Some((at, word, hint));
        }
    }

    /// Ends a statement whose last part was a type: the next line must not continue it.
    pub(super) fn end_statement(&mut self, span: Span) {
        if self.erased_to == span.end && span.end > span.start && !self.has_line_end(span.end - 1, span.end) {
            self.put(span.end - 1, b';');
        }
    }
}

/// An offset as the syntax tree has it.
pub(super) fn offset(place: usize) -> u32 {
    u32::try_from(place).expect("a script has at most 64 KiB")
}
