//! Cells of a notebook, changed and taken back through the Gate: the right cell or an error, and nothing else of the file.

use aside_core::{
    ActionRecord, ActionState, Choice, Grant, Origin, PreviewBody, ReviewMode, Sha256, ShownImage, TOLD_BYTES,
};
use aside_gate::Submission;
use serde_json::{Value, json};

use crate::common::{self, Bench, TIDES, failure, path, words};

const FILE: &str = "tides.ipynb";

fn bench() -> Bench {
    Bench::new(&[(FILE, TIDES)])
}

fn args(more: Value) -> Value {
    let mut args = json!({ "path": FILE });
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    args
}

/// Key and text of the cells, in order.
fn cells(bench: &Bench) -> Vec<(String, String)> {
    let cells = bench.document(FILE).cells().unwrap();
    cells.into_iter().map(|cell| (cell.key.0, cell.source)).collect()
}

fn keys(bench: &Bench) -> String {
    cells(bench).into_iter().map(|(key, _)| key).collect::<Vec<_>>().join(" ")
}

fn source(bench: &Bench, key: &str) -> String {
    cells(bench).into_iter().find(|(own, _)| own == key).unwrap().1
}

fn version(bench: &Bench, key: &str) -> String {
    aside_core::Version::of(source(bench, key)).short().to_owned()
}

/// Somebody rewrites a cell by hand.
async fn types(bench: &Bench, key: &str, source: &str) {
    let version = version(bench, key);
    bench.act("cell.set", args(json!({"cell": key, "version": version, "source": source}))).await;
}

/// Does something, sees that the file is another one, and takes it back: then it is what it was, to the byte.
async fn check(name: &str, more: Value, there: impl FnOnce(&Bench)) {
    let bench = bench();
    let record = bench.act(name, args(more.clone())).await;
    there(&bench);
    assert_ne!(bench.on_disk(FILE), TIDES, "{name} {more}");
    let undo = bench.undo(&record).await;
    assert_eq!(bench.on_disk(FILE), TIDES, "the way back of {name} {more}");
    bench.undo(&undo).await;
    assert_ne!(bench.on_disk(FILE), TIDES, "{name} {more} again");
}

#[tokio::test]
async fn every_change_is_made_in_its_place_and_taken_back_to_the_byte() {
    let load = aside_core::Version::of("heights = [1, 2]").short().to_owned();
    check(
        "cell.insert",
        json!({"after": "title", "cells": [{"source": "x"}, {"kind": "markdown", "source": "```\ny\n```"}]}),
        |bench| {
            let cells = cells(bench);
            assert_eq!((cells.len(), &*cells[1].1, &*cells[2].1), (6, "x", "```\ny\n```"));
        },
    )
    .await;
    check("cell.set", json!({"cell": "load", "version": load, "source": "heights = []\nmore = 1"}), |bench| {
        assert_eq!(source(bench, "load"), "heights = []\nmore = 1");
    })
    .await;
    check("cell.edit", json!({"cell": "plot", "edits": [{"old": "plot(height)", "new": "plot(heights)"}]}), |bench| {
        assert_eq!(source(bench, "plot"), "import matplotlib\nplot(heights)");
    })
    .await;
    check("cell.delete", json!({"cells": [{"cell": "load", "version": load}]}), |bench| {
        assert_eq!(keys(bench), "title plot grade");
        assert!(!bench.on_disk(FILE).contains("two heights"));
    })
    .await;
    check("cell.move", json!({"cell": "plot", "before": "title"}), |bench| {
        assert_eq!(keys(bench), "plot title load grade");
    })
    .await;
    check(
        "cell.kind",
        json!({"cell": "title", "version": aside_core::Version::of("# Tides"), "kind": "raw"}),
        |bench| {
            assert!(bench.on_disk(FILE).contains(r#""cell_type": "raw""#));
        },
    )
    .await;
}

async fn refused(bench: &Bench, name: &str, more: Value, code: &str) -> String {
    let before = cells(bench);
    let record = bench.propose(name, args(more.clone())).await;
    let failure = failure(&record);
    assert_eq!(failure.code, code, "{name} {more}: {failure:?}");
    assert_eq!(cells(bench), before);
    failure.message.clone()
}

#[tokio::test]
async fn a_missing_text_empties_no_cell() {
    let bench = bench();
    let version = version(&bench, "load");
    refused(&bench, "cell.set", json!({"cell": "load", "version": version}), "invalid_args").await;
    refused(&bench, "cell.set", json!({"cell": "load", "version": version, "source": ""}), "emptying").await;
    refused(&bench, "cell.set", json!({"cell": "load", "source": "x"}), "invalid_args").await;
    refused(&bench, "cell.insert", json!({"cells": [{"kind": "code"}]}), "invalid_args").await;
}

#[tokio::test]
async fn a_protected_cell_is_never_said_to_be_updated() {
    let bench = bench();
    let version = version(&bench, "grade");
    let cell = json!({"cell": "grade", "version": version});
    refused(&bench, "cell.set", json!({"cell": "grade", "version": version, "source": "pass"}), "protected").await;
    refused(
        &bench,
        "cell.edit",
        json!({"cell": "grade", "edits": [{"old": "assert heights", "new": ""}]}),
        "protected",
    )
    .await;
    refused(&bench, "cell.delete", json!({"cells": [cell]}), "protected").await;
    refused(&bench, "cell.kind", json!({"cell": "grade", "version": version, "kind": "raw"}), "protected").await;
}

#[tokio::test]
async fn one_edit_without_a_place_fails_them_all() {
    let edits = json!([{"old": "import matplotlib", "new": "import pandas"}, {"old": "gone", "new": "x"}]);
    let said = refused(&bench(), "cell.edit", json!({"cell": "plot", "edits": edits}), "no_match").await;
    assert!(said.contains("edit 1"), "{said}");
}

#[tokio::test]
async fn places_and_unknown_names_are_no_cells() {
    let bench = bench();
    for cell in ["3", "#3", "", "nope", "9"] {
        refused(&bench, "cell.edit", json!({"cell": cell, "edits": [{"old": "x", "new": "y"}]}), "no_such_cell").await;
    }
    let gone = json!({"path": "gone.ipynb", "cell": "load", "after": "plot"});
    assert_eq!(failure(&bench.propose("cell.move", gone).await).code, "not_found");
}

#[tokio::test]
async fn an_old_version_is_refused_with_the_present_text() {
    let bench = bench();
    let old = version(&bench, "load");
    types(&bench, "load", "heights = [1, 2, 3]  # mine").await;
    let set = json!({"cell": "load", "version": old, "source": "heights = 0"});
    assert!(refused(&bench, "cell.set", set, "stale").await.contains("1\theights = [1, 2, 3]  # mine"));
    refused(&bench, "cell.delete", json!({"cells": [{"cell": "load", "version": old}]}), "stale").await;
    refused(&bench, "cell.kind", json!({"cell": "load", "version": old, "kind": "raw"}), "stale").await;
}

#[tokio::test]
async fn what_is_typed_after_an_edit_is_kept_by_its_undo() {
    let bench = bench();
    let edit = json!({"cell": "plot", "edits": [{"old": "plot(height)", "new": "plot(heights)"}]});
    let record = bench.act("cell.edit", args(edit)).await;
    types(&bench, "plot", "# mine\nimport matplotlib\nplot(heights)").await;
    bench.undo(&record).await;
    assert_eq!(source(&bench, "plot"), "# mine\nimport matplotlib\nplot(height)");
}

fn shown(record: &ActionRecord) -> Vec<(String, Vec<u32>)> {
    assert_eq!(record.state, ActionState::AwaitingConfirmation, "{:?}", record.outcome);
    let Some(PreviewBody::Diff { files }) = record.preview.as_ref().map(|preview| &preview.body) else { panic!() };
    let parts = |file: &aside_core::FileDiff| file.hunks.iter().map(|hunk| hunk.part).collect();
    files.iter().map(|file| (file.cell.as_ref().unwrap().key.clone(), parts(file))).collect()
}

#[tokio::test]
async fn each_new_cell_and_each_place_of_an_edit_is_decided_on_its_own() {
    let bench = bench();
    let new = json!({"after": "title", "cells": [{"source": "a"}, {"source": "b"}, {"source": "c"}]});
    let record = bench.propose("cell.insert", args(new)).await;
    let parts = shown(&record);
    assert_eq!(parts.iter().map(|(_, parts)| &parts[..]).collect::<Vec<_>>(), [[0], [1], [2]]);
    bench.decide_part(&record, 2, Choice::Approve).await;
    bench.decide_part(&record, 1, Choice::Reject).await;
    bench.decide_part(&record, 0, Choice::Approve).await;
    assert_eq!(keys(&bench), format!("title {} {} load plot grade", parts[0].0, parts[2].0));
    let edits = json!([{"old": "import matplotlib", "new": "import one\nimport two"}, {"old": "plot(height)", "new": "plot(heights)"}]);
    let version = version(&bench, "plot");
    let record = bench.propose("cell.edit", args(json!({"cell": "plot", "version": version, "edits": edits}))).await;
    bench.decide_part(&record, 0, Choice::Approve).await;
    bench.decide_part(&record, 1, Choice::Approve).await;
    assert_eq!(source(&bench, "plot"), "import one\nimport two\nplot(heights)");
}

#[tokio::test]
async fn outputs_are_summed_up_and_what_went_wrong_is_there() {
    let bench = bench();
    let all = words(&bench.propose("notebook.read", args(json!({}))).await);
    assert!(all.starts_with("tides.ipynb, 4 cells, python\n"), "{all}");
    for part in [
        "[1] markdown title, version ",
        "1\t# Tides",
        "output 1 of run 3: stdout\ntwo heights",
        "output 1 of run 4: error",
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(all.contains("Traceback\nNameError: name 'height' is not defined"), "no colours: {all}");
    let read = bench.propose("notebook.read", args(json!({}))).await;
    assert_eq!(read.told_from().label, aside_core::Label::External, "what cells put out is not the person's word");
    let found = words(&bench.propose("notebook.read", args(json!({"find": "HEIGHTS ="}))).await);
    assert!(
        found.contains("] code load,") && found.contains("1\theights = [1, 2]") && !found.contains("plot"),
        "{found}"
    );
    let more = words(&bench.propose("notebook.read", args(json!({"cells": ["plot"], "output": 1, "start": 2}))).await);
    assert!(more.contains("2\tNameError") && !more.contains("1\tTraceback"), "{more}");
    for (ask, code) in [
        (json!({"output": 1}), "invalid_args"),
        (json!({"cells": ["load"], "find": "x"}), "invalid_args"),
        (json!({"from": 9}), "no_such_cell"),
        (json!({"around": "nope"}), "no_such_cell"),
    ] {
        assert_eq!(failure(&bench.propose("notebook.read", args(ask)).await).code, code);
    }
}

#[tokio::test]
async fn a_notebook_of_any_size_has_a_short_answer() {
    let line = "x = 1  # some text that makes the line longer\\n";
    let stream =
        format!(r#"{{"name":"stdout","output_type":"stream","text":["{}the end\\n"]}}"#, "out ".repeat(100_000));
    let cell = |number: usize| {
        format!(
            r#"{{"cell_type":"code","execution_count":1,"id":"c{number:04}","metadata":{{}},"outputs":[{stream}],"source":["{}"]}}"#,
            line.repeat(20)
        )
    };
    let cells: Vec<String> = (0..40).map(cell).collect();
    let file = format!(r#"{{"cells":[{}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#, cells.join(","));
    let bench = Bench::new(&[(FILE, &file)]);
    for ask in [
        json!({}),
        json!({"from": 1}),
        json!({"around": "c0020"}),
        json!({"cells": ["c0001"]}),
        json!({"find": "text"}),
    ] {
        let told = words(&bench.propose("notebook.read", args(ask.clone())).await);
        assert!(told.len() <= TOLD_BYTES, "{ask}: {}", told.len());
        let all = words(&bench.ask("notebook.read", args(ask.clone())).await);
        assert!(all.len() < 80 * 1024, "{ask}: {}", all.len());
    }
    let one = words(&bench.propose("notebook.read", args(json!({"cells": ["c0001"]}))).await);
    assert!(one.contains("the end") && one.contains("bytes left out; `output`: 1 reads them"));
}

#[tokio::test]
async fn a_cell_that_is_kept_from_models_is_not_there_for_them() {
    for mark in [r#"{"aiContextVisible": false}"#, r#"{"aside": {"ai_hidden": true}}"#] {
        let file =
            TIDES.replacen(r#""id": "load", "metadata": {}"#, &format!(r#""id": "load", "metadata": {mark}"#), 1);
        let bench = Bench::new(&[(FILE, &file)]);
        for ask in [json!({}), json!({"around": "plot"}), json!({"find": "heights"})] {
            let told = words(&bench.propose("notebook.read", args(ask)).await);
            assert!(!told.contains("load") && !told.contains("two heights"), "{told}");
            assert!(told.contains("3 cells, python, and 1 that the user keeps private"));
        }
        refused(&bench, "notebook.read", json!({"cells": ["load"]}), "no_such_cell").await;
        let version = version(&bench, "load");
        refused(&bench, "cell.set", json!({"cell": "load", "version": version, "source": "x"}), "no_such_cell").await;
        assert!(
            words(&bench.ask("notebook.read", args(json!({}))).await).contains("two heights"),
            "the person reads it"
        );
    }
}

#[tokio::test]
async fn only_the_person_is_shown_what_they_keep_from_models() {
    let mark = r#""id": "load", "metadata": {"aside": {"ai_hidden": true}}"#;
    let file = TIDES.replacen(r#""id": "load", "metadata": {}"#, mark, 1);
    let bench = Bench::new(&[(FILE, &file)]);
    let (user, grant) = ("ada".to_owned(), aside_core::Id::from_parts(aside_core::Timestamp(1), 1));
    let others = [
        Origin::Client { user: user.clone(), grant },
        Origin::Mcp { user: user.clone(), client: "editor".to_owned(), session: None },
        Origin::Sidebar { user: user.clone() },
        common::model(ReviewMode::ReviewEach).origin,
    ];
    for (name, asked) in [
        ("notebook.read", json!({"cells": ["load"]})),
        ("notebook.read", json!({})),
        ("doc.read", json!({})),
        ("file.read", json!({})),
        ("doc.restore", json!({"version": "0".repeat(64)})),
        ("cell.set", json!({"cell": "load", "version": version(&bench, "load"), "source": "x"})),
    ] {
        for origin in &others {
            let submission = Submission::under(Grant::full("any"), origin.clone());
            let record =
                bench.gate.submit(common::request(name, args(asked.clone())), submission).await.unwrap().record;
            let told = format!("{:?} {:?}", record.outcome, record.preview);
            assert!(!told.contains("two heights"), "{name} {origin:?} {told}");
            let is_whole = name == "notebook.read" && asked == json!({});
            assert_eq!(record.state == ActionState::Failed, !is_whole, "{name} {origin:?} {told}");
        }
        for origin in [Origin::User { user: user.clone() }, Origin::Cli { user: user.clone() }] {
            if asked == json!({}) {
                let record =
                    bench.gate.submit(common::request(name, args(json!({}))), Submission::person(origin)).await;
                assert!(words(&record.unwrap().record).contains("two heights"), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn raw_json_is_refused_and_a_file_that_is_no_notebook_says_so() {
    let bench = Bench::new(&[(FILE, TIDES), ("broken.ipynb", "{\"cells\": 1}")]);
    let edit = json!({"path": FILE, "edits": [{"old": "x", "new": "y"}]});
    let refused = bench.propose("doc.edit", edit).await;
    assert!(failure(&refused).hint.as_deref().unwrap().contains("cell.edit"));
    let read = bench.propose("notebook.read", json!({"path": "broken.ipynb"})).await;
    assert_eq!(failure(&read).code, "not_a_notebook");
    assert!(bench.workspace.document(&path("broken.ipynb")).unwrap().cells().is_none());
}

#[tokio::test]
async fn a_cell_that_is_no_longer_as_it_was_read_is_said_to_have_changed() {
    let bench = bench();
    let read = |base: &str| args(json!({"cells": ["load"], "base": base}));
    let all = bench.propose("notebook.read", args(json!({}))).await;
    let Some(aside_core::Outcome::Done { observation }) = &all.outcome else { panic!("it is read: {all:?}") };
    let cell = observation.data["shown"].as_array().unwrap().iter().find(|cell| cell["cell"] == "load").unwrap();
    assert_eq!(cell["shown"], json!([[1, cell["lines"]]]), "which of its lines were told");
    let version = cell["version"].as_str().unwrap();
    assert!(!words(&bench.propose("notebook.read", read(version)).await).contains("has changed"));
    let moved = words(&bench.propose("notebook.read", read("0123456789ab")).await);
    assert!(moved.contains("The text has changed since version 0123456789ab."), "{moved}");
}

#[tokio::test]
async fn a_model_is_shown_the_last_images_of_what_it_reads() {
    let image = |dots: &str| {
        format!(
            r#"{{"output_type":"display_data","metadata":{{}},"data":{{"image/png":["{dots}\n"],"text/plain":"<Figure>"}}}}"#
        )
    };
    let images: Vec<String> = ["AAAA", "AAAB", "AAAC", "AAAD", "AAAE"].map(image).into();
    let cell = format!(
        r#"{{"cell_type":"code","execution_count":1,"id":"plots","metadata":{{}},"outputs":[{}],"source":"plot()"}}"#,
        images.join(",")
    );
    let file = format!(r#"{{"cells":[{cell}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#);
    let bench = Bench::new(&[(FILE, &file)]);
    let data = |record: &ActionRecord| match &record.outcome {
        Some(aside_core::Outcome::Done { observation }) => observation.data.clone(),
        other => panic!("{other:?}"),
    };
    let shown = |read: &Value| ShownImage::all_in(read).iter().map(|image| image.sha256.clone()).collect::<Vec<_>>();
    let read = data(&bench.propose("notebook.read", args(json!({}))).await);
    let last = [1, 2, 3, 4].map(|last| Sha256::of([0_u8, 0, last]));
    assert_eq!(shown(&read), last);
    let one = json!({"cells": ["plots"], "output": 1});
    assert_eq!(shown(&data(&bench.propose("notebook.read", args(one)).await)), [Sha256::of([0_u8, 0, 0])]);
    let read = data(&bench.ask("notebook.read", args(json!({}))).await);
    assert!(shown(&read).is_empty(), "a person has them in the page");
}
