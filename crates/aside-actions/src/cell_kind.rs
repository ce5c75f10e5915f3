//! `cell.kind`: makes a cell another kind.

use std::collections::BTreeMap;

use aside_core::{Completeness, Failure, Preview, PreviewBody, WorkspacePath};
use aside_doc::{CellChange, NotebookCell};
use aside_gate::Declaration;
use aside_kernels::SqlCell;
use aside_notebook::{CellKind, OURS};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cell_insert::{Kind, asked},
    cells::{
        Back, CellArgs, CellPlan, Seen, changed_row, check_version, kind_words, may_change, place, short, sql_of,
        version, writes_cells,
    },
};

/// Arguments of `cell.kind`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cell's key, or the beginning of it.
    cell: String,
    /// The version of the cell that was read. If the cell has changed since, nothing is changed and the answer has its
    /// text.
    version: String,
    /// The new cell type.
    kind: Kind,
    /// For an SQL cell: the database file, relative to the notebook's folder. Empty: the kernel's data frames. Absent:
    /// unchanged.
    #[serde(default)]
    connection: Option<String>,
    /// For an SQL cell: the variable for the result. Empty: no variable. Absent: unchanged.
    #[serde(default)]
    result: Option<String>,
    /// The type that the cell must have, in words; otherwise nothing is changed. Used by undo.
    #[serde(default)]
    expected: Option<String>,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.kind",
            summary: "Change the type of a notebook cell",
            description: "Changes a cell to code, Markdown, AI, SQL or raw, or sets the database and the result \
                variable of an SQL cell. The source stays. A cell that can no longer run loses its outputs; undo \
                restores them while the notebook is open.",
            preconditions: &["the notebook exists and can be read", "the cell is at the version that was read"],
            examples: vec![
                (
                    "Make a cell Markdown",
                    json!({"path": "tides.ipynb", "cell": "load", "version": "ec71a30d5985", "kind": "markdown"}),
                ),
                (
                    "Query a database from a cell",
                    json!({"path": "tides.ipynb", "cell": "load", "version": "ec71a30d5985", "kind": "sql", "connection": "tides.db"}),
                ),
            ],
            phrases: &[
                "make it a markdown cell",
                "make it an AI cell",
                "change the cell type",
                "use another database",
                "(make|turn|convert|change|set) (this|it|this cell|the cell|current cell|this one) [in] [to|into] [a|an] {kind} [cell] => path={notebook}, cell={cell}, version={version}",
                "(make|turn|convert|change|set) cell [number] {cell:cell} [in] [to|into] [a|an] {kind} [cell] => path={notebook}, version={version}",
                "(make|turn|convert|change) the {cell:cell} cell [in] [to|into] [a|an] {kind} [cell] => path={notebook}, version={version}",
                "convert (to|into) [a|an] {kind} [cell] => path={notebook}, cell={cell}, version={version}",
                "change the (kind|type) of (this|current|the) cell to {kind} => path={notebook}, cell={cell}, version={version}",
                "(change|set) the cell (type|kind) to {kind} => path={notebook}, cell={cell}, version={version}",
            ],
            tags: &["notebook", "cell", "type", "markdown", "code", "sql", "database"],
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
        let before = sql_of(cell);
        let asks = asked(&kind, before.clone(), (&self.connection, &self.result))?;
        let after = NotebookCell { kind: kind.clone(), metadata: said(cell, &kind, asks), ..cell.clone() };
        let (was, now) = (kind_words(cell), kind_words(&after));
        if self.expected.as_ref().is_some_and(|expected| *expected != was) {
            let message = format!("cell `{name}` has become {was} since, so it stays so");
            return Err(Failure::new("conflict", message).hint("`cell.kind` changes it as it is now"));
        }
        let data = json!({"cell": cell.key.0, "kind": kind.name(), "version": version(cell)});
        if cell.kind == kind && before == sql_of(&after) {
            let words = format!("cell `{name}` is already {now}; nothing was changed.");
            let preview = Preview::summary(format!("Cell {} of {} stays {now}", at + 1, seen.path.name()));
            return Ok(CellPlan { changes: Vec::new(), preview, words, data, back: Back::Nothing });
        }
        let known = known(&cell.kind).ok_or_else(|| {
            let message = format!("cell `{name}` has the type `{}`, which can't be changed here", cell.kind.name());
            Failure::new("protected", message)
        })?;
        let mut back =
            json!({"cell": cell.key.0, "version": version(cell), "kind": known.name(), "expected": now.clone()});
        if let Some(before) = before {
            (back["connection"], back["result"]) = (before.connection.into(), before.result.into());
        }
        let row = changed_row(seen.cells, at, was.clone(), now.clone());
        Ok(CellPlan {
            words: format!("Changed cell `{name}` from {was} to {now}."),
            preview: Preview {
                body: PreviewBody::Changes { rows: vec![row] },
                completeness: Completeness::Full,
                ..Preview::summary(format!("Change cell {} of {} to {now}", at + 1, seen.path.name()))
            },
            data,
            back: Back::Ask("cell.kind", back),
            changes: changes(cell, after),
        })
    }
}

/// The metadata of the cell when it is of that kind and asks that. What only one of SQL asks goes with its kind.
fn said(cell: &NotebookCell, kind: &CellKind, asks: Option<SqlCell>) -> BTreeMap<String, String> {
    let mut metadata = cell.metadata.clone();
    let marked = kind.marked(metadata.remove(OURS).as_deref());
    let ours = match asks {
        Some(asks) => asks.put_into(marked.as_deref()),
        None if cell.kind == CellKind::Sql && *kind != CellKind::Sql => SqlCell::taken_from(marked.as_deref()),
        None => marked,
    };
    metadata.extend(ours.map(|ours| (OURS.to_owned(), ours)));
    metadata
}

/// Its kind, which says itself in the metadata, and then what else that is to say.
fn changes(before: &NotebookCell, after: NotebookCell) -> Vec<CellChange> {
    let key = || before.key.clone();
    let value = after.metadata.get(OURS).cloned();
    let marked = after.kind.marked(before.metadata.get(OURS).map(String::as_str));
    let metadata = (marked != value).then(|| CellChange::Metadata { key: key(), name: OURS.to_owned(), value });
    let kind = (before.kind != after.kind).then(|| CellChange::Kind { key: key(), kind: after.kind });
    kind.into_iter().chain(metadata).collect()
}

/// A kind that can be asked for again.
fn known(kind: &CellKind) -> Option<&CellKind> {
    (!matches!(kind, CellKind::Other(_))).then_some(kind)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cells::tests::cell;

    /// Makes it, and returns what was said and what takes it back.
    fn made(cells: &mut Vec<NotebookCell>, mut args: Value) -> Result<(String, Option<Value>), String> {
        let path = "a.ipynb".parse().unwrap();
        (args["path"], args["cell"], args["version"]) = ("a.ipynb".into(), "one".into(), json!(version(&cells[0])));
        let args: Args = serde_json::from_value(args).unwrap();
        let plan = args.plan(&Seen { path: &path, cells, kept: None }).map_err(|failure| failure.code)?;
        plan.changes.iter().for_each(|change| _ = change.make(cells).unwrap());
        let back = match plan.back {
            Back::Ask(_, back) => Some(back),
            _ => None,
        };
        Ok((plan.words, back))
    }

    #[test]
    fn an_sql_cell_is_told_what_to_ask_and_all_of_it_is_taken_back() {
        let mut cells = vec![cell("one", "select 1")];
        cells[0].metadata.insert(OURS.to_owned(), r#"{"ai_hidden":true}"#.to_owned());
        let first = cells.clone();
        let (words, one) = made(&mut cells, json!({"kind": "sql", "connection": "a.db"})).unwrap();
        assert_eq!(words, "Changed cell `one` from code to sql on a.db.");
        let (words, two) = made(&mut cells, json!({"kind": "sql", "result": ""})).unwrap();
        assert_eq!(words, "Changed cell `one` from sql on a.db to sql on a.db, into no variable.");
        assert!(made(&mut cells, json!({"kind": "sql", "result": ""})).unwrap().0.contains("already"));
        assert_eq!(made(&mut cells, json!({"kind": "ai", "result": ""})), Err("invalid_args".to_owned()));
        made(&mut cells, two.unwrap()).unwrap();
        assert_eq!(sql_of(&cells[0]), Some(SqlCell { connection: "a.db".into(), result: "result".into() }));
        made(&mut cells, one.unwrap()).unwrap();
        assert_eq!(cells, first);
    }
}
