//! Undo never takes away what somebody did after the action: it refuses, and shows what would be lost.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::fs;

use aside_core::{ActionRecord, ActionState, Failure};
use serde_json::{Value, json};

use crate::common::{Bench, failure, person};

/// The way in which the file is changed after the action.
#[derive(Clone, Copy, Debug)]
enum Later {
    /// Another program writes the file.
    OnDisk,
    /// Somebody types, and nothing is written yet.
    Typed,
}

impl Later {
    fn write(self, bench: &Bench, path: &str, text: &str) {
        match self {
            Self::OnDisk => fs::write(bench.folder.path().join(path), text).unwrap(),
            Self::Typed => bench.type_in(path, |_| text.to_owned()),
        }
    }
}

async fn undo(bench: &Bench, record: &ActionRecord) -> ActionRecord {
    bench.gate.undo(&record.envelope.id, person(), None).await.unwrap().record
}

/// Acts, changes `path`, and undoes: the change stays and is named. Without the change, the undo works.
async fn check(files: &[(&str, &str)], (action, args): (&str, Value), path: &str, later: Later) -> Failure {
    let bench = Bench::new(files);
    let record = bench.act(action, args).await;
    let left = bench.on_disk(path);
    later.write(&bench, path, &format!("{left}later work\n"));
    let refused = undo(&bench, &record).await;
    assert_eq!(refused.state, ActionState::Failed, "{action}, {later:?}");
    assert_eq!(bench.on_disk(path), format!("{left}later work\n"), "{action}, {later:?}");
    let failure = failure(&refused).clone();
    assert_eq!(failure.code, "conflict", "{action}: {failure}");
    later.write(&bench, path, &left);
    bench.undo(&record).await;
    failure
}

#[tokio::test]
async fn undo_of_new_files_keeps_later_work() {
    let files = [("a.md", "one\n"), ("b.md", "two\n")];
    for later in [Later::OnDisk, Later::Typed] {
        for (action, args, path) in [
            ("doc.create", json!({"path": "x/new.md", "text": "# new\n"}), "x/new.md"),
            ("file.create", json!({"path": "x/new.md", "text": "# new\n"}), "x/new.md"),
            ("file.create", json!({"path": "empty.md"}), "empty.md"),
            ("file.copy", json!({"from": "a.md", "to": "x/copy.md"}), "x/copy.md"),
            ("file.copy", json!({"from": "a.md", "to": "b.md", "overwrite": true}), "b.md"),
        ] {
            let failure = check(&files, (action, args), path, later).await;
            assert!(failure.message.contains("+ later work"), "{failure}");
            assert!(failure.message.contains(path), "{failure}");
            assert_eq!(failure.data["path"], path);
        }
    }
}

#[tokio::test]
async fn undo_of_new_folders_keeps_files_in_them() {
    for (action, args) in
        [("file.create", json!({"path": "new", "folder": true})), ("file.copy", json!({"from": "sub", "to": "new"}))]
    {
        let bench = Bench::new(&[("sub/a.md", "one\n")]);
        let record = bench.act(action, args).await;
        fs::write(bench.folder.path().join("new/mine.md"), "later work\n").unwrap();
        assert_eq!(failure(&undo(&bench, &record).await).code, "conflict");
        assert_eq!(bench.on_disk("new/mine.md"), "later work\n");
        fs::remove_file(bench.folder.path().join("new/mine.md")).unwrap();
        bench.undo(&record).await;
        assert!(!bench.exists("new"));
    }
}

#[tokio::test]
async fn undo_of_deletions_keeps_the_new_file() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    let record = bench.act("file.delete", json!({"path": "a.md"})).await;
    fs::write(bench.folder.path().join("a.md"), "later work\n").unwrap();
    let refused = undo(&bench, &record).await;
    assert!(failure(&refused).message.contains("+ later work"), "{:?}", refused.outcome);
    assert_eq!(bench.on_disk("a.md"), "later work\n");
    fs::remove_file(bench.folder.path().join("a.md")).unwrap();
    let undo = bench.undo(&record).await;
    assert_eq!(bench.on_disk("a.md"), "one\n");
    let later = format!("{}later work\n", bench.on_disk("a.md"));
    fs::write(bench.folder.path().join("a.md"), &later).unwrap();
    let redo = bench.gate.undo(&undo.envelope.id, person(), None).await.unwrap().record;
    assert_eq!((redo.state, bench.on_disk("a.md")), (ActionState::Failed, later), "redo keeps it as well");
}

#[tokio::test]
async fn redo_of_a_move_keeps_later_work() {
    let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "two\n")]);
    let moved = bench.act("file.move", json!({"from": "a.md", "to": "b.md", "overwrite": true})).await;
    let undone = bench.undo(&moved).await;
    fs::write(bench.folder.path().join("b.md"), "two\nlater work\n").unwrap();
    let redo = undo(&bench, &undone).await;
    assert_eq!((redo.state, bench.on_disk("b.md").as_str()), (ActionState::Failed, "two\nlater work\n"));
    assert_eq!(bench.on_disk("a.md"), "one\n");
}

#[tokio::test]
async fn undo_of_a_forced_save_keeps_later_work() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    bench.type_in("a.md", |_| "typed\n".to_owned());
    fs::write(bench.folder.path().join("a.md"), b"\0broken").unwrap();
    let saved = bench.act("doc.checkpoint", json!({"path": "a.md", "write_over": true})).await;
    bench.type_in("a.md", |text| format!("{text}later work\n"));
    let refused = undo(&bench, &saved).await;
    assert_eq!((refused.state, bench.on_disk("a.md").as_str()), (ActionState::Failed, "typed\nlater work\n"));
}

#[tokio::test]
async fn undo_after_a_restart_keeps_later_work() {
    for (action, args, path) in [
        ("doc.create", json!({"path": "x/new.md", "text": "# new\n"}), "x/new.md"),
        ("file.create", json!({"path": "x/new.md", "text": "# new\n"}), "x/new.md"),
        ("file.copy", json!({"from": "a.md", "to": "b.md", "overwrite": true}), "b.md"),
        ("file.delete", json!({"path": "a.md"}), "a.md"),
    ] {
        let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "two\n")]);
        let record = bench.act(action, args).await;
        let left = fs::read_to_string(bench.folder.path().join(path)).ok();
        let later = format!("{}later work\n", left.clone().unwrap_or_default());
        fs::write(bench.folder.path().join(path), &later).unwrap();
        let bench = bench.started_again();
        let refused = undo(&bench, &record).await;
        assert_eq!((refused.state, failure(&refused).code.as_str()), (ActionState::Failed, "conflict"), "{action}");
        assert!(failure(&refused).message.contains("+ later work"), "{action}");
        assert_eq!(bench.on_disk(path), later, "{action}");
        match left {
            Some(left) => fs::write(bench.folder.path().join(path), left).unwrap(),
            None => fs::remove_file(bench.folder.path().join(path)).unwrap(),
        }
        bench.undo(&record).await;
    }
}
