//! Patches in the form of `apply_patch`.

use super::{
    Operation,
    lines::{Change, Lines},
};

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePatch {
    pub path: String,
    pub operation: Operation,
    /// Where it is then.
    pub moved: Option<String>,
}

/// Reads a patch; what is no part of one is passed.
pub fn patch(text: &str) -> Vec<FilePatch> {
    let mut files: Vec<FilePatch> = Vec::new();
    let begun = |path: &str, operation| FilePatch { path: path.trim().to_owned(), operation, moved: None };
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            files.push(begun(path, Operation::Written { text: String::new(), before: Some(String::new()) }));
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            files.push(begun(path, Operation::Patched(Vec::new())));
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            files.push(begun(path, Operation::Deleted));
        } else if let Some(file) = files.last_mut() {
            if let Some(path) = line.strip_prefix("*** Move to: ") {
                file.moved = Some(path.trim().to_owned());
            } else {
                take(line, &mut file.operation);
            }
        }
    }
    files
}

fn take(line: &str, operation: &mut Operation) {
    match operation {
        Operation::Written { text, .. } => {
            if let Some(line) = line.strip_prefix('+') {
                text.push_str(line);
                text.push('\n');
            }
        }
        Operation::Patched(changes) => {
            if let Some(after) = line.strip_prefix("@@") {
                let after = Some(after.trim().to_owned()).filter(|after| !after.is_empty());
                changes.push(Change { after, ..Change::default() });
                return;
            }
            if line.starts_with("*** ") {
                return;
            }
            if changes.is_empty() {
                changes.push(Change::default());
            }
            let Some(change) = changes.last_mut() else { return };
            let (kind, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
            if kind != "+" {
                change.old.push(rest.to_owned());
            }
            if kind != "-" {
                change.new.push(rest.to_owned());
            }
        }
        _ => {}
    }
}

/// Applies the changes of a patch to a text, in their order; returns it with how many of them found no place. Its last line has an end then,
/// as what applies such patches gives it one.
pub fn patched(text: &str, changes: &[Change]) -> (String, usize) {
    let mut lines = Lines::of(text);
    let (mut from, mut missed) = (0, 0);
    for change in changes {
        if let Some(after) = &change.after
            && let Some(at) = lines.all[from..].iter().position(|line| line.trim() == after)
        {
            from += at + 1;
        }
        match lines.place(&change.old, from) {
            Some(at) => from = lines.put(at, change),
            None => missed += 1,
        }
    }
    lines.end_last();
    (lines.all.concat(), missed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: a.py\n@@ def two():\n     x = 1\n-    y = 2\n+    y = 3\n+    z = 4\n*** Add File: b\n+one\n+\n*** Delete File: c\n*** End Patch";

    #[test]
    fn lines_are_replaced_where_they_stand() {
        let files = patch(PATCH);
        assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.py", "b", "c"]);
        let Operation::Patched(changes) = &files[0].operation else { panic!() };
        let before = "def one():\n    x = 1\n    y = 2\ndef two():\n    x = 1\n    y = 2\n";
        let after = "def one():\n    x = 1\n    y = 2\ndef two():\n    x = 1\n    y = 3\n    z = 4\n";
        assert_eq!(patched(before, changes), (after.to_owned(), 0));
        assert_eq!(patched("other\n", changes), ("other\n".to_owned(), 1));
        assert_eq!(files[1].operation, Operation::Written { text: "one\n\n".to_owned(), before: Some(String::new()) });
        assert_eq!(files[2].operation, Operation::Deleted);
    }

    #[test]
    fn lines_keep_the_ends_that_they_have() {
        let change = |old: &[&str], new: &[&str]| {
            let all = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
            Change { old: all(old), new: all(new), ..Change::default() }
        };
        let (text, missed) = patched("one\r\ntwo\r\nthree", &[change(&["one", "two"], &["one", "2", "2.5"])]);
        assert_eq!((text.as_str(), missed), ("one\r\n2\r\n2.5\r\nthree\r\n", 0));
        let (text, _) = patched("one\r\ntwo\nthree\n", &[change(&["one", "two", "three"], &["one", "three"])]);
        assert_eq!(text, "one\r\nthree\n");
    }

    #[test]
    fn a_file_that_moves_brings_its_text_along() {
        use crate::{Evidence, Playback, Step, playback::operation};
        let patch = "*** Begin Patch\n*** Update File: /w/a\n*** Move to: /w/b\n@@\n-two\n+2\n*** End Patch";
        let call = crate::Call {
            session: 0,
            at: None,
            name: "apply_patch".into(),
            id: None,
            command: None,
            touches: crate::touch::patched(patch, None),
            edited: None,
            arguments: None,
            ok: None,
            side: false,
            place: crate::Place::default(),
        };
        let moved = operation::of(&call, &serde_json::json!({ "input": patch }), None);
        let seen = ("/w/a".to_owned(), Operation::Written { text: "one\ntwo\n".to_owned(), before: None });
        let place = Evidence { session_id: String::new(), file: String::new(), offset: 0 };
        let step = |(path, operation)| Step { at: None, path, name: "x".to_owned(), operation, place: place.clone() };
        let steps: Vec<Step> = std::iter::once(seen).chain(moved).map(step).collect();
        let played = Playback::default().files(&steps);
        let told: Vec<_> =
            played.files.iter().map(|file| (file.text.as_deref(), file.deleted, file.complete)).collect();
        assert_eq!(told, [(None, true, true), (Some("one\n2\n"), false, true)]);
        assert!(played.warnings.is_empty());
    }
}
