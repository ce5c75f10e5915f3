//! The change of one file: its text before and after.

use std::sync::Arc;

use aside_core::{Failure, Version, Warning, WorkspacePath};
use aside_doc::{AnchoredEdit, TextShape, edits_between, to_lf};
use aside_workspace::{Pattern, View, WorkspaceError};

use super::Except;
use crate::{
    doc_edit::EditArgs,
    doc_format::joined,
    notes::{NoteStep, guarded},
};

/// The change of one file.
pub(super) struct FileReplacement {
    pub path: WorkspacePath,
    pub version: Version,
    pub before: Arc<str>,
    pub after: String,
    pub shape: TextShape,
    /// Matches that are replaced.
    pub count: usize,
    edits: Vec<AnchoredEdit>,
}

impl FileReplacement {
    /// Plans the change of a file; none if no match is left to replace.
    pub fn planned(
        view: &View<'_>,
        path: &WorkspacePath,
        (pattern, replacement): (&Pattern, &str),
        except: &[&Except],
    ) -> Result<Option<Self>, WorkspaceError> {
        let (path, before, shape) = view.peek_text(path)?;
        let is_excepted = |line: u32| except.iter().any(|except| covers(except, line));
        let mut matches = pattern.replacements(&before, replacement);
        matches.retain(|one| !is_excepted(one.line));
        let mut after = before.to_string();
        for one in matches.iter().rev() {
            after.replace_range(one.range.clone(), &one.by);
        }
        let after = to_lf(&after);
        if after == *before {
            return Ok(None);
        }
        view.check_writable(&path)?;
        let edits = joined(edits_between(&before, &after), &before, &after);
        let (version, count) = (Version::of(before.as_bytes()), matches.len());
        Ok(Some(Self { path, version, before, after, shape, count, edits }))
    }

    /// Returns reasons to look twice at it.
    pub fn warnings(&self) -> Result<Vec<Warning>, Failure> {
        guarded(&self.path, &self.before, &self.version, &self.edits)
    }

    /// Returns the step that makes it.
    pub fn step(&self) -> NoteStep {
        let edits = self.edits.iter().cloned().map(EditArgs::from).collect();
        NoteStep::Edit { path: self.path.clone(), base: self.version.to_string(), edits }
    }
}

/// Tells whether a line stays as it is.
fn covers(except: &Except, line: u32) -> bool {
    except.lines.as_ref().is_none_or(|lines| lines.contains(&line))
}
