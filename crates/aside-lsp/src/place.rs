//! Places in a text: lines and UTF-16 units from 0, as the protocol counts them, and lines and characters from 1, as a
//! person does.

use serde::{Deserialize, Serialize};

/// A place as the protocol says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Position {
    pub line: u32,
    pub character: u32,
}

/// A stretch as the protocol says it; its end is not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub start: Position,
    pub end: Position,
}

/// The lines of a text, found once for all places in it.
pub(crate) struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        Self(text.split('\n').collect())
    }

    /// Returns line and column, from 1. Beyond the end it is the last line, or the end of the line; in the middle of a
    /// character it is that character.
    pub fn place(&self, position: Position) -> (u32, u32) {
        let last = self.0.len() - 1;
        let index = usize::try_from(position.line).unwrap_or(last);
        if index > last {
            return (number(last) + 1, number(self.0[last].chars().count()) + 1);
        }
        let mut before = 0;
        let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
        let column = self.0[index].chars().take_while(|character| {
            before += character.len_utf16();
            before <= wanted
        });
        (number(index) + 1, number(column.count()) + 1)
    }
}

/// What makes one text of another: a stretch of the first, and what comes in its place. None if they are the same.
pub(crate) fn difference<'a>(before: &str, after: &'a str) -> Option<(Range, &'a str)> {
    if before == after {
        return None;
    }
    let same = before.chars().zip(after.chars()).take_while(|(one, other)| one == other);
    let start: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let (rest, new) = (&before[start..], &after[start..]);
    let same = rest.chars().rev().zip(new.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let range = Range { start: position(before, start), end: position(before, before.len() - end) };
    Some((range, &new[..new.len() - end]))
}

fn position(text: &str, at: usize) -> Position {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |found| found + 1);
    let line = number(before.matches('\n').count());
    Position { line, character: number(before[line_start..].encode_utf16().count()) }
}

/// No text has so many lines or characters.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn units_of_utf_16_become_characters() {
        let lines = Lines::new("a😀b\nä€\n");
        for (position, place) in [
            (at(0, 0), (1, 1)),
            (at(0, 1), (1, 2)),
            // In the middle of the pair.
            (at(0, 2), (1, 2)),
            (at(0, 3), (1, 3)),
            (at(0, 4), (1, 4)),
            (at(0, 900), (1, 4)),
            (at(1, 2), (2, 3)),
            (at(2, 0), (3, 1)),
            (at(3, 0), (3, 1)),
            (at(u32::MAX, u32::MAX), (3, 1)),
        ] {
            assert_eq!(lines.place(position), place, "{position:?}");
        }
        assert_eq!(Lines::new("").place(at(4, 4)), (1, 1));
    }

    #[test]
    fn the_least_stretch_that_differs_is_told() {
        let check = |before: &str, after: &str, range: Option<(Position, Position, &str)>| {
            let found = difference(before, after).map(|(range, new)| (range.start, range.end, new));
            assert_eq!(found, range, "{before:?} -> {after:?}");
        };
        check("a\nb\n", "a\nb\n", None);
        check("a\nb\n", "a\nxb\n", Some((at(1, 0), at(1, 0), "x")));
        check("aa", "aaa", Some((at(0, 2), at(0, 2), "a")));
        check("aaa", "aa", Some((at(0, 2), at(0, 3), "")));
        // Two characters that begin with the same unit are changed whole.
        check("x😀y", "x😁y", Some((at(0, 1), at(0, 3), "😁")));
        check("😀\n😀z", "😀\n😀w", Some((at(1, 2), at(1, 3), "w")));
        check("", "new", Some((at(0, 0), at(0, 0), "new")));
        check("old", "", Some((at(0, 0), at(0, 3), "")));
    }
}
