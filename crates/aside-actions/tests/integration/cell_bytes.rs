//! Changes of cells and their undo, to the byte, in a file that no writer lays out like this.

use aside_core::Version;
use serde_json::{Value, json};

use crate::common::Bench;

const FILE: &str = "loose.ipynb";

fn args(more: Value) -> Value {
    let mut args = json!({ "path": FILE });
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    args
}

fn version(bench: &Bench, key: &str) -> String {
    let cells = bench.document(FILE).cells().unwrap();
    Version::of(&cells.into_iter().find(|cell| cell.key.0 == key).unwrap().source).short().to_owned()
}

/// Layout and spelling as no writer has them: escapes, lone carriage returns, separators within a line.
const LOOSE: &str = include_str!("../fixtures/loose.ipynb");

#[tokio::test]
async fn undo_restores_every_byte_also_after_restart() {
    for restarts in [false, true] {
        for (name, more) in [
            ("cell.set", json!({"cell": "pic", "source": "show(2)\nZoë = 2\nend()"})),
            ("cell.set", json!({"cell": "note", "source": "# Tïtle\nnew words\nend"})),
            ("cell.edit", json!({"cell": "note", "edits": [{"old": "old words", "new": "new words"}]})),
            ("cell.move", json!({"cell": "note", "before": "pic"})),
            ("cell.kind", json!({"cell": "note", "kind": "raw"})),
            ("cell.delete", json!({"cells": [{"cell": "note", "version": ""}]})),
        ] {
            let bench = Bench::new(&[(FILE, LOOSE)]);
            let mut args = args(more);
            match args.get_mut("cells") {
                Some(cells) => cells[0]["version"] = json!(version(&bench, "note")),
                None if matches!(name, "cell.set" | "cell.kind") => {
                    args["version"] = json!(version(&bench, args["cell"].as_str().unwrap()))
                }
                None => {}
            }
            let record = bench.act(name, args.clone()).await;
            assert_ne!(bench.on_disk(FILE), LOOSE, "{name} {args}");
            let bench = if restarts { bench.started_again() } else { bench };
            bench.undo(&record).await;
            assert_eq!(bench.on_disk(FILE), LOOSE, "{name} {args}, restarts: {restarts}");
        }
    }
}

#[tokio::test]
async fn change_of_one_line_leaves_all_other_bytes() {
    let bench = Bench::new(&[(FILE, LOOSE)]);
    bench.act("cell.edit", args(json!({"cell": "note", "edits": [{"old": "old words", "new": "new words"}]}))).await;
    assert_eq!(bench.on_disk(FILE), LOOSE.replace("old words", "new words"));
    bench.act("cell.edit", args(json!({"cell": "pic", "edits": [{"old": "end()", "new": "end(2)"}]}))).await;
    let expected = LOOSE.replace("old words", "new words").replace("end()", "end(2)");
    assert_eq!(bench.on_disk(FILE), expected);
}
