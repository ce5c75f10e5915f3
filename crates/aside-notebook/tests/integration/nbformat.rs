//! What is written anew, beside what the format's own library in Python writes of the same: to the byte.
#![expect(clippy::disallowed_methods, reason = "starts Python, which has that library")]

use std::process::Command;

use aside_notebook::{Cell, CellKey, CellKind, Notebook};
use serde::Deserialize;

const CASES: &str = "150";

#[derive(Deserialize)]
struct Case {
    /// Kind, id and source, of a notebook that has nothing but cells.
    cells: Option<Vec<(String, String, String)>>,
    /// The same in another layout.
    loose: String,
    written: String,
}

/// The lines that a script beside these tests prints; none where there is no Python with the library.
fn python_lines(script: &str) -> Option<String> {
    let python = aside_testkit::python()?.join("bin/python");
    if !Command::new(&python).args(["-c", "import nbformat"]).status().unwrap().success() {
        eprintln!("NOT TESTED: there is no nbformat beside the kernel (`cargo xtask test` installs it)");
        return None;
    }
    let script = format!("{}/tests/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python).args([&*script, CASES]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

fn cases() -> Option<Vec<Case>> {
    let text = python_lines("generate.py")?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A notebook of an older format, and the same as the library converts it: its ids are made up, and so are left out.
#[derive(Deserialize)]
struct OldCase {
    old: String,
    converted: serde_json::Value,
}

fn without_ids(mut notebook: serde_json::Value) -> serde_json::Value {
    for cell in notebook["cells"].as_array_mut().unwrap() {
        cell.as_object_mut().unwrap().remove("id").unwrap();
    }
    notebook
}

#[test]
fn older_formats_are_upgraded_as_nbformat_does() {
    let Some(lines) = python_lines("old.py") else { return };
    for line in lines.lines() {
        let OldCase { old, converted } = serde_json::from_str(line).unwrap();
        let mut notebook = Notebook::read(old.as_bytes()).unwrap();
        assert_eq!(notebook.write(), old, "nothing was changed");
        notebook.upgrade().expect("it is of an older format");
        let written: serde_json::Value = serde_json::from_str(&notebook.write()).unwrap();
        assert_eq!(without_ids(written), without_ids(converted), "{old}");
    }
    assert!(lines.lines().count() > 100);
}

fn made_of(cells: &[(String, String, String)]) -> Notebook {
    let mut notebook = Notebook::new();
    for (kind, key, source) in cells {
        let mut cell = Cell::new(CellKey(key.clone()), &CellKind::of(kind), true);
        cell.set_source(source);
        notebook.cells.push(cell);
    }
    notebook
}

#[test]
fn what_is_written_anew_is_what_nbformat_writes() {
    let Some(cases) = cases() else { return };
    for Case { cells, loose, written } in &cases {
        assert_eq!(Notebook::read(loose.as_bytes()).unwrap().write(), *loose, "nothing was changed");
        assert_eq!(Notebook::read(loose.as_bytes()).unwrap().write_canonical(), *written);
        if let Some(cells) = cells {
            assert_eq!(made_of(cells).write(), *written);
        }
    }
    assert!(cases.iter().any(|case| case.cells.as_ref().is_some_and(|cells| cells.len() > 3)), "there are some");
}
