//! Every example of every declaration does what it says, in a small workspace.

#![expect(clippy::disallowed_methods, reason = "sets the scene")]

use std::os::unix::fs::PermissionsExt as _;

use aside_core::{Grant, GrantLimits, Risk, Risks, Sha256};
use aside_gate::Query;
use aside_workspace::process::find_program;
use serde_json::json;

use crate::common::{self, Bench, path};

/// In nbformat 3.
const OLD: &str = r#"{"metadata": {"name": "old"}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [], "metadata": {}}]}"#;

const FILES: [(&str, &str); 9] = [
    ("tides.ipynb", common::TIDES),
    ("old.ipynb", OLD),
    ("paper/paper.tex", "\\documentclass{article}\n\\begin{document}\nHigh tide.\n\\end{document}\n"),
    ("src/model.py", "def one():\n    return 1\n# end\n"),
    ("src/main.rs", "fn  main() {}\n"),
    ("data/old.csv", "a,b\n"),
    ("data/tides.csv", "time,height\n"),
    ("data/lost.csv", "lost\n"),
    ("notes/ideas.md", "# Ideas\n\n- [ ] measure the tide #work\n"),
];

/// The name under which `data/lost.csv` is kept.
const KEPT: &str = "051765f42de5419074051102ea63b821700037fed59ea2edde679c2cc5573dfd";

/// A cell that was deleted, and the name under which it is kept.
const GONE: &str = r#"[{"key":"gone","kind":"code","source":"1","metadata":{},"others":{},"above":[]}]"#;
const GONE_HASH: &str = "967338ff7234477ff0b0b9c8f2c5d0e574214f8d54f8bb6d082095e3370e2fc9";

#[tokio::test]
async fn every_example_runs() {
    let descriptors: Vec<_> = Bench::new(&[]).gate.catalog().descriptors();
    assert!(descriptors.len() > 10);
    for descriptor in descriptors {
        aside_gate::check_declaration(&descriptor).unwrap();
        let needed = [("latex.build", "latexmk"), ("doc.format", "rustfmt")];
        let needed = needed.iter().find(|(action, _)| *action == descriptor.name.as_str());
        if let Some((action, program)) = needed.filter(|(_, program)| find_program(program).is_none()) {
            eprintln!("skipped: the example of {action}, since {program} is not installed");
            continue;
        }
        if descriptor.name.as_str() == "notebook.run" {
            // Run in `notebooks.rs`, where there is a kernel.
            continue;
        }
        for example in &descriptor.examples {
            let bench = Bench::new(&FILES);
            bench.import_session();
            let lost = bench.folder.path().join("data/lost.csv");
            std::fs::set_permissions(lost, std::fs::Permissions::from_mode(0o644)).unwrap();
            // What `file.restore` puts back in its example.
            let kept = bench.workspace.delete(&path("data/lost.csv"), None, None).unwrap();
            assert_eq!(kept.unwrap().as_str(), KEPT);
            // What `grant.revoke` ends in its example.
            bench.gate.grants().create(Grant::limited("nightly script", GrantLimits::reading()), "ada").unwrap();
            // What `shell.output` reads, and what `snapshot.restore` goes back to.
            bench.workspace.keep_output(b"one\ntwo\nthree\n").unwrap();
            put_snapshot(&bench);
            // The bytes that `file.upload` places.
            bench.workspace.keep_upload(b"").unwrap();
            // What `doc.restore` goes back to.
            bench.workspace.keep_text("def zero():\n    return 0\n# end\n").unwrap();
            // What `cell.restore` puts back.
            assert_eq!(bench.workspace.keep_cells(GONE).unwrap().as_str(), GONE_HASH);
            let record = bench.act(descriptor.name.as_str(), example.args.clone()).await;
            assert!(record.outcome.unwrap().is_done(), "{}: {}", descriptor.name, example.title);
        }
    }
}

/// A command has made `data/tides.csv` what it is.
fn put_snapshot(bench: &Bench) {
    let folder = bench.folder.path().join(".aside/snapshots/snp_00000000000000000000000001");
    std::fs::create_dir_all(&folder).unwrap();
    let (then, now) = ("time\n", "time,height\n");
    let state = |text: &str| json!({"kind": "file", "content": Sha256::of(text), "size": text.len(), "mode": 0o644});
    let change = json!({"path": "data/tides.csv", "before": state(then), "after": state(now)});
    let id = "snp_00000000000000000000000001";
    let manifest = json!({"id": id, "taken": 1, "changes": [change]});
    std::fs::write(folder.join(Sha256::of(then).as_str()), then).unwrap();
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
}

#[tokio::test]
async fn the_catalog_finds_and_describes_itself() {
    let bench = Bench::new(&[]);
    let found = common::words(&bench.ask("catalog.search", serde_json::json!({"query": "rename a file"})).await);
    assert!(found.starts_with("file.move: "), "{found}");
    let told = common::words(&bench.ask("catalog.describe", serde_json::json!({"name": "doc.edit"})).await);
    assert!(
        told.contains("\"edits\"") && told.contains("risks: write\ngrant needed: `doc.edit` or `doc.*`, with write"),
        "{told}"
    );
    let unknown = bench.ask("catalog.describe", serde_json::json!({"name": "file.rename"})).await;
    assert!(common::failure(&unknown).hint.as_deref().unwrap().contains("file.move"));
}

/// Reads `noun:doc risks:read,write some words -> doc.edit`.
fn golden(line: &str) -> (Option<&str>, Option<Risks>, String, &str) {
    let (query, name) = line.split_once(" -> ").expect("`words -> action`");
    let (mut noun, mut risks, mut words) = (None, None, Vec::new());
    for word in query.split(' ') {
        match word.split_once(':') {
            Some(("noun", value)) => noun = Some(value),
            Some(("risks", value)) => {
                risks = Some(value.split(',').map(|risk| risk.parse::<Risk>().unwrap()).collect())
            }
            _ => words.push(word),
        }
    }
    (noun, risks, words.join(" "), name)
}

#[tokio::test]
async fn what_people_say_finds_the_action_they_mean() {
    let bench = Bench::new(&[]);
    let lines = include_str!("../golden_queries.txt").lines().filter(|line| !line.starts_with('#'));
    let misses: Vec<String> = lines
        .filter_map(|line| {
            let (noun, risks, words, wanted) = golden(line);
            let query = Query { words: &words, noun, risks: risks.as_ref(), limit: 3 };
            let found: Vec<_> = bench.gate.catalog().search(&query).iter().map(|hit| hit.name.to_string()).collect();
            (found.first().map(String::as_str) != Some(wanted)).then(|| format!("{line}, not {found:?}"))
        })
        .collect();
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}
