//! What a person sees before they decide.

use std::collections::BTreeSet;

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{SandboxLevel, Sha256, Version, WorkspacePath};

/// How much of the effect a preview shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Completeness {
    /// All of it.
    Full,
    /// Some of it; the summary says what is missing.
    Partial,
    /// What it does can't be known before it runs.
    Opaque,
}

/// A reason to ask although the policy would not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Warning {
    /// Which guard spoke.
    pub guard: Guard,
    /// What it saw, in one sentence.
    pub text: String,
}

/// The guards that force a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// More than 30 % of the lines, or more than 200 lines, go.
    LargeDeletion,
    /// The file would be empty.
    Emptying,
    /// An existing file would be replaced as a whole.
    WholeFile,
    /// The new text stands for text it leaves out ("rest of the code").
    Elision,
    /// Bidirectional controls or invisible characters come in.
    HiddenCharacters,
    /// Environments, braces or brackets would no longer balance.
    Unbalanced,
    /// The place was found by a loose match, not an exact one.
    LooseMatch,
    /// A program would run with nothing that keeps it from the rest of the machine.
    NoSandbox,
    /// A tool of another program would be called that nobody has looked at.
    UnknownTool,
    /// A script asks that has read content from outside.
    ExternalContent,
}

/// How sure the place of an edit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The named lines of the named version hold exactly the named text.
    Exact,
    /// The same text, at another place than was named.
    Moved,
    /// The same text but for trailing blanks, a uniform indent, typographic characters or an elision.
    Loose,
}

/// Two CRDT-relative positions, opaque to all but the document that made them and the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HunkAnchor {
    /// Before the first changed character: an encoded Yjs relative position, base 64.
    pub start: String,
    /// After the last changed character.
    pub end: String,
}

/// Some lines that become other lines; the smallest part of an edit that can be decided on its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Hunk {
    /// Number within the preview, from 0: the *part* of a decision.
    pub part: u32,
    /// First line that goes, in the version the preview was made for, from 1; with no line that goes,
    /// the new ones come before this line.
    pub start: u32,
    /// The lines that go, without their terminators.
    pub old: Vec<String>,
    /// The lines that come.
    pub new: Vec<String>,
    /// Up to three lines above, for reading only.
    pub before: Vec<String>,
    /// Up to three lines below, for reading only.
    pub after: Vec<String>,
    /// How sure the place is.
    pub confidence: Confidence,
    /// Where it is in the live document, if that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub anchor: Option<HunkAnchor>,
}

/// What happens to a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileChange {
    /// It is new.
    Created,
    /// Some of its lines change.
    Edited,
    /// It goes.
    Deleted,
    /// It had another path.
    Moved {
        /// The path it had.
        from: WorkspacePath,
    },
    /// It is a copy.
    Copied {
        /// What it is a copy of.
        from: WorkspacePath,
    },
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileDiff {
    /// Which file.
    pub path: WorkspacePath,
    /// What happens to it as a whole.
    pub change: FileChange,
    /// The version the hunks' line numbers are in.
    pub base: Option<Version>,
    /// The changed lines, in order.
    pub hunks: Vec<Hunk>,
    /// Said in place of hunks: "binary, 12 kB", "the first 400 of 9,000 lines".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    /// The cell that changes, if the file is a notebook; lines are counted in its text, and `base` is its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cell: Option<DiffCell>,
}

/// A cell of a notebook that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffCell {
    /// What it is called.
    pub key: String,
    /// What it holds: `code`, `markdown`, `raw`, or what the notebook says.
    pub kind: String,
    /// Its place in the notebook when this was shown, from 1.
    pub number: u32,
}

/// The body of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewBody {
    /// There is nothing to show beyond the summary.
    Nothing,
    /// Changes of files.
    Diff {
        /// One entry a file.
        files: Vec<FileDiff>,
    },
    /// A program that would run.
    Command {
        /// Program and arguments.
        argv: Vec<String>,
        /// Folder it would run in.
        cwd: String,
        /// It may use the network.
        network: bool,
        /// What keeps it from the rest of the machine.
        sandbox: SandboxLevel,
        /// What it gets in its environment: names, with `=` and the value where that is part of the request.
        environment: Vec<String>,
        /// What else to know before it runs: what can be undone and what can't.
        notes: Vec<String>,
    },
    /// A table of changes to other things.
    Changes {
        /// One row a change.
        rows: Vec<ChangeRow>,
    },
    /// A table of changes of notes, with a checkbox for each part.
    Rows {
        /// One row a value; rows with one part belong together.
        rows: Vec<NoteRow>,
    },
}

/// One changed value of a note, in a table with checkboxes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteRow {
    /// The part that it belongs to, from 0. Rows of one part are decided together.
    pub part: u32,
    /// The note.
    pub path: WorkspacePath,
    /// The line before the change, from 1, if the value is one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
    /// The value: `note`, `path`, `title`, `tags`, `text`, `todo` or `link`.
    pub field: String,
    /// The old value.
    pub before: Option<String>,
    /// The new value; absent if it goes.
    pub after: Option<String>,
    /// A remark for reading, such as a tag that stays in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    /// The reason why this row can't be done any more as it was shown. It is left out of what is submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
}

/// One row of a table of changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeRow {
    /// What changes.
    pub object: String,
    /// What it is now.
    pub before: Option<String>,
    /// What it would be.
    pub after: Option<String>,
}

/// What a person sees before they decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Preview {
    /// Verb and object: "Edit model.py, 2 changes".
    pub summary: String,
    /// The change itself.
    pub body: PreviewBody,
    /// How much of the effect this shows.
    pub completeness: Completeness,
    /// Reasons to look twice; any of them asks for a confirmation.
    pub warnings: Vec<Warning>,
}

impl Preview {
    /// A preview that is only its summary.
    pub fn summary(text: impl Into<String>) -> Self {
        Self {
            summary: text.into(),
            body: PreviewBody::Nothing,
            completeness: Completeness::Full,
            warnings: Vec::new(),
        }
    }

    /// The numbers of the parts that can be decided on their own; empty if it is all or nothing.
    pub fn parts(&self) -> Vec<u32> {
        match &self.body {
            PreviewBody::Diff { files } => {
                files.iter().flat_map(|file| file.hunks.iter().map(|hunk| hunk.part)).collect()
            }
            PreviewBody::Rows { rows } => {
                let parts: BTreeSet<u32> = rows.iter().map(|row| row.part).collect();
                parts.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The numbers of the parts that have become out of date since they were shown first.
    pub fn stale_parts(&self) -> BTreeSet<u32> {
        let PreviewBody::Rows { rows } = &self.body else { return BTreeSet::new() };
        rows.iter().filter(|row| row.problem.is_some()).map(|row| row.part).collect()
    }

    /// Tells whether this shows all of the effect, and that nothing would be other than before.
    pub fn changes_nothing(&self) -> bool {
        let is_same =
            |file: &FileDiff| file.change == FileChange::Edited && file.hunks.is_empty() && file.note.is_none();
        let is_whole = self.completeness == Completeness::Full && self.warnings.is_empty();
        let shows_none = match &self.body {
            PreviewBody::Diff { files } => files.iter().all(is_same),
            PreviewBody::Rows { rows } => rows.iter().all(|row| row.before == row.after),
            _ => false,
        };
        is_whole && shows_none
    }

    /// Tells whether it is a table with checkboxes, which is submitted once: a yes to some parts is a no to the others.
    pub fn is_submitted_once(&self) -> bool {
        matches!(self.body, PreviewBody::Rows { .. })
    }

    /// Returns a hash of what a person decides on: which lines of which files become which.
    ///
    /// Line numbers, context and anchors stay out, so that typing elsewhere in a live document does
    /// not void a decision whose effect is exactly what was shown.
    pub fn essence(&self) -> Sha256 {
        let mut bare = self.clone();
        if let PreviewBody::Rows { rows } = &mut bare.body {
            rows.iter_mut().for_each(|row| row.line = None);
        }
        if let PreviewBody::Diff { files } = &mut bare.body {
            for file in files {
                file.base = None;
                if let Some(cell) = &mut file.cell {
                    cell.number = 0;
                }
                for hunk in &mut file.hunks {
                    hunk.start = 0;
                    hunk.before.clear();
                    hunk.after.clear();
                    hunk.anchor = None;
                    // A place that has moved since it was shown is still the same change.
                    hunk.confidence = hunk.confidence.max(Confidence::Moved);
                }
            }
        }
        Sha256::of_json(&bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preview(start: u32, new: &str) -> Preview {
        let hunk = Hunk {
            part: 0,
            start,
            old: vec!["a".into()],
            new: vec![new.into()],
            before: vec![],
            after: vec![],
            confidence: Confidence::Exact,
            anchor: None,
        };
        let file = FileDiff {
            path: WorkspacePath::new("a.py").unwrap(),
            change: FileChange::Edited,
            base: None,
            hunks: vec![hunk],
            note: None,
            cell: None,
        };
        Preview { body: PreviewBody::Diff { files: vec![file] }, ..Preview::summary("Edit a.py, 1 change") }
    }

    #[test]
    fn essence_ignores_where_and_keeps_what() {
        assert_eq!(preview(1, "b").essence(), preview(9, "b").essence());
        assert_ne!(preview(1, "b").essence(), preview(1, "c").essence());
    }

    fn table(rows: &[(u32, &str)]) -> Preview {
        let row = |(part, after): &(u32, &str)| NoteRow {
            part: *part,
            path: WorkspacePath::new("plan.md").unwrap(),
            line: Some(3),
            field: "todo".to_owned(),
            before: Some("- [ ] a".to_owned()),
            after: Some((*after).to_owned()),
            note: None,
            problem: None,
        };
        Preview { body: PreviewBody::Rows { rows: rows.iter().map(row).collect() }, ..Preview::summary("Update") }
    }

    #[test]
    fn rows_of_one_part_are_counted_once() {
        assert_eq!(table(&[(0, "x"), (0, "y"), (2, "z")]).parts(), [0, 2]);
        assert!(table(&[(0, "- [ ] a")]).changes_nothing() && !table(&[(0, "- [x] a")]).changes_nothing());
    }
}
