//! Searches one file or one text.

use std::{
    io::{self, Read},
    sync::atomic::{AtomicBool, Ordering},
};

use grep_matcher::LineTerminator;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkFinish, SinkMatch};

use crate::{LineLimits, LineMatch, Pattern, line};

/// A line longer than this is not searched; its file counts as one that can't be read.
const MOST_OF_A_LINE: usize = 64 << 20;

/// The matching lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMatches {
    /// The first ones.
    pub lines: Vec<LineMatch>,
    /// How many more there are.
    pub more: usize,
}

impl FileMatches {
    /// Tells whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.more == 0
    }

    fn push(&mut self, limits: LineLimits, line: impl FnOnce() -> LineMatch) {
        if self.lines.len() < limits.lines { self.lines.push(line()) } else { self.more += 1 }
    }
}

impl Pattern {
    /// Returns the matching lines of a text.
    pub fn lines_of(&self, text: &str, limits: LineLimits) -> FileMatches {
        let stop = AtomicBool::new(false);
        let mut reader = FileSearcher::new(self.clone(), limits, &stop);
        reader.text(text).unwrap_or_default()
    }
}

/// Searches files one after the other, with the same buffers.
pub(crate) struct FileSearcher<'a> {
    pattern: Pattern,
    limits: LineLimits,
    stop: &'a AtomicBool,
    searcher: Searcher,
}

impl<'a> FileSearcher<'a> {
    pub fn new(pattern: Pattern, limits: LineLimits, stop: &'a AtomicBool) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MOST_OF_A_LINE))
            .build();
        Self { pattern, limits, stop, searcher }
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Returns the matching lines of a file: none of a binary one.
    pub fn file(&mut self, file: impl Read) -> io::Result<FileMatches> {
        let reader = Stoppable { file, stop: self.stop };
        let mut lines = Lines::new(&self.pattern, self.limits);
        self.searcher.search_reader(&self.pattern.matcher, reader, &mut lines)?;
        Ok(lines.found())
    }

    /// Returns the matching lines of a text.
    pub fn text(&mut self, text: &str) -> io::Result<FileMatches> {
        let mut lines = Lines::new(&self.pattern, self.limits);
        self.searcher.search_slice(&self.pattern.matcher, text.as_bytes(), &mut lines)?;
        Ok(lines.found())
    }

    /// Returns the matching lines of numbered texts. A line's number is that of its text.
    pub fn cells(&mut self, cells: &[(u32, String)]) -> io::Result<FileMatches> {
        let mut all = FileMatches::default();
        for (number, text) in cells {
            let found = self.text(text)?;
            all.more += found.more;
            for line in found.lines {
                all.push(self.limits, || LineMatch { number: *number, ..line });
            }
        }
        Ok(all)
    }
}

/// Ends the reading of a file when the search is stopped.
struct Stoppable<'a, R> {
    file: R,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the search was stopped"));
        }
        self.file.read(buffer)
    }
}

struct Lines<'p> {
    pattern: &'p Pattern,
    limits: LineLimits,
    found: FileMatches,
    is_binary: bool,
}

impl<'p> Lines<'p> {
    fn new(pattern: &'p Pattern, limits: LineLimits) -> Self {
        Self { pattern, limits, found: FileMatches::default(), is_binary: false }
    }

    fn found(self) -> FileMatches {
        if self.is_binary { FileMatches::default() } else { self.found }
    }
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let number = found.line_number().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX);
        let line = found.bytes();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.found.push(self.limits, || line::marked(&self.pattern.matcher, line, self.limits.width, number));
        Ok(true)
    }

    fn finish(&mut self, _searcher: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.is_binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FindQuery;

    const LIMITS: LineLimits = LineLimits { lines: 3, width: 200 };

    fn numbers(query: FindQuery, bytes: &[u8]) -> (Vec<u32>, usize) {
        let stop = AtomicBool::new(false);
        let pattern = Pattern::new(&query).unwrap();
        let found = FileSearcher::new(pattern, LIMITS, &stop).file(bytes).unwrap();
        (found.lines.iter().map(|line| line.number).collect(), found.more)
    }

    fn literal(text: &str) -> FindQuery {
        FindQuery { text: text.to_owned(), ..FindQuery::default() }
    }

    #[test]
    fn lines_beyond_the_limit_are_counted() {
        assert_eq!(numbers(literal("TIDE"), b"tide\nno\nTide tide\nx tide\ntide\ntide"), (vec![1, 3, 4], 2));
    }

    #[test]
    fn case_words_and_regex_narrow_a_search() {
        let text = b"tide\nTide\ntides\nlow-tide";
        assert_eq!(numbers(FindQuery { match_case: true, ..literal("Tide") }, text), (vec![2], 0));
        assert_eq!(numbers(FindQuery { whole_words: true, ..literal("tide") }, text), (vec![1, 2, 4], 0));
        assert_eq!(numbers(FindQuery { regex: true, ..literal("^t.*e$") }, text), (vec![1, 2], 0));
        assert_eq!(numbers(literal("^t.*e$"), text), (vec![], 0), "a literal text is no expression");
    }

    #[test]
    fn windows_lines_end_before_their_end() {
        assert_eq!(
            numbers(FindQuery { regex: true, ..literal("tide$") }, b"tide\r\nno\r\nlow tide\r\n"),
            (vec![1, 3], 0)
        );
    }

    #[test]
    fn utf16_with_a_mark_is_text() {
        for big in [false, true] {
            let units = "\u{feff}no\ntide é\n".encode_utf16();
            let bytes: Vec<u8> =
                units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            assert_eq!(numbers(literal("tide é"), &bytes), (vec![2], 0));
        }
    }

    #[test]
    fn binary_file_has_no_lines() {
        assert_eq!(numbers(literal("tide"), b"tide\0tide\n"), (vec![], 0));
        let late = [b"tide\n".repeat(100_000), b"\0".to_vec()].concat();
        assert_eq!(numbers(literal("tide"), &late), (vec![], 0));
    }

    #[test]
    fn accents_match_in_both_normal_forms() {
        let (composed, split) = ("caf\u{e9}", "cafe\u{301}");
        for text in [composed, split] {
            let lines = format!("{composed}\n{split}\ncafe\n日本語\n");
            assert_eq!(numbers(literal(text), lines.as_bytes()), (vec![1, 2], 0));
            assert_eq!(numbers(literal("本語"), lines.as_bytes()), (vec![4], 0));
        }
    }

    #[test]
    fn cells_give_their_numbers() {
        let stop = AtomicBool::new(false);
        let mut searcher = FileSearcher::new(Pattern::new(&literal("tide")).unwrap(), LIMITS, &stop);
        let found =
            searcher.cells(&[(1, "no".to_owned()), (2, "a\ntide\ntide".to_owned()), (4, "tide\ntide".to_owned())]);
        let found = found.unwrap();
        assert_eq!((found.lines.iter().map(|line| line.number).collect::<Vec<_>>(), found.more), (vec![2, 2, 4], 1));
    }

    #[test]
    fn stopped_search_reads_no_further() {
        let stop = AtomicBool::new(true);
        let mut searcher = FileSearcher::new(Pattern::new(&literal("tide")).unwrap(), LIMITS, &stop);
        assert!(searcher.file(io::repeat(b'a')).is_err(), "an endless file");
    }

    #[test]
    fn endless_line_is_an_error() {
        let stop = AtomicBool::new(false);
        let mut searcher = FileSearcher::new(Pattern::new(&literal("tide")).unwrap(), LIMITS, &stop);
        assert!(searcher.file(io::repeat(b'a')).unwrap_err().to_string().contains("limit"));
    }
}
