//! The ratchet as a whole. Each measure has its own tests.

use super::*;

/// The lines that a measure finds in one file.
pub fn lines(measure: &Measure, path: &str, text: &str) -> Vec<usize> {
    (measure.find)(&[file(path, text)]).iter().map(|offender| offender.line).collect()
}

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn committed_ratchet_equals_the_tree() {
    let problems = problems(&source::files()).unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let committed = read(FILE).unwrap();
    assert_eq!(Counts::parse(&committed).unwrap().to_string(), committed, "run `cargo xtask tidy --shrink`");
}

#[test]
fn shrink_writes_lower_counts() {
    let found = count(&[file("crates/a/src/lib.rs", "/// What it is.\n")]);
    let allowed = Counts::parse("doc-lines crates/a 2\ndoc-lines crates/b 1\n").unwrap();
    let text = shrunk_text(&allowed, &found).unwrap();
    assert!(text.ends_with("\ndoc-lines crates/a 1\n"), "{text}");
}

#[test]
fn shrink_refuses_growth_anywhere() {
    let found = count(&[file("crates/a/src/lib.rs", "/// What it is.\n/// Who asks.\n")]);
    let allowed = Counts::parse("doc-lines crates/a 1\ndoc-lines crates/b 9\n").unwrap();
    let grown = shrunk_text(&allowed, &found).unwrap_err();
    assert_eq!(grown.iter().map(describe).collect::<Vec<_>>(), ["doc-lines crates/a: 2, was 1"]);
}

#[test]
fn offenders_are_listed_with_their_lines() {
    let files = [file("crates/a/src/lib.rs", &"/// What it is.\n".repeat(12))];
    let (grown, _) = split(Counts::default().differences(&count(&files)));
    let listed = explain(&grown, &files, &AddedLines::default());
    assert_eq!(listed[1], "  doc-lines crates/a: 12, was 0");
    assert_eq!(listed[2], "    crates/a/src/lib.rs:1: /// What it is.");
    assert_eq!(listed[12..], ["    and 2 more"]);
}
