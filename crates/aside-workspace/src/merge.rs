//! Brings together what two sides made of one text, line by line. Nothing that either wrote is lost:
//! where both changed the same lines in different ways, both results stay, ours first.

use std::ops::Range;

use aside_doc::{Change, LineHunk, Lines, LiveContent, Unfit, diff_lines};

mod notebook;

pub(crate) use notebook::back_to;

/// Takes what a file holds now into what is live of it; `base` is what the file held before.
///
/// # Errors
/// If a notebook's file is none any more; then nothing has changed.
pub(crate) fn merge_into(ours: &mut LiveContent, base: &str, theirs: &str) -> Result<Vec<Change>, Unfit> {
    match ours {
        LiveContent::Text(text) => {
            let merged = merge(base, &text.text(), theirs);
            Ok(text.replace_text(&merged, "disk").into_iter().collect())
        }
        LiveContent::Notebook(ours) => notebook::merge_into(ours, base, theirs),
    }
}

/// Returns `base` with the changes that lead to `ours` and those that lead to `theirs`.
pub(crate) fn merge(base: &str, ours: &str, theirs: &str) -> String {
    merged(base, ours, theirs).0
}

/// The same, or none if both changed the same lines in different ways.
pub(crate) fn merge_cleanly(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let (text, both) = merged(base, ours, theirs);
    (!both).then_some(text)
}

/// The text, and whether both changed the same lines in different ways.
fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
    if ours == base || ours == theirs {
        return (theirs.to_owned(), false);
    }
    if theirs == base {
        return (ours.to_owned(), false);
    }
    let (base, ours, theirs) = (Lines::new(base), Lines::new(ours), Lines::new(theirs));
    let (mut merged, mut both) = (String::new(), false);
    let mut done = 0;
    for region in regions(diff_lines(&base, &ours), diff_lines(&base, &theirs)) {
        push(&mut merged, base.slice(done..region.lines.start));
        let old = base.slice(region.lines.clone());
        let ours = region.image(&region.ours).map_or(old, |lines| ours.slice(lines));
        let theirs = region.image(&region.theirs).map_or(old, |lines| theirs.slice(lines));
        both |= ours != theirs && ours != old && theirs != old;
        for part in combine(old, ours, theirs) {
            push(&mut merged, part);
        }
        done = region.lines.end;
    }
    push(&mut merged, base.slice(done..base.len()));
    (settle_ending(merged, [base.text(), ours.text(), theirs.text()]), both)
}

/// What comes for one region: one side's text if the other left it alone, else both.
fn combine<'text>(base: &str, ours: &'text str, theirs: &'text str) -> [&'text str; 2] {
    if ours == theirs || theirs == base {
        [ours, ""]
    } else if ours == base {
        ["", theirs]
    } else {
        [ours, theirs]
    }
}

/// Appends lines; a line that was the last of its text without a newline gets one when another follows.
fn push(text: &mut String, lines: &str) {
    if !lines.is_empty() && !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(lines);
}

/// The final newline is there unless a side took it away.
fn settle_ending(mut text: String, [base, ours, theirs]: [&str; 3]) -> String {
    let ended = |text: &str| text.is_empty() || text.ends_with('\n');
    let wanted = if ended(ours) == ended(base) { ended(theirs) } else { ended(ours) };
    if wanted && !ended(&text) {
        text.push('\n');
    } else if !wanted && text.ends_with('\n') {
        text.pop();
    }
    text
}

/// A stretch of base that at least one side changed.
#[derive(Default)]
struct Region {
    lines: Range<usize>,
    ours: Vec<LineHunk>,
    theirs: Vec<LineHunk>,
}

impl Region {
    /// The lines of a side that stand where this stretch stood; none if the side left it alone.
    fn image(&self, hunks: &[LineHunk]) -> Option<Range<usize>> {
        let (first, last) = (hunks.first()?, hunks.last()?);
        let above = first.before.start - self.lines.start;
        let below = self.lines.end - last.before.end;
        Some(first.after.start - above..last.after.end + below)
    }

    /// Insertions at one point are one stretch; one at the edge of changed lines stays apart.
    fn meets(&self, lines: &Range<usize>) -> bool {
        lines.start < self.lines.end || (*lines == self.lines && lines.is_empty())
    }
}

fn regions(ours: Vec<LineHunk>, theirs: Vec<LineHunk>) -> Vec<Region> {
    let ours = ours.into_iter().map(|hunk| (hunk, true));
    let mut all: Vec<_> = ours.chain(theirs.into_iter().map(|hunk| (hunk, false))).collect();
    all.sort_by_key(|(hunk, _)| (hunk.before.start, hunk.before.end));
    let mut regions: Vec<Region> = Vec::new();
    for (hunk, is_ours) in all {
        if regions.last().is_none_or(|last| !last.meets(&hunk.before)) {
            regions.push(Region { lines: hunk.before.clone(), ..Region::default() });
        }
        let region = regions.last_mut().expect("one was just pushed if there was none");
        region.lines.end = region.lines.end.max(hunk.before.end);
        if is_ours { &mut region.ours } else { &mut region.theirs }.push(hunk);
    }
    regions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_at_different_places_come_together() {
        assert_eq!(merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n"), "A\nb\nc\nD\n");
        assert_eq!(merge("a\nb\nc\n", "a\nx\nb\nc\n", "a\nb\n"), "a\nx\nb\n");
        assert_eq!(merge("a\nb\n", "top\na\nb\n", "a\nb\nend\n"), "top\na\nb\nend\n");
        assert_eq!(merge("a\nb\n", "top\na\nb\n", "A\nb\n"), "top\nA\nb\n");
        assert_eq!(merge("a\nb\n", "a\nmid\nb\n", "A\nb\n"), "A\nmid\nb\n");
    }

    #[test]
    fn the_same_change_is_made_once() {
        assert_eq!(merge("a\nb\n", "a\nx\nb\n", "a\nx\nb\nc\n"), "a\nx\nb\nc\n");
        assert_eq!(merge("a\nb\n", "a\nB\n", "a\nB\n"), "a\nB\n");
    }

    #[test]
    fn different_changes_of_one_line_both_stay() {
        assert_eq!(merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n"), "a\nours\ntheirs\nc\n");
        assert_eq!(merge("a\nb\n", "a\n", "a\nB\n"), "a\nB\n");
        assert_eq!(merge("a\n", "a\nours\n", "a\ntheirs\n"), "a\nours\ntheirs\n");
        assert_eq!(merge("a", "a\nours", "a\ntheirs"), "a\nours\ntheirs");
    }

    #[test]
    fn a_clean_merge_is_one_without_a_line_that_both_changed() {
        assert_eq!(merge_cleanly("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n").as_deref(), Some("A\nb\nC\n"));
        assert_eq!(merge_cleanly("a\nb\n", "a\nx\n", "a\nx\n").as_deref(), Some("a\nx\n"));
        assert_eq!(merge_cleanly("a\nb\n", "a\nx\n", "a\ny\n"), None);
        assert_eq!(merge_cleanly("a\nb\n", "a\n", "a\nB\n"), None);
    }

    #[test]
    fn the_final_newline_follows_the_side_that_changed_it() {
        assert_eq!(merge("a\nb\n", "A\nb\n", "a\nb"), "A\nb");
        assert_eq!(merge("a\nb", "A\nb", "a\nb\n"), "A\nb\n");
        assert_eq!(merge("a\nb", "A\nb", "a\nb\nc"), "A\nb\nc");
    }

    fn lines() -> impl Strategy<Value = String> {
        "([a-d]\n){0,8}[a-d]{0,1}"
    }

    proptest! {
        #[test]
        fn one_sided_changes_win(base in lines(), changed in lines()) {
            prop_assert_eq!(merge(&base, &changed, &base), changed.clone());
            prop_assert_eq!(merge(&base, &base, &changed), changed.clone());
            prop_assert_eq!(merge(&base, &changed, &changed), changed);
        }

        #[test]
        fn a_line_that_only_one_side_wrote_is_there(base in lines(), ours in lines(), theirs in lines()) {
            let ours = format!("{ours}\nOURS\n");
            let theirs = format!("THEIRS\n{theirs}");
            let merged = merge(&base, &ours, &theirs);
            prop_assert!(merged.lines().any(|line| line == "OURS"), "{:?}", merged);
            prop_assert!(merged.lines().any(|line| line == "THEIRS"), "{:?}", merged);
        }
    }
}
