//! File actions through the Gate: what they refuse, what they show, what undo brings back.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::{fs, os::unix::fs::PermissionsExt as _};

use aside_core::{ActionState, Decision, FileChange, PreviewBody, Risk};
use aside_gate::GateError;
use serde_json::json;

use crate::common::{self, Bench, failure, words};

#[tokio::test]
async fn a_deleted_folder_comes_back_whole_with_its_modes_and_links() {
    let bench = Bench::new(&[("sub/a.md", "one\n"), ("sub/deep/run.sh", "#!/bin/sh\n"), ("keep.md", "")]);
    let script = bench.folder.path().join("sub/deep/run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    std::os::unix::fs::symlink("deep/run.sh", bench.folder.path().join("sub/link")).unwrap();
    bench.type_in("sub/a.md", |_| "one\ntyped\n".to_owned());
    let _open_in_a_window = bench.document("sub/a.md").connect();

    let record = bench.ask("file.delete", json!({"path": "sub"})).await;
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
    let preview = record.preview.clone().unwrap();
    let PreviewBody::Diff { files } = &preview.body else { panic!("a deletion lists what goes") };
    let listed: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(listed, ["sub", "sub/a.md", "sub/deep", "sub/deep/run.sh", "sub/link"]);
    assert!(preview.summary.starts_with("Delete the folder with 3 files sub"), "{}", preview.summary);

    let record = bench.approve(&record).await;
    assert!(!bench.exists("sub"));
    assert!(bench.document_state("sub/a.md").gone);
    bench.undo(&record).await;
    assert_eq!(fs::read_to_string(bench.folder.path().join("sub/a.md")).unwrap(), "one\ntyped\n");
    assert_eq!(script.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(fs::read_link(bench.folder.path().join("sub/link")).unwrap().to_str(), Some("deep/run.sh"));
    let state = bench.document_state("sub/a.md");
    assert!(!state.gone && state.saved);
}

#[tokio::test]
async fn a_move_is_taken_back_with_the_folders_it_made() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    let document = bench.document("a.md");
    let record = bench.act("file.move", json!({"from": "a.md", "to": "new/deep/b.md"})).await;
    assert_eq!(document.path().as_str(), "new/deep/b.md");
    let undo = bench.undo(&record).await;
    assert_eq!(document.path().as_str(), "a.md");
    assert!(!bench.exists("new"));
    bench.undo(&undo).await;
    assert_eq!(bench.on_disk("new/deep/b.md"), "one\n");
}

#[tokio::test]
async fn moving_onto_a_file_asks_and_undo_brings_both_back() {
    let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "two\n")]);
    let refused = bench.ask("file.move", json!({"from": "a.md", "to": "b.md"})).await;
    assert_eq!(failure(&refused).code, "exists");
    let args = json!({"from": "a.md", "to": "b.md", "overwrite": true});
    let asked = bench.ask("file.move", args).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    assert!(asked.envelope.risk_level.contains(Risk::Destructive));
    let PreviewBody::Diff { files } = &asked.preview.as_ref().unwrap().body else { panic!("it lists both") };
    assert_eq!(files[0].change, FileChange::Deleted);
    let record = bench.approve(&asked).await;
    assert_eq!((bench.on_disk("b.md").as_str(), bench.exists("a.md")), ("one\n", false));
    let undo = bench.undo(&record).await;
    assert_eq!((bench.on_disk("a.md").as_str(), bench.on_disk("b.md").as_str()), ("one\n", "two\n"));
    bench.undo(&undo).await;
    assert_eq!((bench.on_disk("b.md").as_str(), bench.exists("a.md")), ("one\n", false));
}

#[tokio::test]
async fn copies_are_taken_back_and_overwritten_files_return() {
    let bench = Bench::new(&[("sub/a.md", "one\n"), ("b.md", "two\n")]);
    let folder = bench.act("file.copy", json!({"from": "sub", "to": "copy/of/sub"})).await;
    assert_eq!(bench.on_disk("copy/of/sub/a.md"), "one\n");
    bench.undo(&folder).await;
    assert!(!bench.exists("copy"));
    let file = bench.act("file.copy", json!({"from": "sub/a.md", "to": "b.md", "overwrite": true})).await;
    assert_eq!(bench.on_disk("b.md"), "one\n");
    let undo = bench.undo(&file).await;
    assert_eq!(bench.on_disk("b.md"), "two\n");
    bench.undo(&undo).await;
    assert_eq!(bench.on_disk("b.md"), "one\n");
    let inside = bench.ask("file.copy", json!({"from": "sub", "to": "sub/sub"})).await;
    let inside = if inside.state == ActionState::AwaitingConfirmation { bench.approve(&inside).await } else { inside };
    assert_eq!(failure(&inside).code, "into_itself");
}

#[tokio::test]
async fn creations_are_taken_back_but_never_over_something() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    for name in ["doc.create", "file.create"] {
        let refused = bench.ask(name, json!({"path": "a.md", "text": "two\n"})).await;
        assert_eq!(failure(&refused).code, "exists", "{name}");
        let record = bench.act(name, json!({"path": "x/y/b.md", "text": "# new\n"})).await;
        assert_eq!(bench.on_disk("x/y/b.md"), "# new\n");
        bench.undo(&record).await;
        assert!(!bench.exists("x"), "{name}");
    }
    assert_eq!(failure(&bench.ask("doc.read", json!({"path": "x/y/b.md"})).await).code, "not_found");
    assert_eq!(bench.on_disk("a.md"), "one\n");
    bench.act("file.create", json!({"path": "x", "folder": true})).await;
    assert!(bench.exists("x"));
}

#[tokio::test]
async fn a_model_may_not_reach_what_governs_it_also_inside_a_folder_or_through_a_link() {
    let bench = Bench::new(&[("sub/.git/hooks/pre-commit", ""), (".vscode/settings.json", "{}"), ("a.md", "")]);
    std::os::unix::fs::symlink(".vscode/settings.json", bench.folder.path().join("harmless.json")).unwrap();
    let cases = [
        ("file.delete", json!({"path": "sub"})),
        ("file.create", json!({"path": ".vscode/tasks.json", "text": "{}"})),
        ("doc.edit", json!({"path": "harmless.json", "edits": [{"old": "{}", "new": "[]"}]})),
        ("file.move", json!({"from": "a.md", "to": ".git/config"})),
    ];
    for (name, args) in cases {
        let record = bench.propose(name, args).await;
        assert_eq!(record.state, ActionState::Refused, "{name}: {:#?}", record.outcome);
    }
    assert!(bench.exists("sub/.git/hooks/pre-commit"));
}

#[tokio::test]
async fn a_document_is_written_now_without_a_question_unless_it_replaces_more_than_it_would_by_itself() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    bench.type_in("a.md", |text| format!("{text}two\n"));
    for (args, destroys) in [
        (json!({"path": "a.md"}), false),
        (json!({"path": "a.md", "allow_shrink": true}), true),
        (json!({"path": "a.md", "write_over": true}), true),
    ] {
        let record = bench.propose("doc.checkpoint", args).await;
        assert_eq!(record.envelope.risk_level.contains(Risk::Destructive), destroys, "{:?}", record.envelope.args);
    }
    bench.act("doc.checkpoint", json!({"path": "a.md"})).await;
    assert_eq!(bench.on_disk("a.md"), "one\ntwo\n");
}

#[tokio::test]
async fn an_emptied_document_is_written_on_a_person_s_word() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    bench.type_in("a.md", |_| String::new());
    assert_eq!(failure(&bench.act_any("doc.checkpoint", json!({"path": "a.md"})).await).code, "held");
    let record = bench.act("doc.checkpoint", json!({"path": "a.md", "allow_shrink": true})).await;
    assert_eq!(words(&record), "saved a.md");
    assert_eq!(bench.on_disk("a.md"), "");
}

#[tokio::test]
async fn a_yes_is_for_the_very_files_that_were_there_when_it_was_asked_for() {
    let cases = [
        ("file.delete", json!({"path": "a.md"}), "a.md"),
        ("file.delete", json!({"path": "sub"}), "sub/deep/c.md"),
        ("file.move", json!({"from": "a.md", "to": "b.md", "overwrite": true}), "a.md"),
        ("file.move", json!({"from": "a.md", "to": "b.md", "overwrite": true}), "b.md"),
        ("file.copy", json!({"from": "a.md", "to": "b.md", "overwrite": true}), "b.md"),
        ("file.copy", json!({"from": "sub", "to": "copy"}), "sub/deep/c.md"),
    ];
    for (name, args, changed) in cases {
        let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "two\n"), ("sub/deep/c.md", "six\n")]);
        let asked = bench.propose(name, args).await;
        assert_eq!(asked.state, ActionState::AwaitingConfirmation, "{name}");
        fs::write(bench.folder.path().join(changed), "ten\n").unwrap();
        let yes = Decision::approve(asked.approval_hash.clone());
        let error = bench.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap_err();
        let GateError::Stale { record, .. } = error else { panic!("{name}, {changed}: {error}") };
        assert_eq!(record.preview, asked.preview, "{name}: by name and size it is the same");
        assert_eq!(bench.on_disk(changed), "ten\n", "{name}");
        bench.approve(&record).await;
    }
}

#[tokio::test]
async fn listing_and_reading_say_what_is_there() {
    let bench = Bench::new(&[("sub/a.md", "one\n"), (".gitignore", "*.log\n"), ("x.log", ""), ("bin", "a\0b")]);
    let listed = words(&bench.ask("file.list", json!({})).await);
    assert_eq!(
        listed,
        "the workspace: 4 items\nsub/\n.gitignore  6 bytes\nbin  3 bytes\nx.log  0 bytes  (ignored by git)"
    );
    assert_eq!(words(&bench.ask("file.list", json!({"folder": "./sub/"})).await), "sub/: 1 item\nsub/a.md  4 bytes");
    assert_eq!(words(&bench.ask("file.read", json!({"path": "sub/a.md"})).await), "sub/a.md, 4 bytes\none\n");
    assert_eq!(words(&bench.ask("file.read", json!({"path": "bin"})).await), "bin: binary, 3 bytes");
}

impl Bench {
    fn document_state(&self, file: &str) -> aside_workspace::DocumentState {
        self.workspace.open_document(&common::path(file)).unwrap().state().borrow().clone()
    }
}
