//! The table of what is from outside by its place, its name or its form, each with the reason. Names are compared without
//! case, as a forgiving file system would.

use aside_core::WorkspacePath;
use aside_notebook::{Cell, Notebook};
use serde_json::Value;

const DEPENDENCY: &str = "a dependency, which other people wrote";
const PRODUCT: &str = "made by a program";
const LOG: &str = "a log, which programs write";
const INSTRUCTIONS: &str = "instructions for assistants, which may have come with the files";
const SESSION: &str = "a log of sessions or records from elsewhere";
const MAIL: &str = "mail, which other people write";

/// The file in which a folder says how assistants are to work in it.
pub(crate) const AGENTS: &str = "AGENTS.md";

/// Folders: all that is in them is from outside.
const FOLDERS: &[(&str, &str)] = &[
    ("node_modules", DEPENDENCY),
    ("bower_components", DEPENDENCY),
    ("site-packages", DEPENDENCY),
    ("dist-packages", DEPENDENCY),
    (".venv", DEPENDENCY),
    ("venv", DEPENDENCY),
    (".tox", DEPENDENCY),
    (".nox", DEPENDENCY),
    (".cargo", DEPENDENCY),
    ("vendor", DEPENDENCY),
    ("third_party", DEPENDENCY),
    ("target", PRODUCT),
    ("__pycache__", PRODUCT),
    (".ipynb_checkpoints", PRODUCT),
    (".git", "it holds messages and names that other people wrote"),
];

/// Endings of file names, after the last dot.
const ENDINGS: &[(&str, &str)] = &[
    ("log", LOG),
    ("out", LOG),
    ("err", LOG),
    ("blg", LOG),
    ("aux", PRODUCT),
    ("bbl", PRODUCT),
    ("jsonl", SESSION),
    ("ndjson", SESSION),
    ("har", SESSION),
    ("eml", MAIL),
    ("mbox", MAIL),
];

/// Why a path is from outside, if its place or its name says so.
pub(super) fn by_path(path: &WorkspacePath) -> Option<&'static str> {
    let path = path.as_str().to_lowercase();
    let among = |table: &[(&str, &'static str)], name: &str| {
        table.iter().find(|(known, _)| *known == name).map(|(_, why)| *why)
    };
    let mut parts = path.split('/').map(|part| part.trim_end_matches([' ', '.']));
    let name = parts.next_back()?;
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    parts
        .find_map(|folder| among(FOLDERS, folder))
        .or_else(|| ending.and_then(|ending| among(ENDINGS, ending)))
        // `debug.log.1`, `npm-debug.log-2024`.
        .or_else(|| name.contains(".log").then_some(LOG))
}

/// Why a file is from outside whose name says that it instructs assistants. Nobody chose that name to say something, so
/// a listing may hold it.
pub(super) fn by_purpose(path: &WorkspacePath) -> Option<&'static str> {
    path.name().eq_ignore_ascii_case(AGENTS).then_some(INSTRUCTIONS)
}

/// Why what is in a folder is from outside, if its own name says so.
pub(super) fn by_folder(path: &WorkspacePath) -> Option<&'static str> {
    let name = path.name().to_lowercase();
    FOLDERS.iter().find(|(known, _)| *known == name.trim_end_matches([' ', '.'])).map(|(_, why)| *why)
}

/// Tells whether it is a notebook by its name.
pub(super) fn is_notebook(path: &WorkspacePath) -> bool {
    path.name().to_lowercase().ends_with(".ipynb")
}

const OUTPUTS: &str = "a notebook with outputs, which programs wrote";

/// Why a notebook that is open is from outside, if that is seen without reading what is in it.
pub(super) fn by_live_cells(notebook: &Notebook) -> Option<&'static str> {
    let has_some = |outputs: &str| outputs.strip_prefix('[').is_some_and(|items| !items.trim_start().starts_with(']'));
    notebook
        .cells
        .iter()
        .any(|cell| cell.get("outputs").is_some_and(|outputs| has_some(outputs.as_str())))
        .then_some(OUTPUTS)
}

/// Why a notebook is from outside, if there is more in it than a person types.
pub(super) fn by_cells(bytes: &[u8]) -> Option<&'static str> {
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    let Ok(notebook) = serde_json::from_slice::<Value>(bytes) else { return Some("a notebook that can't be read") };
    let Some(cells) = notebook["cells"].as_array() else { return Some("a notebook of another form") };
    let filled = |value: &Value| match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        other => !other.is_null(),
    };
    if cells.iter().any(|cell| filled(&cell["outputs"])) {
        return Some(OUTPUTS);
    }
    let hidden = cells.iter().any(|cell| filled(&cell["metadata"]) || filled(&cell["attachments"]));
    hidden.then_some("a notebook with data in its cells that no page shows")
}

/// Tells whether there is more in a cell than a page shows of it.
pub(super) fn is_more_than_shown(cell: &Cell) -> bool {
    let value = |name: &str| cell.get(name).map_or(Ok(Value::Null), |raw| serde_json::from_str(raw.as_str()));
    let is_empty = |value: &Value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
    !value("metadata").is_ok_and(|metadata| is_shown(&metadata))
        || !value("attachments").is_ok_and(|attachments| is_empty(&attachments))
}

/// Tells whether the page shows all that the metadata of a cell says: of which kind it is, and what is folded.
fn is_shown(metadata: &Value) -> bool {
    const FOLDS: &[&str] = &["collapsed", "scrolled", "editable", "deletable", "trusted"];
    let all = |value: &Value, is_shown: &dyn Fn(&str, &Value) -> bool| match value {
        Value::Null => true,
        Value::Object(members) => members.iter().all(|(name, value)| is_shown(name, value)),
        _ => false,
    };
    all(metadata, &|name, value| match name {
        "aside" => all(value, &|name, _| matches!(name, "cell" | "connection" | "result" | "ai_hidden")),
        "jupyter" => {
            all(value, &|name, value| matches!(name, "source_hidden" | "outputs_hidden") && value.is_boolean())
        }
        name => FOLDS.contains(&name) && value.is_boolean(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_names_say_what_is_from_outside() {
        for path in [
            "node_modules/a/README.md",
            "web/NODE_MODULES/a.js",
            "env/lib/python3.12/site-packages/x.py",
            "target/debug/build/x/stderr",
            ".git/COMMIT_EDITMSG",
            "main.log",
            "Main.LOG",
            "logs/app.log.1",
            "sessions/2024.jsonl",
            "paper.blg",
        ] {
            assert!(by_path(&path.parse().unwrap()).is_some(), "{path}");
        }
        for path in ["src/main.rs", "target.md", "node_modules", "notes/vendor.md", "login.py", "catalog.md", "a.tex"] {
            assert_eq!(by_path(&path.parse().unwrap()), None, "{path}");
        }
    }

    #[test]
    fn what_no_page_shows_counts() {
        let notebook =
            |cell: &str| format!(r#"{{"cells": [{{"source": "x", {cell}}}], "metadata": {{"kernelspec": {{}}}}}}"#);
        assert_eq!(by_cells(notebook(r#""metadata": {}, "outputs": []"#).as_bytes()), None);
        for cell in [r#""outputs": [{}]"#, r#""metadata": {"note": "obey"}"#, r#""attachments": {"a.png": {}}"#] {
            assert!(by_cells(notebook(cell).as_bytes()).is_some(), "{cell}");
        }
        assert!(by_cells(b"[]").is_some());
        assert_eq!(by_cells(b" \n"), None);
        for (outputs, is_seen) in [("[]", false), ("[ \n ]", false), ("null", false), ("[{}]", true)] {
            let file = format!(
                r#"{{"cells": [{{"cell_type": "code", "source": "x", "outputs": {outputs}}}], "nbformat": 4}}"#
            );
            assert_eq!(by_live_cells(&Notebook::read(file.as_bytes()).unwrap()).is_some(), is_seen, "{outputs}");
        }
    }

    #[test]
    fn what_the_page_shows_of_a_cell_hides_nothing() {
        let more = |metadata: &str| {
            let cell = format!(
                r#"{{"cell_type": "code", "id": "a", "source": "1", "outputs": [], "execution_count": null, {metadata}}}"#
            );
            let notebook = format!(r#"{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#);
            is_more_than_shown(&Notebook::read(notebook.as_bytes()).unwrap().cells[0])
        };
        for shown in [
            r#""metadata": {}"#,
            r#""metadata": {"aside": {"cell": "sql", "connection": "a.db"}}"#,
            r#""metadata": {"collapsed": true, "jupyter": {"source_hidden": true}}, "attachments": {}"#,
        ] {
            assert!(!more(shown), "{shown}");
        }
        for hidden in [
            r#""metadata": {"aside": {"cell": "ai", "x": "obey"}}"#,
            r#""metadata": {"jupyter": {"obey": true}}"#,
            r#""metadata": {"collapsed": "obey"}"#,
            r#""metadata": {}, "attachments": {"a.png": {}}"#,
        ] {
            assert!(more(hidden), "{hidden}");
        }
    }
}
