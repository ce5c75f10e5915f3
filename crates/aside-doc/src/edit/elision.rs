//! Lines left out of the old text with `...`: its pieces are found one by one.

use std::ops::Range;

use super::{request::Block, search::occurrences};
use crate::Lines;

/// Tells whether a line stands for lines that are left out.
pub(crate) fn is_elision(line: &str) -> bool {
    matches!(line.trim(), "..." | "…")
}

/// Returns the pieces between lines that are only `...`; none if there is no such line.
fn pieces(lines: &[String]) -> Option<Vec<&[String]>> {
    let elided = |line: &String| is_elision(line);
    lines.iter().any(elided).then(|| lines.split(elided).collect())
}

/// One piece of the text, and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub lines: Range<usize>,
    pub old: Vec<String>,
    pub new: Vec<String>,
}

/// Finds the pieces of `old`, each exactly once and in order, to be replaced by the pieces of `new`.
pub(crate) fn find_pieces(lines: &Lines, old: &[String], new: &[String]) -> Option<Vec<Piece>> {
    let (old, new) = (pieces(old)?, pieces(new)?);
    if old.len() != new.len() {
        return None;
    }
    let mut found: Vec<Piece> = Vec::new();
    for (old, new) in old.into_iter().zip(new) {
        if old.is_empty() && new.is_empty() {
            continue;
        }
        let start = once(lines, old)?;
        if found.last().is_some_and(|above| above.lines.end > start) {
            return None;
        }
        found.push(Piece { lines: start..start + old.len(), old: old.to_vec(), new: new.to_vec() });
    }
    (!found.is_empty()).then_some(found)
}

/// Tells whether `old`, with lines left out, is what the named lines hold from the first to the last.
pub(crate) fn spans(lines: &Lines, named: &Range<usize>, old: &Block) -> bool {
    let Some(pieces) = pieces(&old.lines) else { return false };
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    let kept: usize = pieces.iter().map(|piece| piece.len()).sum();
    if first.is_empty() || last.is_empty() || kept > named.len() || named.end > lines.len() {
        return false;
    }
    if lines.range(named.clone()).any(is_elision) {
        // Whether the text's own `...` is meant can't be told.
        return false;
    }
    let is_at = |at: usize, piece: &[String]| lines.range(at..at + piece.len()).eq(piece.iter().map(String::as_str));
    let mut from = named.start + first.len();
    let until = named.end - last.len();
    let between = pieces[1..pieces.len() - 1].iter().all(|piece| {
        let found = (from..(until + 1).saturating_sub(piece.len())).find(|at| is_at(*at, piece));
        from = found.unwrap_or(from) + piece.len();
        found.is_some()
    });
    is_at(named.start, first) && is_at(until, last) && between
}

fn once(lines: &Lines, piece: &[String]) -> Option<usize> {
    if piece.iter().all(|line| line.trim().is_empty()) {
        return None;
    }
    let piece: Vec<&str> = piece.iter().map(String::as_str).collect();
    match occurrences(lines, &piece, 2)[..] {
        [start] => Some(start),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(text: &str) -> Vec<String> {
        text.split('\n').map(str::to_owned).collect()
    }

    fn found(text: &str, old: &str, new: &str) -> Option<Vec<usize>> {
        let pieces = find_pieces(&Lines::new(text), &owned(old), &owned(new))?;
        Some(pieces.into_iter().map(|piece| piece.lines.start).collect())
    }

    #[test]
    fn pieces_are_found_once_and_in_order() {
        let text = "def f():\n  a\n  b\n  return 1\nx\nx\n";
        assert_eq!(found(text, "def f():\n...\n  return 1", "def g():\n...\n  return 2"), Some(vec![0, 3]));
        assert_eq!(found(text, "  return 1\n...\ndef f():", "a\n...\nb"), None, "out of order");
        assert_eq!(found(text, "def f():\n...\nx", "a\n...\nb"), None, "twice there");
        assert_eq!(found(text, "def f():\n...\n  return 1", "def g():"), None, "what becomes of the rest?");
        assert_eq!(found(text, "def f():", "def g():"), None);
    }

    #[test]
    fn an_echo_of_the_ends_spans_the_named_lines() {
        let lines = Lines::new("a\nb\nc\nd\n");
        let block = |text: &str| Block { lines: owned(text), ended: false };
        assert!(spans(&lines, &(0..3), &block("a\n...\nc")));
        assert!(spans(&lines, &(0..4), &block("a\n...\nc\n...\nd")));
        assert!(!spans(&lines, &(0..4), &block("a\n...\nc")));
        assert!(!spans(&lines, &(0..4), &block("a\n...\nx\n...\nd")));
        assert!(!spans(&lines, &(3..9), &block("d\n...\nd")));
        assert!(!spans(&Lines::new("a\n...\nb\nb\n"), &(0..4), &block("a\n...\nb")));
    }
}
