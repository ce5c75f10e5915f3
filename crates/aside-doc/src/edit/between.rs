//! The edits that make one text another, where the other came from a program and not from somebody's hand.

use super::{AnchoredEdit, invert::back};
use crate::{Lines, diff_lines};

/// Returns the edits of `before` that make it `after`: one for each place where lines differ. `before` is their base.
pub fn edits_between(before: &str, after: &str) -> Vec<AnchoredEdit> {
    let (before, after) = (Lines::new(before), Lines::new(after));
    let mut places: Vec<_> = diff_lines(&before, &after).into_iter().map(|hunk| (hunk.before, hunk.after)).collect();
    if before.is_ended() != after.is_ended() && !before.is_empty() && !after.is_empty() {
        // The final newline is told by the text of a last line, so there has to be one on both sides.
        let last = places.pop_if(|(old, new)| old.end == before.len() && new.end == after.len());
        let (mut old, mut new) = last.unwrap_or((before.len()..before.len(), after.len()..after.len()));
        while (old.is_empty() || new.is_empty()) && old.start > 0 && new.start > 0 {
            (old.start, new.start) = (old.start - 1, new.start - 1);
        }
        places.push((old, new));
    }
    places.into_iter().map(|(old, new)| back(&after, new, &before, old)).collect()
}

#[cfg(test)]
mod tests {
    use aside_core::Version;
    use proptest::prelude::*;

    use super::*;
    use crate::edit::{BaseText, plan};

    fn made(before: &str, after: &str) -> String {
        let version = Version::of(before);
        let base = BaseText { version: version.clone(), text: before };
        let edits = edits_between(before, after);
        if edits.is_empty() {
            return before.to_owned();
        }
        plan(before, &version, Some(&base), &edits).expect("they have a place").text_after(before)
    }

    #[test]
    fn only_lines_that_differ_are_named() {
        let edits = edits_between("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
        let places: Vec<_> = edits.iter().map(|edit| (edit.start, edit.end, edit.new.as_str())).collect();
        assert_eq!(places, [(Some(2), Some(2), "B\n"), (Some(5), Some(4), "e\n")]);
    }

    #[test]
    fn a_final_newline_alone_is_a_difference() {
        for (before, after) in
            [("a\nb", "a\nb\n"), ("a\nb\n", "a\nb"), ("a", "b\na\n"), ("a\nb\n", "a"), ("a", "a\nb\n")]
        {
            assert_eq!(made(before, after), after, "{before:?}");
        }
    }

    proptest! {
        #[test]
        fn they_make_one_text_the_other(
            before in proptest::collection::vec("[ab]?", 1..12),
            after in proptest::collection::vec("[ab]?", 1..12),
            ended in any::<(bool, bool)>(),
        ) {
            let text = |lines: &[String], ended: bool| format!("x{}{}", lines.join("\n"), if ended { "\n" } else { "" });
            let (before, after) = (text(&before, ended.0), text(&after, ended.1));
            prop_assert_eq!(made(&before, &after), after);
        }
    }
}
