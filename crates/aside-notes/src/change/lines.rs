//! Lines of a text by their bytes, with whatever ends each of them.

use std::ops::Range;

/// Returns the first byte of the line of a position.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

/// Returns the end of the line of a position, its line end not included.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    if end > at && text[..end].ends_with('\r') && end < text.len() { end - 1 } else { end }
}

/// Returns the first byte behind the line of a position, its line end included.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |found| at + found + 1)
}

/// Returns the line end for a new line beside a position: that of its line, else of the line before, else a line feed.
pub(super) fn ending_near(text: &str, at: usize) -> &'static str {
    let own = text[at..].find('\n').map(|found| at + found);
    match own.or_else(|| text[..at].rfind('\n')) {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns the length of the line end before a position.
pub(super) fn ending_before(text: &str, start: usize) -> usize {
    match text[..start].strip_suffix('\n') {
        Some(before) if before.ends_with('\r') => 2,
        Some(_) => 1,
        None => 0,
    }
}

/// Returns the bytes of a line by its number, from 1, its line end not included.
pub(super) fn line_range(text: &str, line: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    (line > 0).then(|| start..line_end(text, start))
}

/// Returns the columns of white space before a line; a tab counts to the next multiple of 4.
pub(super) fn columns(line: &str) -> usize {
    let mut columns = 0;
    for character in line.chars() {
        match character {
            ' ' => columns += 1,
            '\t' => columns += 4 - columns % 4,
            _ => break,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_end_like_their_neighbour() {
        let text = "a\r\nb\nc";
        assert_eq!([0, 3, 5].map(|at| ending_near(text, at)), ["\r\n", "\n", "\n"]);
        assert_eq!(ending_near("a\r\nb", 3), "\r\n");
        assert_eq!(ending_near("", 0), "\n");
        assert_eq!((line_start(text, 4), line_end(text, 0), next_line(text, 0)), (3, 1, 3));
        assert_eq!((line_range(text, 2), line_range(text, 4), line_range(text, 0)), (Some(3..4), None, None));
        assert_eq!(columns(" \tx"), 4);
    }
}
