//! Finds lines in a text: exactly, or equal but for blanks, indent or punctuation.

use std::ops::Range;

use super::{
    Level,
    indent::{Shift, shift_between},
    punctuation::folded_equal,
};
use crate::{Lines, diff::diff_sequences};

/// Named lines decide between several hits that are at most this many lines away.
pub(crate) const NEAR: usize = 20;

/// As many hits tell that there are several, and name three.
const ENOUGH: usize = 4;

/// How the lines that come are fitted to the lines that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// As they are.
    AsGiven,
    /// Indented like the place.
    Indent(Shift),
    /// With the place's punctuation in what stays.
    Punctuation,
}

/// A place that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub lines: Range<usize>,
    pub level: Level,
    pub fit: Fit,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    One(Hit),
    /// Which was meant can't be told; a looser level can't tell it either.
    Several(Vec<Range<usize>>),
    /// The place has tabs for the given spaces, which stand for any depth.
    AnyDepth(Range<usize>),
    None,
}

/// Looks for lines on levels c to f.
pub(crate) fn search(lines: &Lines, old: &[String], named: Option<&Range<usize>>) -> Search {
    for level in [Level::Found, Level::TrailingBlanks, Level::Indent, Level::Punctuation] {
        let starts = starts(level, lines, old);
        if let Some(first) = starts.first() {
            return choose(level, lines, old, named, *first, &starts);
        }
    }
    Search::None
}

/// Returns up to `limit` lines at which some lines start, exactly; they may overlap.
pub(crate) fn occurrences(lines: &Lines, wanted: &[&str], limit: usize) -> Vec<usize> {
    let needle = wanted.join("\n");
    let ends_line = |at: &usize| lines.text().as_bytes().get(at + needle.len()).is_none_or(|byte| *byte == b'\n');
    lines_with(lines, &needle)
        .filter(|(line, at)| lines.start(*line) == *at && line + wanted.len() <= lines.len() && ends_line(at))
        .map(|(line, _)| line)
        .take(limit)
        .collect()
}

/// The lines that contain the start of a text, each once, with the byte of the first start in it.
fn lines_with(lines: &Lines, needle: &str) -> impl Iterator<Item = (usize, usize)> {
    let finder = memchr::memmem::Finder::new(needle).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(lines.text().as_bytes().get(from..)?)?;
        if at >= lines.text().len() {
            return None;
        }
        let line = lines.containing(at);
        from = lines.start(line + 1);
        Some((line, at))
    })
}

/// Up to [`ENOUGH`] places on one level.
fn starts(level: Level, lines: &Lines, old: &[String]) -> Vec<usize> {
    let fits = |at: &usize| fit_at(level, lines, old, *at).is_some();
    match level {
        Level::Found => occurrences(lines, &old.iter().map(String::as_str).collect::<Vec<_>>(), ENOUGH),
        Level::Punctuation if lines.text().is_ascii() && old.iter().all(|line| line.is_ascii()) => Vec::new(),
        Level::Punctuation => (0..lines.len()).filter(fits).take(ENOUGH).collect(),
        _ => {
            let longest = (0..old.len()).max_by_key(|line| old[*line].trim().len()).unwrap_or(0);
            let anchored = lines_with(lines, old[longest].trim());
            anchored.filter_map(|(line, _)| line.checked_sub(longest)).filter(fits).take(ENOUGH).collect()
        }
    }
}

fn fit_at(level: Level, lines: &Lines, old: &[String], at: usize) -> Option<Fit> {
    if at + old.len() > lines.len() {
        return None;
    }
    let place = at..at + old.len();
    let all = |equal: fn(&str, &str) -> bool| lines.range(place.clone()).zip(old).all(|(line, old)| equal(line, old));
    match level {
        Level::Found => all(|line, old| line == old).then_some(Fit::AsGiven),
        Level::TrailingBlanks => all(|line, old| line.trim_end() == old.trim_end()).then_some(Fit::AsGiven),
        Level::Indent => shift_between(lines.range(place), old).map(Fit::Indent),
        Level::Punctuation => all(folded_equal).then_some(Fit::Punctuation),
        _ => None,
    }
}

fn choose(
    level: Level,
    lines: &Lines,
    old: &[String],
    named: Option<&Range<usize>>,
    first: usize,
    starts: &[usize],
) -> Search {
    let hit = |at: usize| fit_at(level, lines, old, at).map(|fit| Hit { lines: at..at + old.len(), level, fit });
    if let Some(named) = named.filter(|named| !starts.contains(&named.start))
        && hit(named.start).is_none()
        && fits_loosely(lines, old, named.start)
    {
        // The named lines would do, if not as well: either may be meant.
        return several(&[named.start, first], old.len());
    }
    if let Some(named) = named.filter(|named| named.start.abs_diff(first) > NEAR)
        && starts.len() == 1
        && nearly_holds(lines, old, named.start)
    {
        return several(&[named.start, first], old.len());
    }
    if starts.len() == 1 {
        return match hit(first) {
            Some(Hit { fit: Fit::Indent(Shift::Tabs(_)), lines, .. })
                if named.is_none_or(|named| named.start != lines.start) =>
            {
                Search::AnyDepth(lines)
            }
            Some(hit) => Search::One(hit),
            None => Search::None,
        };
    }
    let Some(named) = named else { return several(starts, old.len()) };
    if let Some(hit) = hit(named.start) {
        return Search::One(hit);
    }
    let from = (named.start + 1).saturating_sub(NEAR + old.len());
    let mut near: Vec<Hit> = (from..(named.end + NEAR).min(lines.len())).filter_map(hit).collect();
    match near.len() {
        1 => Search::One(near.remove(0)),
        0 => several(starts, old.len()),
        _ => Search::Several(near.into_iter().map(|hit| hit.lines).collect()),
    }
}

fn fits_loosely(lines: &Lines, old: &[String], at: usize) -> bool {
    [Level::TrailingBlanks, Level::Indent, Level::Punctuation]
        .into_iter()
        .any(|level| fit_at(level, lines, old, at).is_some())
}

/// All of the lines but one are there, in order.
fn nearly_holds(lines: &Lines, old: &[String], at: usize) -> bool {
    let place = at..(at + old.len()).min(lines.len());
    if old.len() < 3 || place.start >= place.end {
        return false;
    }
    let hunks = diff_sequences(lines.range(place), old.iter().map(String::as_str));
    hunks.iter().map(|hunk| hunk.after.len()).sum::<usize>() <= 1
}

fn several(starts: &[usize], count: usize) -> Search {
    Search::Several(starts.iter().map(|start| *start..start + count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, old: &str, named: Option<Range<usize>>) -> Result<(usize, Level), usize> {
        let old: Vec<String> = old.split('\n').map(str::to_owned).collect();
        match search(&Lines::new(text), &old, named.as_ref()) {
            Search::One(hit) => Ok((hit.lines.start, hit.level)),
            Search::Several(places) => Err(places.len()),
            Search::AnyDepth(_) | Search::None => Err(0),
        }
    }

    #[test]
    fn whole_lines_only() {
        assert_eq!(found("xa\nab\na\n", "a", None), Ok((2, Level::Found)));
        assert_eq!(found("a\n", "a\n", None), Err(0), "there is no blank line after it");
        assert_eq!(found("a\n\n", "a\n", None), Ok((0, Level::Found)));
        assert_eq!(found("ba\na", "a", None), Ok((1, Level::Found)));
    }

    #[test]
    fn the_first_level_with_a_hit_decides() {
        assert_eq!(found("a \nx\na\n", "a", None), Ok((2, Level::Found)));
        assert_eq!(found("a \nx\n", "a", None), Ok((0, Level::TrailingBlanks)));
        assert_eq!(found("  a\n    b\n", "a\n  b", None), Ok((0, Level::Indent)));
        assert_eq!(found("it’s\n", "it's", None), Ok((0, Level::Punctuation)));
    }

    #[test]
    fn named_lines_that_fit_loosely_stand_against_an_exact_hit_elsewhere() {
        assert_eq!(found("a\nx\na \n", "a", Some(2..3)), Err(2));
        assert_eq!(found("a\nx\na \n", "a", Some(1..2)), Ok((0, Level::Found)));
    }

    #[test]
    fn nearly_right_named_lines_outweigh_far_hit() {
        let text = format!("a\nb\nc\n{}a\nb\nc\nd\n", "x\n".repeat(40));
        assert_eq!(found(&text, "a\nb\nc\nd", Some(0..3)), Err(2));
        assert_eq!(found(&text, "a\nb\nc\nd", Some(40..44)), Ok((43, Level::Found)));
        assert_eq!(found(&text, "a\nb\nc\nd", Some(10..14)), Ok((43, Level::Found)));
    }

    #[test]
    fn several_hits_are_told_apart_by_the_named_lines_only_if_one_is_near() {
        let far: String = format!("a\n{}a\n", "x\n".repeat(50));
        assert_eq!(found(&far, "a", None), Err(2));
        assert_eq!(found(&far, "a", Some(45..46)), Ok((51, Level::Found)));
        assert_eq!(found(&far, "a", Some(25..26)), Err(2));
        assert_eq!(found("a\nb\na\n", "a", Some(1..2)), Err(2));
        assert_eq!(found("a\nb\na\n", "a", Some(2..3)), Ok((2, Level::Found)));
    }

    #[test]
    fn twins_that_overlap_are_counted() {
        assert_eq!(occurrences(&Lines::new("x\nx\nx\n"), &["x", "x"], 9), [0, 1]);
        assert_eq!(occurrences(&Lines::new("\n\na\n\n"), &[""], 9), [0, 1, 3]);
    }
}
