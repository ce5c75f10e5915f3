//! Commands are asked about, run apart, heard, stopped, and taken back.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

use aside_core::{
    ActionRecord, ActionState, Completeness, Label, Outcome, PreviewBody, Problem, ProblemSeverity, ProblemSource,
    ReviewMode, Risk, SandboxLevel, Switch,
};
use aside_gate::GateError;
use serde_json::{Value, json};

use crate::common::{self, Bench, failure, model, path, request, words};

fn data(record: &ActionRecord) -> &Value {
    match &record.outcome {
        Some(Outcome::Done { observation }) => &observation.data,
        other => panic!("not done: {other:#?}"),
    }
}

fn sandboxed(bench: &Bench) -> bool {
    bench.workspace.processes().found().level != SandboxLevel::None
}

#[tokio::test]
async fn a_command_is_asked_about_with_all_that_it_may_do() {
    let bench = Bench::new(&[("src/a.txt", "one\n"), (".gitignore", "build/\n"), ("build/x", "x")]);
    let record = bench.ask("shell.run", json!({"command": "sort a.txt", "cwd": "src", "timeout": 5})).await;
    assert_eq!((record.state, record.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "default/shell"));
    let preview = record.preview.as_ref().unwrap();
    assert_eq!((preview.summary.as_str(), preview.completeness), ("Run `sort a.txt`", Completeness::Opaque));
    let PreviewBody::Command { argv, cwd, network, environment, notes, .. } = &preview.body else {
        panic!("{preview:?}")
    };
    assert_eq!((argv.join(" ").as_str(), cwd.as_str(), *network), ("/bin/sh -c sort a.txt", "src", false));
    assert!(environment.contains(&"PATH".to_owned()) && !environment.iter().any(|name| name.contains("TOKEN")));
    assert_eq!(notes[1], "Changes in this workspace can be undone for 7 days, but not in `build`.");
    assert_eq!(notes[2], "It ends after 5 seconds, with all processes it started.");
    assert_eq!(record.assessment.command.as_deref(), Some("sort a.txt"));
    let networked = bench.ask("shell.run", json!({"command": "curl https://example.org/x", "network": true})).await;
    assert!(networked.envelope.risk_level.contains(Risk::Network));
    assert_eq!(networked.assessment.hosts, ["example.org"]);
}

#[tokio::test]
async fn a_command_that_was_approved_runs_and_can_be_taken_back_and_done_again() {
    let bench = Bench::new(&[("in/a.txt", "one\n"), ("in/b.txt", "two\n")]);
    let line = "echo 1 > a.txt; rm b.txt; mkdir new; echo 3 > new/c.txt; echo said; echo wrong >&2; exit 3";
    let record = bench.act("shell.run", json!({"command": line, "cwd": "in"})).await;
    let said = words(&record);
    assert!(said.starts_with("Exit status 3 after ") && said.ends_with("\nsaid\nwrong"), "{said}");
    assert!(said.contains("Changed 3 files: in/a.txt (changed), in/b.txt (deleted), in/new/c.txt (added)."), "{said}");
    assert_eq!(data(&record)["diffs"][0]["hunks"][0]["new"], json!(["1"]));
    let Some(Outcome::Done { observation }) = &record.outcome else { unreachable!() };
    assert_eq!(observation.label, Label::External);
    let undo = bench.undo(&record).await;
    assert_eq!((bench.on_disk("in/a.txt").as_str(), bench.on_disk("in/b.txt").as_str()), ("one\n", "two\n"));
    assert!(!bench.exists("in/new"));
    bench.undo(&undo).await;
    assert_eq!((bench.on_disk("in/a.txt").as_str(), bench.on_disk("in/new/c.txt").as_str()), ("1\n", "3\n"));
}

#[tokio::test]
async fn what_a_command_that_failed_says_of_a_line_is_a_problem_of_it_until_it_ends_well() {
    let bench = Bench::new(&[("src/model.py", "import os\nx = y\n"), ("other.py", "z = 1\n")]);
    let problems = || {
        let place =
            |problem: Problem| format!("{}:{} {}", problem.path.unwrap(), problem.line.unwrap(), problem.message);
        bench.workspace.problems(None).unwrap().into_iter().map(place).collect::<Vec<_>>()
    };
    let check = "echo 'model.py:2: error: Name \"y\" is not defined'; test -e good";
    let check = json!({"command": check, "cwd": "src"});
    bench.act("shell.run", check.clone()).await;
    assert_eq!(problems(), ["src/model.py:2 Name \"y\" is not defined"]);
    let problem = bench.workspace.problems(None).unwrap().remove(0);
    assert_eq!((problem.source, problem.severity), (ProblemSource::Shell, ProblemSeverity::Error));
    bench.act("shell.run", json!({"command": "true"})).await;
    assert_eq!(problems().len(), 1, "another command says nothing of it");
    bench.act("shell.run", json!({"command": "echo other.py:1:1: F401 unused; exit 1"})).await;
    assert_eq!(problems(), ["other.py:1 F401 unused"]);
    bench.act("shell.run", check.clone()).await;
    bench.act("shell.run", json!({"command": "touch src/good"})).await;
    bench.act("shell.run", check).await;
    assert_eq!(problems(), Vec::<String>::new());
}

#[tokio::test]
async fn what_a_person_typed_since_stays_or_nothing_is_taken_back() {
    let bench = Bench::new(&[("in/a.txt", "one\ntwo\nthree\n"), ("in/b.txt", "b\n")]);
    let record = bench.act("shell.run", json!({"command": "sed -i s/one/1/ a.txt; echo B > b.txt", "cwd": "in"})).await;
    bench.type_in("in/a.txt", |text| text.replace("three", "mine"));
    bench.undo(&record).await;
    assert_eq!((bench.on_disk("in/a.txt").as_str(), bench.on_disk("in/b.txt").as_str()), ("one\ntwo\nmine\n", "b\n"));

    let record = bench.act("shell.run", json!({"command": "sed -i s/two/2/ a.txt; echo B > b.txt", "cwd": "in"})).await;
    bench.type_in("in/a.txt", |text| text.replace('2', "mine as well"));
    let refused = bench.gate.undo(&record.envelope.id, common::person(), None).await.unwrap().record;
    let why = failure(&refused);
    assert_eq!(why.code, "conflict");
    assert!(why.message.contains("`in/a.txt` (it has changed since); nothing was changed"), "{}", why.message);
    assert_eq!(bench.on_disk("in/b.txt"), "B\n");
    let snapshot = &data(&record)["snapshot"];
    let files = json!([{"path": "in/a.txt", "why": "it has changed since"}]);
    assert_eq!(why.data, json!({"files": files, "snapshot": snapshot}));
    bench.act("snapshot.restore", json!({"snapshot": snapshot, "leave_changed": true})).await;
    assert_eq!(
        (bench.text("in/a.txt").as_str(), bench.on_disk("in/b.txt").as_str()),
        ("one\nmine as well\nmine\n", "b\n")
    );
}

#[tokio::test]
async fn a_command_is_ended_with_its_grant_and_what_it_did_so_far_is_on_record() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let stored = bench.gate.grants().create(aside_core::Grant::full("nightly"), "ada").unwrap();
    let id = stored.grant.id.clone().unwrap();
    let origin = aside_core::Origin::Client { user: "ada".to_owned(), grant: id.clone() };
    let submission = aside_gate::Submission::under(stored.grant, origin);
    let line = request("shell.run", json!({"command": "echo begun > a.txt; echo begun; sleep 1000; echo end > a.txt"}));
    let asked = bench.gate.submit(line, submission).await.unwrap().record;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    let mut output = bench.gate.output();
    let revoking = async {
        output.recv().await.unwrap();
        bench.gate.grants().revoke(&id).unwrap()
    };
    let (record, _) = tokio::join!(bench.approve(&asked), revoking);
    assert_eq!((&data(&record)["ended"], bench.on_disk("a.txt").as_str()), (&json!("stopped"), "begun\n"));
    assert!(words(&record).contains("the end of its grant"), "{}", words(&record));
    bench.undo(&record).await;
    assert_eq!(bench.on_disk("a.txt"), "one\n");
}

#[tokio::test]
async fn a_command_is_heard_while_it_runs_and_stopped_with_what_it_did_so_far() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let asked = bench.ask("shell.run", json!({"command": "echo 1 > a.txt; echo begun; sleep 600"})).await;
    let mut output = bench.gate.output();
    let stopping = async {
        while !output.recv().await.unwrap().piece.text.contains("begun") {}
        bench.gate.stop(&asked.envelope.id, "ada").await.unwrap()
    };
    let (record, _) = tokio::join!(bench.approve(&asked), stopping);
    assert!(words(&record).starts_with("Stopped by ada after "), "{}", words(&record));
    assert_eq!(data(&record)["ended"], "stopped");
    bench.undo(&record).await;
    assert_eq!(bench.on_disk("a.txt"), "one\n");
}

#[tokio::test]
async fn a_model_sees_the_ends_of_a_flood_and_reads_the_rest_by_its_handle() {
    let bench = Bench::new(&[]);
    let asked = bench.propose("shell.run", json!({"argv": ["seq", "1", "50000"]})).await;
    let record = bench.approve(&asked).await;
    let said = words(&record);
    assert!(said.len() < 4_000 && said.contains("\n1\n2\n") && said.ends_with("\n50000"), "{said}");
    let handle = data(&record)["output"]["handle"].as_str().unwrap();
    assert!(said.contains(&format!("`shell.output` with `output` {handle}")));
    let page = bench.propose("shell.output", json!({"output": handle, "start": 25_000, "end": 25_001})).await;
    assert_eq!(words(&page), "lines 25000-25001 of 50000\n25000\n25001\n");
    let unknown = bench.ask("shell.output", json!({"output": "0".repeat(64)})).await;
    assert_eq!(failure(&unknown).code, "not_kept");
    // A text that is kept for another reason is no output.
    bench.act("file.create", json!({"path": "kept.txt", "text": "secret"})).await;
    bench.act("file.delete", json!({"path": "kept.txt"})).await;
    let other = bench.ask("shell.output", json!({"output": aside_core::Sha256::of("secret")})).await;
    assert_eq!(failure(&other).code, "not_kept");
}

#[tokio::test]
async fn what_governs_programs_is_as_it_was_afterwards() {
    let bench = Bench::new(&[(".envrc", "export A=1\n"), ("src/a.txt", "one\n")]);
    let line = "echo evil > .envrc; mkdir -p src/.vscode && echo evil > src/.vscode/tasks.json; echo 1 > src/a.txt";
    let record = bench.act("shell.run", json!({"command": line})).await;
    assert_eq!((bench.on_disk(".envrc").as_str(), bench.exists("src/.vscode/tasks.json")), ("export A=1\n", false));
    assert_eq!(data(&record)["changed"], json!([{"path": "src/a.txt", "change": "changed"}]));
}

#[tokio::test]
async fn a_folder_that_became_a_link_is_not_the_one_that_was_shown() {
    let bench = Bench::new(&[("shown/a.txt", "one\n"), ("other/a.txt", "other\n")]);
    let asked = bench.ask("shell.run", json!({"command": "echo evil > a.txt", "cwd": "shown"})).await;
    let at = |name: &str| bench.folder.path().join(name);
    std::fs::rename(at("shown"), at("moved")).unwrap();
    std::os::unix::fs::symlink("other", at("shown")).unwrap();
    let again =
        bench.gate.decide(&asked.envelope.id, aside_core::Decision::approve(asked.approval_hash.clone()), "ada");
    assert!(
        matches!(again.await, Err(GateError::Stale { record, .. }) if record.state == ActionState::AwaitingConfirmation)
    );
    assert_eq!(bench.on_disk("other/a.txt"), "other\n");
    let outside = tempfile::tempdir().unwrap();
    std::fs::remove_file(at("shown")).unwrap();
    std::os::unix::fs::symlink(outside.path(), at("shown")).unwrap();
    let out = bench.ask("shell.run", json!({"command": "ls", "cwd": "shown"})).await;
    assert_eq!(failure(&out).code, "outside");
}

#[tokio::test]
async fn a_grant_for_writing_is_none_for_commands() {
    use aside_core::{Grant, GrantLimits};
    let bench = Bench::new(&[]);
    let limits = GrantLimits { risks: Some([Risk::Read, Risk::Write].into()), ..GrantLimits::default() };
    let submission = aside_gate::Submission { grant: Grant::limited("writer", limits), ..model(ReviewMode::AutoApply) };
    let record = bench.gate.submit(request("shell.run", json!({"command": "ls"})), submission).await.unwrap().record;
    assert_eq!(failure(&record).code, "not_granted");
}

#[tokio::test]
async fn what_cannot_run_says_why_and_leaves_nothing() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let record = bench.ask("shell.run", json!({})).await;
    assert_eq!((record.state, failure(&record).code.as_str()), (ActionState::Refused, "invalid_args"));
    let asked = bench.ask("shell.run", json!({"argv": ["no-such-program-anywhere"]})).await;
    let record = bench.approve(&asked).await;
    if !sandboxed(&bench) {
        assert_eq!(failure(&record).code, "not_started");
    }
    assert!(!record.can_undo);
    let snapshots = bench.folder.path().join(".aside/snapshots");
    assert_eq!(std::fs::read_dir(snapshots).map(Iterator::count).unwrap_or_default(), 0);
    assert!(bench.workspace.label_of(&path("a.txt")).label < Label::External);
}

#[tokio::test]
async fn a_command_that_has_a_network_ends_when_local_only_is_turned_on() {
    let bench = Bench::new(&[("out/a.txt", "")]);
    let begun = bench.workspace.folder().join("out/begun");
    bench.workspace.processes().follow_local_only(Switch::by(move || begun.exists()));
    let line = "echo > out/begun; while :; do sleep 1; done";
    let record = bench.act("shell.run", json!({"command": line, "network": true})).await;
    assert!(words(&record).starts_with("Stopped by Local only after "), "{}", words(&record));
    let refused = bench.ask("shell.run", json!({"command": "true", "network": true})).await;
    assert_eq!(failure(&refused).code, "local_only");
    assert_eq!(bench.act("shell.run", json!({"command": "true"})).await.state, ActionState::Done);
}
