//! Bounded pieces of a log: around one problem, and the end of it.

use crate::problem::Problem;

/// The part of a log that a problem was read from, at most so many bytes of it, from its beginning.
pub fn excerpt(log: &[u8], problem: &Problem, most: usize) -> String {
    let start = problem.raw.start.min(log.len());
    let end = problem.raw.end.clamp(start, log.len());
    let kept = end.min(start.saturating_add(most));
    trimmed(String::from_utf8_lossy(&log[start..kept]).into_owned(), most)
}

/// The last lines of a log, at most so many bytes; whole lines, unless the last one is longer.
pub fn tail(log: &[u8], most: usize) -> String {
    let start = log.len().saturating_sub(most);
    let cut = &log[start..];
    let whole = match cut.iter().position(|&byte| byte == b'\n') {
        Some(end) if start > 0 && end + 1 < cut.len() && log[start - 1] != b'\n' => &cut[end + 1..],
        _ => cut,
    };
    trimmed(String::from_utf8_lossy(whole).into_owned(), most)
}

/// Bytes that are no characters have become longer ones.
fn trimmed(mut text: String, most: usize) -> String {
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_whole_lines() {
        assert_eq!(tail(b"one\ntwo\nthree\n", 10), "two\nthree\n");
        assert_eq!(tail(b"one\ntwo\nthree\n", 9), "three\n");
        assert_eq!(tail(b"one\ntwo\nthree\n", 6), "three\n");
        assert_eq!(tail(b"one\ntwo\n", 100), "one\ntwo\n");
        assert_eq!(tail(b"a long line", 4), "line");
        assert!(tail(&[0xff; 100], 10).len() <= 10);
    }

    #[test]
    fn an_excerpt_is_bounded() {
        let log = b"! Undefined control sequence.\nl.3 \\x\n\n";
        let problem = &crate::problems(log)[0];
        assert!(excerpt(log, problem, 100).ends_with("l.3 \\x\n"));
        assert_eq!(excerpt(log, problem, 11), "! Undefined");
        assert_eq!(excerpt(b"", problem, 11), "");
    }
}
