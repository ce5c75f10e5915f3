//! An index of the lines of a text. Lines are counted from 0 and end with LF.

use std::ops::Range;

/// A text with the byte offset of every line.
///
/// `"a\nb"` and `"a\nb\n"` both have two lines; `"\n"` has one, which is empty; `""` has none.
#[derive(Clone, Debug)]
pub struct Lines<'text> {
    text: &'text str,
    starts: Vec<usize>,
}

impl<'text> Lines<'text> {
    /// Indexes a text.
    pub fn new(text: &'text str) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 40 + 1);
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if text.ends_with('\n') {
            starts.pop();
        }
        Self { text, starts }
    }

    /// The indexed text.
    pub fn text(&self) -> &'text str {
        self.text
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Tells whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Tells whether the last line is ended.
    pub fn is_ended(&self) -> bool {
        self.text.ends_with('\n')
    }

    /// The line without its terminator.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn get(&self, line: usize) -> &'text str {
        let text = &self.text[self.start(line)..self.start(line + 1)];
        text.strip_suffix('\n').unwrap_or(text)
    }

    /// The byte at which a line starts; the length of the text for the line after the last.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// The bytes of some lines, the last one's terminator included.
    pub fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        self.start(lines.start)..self.start(lines.end)
    }

    /// Some lines as one text, the last one's terminator included.
    pub fn slice(&self, lines: Range<usize>) -> &'text str {
        &self.text[self.bytes(lines)]
    }

    /// Some lines without their terminators.
    pub fn range(
        &self,
        lines: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = &'text str> + ExactSizeIterator + Clone {
        lines.map(|line| self.get(line))
    }

    /// Some lines without their terminators, as owned texts.
    pub fn owned(&self, lines: Range<usize>) -> Vec<String> {
        self.range(lines).map(str::to_owned).collect()
    }

    /// The line that starts at a byte, if one does.
    pub fn starting_at(&self, byte: usize) -> Option<usize> {
        self.starts.binary_search(&byte).ok()
    }

    /// The line a byte lies in.
    pub fn containing(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }
}

/// Some lines of a text of which no index is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<'text> {
    /// How many lines the whole text has.
    pub total: usize,
    /// The lines, the last one's terminator included; fewer if there are not so many.
    pub text: &'text str,
}

impl<'text> Window<'text> {
    /// Finds some lines, and counts all, without a copy of the text.
    pub fn new(text: &'text str, lines: Range<usize>) -> Self {
        let bytes = text.as_bytes();
        let after = |from: usize, lines: usize| match lines.checked_sub(1) {
            None => from,
            Some(more) => memchr::memchr_iter(b'\n', &bytes[from..]).nth(more).map_or(bytes.len(), |at| from + at + 1),
        };
        let start = after(0, lines.start);
        let end = after(start, lines.end.saturating_sub(lines.start));
        let ended = memchr::memchr_iter(b'\n', bytes).count();
        let total = ended + usize::from(!text.is_empty() && !text.ends_with('\n'));
        Self { total, text: &text[start..end] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<&str> {
        let lines = Lines::new(text);
        lines.range(0..lines.len()).collect()
    }

    #[test]
    fn a_final_newline_ends_a_line_and_starts_none() {
        assert_eq!(all(""), Vec::<&str>::new());
        assert_eq!(all("\n"), [""]);
        assert_eq!(all("a"), ["a"]);
        assert_eq!(all("a\n"), ["a"]);
        assert_eq!(all("a\n\nb"), ["a", "", "b"]);
        assert_eq!(all("\n\n"), ["", ""]);
    }

    #[test]
    fn a_window_is_the_slice_of_the_index() {
        for text in ["", "\n", "a", "a\n", "a\n\nb", "ä\nb\nc\n"] {
            let lines = Lines::new(text);
            for start in 0..=lines.len() {
                for end in start..lines.len() + 3 {
                    let window = Window::new(text, start..end);
                    assert_eq!(window.text, lines.slice(start..end.min(lines.len())), "{text:?} {start}..{end}");
                    assert_eq!(window.total, lines.len(), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn slices_keep_terminators() {
        let lines = Lines::new("ä\nb\nc");
        assert_eq!(lines.slice(0..2), "ä\nb\n");
        assert_eq!(lines.slice(2..3), "c");
        assert_eq!(lines.slice(3..3), "");
        assert_eq!((lines.starting_at(3), lines.starting_at(4), lines.containing(4)), (Some(1), None, 1));
    }
}
