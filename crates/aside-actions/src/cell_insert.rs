//! `cell.insert`: puts new cells into a notebook.

use std::collections::BTreeMap;

use aside_core::{Completeness, Failure, FileChange, FileDiff, Preview, PreviewBody, Version, WorkspacePath};
use aside_doc::{CellChange, NotebookCell, text_guards};
use aside_gate::Declaration;
use aside_kernels::SqlCell;
use aside_notebook::{CellKey, CellKind, OURS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    cells::{Back, CellArgs, CellPlan, Seen, cell_diff, place, sql_of, version, whole_hunk, writes_cells},
    doc_edit::no_part,
    files::counted,
};

/// Letters of a new key, as many as other programs give.
const LETTERS: usize = 8;
/// Letters of the longest key that the format allows.
const MOST_LETTERS: usize = 64;

/// Arguments of `cell.insert`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// Insert after this cell: its key, or the beginning of it. Without `after` and `before`, the cells go to the end.
    #[serde(default)]
    after: Option<String>,
    /// Insert before this cell.
    #[serde(default)]
    before: Option<String>,
    /// The new cells, in order.
    #[schemars(length(min = 1, max = 100))]
    cells: Vec<NewCell>,
    /// Insert after those of these cells that exist. Set when only some of several proposed cells are accepted.
    #[serde(default)]
    behind: Vec<String>,
}

/// A type of cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Code.
    #[default]
    Code,
    /// Formatted text.
    Markdown,
    /// Text that stays unchanged when the notebook is converted.
    Raw,
    /// A question to an AI about the cells above.
    Ai,
    /// A query that the kernel runs on a database.
    Sql,
}

impl Kind {
    pub(crate) fn of_cell(self) -> CellKind {
        match self {
            Self::Code => CellKind::Code,
            Self::Markdown => CellKind::Markdown,
            Self::Raw => CellKind::Raw,
            Self::Ai => CellKind::Ai,
            Self::Sql => CellKind::Sql,
        }
    }
}

/// A new cell.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCell {
    /// The cell type. Default: code.
    #[serde(default)]
    kind: Kind,
    /// The cell's source.
    source: String,
    /// For an SQL cell: the database file, relative to the notebook's folder. Without it, the query runs on the
    /// kernel's data frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connection: Option<String>,
    /// For an SQL cell: the variable for the result. Default: `result`. Empty: no variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The cell's key. Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.insert",
            summary: "Insert cells into a notebook",
            description: "Inserts code, Markdown, raw, AI or SQL cells after or before a cell, or at the end. Give \
                each cell's source as it is, without a code fence. Inserting runs nothing. The answer has the keys \
                of the new cells.",
            examples: vec![
                (
                    "Insert a heading and code after a cell",
                    json!({"path": "tides.ipynb", "after": "load", "cells": [
                        {"kind": "markdown", "source": "## Mean"},
                        {"kind": "code", "source": "sum(heights) / len(heights)"},
                    ]}),
                ),
                (
                    "Insert a database query",
                    json!({"path": "tides.ipynb", "cells": [
                        {"kind": "sql", "source": "select max(height) from tides", "connection": "tides.db", "result": "highest"},
                    ]}),
                ),
            ],
            phrases: &[
                "add a cell",
                "insert a cell",
                "new cell below",
                "(add|insert|create|make|new) [a|an] [new] [empty] [code] cell [below|underneath|after this one|below this one|below this cell|after this cell|under this one|here|after it|below it] => path={notebook}, after={cell}, cells={new_code_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] (markdown|text|md) cell [below|underneath|after this one|below this one|below this cell|after this cell|under this one|here|after it|below it] => path={notebook}, after={cell}, cells={new_markdown_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] [code] cell (above|before this one|above this one|above this cell|before this cell|over this one) => path={notebook}, before={cell}, cells={new_code_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] (markdown|text|md) cell (above|before this one|above this one|above this cell|before this cell|over this one) => path={notebook}, before={cell}, cells={new_markdown_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] [code] cell (after|below|behind) {after:cell} => path={notebook}, cells={new_code_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] (markdown|text|md) cell (after|below|behind) {after:cell} => path={notebook}, cells={new_markdown_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] [code] cell (before|above) {before:cell} => path={notebook}, cells={new_code_cell}",
                "(add|insert|create|make|new) [a|an] [new] [empty] (markdown|text|md) cell (before|above) {before:cell} => path={notebook}, cells={new_markdown_cell}",
                "(add|insert|append|create) [a|an] [new] [empty] [code] cell at the (end|bottom) [of the notebook|of this notebook] => path={notebook}, cells={new_code_cell}",
                "(add|insert|append|create) [a|an] [new] [empty] (markdown|text|md) cell at the (end|bottom) [of the notebook|of this notebook] => path={notebook}, cells={new_markdown_cell}",
            ],
            tags: &["notebook", "cell", "new", "add", "write"],
            safety: &["inserting runs nothing"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let mut after = self.place(seen)?;
        let mut taken: Vec<String> = seen.cells.iter().map(|cell| cell.key.0.clone()).collect();
        let first = after.as_ref().map_or(0, |key| 1 + index(seen, key));
        let (mut changes, mut files, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for (number, new) in self.cells.iter().enumerate() {
            let cell = new.cell(&self.path, number, &mut taken)?;
            files.push(shown(seen.path, first + number + 1, number, &cell));
            keys.push(json!({"cell": cell.key.0, "version": version(&cell)}));
            let before = after.replace(cell.key.clone());
            changes.push(CellChange::Insert { cell, after: before });
        }
        let count = counted(self.cells.len(), "cell");
        let named: Vec<String> =
            keys.iter().map(|key| format!("`{}`", key["cell"].as_str().unwrap_or_default())).collect();
        Ok(CellPlan {
            changes,
            preview: Preview {
                summary: format!("Insert {count} into {}", seen.path.name()),
                body: PreviewBody::Diff { files },
                completeness: Completeness::Full,
                warnings: self.cells.iter().flat_map(|cell| text_guards(None, &cell.source)).collect(),
            },
            words: format!("Inserted {count} at position {}: {}.", first + 1, named.join(", ")),
            data: json!({"cells": keys}),
            back: Back::Ask("cell.delete", json!({"cells": keys})),
        })
    }

    fn parts(&self, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let none = parts.first().copied().unwrap_or_default();
        let PreviewBody::Diff { files } = &preview.body else { return Err(no_part(none)) };
        let keys: Vec<&str> = files.iter().filter_map(|file| Some(&*file.cell.as_ref()?.key)).collect();
        let place = |part: &u32| {
            let at = files.iter().position(|file| file.hunks.iter().any(|hunk| hunk.part == *part));
            at.filter(|_| keys.len() == self.cells.len()).ok_or_else(|| no_part(*part))
        };
        let places = parts.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let first = places.first().copied().ok_or_else(|| no_part(none))?;
        let cell = |at: &usize| NewCell { key: Some(keys[*at].to_owned()), ..self.cells[*at].clone() };
        let cells: Vec<NewCell> = places.iter().map(cell).collect();
        let behind: Vec<&str> = self.behind.iter().map(String::as_str).chain(keys[..first].iter().copied()).collect();
        let place = [("after", &self.after), ("before", &self.before)];
        let place = place.into_iter().filter_map(|(name, cell)| Some((name.to_owned(), json!(cell.as_ref()?))));
        let mut args = json!({"path": self.path, "cells": cells, "behind": behind});
        args.as_object_mut().expect("it is one").extend(place);
        Ok(args)
    }
}

impl Args {
    /// The cell that they come after; none if they come first.
    fn place(&self, seen: &Seen<'_>) -> Result<Option<CellKey>, Failure> {
        let after = after(seen, self.after.as_deref(), self.before.as_deref())?;
        let after = match after {
            Beside::Cell(key) => Some(key),
            Beside::Start => None,
            Beside::Unsaid => seen.cells.last().map(|cell| cell.key.clone()),
        };
        let start = after.as_ref().map_or(0, |key| index(seen, key) + 1);
        // Those of the same proposal that are there already stand right behind the place.
        let own = seen.cells[start..].iter().take_while(|cell| self.behind.contains(&cell.key.0));
        Ok(own.last().map(|cell| cell.key.clone()).or(after))
    }
}

/// Where cells are to go.
pub(crate) enum Beside {
    /// After this one.
    Cell(CellKey),
    /// Before all.
    Start,
    /// Nobody said.
    Unsaid,
}

/// Returns where `after` or `before` a cell is.
pub(crate) fn after(seen: &Seen<'_>, after: Option<&str>, before: Option<&str>) -> Result<Beside, Failure> {
    match (after, before) {
        (Some(_), Some(_)) => Err(Failure::new("invalid_args", "give `after` or `before`, not both")),
        (Some(after), None) => {
            let at = place(seen.path, seen.cells, after)?;
            Ok(Beside::Cell(seen.cells[at].key.clone()))
        }
        (None, Some(before)) => Ok(match place(seen.path, seen.cells, before)?.checked_sub(1) {
            Some(above) => Beside::Cell(seen.cells[above].key.clone()),
            None => Beside::Start,
        }),
        (None, None) => Ok(Beside::Unsaid),
    }
}

fn index(seen: &Seen<'_>, key: &CellKey) -> usize {
    seen.cells.iter().position(|cell| cell.key == *key).unwrap_or_default()
}

impl NewCell {
    fn cell(&self, path: &WorkspacePath, number: usize, taken: &mut Vec<String>) -> Result<NotebookCell, Failure> {
        let source = self.source.replace("\r\n", "\n");
        let key = match &self.key {
            Some(key) if !fits(key) => {
                let message = format!("`{}` is not a valid cell key", key.chars().take(80).collect::<String>());
                return Err(Failure::new("invalid_args", message).hint("use 1 to 64 letters, digits, `-` or `_`"));
            }
            Some(key) if taken.contains(key) => {
                return Err(Failure::new("exists", format!("cell `{key}` already exists")));
            }
            Some(key) => key.clone(),
            None => made_up(&(path, number, &source), taken),
        };
        taken.push(key.clone());
        let kind = self.kind.of_cell();
        let sql = asked(&kind, None, (&self.connection, &self.result))?;
        let ours = sql.and_then(|sql| sql.put_into(kind.marked(None).as_deref()));
        let metadata = ours.map(|ours| (OURS.to_owned(), ours)).into_iter().collect();
        Ok(NotebookCell { key: CellKey(key), kind, source, metadata, others: BTreeMap::new() })
    }
}

/// What an SQL cell asks, if something is said of it; `now` is what it asks already.
pub(crate) fn asked(
    kind: &CellKind,
    now: Option<SqlCell>,
    said: (&Option<String>, &Option<String>),
) -> Result<Option<SqlCell>, Failure> {
    let (connection, result) = said;
    if connection.is_none() && result.is_none() {
        return Ok(None);
    }
    if *kind != CellKind::Sql {
        let message = format!("`connection` and `result` apply only to SQL cells; this one is {}", kind.name());
        return Err(Failure::new("invalid_args", message).hint("leave them out, or set `\"kind\": \"sql\"`"));
    }
    let now = now.unwrap_or_else(|| SqlCell::of_metadata(None));
    let said = |said: &Option<String>, now: String| said.as_deref().map_or(now, |said| said.trim().to_owned());
    Ok(Some(SqlCell { connection: said(connection, now.connection), result: said(result, now.result) }))
}

/// The same for the same cell at every look, so that a preview shows what is made.
fn made_up(of: &impl Serialize, taken: &[String]) -> String {
    let named = |salt: usize| Version::of_json(&(of, salt)).as_str()[..LETTERS].to_owned();
    (0..).map(named).find(|key| !taken.contains(key)).expect("there are more names than cells")
}

fn fits(key: &str) -> bool {
    let may_be = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_';
    (1..=MOST_LETTERS).contains(&key.len()) && key.bytes().all(may_be)
}

fn shown(path: &WorkspacePath, number: usize, part: usize, cell: &NotebookCell) -> FileDiff {
    let change = FileChange::Created;
    let hunks = whole_hunk(part, &cell.source, &change);
    let asks = sql_of(cell).and_then(|sql| sql.words());
    let note = asks.or_else(|| hunks.is_empty().then(|| "an empty cell".to_owned()));
    FileDiff { note, ..cell_diff(path, (number, cell), change, hunks) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::tests::cell;

    fn inserted(cells: &mut Vec<NotebookCell>, args: Value) -> Result<CellPlan, String> {
        let path = "a.ipynb".parse().unwrap();
        let args: Args = serde_json::from_value(args).map_err(|error| error.to_string())?;
        let plan = args.plan(&Seen { path: &path, cells, kept: None }).map_err(|failure| failure.code)?;
        plan.changes.iter().for_each(|change| _ = change.make(cells).unwrap());
        Ok(plan)
    }

    fn sources(cells: &[NotebookCell]) -> String {
        cells.iter().map(|cell| cell.source.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn two(place: Value) -> Value {
        let mut args = json!({"path": "a.ipynb", "cells": [
            {"kind": "markdown", "source": "```py\nx\n```"}, {"source": "y"}
        ]});
        args.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        args
    }

    #[test]
    fn cells_come_where_they_are_to_and_markdown_keeps_its_fences() {
        for (place, wanted) in [
            (json!({"after": "one"}), "1 M y 2"),
            (json!({"before": "one"}), "M y 1 2"),
            (json!({"before": "two"}), "1 M y 2"),
            (json!({}), "1 2 M y"),
        ] {
            let mut cells = vec![cell("one", "1"), cell("two", "2")];
            inserted(&mut cells, two(place)).unwrap();
            assert_eq!(sources(&cells).replace("```py\nx\n```", "M"), wanted);
        }
        assert_eq!(inserted(&mut vec![cell("one", "")], two(json!({"after": "3"}))).err(), Some("no_such_cell".into()));
        assert!(inserted(&mut vec![], json!({"path": "a.ipynb", "cells": [{"kind": "code"}]})).is_err());
    }

    #[test]
    fn parts_that_are_taken_in_any_order_come_in_theirs() {
        for order in [[0, 1], [1, 0]] {
            let mut cells = vec![cell("one", "1"), cell("two", "2")];
            let args: Args = serde_json::from_value(two(json!({"after": "one"}))).unwrap();
            let path = "a.ipynb".parse().unwrap();
            let whole = args.plan(&Seen { path: &path, cells: &cells, kept: None }).unwrap();
            for part in order {
                inserted(&mut cells, args.parts(&whole.preview, &[part]).unwrap()).unwrap();
            }
            assert_eq!(sources(&cells).replace("```py\nx\n```", "M"), "1 M y 2", "{order:?}");
        }
    }

    #[test]
    fn a_question_to_a_database_says_which_and_where_the_answer_goes() {
        let args = |kind: &str| {
            let cell = json!({"kind": kind, "source": "select 1", "connection": " a.db", "result": "x"});
            json!({"path": "a.ipynb", "cells": [cell]})
        };
        let mut cells = vec![];
        let plan = inserted(&mut cells, args("sql")).unwrap();
        assert_eq!(sql_of(&cells[0]).unwrap(), SqlCell { connection: "a.db".into(), result: "x".into() });
        let PreviewBody::Diff { files } = plan.preview.body else { panic!() };
        assert_eq!(files[0].note.as_deref(), Some("on a.db, into x"));
        assert_eq!(inserted(&mut cells, args("code")).err(), Some("invalid_args".into()));
    }

    #[test]
    fn a_name_that_is_taken_or_no_name_is_refused() {
        let named = |key: &str| json!({"path": "a.ipynb", "cells": [{"source": "x", "key": key}]});
        let refused = |key: &str| inserted(&mut vec![cell("one", "1")], named(key)).err();
        assert_eq!(refused("one"), Some("exists".into()));
        assert_eq!((refused("a b"), refused("")), (Some("invalid_args".into()), Some("invalid_args".into())));
        assert_eq!(refused("new-1"), None);
    }
}
