//! Find and replace in files: what is found, what one decision changes, and what stays.

#![expect(clippy::disallowed_methods, reason = "sets the scene")]

use std::{fs, os::unix::fs::PermissionsExt as _};

use aside_core::{ActionRecord, ActionState, Choice, Completeness, FileDiff, PreviewBody};
use aside_core::{Grant, GrantLimits, Origin};
use aside_gate::Submission;
use serde_json::{Value, json};

use crate::common::{self, Bench, failure, request, words};

fn bench(files: &[(&str, &str)]) -> Bench {
    common::with_notes(Bench::new(files))
}

fn diffs(record: &ActionRecord) -> &[FileDiff] {
    match &record.preview.as_ref().unwrap().body {
        PreviewBody::Diff { files } => files,
        other => panic!("no diff: {other:?}"),
    }
}

fn data(record: &ActionRecord) -> Value {
    let Some(aside_core::Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
    observation.data.clone()
}

const FILES: [(&str, &str); 4] = [
    ("a.py", "tide = 1\nlow_tide = tide\n"),
    ("src/b.txt", "Tide\r\nno\r\nthe tide"),
    ("out/c.txt", "tide\n"),
    (".gitignore", "out/\n"),
];

#[tokio::test]
async fn search_takes_regex_words_and_globs() {
    let bench = bench(&FILES);
    let found = async |args: Value| {
        let data = data(&bench.act("file.search", args).await);
        let files = data["files"].as_array().unwrap().iter();
        let lines = |file: &Value| file["lines"].as_array().unwrap().iter().map(|line| line["line"].clone()).collect();
        files.map(|file| (file["path"].as_str().unwrap().to_owned(), Value::Array(lines(file)))).collect::<Vec<_>>()
    };
    let (a, b) = (|lines: Value| ("a.py".to_owned(), lines), |lines: Value| ("src/b.txt".to_owned(), lines));
    assert_eq!(found(json!({"text": "tide"})).await, [a(json!([1, 2])), b(json!([1, 3]))]);
    assert_eq!(found(json!({"text": "^tide$", "regex": true})).await, [b(json!([1]))]);
    assert_eq!(found(json!({"text": "low", "whole_words": true})).await, []);
    assert_eq!(found(json!({"text": "tide", "include": ["*.py"]})).await, [a(json!([1, 2]))]);
    assert_eq!(found(json!({"text": "tide", "exclude": ["src"]})).await, [a(json!([1, 2]))]);
}

#[tokio::test]
async fn search_counts_files_beyond_the_listed() {
    let files: Vec<_> = (0..50).map(|number| (format!("f{number:02}.txt"), "tide\ntide\n")).collect();
    let bench = bench(&files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    let record = bench.act("file.search", json!({"text": "tide"})).await;
    let text = words(&record);
    assert!(text.starts_with("“tide”: 100 lines in 50 of 50 files\nf00.txt\n"), "{text}");
    assert!(text.contains("\nf39.txt\n") && !text.contains("f40.txt"), "{text}");
    assert!(text.ends_with("… and 10 files: narrow the search with `within`, `include` or `exclude`."), "{text}");
    assert_eq!(data(&record)["more"], true);
}

#[tokio::test]
async fn wrong_queries_say_where() {
    let bench = bench(&FILES);
    for (args, words) in [
        (json!({"text": "a(b", "regex": true}), "at character 2: unclosed group"),
        (json!({"text": "(\\w{200}){200}", "regex": true}), "too large"),
        (json!({"text": "a\nb"}), "not within one line"),
        (json!({"text": "a", "include": ["a[b"]}), "the file pattern `a[b` is wrong"),
    ] {
        for (action, args) in [("file.search", args.clone()), ("file.replace", with(args, "replacement", json!("x")))] {
            let record = bench.act_any(action, args).await;
            assert_eq!(failure(&record).code, "invalid_args");
            assert!(failure(&record).message.contains(words), "{}", failure(&record).message);
        }
    }
}

fn with(mut args: Value, name: &str, value: Value) -> Value {
    args[name] = value;
    args
}

#[tokio::test]
async fn replacement_changes_all_files_with_one_undo() {
    let bench = bench(&FILES);
    let args = json!({"text": "tide", "replacement": "sea"});
    let asked = bench.propose("file.replace", args).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation, "{:?}", asked.outcome);
    assert_eq!(asked.preview.as_ref().unwrap().summary, "Replace “tide” with “sea”: 5 matches in 2 files");
    let shown: Vec<_> = diffs(&asked).iter().map(|file| (file.path.as_str(), file.hunks.len())).collect();
    assert_eq!(shown, [("a.py", 1), ("src/b.txt", 2)]);
    let done = bench.approve(&asked).await;
    assert_eq!(done.state, ActionState::Done, "{:#?}", done.outcome);
    assert_eq!(bench.on_disk("a.py"), "sea = 1\nlow_sea = sea\n");
    assert_eq!(bench.on_disk("src/b.txt"), "sea\r\nno\r\nthe sea");
    assert_eq!(bench.on_disk("out/c.txt"), "tide\n", "git ignores it");
    bench.type_in("a.py", |text| format!("# typed since\n{text}"));
    bench.undo(&done).await;
    assert_eq!(bench.on_disk("a.py"), format!("# typed since\n{}", FILES[0].1));
    assert_eq!(bench.on_disk("src/b.txt"), FILES[1].1);
}

#[tokio::test]
async fn replacement_reads_open_documents() {
    let bench = bench(&[("a.txt", "one\n"), ("b.txt", "none\n")]);
    bench.type_in("a.txt", |text| format!("{text}two one\n"));
    let record = bench.act("file.replace", json!({"text": "one", "replacement": "1", "whole_words": true})).await;
    assert!(words(&record).starts_with("Replace “one” with “1”: 2 matches in 1 file.\n- a.txt: 2 matches"));
    assert_eq!(bench.text("a.txt"), "1\ntwo 1\n");
}

#[tokio::test]
async fn groups_are_replaced_only_with_regex() {
    let bench = bench(&[("a.csv", "x,y\n"), ("b.txt", "$1\\n\n")]);
    bench.act("file.replace", json!({"text": r"^(\w),(\w)$", "replacement": r"$2,$1\n", "regex": true})).await;
    assert_eq!(bench.text("a.csv"), "y,x\n\n");
    bench.act("file.replace", json!({"text": r"$1\n", "replacement": r"$&\t"})).await;
    assert_eq!(bench.text("b.txt"), "$&\\t\n");
}

#[tokio::test]
async fn excepted_files_and_lines_stay() {
    let bench = bench(&[("a.txt", "tide\ntide\ntide\n"), ("b.txt", "tide\n"), ("c.txt", "tide\n")]);
    let except = json!([{"path": "a.txt", "lines": [1, 3]}, {"path": "b.txt"}]);
    bench.act("file.replace", json!({"text": "tide", "replacement": "sea", "except": except})).await;
    let texts = ["a.txt", "b.txt", "c.txt"].map(|file| bench.text(file));
    assert_eq!(texts, ["tide\nsea\ntide\n", "tide\n", "sea\n"]);
}

#[tokio::test]
async fn rejected_part_stays_as_it_is() {
    let bench = bench(&[("a.txt", "tide\nno\ntide\n"), ("b.txt", "tide\n")]);
    let asked = bench.propose("file.replace", json!({"text": "tide", "replacement": "sea"})).await;
    let parts: Vec<u32> = diffs(&asked).iter().flat_map(|file| file.hunks.iter().map(|hunk| hunk.part)).collect();
    assert_eq!(parts, [0, 1, 2]);
    bench.decide_part(&asked, 1, Choice::Approve).await;
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("tide\nno\nsea\n".into(), "tide\n".into()));
}

#[tokio::test]
async fn file_that_changed_is_refused_by_name() {
    let bench = bench(&[("a.txt", "tide\n"), ("b.txt", "the tide\n")]);
    let asked = bench.propose("file.replace", json!({"text": "tide", "replacement": "sea"})).await;
    bench.type_in("b.txt", |_| "another tide\n".to_owned());
    let decision = aside_core::Decision::approve(asked.approval_hash.clone());
    let error = bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap_err();
    assert!(error.to_string().contains("`b.txt` changed"), "{error}");
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("tide\n".into(), "another tide\n".into()));
    let again = bench.gate.record(&asked.envelope.id).unwrap();
    assert_eq!(diffs(&again)[1].hunks[0].new, ["another sea"]);
}

#[tokio::test]
async fn files_that_cannot_change_are_named() {
    let bench = bench(&[("a.txt", "tide\n"), ("ro/b.txt", "tide\n"), ("n.ipynb", common::TIDES)]);
    fs::write(bench.folder.path().join("latin.txt"), b"caf\xe9 tide\n").unwrap();
    fs::write(bench.folder.path().join("d.bin"), b"tide\0").unwrap();
    let folder = bench.folder.path().join("ro");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let asked = bench.ask("file.replace", json!({"text": "tide", "replacement": "sea"})).await;
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let mut left: Vec<_> = diffs(&asked).iter().filter(|file| file.hunks.is_empty()).collect();
    // The superuser may write everywhere.
    left.retain(|file| file.path.as_str() != "ro/b.txt");
    let noted: Vec<_> = left.iter().map(|file| (file.path.as_str(), file.note.as_deref().unwrap())).collect();
    assert_eq!(noted.iter().map(|(path, _)| *path).collect::<Vec<_>>(), ["latin.txt", "n.ipynb"]);
    assert!(noted[0].1.contains("not UTF-8") && noted[1].1.contains("notebook"), "{noted:?}");
    let of_model = bench.propose("file.replace", json!({"text": "heights", "replacement": "x"})).await;
    assert!(!serde_json::to_string(&of_model.preview).unwrap().contains("ipynb"), "cells may be kept from models");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let shown = diffs(&asked).iter().filter(|file| !file.hunks.is_empty()).count();
    assert_eq!(shown, if is_root { 2 } else { 1 });
}

#[tokio::test]
async fn failed_file_takes_the_others_back() {
    let bench = bench(&[("a.txt", "tide\n"), ("b.txt", "tide\n")]);
    // The document can be planned, and not written.
    let file = bench.folder.path().join("b.txt");
    let asked = bench.propose("file.replace", json!({"text": "tide", "replacement": "sea"})).await;
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let decision = aside_core::Decision::approve(asked.approval_hash.clone());
    assert!(bench.gate.decide(&asked.envelope.id, decision, "ada").await.is_err());
    assert_eq!(bench.text("a.txt"), "tide\n");
}

#[tokio::test]
async fn replacement_tells_nothing_of_unreadable_files() {
    let bench = bench(&[("notes/a.md", "the tide\n"), ("secret.md", "the tide of secrets\n")]);
    let limits = GrantLimits { paths: Some(vec!["notes/**".parse().unwrap()]), ..GrantLimits::default() };
    let grant = bench.gate.grants().create(Grant::limited("notes", limits), "ada").unwrap().grant;
    let origin = Origin::Client { user: "ada".to_owned(), grant: grant.id.clone().unwrap() };
    let asked = request("file.replace", json!({"text": "tide", "replacement": "sea"}));
    let record = bench.gate.submit(asked, Submission::under(grant, origin)).await.unwrap().record;
    assert!(!serde_json::to_string(&record).unwrap().contains("secret"), "{record:?}");
    let record = if record.state == ActionState::AwaitingConfirmation { bench.approve(&record).await } else { record };
    assert_eq!(record.state, ActionState::Done, "{:?}", record.outcome);
    assert_eq!(
        (bench.text("notes/a.md"), bench.text("secret.md")),
        ("the sea\n".into(), "the tide of secrets\n".into())
    );
}

#[tokio::test]
async fn long_preview_says_that_it_is_cut() {
    let files: Vec<_> = (0..250).map(|number| (format!("f{number:03}.txt"), "tide\n")).collect();
    let bench = bench(&files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    let asked = bench.propose("file.replace", json!({"text": "tide", "replacement": "sea"})).await;
    let preview = asked.preview.as_ref().unwrap();
    assert_eq!((diffs(&asked).len(), preview.completeness), (200, Completeness::Partial));
    assert!(preview.summary.ends_with("250 matches in 250 files; not all changes are shown"), "{}", preview.summary);
    bench.approve(&asked).await;
    assert_eq!((bench.text("f000.txt"), bench.text("f249.txt")), ("sea\n".into(), "sea\n".into()));
}
