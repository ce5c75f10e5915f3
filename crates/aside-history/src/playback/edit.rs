//! Does to a file what was done to it then. What can't be done is told and leaves the file as it is.

use super::{Operation, PlayedFile, lines::replaced, notebook, operation::Edit, patch::patched};

/// Applies an operation. Returns what is not known of it, if anything.
pub fn apply(operation: &Operation, file: &mut PlayedFile) -> Option<String> {
    if !matches!(operation, Operation::Seen { .. }) {
        if !file.changed {
            file.before.clone_from(&file.text);
        }
        file.changed = true;
        file.deleted = false;
    }
    match operation {
        // Once: what was changed since is told by the changes.
        Operation::Seen { text, whole } => {
            if file.text.is_none() {
                file.text = Some(text.clone());
                file.complete = *whole;
            }
            None
        }
        Operation::Written(text) => {
            file.text = Some(text.clone());
            file.complete = true;
            None
        }
        Operation::Edited { edits, before } => edited(edits, before.as_deref(), file),
        Operation::Moved { changes, .. } if changes.is_empty() => None,
        Operation::Patched(changes) | Operation::Moved { changes, .. } => {
            let Some(text) = &file.text else {
                return Some("changes lines of a text that the session did not read".to_owned());
            };
            replaced_by(patched(text, changes), file)
        }
        Operation::Lines(changes) => match &file.text {
            Some(text) => replaced_by(replaced(text, changes), file),
            None => Some("changes lines of a text that the session did not read".to_owned()),
        },
        Operation::Cell { cell, source, new } => {
            let change = notebook::Change { cell, source: source.as_deref(), kind: new.as_deref() };
            match notebook::changed(file.text.as_deref(), &change) {
                Ok(text) => {
                    file.text = Some(text);
                    None
                }
                Err((text, warning)) => {
                    (file.text, file.complete) = (Some(text), false);
                    Some(warning.to_owned())
                }
            }
        }
        Operation::Deleted => {
            (file.text, file.deleted, file.complete) = (None, true, true);
            None
        }
        Operation::Unknown => {
            file.complete = false;
            Some("changes it in a way that the log does not tell".to_owned())
        }
    }
}

fn replaced_by((text, missed): (String, usize), file: &mut PlayedFile) -> Option<String> {
    file.text = Some(text);
    file.complete &= missed == 0;
    (missed > 0).then(|| format!("has {missed} changes whose lines were not found"))
}

fn edited(edits: &[Edit], before: Option<&str>, file: &mut PlayedFile) -> Option<String> {
    // The log has the file as it was: nothing of what was not known before matters.
    if let Some(before) = before {
        file.text = Some(before.to_owned());
        file.complete = true;
        if file.before.is_none() {
            file.before = Some(before.to_owned());
        }
    }
    let mut warnings = Vec::new();
    for edit in edits {
        match &file.text {
            None if edit.old.is_empty() => {
                file.text = Some(edit.new.clone());
                file.complete = true;
            }
            None => {
                file.text = Some(edit.new.clone());
                file.complete = false;
                warnings.push("changes a text that the session did not read: only the new piece is known");
            }
            Some(_) if edit.old.is_empty() => warnings.push("has an edit of nothing, which was left out"),
            Some(text) if !text.contains(&edit.old) => {
                warnings.push("has an edit whose text was not found, which was left out");
            }
            Some(text) if edit.all => file.text = Some(text.replace(&edit.old, &edit.new)),
            Some(text) => file.text = Some(text.replacen(&edit.old, &edit.new, 1)),
        }
    }
    (!warnings.is_empty()).then(|| warnings.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str, all: bool) -> Edit {
        Edit { old: old.to_owned(), new: new.to_owned(), all }
    }

    fn edited(edits: Vec<Edit>, before: Option<&str>) -> Operation {
        Operation::Edited { edits, before: before.map(str::to_owned) }
    }

    #[test]
    fn what_cannot_be_known_is_told() {
        let mut file = PlayedFile::default();
        assert!(apply(&edited(vec![edit("a", "b", false)], None), &mut file).unwrap().contains("did not read"));
        assert_eq!((file.text.as_deref(), file.complete), (Some("b"), false));
        assert_eq!(apply(&Operation::Written("one one".into()), &mut file), None);
        assert_eq!(apply(&edited(vec![edit("one", "two", false)], None), &mut file), None);
        assert_eq!((file.text.as_deref(), file.complete), (Some("two one"), true));
        let both = vec![edit("o", "0", true), edit("none", "x", false)];
        assert!(apply(&edited(both, None), &mut file).unwrap().contains("not found"));
        assert_eq!(file.text.as_deref(), Some("tw0 0ne"));
        assert_eq!(apply(&edited(vec![edit("x", "y", false)], Some("x\n")), &mut file), None);
        assert_eq!((file.text.as_deref(), file.complete), (Some("y\n"), true));
        assert_eq!(apply(&Operation::Deleted, &mut file), None);
        assert!(file.deleted && file.text.is_none());
    }

    #[test]
    fn a_file_is_seen_once_and_then_as_it_was_changed() {
        let mut file = PlayedFile::default();
        let seen = |text: &str| Operation::Seen { text: text.to_owned(), whole: true };
        apply(&seen("a\n"), &mut file);
        apply(&edited(vec![edit("a", "b", false)], None), &mut file);
        apply(&seen("c\n"), &mut file);
        assert_eq!((file.text.as_deref(), file.before.as_deref()), (Some("b\n"), Some("a\n")));
    }
}
