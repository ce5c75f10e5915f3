//! `doc.edit` through the Gate: asked, shown, decided by parts, made, taken back.

use aside_core::{ActionState, Choice, Confidence, Guard, Outcome, PreviewBody, ReviewMode, TOLD_BYTES};
use aside_workspace::{DocumentFrame, WorkspaceEvent};
use serde_json::{Value, json};

use crate::common::{self, Bench, failure, model, path, request, words};

const MODEL: &str = "def a():\n    return 1\n\ndef b():\n    return a()\n\ndef c():\n    return a()\n";

fn rename() -> Value {
    json!({"path": "model.py", "edits": [
        {"start": 1, "old": "def a():", "new": "def first():"},
        {"start": 5, "old": "    return a()", "new": "    return first()"},
        {"start": 8, "old": "    return a()", "new": "    return first()"},
    ]})
}

/// The same with the version that was read.
async fn rename_as_read(bench: &Bench) -> Value {
    let read = bench.ask("doc.read", json!({"path": "model.py"})).await;
    let mut args = rename();
    args["base"] = json!(words(&read).lines().next().unwrap().rsplit(' ').next().unwrap());
    args
}

#[tokio::test]
async fn a_model_is_told_all_the_lines_that_count_as_shown_to_it() {
    let line = "x = 1  # a line of some length\n";
    let bench = Bench::new(&[("model.py", &line.repeat(1000))]);
    let args = json!({"path": "model.py", "start": 1, "end": 1000});
    let read = bench.propose("doc.read", args.clone()).await;
    let Some(Outcome::Done { observation }) = &read.outcome else { panic!("{:?}", read.outcome) };
    let end = observation.data["end"].as_u64().unwrap();
    assert!(observation.text.len() <= TOLD_BYTES && (300..900).contains(&end), "{} {end}", observation.text.len());
    assert!(observation.text.ends_with(&format!("\n{end}\t{line}… {} more lines, from {}", 1000 - end, end + 1)));
    let all = bench.ask("doc.read", args).await;
    assert!(words(&all).ends_with(&format!("\n1000\t{line}")), "a person reads on");
}

#[tokio::test]
async fn a_person_s_edit_is_made_and_written() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = rename_as_read(&bench).await;
    let record = bench.ask("doc.edit", args).await;
    assert_eq!(record.state, ActionState::Done, "{:#?}", record.outcome);
    let version = bench.document("model.py").version();
    assert_eq!(
        words(&record),
        format!("Edited model.py, 3 changes: line 1, line 5, line 8. Version {}.", version.short())
    );
    assert_eq!(bench.on_disk("model.py"), MODEL.replace("a()", "first()"));
    assert!(record.can_undo);
}

#[tokio::test]
async fn parts_are_accepted_and_rejected_one_by_one_while_somebody_types() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = rename_as_read(&bench).await;
    let record = bench.propose("doc.edit", args).await;
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
    let preview = record.preview.clone().unwrap();
    assert_eq!(preview.summary, "Edit model.py, 3 changes");
    let PreviewBody::Diff { files } = &preview.body else { panic!("an edit shows a diff") };
    assert!(files[0].hunks.iter().all(|hunk| hunk.confidence == Confidence::Exact && hunk.anchor.is_some()));
    assert_eq!(files[0].hunks[2].before, ["    return a()", "", "def c():"]);

    bench.type_in("model.py", |text| format!("# typed\n{text}"));
    bench.decide_part(&record, 2, Choice::Approve).await;
    bench.decide_part(&record, 1, Choice::Reject).await;
    bench.type_in("model.py", |text| format!("# more\n{text}"));
    let record = bench.decide_part(&record, 0, Choice::Approve).await;
    assert_eq!(record.state, ActionState::Done, "{:#?}", record.outcome);
    let expected =
        "# more\n# typed\ndef first():\n    return 1\n\ndef b():\n    return a()\n\ndef c():\n    return first()\n";
    assert_eq!(bench.text("model.py"), expected);

    let child = record.parts.iter().find(|part| part.part == 2).and_then(|part| part.action.clone()).unwrap();
    bench.undo(&bench.gate.record(&child).unwrap()).await;
    assert_eq!(bench.text("model.py"), expected.replace("return first()", "return a()"));
}

#[tokio::test]
async fn undo_keeps_what_was_typed_above_below_and_between() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = rename_as_read(&bench).await;
    let record = bench.act("doc.edit", args).await;
    bench.type_in("model.py", |text| format!("# above\n{}# below\n", text.replace("\ndef b", "\n# between\ndef b")));
    let undo = bench.undo(&record).await;
    let expected = format!("# above\n{}# below\n", MODEL.replace("\ndef b", "\n# between\ndef b"));
    assert_eq!(bench.text("model.py"), expected);
    assert_eq!(bench.gate.record(&record.envelope.id).unwrap().state, ActionState::Undone);
    bench.undo(&undo).await;
    assert_eq!(bench.text("model.py"), expected.replace("a()", "first()"));
    assert_eq!(bench.on_disk("model.py"), expected.replace("a()", "first()"));
}

#[tokio::test]
async fn undo_of_a_line_that_was_typed_over_is_refused_and_changes_nothing() {
    let bench = Bench::new(&[("a.md", "one\ntwo\n")]);
    let record = bench.act("doc.edit", json!({"path": "a.md", "edits": [{"old": "two", "new": "three"}]})).await;
    bench.type_in("a.md", |_| "one\nfour\n".to_owned());
    let undo = bench.gate.undo(&record.envelope.id, common::person(), None).await.unwrap().record;
    assert_eq!(failure(&undo).code, "stale");
    assert_eq!(bench.text("a.md"), "one\nfour\n");
    assert_eq!(bench.gate.record(&record.envelope.id).unwrap().state, ActionState::Done);
}

#[tokio::test]
async fn undo_works_after_a_restart() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = rename_as_read(&bench).await;
    let record = bench.act("doc.edit", args).await;
    bench.type_in("model.py", |text| format!("# typed\n{text}"));
    let bench = bench.started_again();
    bench.undo(&record).await;
    assert_eq!(bench.on_disk("model.py"), format!("# typed\n{MODEL}"));
}

#[tokio::test]
async fn a_proposal_survives_a_restart() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = rename_as_read(&bench).await;
    let record = bench.propose("doc.edit", args).await;
    bench.type_in("model.py", |text| format!("# typed\n{text}"));
    let bench = bench.started_again();
    let done = bench.approve(&record).await;
    assert_eq!(done.state, ActionState::Done, "{:#?}", done.outcome);
    assert_eq!(bench.text("model.py"), format!("# typed\n{}", MODEL.replace("a()", "first()")));
}

#[tokio::test]
async fn an_edit_without_a_place_changes_nothing_and_says_what_is_near() {
    let bench = Bench::new(&[("model.py", MODEL)]);
    let args = json!({"path": "model.py", "edits": [
        {"old": "def a():", "new": "def first():"},
        {"old": "def bee():", "new": "def second():"},
    ]});
    let record = bench.ask("doc.edit", args).await;
    let failure = failure(&record);
    assert_eq!(failure.code, "no_match");
    assert!(failure.message.contains("def b():"), "{}", failure.message);
    assert_eq!(failure.data["failed"][0]["index"], 1);
    assert_eq!(bench.text("model.py"), MODEL);
}

#[tokio::test]
async fn what_can_t_be_edited_is_refused_with_the_reason() {
    let bench = Bench::new(&[("bin", "a\0b"), ("n.ipynb", "{}"), ("a.md", "one\n"), ("sub/x", "")]);
    let edit = |file: &str| json!({"path": file, "edits": [{"old": "{}", "new": "[]"}]});
    for (file, code) in [
        ("bin", "binary"),
        ("n.ipynb", "notebook"),
        ("none.md", "not_found"),
        ("sub", "is_folder"),
        ("a.md", "no_match"),
    ] {
        assert_eq!(failure(&bench.ask("doc.edit", edit(file)).await).code, code, "{file}");
    }
    let missing = bench.ask("doc.edit", edit("none.md")).await;
    assert!(failure(&missing).hint.as_deref().unwrap().contains("doc.create"));
    let old = json!({"path": "a.md", "base": "0123456789ab", "edits": [{"start": 1, "end": 1, "new": "x"}]});
    assert_eq!(failure(&bench.ask("doc.edit", old).await).code, "stale");
    let above = bench.ask("doc.edit", edit("../a.md")).await;
    assert_eq!(above.state, ActionState::Refused);
}

#[tokio::test]
async fn a_guard_asks_even_in_a_thread_that_applies_at_once_and_then_the_file_may_be_emptied() {
    let bench = Bench::new(&[("a.md", "one\ntwo\n")]);
    let args = json!({"path": "a.md", "edits": [{"old": "one\ntwo", "new": ""}]});
    let record = bench.gate.submit(request("doc.edit", args), model(ReviewMode::AutoApply)).await.unwrap().record;
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
    let warnings = &record.preview.as_ref().unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.guard == Guard::Emptying), "{warnings:?}");
    let done = bench.approve(&record).await;
    assert_eq!(done.state, ActionState::Done);
    assert_eq!(bench.on_disk("a.md"), "");
}

#[tokio::test]
async fn an_edit_by_an_action_is_told_to_editors_after_the_change_itself() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    let document = bench.document("a.md");
    let (_peer, mut frames) = document.connect();
    let mut events = bench.workspace.events();
    while frames.try_recv().is_ok() {}
    let record = bench.act("doc.edit", json!({"path": "a.md", "edits": [{"old": "one", "new": "two"}]})).await;
    let action = record.envelope.id;
    assert!(matches!(frames.recv().await, Some(DocumentFrame::Message(_))));
    assert_eq!(frames.recv().await, Some(DocumentFrame::Edited { action: action.clone(), undoes: None }));
    let event = WorkspaceEvent::DocumentEdited { path: path("a.md"), action, undoes: None };
    assert_eq!(events.recv().await.unwrap(), event);
}

#[tokio::test]
async fn loose_places_are_shown_asked_about_and_can_be_decided_by_parts() {
    let bench = Bench::new(&[("a.py", "if x:\n    one()\n    two()\nend()\n")]);
    let args = json!({"path": "a.py", "edits": [
        {"old": "one()\ntwo()", "new": "one(1)\ntwo()"},
        {"old": "end()", "new": "end(1)"},
    ]});
    let record = bench.gate.submit(request("doc.edit", args), model(ReviewMode::AutoApply)).await.unwrap().record;
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
    bench.decide_part(&record, 0, Choice::Approve).await;
    let record = bench.decide_part(&record, 1, Choice::Approve).await;
    assert_eq!(record.state, ActionState::Done, "{:#?}", record.outcome);
    assert_eq!(bench.text("a.py"), "if x:\n    one(1)\n    two()\nend(1)\n");
}

#[tokio::test]
async fn blank_lines_and_insertions_can_be_decided_on_their_own() {
    let bench = Bench::new(&[("a.md", "one\n\ntwo\nthree")]);
    let read = bench.ask("doc.read", json!({"path": "a.md"})).await;
    let base = bench.document("a.md").version();
    assert!(words(&read).contains("1\tone\n2\t\n3\ttwo\n4\tthree\n"), "{}", words(&read));
    let args = json!({"path": "a.md", "base": base.short(), "edits": [
        {"start": 2, "end": 2, "new": ""},
        {"start": 4, "old": "", "new": "\n"},
        {"start": 5, "old": "", "new": "four"},
    ]});
    let record = bench.propose("doc.edit", args).await;
    for part in [2, 0, 1] {
        bench.decide_part(&record, part, Choice::Approve).await;
    }
    assert_eq!(bench.text("a.md"), "one\ntwo\n\nthree\nfour");
}

#[tokio::test]
async fn a_line_far_down_a_large_file_is_edited() {
    let text: String = (0..250_000).map(|line| format!("line {line} of a long file with words\n")).collect();
    assert!(text.len() > 9_000_000);
    let bench = Bench::new(&[("long.txt", &text)]);
    bench.document("long.txt");
    let args = json!({"path": "long.txt", "edits": [{"start": 200_001, "old": "line 200000 of a long file with words", "new": "x"}]});
    bench.act("doc.edit", args).await;
    assert_eq!(bench.text("long.txt").lines().nth(200_000), Some("x"));
}

#[tokio::test]
async fn a_flood_of_changes_is_refused_and_an_undo_of_many_places_is_not() {
    let lines =
        |mark: &'static str| (0..4_000).map(move |line| format!("{}{line}\n", if line % 2 == 0 { mark } else { "" }));
    let (old, new): (String, String) = (lines("old").collect(), lines("new").collect());
    let bench = Bench::new(&[("long.txt", &old)]);
    let flood = vec![json!({"old": "1", "new": "one"}); 1_001];
    let record = bench.ask("doc.edit", json!({"path": "long.txt", "edits": flood})).await;
    assert_eq!(failure(&record).code, "invalid_args");
    let whole = json!({"path": "long.txt", "edits": [{"start": 1, "end": 4000, "old": old, "new": new}]});
    let record = bench.act("doc.edit", whole).await;
    assert_eq!(bench.text("long.txt"), new);
    assert_eq!(bench.undo(&record).await.state, ActionState::Done);
    assert_eq!(bench.text("long.txt"), old);
}

#[tokio::test]
async fn half_of_a_pair_that_is_accepted_alone_says_that_it_leaves_the_text_unbalanced() {
    let bench = Bench::new(&[("a.tex", "\\begin{document}\none\n\ntwo\n\\end{document}\n")]);
    let args = json!({"path": "a.tex", "edits": [
        {"old": "one\n", "new": "\\begin{itemize}\n\\item one\n"},
        {"old": "two\n", "new": "\\item two\n\\end{itemize}\n"},
    ]});
    let record = bench.propose("doc.edit", args).await;
    assert!(record.preview.as_ref().unwrap().warnings.is_empty() && record.verdict.rule == "thread/review-each");
    let record = bench.decide_part(&record, 0, Choice::Approve).await;
    let part = bench.gate.record(record.parts[0].action.as_ref().unwrap()).unwrap();
    assert_eq!((part.state, part.verdict.rule.as_str()), (ActionState::Done, "guard/preview"));
    assert!(part.verdict.reason.contains("itemize"), "{}", part.verdict.reason);
    let record = bench.decide_part(&record, 1, Choice::Approve).await;
    let part = bench.gate.record(record.parts[1].action.as_ref().unwrap()).unwrap();
    assert_eq!((record.state, part.verdict.rule.as_str()), (ActionState::Done, "thread/review-each"));
}

#[tokio::test]
async fn lines_that_are_not_there_are_said_to_be_missing_and_a_moved_version_to_have_moved() {
    let bench = Bench::new(&[("model.py", MODEL), ("empty.py", "")]);
    for (start, end) in [(9, 9), (9, 20), (30, 40), (3, 2)] {
        let read = bench.ask("doc.read", json!({"path": "model.py", "start": start, "end": end})).await;
        assert_eq!(failure(&read).code, "no_such_lines", "{start}-{end}");
    }
    assert!(
        words(&bench.ask("doc.read", json!({"path": "model.py", "start": 8, "end": 20})).await).contains("8-8 of 8")
    );
    assert!(
        words(&bench.ask("doc.read", json!({"path": "empty.py", "start": 1, "end": 9})).await).contains(", empty,")
    );
    let version = bench.document("model.py").version();
    let again = json!({"path": "model.py", "end": 1, "base": version.short()});
    assert!(!words(&bench.ask("doc.read", again.clone()).await).contains("changed"));
    bench.type_in("model.py", |text| format!("# typed\n{text}"));
    let read = words(&bench.ask("doc.read", again).await);
    assert!(read.contains(&format!("\nThe text has changed since version {}.", version.short())), "{read}");
}
