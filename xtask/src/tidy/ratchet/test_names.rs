//! Names of tests that are longer than a rule in eight words.

use super::{Measure, Offender};
use crate::tidy::source::SourceFile;

pub const TEST_NAMES: Measure =
    Measure { name: "test-names", rule: "the name of a test has at most eight words, the subject first", find };

const MOST_WORDS: usize = 8;

fn find(files: &[SourceFile]) -> Vec<Offender> {
    let mut found = Vec::new();
    for file in files {
        let names = if file.is_rust() {
            rust_tests(&file.text)
        } else if file.is_typescript() {
            typescript_tests(&file.text)
        } else {
            continue;
        };
        let long = names.into_iter().filter(|(_, name)| words(name) > MOST_WORDS);
        found.extend(long.map(|(line, name)| Offender::in_folder(file, line, &name)));
    }
    found
}

fn words(name: &str) -> usize {
    name.split(|letter: char| letter == '_' || letter.is_whitespace()).filter(|word| !word.is_empty()).count()
}

/// The functions under `#[test]`, `#[tokio::test(…)]` and the like, also within `proptest!`.
fn rust_tests(text: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    let mut is_test = false;
    for (index, line) in text.lines().map(str::trim).enumerate() {
        is_test |= is_test_attribute(line);
        if is_test && let Some(name) = function(line) {
            names.push((index + 1, name.to_owned()));
            is_test = false;
        }
    }
    names
}

fn is_test_attribute(line: &str) -> bool {
    let Some(path) = line.strip_prefix("#[").and_then(|rest| rest.split(['(', ']']).next()) else { return false };
    matches!(path.rsplit("::").next(), Some("test" | "proptest"))
}

fn function(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    before.split_whitespace().all(|word| matches!(word, "pub" | "async")).then(|| rest.split(['(', '<']).next())?
}

/// The titles of `it(…)`, `test(…)` and `it.each(…)(…)`; a call begins a line.
fn typescript_tests(text: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        let call = &text[end - line.trim_start().len()..];
        names.extend(title(call).filter(|_| !line.trim().is_empty()).map(|title| (index + 1, title)));
        start = end;
    }
    names
}

fn title(call: &str) -> Option<String> {
    let open = call.find(|letter: char| !letter.is_alphanumeric() && letter != '.')?;
    let (callee, mut rest) = call.split_at(open);
    let mut parts = callee.split('.');
    if !matches!(parts.next(), Some("it" | "test")) || parts.any(|part| matches!(part, "describe" | "step")) {
        return None;
    }
    if callee.ends_with(".each") {
        rest = after_arguments(rest)?;
    }
    let argument = rest.strip_prefix('(')?.trim_start();
    let quote = argument.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'))?;
    Some(argument[1..1 + end_of_string(&argument[1..], quote)?].to_owned())
}

/// The text behind the bracket that closes the first one.
fn after_arguments(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        at += letter.len_utf8();
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[at..]),
            ')' => depth -= 1,
            '\'' | '"' | '`' => at += end_of_string(&text[at..], letter)? + 1,
            _ => {}
        }
    }
    None
}

fn end_of_string(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::ratchet::tests::lines;

    #[test]
    fn long_rust_names_are_found() {
        let text = "#[test]\nfn one_two_three_four_five_six_seven_eight() {}\n#[tokio::test(start_paused = true)]\n\
            async fn one_two_three_four_five_six_seven_eight_nine() {}\nfn one_two_three_four_five_six_seven_eight_ten() {}\n";
        assert_eq!(lines(&TEST_NAMES, "a.rs", text), [4]);
    }

    #[test]
    fn attributes_between_test_and_name_are_skipped() {
        let text = "proptest! {\n    #[test]\n    #[ignore = \"slow fn \"]\n    // Long.\n    \
            fn one_two_three_four_five_six_seven_eight_nine(a in 0..9) {}\n}\n";
        assert_eq!(lines(&TEST_NAMES, "a.rs", text), [5]);
    }

    #[test]
    fn long_typescript_titles_are_found() {
        let text = "it('1 2 3 4 5 6 7 8', () => {})\n\n  test.skip(\n    \"1 2 3 4 5 6 7 8 it's\",\n)\n\
            it.each([['(', 1], [\")\", 2]])('1 2 3 4 5 6 7 8 %s', () => {})\ntest.describe('1 2 3 4 5 6 7 8 9', () => {})\n\
            fit('1 2 3 4 5 6 7 8 9')\ntest(name, '1 2 3 4 5 6 7 8 9')\n";
        assert_eq!(lines(&TEST_NAMES, "a.test.ts", text), [3, 6]);
    }
}
