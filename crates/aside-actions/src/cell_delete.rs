//! `cell.delete`: takes cells away. What they held and put out is kept, for the way back.

use aside_core::{Completeness, Failure, FileChange, FileDiff, Guard, Preview, PreviewBody, Warning, WorkspacePath};
use aside_doc::CellChange;
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    cell_restore::KeptCell,
    cells::{
        Back, CellArgs, CellPlan, Seen, cell_diff, check_version, may_delete, place, version, whole_hunk, writes_cells,
    },
    doc_edit::no_part,
    files::counted,
};

/// Arguments of `cell.delete`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cells. All are deleted, or none.
    #[schemars(length(min = 1, max = 1000))]
    cells: Vec<Going>,
}

/// A cell to delete.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Going {
    /// The cell's key, or the beginning of it.
    cell: String,
    /// The version of the cell that was read. If the cell has changed since, nothing is deleted and the answer has its
    /// text.
    version: String,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.delete",
            summary: "Delete cells from a notebook",
            description: "Deletes cells, each named by its key and the version that was read. Undo restores them \
                with their outputs.",
            preconditions: &["the notebook exists and can be read", "the cells are at the versions that were read"],
            examples: vec![(
                "Delete a cell",
                json!({"path": "tides.ipynb", "cells": [{"cell": "load", "version": "ec71a30d5985"}]}),
            )],
            phrases: &[
                "remove this cell",
                "drop a cell",
                "(delete|remove|drop) (this|current|selected|focused) cell => path={notebook}, cells={cell_versions}",
                "(delete|remove|drop) (cell|cells) [number|numbers] {cells:cell_versions} => path={notebook}",
                "(delete|remove|drop) (cell|cells) [number|numbers] {cells:cell_versions} (of|in|from) [notebook] {path:notebook}",
                "(delete|remove|drop) the {cells:cell_versions} cell => path={notebook}",
            ],
            tags: &["notebook", "cell", "remove"],
            safety: &["a cell that has changed since it was read is not deleted"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let mut going: Vec<usize> = Vec::new();
        for Going { cell, version } in &self.cells {
            let at = place(seen.path, seen.cells, cell)?;
            may_delete(&seen.cells[at])?;
            check_version(&seen.cells[at], version)?;
            if !going.contains(&at) {
                going.push(at);
            }
        }
        going.sort_unstable();
        let kept: Vec<KeptCell> = going.iter().map(|at| KeptCell::of(seen.cells, *at)).collect();
        let keys: Vec<&str> = going.iter().map(|at| &*seen.cells[*at].key.0).collect();
        let count = counted(going.len(), "cell");
        let warnings = (going.len() == seen.cells.len())
            .then(|| Warning { guard: Guard::Emptying, text: "The notebook would have no cells.".to_owned() });
        Ok(CellPlan {
            changes: going.iter().map(|at| CellChange::Remove { key: seen.cells[*at].key.clone() }).collect(),
            preview: Preview {
                summary: format!("Delete {count} of {}", seen.path.name()),
                body: PreviewBody::Diff { files: going.iter().enumerate().map(|going| shown(seen, going)).collect() },
                completeness: Completeness::Full,
                warnings: warnings.into_iter().collect(),
            },
            words: format!("Deleted {count}: `{}`.", keys.join("`, `")),
            data: json!({"cells": keys}),
            back: Back::Cells(serde_json::to_string(&kept).expect("cells serialise to JSON")),
        })
    }

    fn parts(&self, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let cell = |part: &u32| {
            let PreviewBody::Diff { files } = &preview.body else { return Err(no_part(*part)) };
            let file = files.iter().find(|file| file.hunks.iter().any(|hunk| hunk.part == *part));
            let (Some(file), Some(cell)) = (file, file.and_then(|file| file.cell.as_ref())) else {
                return Err(no_part(*part));
            };
            Ok(json!({"cell": cell.key, "version": file.base}))
        };
        let cells = parts.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({"path": self.path, "cells": cells}))
    }
}

fn shown(seen: &Seen<'_>, (part, at): (usize, &usize)) -> FileDiff {
    let (change, cell) = (FileChange::Deleted, &seen.cells[*at]);
    let hunks = whole_hunk(part, &cell.source, &change);
    let note = hunks.is_empty().then(|| "an empty cell".to_owned());
    FileDiff { base: Some(version(cell)), note, ..cell_diff(seen.path, (at + 1, cell), change, hunks) }
}
