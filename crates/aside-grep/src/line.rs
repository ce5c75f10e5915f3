//! One line with matches, cut to a length that a screen can show.

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;

/// How much of a file is returned. Matching lines beyond are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLimits {
    /// Lines of one file.
    pub lines: usize,
    /// Bytes of a line; a longer one is cut around its first match.
    pub width: usize,
}

/// A line with its matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// The number, from 1; of the cell, in a notebook.
    pub number: u32,
    /// The text without its line end, `…` where it is cut. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Beginnings and ends of the matches in the text, in UTF-16 units. None where only an empty text matches.
    pub marks: Vec<(u32, u32)>,
}

/// Returns a line, without its line end, with its matches marked.
pub(crate) fn marked(matcher: &RegexMatcher, line: &[u8], width: usize, number: u32) -> LineMatch {
    let first = next(matcher, line, 0).unwrap_or((0, 0));
    let (start, end) = window(line, first.0, width);
    let mut text = Marked { line, at: start, text: String::new(), units: 0, marks: Vec::new() };
    text.cut(start > 0);
    let mut place = Some(first);
    while let Some((from, to)) = place.filter(|place| place.0 < end) {
        text.advance(from);
        text.mark(to.min(end));
        place = next(matcher, line, to);
    }
    text.advance(end);
    text.cut(end < line.len());
    LineMatch { number, text: text.text, marks: text.marks }
}

/// The next match that is not empty.
fn next(matcher: &RegexMatcher, line: &[u8], mut at: usize) -> Option<(usize, usize)> {
    while at <= line.len() {
        let found = matcher.find_at(line, at).ok().flatten()?;
        if found.end() > found.start() {
            return Some((found.start(), found.end()));
        }
        at = found.end() + 1;
    }
    None
}

/// The part of a line to show: a quarter of it before the match, whole characters.
fn window(line: &[u8], place: usize, width: usize) -> (usize, usize) {
    if line.len() <= width {
        return (0, line.len());
    }
    let start = boundary(line, place.saturating_sub(width / 4).min(line.len() - width));
    (start, boundary(line, start + width))
}

/// The beginning of the character at a byte.
fn boundary(line: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at).rev().find(|at| line.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80)).unwrap_or(at)
}

struct Marked<'a> {
    line: &'a [u8],
    at: usize,
    text: String,
    units: u32,
    marks: Vec<(u32, u32)>,
}

impl Marked<'_> {
    fn advance(&mut self, to: usize) {
        let to = to.max(self.at);
        self.push(&String::from_utf8_lossy(&self.line[self.at..to]));
        self.at = to;
    }

    fn mark(&mut self, to: usize) {
        let start = self.units;
        self.advance(to);
        if self.units > start {
            self.marks.push((start, self.units));
        }
    }

    fn cut(&mut self, is_cut: bool) {
        if is_cut {
            self.push("…");
        }
    }

    fn push(&mut self, text: &str) {
        self.units += text.encode_utf16().count() as u32;
        self.text.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pattern: &str, line: &[u8], width: usize) -> (String, Vec<String>) {
        let matcher = RegexMatcher::new(pattern).unwrap();
        let found = marked(&matcher, line, width, 1);
        let units: Vec<u16> = found.text.encode_utf16().collect();
        let mark = |(from, to): &(u32, u32)| String::from_utf16(&units[*from as usize..*to as usize]).unwrap();
        let marks = found.marks.iter().map(mark).collect();
        (found.text, marks)
    }

    #[test]
    fn marks_count_utf16_units() {
        let (text, marks) = shown("tide|🌊", "🌊 é tide 👩‍🔬 שלום tide".as_bytes(), 200);
        assert_eq!(text, "🌊 é tide 👩‍🔬 שלום tide");
        assert_eq!(marks, ["🌊", "tide", "tide"]);
    }

    #[test]
    fn long_line_is_cut_around_its_match() {
        let line = format!("{}needle{}", "ä".repeat(500_000), "ö".repeat(500_000));
        let (text, marks) = shown("needle", line.as_bytes(), 200);
        assert!(text.starts_with("…ä") && text.ends_with("ö…") && text.len() < 220, "{text}");
        assert_eq!(marks, ["needle"]);
        let (text, marks) = shown("ä+", line.as_bytes(), 200);
        assert_eq!((text.chars().count(), marks[0].chars().count()), (101, 100), "a match longer than the cut: {text}");
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        let (text, marks) = shown("tide", b"\xff\xfe caf\xe9 tide \xff", 200);
        assert_eq!((text.as_str(), marks), ("\u{fffd}\u{fffd} caf\u{fffd} tide \u{fffd}", vec!["tide".to_owned()]));
        shown("(?-u:\\xa4)", "äää".as_bytes(), 3);
    }

    #[test]
    fn empty_matches_have_no_mark() {
        assert_eq!(shown("x*", b"abxxc", 200), ("abxxc".to_owned(), vec!["xx".to_owned()]));
        assert_eq!(shown("^", b"ab", 200), ("ab".to_owned(), vec![]));
    }
}
