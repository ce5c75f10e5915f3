//! Where the lines of the text that was seen are in the text as it is now.

use std::ops::Range;

use super::search::occurrences;
use crate::{LineHunk, Lines, diff_lines};

/// Lines that are there more often are counted no further.
const COUNTED: usize = 10_000;

/// So many lines on either side that say something make a place known among its twins.
const NEIGHBOURS: usize = 2;

/// So many lines that say something, and are there once before and after, are the same lines wherever they went.
const BLOCK: usize = 3;

/// Unchanged lines between two changes.
struct Run<'map> {
    lines: Range<usize>,
    above: Option<&'map LineHunk>,
    below: Option<&'map LineHunk>,
}

impl Run<'_> {
    /// Where lines of the run are now.
    fn moved(&self, lines: &Range<usize>) -> Range<usize> {
        let now = self.above.map_or(0, |hunk| hunk.after.end);
        now + lines.start - self.lines.start..now + lines.end - self.lines.start
    }
}

/// Returns about where lines of an earlier text, counted from 1, are now: of those that are gone, what took their place.
pub fn lines_now(then: &str, now: &str, lines: &[u32]) -> Vec<u32> {
    let map = LineMap::new(then, &Lines::new(now));
    let near = |line: &u32| u32::try_from(map.near((*line).saturating_sub(1) as usize)).unwrap_or(u32::MAX);
    lines.iter().map(|line| near(line).saturating_add(1)).collect()
}

/// The lines of an earlier text in a later one.
#[derive(Debug)]
pub(crate) struct LineMap<'text> {
    base: Lines<'text>,
    hunks: Vec<LineHunk>,
    count: usize,
}

impl<'text> LineMap<'text> {
    /// Compares an earlier text with a later one.
    pub fn new(base: &'text str, current: &Lines) -> Self {
        let base = Lines::new(base);
        let hunks = diff_lines(&base, current);
        Self { base, hunks, count: current.len() }
    }

    /// The earlier text.
    pub fn base(&self) -> &Lines<'text> {
        &self.base
    }

    /// Where some lines are now; none if any of them is gone, or if it can't be told apart from a twin.
    pub fn carry(&self, wanted: &Range<usize>, current: &Lines) -> Option<Range<usize>> {
        let run = self.kept_run(wanted)?;
        let lines = run.moved(wanted);
        let certain = || {
            let (before, after) = self.count(wanted, current, COUNTED);
            (before, after) == (1, 1)
                || (before == after
                    && self.count(&run.lines, current, 2) == (1, 1)
                    && !self.may_be_its_twin(wanted, &run, current))
                || self.with_neighbours(wanted, &run).is_some_and(|lines| self.count(&lines, current, 2) == (1, 1))
        };
        certain().then_some(lines)
    }

    /// Where some lines were moved to as a block; none if what is there may have been written apart from them.
    pub fn moved(&self, wanted: &Range<usize>, current: &Lines) -> Option<Range<usize>> {
        let lines: Vec<&str> = self.base.range(wanted.clone()).collect();
        let telling = lines.iter().filter(|line| says_something(line)).count();
        if telling < BLOCK || self.count(wanted, current, 2) != (1, 1) {
            return None;
        }
        occurrences(current, &lines, 1).first().map(|start| *start..start + lines.len())
    }

    /// Some lines with those around them that make them known; none if these are not all unchanged.
    fn with_neighbours(&self, wanted: &Range<usize>, run: &Run) -> Option<Range<usize>> {
        let telling = |line: &usize| says_something(self.base.get(*line));
        let above = (run.lines.start..wanted.start).rev().filter(telling).nth(NEIGHBOURS - 1);
        let below = (wanted.end..run.lines.end).filter(telling).nth(NEIGHBOURS - 1);
        let start = above.or((run.lines.start == 0).then_some(0))?;
        let end = below.map(|line| line + 1).or((run.lines.end == self.base.len()).then_some(run.lines.end))?;
        // A short text has no neighbours that tell anything.
        (above.is_some() || below.is_some()).then_some(start..end)
    }

    /// Where the place before a line is now; none if both its neighbours are gone.
    pub fn carry_place(&self, before: usize, current: &Lines) -> Option<usize> {
        let carry = |lines: Range<usize>| self.carry(&lines, current);
        let above = || match before {
            0 => Some(0),
            _ => carry(before - 1..before).map(|line| line.end),
        };
        if before == self.base.len() {
            return above().or(Some(self.count));
        }
        // Two neighbours that are still together tell more than either alone.
        let both = if before == 0 { None } else { carry(before - 1..before + 1).map(|lines| lines.start + 1) };
        both.or_else(|| carry(before..before + 1).map(|line| line.start)).or_else(above)
    }

    /// What stands now between the neighbours that some lines had.
    pub fn region(&self, lines: &Range<usize>) -> Range<usize> {
        let touching = |hunk: &&LineHunk| hunk.before.end >= lines.start && hunk.before.start <= lines.end;
        let (mut start, mut end) = (self.near(lines.start), self.near_end(lines.end));
        for hunk in self.hunks.iter().filter(touching) {
            start = start.min(hunk.after.start);
            end = end.max(hunk.after.end);
        }
        start..end.max(start)
    }

    /// About where a line is now, also if it is gone.
    pub fn near(&self, line: usize) -> usize {
        let above = self.hunks.partition_point(|hunk| hunk.before.start <= line);
        let Some(hunk) = above.checked_sub(1).map(|index| &self.hunks[index]) else { return line.min(self.count) };
        if line < hunk.before.end {
            hunk.after.start
        } else {
            (hunk.after.end + line - hunk.before.end).min(self.count)
        }
    }

    fn near_end(&self, line: usize) -> usize {
        let above = self.hunks.partition_point(|hunk| hunk.before.start < line);
        let Some(hunk) = above.checked_sub(1).map(|index| &self.hunks[index]) else { return line.min(self.count) };
        if line < hunk.before.end { hunk.after.end } else { (hunk.after.end + line - hunk.before.end).min(self.count) }
    }

    /// The unchanged lines around some lines; none if some of these are not unchanged or not together.
    fn kept_run(&self, lines: &Range<usize>) -> Option<Run<'_>> {
        let below = self.hunks.partition_point(|hunk| hunk.before.end <= lines.start);
        let (above, below) = (below.checked_sub(1).map(|index| &self.hunks[index]), self.hunks.get(below));
        let start = above.map_or(0, |hunk| hunk.before.end);
        let end = below.map_or(self.base.len(), |hunk| hunk.before.start);
        (lines.end <= end).then_some(Run { lines: start..end, above, below })
    }

    /// Tells whether the change next to some lines could as well have been made so that they went and a
    /// twin of theirs stayed. Of `x b x` without `x b`, the `x` that is left may be either.
    fn may_be_its_twin(&self, wanted: &Range<usize>, run: &Run, current: &Lines) -> bool {
        let twin_in = |lines: &Lines, block: Range<usize>, hunk: &Range<usize>| {
            let from = hunk.start.saturating_sub(block.len());
            let until = hunk.end.min(lines.len().saturating_sub(block.len() - 1));
            (from..until.max(from))
                .any(|at| at != block.start && lines.range(at..at + block.len()).eq(lines.range(block.clone())))
        };
        let twin_at = |block: Range<usize>, hunk: &LineHunk| {
            let moved = run.moved(&block);
            twin_in(&self.base, block, &hunk.before) || twin_in(current, moved, &hunk.after)
        };
        run.below.is_some_and(|hunk| twin_at(wanted.start..run.lines.end, hunk))
            || run.above.is_some_and(|hunk| twin_at(run.lines.start..wanted.end, hunk))
    }

    /// How often some lines are in either text, up to a limit. A twin that came or went makes every one of them doubtful.
    fn count(&self, lines: &Range<usize>, current: &Lines, limit: usize) -> (usize, usize) {
        let wanted: Vec<&str> = self.base.range(lines.clone()).collect();
        let count = |lines| occurrences(lines, &wanted, limit).len();
        (count(&self.base), count(current))
    }
}

/// More than braces and blanks.
pub(crate) fn says_something(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(base: &str, current: &str, lines: Range<usize>) -> Option<Range<usize>> {
        let current = Lines::new(current);
        LineMap::new(base, &current).carry(&lines, &current)
    }

    #[test]
    fn every_line_of_before_has_a_place_now() {
        assert_eq!(lines_now("a\nb\nc\n", "x\na\nb\nc\n", &[1, 3]), [2, 4]);
        assert_eq!(lines_now("a\nb\nc\n", "a\nB\nc\n", &[2, 3]), [2, 3]);
        assert_eq!(lines_now("a\nb\nc\n", "a\nc\n", &[2, 3, 9]), [2, 2, 3]);
    }

    #[test]
    fn unchanged_lines_move_along() {
        assert_eq!(carried("a\nb\nc\n", "x\na\nb\nc\n", 1..3), Some(2..4));
        assert_eq!(carried("a\nb\nc\n", "a\nc\n", 2..3), Some(1..2));
        assert_eq!(carried("a\nb\nc\n", "a\nB\nc\n", 1..2), None);
        assert_eq!(carried("a\nb\nc\n", "a\nb\nx\nc\n", 1..3), None, "no longer together");
    }

    #[test]
    fn a_twin_is_not_taken_for_a_line_that_may_be_gone() {
        assert_eq!(carried("x\nx\n", "x\n", 0..1), None);
        assert_eq!(carried("x\n", "x\nx\n", 0..1), None);
        assert_eq!(carried("a\nx\nb\nx\nc\n", "a\nx\nc\n", 1..2), None, "which x went can't be told");
        assert_eq!(carried("a\nx\nb\nx\nc\n", "a\nZ\nx\nc\n", 1..2), None);
    }

    #[test]
    fn a_twin_is_told_apart_by_the_unchanged_lines_around_it() {
        let lines = "x\n".repeat(100);
        assert_eq!(carried(&lines, &format!("new\n{lines}"), 40..41), Some(41..42));
        assert_eq!(carried("a\nx\nb\nx\nc\n", "new\na\nx\nb\nx\nc\n", 3..4), Some(4..5));
    }

    #[test]
    fn a_place_follows_its_neighbours() {
        let place = |base, current: &str, before| {
            let current = Lines::new(current);
            LineMap::new(base, &current).carry_place(before, &current)
        };
        assert_eq!(place("a\nb\n", "x\na\nb\n", 1), Some(2));
        assert_eq!(place("a\nb\n", "a\nB\n", 1), Some(1));
        assert_eq!(place("a\nb\n", "A\nB\n", 1), None);
        assert_eq!(place("a\nb\n", "A\nB\nC\n", 2), Some(3));
        assert_eq!(place("a\n", "b\n", 0), Some(0));
    }

    #[test]
    fn the_region_is_what_stands_between_the_neighbours() {
        let region = |base, current: &str, lines| LineMap::new(base, &Lines::new(current)).region(&lines);
        assert_eq!(region("p\nold\nq\n", "p\nnew\nnewer\nq\n", 1..2), 1..3);
        assert_eq!(region("p\nold\nq\n", "p\nq\n", 1..2), 1..1);
        assert_eq!(region("p\nq\n", "p\nnew\nq\n", 1..1), 1..2);
        assert_eq!(region("p\nold\nq\n", "p\nabove\nold\nq\n", 1..2), 1..3);
    }
}
