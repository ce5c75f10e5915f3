//! `cell.restore`: puts cells back that were deleted.

use std::collections::BTreeMap;

use aside_core::{Completeness, Failure, FileChange, Preview, PreviewBody, Sha256, WorkspacePath};
use aside_doc::{CellChange, NotebookCell};
use aside_gate::Declaration;
use aside_notebook::{CellKey, CellKind};
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    cells::{Back, CellArgs, CellPlan, Seen, cell_diff, version, whole_hunk, writes_cells},
    files::counted,
};

/// Cells above one that is kept, by which its place is found again.
const NEIGHBOURS: usize = 20;

/// A cell that was taken away, and where it stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptCell {
    key: String,
    kind: String,
    source: String,
    metadata: BTreeMap<String, String>,
    others: BTreeMap<String, String>,
    /// The cells above it, the nearest first.
    above: Vec<String>,
}

impl KeptCell {
    pub(crate) fn of(cells: &[NotebookCell], at: usize) -> Self {
        let NotebookCell { key, kind, source, metadata, others } = cells[at].clone();
        let above = cells[..at].iter().rev().take(NEIGHBOURS).map(|cell| cell.key.0.clone()).collect();
        Self { key: key.0, kind: kind.name().to_owned(), source, metadata, others, above }
    }

    fn cell(self) -> NotebookCell {
        let Self { key, kind, source, metadata, others, .. } = self;
        NotebookCell { key: CellKey(key), kind: CellKind::of(&kind), source, metadata, others }
    }
}

/// Arguments of `cell.restore`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The handle of the deleted cells, as the action that deleted them returned it.
    kept: String,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.restore",
            summary: "Restore deleted cells",
            description: "Restores deleted cells in their old positions, with their outputs. The inverse of \
                `cell.delete`.",
            preconditions: &["the deleted cells are still stored"],
            examples: vec![(
                "Restore a cell",
                json!({
                    "path": "tides.ipynb",
                    "kept": "967338ff7234477ff0b0b9c8f2c5d0e574214f8d54f8bb6d082095e3370e2fc9",
                }),
            )],
            phrases: &["restore the cell", "bring the cell back"],
            tags: &["notebook", "cell", "inverse"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn kept(&self, workspace: &Workspace) -> Result<Option<String>, WorkspaceError> {
        let lost = || WorkspaceError::NotKept(self.kept.chars().take(80).collect());
        workspace.kept_cells(&Sha256::parse(&self.kept).ok_or_else(lost)?).map(Some)
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let kept: Vec<KeptCell> = serde_json::from_str(seen.kept.unwrap_or_default())
            .map_err(|error| Failure::new("not_kept", format!("the deleted cells can't be read: {error}")))?;
        let mut there: Vec<CellKey> = seen.cells.iter().map(|cell| cell.key.clone()).collect();
        let (mut changes, mut files, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for (part, kept) in kept.into_iter().enumerate() {
            let place = |key: &String| there.iter().position(|there| there.0 == *key);
            if place(&kept.key).is_some() {
                return Err(Failure::new("exists", format!("cell `{}` already exists", kept.key)));
            }
            let at = kept.above.iter().find_map(place).map_or(0, |above| above + 1);
            let (after, cell) = (at.checked_sub(1).map(|above| there[above].clone()), kept.cell());
            there.insert(at, cell.key.clone());
            let change = FileChange::Created;
            files.push(cell_diff(seen.path, (at + 1, &cell), change.clone(), whole_hunk(part, &cell.source, &change)));
            keys.push(json!({"cell": cell.key.0, "version": version(&cell)}));
            changes.push(CellChange::Insert { cell, after });
        }
        let count = counted(changes.len(), "cell");
        Ok(CellPlan {
            changes,
            preview: Preview {
                summary: format!("Restore {count} in {}", seen.path.name()),
                body: PreviewBody::Diff { files },
                completeness: Completeness::Full,
                warnings: Vec::new(),
            },
            words: format!("Restored {count}."),
            data: json!({"cells": keys}),
            back: Back::Ask("cell.delete", json!({"cells": keys})),
        })
    }
}
