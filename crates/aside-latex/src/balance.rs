//! Whether what was opened in a LaTeX text is closed: environments, braces, math, `\left` and `\right`. A guard on edits.
//!
//! A reader of LaTeX, no TeX: it knows comments, verbatim text and definitions, and does not expand commands.

mod names;
mod scan;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What is open without an end, or ends without being open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imbalance {
    /// What sort of thing.
    pub what: Unbalanced,
    /// How it is written: `itemize`, `{`, `$`, `\left`.
    pub name: String,
    /// False: it is never closed. True: it closes what was not open.
    pub closes: bool,
    /// The line where it is, from 1.
    pub line: u32,
    /// The byte where it is.
    pub at: usize,
}

/// The things that come in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unbalanced {
    /// `\begin` and `\end`.
    Environment,
    /// `{` and `}`.
    Brace,
    /// `$`, `$$`, `\(` and `\[`.
    Math,
    /// `\left` and `\right`.
    Delimiter,
}

impl Imbalance {
    /// The imbalance in a sentence.
    pub fn message(&self) -> String {
        let Self { what, name, closes, line, .. } = self;
        match (what, closes) {
            (Unbalanced::Environment, false) => format!("\\begin{{{name}}} in line {line} has no \\end{{{name}}}."),
            (Unbalanced::Environment, true) => format!("\\end{{{name}}} in line {line} has no \\begin{{{name}}}."),
            (_, false) => format!("{name} in line {line} is not closed."),
            (_, true) => format!("{name} in line {line} closes nothing."),
        }
    }
}

/// What an edit made unbalanced: the first that lies in what has changed, else the first. What was unbalanced before is not
/// told, so that a text in parts can be edited.
pub fn imbalance(before: &str, after: &str) -> Option<Imbalance> {
    let found = imbalances(after);
    if found.is_empty() {
        return None;
    }
    let mut known: HashMap<_, usize> = HashMap::new();
    for old in imbalances(before) {
        *known.entry(key(&old)).or_default() += 1;
    }
    let mut now: HashMap<_, usize> = HashMap::new();
    for new in &found {
        *now.entry(key(new)).or_default() += 1;
    }
    let more = |new: &&Imbalance| now[&key(new)] > known.get(&key(new)).copied().unwrap_or(0);
    let changed = changed(before, after);
    let new: Vec<_> = found.iter().filter(more).collect();
    new.iter().find(|new| changed.contains(&new.at)).or(new.first()).map(|&new| new.clone())
}

/// All that is unbalanced in a text, in its order.
pub fn imbalances(text: &str) -> Vec<Imbalance> {
    let mut found = scan::scan(text);
    found.sort_by_key(|one| one.at);
    let mut line = 1;
    let mut counted = 0;
    for one in &mut found {
        line += text.as_bytes()[counted..one.at].iter().filter(|&&byte| byte == b'\n').count();
        counted = one.at;
        one.line = u32::try_from(line).unwrap_or(u32::MAX);
    }
    found
}

fn key(one: &Imbalance) -> (Unbalanced, String, bool) {
    (one.what, one.name.clone(), one.closes)
}

/// The bytes of `after` that are not as they were.
fn changed(before: &str, after: &str) -> std::ops::Range<usize> {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let same =
        before[start..].iter().rev().zip(after[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    start..after.len() - same
}

#[cfg(test)]
mod tests;
