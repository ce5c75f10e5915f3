//! What changes have left in a document as it is now.

use aside_core::{LineRange, Version, WorkspacePath};
use aside_doc::left_by;

use crate::{Workspace, WorkspaceError};

/// A document, and what changes have left in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The version of the text that the lines are counted in.
    pub version: Version,
    /// For each change the lines it has left: none if all were written over, or if its texts are not kept any more.
    pub lines: Vec<Vec<LineRange>>,
}

impl Workspace {
    /// Finds what changes have left in a document, each given as the version before it (none: there was no text) and after
    /// it.
    ///
    /// # Errors
    /// If it is no text document, or the store can't be read.
    pub fn left(&self, path: &WorkspacePath, changes: &[(Option<Version>, Version)]) -> Result<Left, WorkspaceError> {
        let document = self.document(path)?;
        let (version, now) = (document.version(), document.text());
        let mut lines = Vec::with_capacity(changes.len());
        for (before, after) in changes {
            let before = match before {
                Some(before) => self.kept_text(before)?,
                None => Some(String::new()),
            };
            let texts = before.zip(self.kept_text(after)?);
            lines.push(texts.map(|(before, after)| left_by(&before, &after, &now)).unwrap_or_default());
        }
        let counted = |lines: Vec<_>| lines.into_iter().map(from_one).collect();
        Ok(Left { version, lines: lines.into_iter().map(counted).collect() })
    }
}

/// Lines as people count them.
fn from_one(lines: std::ops::Range<usize>) -> LineRange {
    let number = |line| u32::try_from(line).unwrap_or(u32::MAX);
    LineRange { start: number(lines.start).saturating_add(1), end: number(lines.end) }
}
