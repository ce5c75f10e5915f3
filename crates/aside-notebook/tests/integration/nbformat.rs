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

/// None where there is no Python with the library.
fn cases() -> Option<Vec<Case>> {
    let python = aside_testkit::python()?.join("bin/python");
    if !Command::new(&python).args(["-c", "import nbformat"]).status().unwrap().success() {
        eprintln!("NOT TESTED: there is no nbformat beside the kernel (`cargo xtask test` installs it)");
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generate.py");
    let output = Command::new(&python).args([script, CASES]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
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
