//! What a change has left of itself in a later text.

use std::ops::Range;

use super::{LineHunk, line_diff};

/// Returns where the lines are that a change of `before` to `after` brought, as far as `now` still has them: in order, each
/// run of them apart. Where lines only went, the empty place they went from, unless that is gone as well.
pub fn left_by(before: &str, after: &str, now: &str) -> Vec<Range<usize>> {
    let later = line_diff(after, now);
    line_diff(before, after).into_iter().flat_map(|hunk| kept(&hunk.after, &later)).collect()
}

/// The lines, or the place, that later changes have not touched, where they are after these.
fn kept(lines: &Range<usize>, later: &[LineHunk]) -> Vec<Range<usize>> {
    let first = later.partition_point(|hunk| hunk.before.end <= lines.start);
    let mut above = first.checked_sub(1).map(|index| &later[index]);
    let mut runs = Vec::new();
    let mut from = lines.start;
    for hunk in later[first..].iter().take_while(|hunk| hunk.before.start < lines.end) {
        push(&mut runs, from..hunk.before.start, above);
        (from, above) = (hunk.before.end, Some(hunk));
    }
    push(&mut runs, from..lines.end, above);
    let is_inside = later.get(first).is_some_and(|hunk| hunk.before.start < lines.start);
    if lines.is_empty() && !is_inside {
        runs.push(moved(lines, above));
    }
    runs
}

fn push(runs: &mut Vec<Range<usize>>, lines: Range<usize>, above: Option<&LineHunk>) {
    if !lines.is_empty() {
        runs.push(moved(&lines, above));
    }
}

/// Where lines are of which `above` is the change above them.
fn moved(lines: &Range<usize>, above: Option<&LineHunk>) -> Range<usize> {
    let Some(LineHunk { before, after }) = above else { return lines.clone() };
    after.end + lines.start - before.end..after.end + lines.end - before.end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is left, as first lines and ends.
    fn left(before: &str, after: &str, now: &str) -> Vec<(usize, usize)> {
        left_by(before, after, now).into_iter().map(|lines| (lines.start, lines.end)).collect()
    }

    #[test]
    fn lines_are_found_where_they_went() {
        assert_eq!(left("a\nb\n", "a\nX\nY\nb\n", "new\na\nX\nY\nb\n"), [(2, 4)]);
        assert_eq!(left("a\nb\n", "a\nX\nY\nb\n", "a\nX\nin between\nY\nb\n"), [(1, 2), (3, 4)]);
        assert_eq!(left("a\nb\n", "A\nb\n", "A\nb\nmore\n"), [(0, 1)]);
    }

    #[test]
    fn what_was_written_over_is_gone() {
        assert!(left("a\nb\n", "a\nX\nb\n", "a\nZ\nb\n").is_empty());
        assert_eq!(left("a\nb\n", "a\nX\nY\nb\n", "a\nZ\nY\nb\n"), [(2, 3)]);
        assert!(left("", "all of it\n", "").is_empty());
    }

    #[test]
    fn where_lines_went_a_place_is_left() {
        assert_eq!(left("a\nb\nc\n", "a\nc\n", "new\na\nc\n"), [(2, 2)]);
        assert!(left("a\nb\nc\nd\n", "a\nc\nd\n", "Z\n").is_empty());
    }

    proptest! {
        #[test]
        fn what_is_left_is_what_the_change_brought(
            texts in prop::array::uniform3(prop::collection::vec("[abc]", 0..12)),
        ) {
            let [before, after, now] = texts.map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
            let (came, lines): (Vec<_>, Vec<_>) = (line_diff(&before, &after), now.lines().collect());
            let brought: Vec<&str> = after.lines().collect();
            let mut end = 0;
            for run in left_by(&before, &after, &now) {
                prop_assert!(run.start >= end && run.end <= lines.len());
                end = run.end;
                let run = &lines[run];
                prop_assert!(run.is_empty() || came.iter().any(|hunk| brought[hunk.after.clone()].windows(run.len()).any(|these| these == run)));
            }
        }
    }
}
