//! Notebooks of older formats: they are read, and their files stay as they are until a person has them upgraded.
#![expect(clippy::disallowed_methods, reason = "looks at the files")]

use std::fs;

use aside_core::ActionState;
use aside_doc::{CellChange, NotebookCell, Splice};
use aside_workspace::CellsRefused;
use serde_json::{Value, json};

use crate::common::{Bench, failure};

const FIRST: &str = r#"{"cells":[{"cell_type":"code","code":"tide = 1","prompt_number":4}]}"#;
const SECOND: &str = r#"{"metadata":{"name":"x"},"nbformat":2,"worksheets":[{"cells":[
 {"cell_type":"code","collapsed":false,"input":["tide = 1","print(tide)"],"language":"python","outputs":[],"prompt_number":1}]}]}"#;
const THIRD: &str = r#"{"metadata":{"name":"x"},"nbformat":3,"nbformat_minor":0,"worksheets":[{"cells":[
 {"cell_type":"code","collapsed":false,"input":["tide = 1"],"language":"python","metadata":{},"outputs":[],"prompt_number":1}],"metadata":{}}]}"#;

/// The file as it is, with changes that are not saved left aside.
fn on_disk(bench: &Bench) -> String {
    fs::read_to_string(bench.folder.path().join("old.ipynb")).unwrap()
}

fn parsed(bench: &Bench) -> Value {
    serde_json::from_str(&on_disk(bench)).unwrap()
}

#[tokio::test]
async fn old_notebook_is_read_and_not_written() {
    for (format, text) in [(1, FIRST), (2, SECOND), (3, THIRD)] {
        let bench = Bench::new(&[("old.ipynb", text)]);
        let read = bench.act("doc.read", json!({ "path": "old.ipynb" })).await;
        assert!(format!("{:?}", read.outcome).contains("tide = 1"), "{format}");
        for (action, args) in [
            (
                "cell.edit",
                json!({ "path": "old.ipynb", "cell": "cell-0", "edits": [{ "old": "tide = 1", "new": "ebb = 1" }] }),
            ),
            ("cell.delete", json!({ "path": "old.ipynb", "cells": [{ "cell": "cell-0", "version": "ec71a30d5985" }] })),
            ("notebook.run", json!({ "path": "old.ipynb" })),
        ] {
            let refused = bench.ask(action, args).await;
            assert_eq!(failure(&refused).code, "older_format", "{action}, {:?}", refused.outcome);
        }
        assert_eq!(on_disk(&bench), text, "{format}");
    }
}

#[tokio::test]
async fn typed_text_waits_for_the_upgrade() {
    for text in [FIRST, SECOND, THIRD] {
        let bench = Bench::new(&[("old.ipynb", text)]);
        let document = bench.document("old.ipynb");
        let typed = |cells: &[NotebookCell]| {
            let splices = vec![Splice { range: 0..4, insert: "ebb".to_owned() }];
            Ok::<_, CellsRefused>(vec![CellChange::Source { key: cells[0].key.clone(), splices }])
        };
        let id = "act_00000000000000000000000001".parse().unwrap();
        document.change_cells(typed, &id, None).unwrap();
        assert!(bench.workspace.save_all().iter().all(|error| error.code() == "held"));
        assert_eq!(on_disk(&bench), text);
        assert!(document.state().borrow().needs_word);

        let asked = bench.ask("doc.checkpoint", json!({ "path": "old.ipynb", "upgrade": true })).await;
        assert_eq!(asked.state, ActionState::AwaitingConfirmation);
        let shown = format!("{:?}", asked.preview);
        assert!(shown.contains(r#"after: Some("nbformat 4.5")"#) && shown.contains("Some(\"nbformat "), "{shown}");
        assert_eq!(on_disk(&bench), text, "nobody has said yes");
        let upgraded = bench.approve(&asked).await;
        assert_eq!(
            (parsed(&bench)["nbformat"].as_u64(), parsed(&bench)["nbformat_minor"].as_u64()),
            (Some(4), Some(5))
        );
        assert!(on_disk(&bench).contains("ebb = 1"));
        assert!(document.state().borrow().saved && document.state().borrow().older_format.is_none());
        let edits = json!([{ "old": "ebb = 1", "new": "flood = 1" }]);
        let changed = bench.act("cell.edit", json!({ "path": "old.ipynb", "cell": "cell-0", "edits": edits })).await;
        bench.undo(&changed).await;
        bench.undo(&upgraded).await;
        assert_eq!(on_disk(&bench), text, "an undo brings back the bytes");
    }
}

#[tokio::test]
async fn upgrade_of_anything_else_is_refused() {
    let new = json!({ "cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }).to_string();
    let bench = Bench::new(&[("new.ipynb", &new), ("a.md", "text\n")]);
    for path in ["new.ipynb", "a.md"] {
        let refused = bench.ask("doc.checkpoint", json!({ "path": path, "upgrade": true })).await;
        assert_eq!(failure(&refused).code, "not_older", "{path}");
    }
}
