//! The real lines that come closest to what was asked for. They are shown, never edited.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::Candidate;
use crate::{Lines, diff::number};

/// As many places are named.
const NAMED: usize = 3;

/// As much of a place is quoted.
const QUOTED_LINES: usize = 12;
const QUOTED_CHARACTERS: usize = 1000;

/// Quotes some places.
pub(crate) fn quote(lines: &Lines, places: impl IntoIterator<Item = Range<usize>>) -> Vec<Candidate> {
    let quoted = |place: Range<usize>| {
        let end = place.end.min(place.start + QUOTED_LINES).min(lines.len());
        let text = lines.range(place.start.min(end)..end).collect::<Vec<_>>().join("\n");
        Candidate { line: number(place.start + 1), text: text.chars().take(QUOTED_CHARACTERS).collect() }
    };
    places.into_iter().take(NAMED).map(quoted).collect()
}

/// Quotes the places that have most lines in common with some lines, or else one line like the first.
pub(crate) fn nearest(lines: &Lines, old: &[String]) -> Vec<Candidate> {
    let mut starts = most_in_common(lines, old);
    if starts.is_empty() {
        starts = most_like_first(lines, old);
    }
    quote(lines, starts.into_iter().map(|start| start..start + old.len().max(1)))
}

fn most_in_common(lines: &Lines, old: &[String]) -> Vec<usize> {
    let mut wanted: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, line) in old.iter().enumerate().filter(|(_, line)| line.trim_ascii().len() > 2) {
        wanted.entry(line.trim_ascii()).or_default().push(index);
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    // Most lines of a long text have another length: they need not be hashed.
    let lengths: BTreeSet<usize> = wanted.keys().map(|line| line.len()).collect();
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for line in 0..lines.len() {
        let text = lines.get(line).trim_ascii();
        if !lengths.contains(&text.len()) {
            continue;
        }
        for start in wanted.get(text).into_iter().flatten().filter_map(|index| line.checked_sub(*index)) {
            // A long line tells more than a short one.
            *votes.entry(start).or_default() += text.len();
        }
    }
    best(votes.into_iter().collect())
}

fn most_like_first(lines: &Lines, old: &[String]) -> Vec<usize> {
    let Some((index, first)) = old.iter().enumerate().find(|(_, line)| !line.trim_ascii().is_empty()) else {
        return Vec::new();
    };
    let like = |line: usize| {
        let score = likeness(lines.get(line).trim_ascii(), first.trim_ascii());
        (score >= 50).then(|| (line.saturating_sub(index), score))
    };
    best((0..lines.len()).filter_map(like).collect())
}

/// How much two lines have in common at both ends, in per cent of the longer one.
fn likeness(one: &str, two: &str) -> usize {
    let longer = one.len().max(two.len());
    let shorter = one.len().min(two.len());
    if shorter * 2 < longer || longer == 0 {
        return 0;
    }
    let head = one.bytes().zip(two.bytes()).take_while(|(one, two)| one == two).count();
    let tail = one.bytes().rev().zip(two.bytes().rev()).take_while(|(one, two)| one == two).count();
    (head + tail).min(shorter) * 100 / longer
}

fn best(mut scored: Vec<(usize, usize)>) -> Vec<usize> {
    scored.sort_by_key(|(start, score)| (std::cmp::Reverse(*score), *start));
    scored.into_iter().take(NAMED).map(|(start, _)| start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str, old: &str) -> Vec<u32> {
        let old: Vec<String> = old.lines().map(str::to_owned).collect();
        nearest(&Lines::new(text), &old).into_iter().map(|candidate| candidate.line).collect()
    }

    #[test]
    fn names_the_place_with_most_lines_in_common() {
        assert_eq!(lines_of("def f():\n  pass\nx\ndef g():\n  pass\n", "def g():\n  passs\n  pass")[0], 4);
        assert_eq!(lines_of("alpha\nfoo(bar)\nbeta\n", "foo(baz)"), [2]);
        assert_eq!(lines_of("alpha\n", "nothing like it"), Vec::<u32>::new());
    }
}
