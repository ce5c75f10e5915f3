//! Notebooks beside their files: cells that people and programs change while the file changes too.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::{fs, sync::Arc, time::Duration};

use aside_core::{ActionId, WorkspacePath};
use aside_doc::{AnchoredEdit, CellChange, CellOutputs, Splice};
use aside_notebook::{CellKey, Raw};
use aside_store::{Store, StoreOptions};
use aside_workspace::{CellsRefused, Document, EditRefused, Word, Workspace};
use serde_json::{Value, json};

const FILE: &str = "analysis.ipynb";

struct Fixture {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
}

impl Fixture {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), text).unwrap();
        let workspace = Self::open(&folder);
        Self { folder, workspace }
    }

    fn open(folder: &tempfile::TempDir) -> Arc<Workspace> {
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
        Workspace::open(folder.path(), store).unwrap()
    }

    fn killed_and_started_again(self) -> Self {
        let Self { folder, workspace } = self;
        drop(workspace);
        let workspace = Self::open(&folder);
        Self { folder, workspace }
    }

    fn document(&self) -> Arc<Document> {
        self.workspace.document(&WorkspacePath::new(FILE).unwrap()).unwrap()
    }

    fn on_disk(&self) -> String {
        fs::read_to_string(self.folder.path().join(FILE)).unwrap()
    }

    fn put(&self, text: &str) {
        fs::write(self.folder.path().join(FILE), text).unwrap();
    }
}

/// A notebook of code cells, each `id source` and what it put out.
fn file(cells: &[(&str, &str, &str)]) -> String {
    let cell = |(id, source, put_out): &(&str, &str, &str)| {
        let outputs: Vec<Value> =
            put_out.lines().map(|line| json!({"name": "stdout", "output_type": "stream", "text": [line]})).collect();
        json!({"cell_type": "code", "execution_count": null, "id": id, "metadata": {}, "outputs": outputs, "source": [source]})
    };
    let cells: Vec<Value> = cells.iter().map(cell).collect();
    let whole = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    serde_json::to_string_pretty(&whole).unwrap() + "\n"
}

fn key(id: &str) -> CellKey {
    CellKey(id.to_owned())
}

fn typed(id: &str, at: usize, text: &str) -> CellChange {
    CellChange::Source { key: key(id), splices: vec![Splice { range: at..at, insert: text.to_owned() }] }
}

fn action() -> ActionId {
    "act_00000000000000000000000001".parse().unwrap()
}

fn change(document: &Arc<Document>, changes: &[CellChange]) {
    document.change_cells(|_| Ok::<_, CellsRefused>(changes.to_vec()), &action(), None).unwrap();
}

/// What a notebook is, shortly: each cell with what it put out.
fn cells_in(text: &str) -> Vec<String> {
    let notebook: Value = serde_json::from_str(text).unwrap();
    let line = |cell: &Value| {
        let joined =
            |lines: &Value| lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect::<String>();
        let outputs: Vec<_> =
            cell["outputs"].as_array().unwrap().iter().map(|output| joined(&output["text"])).collect();
        format!("{} {:?} {}", cell["id"].as_str().unwrap(), joined(&cell["source"]), outputs.join(","))
    };
    notebook["cells"].as_array().unwrap().iter().map(line).collect()
}

/// Waits until the document is what is wanted; a minute without it is a failure.
async fn until_cells(document: &Document, wanted: &[&str]) {
    let mut state = document.state();
    while cells_in(&document.text()) != wanted {
        let changed = tokio::time::timeout(Duration::from_secs(60), state.changed()).await;
        changed.unwrap_or_else(|_| panic!("it is {:#?}", cells_in(&document.text()))).unwrap();
    }
}

#[tokio::test]
async fn a_change_of_a_cell_changes_its_lines_and_a_restart_goes_on() {
    let text = file(&[("a", "1", "one"), ("b", "2", "")]);
    let fixture = Fixture::new(&text);
    let document = fixture.document();
    assert!(document.is_notebook());
    assert_eq!(*document.text(), *text);
    change(&document, &[typed("b", 1, "0")]);
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(fixture.on_disk(), text.replace("\"2\"", "\"20\""));
    change(&document, &[typed("a", 1, "0")]);
    let epoch = document.epoch().clone();
    drop(document);
    let fixture = fixture.killed_and_started_again();
    let document = fixture.document();
    assert_eq!(document.epoch(), &epoch, "windows go on with the copies they have");
    assert_eq!(cells_in(&document.text()), ["a \"10\" one", "b \"20\" "]);
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(cells_in(&fixture.on_disk()), ["a \"10\" one", "b \"20\" "]);
}

#[tokio::test]
async fn what_another_program_does_to_the_file_comes_in_cell_by_cell() {
    let fixture = Fixture::new(&file(&[("a", "1", "one"), ("b", "2", "two"), ("c", "3", "three"), ("d", "4", "")]));
    let document = fixture.document();
    let outputs = Raw::parse(r#"[{"name":"stdout","output_type":"stream","text":["new"]}]"#).unwrap();
    document.set_outputs(&[CellOutputs { key: key("b"), outputs, count: Some(2) }]).unwrap();
    change(&document, &[typed("a", 1, "+here"), CellChange::Move { key: key("d"), after: None }]);
    // Meanwhile: `a` was run there, `b` changed, `c` taken away, `e` made.
    fixture.put(&file(&[("a", "1", "uno"), ("b", "2+there", "two"), ("e", "5", "five"), ("d", "4", "")]));
    let wanted = ["d \"4\" ", "a \"1+here\" uno", "b \"2+there\" new", "e \"5\" five"];
    until_cells(&document, &wanted).await;
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(cells_in(&fixture.on_disk()), wanted);
}

#[tokio::test]
async fn a_file_that_is_put_back_takes_what_was_put_out_with_it() {
    let before = file(&[("a", "1", ""), ("b", "2", "two")]);
    let fixture = Fixture::new(&before);
    let document = fixture.document();
    let outputs = Raw::parse(r#"[{"name":"stdout","output_type":"stream","text":["one"]}]"#).unwrap();
    document.set_outputs(&[CellOutputs { key: key("a"), outputs, count: Some(1) }]).unwrap();
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(cells_in(&fixture.on_disk()), ["a \"1\" one", "b \"2\" two"]);
    fixture.put(&before);
    until_cells(&document, &["a \"1\" ", "b \"2\" two"]).await;
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(fixture.on_disk(), before);
}

#[tokio::test]
async fn a_cell_that_was_changed_here_is_not_lost_by_a_file_without_it() {
    let fixture = Fixture::new(&file(&[("a", "1", ""), ("b", "2", "two"), ("c", "3", "")]));
    let document = fixture.document();
    change(&document, &[typed("b", 1, "!"), CellChange::Remove { key: key("c") }]);
    fixture.put(&file(&[("a", "1", ""), ("c", "3 changed", "")]));
    until_cells(&document, &["a \"1\" ", "b \"2!\" two", "c \"3 changed\" "]).await;
}

#[tokio::test]
async fn a_file_that_is_no_notebook_any_more_is_neither_taken_in_nor_written_over() {
    let fixture = Fixture::new(&file(&[("a", "1", "")]));
    let document = fixture.document();
    fixture.put("{ \"cells\": [");
    change(&document, &[typed("a", 1, "!")]);
    let refused = fixture.workspace.save(&document, Word::NotGiven).unwrap_err();
    assert_eq!(refused.code(), "unfit");
    assert!(refused.to_string().contains("is open as a notebook"), "{refused}");
    assert_eq!(
        (fixture.on_disk().as_str(), cells_in(&document.text())),
        ("{ \"cells\": [", vec!["a \"1!\" ".to_owned()])
    );
    fixture.put(&file(&[("a", "1", ""), ("b", "2", "")]));
    until_cells(&document, &["a \"1!\" ", "b \"2\" "]).await;
}

#[tokio::test]
async fn a_person_may_write_theirs_over_what_is_no_notebook_any_more_and_that_is_kept() {
    for broken in ["{ \"cells\": [", "\u{0}\u{1}"] {
        let fixture = Fixture::new(&file(&[("a", "1", "")]));
        let document = fixture.document();
        fixture.put(broken);
        change(&document, &[typed("a", 1, "!")]);
        assert!(fixture.workspace.save(&document, Word::Given).is_err(), "that word is another one");
        assert_eq!(fixture.on_disk(), broken);
        let kept = fixture.workspace.write_over(&document).unwrap().expect("what was there is kept");
        assert!(fixture.on_disk().contains("1!") && document.state().borrow().saved);
        assert!(document.state().borrow().problem.is_none());
        fixture.workspace.restore(kept.overwritten.as_ref().unwrap(), kept.left.as_ref()).unwrap();
        assert_eq!(fixture.on_disk(), broken);
        assert!(fixture.workspace.write_over(&document).unwrap().is_some());
        assert_eq!(fixture.workspace.write_over(&document).unwrap(), None, "there is nothing in the way");
    }
}

#[test]
fn what_can_not_be_read_as_a_notebook_opens_as_text() {
    let fixture = Fixture::new("{ \"cells\": [\n");
    let document = fixture.document();
    assert!(!document.is_notebook());
    assert_eq!(&*document.text(), "{ \"cells\": [\n");
    assert_eq!(document.cells(), None);
    let refused = document.change_cells(|_| Ok::<_, CellsRefused>(Vec::new()), &action(), None);
    assert!(matches!(refused, Err(CellsRefused::NotANotebook(_))));
}

#[test]
fn an_empty_file_is_a_new_notebook_and_stays_empty_until_there_is_a_cell() {
    let fixture = Fixture::new("");
    let document = fixture.document();
    assert_eq!(document.cells(), Some(Vec::new()));
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(fixture.on_disk(), "");
    let cell = aside_doc::NotebookCell {
        key: key("first"),
        kind: aside_notebook::CellKind::Code,
        source: "1 + 1".to_owned(),
        metadata: Default::default(),
        others: Default::default(),
    };
    change(&document, &[CellChange::Insert { cell, after: None }]);
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(cells_in(&fixture.on_disk()), ["first \"1 + 1\" "]);
    assert!(fixture.on_disk().ends_with(" \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"));
}

#[test]
fn edits_of_the_text_leave_a_notebook_or_nothing() {
    let fixture = Fixture::new(&file(&[("a", "first", "one"), ("b", "second", "")]));
    let document = fixture.document();
    let edit = |old: &str, new: &str| {
        let line = |text: &str| format!("        {text}\n");
        vec![AnchoredEdit { start: None, end: None, old: Some(line(old)), new: line(new) }]
    };
    let applied = document.apply(None, &edit("\"second\"", "\"2\""), &action(), None).unwrap();
    assert_eq!(cells_in(&document.text()), ["a \"first\" one", "b \"2\" "]);
    document.apply(Some(applied.after.as_str()), &applied.inverse, &action(), None).unwrap();
    assert_eq!(cells_in(&document.text()), ["a \"first\" one", "b \"second\" "]);
    let before = document.text();
    for attempt in [
        document.plan(None, &edit("\"second\"", "\"2")).map(drop),
        document.apply(None, &edit("\"second\"", "\"2"), &action(), None).map(drop),
    ] {
        assert!(matches!(attempt, Err(EditRefused::Unfit { .. })));
    }
    assert_eq!(document.text(), before);
}

#[test]
fn what_was_put_out_may_go_and_cells_may_not_without_a_word() {
    let long = "line\n".repeat(40);
    let cells: Vec<(String, String)> = (0..30).map(|at| (format!("c{at}"), format!("x = {at}"))).collect();
    let all: Vec<(&str, &str, &str)> = cells.iter().map(|(id, source)| (&**id, &**source, &*long)).collect();
    let fixture = Fixture::new(&file(&all));
    let document = fixture.document();
    let none = |id: &String| CellOutputs { key: key(id), outputs: Raw::parse("[]").unwrap(), count: None };
    document.set_outputs(&cells.iter().map(|(id, _)| none(id)).collect::<Vec<_>>()).unwrap();
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert!(!fixture.on_disk().contains("line"));
    // As from a window: no action, so nobody was shown what goes.
    let mut copy = aside_doc::NotebookDocument::from_updates::<&[u8]>([]).unwrap();
    let (peer, mut frames) = document.connect();
    for frame in copy.replica().greet() {
        peer.receive(&frame).unwrap();
    }
    while let Ok(frame) = frames.try_recv() {
        let aside_workspace::DocumentFrame::Message(message) = frame else { continue };
        copy.replica_mut().receive(aside_doc::PeerId(0), aside_doc::Access::Write, &message).unwrap();
    }
    let gone: Vec<_> = cells[1..].iter().map(|(id, _)| CellChange::Remove { key: key(id) }).collect();
    let change = copy.apply(&gone, "typing").unwrap().change.unwrap();
    peer.receive(&change.frame()).unwrap();
    assert_eq!(cells_in(&document.text()).len(), 1);
    assert_eq!(fixture.workspace.save(&document, Word::NotGiven).unwrap_err().code(), "held");
    assert_eq!(cells_in(&fixture.on_disk()).len(), 30);
    fixture.workspace.save(&document, Word::Given).unwrap();
    assert_eq!(cells_in(&fixture.on_disk()).len(), 1);
}

/// Saves what one cell has put out: a text of so many bytes.
fn save_output(fixture: &Fixture, bytes: usize) -> Result<(), aside_workspace::WorkspaceError> {
    let outputs = json!([{"name": "stdout", "output_type": "stream", "text": "x".repeat(bytes)}]).to_string();
    let outputs = Raw::parse(outputs).unwrap();
    let document = fixture.document();
    document.set_outputs(&[CellOutputs { key: key("a"), outputs, count: Some(1) }]).unwrap();
    fixture.workspace.save(&document, Word::NotGiven)
}

#[test]
fn a_notebook_with_long_outputs_is_saved_and_opened_like_any_other() {
    let fixture = Fixture::new(&file(&[("a", "x = 1", "")]));
    save_output(&fixture, 51 << 20).unwrap();
    let document = fixture.document();
    change(&document, &[typed("a", 0, "edited = ")]);
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert!(fixture.on_disk().contains("edited = x = 1"));
    drop(document);
    let fixture = fixture.killed_and_started_again();
    assert!(fixture.document().text().contains("edited = x = 1"));
}
