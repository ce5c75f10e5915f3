//! The ratchet: style rules that old code breaks and new code may not. `xtask/ratchet.txt` keeps how many offenders
//! there are; no number in it may grow.

mod counts;
mod doc_lines;
mod long_files;
mod module_names;
mod test_names;
mod type_names;

use std::fs;

use self::counts::{Counts, Difference};
use super::{
    added_lines::AddedLines,
    read,
    source::{self, SourceFile},
};
use crate::run::root;

const FILE: &str = "xtask/ratchet.txt";
const MEASURES: &[Measure] = &[
    doc_lines::DOC_LINES,
    long_files::LONG_FILES,
    module_names::MODULE_NAMES,
    test_names::TEST_NAMES,
    type_names::TYPE_NAMES,
];
/// More offenders of one measure are not listed at once.
const MOST_LISTED: usize = 10;

/// A rule whose offenders are counted.
struct Measure {
    /// One word, as in the file.
    name: &'static str,
    rule: &'static str,
    find: fn(&[SourceFile]) -> Vec<Offender>,
}

/// A line that breaks a rule.
struct Offender {
    /// The name under which it is counted: a folder, or the name of a type.
    place: String,
    path: String,
    line: usize,
    text: String,
}

impl Offender {
    fn new(place: &str, file: &SourceFile, line: usize, text: &str) -> Self {
        Self { place: place.to_owned(), path: file.path.clone(), line, text: text.to_owned() }
    }

    fn in_folder(file: &SourceFile, line: usize, text: &str) -> Self {
        Self::new(&file.folder(), file, line, text)
    }
}

/// Names the places with more offenders than the ratchet allows, with the offenders, and those with fewer.
pub fn problems(files: &[SourceFile]) -> Result<Vec<String>, String> {
    let allowed = Counts::parse(&read(FILE)?)?;
    let (grown, shrunk) = split(allowed.differences(&count(files)));
    let mut problems = Vec::new();
    if !grown.is_empty() {
        problems.extend(explain(&grown, files, &AddedLines::since_commit_of(FILE)));
    }
    if !shrunk.is_empty() {
        let list = shrunk.iter().map(describe).collect::<Vec<_>>().join("; ");
        let update =
            format!("{FILE} allows more than there is: update it with `cargo xtask tidy --shrink`, and commit it");
        problems.push(format!("{update} ({list})"));
    }
    Ok(problems)
}

/// Writes the present counts to the file, unless one of them grew.
pub fn shrink() -> Result<(), String> {
    let files = source::files();
    let found = count(&files);
    let allowed = Counts::parse(&read(FILE)?)?;
    let text = shrunk_text(&allowed, &found).map_err(|grown| {
        let problems = explain(&grown, &files, &AddedLines::since_commit_of(FILE));
        format!("{FILE} only shrinks, so nothing was written:\n  {}", problems.join("\n  "))
    })?;
    fs::write(root().join(FILE), text).map_err(|error| format!("cannot write {FILE}: {error}"))?;
    allowed.differences(&found).iter().for_each(|difference| eprintln!("{}", describe(difference)));
    Ok(())
}

/// Returns the new text of the file, or the counts that grew.
fn shrunk_text(allowed: &Counts, found: &Counts) -> Result<String, Vec<Difference>> {
    let (grown, _) = split(allowed.differences(found));
    if grown.is_empty() { Ok(found.to_string()) } else { Err(grown) }
}

fn count(files: &[SourceFile]) -> Counts {
    let mut counts = Counts::default();
    for measure in MEASURES {
        counts.add(measure.name, &(measure.find)(files));
    }
    counts
}

/// Splits into grown and shrunk counts.
fn split(differences: Vec<Difference>) -> (Vec<Difference>, Vec<Difference>) {
    differences.into_iter().partition(|difference| difference.found > difference.allowed)
}

fn describe(difference: &Difference) -> String {
    let Difference { measure, place, allowed, found } = difference;
    format!("{measure} {place}: {found}, was {allowed}")
}

/// Lists, for each measure that grew, the places and the first offenders in them: the added ones, if git knows them.
fn explain(grown: &[Difference], files: &[SourceFile], added: &AddedLines) -> Vec<String> {
    let mut problems = Vec::new();
    for measure in MEASURES {
        let grown: Vec<_> = grown.iter().filter(|difference| difference.measure == measure.name).collect();
        if grown.is_empty() {
            continue;
        }
        problems.push(format!("{} ({FILE} allows no more offenders):", measure.rule));
        problems.extend(grown.iter().map(|difference| format!("  {}", describe(difference))));
        let mut offenders = (measure.find)(files);
        offenders.retain(|offender| grown.iter().any(|difference| difference.place == offender.place));
        problems.extend(list(&offenders, added));
    }
    problems
}

fn list(offenders: &[Offender], added: &AddedLines) -> Vec<String> {
    let new: Vec<_> = offenders.iter().filter(|offender| added.contains(&offender.path, offender.line)).collect();
    let listed = if new.is_empty() { offenders.iter().collect() } else { new };
    let mut lines: Vec<_> = listed
        .iter()
        .take(MOST_LISTED)
        .map(|offender| format!("    {}:{}: {}", offender.path, offender.line, offender.text))
        .collect();
    if let more @ 1.. = listed.len().saturating_sub(MOST_LISTED) {
        lines.push(format!("    and {more} more"));
    }
    lines
}

#[cfg(test)]
mod tests;
