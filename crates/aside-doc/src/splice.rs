//! Replacements of byte ranges, and the smallest ones that turn one text into another.

use std::ops::Range;

use crate::{Lines, diff::diff_ended_lines};

/// Bytes of a text that are replaced; both ends lie between characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub insert: String,
}

/// Returns a text with splices made; they must be in order and must not overlap.
pub fn apply_splices(text: &str, splices: &[Splice]) -> String {
    let grown: usize = splices.iter().map(|splice| splice.insert.len()).sum();
    let mut result = String::with_capacity(text.len() + grown);
    let mut done = 0;
    for splice in splices {
        result.push_str(&text[done..splice.range.start]);
        result.push_str(&splice.insert);
        done = splice.range.end;
    }
    result.push_str(&text[done..]);
    result
}

/// Returns small splices from one text to another, so that cursors in what stays keep their place.
pub fn splices_between(before: &str, after: &str) -> Vec<Splice> {
    let (old, new) = (Lines::new(before), Lines::new(after));
    let mut splices = Vec::new();
    for hunk in diff_ended_lines(&old, &new) {
        refine(&old, hunk.before, new.slice(hunk.after), &mut splices);
    }
    splices
}

/// Adds the splices that turn some lines into `new`: line by line where the count stays the same.
pub(crate) fn refine(lines: &Lines, going: Range<usize>, new: &str, splices: &mut Vec<Splice>) {
    let old = lines.slice(going.clone());
    let start = lines.start(going.start);
    let coming: Vec<&str> = new.split_inclusive('\n').collect();
    if going.len() == coming.len() {
        for (line, new) in going.zip(coming) {
            push_trimmed(splices, lines.start(line), lines.slice(line..line + 1), new);
        }
    } else {
        push_trimmed(splices, start, old, new);
    }
}

/// Adds the splice that turns one text into another, unless they are equal.
pub(crate) fn push_trimmed(splices: &mut Vec<Splice>, offset: usize, old: &str, new: &str) {
    let splice = trimmed(offset, old, new);
    if !splice.range.is_empty() || !splice.insert.is_empty() {
        splices.push(splice);
    }
}

/// Leaves out what both texts begin and end with, whole characters only.
fn trimmed(offset: usize, old: &str, new: &str) -> Splice {
    let same = |(one, two): &(char, char)| one == two;
    let head: usize = old.chars().zip(new.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tails = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = tails.take_while(same).map(|(one, _)| one.len_utf8()).sum();
    Splice { range: offset + head..offset + old.len() - tail, insert: new_rest[..new_rest.len() - tail].to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn splice(range: Range<usize>, insert: &str) -> Splice {
        Splice { range, insert: insert.to_owned() }
    }

    #[test]
    fn touches_only_the_characters_that_differ() {
        assert_eq!(splices_between("x = 1\ny = 2\n", "x = 3\ny = 4\n"), [splice(4..5, "3"), splice(10..11, "4")]);
        assert_eq!(splices_between("é\n", "è\n"), [splice(0..2, "è")]);
        assert_eq!(splices_between("a👩‍🔬b\n", "a👩‍🔧b\n"), [splice(8..12, "🔧")]);
        assert_eq!(splices_between("a", "a\n"), [splice(1..1, "\n")]);
        assert_eq!(splices_between("a\n", "a"), [splice(1..2, "")]);
        assert_eq!(splices_between("same\n", "same\n"), []);
    }

    proptest! {
        #[test]
        fn turn_any_text_into_any_other(before in "[ab\n é👍]{0,30}", after in "[ab\n é👍]{0,30}") {
            prop_assert_eq!(apply_splices(&before, &splices_between(&before, &after)), after);
        }
    }
}
