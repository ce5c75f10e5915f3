//! Reasons to look twice at a plan, although its places are right.

use aside_core::{Confidence, Guard, Warning};

use super::Plan;
use crate::Lines;

mod balance;
mod hidden;

/// A larger share of the lines than this, in per cent, or more lines than that.
const LARGE_SHARE: usize = 30;
const LARGE_COUNT: usize = 200;

/// Shorter files are replaced as a whole by almost any edit.
const WHOLE_FROM_LINES: usize = 10;

/// Returns the warnings for a plan, each guard at most once. The file's name tells the language.
pub fn guards(name: Option<&str>, before: &str, plan: &Plan) -> Vec<Warning> {
    if plan.changes_nothing() {
        return Vec::new();
    }
    let lines = Lines::new(before).len();
    let after = plan.text_after(before);
    let new = || plan.hunks.iter().flat_map(|hunk| hunk.new.iter().map(String::as_str));
    let old = || plan.hunks.iter().flat_map(|hunk| hunk.old.iter().map(String::as_str));
    let shrinks = plan.hunks.iter().any(|hunk| hunk.new.len() < hunk.old.len());
    let warnings = [
        large_deletion(plan, lines),
        emptying(before, &after),
        whole_file(plan, lines),
        elision(new(), old(), shrinks),
        hidden::brought_in(new(), old()),
        balance::lost(name, before, &after),
        loose(plan),
    ];
    warnings.into_iter().flatten().collect()
}

/// Returns the warnings for the text of a file that is new, or of a cell, which has no name.
pub fn text_guards(name: Option<&str>, text: &str) -> Vec<Warning> {
    let lines = || text.lines();
    let warnings = [
        elision(lines(), std::iter::empty(), false),
        hidden::brought_in(lines(), std::iter::empty()),
        balance::lacking(name, text),
    ];
    warnings.into_iter().flatten().collect()
}

fn warning(guard: Guard, text: impl Into<String>) -> Option<Warning> {
    Some(Warning { guard, text: text.into() })
}

fn large_deletion(plan: &Plan, lines: usize) -> Option<Warning> {
    let lost: usize = plan.hunks.iter().map(|hunk| hunk.old.len().saturating_sub(hunk.new.len())).sum();
    if lost <= LARGE_COUNT && lost * 100 <= lines * LARGE_SHARE {
        return None;
    }
    warning(Guard::LargeDeletion, format!("Deletes {lost} of {lines} lines."))
}

fn emptying(before: &str, after: &str) -> Option<Warning> {
    let empties = !before.trim().is_empty() && after.trim().is_empty();
    empties.then(|| warning(Guard::Emptying, "Leaves the file empty."))?
}

fn whole_file(plan: &Plan, lines: usize) -> Option<Warning> {
    let gone: usize = plan.hunks.iter().map(|hunk| hunk.old.len()).sum();
    let replaces = lines >= WHOLE_FROM_LINES && gone == lines;
    replaces.then(|| warning(Guard::WholeFile, format!("Replaces all {lines} lines of the file.")))?
}

fn loose(plan: &Plan) -> Option<Warning> {
    let loose = plan.hunks.iter().find(|hunk| hunk.confidence == Confidence::Loose)?;
    let line = loose.range_before.start;
    warning(
        Guard::LooseMatch,
        format!("Line {line} was found by an approximate match; check that it is the right place."),
    )
}

/// A comment in place of text: "... rest of the code".
fn elision<'text>(
    new: impl Iterator<Item = &'text str>,
    old: impl Iterator<Item = &'text str>,
    shrinks: bool,
) -> Option<Warning> {
    let old: Vec<&str> = old.collect();
    let stands_for_more = |line: &&str| elides(line) || (shrinks && matches!(line.trim(), "..." | "…"));
    let line = new.filter(stands_for_more).find(|line| !old.contains(line))?;
    warning(Guard::Elision, format!("Seems to leave text out: `{}`.", line.trim().chars().take(80).collect::<String>()))
}

fn elides(line: &str) -> bool {
    const MARKS: [&str; 8] = ["#", "//", "/*", "<!--", "--", ";", "%", "{/*"];
    const PHRASES: [&str; 12] = [
        "rest of",
        "remaining ",
        "existing code",
        "unchanged",
        "same as before",
        "remains the same",
        "stays the same",
        "code here",
        "previous code",
        "other code",
        "omitted",
        "as before",
    ];
    let line = line.trim().to_lowercase();
    let dots = line.contains("...") || line.contains('…');
    let Some(comment) = MARKS.iter().find_map(|mark| line.strip_prefix(mark)) else {
        return (line.starts_with("...") || line.starts_with('…')) && names_any(&line, &PHRASES);
    };
    let comment = comment.trim_matches(|character: char| !character.is_alphanumeric());
    let short = comment.split_whitespace().count() <= 8;
    (dots && (comment.is_empty() || names_any(comment, &PHRASES)))
        || (short
            && ["existing code", "rest of the", "unchanged", "remains the same"]
                .iter()
                .any(|phrase| comment.starts_with(phrase)))
}

fn names_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase))
}
