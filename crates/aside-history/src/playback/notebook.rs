//! Notebooks: cells that were changed one by one, in the notebook that the session read.

use serde_json::{Value, json};

use crate::reader::json::{at, list, text};

/// What was done to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Its id, or its number; that of the one before it if it is new, empty for none.
    pub cell: &'a str,
    /// What it says now; none if it was deleted.
    pub source: Option<&'a str>,
    /// It is new, and of this kind.
    pub kind: Option<&'a str>,
}

/// A notebook of the cells that a call showed: what else is in its file is not known.
pub fn shown(result: &Value) -> Option<String> {
    at(result, "file.cells")?.as_array()?;
    let cell = |cell: &Value| {
        let kind = text(cell, "cellType").or(text(cell, "cell_type")).unwrap_or("code");
        let mut told = new_cell(kind, text(cell, "source").unwrap_or_default());
        if let Some(id) = text(cell, "cell_id").or(text(cell, "id")) {
            told["id"] = id.into();
        }
        told
    };
    let cells: Vec<Value> = list(result, "file.cells").map(cell).collect();
    Some(written(&json!({ "cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5 })))
}

/// The notebook after a change. The error is what is known if the notebook or the cell is not, with what to say of it.
pub fn changed(known: Option<&str>, change: &Change<'_>) -> Result<String, (String, &'static str)> {
    let parsed = known.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let read = parsed.as_ref().is_some_and(|notebook| notebook.get("cells").is_some_and(Value::is_array));
    let mut notebook = parsed.filter(|_| read).unwrap_or_else(|| json!({ "cells": [] }));
    let unread = (!read).then_some(
        "changes a cell of a notebook that the session did not read: only the cells that were changed are known",
    );
    let Some(cells) = notebook.get_mut("cells").and_then(Value::as_array_mut) else {
        return Err((known.unwrap_or_default().to_owned(), "changes a cell of a file that is not a notebook"));
    };
    let place = find(cells, change.cell);
    let missing = match (change.kind, change.source, place) {
        (Some(kind), source, _) => {
            let after = place.map_or(0, |place| place + 1);
            cells.insert(after, new_cell(kind, source.unwrap_or_default()));
            place.is_none() && !change.cell.is_empty()
        }
        (None, Some(source), Some(place)) => {
            set_source(&mut cells[place], source);
            false
        }
        (None, None, Some(place)) => {
            cells.remove(place);
            false
        }
        (None, Some(source), None) => {
            let mut cell = new_cell("code", source);
            cell["id"] = change.cell.into();
            cells.push(cell);
            true
        }
        (None, None, None) => true,
    };
    let text = written(&notebook);
    match unread.or(missing.then_some("changes a cell that the notebook does not have")) {
        None => Ok(text),
        Some(warning) => Err((text, warning)),
    }
}

/// The place of a cell by its id, else by its number, with or without `cell-` before it.
fn find(cells: &[Value], name: &str) -> Option<usize> {
    let by_id = cells.iter().position(|cell| text(cell, "id") == Some(name));
    let number = || name.trim_start_matches("cell-").parse().ok().filter(|number| *number < cells.len());
    by_id.or_else(number)
}

fn new_cell(kind: &str, source: &str) -> Value {
    let mut cell = json!({ "cell_type": kind, "metadata": {} });
    if kind == "code" {
        (cell["execution_count"], cell["outputs"]) = (Value::Null, json!([]));
    }
    cell["source"] = lines(source);
    cell
}

/// What a cell put out is gone with what it said.
fn set_source(cell: &mut Value, source: &str) {
    cell["source"] = lines(source);
    if cell.get("outputs").is_some() {
        (cell["execution_count"], cell["outputs"]) = (Value::Null, json!([]));
    }
}

fn lines(source: &str) -> Value {
    source.split_inclusive('\n').collect::<Vec<_>>().into()
}

fn written(notebook: &Value) -> String {
    serde_json::to_string_pretty(notebook).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Vec<String> {
        let notebook: Value = serde_json::from_str(text).unwrap();
        let joined = |cell: &Value| list(cell, "source").filter_map(Value::as_str).collect::<String>();
        list(&notebook, "cells").map(joined).collect()
    }

    #[test]
    fn cells_are_changed_put_in_and_taken_out_where_they_stand() {
        let seen = json!({ "file": { "cells": [
            { "cellType": "code", "source": "a = 1\nb = 2", "cell_id": "one" },
            { "cellType": "markdown", "source": "# Title", "cell_id": "two" }] } });
        let text = shown(&seen).unwrap();
        assert_eq!(sources(&text), ["a = 1\nb = 2", "# Title"]);
        let step = |text: &str, cell: &str, source: Option<&str>, kind: Option<&str>| {
            changed(Some(text), &Change { cell, source, kind }).unwrap()
        };
        let text = step(&text, "two", Some("# Other"), None);
        let text = step(&text, "one", Some("c = 3"), Some("code"));
        let text = step(&text, "", Some("first"), Some("markdown"));
        assert_eq!(sources(&text), ["first", "a = 1\nb = 2", "c = 3", "# Other"]);
        let text = step(&text, "1", None, None);
        assert_eq!(sources(&text), ["first", "c = 3", "# Other"]);
    }

    #[test]
    fn what_is_not_known_of_a_notebook_is_said() {
        let change = Change { cell: "x", source: Some("1"), kind: None };
        let (text, warning) = changed(None, &change).unwrap_err();
        assert!(sources(&text) == ["1"] && warning.contains("did not read"));
        let (again, _) = changed(Some(&text), &Change { source: Some("2"), ..change }).map(|text| (text, "")).unwrap();
        assert_eq!(sources(&again), ["2"]);
        let (_, warning) = changed(Some(r#"{"cells":[]}"#), &change).unwrap_err();
        assert!(warning.contains("does not have"));
    }
}
