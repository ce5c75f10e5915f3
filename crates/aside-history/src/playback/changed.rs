//! Changes of files as Codex tells them in the event of a patch: each by the path of its file, with its text or a unified diff.

use serde_json::{Map, Value};

use super::{Operation, lines::Change};
use crate::reader::json::text;

/// What the changes do, file by file; nothing if they are no such changes. `whole` makes a path as it stands there one from the root.
pub fn changed(changes: &Map<String, Value>, whole: impl Fn(&str) -> String) -> Vec<(String, Operation)> {
    let of = |(path, change): (&String, &Value)| {
        let path = whole(path);
        let content = || text(change, "content").unwrap_or_default().to_owned();
        let operation = match text(change, "type")? {
            "add" => Operation::Written { text: content(), before: Some(String::new()) },
            "delete" => Operation::Deleted,
            "update" => Operation::Lines(hunks(text(change, "unified_diff").unwrap_or_default())),
            _ => return None,
        };
        Some(match (text(change, "move_path"), operation) {
            (Some(to), Operation::Lines(changes)) => {
                let moved = Operation::Moved { from: path.clone(), changes };
                vec![(whole(to), moved), (path, Operation::Deleted)]
            }
            (_, operation) => vec![(path, operation)],
        })
    };
    changes.iter().filter_map(of).flatten().collect()
}

/// The hunks of a unified diff, each with the number of its first line.
fn hunks(diff: &str) -> Vec<Change> {
    let mut hunks: Vec<Change> = Vec::new();
    for line in diff.lines() {
        if line.starts_with("@@") {
            hunks.push(Change { at: first(line), ..Change::default() });
            continue;
        }
        // Before the first hunk stand the names of the file.
        let Some(hunk) = hunks.last_mut() else { continue };
        let (mark, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
        if matches!(mark, " " | "-") {
            hunk.old.push(rest.to_owned());
        }
        if matches!(mark, " " | "+") {
            hunk.new.push(rest.to_owned());
        }
    }
    hunks
}

/// The first line of `@@ -3,4 +3,5 @@`. Of a hunk without lines it is the one before.
fn first(header: &str) -> Option<usize> {
    let range = header.strip_prefix("@@ -")?.split_whitespace().next()?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let start: usize = start.parse().ok()?;
    Some(if count == "0" { start + 1 } else { start })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::lines::replaced, *};

    fn told(changes: &Value) -> Vec<(String, Operation)> {
        changed(changes.as_object().unwrap(), str::to_owned)
    }

    #[test]
    fn unified_diff_changes_the_lines_that_it_names() {
        let diff = "--- a\n+++ b\n@@ -1,0 +1 @@\n+zero\n@@ -3,2 +4,2 @@\n x\n-y\n+z\n\\ No newline at end of file\n";
        let operations = told(&json!({ "/w/a": { "type": "update", "unified_diff": diff, "move_path": null } }));
        let [(path, Operation::Lines(changes))] = &operations[..] else { panic!("{operations:?}") };
        assert_eq!(path, "/w/a");
        assert_eq!(replaced("one\ny\nx\ny", changes), ("one\nzero\ny\nx\nz".to_owned(), 0));
    }

    #[test]
    fn added_deleted_and_moved_files_are_told_apart() {
        let moved = json!({ "type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+b\n", "move_path": "/w/to" });
        let operations =
            told(&json!({ "/w/1": { "type": "add", "content": "x\n" }, "/w/2": { "type": "delete", "content": "y" },
            "/w/3": moved, "/w/4": { "type": "other" }, "/w/5": 7 }));
        assert_eq!(
            operations.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
            ["/w/1", "/w/2", "/w/to", "/w/3"]
        );
        assert_eq!(operations[0].1, Operation::Written { text: "x\n".to_owned(), before: Some(String::new()) });
        assert_eq!([&operations[1].1, &operations[3].1], [&Operation::Deleted; 2]);
        assert!(matches!(&operations[2].1, Operation::Moved { from, .. } if from == "/w/3"));
        assert_eq!(first("@@ -0,0 +1,3 @@"), Some(1));
    }
}
