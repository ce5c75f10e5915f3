//! The actions on notes and todos, through a real Gate: rows, transactions, undo, and what they refuse.

#![expect(clippy::disallowed_methods, reason = "sets the scene")]

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc, time::Instant};

use aside_core::{ActionRecord, ActionState, Decision, Descriptor, NoteRow, PreviewBody};
use serde_json::{Value, json};

use crate::common::{Bench, failure, with_notes};

fn bench(files: &[(&str, &str)]) -> Bench {
    with_notes(Bench::new(files))
}

fn rows(record: &ActionRecord) -> &[NoteRow] {
    match &record.preview.as_ref().unwrap().body {
        PreviewBody::Rows { rows } => rows,
        other => panic!("no table: {other:?}"),
    }
}

fn outcomes(record: &ActionRecord) -> Value {
    match &record.outcome {
        Some(aside_core::Outcome::Done { observation }) => observation.data["rows"].clone(),
        other => panic!("not done: {other:#?}"),
    }
}

async fn submit(bench: &Bench, record: &ActionRecord, parts: &[u32]) -> ActionRecord {
    let decision = Decision { parts: Some(parts.to_vec()), ..Decision::approve(record.approval_hash.clone()) };
    bench.gate.decide(&record.envelope.id, decision, "ada").await.unwrap()
}

const EXAMPLE_NOTES: [(&str, &str); 4] = [
    ("README.md", "---\ntags: [tide]\n---\n# Read me\n\nSee [[plan]].\n"),
    ("notes/plan.md", "# Plan\n"),
    ("notes/todo.md", "# Todo\n\n- [ ] Measure\n"),
    ("Projects/Boats.md", "# Boats\n"),
];

#[tokio::test]
async fn every_example_of_notes_runs() {
    let descriptors = bench(&[]).gate.catalog().descriptors();
    let mut count = 0;
    let is_change =
        |found: &&Arc<Descriptor>| matches!(found.name.noun(), "note" | "todo") && !found.risks.is_read_only();
    for descriptor in descriptors.iter().filter(is_change) {
        for example in &descriptor.examples {
            let bench = bench(&EXAMPLE_NOTES);
            let record = bench.act(descriptor.name.as_str(), example.args.clone()).await;
            assert!(record.can_undo, "{}: {}", descriptor.name, example.title);
            bench.undo(&record).await;
            for (path, text) in EXAMPLE_NOTES {
                assert_eq!(bench.on_disk(path), text, "{}: {}", descriptor.name, example.title);
            }
            count += 1;
        }
    }
    assert!(count >= 13);
}

#[tokio::test]
async fn checked_rows_are_made_and_the_others_stay() {
    let bench = bench(&[("a.md", "- [ ] one\n- [ ] two\n"), ("b.md", "- [ ] three\r\n")]);
    let todo = |path: &str, line: u32, text: &str| json!({"path": path, "line": line, "text": text});
    let todos = [todo("a.md", 1, "one"), todo("a.md", 2, "two"), todo("b.md", 1, "three")];
    let asked = bench.propose("todo.done", json!({"todos": todos})).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    let shown: Vec<_> = rows(&asked).iter().map(|row| (row.before.as_deref(), row.after.as_deref())).collect();
    assert_eq!(shown[0], (Some("- [ ] one"), Some("- [x] one")));
    let done = submit(&bench, &asked, &[0, 2]).await;
    assert_eq!(
        (bench.on_disk("a.md"), bench.on_disk("b.md")),
        ("- [x] one\n- [ ] two\n".into(), "- [x] three\r\n".into())
    );
    let Some(aside_core::Outcome::Done { observation }) = &done.outcome else { panic!() };
    assert_eq!(observation.data["result"]["rows"].as_array().unwrap().len(), 2, "one outcome per row");
    bench.undo(&done).await;
    assert_eq!(
        (bench.on_disk("a.md"), bench.on_disk("b.md")),
        ("- [ ] one\n- [ ] two\n".into(), "- [ ] three\r\n".into())
    );
}

#[tokio::test]
async fn canceled_card_leaves_every_byte() {
    let text = "\u{feff}---\r\ntags: [a]\r\n---\nx\r\n- [ ] y";
    let bench = bench(&[("a.md", text)]);
    let asked = bench.propose("note.tag", json!({"notes": [{"path": "a.md", "add": ["b"]}]})).await;
    bench.gate.decide(&asked.envelope.id, Decision::reject(None), "ada").await.unwrap();
    assert_eq!(bench.on_disk("a.md"), text);
    let tagged = bench.act("note.tag", json!({"notes": [{"path": "a.md", "add": ["b"]}]})).await;
    assert_eq!(bench.on_disk("a.md"), text.replace("[a]", "[a, b]"));
    bench.undo(&tagged).await;
    assert_eq!(bench.on_disk("a.md"), text);
}

#[tokio::test]
async fn note_that_changed_is_asked_again() {
    let bench = bench(&[("a.md", "- [ ] one\n"), ("b.md", "- [ ] two\n")]);
    let args =
        json!({"todos": [{"path": "a.md", "line": 1, "text": "one"}, {"path": "b.md", "line": 1, "text": "two"}]});
    let asked = bench.propose("todo.done", args).await;
    bench.type_in("a.md", |text| format!("new line\n{text}"));
    let decision = Decision { parts: Some(vec![0]), ..Decision::approve(asked.approval_hash.clone()) };
    let error = bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap_err();
    assert!(error.to_string().contains("`a.md` changed"), "{error}");
    let again = bench.gate.record(&asked.envelope.id).unwrap();
    assert_eq!(rows(&again)[0].line, Some(2), "shown at its new line");
    submit(&bench, &again, &[0]).await;
    assert_eq!(bench.text("a.md"), "new line\n- [x] one\n");
}

#[tokio::test]
async fn rename_rewrites_links_with_one_undo() {
    let files = [
        ("Notes/Old.md", "# Something\n\n[up](../Home.md) [[Home]]\n"),
        ("Home.md", "[[Old]] [[Old#x|y]] `[[Old]]` [t](Notes/Old.md) [[Something]]\r\n"),
        ("x/y.md", "![[Old]]"),
        ("x/z.md", "nothing"),
    ];
    let bench = bench(&files);
    let args = json!({"moves": [{"from": "Notes/Old.md", "to": "Archive/2026/New"}]});
    let asked = bench.propose("note.move", args).await;
    assert_eq!(rows(&asked).iter().filter(|row| row.field == "link").count(), 5);
    let done = bench.approve(&asked).await;
    assert_eq!(done.state, ActionState::Done, "{:#?}", done.outcome);
    assert_eq!(bench.on_disk("Home.md"), "[[New]] [[New#x|y]] `[[Old]]` [t](Archive/2026/New.md) [[Something]]\r\n");
    assert_eq!(bench.on_disk("x/y.md"), "![[New]]");
    assert_eq!(bench.on_disk("Archive/2026/New.md"), "# Something\n\n[up](../../Home.md) [[Home]]\n");
    assert!(!bench.exists("Notes/Old.md"));
    bench.undo(&done).await;
    for (path, text) in files {
        assert_eq!(bench.on_disk(path), text);
    }
    assert!(!bench.exists("Archive"));
}

#[tokio::test]
async fn failed_step_takes_the_others_back() {
    let bench = bench(&[]);
    let asked = bench.propose("note.create", json!({"notes": [{"path": "c.md"}, {"path": "d/e.md"}]})).await;
    fs::write(bench.folder.path().join("d"), "in the way").unwrap();
    let error =
        bench.gate.decide(&asked.envelope.id, Decision::approve(asked.approval_hash.clone()), "ada").await.unwrap_err();
    assert_eq!(error.failure().code, "stale");
    assert!(!bench.exists("c.md"));
}

#[tokio::test]
async fn read_only_folder_refuses_before_a_card() {
    let bench = bench(&[("ro/a.md", "- [ ] one\n")]);
    let folder = bench.folder.path().join("ro");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let done = bench.act_any("todo.done", json!({"todos": [{"path": "ro/a.md", "line": 1, "text": "one"}]})).await;
    let is_root = runs_as_root();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    // The superuser may write everywhere.
    assert!(is_root || done.state == ActionState::Failed, "{:#?}", done.outcome);
}

fn runs_as_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

#[tokio::test]
async fn bad_requests_name_their_reason() {
    let files = [
        ("a.md", "- [ ] one\n- [ ] two\n- [ ] two\n"),
        ("broken.md", "---\ntags: [a\n---\nx\n"),
        ("code.py", "x = 1\n"),
    ];
    let bench = bench(&files);
    fs::write(bench.folder.path().join("latin.md"), b"caf\xe9\n").unwrap();
    std::os::unix::fs::symlink("/etc", bench.folder.path().join("out")).unwrap();
    let todo = |line: u32, text: &str| json!({"todos": [{"path": "a.md", "line": line, "text": text}]});
    for (action, args, code) in [
        ("todo.done", todo(1, "three"), "todo_not_found"),
        ("todo.done", todo(9, "two"), "todo_ambiguous"),
        ("todo.add", json!({"path": "a.md", "todos": [{"text": "a\nb"}]}), "invalid_args"),
        ("todo.add", json!({"path": "a.md", "todos": [{"text": "a", "due": "2026-02-30"}]}), "invalid_args"),
        ("todo.add", json!({"path": "a.md", "todos": [{"text": "a", "priority": "urgent"}]}), "invalid_args"),
        ("todo.add", json!({"path": "none.md", "todos": [{"text": "a"}]}), "not_found"),
        ("note.tag", json!({"notes": [{"path": "broken.md", "add": ["b"]}]}), "broken_front_matter"),
        ("note.tag", json!({"rename": {"from": "none", "to": "b"}}), "not_found"),
        ("note.update", json!({"notes": [{"path": "code.py", "text": ""}]}), "not_a_note"),
        ("note.create", json!({"notes": [{"path": "a.md", "text": ""}]}), "exists"),
        ("note.create", json!({"notes": [{"text": "no name"}]}), "invalid_args"),
    ] {
        let record = bench.act_any(action, args.clone()).await;
        assert_eq!(failure(&record).code, code, "{action} {args}: {:?}", record.outcome);
    }
    for (action, args) in [
        ("note.update", json!({"notes": [{"path": "latin.md", "text": "x"}]})),
        ("note.tag", json!({"notes": [{"path": "latin.md", "add": ["x"]}]})),
        ("note.create", json!({"notes": [{"path": "out/x.md", "text": "x"}]})),
        ("note.create", json!({"notes": [{"path": "../x.md", "text": "x"}]})),
    ] {
        let record = bench.act_any(action, args.clone()).await;
        assert!(matches!(record.state, ActionState::Failed | ActionState::Refused), "{action} {args}");
    }
    assert_eq!(fs::read(bench.folder.path().join("latin.md")).unwrap(), b"caf\xe9\n");
    for (path, text) in files {
        assert_eq!(bench.on_disk(path), text);
    }
}

#[tokio::test]
async fn five_hundred_notes_are_one_change() {
    let bench = bench(&[]);
    let notes: Vec<_> = (0..500).map(|at| json!({"title": format!("Note {at}"), "folder": "many"})).collect();
    let done = bench.act("note.create", json!({"notes": notes})).await;
    assert_eq!(outcomes(&done).as_array().unwrap().len(), 500);
    assert_eq!(bench.on_disk("many/Note 499.md"), "# Note 499\n");
    bench.undo(&done).await;
    assert!(!bench.exists("many"));
    let notes: Vec<_> = (0..1001).map(|at| json!({"title": format!("Note {at}")})).collect();
    assert_eq!(failure(&bench.act_any("note.create", json!({"notes": notes})).await).code, "invalid_args");
}

#[tokio::test]
async fn deleted_notes_come_back() {
    let bench = bench(&[("a.md", "one\r\n"), ("b.md", "[[a]]")]);
    let asked = bench.ask("note.delete", json!({"notes": [{"path": "a.md"}, {"path": "b.md"}]})).await;
    let done = if asked.state == ActionState::AwaitingConfirmation { bench.approve(&asked).await } else { asked };
    assert!(!bench.exists("a.md") && !bench.exists("b.md"));
    bench.undo(&done).await;
    assert_eq!((bench.on_disk("a.md"), bench.on_disk("b.md")), ("one\r\n".into(), "[[a]]".into()));
}

#[tokio::test]
async fn updated_todos_take_and_lose_dates() {
    let bench = bench(&[("a.md", "- [ ] pay 📅 2026-12-01 🔁 every month\n- [x] old ✅ 2026-01-01\n")]);
    let pay = json!({"path": "a.md", "line": 1, "text": "pay"});
    let with = |more: Value| {
        let mut todo = pay.clone();
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"todos": [todo]})
    };
    bench.act("todo.update", with(json!({"due": "2026-12-31", "priority": "high"}))).await;
    assert_eq!(bench.text("a.md").lines().next(), Some("- [ ] pay 📅 2026-12-31 🔁 every month ⏫"));
    bench.act("todo.update", with(json!({"priority": null, "new_text": "pay rent"}))).await;
    assert_eq!(bench.text("a.md").lines().next(), Some("- [ ] pay rent 📅 2026-12-31 🔁 every month"));
    let rent = json!({"path": "a.md", "line": 1, "text": "pay rent", "due": "2027-01-31", "done": true});
    bench.act("todo.update", json!({"todos": [rent]})).await;
    let text = bench.text("a.md");
    assert!(text.starts_with("- [ ] pay rent 📅 2027-02-28 🔁 every month\n- [x] pay rent 📅 2027-01-31"), "{text}");
    bench.act("todo.update", json!({"todos": [{"path": "a.md", "line": 3, "text": "old", "done": false}]})).await;
    assert!(bench.text("a.md").ends_with("- [ ] old\n"));
}

#[tokio::test]
async fn moved_todos_keep_their_lines() {
    let bench = bench(&[("a.md", "- [ ] one 📅 2026-12-01\n- [ ] two\n"), ("b.md", "text")]);
    let args = json!({"todos": [{"path": "a.md", "line": 1, "text": "one"}, {"path": "a.md", "line": 2, "text": "two"}], "to": "b.md"});
    let done = bench.act("todo.move", args).await;
    assert_eq!(
        (bench.on_disk("a.md"), bench.on_disk("b.md")),
        ("".into(), "text\n\n- [ ] one 📅 2026-12-01\n- [ ] two".into())
    );
    bench.undo(&done).await;
    assert_eq!(
        (bench.on_disk("a.md"), bench.on_disk("b.md")),
        ("- [ ] one 📅 2026-12-01\n- [ ] two\n".into(), "text".into())
    );
}

#[tokio::test]
async fn links_use_the_shortest_name() {
    let bench = bench(&[("a.md", "see the plan\n"), ("x/Plan.md", ""), ("y/Plan.md", ""), ("z/Only.md", "")]);
    bench.act("note.link", json!({"from": "a.md", "to": "y/Plan.md", "words": "the plan"})).await;
    assert_eq!(bench.on_disk("a.md"), "see [[y/Plan|the plan]]\n");
    bench.act("note.link", json!({"from": "a.md", "to": "z/Only.md"})).await;
    assert_eq!(bench.on_disk("a.md"), "see [[y/Plan|the plan]]\n\n[[Only]]\n");
}

#[tokio::test]
async fn tag_is_renamed_in_all_notes() {
    let bench =
        bench(&[("a.md", "---\ntags: [old]\n---\n"), ("b.md", "---\ntags: x, old\n---\n#old\n"), ("c.md", "#other")]);
    let asked = bench.propose("note.tag", json!({"rename": {"from": "old", "to": "new"}})).await;
    assert_eq!(rows(&asked).len(), 2);
    let done = submit(&bench, &asked, &[1]).await;
    assert_eq!(done.state, ActionState::Done, "{:#?}", done.outcome);
    assert_eq!(
        (bench.on_disk("a.md"), bench.on_disk("b.md")),
        ("---\ntags: [old]\n---\n".into(), "---\ntags: x, new\n---\n#old\n".into())
    );
}

/// A generous bound: the figure is measured by `cargo xtask bench notes`.
#[tokio::test]
async fn thousand_links_are_previewed_quickly() {
    let bench = bench(&[("Old.md", "# Other title\n")]);
    for at in 0..1000 {
        fs::write(bench.folder.path().join(format!("n{at}.md")), format!("a\nsee [[Old]] number {at}\n")).unwrap();
    }
    let args = json!({"moves": [{"from": "Old.md", "to": "New.md"}]});
    let began = Instant::now();
    let asked = bench.propose("note.move", args).await;
    eprintln!("preview of 1000 links: {:?}", began.elapsed());
    assert_eq!(rows(&asked).len(), 1001);
    let began = Instant::now();
    let done = bench.approve(&asked).await;
    eprintln!("rename with 1000 links: {:?}", began.elapsed());
    assert_eq!(done.state, ActionState::Done, "{:#?}", done.outcome);
    assert_eq!(bench.on_disk("n999.md"), "a\nsee [[New]] number 999\n");
}
