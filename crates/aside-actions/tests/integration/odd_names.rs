//! Files whose names are no line of text, by every action on files: by the path that lists show.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _, path::PathBuf};

use aside_core::ActionRecord;
use serde_json::json;

use crate::common::{Bench, failure};

/// Each name on the disk with its path.
const NAMES: [(&[u8], &str); 4] = [
    (b"caf\xe9.md", "caf\\xe9.md"),
    (b"a\nb.md", "a\\nb.md"),
    (b"literal\\n.md", "literal\\u{5c}n.md"),
    (b"new\nfolder/\xff.md", "new\\nfolder/\\xff.md"),
];

fn at(bench: &Bench, name: &[u8]) -> PathBuf {
    bench.folder.path().join(OsStr::from_bytes(name))
}

fn bench(name: &[u8]) -> Bench {
    let bench = Bench::new(&[("plain.md", "plain\n")]);
    fs::create_dir_all(at(&bench, name).parent().unwrap()).unwrap();
    fs::write(at(&bench, name), "the tide\n").unwrap();
    bench
}

fn said(record: &ActionRecord) -> String {
    format!("{:?}", record.outcome)
}

#[tokio::test]
async fn odd_names_are_read_found_and_edited() {
    for (name, path) in NAMES {
        let bench = bench(name);
        let read = bench.act("file.read", json!({ "path": path })).await;
        assert!(said(&read).contains("the tide"), "{}", said(&read));
        let found = bench.act("file.search", json!({ "text": "the tide" })).await;
        assert!(said(&found).contains(&path.escape_debug().to_string()), "{path}: {}", said(&found));
        let edit = json!({ "path": path, "edits": [{ "old": "the tide", "new": "the ebb" }] });
        let edited = bench.act("doc.edit", edit).await;
        assert_eq!(fs::read(at(&bench, name)).unwrap(), b"the ebb\n", "{path}");
        bench.undo(&edited).await;
        assert_eq!(fs::read(at(&bench, name)).unwrap(), b"the tide\n", "{path}");
    }
}

#[tokio::test]
async fn odd_names_come_back_after_undo() {
    for (name, path) in NAMES {
        let bench = bench(name);
        let moved = bench.act("file.move", json!({ "from": path, "to": "x/moved.md" })).await;
        assert!(!at(&bench, name).exists());
        bench.undo(&moved).await;
        assert_eq!(fs::read(at(&bench, name)).unwrap(), b"the tide\n", "{path}");
        let top = path.split('/').next().unwrap();
        let asked = bench.ask("file.delete", json!({ "path": top })).await;
        let deleted = bench.approve(&asked).await;
        assert!(!at(&bench, name).exists());
        bench.undo(&deleted).await;
        assert_eq!(fs::read(at(&bench, name)).unwrap(), b"the tide\n", "{path}");
        let copied = bench.act("file.copy", json!({ "from": top, "to": "copy" })).await;
        assert!(bench.exists("copy"));
        bench.undo(&copied).await;
        assert!(!bench.exists("copy"));
    }
}

#[tokio::test]
async fn nothing_new_gets_control_characters() {
    let bench = bench(b"a\nb.md");
    for (action, args) in [
        ("file.create", json!({ "path": "notes\\todo.md" })),
        ("file.create", json!({ "path": "src\\new/a.md" })),
        ("doc.create", json!({ "path": "notes\\todo.md", "text": "x\n" })),
        ("file.move", json!({ "from": "plain.md", "to": "notes\\todo.md" })),
        ("file.copy", json!({ "from": "plain.md", "to": "a\\xe9" })),
    ] {
        let refused = bench.ask(action, args.clone()).await;
        assert_eq!(failure(&refused).code, "bad_name", "{action} {args}");
        assert!(failure(&refused).hint.as_ref().unwrap().contains("write `/` between folders"));
    }
    assert_eq!(failure(&bench.ask("file.create", json!({ "path": "a\\nb.md" })).await).code, "exists");
    let windows = bench.act("file.create", json!({ "path": "notes\\Plan.md" })).await;
    assert!(at(&bench, b"notes\\Plan.md").exists(), "{windows:?}");
}
