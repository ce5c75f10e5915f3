//! Which lines of one text became which lines of another.

mod left;
mod stretches;

use std::ops::Range;

use aside_core::{Confidence, Hunk};
use imara_diff::{Algorithm, Diff, InternedInput, Interner};

pub use self::left::left_by;
use self::stretches::{Stretch, stretches};
use crate::Lines;

/// Lines around a hunk that are shown with it.
const SHOWN: usize = 3;

/// Lines kept on both sides of the part that differs, so that the diff can choose where a hunk reads best.
const MARGIN: usize = 64;

/// From so many lines on, the parts that are equal are left out before the lines are compared.
const LONG: usize = 10_000;

/// Some lines that became other lines; counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineHunk {
    /// The lines that go.
    pub before: Range<usize>,
    /// The lines that come.
    pub after: Range<usize>,
}

/// Returns the hunks between two texts, in order. Terminators don't count.
pub fn line_diff(before: &str, after: &str) -> Vec<LineHunk> {
    diff_lines(&Lines::new(before), &Lines::new(after))
}

/// Like [`line_diff`], for texts that are indexed already.
pub fn diff_lines(before: &Lines, after: &Lines) -> Vec<LineHunk> {
    diff_by(before, after, Lines::get)
}

/// Like [`diff_lines`], but a last line that is ended differs from one that is not.
pub(crate) fn diff_ended_lines(before: &Lines, after: &Lines) -> Vec<LineHunk> {
    diff_by(before, after, |lines, line| lines.slice(line..line + 1))
}

fn diff_by<'text>(
    before: &Lines<'text>,
    after: &Lines<'text>,
    line: impl Fn(&Lines<'text>, usize) -> &'text str,
) -> Vec<LineHunk> {
    let (count, shorter) = (before.len(), before.len().min(after.len()));
    let old = |at| line(before, at);
    let new = |at| line(after, at);
    let top = (0..shorter).take_while(|at| old(*at) == new(*at)).count();
    if top == count && top == after.len() {
        return Vec::new();
    }
    let same_from_end = |at: &usize| old(count - 1 - at) == new(after.len() - 1 - at);
    let bottom = (0..shorter - top).take_while(same_from_end).count();
    let (top, bottom) = (top.saturating_sub(MARGIN), bottom.saturating_sub(MARGIN));
    let part = Stretch { before: top..count - bottom, after: top..after.len() - bottom };
    let is_long = part.before.len().min(part.after.len()) >= LONG;
    let parts = if is_long { stretches(before, after, &part) } else { vec![part] };
    let hunks = |part: Stretch| {
        let (top, new_top) = (part.before.start, part.after.start);
        let hunks = diff_sequences(part.before.map(old), part.after.map(new)).into_iter();
        hunks.map(move |hunk| LineHunk { before: shift(hunk.before, top), after: shift(hunk.after, new_top) })
    };
    parts.into_iter().flat_map(hunks).collect()
}

/// Returns the hunks between two sequences of lines.
pub(crate) fn diff_sequences<'text>(
    before: impl ExactSizeIterator<Item = &'text str>,
    after: impl ExactSizeIterator<Item = &'text str>,
) -> Vec<LineHunk> {
    let capacity = before.len() + after.len();
    let mut input = InternedInput {
        before: Vec::with_capacity(before.len()),
        after: Vec::with_capacity(after.len()),
        interner: Interner::new(capacity),
    };
    input.update_before(before);
    input.update_after(after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().map(|hunk| LineHunk { before: widen(&hunk.before), after: widen(&hunk.after) }).collect()
}

/// Returns the hunks between two texts in the form a preview shows.
pub fn preview_hunks(before: &str, after: &str) -> Vec<Hunk> {
    let (old, new) = (Lines::new(before), Lines::new(after));
    let hunks = diff_lines(&old, &new);
    let shown = |(part, hunk): (usize, &LineHunk)| {
        let new = new.owned(hunk.after.clone());
        shown_hunk(part, &old, hunk.before.clone(), new, Confidence::Exact)
    };
    hunks.iter().enumerate().map(shown).collect()
}

pub(crate) fn shown_hunk(
    part: usize,
    lines: &Lines,
    going: Range<usize>,
    new: Vec<String>,
    confidence: Confidence,
) -> Hunk {
    Hunk {
        part: number(part),
        start: number(going.start + 1),
        old: lines.owned(going.clone()),
        new,
        before: lines.owned(going.start.saturating_sub(SHOWN)..going.start),
        after: lines.owned(going.end..(going.end + SHOWN).min(lines.len())),
        confidence,
        anchor: None,
    }
}

/// A line number as it goes over the wire; texts are far shorter than it can count.
pub(crate) fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn shift(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn widen(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(before: Range<usize>, after: Range<usize>) -> LineHunk {
        LineHunk { before, after }
    }

    #[test]
    fn finds_what_changed() {
        assert_eq!(line_diff("a\nb\nc\n", "a\nB\nc\n"), [hunk(1..2, 1..2)]);
        assert_eq!(line_diff("a\nc\n", "a\nb\nc\n"), [hunk(1..1, 1..2)]);
        assert_eq!(line_diff("", "a\n"), [hunk(0..0, 0..1)]);
        assert_eq!(line_diff("a\n", ""), [hunk(0..1, 0..0)]);
        assert_eq!(line_diff("a", "a\n"), []);
    }

    #[test]
    fn far_hunks_keep_their_line_numbers() {
        let before: String = (0..5000).map(|line| format!("{line}\n")).collect();
        let after = before.replace("\n2000\n", "\nx\ny\n").replace("\n4000\n", "\n");
        assert_eq!(line_diff(&before, &after), [hunk(2000..2001, 2000..2002), hunk(4000..4001, 4001..4001)]);
    }

    #[test]
    fn a_shown_hunk_carries_its_surroundings() {
        let hunks = preview_hunks("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\n6\n");
        assert_eq!(hunks.len(), 1);
        assert_eq!(
            (hunks[0].start, &hunks[0].old[..], &hunks[0].new[..]),
            (5, &["5".to_owned()][..], &["x".to_owned()][..])
        );
        assert_eq!((hunks[0].before.join(""), hunks[0].after.join("")), ("234".to_owned(), "6".to_owned()));
    }
}
