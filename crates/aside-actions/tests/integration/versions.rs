//! What is kept of documents: listed, looked at, brought back, taken back; also after a kill.
#![expect(clippy::disallowed_methods, reason = "plays another program")]

use std::fs;

use aside_core::{ActionRecord, FileDiff, KeptVersion, MadeBy, PreviewBody, ReviewMode};
use serde_json::json;

use crate::common::{Bench, TIDES, failure, model, path, person, request};

const NOTEBOOK: &str = "tides.ipynb";

fn versions(bench: &Bench, file: &str) -> Vec<KeptVersion> {
    bench.workspace.versions(&path(file)).unwrap()
}

/// What led to each version and how it begins, the latest first.
fn told(bench: &Bench, file: &str) -> Vec<String> {
    let words = |by: &MadeBy| match by {
        MadeBy::Found => "found",
        MadeBy::Typing => "typing",
        MadeBy::Run => "run",
        MadeBy::Disk => "disk",
        MadeBy::Action { undoes: None, .. } => "action",
        MadeBy::Action { undoes: Some(_), .. } => "undo",
    };
    let line = |version: KeptVersion| {
        let text = bench.workspace.version_text(&path(file), version.id.as_str()).unwrap();
        assert_eq!(version.bytes, text.len() as u64);
        let by: Vec<_> = version.made_by.iter().map(words).collect();
        format!("{}: {}", by.join(" "), text.lines().next().unwrap_or_default())
    };
    versions(bench, file).into_iter().map(line).collect()
}

fn others_write(bench: &Bench, file: &str, text: &str) {
    assert!(bench.workspace.save_all().is_empty());
    fs::write(bench.folder.path().join(file), text).unwrap();
    // Takes in what is there now.
    assert!(bench.workspace.save_all().is_empty());
}

async fn bring_back(bench: &Bench, file: &str, version: &KeptVersion) -> ActionRecord {
    bench.act("doc.restore", json!({"path": file, "version": version.id})).await
}

/// What bringing one back would change, without doing it.
async fn looked_at(bench: &Bench, file: &str, version: &KeptVersion) -> Vec<FileDiff> {
    let args = json!({"path": file, "version": version.id});
    let record = bench.gate.dry_run(request("doc.restore", args), person()).await.unwrap();
    let Some(PreviewBody::Diff { files }) = record.preview.map(|preview| preview.body) else { panic!("a diff") };
    files
}

#[tokio::test]
async fn what_something_takes_the_place_of_is_kept_and_comes_back() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    assert_eq!(told(&bench, "a.txt"), [""; 0], "what nobody changed needs no version");
    bench.type_in("a.txt", |_| "two\n".to_owned());
    bench.type_in("a.txt", |_| "two and more\n".to_owned());
    let edit = json!({"path": "a.txt", "edits": [{"old": "two and more", "new": "three"}]});
    let record = bench.act("doc.edit", edit).await;
    bench.undo(&record).await;
    others_write(&bench, "a.txt", "four\n");
    bench.type_in("a.txt", |_| "five\n".to_owned());
    let all = ["disk: four", "undo: two and more", "action: three", "typing: two and more", "found: one"];
    assert_eq!(told(&bench, "a.txt"), all);

    let bench = bench.started_again();
    assert_eq!(told(&bench, "a.txt"), all, "also after a kill");
    let found = versions(&bench, "a.txt").pop().unwrap();
    let look = looked_at(&bench, "a.txt", &found).await;
    assert_eq!((&*look[0].hunks[0].old[0], &*look[0].hunks[0].new[0]), ("five", "one"));
    assert_eq!(bench.text("a.txt"), "five\n", "to look changes nothing");
    let back = bring_back(&bench, "a.txt", &found).await;
    assert_eq!(bench.on_disk("a.txt"), "one\n");
    assert_eq!(told(&bench, "a.txt")[0], "typing: five");
    bench.undo(&back).await;
    assert_eq!(bench.on_disk("a.txt"), "five\n");
}

#[tokio::test]
async fn versions_follow_a_file_to_another_name() {
    let bench = Bench::new(&[("sub/a.txt", "one\n")]);
    bench.type_in("sub/a.txt", |_| "two\n".to_owned());
    bench.act("file.move", json!({"from": "sub", "to": "other"})).await;
    assert_eq!(told(&bench, "other/a.txt"), ["found: one"]);
    bench.type_in("other/a.txt", |_| "three\n".to_owned());
    assert_eq!(versions(&bench, "sub/a.txt"), []);
}

#[tokio::test]
async fn a_file_that_a_person_lets_shrink_can_be_had_again() {
    let long = "a line\n".repeat(50);
    let bench = Bench::new(&[("a.txt", &long)]);
    bench.type_in("a.txt", |text| text.to_owned() + "and more\n");
    assert!(bench.on_disk("a.txt").ends_with("and more\n"));
    bench.type_in("a.txt", |_| "nothing\n".to_owned());
    bench.act("doc.checkpoint", json!({"path": "a.txt", "allow_shrink": true})).await;
    let full = &versions(&bench, "a.txt")[0];
    assert!(bench.workspace.version_text(&path("a.txt"), full.id.as_str()).unwrap().ends_with("and more\n"));
}

#[tokio::test]
async fn a_notebook_comes_back_cell_by_cell_with_what_it_had_put_out() {
    let bench = Bench::new(&[(NOTEBOOK, TIDES)]);
    let version = aside_core::Version::of("heights = [1, 2]");
    let cells = json!({"path": NOTEBOOK, "cells": [{"cell": "load", "version": version.short()}]});
    bench.act("cell.delete", cells).await;
    let cells = json!({"path": NOTEBOOK, "after": "title", "cells": [{"source": "new = 1"}]});
    bench.act("cell.insert", cells).await;
    let edit = json!({"path": NOTEBOOK, "cell": "plot", "edits": [{"old": "plot(height)", "new": "plot(heights)"}]});
    bench.act("cell.edit", edit).await;
    let found = versions(&bench, NOTEBOOK).pop().unwrap();
    assert_eq!(found.made_by, [MadeBy::Found]);
    let look = looked_at(&bench, NOTEBOOK, &found).await;
    let cells: Vec<_> = look
        .iter()
        .map(|file| format!("{:?} {}", file.change, file.cell.as_ref().map_or("", |cell| &*cell.key)))
        .collect();
    assert_eq!(cells.len(), 3, "{cells:?}");
    assert_eq!((&*cells[0], &*cells[1]), ("Created load", "Edited plot"));
    assert!(cells[2].starts_with("Deleted "), "{cells:?}");

    let back = bring_back(&bench, NOTEBOOK, &found).await;
    assert_eq!(bench.on_disk(NOTEBOOK), TIDES, "to the byte");
    let edit = json!({"path": NOTEBOOK, "cell": "title", "edits": [{"old": "# Tides", "new": "# High tides"}]});
    bench.act("cell.edit", edit).await;
    bench.undo(&back).await;
    let now = bench.on_disk(NOTEBOOK);
    assert!(now.contains("new = 1") && now.contains("plot(heights)") && !now.contains("two heights"), "{now}");
    assert!(now.contains("# High tides"), "what was changed since stays: {now}");
}

#[tokio::test]
async fn what_is_not_kept_is_said_and_no_model_goes_back() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    for version in ["ver_00000000000000000000000001", "1", &"0".repeat(64)] {
        let asked = bench.ask("doc.restore", json!({"path": "a.txt", "version": version})).await;
        assert_eq!(failure(&asked).code, "no_such_version");
    }
    bench.type_in("a.txt", |_| "two\n".to_owned());
    let args = json!({"path": "a.txt", "version": versions(&bench, "a.txt")[0].id});
    let asked = bench.gate.submit(request("doc.restore", args), model(ReviewMode::AutoApply)).await.unwrap().record;
    assert_eq!(failure(&asked).code, "person_only");
}
