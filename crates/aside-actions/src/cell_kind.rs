//! `cell.kind`: makes a cell another kind.

use aside_core::{Completeness, Failure, Preview, PreviewBody, WorkspacePath};
use aside_doc::CellChange;
use aside_gate::Declaration;
use aside_notebook::CellKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cell_insert::Kind,
    cells::{
        Back, CellArgs, CellPlan, Seen, changed_row, check_version, may_change, place, short, version, writes_cells,
    },
};

/// Arguments of `cell.kind`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cell: its key, or the beginning of it.
    cell: String,
    /// The version of the cell that was read. If it has another one now, nothing is changed and the answer has its text.
    version: String,
    /// What it is to hold.
    kind: Kind,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.kind",
            summary: "Make a cell of a notebook code, Markdown, AI, SQL or raw",
            description: "Changes what a cell holds; its text stays. A cell that can't be run any more has no outputs: \
                they go, and come back when this is undone while the notebook is open.",
            preconditions: &["the notebook exists and can be read", "the cell is at the version that was read"],
            examples: vec![(
                "Make a cell Markdown",
                json!({"path": "tides.ipynb", "cell": "load", "version": "ec71a30d5985", "kind": "markdown"}),
            )],
            phrases: &["make it a markdown cell", "make it an AI cell", "change the cell type"],
            tags: &["notebook", "cell", "type", "markdown", "code"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let at = place(seen.path, seen.cells, &self.cell)?;
        let cell = &seen.cells[at];
        may_change(cell)?;
        check_version(cell, &self.version)?;
        let (kind, name) = (self.kind.of_cell(), short(seen.cells, &cell.key));
        let data = json!({"cell": cell.key.0, "kind": kind.name(), "version": version(cell)});
        if cell.kind == kind {
            let words = format!("cell `{name}` is {} already; nothing was changed.", kind.name());
            let preview = Preview::summary(format!("Cell {} of {} stays {}", at + 1, seen.path.name(), kind.name()));
            return Ok(CellPlan { changes: Vec::new(), preview, words, data, back: Back::Nothing });
        }
        let was = known(&cell.kind).ok_or_else(|| {
            let message = format!("cell `{name}` is of the kind `{}`, which can't be changed here", cell.kind.name());
            Failure::new("protected", message)
        })?;
        let row = changed_row(seen.cells, at, was.name().to_owned(), kind.name().to_owned());
        Ok(CellPlan {
            words: format!("Made cell `{name}` {} (it was {}).", kind.name(), was.name()),
            preview: Preview {
                body: PreviewBody::Changes { rows: vec![row] },
                completeness: Completeness::Full,
                ..Preview::summary(format!("Make cell {} of {} {}", at + 1, seen.path.name(), kind.name()))
            },
            data,
            back: Back::Ask("cell.kind", json!({"cell": cell.key.0, "version": version(cell), "kind": was.name()})),
            changes: vec![CellChange::Kind { key: cell.key.clone(), kind }],
        })
    }
}

/// A kind that can be asked for again.
fn known(kind: &CellKind) -> Option<&CellKind> {
    (!matches!(kind, CellKind::Other(_))).then_some(kind)
}
