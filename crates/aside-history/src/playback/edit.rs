//! Does to a file what was done to it then. What can't be done is told and leaves the file as it is.

use super::{Operation, PlayedFile, lines::replaced, notebook, operation::Edit, patch::patched};

/// Applies an operation. Returns what is not known of it, if anything.
pub fn apply(operation: &Operation, file: &mut PlayedFile) -> Option<String> {
    if !matches!(operation, Operation::Seen { .. }) {
        if !file.changed {
            let known = || file.text.clone().filter(|_| file.complete);
            file.before = told_before(operation).map(str::to_owned).or_else(known);
        }
        file.changed = true;
        file.deleted = false;
    }
    match operation {
        Operation::Seen { text, whole, exact } => seen(text, *whole, *exact, file),
        Operation::Written { text, .. } => {
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
            Some("changes it in a way that the log does not record".to_owned())
        }
    }
}

/// The whole text before a change, where the log has it with the change.
fn told_before(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::Written { before, .. } | Operation::Edited { before, .. } => before.as_deref(),
        _ => None,
    }
}

/// Takes what was read. Of a file whose text is known it tells only what was done to it elsewhere.
fn seen(text: &str, whole: bool, exact: bool, file: &mut PlayedFile) -> Option<String> {
    let Some(known) = &file.text else {
        (file.text, file.complete) = (Some(text.to_owned()), whole);
        return None;
    };
    if !whole || !exact {
        return None;
    }
    // How lines end is not shown, nor is the end of the last one.
    let same = known.lines().eq(text.lines());
    let was_known = std::mem::replace(&mut file.complete, true);
    if same {
        return None;
    }
    file.text = Some(text.to_owned());
    was_known.then(|| "shows that it was also changed by a command or by hand".to_owned())
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
                warnings.push("changes a text that the session did not read: only the new part is known");
            }
            Some(_) if edit.old.is_empty() => warnings.push("has an empty edit, which was skipped"),
            Some(text) if !text.contains(&edit.old) => {
                warnings.push("has an edit whose text was not found, which was skipped");
            }
            Some(text) if edit.all => file.text = Some(text.replace(&edit.old, &edit.new)),
            Some(text) => file.text = Some(text.replacen(&edit.old, &edit.new, 1)),
        }
    }
    // The edits were made all the same: the text is another one.
    file.complete &= warnings.is_empty();
    (!warnings.is_empty()).then(|| warnings.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str, all: bool) -> Edit {
        Edit { old: old.to_owned(), new: new.to_owned(), all }
    }

    fn written(text: &str, before: Option<&str>) -> Operation {
        Operation::Written { text: text.to_owned(), before: before.map(str::to_owned) }
    }

    fn seen(text: &str, whole: bool) -> Operation {
        Operation::Seen { text: text.to_owned(), whole, exact: true }
    }

    fn edited(edits: Vec<Edit>, before: Option<&str>) -> Operation {
        Operation::Edited { edits, before: before.map(str::to_owned) }
    }

    #[test]
    fn what_cannot_be_known_is_told() {
        let mut file = PlayedFile::default();
        assert!(apply(&edited(vec![edit("a", "b", false)], None), &mut file).unwrap().contains("did not read"));
        assert_eq!((file.text.as_deref(), file.complete), (Some("b"), false));
        assert_eq!(apply(&written("one one", None), &mut file), None);
        assert_eq!(apply(&edited(vec![edit("one", "two", false)], None), &mut file), None);
        assert_eq!((file.text.as_deref(), file.complete), (Some("two one"), true));
        let both = vec![edit("o", "0", true), edit("none", "x", false)];
        assert!(apply(&edited(both, None), &mut file).unwrap().contains("not found"));
        assert_eq!((file.text.as_deref(), file.complete), (Some("tw0 0ne"), false));
        assert_eq!(apply(&edited(vec![edit("x", "y", false)], Some("x\n")), &mut file), None);
        assert_eq!((file.text.as_deref(), file.complete), (Some("y\n"), true));
        assert_eq!(apply(&Operation::Deleted, &mut file), None);
        assert!(file.deleted && file.text.is_none());
    }

    #[test]
    fn what_was_before_is_known_if_all_of_it_is() {
        let before = |steps: &[Operation]| {
            let mut file = PlayedFile::default();
            steps.iter().for_each(|step| drop(apply(step, &mut file)));
            file.before
        };
        let change = |before| edited(vec![edit("b", "c", false)], before);
        let known = |text: &str| Some(text.to_owned());
        assert_eq!(before(&[seen("a\nb", true), change(None)]), known("a\nb"));
        assert_eq!(before(&[seen("b", false), change(None)]), None);
        assert_eq!(before(&[seen("b", false), change(Some("a\nb\n")), change(Some("a\nc\n"))]), known("a\nb\n"));
        assert_eq!(before(&[change(None), change(Some("b"))]), None);
        assert_eq!(before(&[written("new", None)]), None);
        assert_eq!(before(&[written("new", Some("")), change(None)]), known(""));
    }

    #[test]
    fn a_file_is_as_it_was_changed_unless_all_of_it_shows_another_text() {
        let mut file = PlayedFile::default();
        apply(&seen("a\r\nx\r\n", true), &mut file);
        apply(&edited(vec![edit("a", "b", false)], None), &mut file);
        for (text, whole) in [("c", false), ("b\nx", true)] {
            assert_eq!(apply(&seen(text, whole), &mut file), None);
            assert_eq!((file.text.as_deref(), file.complete), (Some("b\r\nx\r\n"), true));
        }
        // As a program shows it, which may be anything.
        let framed = Operation::Seen { text: "<file>".to_owned(), whole: true, exact: false };
        assert_eq!(apply(&framed, &mut file), None);
        let told = apply(&seen("c\n", true), &mut file);
        assert!(told.unwrap().contains("by a command or by hand"));
        assert_eq!((file.text.as_deref(), file.before.as_deref()), (Some("c\n"), Some("a\r\nx\r\n")));
        // What was not known before is known then, and nobody can tell who changed it.
        apply(&edited(vec![edit("none", "x", false)], None), &mut file);
        assert_eq!((apply(&seen("d\n", true), &mut file), file.complete), (None, true));
    }
}
