//! Recognises an edit that was made before: asking twice does no more than asking once.

use std::ops::Range;

use super::{
    line_map::{LineMap, says_something},
    punctuation::folded_equal,
    search::occurrences,
};
use crate::Lines;

/// So many unchanged lines around an edit are looked at, at least.
const CONTEXT: usize = 3;

/// Returns where the new lines already stand in for some lines of the text that was seen.
pub(crate) fn made_since(map: &LineMap, going: &Range<usize>, new: &[String], current: &Lines) -> Option<Range<usize>> {
    let old: Vec<&str> = map.base().range(going.clone()).collect();
    let new = as_written(&old, new, current);
    let region = map.region(going);
    let stands: Vec<&str> = current.range(region.clone()).collect();
    if stands == new || (!same_words(&old, &new) && same_words(&stands, &new)) {
        return Some(region);
    }
    within(&stands, &old, &new)
        .map(|at| region.start + at..region.start + at + new.len())
        .or_else(|| in_context(map.base(), going, &old, &new, current))
        .or_else(|| {
            let new = with_blanks_of(&new, current);
            (!same_words(&old, &new)).then(|| in_context(map.base(), going, &old, &new, current))?
        })
}

/// The lines that come, those that are there but for blanks at their ends as they are there.
fn with_blanks_of<'text>(new: &[&'text str], current: &'text Lines) -> Vec<&'text str> {
    let all: Vec<&str> = current.range(0..current.len()).collect();
    let there = |line: &&'text str| all.iter().copied().find(|there| there.trim_end() == line.trim_end());
    new.iter().map(|line| if all.contains(line) { line } else { there(line).unwrap_or(line) }).collect()
}

/// The lines that come, those that are there but for typography as they are there: by hand they need not have been
/// written with the same quotes. What comes in place of a line that differs by no more is meant as it is said.
fn as_written<'text>(old: &[&str], new: &'text [String], current: &'text Lines) -> Vec<&'text str> {
    let all: Vec<&str> = current.range(0..current.len()).collect();
    let typographic: Vec<&str> = all.iter().copied().filter(|line| !line.is_ascii()).collect();
    let written = |line: &'text str| {
        if old.iter().any(|old| folded_equal(old, line)) {
            return line;
        }
        // Of two plain lines neither is the other's typography.
        let there = if line.is_ascii() { &typographic } else { &all };
        let alike = there.iter().find(|there| folded_equal(there, line));
        alike.filter(|_| !all.contains(&line)).copied().unwrap_or(line)
    };
    new.iter().map(|line| written(line)).collect()
}

/// Returns where the new lines stand at the named line, or else where they stand at all, if only once.
pub(crate) fn stands(current: &Lines, named: Option<&Range<usize>>, new: &[String]) -> Option<Range<usize>> {
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let start = match named {
        Some(named) => Some(named.start).filter(|_| !blank(&new)),
        None if !telling(&new) => None,
        None => match occurrences(current, &new, 2)[..] {
            [start] => Some(start),
            _ => None,
        },
    }?;
    let place = start..start + new.len();
    (place.end <= current.len() && current.range(place.clone()).eq(new)).then_some(place)
}

/// Returns where the new lines already surround the old ones that were found, as they do after a change
/// that keeps the old lines and adds some.
pub(crate) fn surrounds(current: &Lines, found: &Range<usize>, new: &[String]) -> Option<Range<usize>> {
    let old: Vec<&str> = current.range(found.clone()).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    if old.is_empty() || new.len() <= old.len() {
        return None;
    }
    let offsets = (0..=new.len() - old.len()).filter(|offset| new[*offset..].starts_with(&old));
    offsets
        .filter_map(|offset| found.start.checked_sub(offset))
        .map(|start| start..start + new.len())
        .find(|place| place.end <= current.len() && current.range(place.clone()).eq(new.iter().copied()))
}

/// Among lines that came since: the new ones are there, and the old ones are not there beside them.
fn within(stands: &[&str], old: &[&str], new: &[&str]) -> Option<usize> {
    if !telling(new) || stands.len() < new.len() {
        return None;
    }
    let at = (0..=stands.len() - new.len()).find(|at| stands[*at..].starts_with(new))?;
    let made = at..at + new.len();
    // The old lines may be among the new ones, but nowhere else.
    let unmade = (0..=stands.len().saturating_sub(old.len()))
        .filter(|at| !old.is_empty() && stands[*at..].starts_with(old))
        .any(|at| at < made.start || at + old.len() > made.end);
    (!unmade).then_some(at)
}

/// The new lines stand between the same neighbours as the old ones did, which are gone from there.
fn in_context(base: &Lines, going: &Range<usize>, old: &[&str], new: &[&str], current: &Lines) -> Option<Range<usize>> {
    let around = |reach: usize| {
        let above: Vec<&str> = base.range(going.start.saturating_sub(reach)..going.start).collect();
        let below: Vec<&str> = base.range(going.end..(going.end + reach).min(base.len())).collect();
        let ends = (above.len() < reach, below.len() < reach);
        (above, below, ends)
    };
    // What does not stand between its nearest neighbours does not stand between more of them either.
    let (above, below, ends) = around(1);
    if standing(current, &[&above, new, &below].concat(), ends).is_empty() {
        return None;
    }
    // What comes may repeat what is above it, so as many lines have to be looked at.
    let repeats = old.len() + new.len() + 1;
    [repeats.max(CONTEXT), CONTEXT, 2, 1].into_iter().find_map(|reach| {
        let (above, below, ends) = around(reach);
        let (made, unmade) = ([&above, new, &below].concat(), [&above, old, &below].concat());
        let [at] = standing(current, &made, ends)[..] else { return None };
        let start = at + above.len();
        let is_news = standing(base, &made, ends).is_empty() && standing(current, &unmade, ends).is_empty();
        is_news.then(|| start..start + new.len())
    })
}

/// Where some lines stand, up to twice; at the very top or end of the text if they reached it.
fn standing(lines: &Lines, wanted: &[&str], (top, end): (bool, bool)) -> Vec<usize> {
    let Some(last) = lines.len().checked_sub(wanted.len()) else { return Vec::new() };
    let at = if top { 0 } else { last };
    if !top && !end {
        return occurrences(lines, wanted, 2);
    }
    let fits = !(top && end && last > 0) && lines.range(at..at + wanted.len()).eq(wanted.iter().copied());
    if fits { vec![at] } else { Vec::new() }
}

/// Equal but for blanks. Who made an edit by hand need not have indented it as its author says it.
fn same_words(one: &[&str], two: &[&str]) -> bool {
    let alike = |(one, two): (&&str, &&str)| one.split_whitespace().eq(two.split_whitespace());
    one.len() == two.len() && one.iter().zip(two).all(alike)
}

fn blank(lines: &[&str]) -> bool {
    lines.iter().all(|line| line.trim().is_empty())
}

/// Says enough to be recognised: more than braces and blanks.
fn telling(lines: &[&str]) -> bool {
    lines.iter().any(|line| says_something(line))
}
