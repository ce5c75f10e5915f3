//! Where content comes from, as file actions say it.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::fs;

use aside_core::{ActionRecord, ActionState, Label, LabelSource, Origin, Provenance, ReviewMode};
use aside_gate::Submission;
use aside_workspace::MOST_FILES;
use serde_json::{Value, json};

use crate::common::{Bench, failure, model, path, request, words};

/// The label of what was told, and the names of what gave it.
fn told(record: &ActionRecord) -> (Label, Vec<String>) {
    let told = record.told_from();
    let gravest = told.sources.iter().filter(|source| source.label == told.label);
    (told.label, gravest.map(|source| source.what.clone()).collect())
}

/// A model asks that has read a log, and a person says yes if asked.
async fn led(bench: &Bench, name: &str, args: Value) -> ActionRecord {
    let provenance = Provenance::of(LabelSource::external("main.log", "a log"));
    let submission = Submission { provenance, ..model(ReviewMode::AutoApply) };
    let record = bench.gate.submit(request(name, args), submission).await.unwrap().record;
    if record.state == ActionState::AwaitingConfirmation { bench.approve(&record).await } else { record }
}

/// The files among these that are from outside.
fn outside<'a>(bench: &Bench, files: &[&'a str]) -> Vec<&'a str> {
    let is_outside = |file: &&&str| bench.workspace.label_of(&path(file)).label == Label::External;
    files.iter().filter(is_outside).copied().collect()
}

#[tokio::test]
async fn what_a_model_writes_after_reading_from_outside_is_from_outside() {
    let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "b\n"), ("c.md", "c\n"), ("d.md", "d\n"), ("main.log", "")]);
    std::os::unix::fs::symlink("c.md", bench.folder.path().join("link.md")).unwrap();
    led(&bench, "doc.edit", json!({"path": "a.md", "edits": [{"old": "one\n", "new": "obey\n"}]})).await;
    led(&bench, "file.copy", json!({"from": "b.md", "to": "copy.md"})).await;
    led(&bench, "doc.edit", json!({"path": "link.md", "edits": [{"old": "c\n", "new": "obey\n"}]})).await;
    led(&bench, "file.move", json!({"from": "d.md", "to": "obey.md"})).await;
    led(&bench, "doc.create", json!({"path": "notes/new.md", "text": "obey\n"})).await;
    led(&bench, "file.create", json!({"path": "obey the names", "folder": true})).await;
    let files = ["a.md", "b.md", "copy.md", "c.md", "d.md", "obey.md", "notes/new.md", "notes", "obey the names"];
    let expected = ["a.md", "copy.md", "c.md", "obey.md", "notes/new.md", "obey the names"];
    assert_eq!(outside(&bench, &files), expected);
    assert!(bench.workspace.label_of(&path("a.md")).why.contains("main.log"));
    let bench = bench.started_again();
    assert_eq!(outside(&bench, &files), expected);
    let record = bench.ask("doc.read", json!({"path": "a.md"})).await;
    assert_eq!(told(&record), (Label::External, vec!["a.md".to_owned()]));
}

#[tokio::test]
async fn what_was_not_written_or_not_led_from_outside_is_as_it_was() {
    let bench = Bench::new(&[("a.md", "one\n"), ("b.md", "two\n"), ("gone.md", "")]);
    let edit = |old| json!({"path": "a.md", "edits": [{"old": old, "new": "x\n"}]});
    led(&bench, "doc.edit", edit("not there at all, and nothing like it\n")).await;
    led(&bench, "file.delete", json!({"path": "gone.md"})).await;
    bench.ask("doc.edit", json!({"path": "b.md", "edits": [{"old": "two\n", "new": "2\n"}]})).await;
    assert_eq!(outside(&bench, &["a.md", "b.md", "gone.md"]), [""; 0]);
}

#[tokio::test]
async fn what_a_command_wrote_is_from_outside_even_among_too_many_files_to_compare() {
    let files = [("in/notes.md", "mine\n"), ("in/mine.md", "mine\n"), ("in/main.log", "obey\n")];
    let bench = Bench::new(&[&files[..], &[(".gitignore", "build/\n"), ("in/build/old/a.md", "obey\n")]].concat());
    fs::create_dir(bench.folder.path().join("many")).unwrap();
    for number in 0..=MOST_FILES {
        fs::File::create(bench.folder.path().join(format!("many/{number}"))).unwrap();
    }
    let line = "cat main.log > notes.md; mv build/old kept";
    let record = led(&bench, "shell.run", json!({"command": line, "cwd": "in"})).await;
    let said = words(&record);
    assert!(said.contains("are unknown and can't be undone. While it ran, "), "{said}");
    assert!(said.contains("`in/notes.md`") && said.contains("`in/kept`") && !said.contains("mine.md"), "{said}");
    bench.act("shell.run", json!({"command": "echo obey > new.md", "cwd": "in", "network": true})).await;
    let files = ["in/notes.md", "in/kept/a.md", "in/mine.md", "in/new.md"];
    assert_eq!(outside(&bench, &files), ["in/notes.md", "in/kept/a.md", "in/new.md"]);
}

#[tokio::test]
async fn what_a_command_wrote_is_from_outside_even_if_it_could_not_be_compared() {
    let bench = Bench::new(&[("in/a.md", "mine\n")]);
    let line = "echo obey > a.md; echo begun; until [ -e go ]; do sleep 0.01; done";
    let asked = bench.ask("shell.run", json!({"command": line, "cwd": "in", "network": true})).await;
    let mut output = bench.gate.output();
    let damage = async {
        output.recv().await.unwrap();
        for copy in fs::read_dir(bench.folder.path().join(".aside/copies")).unwrap() {
            fs::write(copy.unwrap().path(), "").unwrap();
        }
        fs::write(bench.folder.path().join("in/go"), "").unwrap();
    };
    let (record, ()) = tokio::join!(bench.approve(&asked), damage);
    let said = words(&record);
    assert!(said.contains("are unknown") && said.contains("`in/a.md`"), "{said}");
    assert_eq!(outside(&bench, &["in/a.md"]), ["in/a.md"]);
}

#[tokio::test]
async fn writer_decides_whose_a_file_is() {
    let files = [("a.md", "one\n"), ("main.log", "obey this line at once\n"), ("b.md", "two\n"), ("c.md", "x\n")];
    let bench = Bench::new(&files);
    let whose = |file: &str| bench.workspace.label_of(&path(file)).written_by();
    led(&bench, "doc.edit", json!({"path": "a.md", "edits": [{"old": "one\n", "new": "1\n"}]})).await;
    led(&bench, "file.copy", json!({"from": "main.log", "to": "copy.md"})).await;
    led(&bench, "shell.run", json!({"command": "cat main.log > b.md"})).await;
    assert_eq!((whose("a.md"), whose("copy.md"), whose("b.md")), (Label::Model, Label::External, Label::External));
    let source = bench.workspace.label_of(&path("a.md"));
    assert_eq!(source.why, "the assistant wrote it after reading main.log: a log");
    assert_eq!(source.label, Label::External, "rules go by what was read");
    led(&bench, "doc.edit", json!({"path": "b.md", "edits": [{"old": "obey this line at once\n", "new": "y\n"}]}))
        .await;
    assert_eq!(whose("b.md"), Label::External, "help makes nobody else's words yours");
    bench.act("doc.edit", json!({"path": "c.md", "edits": [{"old": "x\n", "new": "y\n"}]})).await;
    assert_eq!(whose("c.md"), Label::Workspace);
}

#[tokio::test]
async fn an_undo_takes_no_label_away() {
    let bench = Bench::new(&[("a.md", "one\n")]);
    let record = led(&bench, "doc.edit", json!({"path": "a.md", "edits": [{"old": "one\n", "new": "two\n"}]})).await;
    bench.undo(&record).await;
    assert_eq!(outside(&bench, &["a.md"]), ["a.md"]);
}

#[tokio::test]
async fn a_person_says_what_is_theirs_and_a_model_or_a_program_cannot() {
    let bench = Bench::new(&[("my.log", ""), ("a.md", "")]);
    let mine = json!({"path": "my.log", "label": "workspace"});
    let (user, client) = ("ada".to_owned(), "other".to_owned());
    let mcp = Submission::person(Origin::Mcp { user: user.clone(), client, session: None });
    for submission in [model(ReviewMode::AutoApply), mcp] {
        let record = bench.gate.submit(request("file.label", mine.clone()), submission).await.unwrap().record;
        assert_eq!(record.state, ActionState::Refused);
    }
    assert_eq!(outside(&bench, &["my.log"]), ["my.log"]);
    let said = bench.act("file.label", mine).await;
    assert_eq!(outside(&bench, &["my.log"]), [""; 0]);
    assert!(bench.workspace.label_of(&path("my.log")).why.contains("ada says"));
    let undo = bench.undo(&said).await;
    assert_eq!(outside(&bench, &["my.log"]), ["my.log"]);
    bench.undo(&undo).await;
    assert_eq!(outside(&bench, &["my.log"]), [""; 0]);
    bench.act("file.label", json!({"path": "a.md", "label": "external"})).await;
    assert_eq!(outside(&bench, &["a.md"]), ["a.md"]);
    bench.act("file.label", json!({"path": "a.md"})).await;
    assert_eq!(outside(&bench, &["a.md"]), [""; 0]);
}

#[tokio::test]
async fn what_is_read_has_the_label_of_its_file() {
    let bench = Bench::new(&[("a.md", "mine\n"), ("main.log", "obey\n"), ("node_modules/x/README.md", "obey\n")]);
    std::os::unix::fs::symlink("node_modules/x/README.md", bench.folder.path().join("b.md")).unwrap();
    for action in ["doc.read", "file.read"] {
        let own = bench.ask(action, json!({"path": "a.md"})).await;
        assert_eq!(told(&own), (Label::Workspace, vec!["a.md".to_owned()]));
        for path in ["main.log", "node_modules/x/README.md", "b.md"] {
            let record = bench.ask(action, json!({"path": path})).await;
            assert_eq!(told(&record), (Label::External, vec![path.to_owned()]), "{action}");
            assert!(record.told_from().sources[0].action.is_some());
        }
    }
}

#[tokio::test]
async fn a_listing_has_the_label_of_the_names_in_it() {
    let bench = Bench::new(&[("a.md", ""), ("node_modules/x/obey me.md", ""), ("logs/obey.log", "")]);
    assert_eq!(told(&bench.ask("file.list", json!({})).await).0, Label::Workspace);
    let listed = bench.ask("file.list", json!({"folder": "logs"})).await;
    assert_eq!(told(&listed), (Label::External, vec!["logs/obey.log".to_owned()]));
    let listed = bench.ask("file.list", json!({"folder": "node_modules/x"})).await;
    assert_eq!(told(&listed).0, Label::External);
}

#[tokio::test]
async fn what_could_not_be_done_tells_of_the_file_all_the_same() {
    let bench = Bench::new(&[("main.log", "Overfull hbox, obey me at once\n")]);
    let args = json!({"path": "main.log", "edits": [{"old": "Overfull box, obey me at once\n", "new": "x\n"}]});
    let record = bench.propose("doc.edit", args).await;
    assert_eq!(failure(&record).code, "no_match");
    assert_eq!(told(&record), (Label::External, vec!["main.log".to_owned()]));
    let missing = bench.ask("doc.read", json!({"path": "main.log", "start": 9})).await;
    assert_eq!(told(&missing).0, Label::External);
}

#[tokio::test]
async fn twenty_thousand_names_are_labelled_with_one_look_at_what_is_known() {
    let bench = Bench::new(&[(".gitignore", "*.tmp\n")]);
    for number in 0..20_000 {
        fs::write(bench.folder.path().join(format!("file{number}.txt")), "").unwrap();
    }
    fs::write(bench.folder.path().join("zz.tmp"), "").unwrap();
    let entries = bench.workspace.list(None).unwrap();
    let outside = bench.workspace.outside_name(&entries).unwrap().unwrap();
    assert_eq!((entries.len(), outside.what.as_str()), (20_002, "zz.tmp"));
}
