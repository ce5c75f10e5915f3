//! `notebook.run` with ipykernel.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    sync::Arc,
    time::Duration,
};

use aside_core::{
    ActionRecord, ActionRequest, ActionState, Assessment, Decision, Descriptor, Failure, Guard, LabelSource, Outcome,
    Preview, PreviewBody, Provenance, ReviewMode, Risk, RunMode, SandboxLevel, WorkspacePath,
};
use aside_doc::{CellChange, Splice};
use aside_gate::{ActionContext, GateError, Handler, Run, Submission};
use aside_kernels::{SessionOptions, Sessions};
use aside_notebook::CellKey;
use aside_store::{Store, StoreOptions};
use aside_workspace::{CellsRefused, Document};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::common::{self, Bench, path, person};

fn notebook(sources: &[&str]) -> String {
    let cell = |(at, source): (usize, &&str)| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": [], "source": [source]});
    let cells: Vec<Value> = sources.iter().enumerate().map(cell).collect();
    let metadata =
        json!({"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "x": 1.0});
    serde_json::to_string_pretty(&json!({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))
        .unwrap()
}

/// A workspace with a notebook and an environment that has a kernel.
fn bench(text: &str) -> Option<Bench> {
    let prefix = aside_testkit::python()?;
    let bench = Bench::new(&[("analysis.ipynb", text)]);
    symlink(prefix, bench.folder.path().join(".venv")).unwrap();
    Some(bench)
}

fn read(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.folder.path().join(name)).unwrap()
}

#[tokio::test]
async fn only_outputs_and_counts_change_and_the_run_can_be_undone() {
    let text = notebook(&["print('a'); x = 41", "x + 1"]);
    let Some(bench) = bench(&text) else { return };
    let record = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    let after = read(&bench, "analysis.ipynb");
    let value: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(value["cells"][0]["outputs"], json!([{"name": "stdout", "output_type": "stream", "text": ["a\n"]}]));
    assert_eq!(value["cells"][1]["outputs"][0]["data"], json!({"text/plain": ["42"]}));
    assert_eq!((&value["cells"][0]["execution_count"], &value["cells"][1]["execution_count"]), (&json!(1), &json!(2)));
    assert!(after.contains("\"x\": 1.0") && value["metadata"]["language_info"]["name"] == "python", "{after}");
    assert!(text.lines().filter(|line| !after.contains(*line)).count() <= 6, "{after}");
    bench.undo(&record).await;
    assert_eq!(read(&bench, "analysis.ipynb"), text);
}

/// Runs a notebook whose first cell waits until a file is there, and changes a document meanwhile: adds a line to the last
/// cell, and takes the middle one away.
async fn changed_while_it_runs(bench: &Bench, args: Value, document: &str) -> (ActionRecord, Arc<Document>) {
    let document = bench.workspace.document(&WorkspacePath::new(document).unwrap()).unwrap();
    let ran = bench.act("notebook.run", args);
    let meanwhile = async {
        while !bench.folder.path().join("began").exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let key = |key: &str| CellKey(key.to_owned());
        let splices = vec![Splice { range: 0..0, insert: "# typed\n".to_owned() }];
        let changes = vec![CellChange::Source { key: key("c2"), splices }, CellChange::Remove { key: key("c1") }];
        let action = "act_00000000000000000000000001".parse().unwrap();
        document.change_cells(|_| Ok::<_, CellsRefused>(changes), &action, None).unwrap();
        fs::write(bench.folder.path().join("go"), "").unwrap();
    };
    let (record, ()) = tokio::join!(ran, meanwhile);
    (record, document)
}

const WAITS: &str = "import os, time\nopen('began', 'w').close()\nwhile not os.path.exists('go'): time.sleep(0.01)";

#[tokio::test]
async fn what_people_change_while_a_notebook_runs_stays() {
    for output in [None, Some("other.ipynb")] {
        let Some(bench) = bench(&notebook(&[WAITS, "2", "print('c')"])) else { return };
        let target = output.unwrap_or("analysis.ipynb");
        if output.is_some() {
            fs::write(bench.folder.path().join(target), notebook(&[WAITS, "2", "print('c')"])).unwrap();
        }
        let args = json!({"path": "analysis.ipynb", "output": output});
        let (record, document) = changed_while_it_runs(&bench, args, target).await;
        let ran = document.text();
        let value: Value = serde_json::from_str(&ran).unwrap();
        let sources: Vec<_> = value["cells"].as_array().unwrap().iter().map(|cell| &cell["source"]).collect();
        assert_eq!(sources[1..], [&json!(["# typed\n", "print('c')"])], "{ran}");
        assert_eq!(value["cells"][1]["outputs"][0]["text"], json!(["c\n"]), "{ran}");
        assert_eq!(read(&bench, target), *ran);
        bench.undo(&record).await;
        let value: Value = serde_json::from_str(&document.text()).unwrap();
        assert_eq!(value["cells"][1]["source"], json!(["# typed\n", "print('c')"]));
        assert_eq!(value["cells"][1]["outputs"], json!([]));
    }
}

#[tokio::test]
async fn a_notebook_that_is_open_is_run_as_it_is_before_it_is_saved() {
    let Some(bench) = bench(&notebook(&["print('file')"])) else { return };
    let document = bench.workspace.document(&WorkspacePath::new("analysis.ipynb").unwrap()).unwrap();
    let splices = vec![Splice { range: 7..11, insert: "typed".to_owned() }];
    let changes = vec![CellChange::Source { key: CellKey("c0".to_owned()), splices }];
    let action = "act_00000000000000000000000001".parse().unwrap();
    document.change_cells(|_| Ok::<_, CellsRefused>(changes), &action, None).unwrap();
    bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    assert!(read(&bench, "analysis.ipynb").contains("\"typed\\n\""));
}

#[tokio::test]
async fn a_yes_is_for_the_code_that_was_there_when_it_was_asked_for() {
    let Some(bench) = bench(&notebook(&["print('a')"])) else { return };
    let asked = bench.propose("notebook.run", json!({"path": "analysis.ipynb"})).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    let other = notebook(&["print('b')"]);
    fs::write(bench.folder.path().join("analysis.ipynb"), &other).unwrap();
    let yes = Decision::approve(asked.approval_hash.clone());
    let error = bench.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap_err();
    let GateError::Stale { record, .. } = error else { panic!("{error}") };
    assert_eq!((record.preview, read(&bench, "analysis.ipynb")), (asked.preview, other));
}

#[tokio::test]
async fn a_cell_that_fails_is_named_and_what_came_before_is_kept() {
    let Some(bench) = bench(&notebook(&["1", "print('b')\n1/0", "3"])) else { return };
    let args = json!({"path": "analysis.ipynb", "output": "analysis.run.ipynb"});
    let record = bench.act("notebook.run", args).await;
    let Some(Outcome::Done { observation }) = record.outcome else { panic!("not done") };
    assert_eq!(observation.data["failed"], "cell 2 of 3 (c1): ZeroDivisionError: division by zero");
    let value: Value = serde_json::from_str(&read(&bench, "analysis.run.ipynb")).unwrap();
    let kinds: Vec<_> =
        value["cells"][1]["outputs"].as_array().unwrap().iter().map(|one| &one["output_type"]).collect();
    assert_eq!(kinds, ["stream", "error"]);
    assert_eq!(value["cells"][2]["execution_count"], Value::Null);
}

#[tokio::test]
async fn cells_for_ai_are_passed_over_and_named() {
    let mut text: Value = serde_json::from_str(&notebook(&["1", "What is it?"])).unwrap();
    text["cells"][1]["metadata"] = json!({"aside": {"cell": "ai"}});
    let Some(bench) = bench(&text.to_string()) else { return };
    let record = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    let said = "An AI cell is skipped (`c1`): AI cells answer only where the notebook is open.";
    let PreviewBody::Command { notes, .. } = &record.preview.as_ref().unwrap().body else { panic!("{record:?}") };
    assert_eq!(notes[1], said);
    let Some(Outcome::Done { observation }) = record.outcome else { panic!("not done") };
    assert_eq!((&observation.data["cells"], &observation.data["passed_over"]), (&json!(1), &json!(["c1"])));
    assert!(observation.text.ends_with(said), "{}", observation.text);
}

#[tokio::test]
async fn widgets_are_kept_in_the_metadata() {
    let code = "import ipywidgets\nslider = ipywidgets.IntSlider(value=3)\nslider.value = 5\nslider";
    let Some(bench) = bench(&notebook(&[code])) else { return };
    let libraries = fs::read_dir(bench.folder.path().join(".venv/lib")).unwrap().flatten();
    if !libraries.into_iter().any(|version| version.path().join("site-packages/ipywidgets").is_dir()) {
        eprintln!("NOT TESTED: there is no ipywidgets beside the kernel");
        return;
    }
    bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    let value: Value = serde_json::from_str(&read(&bench, "analysis.ipynb")).unwrap();
    let saved = &value["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"];
    assert_eq!((&saved["version_major"], &saved["version_minor"]), (&json!(2), &json!(0)));
    let view = &value["cells"][0]["outputs"][0]["data"]["application/vnd.jupyter.widget-view+json"];
    let slider = &saved["state"][view["model_id"].as_str().unwrap()];
    assert_eq!((&slider["model_name"], &slider["state"]["value"]), (&json!("IntSliderModel"), &json!(5)));
}

#[tokio::test]
async fn a_run_that_could_not_be_written_does_not_begin() {
    let text = notebook(&["open('began', 'w').close()"]);
    let Some(bench) = bench(&text) else { return };
    let file = bench.folder.path().join("analysis.ipynb");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    // The superuser may write anything.
    if fs::OpenOptions::new().write(true).open(&file).is_ok() {
        return;
    }
    let record = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    assert_eq!(record.state, ActionState::Failed);
    assert_eq!((read(&bench, "analysis.ipynb"), bench.folder.path().join("began").exists()), (text, false));
}

#[tokio::test]
async fn a_cell_that_takes_too_long_is_interrupted_and_errors_may_be_allowed() {
    let Some(bench) = bench(&notebook(&["1/0", "import time; time.sleep(60)"])) else { return };
    let args = json!({"path": "analysis.ipynb", "timeout": 1, "allow_errors": true});
    let Some(Outcome::Done { observation }) = bench.act("notebook.run", args).await.outcome else { panic!("not done") };
    assert_eq!(observation.data["failed"], "cell 2 of 2 (c1): it took longer than 1 s and was interrupted");
    assert!(read(&bench, "analysis.ipynb").contains("KeyboardInterrupt"));
}

#[tokio::test]
async fn a_cell_that_puts_out_too_much_says_once_what_was_not_kept() {
    let Some(bench) = bench(&notebook(&["for n in range(200): print('x' * 1_000_000)", "2"])) else { return };
    let ran = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    let Some(Outcome::Done { observation }) = ran.outcome else { panic!("not done") };
    let failed = observation.data["failed"].as_str().unwrap();
    assert!(
        failed.starts_with("cell 1 of 2 (c0): the cell was interrupted because its output exceeded 64 MB"),
        "{failed}"
    );
    assert!(failed.contains("write large output to a file instead"), "{failed}");
    let text = read(&bench, "analysis.ipynb");
    assert_eq!(text.matches("output after this was dropped").count(), 1);
    assert!((64 << 20..70 << 20).contains(&text.len()), "{}", text.len());
}

/// R's kernel asks although it is told that nobody would answer; so does this.
#[tokio::test]
async fn a_cell_that_asks_for_input_where_nobody_is_ends() {
    let Some(bench) = bench(&notebook(&["get_ipython().kernel._allow_stdin = True\nprint('so far'); input('who? ')"]))
    else {
        return;
    };
    let ran = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    let Some(Outcome::Done { observation }) = ran.outcome else { panic!("not done") };
    let failed = observation.data["failed"].as_str().unwrap();
    assert_eq!(failed, "cell 1 of 1 (c0): it asks for input, which only a run in a window can give");
    assert!(read(&bench, "analysis.ipynb").contains("so far"));
}

#[tokio::test]
async fn what_a_person_keeps_from_models_is_not_run_for_them_and_the_json_is_not_read() {
    let text = notebook(&["print('secret')", "print('shown')"]);
    for mark in [r#"{"aiContextVisible": false}"#, r#"{"aside": {"ai_hidden": true}}"#] {
        let marked = text.replacen(r#""metadata": {}"#, &format!(r#""metadata": {mark}"#), 1);
        assert_ne!(marked, text);
        let Some(bench) = bench(&marked) else { return };
        let _sessions = with_kernels(&bench);
        for (action, args) in [("doc.read", json!({})), ("file.read", json!({}))] {
            let mut args = args;
            args["path"] = json!("analysis.ipynb");
            let read = bench.propose(action, args.clone()).await;
            let refused = common::failure(&read);
            assert!(
                refused.code == "notebook" && refused.hint.as_deref().unwrap().contains("notebook.read"),
                "{action}"
            );
            assert!(common::words(&bench.ask(action, args).await).contains("secret"), "the person reads it");
        }
        let named = bench.propose("cell.run", json!({"path": "analysis.ipynb", "cells": ["c0"]})).await;
        assert_eq!(common::failure(&named).code, "not_found");
        let all = bench.propose("cell.run", json!({"path": "analysis.ipynb", "part": "all"})).await;
        let shown = format!("{:?}", all.preview);
        assert!(shown.contains("shown") && !shown.contains("secret"), "{shown}");
        let ran = bench.approve(&all).await;
        let told = common::words(&ran);
        assert!(told.contains("stdout:\nshown") && !told.contains("secret"), "{told}");
        bench.act("kernel.shutdown", json!({"path": "analysis.ipynb"})).await;
    }
}

/// With the kernels of the workspace's notebooks.
pub fn with_kernels(bench: &Bench) -> Arc<Sessions> {
    let store = Store::open(&bench.folder.path().join("kernels"), StoreOptions::for_tests()).unwrap();
    let options = SessionOptions::for_tests(bench.folder.path());
    let sessions = Sessions::open(bench.workspace.clone(), store, options).unwrap();
    let actions = aside_actions::kernel_actions(&bench.workspace, &sessions);
    bench.gate.catalog().replace(|_| false, actions).unwrap();
    sessions
}

#[tokio::test]
async fn a_person_runs_cells_by_asking_and_a_model_is_asked_back() {
    let Some(bench) = bench(&notebook(&["print('a' * 9000)\n1/0", "x = 1"])) else { return };
    let _sessions = with_kernels(&bench);
    let args = json!({"path": "analysis.ipynb", "cells": ["c0", "c1"], "wait": true});
    let record = bench.ask("cell.run", args.clone()).await;
    let Some(Outcome::Done { observation }) = record.outcome else { panic!("{:?}", record.outcome) };
    let states: Vec<_> = observation.data["cells"].as_array().unwrap().iter().map(|cell| &cell["state"]).collect();
    assert_eq!(states, ["failed", "aborted"]);
    assert!(
        observation.text.contains("characters are left out; `notebook.read` has the whole as output 1 of the cell")
    );
    assert_eq!(observation.data["cells"][0]["outputs"][0]["output"], 1);
    // The document has what was put out a moment later.
    let reading = async {
        let whole = json!({"path": "analysis.ipynb", "cells": ["c0"], "output": 1});
        while !common::words(&bench.ask("notebook.read", whole.clone()).await).contains("output 1: stdout\n1\taaa") {}
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.expect("the number finds it");
    assert!(
        observation.text.contains("\nZeroDivisionError: division by zero\ncell c1 did not run"),
        "{}",
        observation.text
    );
    let proposed = bench.propose("cell.run", args).await;
    assert_eq!(proposed.state, ActionState::AwaitingConfirmation);
    let stale = json!({"path": "analysis.ipynb", "cells": ["c1"], "versions": {"c1": "0123456789"}});
    assert!(
        matches!(bench.ask("cell.run", stale).await.outcome, Some(Outcome::Failed { failure }) if failure.code == "stale")
    );
    bench.act("kernel.restart", json!({"path": "analysis.ipynb"})).await;
    bench.act("kernel.shutdown", json!({"path": "analysis.ipynb"})).await;
}

#[tokio::test]
async fn what_a_notebook_s_own_runs_put_out_leads_to_the_next_run_only_where_a_person_wished_it() {
    let Some(bench) = bench(&notebook(&["print('o' + 'urs')", "x = 1"])) else { return };
    fs::write(bench.folder.path().join("other.ipynb"), notebook(&["2"])).unwrap();
    let _sessions = with_kernels(&bench);
    let run = |cell: &str| json!({"path": "analysis.ipynb", "cells": [cell], "wait": true});
    bench.act("cell.run", run("c0")).await;
    let notebook = path("analysis.ipynb");
    let read = loop {
        let read = bench.ask("notebook.read", json!({"path": notebook})).await;
        if common::words(&read).contains("ours") {
            break read;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let known = read.told_from();
    assert!(known.is_external() && known.is_only_runs_of(&notebook), "{known:?}");
    // Each is another call: the same one again is answered with what came of it.
    let calls = std::cell::Cell::new(0);
    let asks = async |action: &str, args: Value, runs: RunMode, known: &Provenance| {
        calls.set(calls.get() + 1);
        let key = Some(format!("call {}", calls.get()));
        let request = ActionRequest { idempotency_key: key, ..common::request(action, args) };
        let model = Submission {
            runs,
            runs_after_outputs: Some(notebook.clone()),
            provenance: known.clone(),
            ..common::model(ReviewMode::AutoApply)
        };
        bench.gate.submit(request, model).await.unwrap().record
    };
    let unwished =
        Submission { runs: RunMode::Auto, provenance: known.clone(), ..common::model(ReviewMode::AutoApply) };
    let asked = bench.gate.submit(common::request("cell.run", run("c0")), unwished).await.unwrap().record;
    assert_eq!((asked.state, asked.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "label/own-outputs"));
    let ran = asks("cell.run", run("c1"), RunMode::Auto, &known).await;
    assert_eq!(ran.state, ActionState::Done, "{ran:?}");
    assert!(ran.told_from().is_only_runs_of(&notebook));
    let edits = json!({"path": notebook, "cell": "c1", "edits": [{"old": "x = 1", "new": "x = 2"}]});
    assert_eq!(asks("cell.edit", edits, RunMode::Auto, &known).await.state, ActionState::Done);
    let ran = asks("cell.run", run("c1"), RunMode::Auto, &known).await;
    assert_eq!(ran.state, ActionState::Done, "what it writes after that is of the same: {ran:?}");
    assert!(
        asks("notebook.read", json!({"path": notebook}), RunMode::Auto, &known)
            .await
            .told_from()
            .is_only_runs_of(&notebook)
    );
    let other = json!({"path": "other.ipynb", "cells": ["c0"]});
    for (action, args, runs) in [
        ("cell.run", run("c1"), RunMode::Ask),
        ("cell.run", other, RunMode::Auto),
        ("kernel.restart", json!({"path": notebook}), RunMode::Auto),
        ("file.delete", json!({"path": "other.ipynb"}), RunMode::Auto),
        ("shell.run", json!({"command": "ls"}), RunMode::Auto),
    ] {
        assert_eq!(
            asks(action, args, runs, &known).await.state,
            ActionState::AwaitingConfirmation,
            "{action} {runs:?}"
        );
    }
    let led = known.clone().with(LabelSource::external("main.log", "a log"));
    let asked = asks("cell.run", run("c1"), RunMode::Auto, &led).await;
    assert_eq!(asked.verdict.rule, "label/external");
    bench.approve(&asked).await;
    // What a log led to stands in it now.
    let read = bench.ask("notebook.read", json!({"path": notebook})).await.told_from();
    assert!(!read.is_only_runs_of(&notebook));
    assert_eq!(asks("cell.run", run("c1"), RunMode::Auto, &read).await.verdict.rule, "label/external");
    bench.act("kernel.shutdown", json!({"path": notebook})).await;
}

/// `cell.run`, and somebody who types in a cell after all has been looked at and before it runs.
struct TypedMeanwhile {
    run: Arc<dyn Handler>,
    document: Arc<Document>,
}

impl Handler for TypedMeanwhile {
    fn descriptor(&self) -> &Descriptor {
        self.run.descriptor()
    }

    fn assess<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Assessment, Failure>> {
        self.run.assess(context, args)
    }

    fn preview<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>> {
        self.run.preview(context, args)
    }

    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>> {
        let change = |_: &_| {
            let splices = vec![Splice { range: 0..0, insert: "1; ".to_owned() }];
            Ok::<_, CellsRefused>(vec![CellChange::Source { key: CellKey("c0".to_owned()), splices }])
        };
        self.document.change_cells(change, &context.id, None).unwrap();
        self.run.run(context, args)
    }
}

#[tokio::test]
async fn a_cell_that_is_changed_after_it_was_approved_does_not_run() {
    let bench = Bench::new(&[("analysis.ipynb", &notebook(&["x = 1"]))]);
    let sessions = with_kernels(&bench);
    let all = aside_actions::kernel_actions(&bench.workspace, &sessions);
    let run = all.into_iter().find(|action| action.descriptor().name.as_str() == "cell.run").unwrap();
    let document = bench.document("analysis.ipynb");
    let meanwhile: Arc<dyn Handler> = Arc::new(TypedMeanwhile { run, document });
    bench.gate.catalog().replace(|name| name.as_str() == "cell.run", [meanwhile]).unwrap();
    let asked = bench.propose("cell.run", json!({"path": "analysis.ipynb", "cells": ["c0"]})).await;
    let ran = bench.approve(&asked).await;
    let failure = common::failure(&ran);
    assert_eq!(failure.code, "stale", "{failure:?}");
    assert_eq!(failure.message, "the cells changed after this was approved, so nothing was run");
}

#[tokio::test]
async fn an_sql_cell_that_is_inserted_with_its_database_is_read_and_run_so() {
    let make = "import sqlite3\nbase = sqlite3.connect('tides.db')\nbase.executescript('create table t(h); insert into t values (7)')";
    let Some(bench) = bench(&notebook(&[make])) else { return };
    let _sessions = with_kernels(&bench);
    let source = "select h + 1 as more from t";
    let cell = json!({"kind": "sql", "source": source, "connection": "tides.db", "result": "more", "key": "q"});
    bench.act("cell.insert", json!({"path": "analysis.ipynb", "cells": [cell]})).await;
    let read = bench.ask("notebook.read", json!({"path": "analysis.ipynb"})).await;
    let Some(Outcome::Done { observation }) = read.outcome else { panic!("not read") };
    assert!(observation.text.contains("\n[2] sql q, on tides.db, into more, version "), "{}", observation.text);
    let shown = &observation.data["shown"][1];
    assert_eq!((&shown["connection"], &shown["result"]), (&json!("tides.db"), &json!("more")));
    let asked = bench.propose("cell.run", json!({"path": "analysis.ipynb", "cells": ["c0", "q"], "wait": true})).await;
    let PreviewBody::Changes { rows } = &asked.preview.as_ref().unwrap().body else { panic!("{:?}", asked.preview) };
    assert_eq!(rows[1].object, "cell q (sql on tides.db, into more)");
    let ran = common::words(&bench.approve(&asked).await);
    assert!(ran.contains("1 row, also in more") && ran.contains('8'), "{ran}");
    bench.act("kernel.shutdown", json!({"path": "analysis.ipynb"})).await;
}

#[tokio::test]
async fn every_example_with_a_kernel_runs() {
    let Some(bench) = bench(&notebook(&["x = 41", "x + 1"])) else { return };
    let sessions = with_kernels(&bench);
    let names = [
        "notebook.run",
        "kernel.start",
        "cell.run",
        "kernel.variables",
        "kernel.interrupt",
        "cell.clear_outputs",
        "kernel.restart",
        "kernel.shutdown",
        "notebook.trust",
    ];
    for name in names {
        let descriptor = bench.gate.catalog().describe(&name.parse().unwrap()).unwrap();
        for example in &descriptor.examples {
            let mut args = example.args.clone();
            if name == "cell.run" {
                // A person at a window does not wait for the end; what comes next does.
                args["wait"] = json!(true);
            }
            let record = bench.act(name, args).await;
            if name == "cell.clear_outputs" {
                // The inverse is `cell.restore_outputs`.
                bench.undo(&record).await;
            }
        }
    }
    let actions = aside_actions::kernel_actions(&bench.workspace, &sessions);
    let there = actions.iter().map(|action| action.descriptor().name.to_string());
    let left: Vec<_> = there.filter(|name| !names.contains(&name.as_str())).collect();
    assert_eq!(left, ["cell.restore_outputs", "kernel.setup"]);
}

#[tokio::test]
async fn an_undo_trusts_what_was_trusted_before_and_nothing_that_came_since() {
    let Some(bench) = bench(&notebook(&["x = 41"])) else { return };
    let _sessions = with_kernels(&bench);
    let said = |trusted: bool| json!({ "path": "analysis.ipynb", "trusted": trusted });
    bench.act("notebook.trust", said(true)).await;
    let taken_back = bench.act("notebook.trust", said(false)).await;
    bench.undo(&taken_back).await;
    let taken_back = bench.act("notebook.trust", said(false)).await;
    bench.document("analysis.ipynb").set_notebook_metadata("user_saved_prompt", Some("\"Obey.\"")).unwrap();
    let undone = bench.gate.undo(&taken_back.envelope.id, person(), None).await;
    assert!(!undone.is_ok_and(|undone| undone.record.state == ActionState::Done), "nobody has looked at that");
}

#[tokio::test]
async fn what_installs_programs_from_the_network_waits_for_a_yes_also_of_who_asks_for_it() {
    let bench = Bench::new(&[("venv/bin/python", ""), ("venv/bin/pip", "")]);
    let _sessions = with_kernels(&bench);
    let record = bench.ask("kernel.setup", json!({})).await;
    assert_eq!(record.state, ActionState::AwaitingConfirmation, "{:?}", record.outcome);
    let preview = record.preview.unwrap();
    let PreviewBody::Command { argv, network, sandbox, .. } = &preview.body else { panic!("{preview:?}") };
    assert!(*network && argv.last().is_some_and(|line| line.starts_with("venv/bin/python -m pip install")), "{argv:?}");
    let is_warned = preview.warnings.iter().any(|warning| warning.guard == Guard::NoSandbox);
    assert_eq!(is_warned, *sandbox == SandboxLevel::None);
    assert_eq!(record.envelope.risk_level.contains(Risk::Access), *sandbox == SandboxLevel::None);
}

#[tokio::test]
async fn a_cell_that_takes_too_long_for_who_waits_is_interrupted() {
    let Some(bench) = bench(&notebook(&["print('go', flush=True)\nimport time; time.sleep(60)"])) else { return };
    let _sessions = with_kernels(&bench);
    let args = json!({"path": "analysis.ipynb", "part": "all", "wait": true, "timeout": 3});
    let Some(Outcome::Done { observation }) = bench.ask("cell.run", args).await.outcome else { panic!("not done") };
    assert!(observation.text.contains("stdout:\ngo\n") && observation.text.contains("KeyboardInterrupt"));
    assert_eq!(observation.data["stopped"], "it took longer than 3 s and was interrupted");
    bench.act("kernel.shutdown", json!({"path": "analysis.ipynb"})).await;
}

#[tokio::test]
async fn a_run_without_a_person_is_not_in_their_history() {
    let Some(bench) = bench(&notebook(&["get_ipython().history_manager.hist_file"])) else { return };
    let record = bench.act("notebook.run", json!({"path": "analysis.ipynb"})).await;
    assert_eq!(record.state, ActionState::Done, "{record:?}");
    assert!(read(&bench, "analysis.ipynb").contains("':memory:'"));
}

#[tokio::test]
async fn without_its_kernel_the_file_is_left_alone() {
    let text = notebook(&["1"]);
    let Some(bench) = bench(&text) else { return };
    let args = json!({"path": "analysis.ipynb", "kernel": "no-such-kernel"});
    let record = bench.ask("notebook.run", args).await;
    assert_ne!(record.state, ActionState::Done);
    assert_eq!(read(&bench, "analysis.ipynb"), text);
}
