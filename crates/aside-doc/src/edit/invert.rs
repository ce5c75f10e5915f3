//! The way back: edits that undo a plan, anchored like any other, so that what was typed since is kept.

use std::ops::Range;

use super::{
    AnchoredEdit, Plan,
    build::{Merged, merged},
};
use crate::Lines;

/// Returns the edits that take a plan back; their line numbers are those of the text after it.
pub fn invert(plan: &Plan, before: &str) -> Vec<AnchoredEdit> {
    let after = plan.text_after(before);
    let (before, after) = (Lines::new(before), Lines::new(&after));
    let changes = plan.hunks.iter().map(|hunk| {
        let start = hunk.range_before.start as usize - 1;
        (start..start + hunk.old.len(), &hunk.new[..])
    });
    let mut changes = moved(merged(changes));
    if before.is_ended() != after.is_ended()
        && let Some((old, new)) = changes.last_mut()
        && (Range::is_empty(old) || Range::is_empty(new))
    {
        // The final newline is told by the text of a last line, so there has to be one on both sides.
        let above = usize::from(old.start > 0);
        (old.start, new.start) = (old.start - above, new.start - above);
    }
    let edits = changes.into_iter().map(|(old, new)| back(&before, old, &after, new));
    // A line that went next to a twin of it that came leaves nothing to take back.
    edits.filter(|edit| edit.old.as_deref() != Some(&edit.new)).collect()
}

/// Pairs the lines that went with the lines that came, each counted in its own text.
fn moved(changes: Vec<Merged>) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut gone, mut come) = (0, 0);
    let pair = |(old, new): Merged| {
        let start = old.start + come - gone;
        gone += old.len();
        come += new.len();
        (old, start..start + new.len())
    };
    changes.into_iter().map(pair).collect()
}

/// The edit of `after` that makes some of its lines those of `before`.
pub(super) fn back(before: &Lines, old: Range<usize>, after: &Lines, new: Range<usize>) -> AnchoredEdit {
    let number = crate::diff::number;
    AnchoredEdit {
        start: Some(number(new.start + 1)),
        end: Some(number(new.end)),
        // Without `old` the version's own lines count, here none: the insertion is meant literally.
        old: (!new.is_empty()).then(|| after.slice(new).to_owned()),
        new: before.slice(old).to_owned(),
    }
}
