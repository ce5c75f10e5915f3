//! Changes in the form of blocks: the lines to search for, and those that take their place.

use super::{Operation, lines::Change};

/// What blocks say; none if the text has none, unknown if they can't be read.
pub fn told(text: &str) -> Option<Operation> {
    let begins = |line: &str| matches!(line.trim_end(), "<<<<<<< SEARCH" | "------- SEARCH");
    if !text.lines().any(begins) {
        return None;
    }
    let mut changes = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !begins(line) {
            continue;
        }
        let Some(change) = block(&mut lines) else { return Some(Operation::Unknown) };
        changes.push(change);
    }
    // A block that searches for nothing is the whole file.
    Some(match &changes[..] {
        [only] if only.old.is_empty() => {
            Operation::Written { text: only.new.iter().map(|line| format!("{line}\n")).collect(), before: None }
        }
        changes if changes.iter().any(|change| change.old.is_empty()) => Operation::Unknown,
        _ => Operation::Lines(changes),
    })
}

/// The lines of one block, after its head; none if it has no end.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<Change> {
    let mut change = Change::default();
    let mut is_head = true;
    loop {
        let line = lines.next()?;
        if line.trim_end() == "=======" {
            break;
        }
        // Some tell the line, and a rule before the text.
        let numbered = line.strip_prefix(":start_line:");
        if is_head && let Some(number) = numbered {
            change.at = number.trim().parse().ok();
        } else if is_head && (line.starts_with(":end_line:") || line.trim_end() == "-------") {
            is_head = line.starts_with(':');
        } else {
            is_head = false;
            change.old.push(line.to_owned());
        }
    }
    loop {
        let line = lines.next()?;
        if matches!(line.trim_end(), ">>>>>>> REPLACE" | "+++++++ REPLACE") {
            return Some(change);
        }
        change.new.push(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_changes_of_lines() {
        let change = |at: Option<usize>, old: &[&str], new: &[&str]| {
            let all = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
            Change { after: None, at, old: all(old), new: all(new) }
        };
        let two = "------- SEARCH\na\n=======\nb\nc\n+++++++ REPLACE\n\n------- SEARCH\nd\n=======\n+++++++ REPLACE\n";
        let both = vec![change(None, &["a"], &["b", "c"]), change(None, &["d"], &[])];
        assert_eq!(told(two), Some(Operation::Lines(both)));
        let numbered = "<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE";
        assert_eq!(told(numbered), Some(Operation::Lines(vec![change(Some(7), &["a"], &["b"])])));
        let whole = "------- SEARCH\n=======\nall\n+++++++ REPLACE";
        assert_eq!(told(whole), Some(Operation::Written { text: "all\n".to_owned(), before: None }));
        assert_eq!(told("------- SEARCH\na\n=======\nb"), Some(Operation::Unknown));
        assert_eq!(told("a\n=======\nb"), None);
    }
}
