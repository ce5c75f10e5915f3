//! `cell.move`: puts a cell at another place.

use aside_core::{Completeness, Failure, Preview, PreviewBody, WorkspacePath};
use aside_doc::{CellChange, NotebookCell};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cell_insert::{Beside, after},
    cells::{Back, CellArgs, CellPlan, Seen, changed_row, place, short, writes_cells},
};

/// Arguments of `cell.move`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cell's key, or the beginning of it.
    cell: String,
    /// Move it after this cell. Give this or `before`.
    #[serde(default)]
    after: Option<String>,
    /// Move it before this cell.
    #[serde(default)]
    before: Option<String>,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.move",
            summary: "Move a cell in a notebook",
            description: "Moves a cell with its source and outputs after or before another cell.",
            examples: vec![("Move a cell", json!({"path": "tides.ipynb", "cell": "plot", "before": "load"}))],
            phrases: &[
                "move the cell",
                "put this cell below",
                "move (this|current|the|selected) cell (up|one up|up one|one cell up|up by one|up one place) => path={notebook}, cell={cell}, before={cell_above}",
                "move (this|current|the|selected) cell (down|one down|down one|one cell down|down by one|down one place) => path={notebook}, cell={cell}, after={cell_below}",
                "move cell [number] {cell:cell} (up|one up|up one) => path={notebook}, before={cell_above}",
                "move cell [number] {cell:cell} (down|one down|down one) => path={notebook}, after={cell_below}",
                "(move|put) cell [number] {cell:cell} (after|below|behind) {after:cell} => path={notebook}",
                "(move|put) cell [number] {cell:cell} (before|above|in front of) {before:cell} => path={notebook}",
                "(move|put) (this|current|the) cell (after|below|behind) {after:cell} => path={notebook}, cell={cell}",
                "(move|put) (this|current|the) cell (before|above|in front of) {before:cell} => path={notebook}, cell={cell}",
            ],
            tags: &["notebook", "cell", "order"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let at = place(seen.path, seen.cells, &self.cell)?;
        let (key, name) = (seen.cells[at].key.clone(), short(seen.cells, &seen.cells[at].key));
        let to = match after(seen, self.after.as_deref(), self.before.as_deref())? {
            // "Before the one that is below" is where it is.
            Beside::Cell(to) if to == key => return Ok(stays(seen, at)),
            Beside::Cell(to) => Some(to),
            Beside::Start => None,
            Beside::Unsaid => {
                let message = "the target position is missing";
                return Err(Failure::new("invalid_args", message).hint("give `after` or `before` with a cell's key"));
            }
        };
        let above = at.checked_sub(1).map(|above| seen.cells[above].key.clone());
        if to == above {
            return Ok(stays(seen, at));
        }
        let back = match (&above, seen.cells.get(1)) {
            (Some(above), _) => json!({"cell": key.0, "after": above.0}),
            (None, below) => json!({"cell": key.0, "before": below.map(|cell| &cell.key.0)}),
        };
        let change = CellChange::Move { key, after: to.clone() };
        let mut cells = seen.cells.to_vec();
        change.make(&mut cells).map_err(crate::cells::impossible)?;
        let now = cells.iter().position(|cell| cell.key == seen.cells[at].key).unwrap_or_default();
        let row = changed_row(seen.cells, at, format!("position {}", at + 1), told(&cells, now));
        Ok(CellPlan {
            changes: vec![change],
            preview: Preview {
                body: PreviewBody::Changes { rows: vec![row] },
                completeness: Completeness::Full,
                ..Preview::summary(format!("Move cell {} of {} to position {}", at + 1, seen.path.name(), now + 1))
            },
            words: format!("Moved cell `{name}` from position {} to {}.", at + 1, told(&cells, now)),
            data: json!({"cell": cells[now].key.0, "place": now + 1}),
            back: Back::Ask("cell.move", back),
        })
    }
}

/// "place 3, after `load`".
fn told(cells: &[NotebookCell], at: usize) -> String {
    match at.checked_sub(1) {
        Some(above) => format!("position {}, after `{}`", at + 1, short(cells, &cells[above].key)),
        None => "position 1, before all".to_owned(),
    }
}

fn stays(seen: &Seen<'_>, at: usize) -> CellPlan {
    let key = &seen.cells[at].key;
    CellPlan {
        changes: Vec::new(),
        preview: Preview::summary(format!("Cell {} of {} stays where it is", at + 1, seen.path.name())),
        words: format!("cell `{}` is already there; nothing was moved.", short(seen.cells, key)),
        data: json!({"cell": key.0, "place": at + 1}),
        back: Back::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cells::tests::cell;

    fn moved(cells: &mut Vec<NotebookCell>, mut args: Value) -> Result<Back, String> {
        let path = "a.ipynb".parse().unwrap();
        args["path"] = json!("a.ipynb");
        let args: Args = serde_json::from_value(args).unwrap();
        let plan = args.plan(&Seen { path: &path, cells, kept: None }).map_err(|failure| failure.code)?;
        plan.changes.iter().for_each(|change| _ = change.make(cells).unwrap());
        Ok(plan.back)
    }

    fn order(cells: &[NotebookCell]) -> String {
        cells.iter().map(|cell| cell.key.0.as_str()).collect()
    }

    #[test]
    fn a_cell_goes_and_its_way_back_leads_back() {
        for cell_key in ["a", "b", "c"] {
            for (side, other) in [("after", "a"), ("before", "a"), ("after", "c"), ("before", "c"), ("before", "b")] {
                let mut cells = vec![cell("a", ""), cell("b", ""), cell("c", "")];
                let Ok(back) = moved(&mut cells, json!({"cell": cell_key, side: other})) else { panic!() };
                let at = |key: &str| order(&cells).find(key).unwrap();
                if cell_key != other {
                    let wanted = if side == "after" { at(other) + 1 } else { at(other).wrapping_sub(1) };
                    assert_eq!(at(cell_key), wanted, "{cell_key} {side} {other}: {}", order(&cells));
                }
                if let Back::Ask("cell.move", args) = back {
                    moved(&mut cells, args).unwrap();
                }
                assert_eq!(order(&cells), "abc", "{cell_key} {side} {other}");
            }
        }
    }

    #[test]
    fn nowhere_is_no_place() {
        let mut cells = vec![cell("a", ""), cell("b", "")];
        assert_eq!(moved(&mut cells, json!({"cell": "a"})).err(), Some("invalid_args".into()));
        assert_eq!(moved(&mut cells, json!({"cell": "a", "after": "z"})).err(), Some("no_such_cell".into()));
    }
}
