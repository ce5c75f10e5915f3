//! The part of a piece that a hit shows.

use std::{collections::HashSet, ops::Range};

use crate::text::{fold, words};

/// Bytes of an excerpt, about three lines of a card.
const LENGTH: usize = 240;

/// A part of a piece, with what was found in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, whole lines where they are short.
    pub text: String,
    /// The bytes of `text` that were found, in order, none over another.
    pub marks: Vec<Range<usize>>,
    /// Lines of the piece before the first mark.
    pub lines_before: u32,
}

/// Returns the part of a piece in which most of these terms and phrases stand.
pub fn excerpt(text: &str, terms: &HashSet<String>, phrases: &[String]) -> Excerpt {
    let found = marks(text, terms, phrases);
    let best = densest(text, &found);
    let start = line_start(text, best.start);
    let end = text.floor_char_boundary((start + LENGTH).max(best.end).min(text.len()));
    let inside = found.iter().map(|mark| &mark.range).filter(|mark| mark.start >= start && mark.end <= end);
    Excerpt {
        text: text[start..end].trim_end().to_owned(),
        marks: inside.map(|mark| mark.start - start..mark.end - start).collect(),
        lines_before: u32::try_from(text[..best.start].matches('\n').count()).unwrap_or(0),
    }
}

/// A place where something was found.
struct Mark {
    range: Range<usize>,
    /// A whole phrase: worth more than any number of words.
    phrase: bool,
}

fn marks(text: &str, terms: &HashSet<String>, phrases: &[String]) -> Vec<Mark> {
    let phrases: Vec<Vec<String>> = phrases.iter().map(|phrase| crate::text::terms(phrase).collect()).collect();
    let roots: HashSet<&str> = terms.iter().map(|term| root(term)).collect();
    let all: Vec<_> = words(text).collect();
    let mut found: Vec<Mark> = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let phrase = phrases.iter().filter(|phrase| !phrase.is_empty()).find_map(|phrase| {
            let mut have = all[at..].iter().flat_map(|word| &word.terms);
            phrase.iter().all(|term| have.next() == Some(term)).then(|| at + words_of(phrase, &all[at..]))
        });
        let end = match phrase {
            Some(last) => all[last].range.end,
            None if word.terms.iter().any(|term| roots.contains(root(term))) => word.range.end,
            None => continue,
        };
        match found.last_mut() {
            Some(last) if word.range.start < last.range.end => {
                last.range.end = last.range.end.max(end);
                last.phrase |= phrase.is_some();
            }
            _ => found.push(Mark { range: word.range.start..end, phrase: phrase.is_some() }),
        }
    }
    found
}

/// A word without an English ending: the index finds its other forms too, so that they are marked.
fn root(word: &str) -> &str {
    const ENDINGS: &[&str] = &["ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "s", "e", "y"];
    /// Letters that remain at least.
    const LEAST: usize = 3;
    let without = |ending: &&str| word.strip_suffix(*ending).filter(|rest| rest.len() >= LEAST);
    if word.is_ascii() { ENDINGS.iter().find_map(without).unwrap_or(word) } else { word }
}

/// How many words, less one, have the terms of a phrase.
fn words_of(phrase: &[String], all: &[crate::text::Word]) -> usize {
    let mut left = phrase.len();
    all.iter()
        .position(|word| {
            left = left.saturating_sub(word.terms.len());
            left == 0
        })
        .unwrap_or(0)
}

/// The bytes from the first to the last of the most different marks that fit.
fn densest(text: &str, marks: &[Mark]) -> Range<usize> {
    let window = |first: usize| {
        let start = marks[first].range.start;
        let inside = marks[first..].iter().take_while(|mark| mark.range.end <= start + LENGTH);
        let (mut different, mut phrases, mut end) = (HashSet::new(), 0, marks[first].range.end);
        for Mark { range, phrase } in inside {
            different.insert(fold(&text[range.clone()]));
            phrases += usize::from(*phrase);
            end = range.end;
        }
        ((phrases.min(1), different.len()), start..end)
    };
    let windows = (0..marks.len()).map(window);
    // The first of the best.
    windows.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(0..0, |(_, range)| range)
}

/// The start of the line, or a little before the place if the line is long.
fn line_start(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    if at - start <= LENGTH / 3 { start } else { text.ceil_char_boundary(at - LENGTH / 4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, terms: &[&str], phrases: &[&str]) -> (String, u32) {
        let terms = terms.iter().map(|term| (*term).to_owned()).collect();
        let phrases: Vec<_> = phrases.iter().map(|phrase| (*phrase).to_owned()).collect();
        let Excerpt { mut text, marks, lines_before } = excerpt(text, &terms, &phrases);
        for mark in marks.iter().rev() {
            text.insert(mark.end, ']');
            text.insert(mark.start, '[');
        }
        (text, lines_before)
    }

    #[test]
    fn finds_are_marked_where_most_of_them_stand() {
        let text = format!("tide\n{}\nthe Tide and the Hafen\nend", "x ".repeat(200));
        assert_eq!(shown(&text, &["tide", "hafen"], &[]), ("the [Tide] and the [Hafen]\nend".into(), 2));
        assert_eq!(shown("mean sea level, sea", &[], &["sea level"]).0, "mean [sea level], sea");
        let text = format!("mean level\n{}\nat sea level\n", "x ".repeat(200));
        assert_eq!(shown(&text, &["mean", "level", "sea"], &["sea level"]), ("at [sea level]".into(), 2));
        assert_eq!(shown("の所有権です", &["所有", "有権"], &[]).0, "の[所有権]です");
        assert_eq!(shown("boats rise twice", &["boat", "rising"], &[]).0, "[boats] [rise] twice");
        assert_eq!(shown("nothing here", &["x"], &[]), ("nothing here".into(), 0));
    }

    proptest::proptest! {
        #[test]
        fn marks_lie_in_the_excerpt(text in "([a-c]{1,3}[ \n。é]){0,200}") {
            let Excerpt { text, marks, .. } = excerpt(&text, &["a".to_owned(), "bb".to_owned()].into(), &["a b".to_owned()]);
            for mark in marks {
                proptest::prop_assert!(text.get(mark).is_some());
            }
        }
    }
}
