//! An outcome is of the disk: an action whose change can't be written fails and leaves nothing behind.
#![expect(clippy::disallowed_methods, reason = "plays the disk")]

use std::fs;

use aside_core::{ActionState, Version};
use serde_json::{Value, json};

use crate::common::{Bench, TIDES, failure, words};

/// A file that can't be replaced, also by the superuser: a folder stands in its place.
fn block(bench: &Bench, file: &str) {
    let path = bench.folder.path().join(file);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
}

fn unblock(bench: &Bench, file: &str, text: &str) {
    let path = bench.folder.path().join(file);
    fs::remove_dir(&path).unwrap();
    fs::write(&path, text).unwrap();
}

fn cell(source: &str, extra: Value) -> Value {
    let mut args = json!({"path": "tides.ipynb", "version": Version::of(source)});
    args.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    args
}

#[tokio::test]
async fn failed_writes_fail_the_action_and_leave_nothing() {
    let source = "heights = [1, 2]";
    let cases = [
        ("a.md", "one\n", "doc.edit", json!({"path": "a.md", "edits": [{"old": "one", "new": "1"}]})),
        ("tides.ipynb", TIDES, "cell.set", cell(source, json!({"cell": "load", "source": "heights = []"}))),
        ("tides.ipynb", TIDES, "cell.kind", cell(source, json!({"cell": "load", "kind": "markdown"}))),
        ("tides.ipynb", TIDES, "cell.move", json!({"path": "tides.ipynb", "cell": "load", "after": "plot"})),
        (
            "tides.ipynb",
            TIDES,
            "cell.delete",
            json!({"path": "tides.ipynb", "cells": [{"cell": "load", "version": Version::of(source)}]}),
        ),
        (
            "tides.ipynb",
            TIDES,
            "cell.insert",
            json!({"path": "tides.ipynb", "after": "load", "cells": [{"kind": "code", "source": "1"}]}),
        ),
    ];
    for (file, text, action, args) in cases {
        let bench = Bench::new(&[(file, text)]);
        let _open_in_a_window = bench.document(file).connect();
        let before = bench.text(file);
        block(&bench, file);
        let record = bench.act_any(action, args.clone()).await;
        assert_eq!(record.state, ActionState::Failed, "{action}: {:?}", record.outcome);
        assert!(!record.can_undo, "{action}");
        let failure = failure(&record);
        assert!(failure.message.ends_with("nothing was changed"), "{action}: {failure}");
        assert_eq!(bench.text(file), before, "{action}");
        unblock(&bench, file, text);
        bench.act("doc.checkpoint", json!({"path": file})).await;
        assert_eq!(bench.on_disk(file), text, "{action} does not come to the disk later");
        bench.act(action, args).await;
        assert_ne!(bench.on_disk(file), text, "{action}");
    }
}

#[tokio::test]
async fn typed_text_outlives_a_failed_action() {
    let bench = Bench::new(&[("a.md", "one\ntwo\n")]);
    bench.document("a.md");
    block(&bench, "a.md");
    bench.type_in("a.md", |text| format!("{text}typed\n"));
    let record = bench.act_any("doc.edit", json!({"path": "a.md", "edits": [{"old": "one", "new": "1"}]})).await;
    assert_eq!(record.state, ActionState::Failed);
    assert_eq!(bench.text("a.md"), "one\ntwo\ntyped\n");
    unblock(&bench, "a.md", "one\ntwo\n");
    assert_eq!(bench.on_disk("a.md"), "one\ntwo\ntyped\n");
}

#[tokio::test]
async fn outcome_says_what_is_not_on_disk_yet() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    let _open_in_a_window = bench.document("a.md").connect();
    fs::remove_file(bench.folder.path().join("a.md")).unwrap();
    let record = bench.act("doc.edit", json!({"path": "a.md", "edits": [{"old": "one", "new": "1"}]})).await;
    assert!(words(&record).contains("Not on disk yet: cannot save `a.md`: the file was deleted"), "{}", words(&record));
    assert!(!bench.exists("a.md"));
    let done = bench.act("doc.checkpoint", json!({"path": "a.md", "allow_shrink": true})).await;
    assert_eq!((words(&done).as_str(), bench.on_disk("a.md").as_str()), ("saved a.md", "1\n"));
}

#[tokio::test]
async fn done_edits_are_on_disk() {
    let bench = Bench::new(&[("a.md", "one\n"), ("tides.ipynb", TIDES)]);
    bench.act("doc.edit", json!({"path": "a.md", "edits": [{"old": "one", "new": "1"}]})).await;
    assert_eq!(fs::read_to_string(bench.folder.path().join("a.md")).unwrap(), "1\n");
    let args = cell("heights = [1, 2]", json!({"cell": "load", "source": "heights = [3]"}));
    bench.act("cell.set", args).await;
    assert!(fs::read_to_string(bench.folder.path().join("tides.ipynb")).unwrap().contains("heights = [3]"));
}

#[tokio::test]
async fn failed_creations_leave_nothing() {
    let long = format!("x/y/{}", "n".repeat(300));
    let bench = Bench::new(&[("sub/a.md", "one\n")]);
    for (action, args) in [
        ("doc.create", json!({"path": "x/y/nul.md", "text": "a\0b"})),
        ("doc.create", json!({"path": long, "text": "text"})),
        ("file.create", json!({"path": long, "text": "text"})),
        ("file.create", json!({"path": long, "folder": true})),
        ("file.copy", json!({"from": "sub/a.md", "to": long})),
        ("file.copy", json!({"from": "sub", "to": long})),
        ("file.move", json!({"from": "sub/a.md", "to": long})),
    ] {
        let record = bench.act_any(action, args).await;
        assert_eq!(record.state, ActionState::Failed, "{action}");
        assert!(!bench.exists("x"), "{action}");
        assert_eq!(bench.on_disk("sub/a.md"), "one\n", "{action}");
    }
    bench.act("doc.create", json!({"path": "x/y/nul.md", "text": "ab\n"})).await;
}
