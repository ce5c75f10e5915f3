//! Notebooks as live documents: what nobody changed stays the same bytes, what several change at once is the same for all.

use std::collections::BTreeMap;

use aside_doc::{
    CellChange, CellChangeError, CellOutputs, LiveNotebook, NotebookCell, NotebookDocument, Splice, cells_between,
    cells_of,
};
use aside_notebook::{CellKey, CellKind, Notebook, Raw};
use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Value, json};

const FILE: &str = r##"{
 "cells": [
  {
   "attachments": {"a.png": {"image/png": "AAAA"}},
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"tags": ["a", "b"], "scale": 1.0e2},
   "source": [
    "# Title\r\n",
    "text\r\n",
    "end"
   ]
  },
  {"cell_type": "code", "execution_count": 7, "id": "run", "metadata": {}, "source": "1 + 1",
   "outputs": [{"output_type": "execute_result", "execution_count": 7, "data": {"text/plain": "2"}, "metadata": {}}]},
  {"cell_type": "sql", "id": "odd", "metadata": {}, "source": [], "mine": 1e400}
 ],
 "metadata": {"kernelspec": {"name": "python3"}, "version": 1.0},
 "nbformat": 4, "nbformat_minor": 5, "more": true
}"##;

fn open() -> (Notebook, NotebookDocument) {
    let notebook = Notebook::read(FILE.as_bytes()).unwrap();
    let document = NotebookDocument::from_notebook(&notebook);
    (notebook, document)
}

fn written(mut notebook: Notebook, document: &NotebookDocument) -> String {
    document.write_into(&mut notebook);
    notebook.write()
}

fn key(key: &str) -> CellKey {
    CellKey(key.to_owned())
}

fn cell(name: &str, source: &str) -> NotebookCell {
    NotebookCell {
        key: key(name),
        kind: CellKind::Code,
        source: source.to_owned(),
        metadata: BTreeMap::new(),
        others: BTreeMap::new(),
    }
}

fn keys(document: &NotebookDocument) -> Vec<String> {
    document.cells().into_iter().map(|cell| cell.key.0).collect()
}

#[test]
fn a_notebook_that_nobody_changed_keeps_its_bytes() {
    let (notebook, document) = open();
    assert_eq!(written(notebook.clone(), &document), FILE);
    let again = NotebookDocument::from_updates([document.replica().encode_state()]).unwrap();
    assert_eq!(written(notebook, &again), FILE);
    let intro = &document.cells()[0];
    assert_eq!((&*intro.source, &*intro.metadata["scale"]), ("# Title\ntext\nend", "1.0e2"));
    assert_eq!(document.metadata()["version"], "1.0");
}

#[test]
fn a_change_of_a_cell_changes_its_lines_only() {
    let (notebook, mut document) = open();
    let splices = vec![Splice { range: 8..12, insert: "words".to_owned() }];
    document.apply(&[CellChange::Source { key: key("intro"), splices }], "test").unwrap();
    assert_eq!(written(notebook, &document), FILE.replace("text\\r", "words\\r"));
}

#[test]
fn cells_come_go_move_and_become_others_and_all_of_it_is_taken_back() {
    let (notebook, mut document) = open();
    let before = document.cells();
    let changes = [
        CellChange::Insert { cell: cell("new", "x = 1"), after: Some(key("intro")) },
        CellChange::Move { key: key("odd"), after: None },
        CellChange::Remove { key: key("intro") },
        CellChange::Kind { key: key("run"), kind: CellKind::Markdown },
        CellChange::Metadata { key: key("run"), name: "tags".to_owned(), value: Some("[1.0]".to_owned()) },
        CellChange::Source { key: key("new"), splices: vec![Splice { range: 4..5, insert: "2".to_owned() }] },
    ];
    let changed = document.apply(&changes, "test").unwrap();
    assert_eq!(keys(&document), ["odd", "new", "run"]);
    let file: Value = serde_json::from_str(&written(notebook.clone(), &document).replace("1e400", "1")).unwrap();
    assert_eq!(file["cells"][1]["source"], json!(["x = 2"]));
    assert_eq!(file["cells"][2]["metadata"], json!({ "tags": [1.0] }));
    assert_eq!(file["cells"][2].get("outputs"), None);
    document.apply(&changed.inverse, "test").unwrap();
    assert_eq!(document.cells(), before);
}

#[test]
fn an_ai_cell_is_code_that_says_so_and_becomes_code_again() {
    let (notebook, mut document) = open();
    let before = document.cells();
    let kind =
        |document: &NotebookDocument| document.cells().into_iter().find(|cell| cell.key == key("run")).unwrap().kind;
    let changed = document.apply(&[CellChange::Kind { key: key("run"), kind: CellKind::Ai }], "test").unwrap();
    let again = NotebookDocument::from_updates([document.replica().encode_state()]).unwrap();
    assert_eq!((kind(&document), kind(&again)), (CellKind::Ai, CellKind::Ai));
    let text = written(notebook.clone(), &document);
    let file: Value = serde_json::from_str(&text.replace("1e400", "1")).unwrap();
    let run = file["cells"].as_array().unwrap().iter().find(|cell| cell["id"] == "run").unwrap();
    assert_eq!((&run["cell_type"], &run["metadata"]["aside"]), (&json!("code"), &json!({ "cell": "ai" })));
    assert!(!run["outputs"].as_array().unwrap().is_empty());
    let reread = NotebookDocument::from_notebook(&Notebook::read(text.as_bytes()).unwrap());
    assert_eq!(kind(&reread), CellKind::Ai);
    document.apply(&changed.inverse, "test").unwrap();
    assert_eq!(document.cells(), before);
    assert_eq!(written(notebook, &document), FILE);

    let sql = NotebookCell { kind: CellKind::Sql, ..cell("new", "select 1") };
    document.apply(&[CellChange::Insert { cell: sql, after: None }], "test").unwrap();
    assert_eq!(document.cells()[0].metadata["aside"], r#"{"cell":"sql"}"#);
    let said = Some(r#"{"cell":"ai","x":1}"#.to_owned());
    let change = CellChange::Metadata { key: key("new"), name: "aside".to_owned(), value: said };
    document.apply(&[change], "test").unwrap();
    assert_eq!(document.cells()[0].kind, CellKind::Ai);
}

#[test]
fn what_can_not_be_done_is_refused_whole() {
    let (_, mut document) = open();
    let state = document.replica().encode_state();
    let fine = CellChange::Remove { key: key("odd") };
    let splice = |range| vec![Splice { range, insert: String::new() }];
    let wrong = [
        (CellChange::Remove { key: key("gone") }, CellChangeError::NoCell(key("gone"))),
        (CellChange::Insert { cell: cell("run", ""), after: None }, CellChangeError::Taken(key("run"))),
        (CellChange::Insert { cell: cell("x", ""), after: Some(key("y")) }, CellChangeError::NoCell(key("y"))),
        (CellChange::Move { key: key("run"), after: Some(key("run")) }, CellChangeError::AfterItself(key("run"))),
        (CellChange::Source { key: key("run"), splices: splice(4..9) }, CellChangeError::Misfit(key("run"))),
    ];
    for (change, error) in wrong {
        assert_eq!(document.apply(&[fine.clone(), change], "test"), Err(error));
    }
    let not_json = CellChange::Metadata { key: key("run"), name: "tags".to_owned(), value: Some("[1".to_owned()) };
    let refused = document.apply(&[fine, not_json], "test").unwrap_err().to_string();
    assert!(refused.starts_with("`tags` of cell `run` is not valid JSON: EOF"), "{refused}");
    assert_eq!(document.replica().encode_state(), state);
}

#[test]
fn two_people_who_move_the_same_cell_have_it_once() {
    let (_, mut one) = open();
    let mut other = NotebookDocument::from_updates([one.replica().encode_state()]).unwrap();
    one.apply(&[CellChange::Move { key: key("run"), after: None }], "test").unwrap();
    other.apply(&[CellChange::Move { key: key("run"), after: Some(key("odd")) }], "test").unwrap();
    exchange(&mut one, &mut other);
    assert_eq!(keys(&one).len(), 3);
    assert_eq!(keys(&one), keys(&other));
}

#[test]
fn what_a_peer_writes_may_be_anything() {
    use yrs::{
        Any, Doc, Map as _, MapPrelim, ReadTxn as _, StateVector, Text as _, TextPrelim, Transact as _, WriteTxn as _,
    };
    let (notebook, mut document) = open();
    let foreign = Doc::new();
    let mut transaction = foreign.transact_mut();
    let cells = transaction.get_or_insert_map("cells");
    cells.insert(&mut transaction, "text", "no cell");
    let cell = cells.insert(&mut transaction, "bare", MapPrelim::default());
    cell.insert(&mut transaction, "position", "~~");
    cell.insert(&mut transaction, "metadata", 1.0);
    let cell = cells.insert(&mut transaction, "embedded", MapPrelim::default());
    let text = cell.insert(&mut transaction, "source", TextPrelim::new("ab"));
    text.insert_embed(&mut transaction, 1, Any::Bool(true));
    let metadata = transaction.get_or_insert_map("metadata");
    metadata.insert(&mut transaction, "broken", "{");
    drop(transaction);
    let update = foreign.transact().encode_state_as_update_v1(&StateVector::default());
    document.replica_mut().merge(&update).unwrap();
    let splices = vec![Splice { range: 1..2, insert: "c".to_owned() }];
    let into =
        |name| CellChange::Source { key: key(name), splices: vec![Splice { range: 0..0, insert: "x".to_owned() }] };
    document.apply(&[CellChange::Source { key: key("embedded"), splices }, into("bare")], "test").unwrap();
    let cells = document.cells();
    let source = |name: &str| cells.iter().find(|cell| cell.key.0 == name).map(|cell| &*cell.source);
    assert_eq!((source("embedded"), source("bare"), source("text")), (Some("ac"), Some("x"), None));
    let file = written(notebook, &document);
    assert_eq!(Notebook::read(file.as_bytes()).unwrap().cells.len(), 5);
    assert!(!file.contains("broken"));
}

#[test]
fn what_cells_put_out_is_the_files_and_comes_back_with_them() {
    let mut live = LiveNotebook::from_text(FILE).unwrap();
    let outputs = Raw::parse(r#"[{"name":"stdout","output_type":"stream","text":["3\n"]}]"#).unwrap();
    live.set_outputs(&[CellOutputs { key: key("run"), outputs, count: Some(8) }]);
    let run = live.text();
    let differs = |(at, line): &(usize, &str)| FILE.lines().nth(*at) != Some(*line);
    let lines: Vec<_> = run.lines().enumerate().filter(differs).map(|(_, line)| line.trim()).collect();
    assert_eq!(
        lines[0],
        r#"{"cell_type": "code", "execution_count": 8, "id": "run", "metadata": {}, "source": "1 + 1","#
    );
    let changed = live.apply(&[CellChange::Remove { key: key("run") }], "test").unwrap();
    assert!(!live.text().contains("stdout"));
    live.apply(&changed.inverse, "test").unwrap();
    assert_eq!(live.text(), run);
}

fn one_output(key: CellKey, count: u64) -> CellOutputs {
    let outputs = Raw::parse(r#"[{"name":"stdout","output_type":"stream","text":["3\n"]}]"#).unwrap();
    CellOutputs { key, outputs, count: Some(count) }
}

/// The members of a cell, as the file would have them.
fn members(live: &LiveNotebook, name: &str) -> Vec<String> {
    let file = live.notebook();
    file.cell(&key(name)).unwrap().members().iter().map(|member| member.name.clone()).collect()
}

#[test]
fn text_has_no_outputs_and_code_has_no_attachments() {
    let mut live = LiveNotebook::from_text(FILE).unwrap();
    live.set_outputs(&[one_output(key("intro"), 1), one_output(key("odd"), 1)]);
    assert_eq!(live.text().as_ref(), FILE, "what is no code is passed over");

    let kind = |kind| CellChange::Kind { key: key("intro"), kind };
    live.apply(&[kind(CellKind::Code)], "test").unwrap();
    live.set_outputs(&[one_output(key("intro"), 2)]);
    assert_eq!(members(&live, "intro"), ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]);
    let cells = live.document().cells();
    assert_eq!(cells_between(&cells, &cells_of(&live.notebook())), [], "the file is what the document is");

    live.apply(&[kind(CellKind::Markdown)], "test").unwrap();
    assert_eq!(members(&live, "intro"), ["attachments", "cell_type", "id", "metadata", "source"]);
    live.set_outputs(&[one_output(key("intro"), 3)]);
    assert_eq!(members(&live, "intro"), ["attachments", "cell_type", "id", "metadata", "source"], "it ran on");
}

/// A file of code cells, each `id source` or a source alone, which has printed its source.
fn file_of(cells: &[&str], minor: u32) -> String {
    let cell = |cell: &&str| {
        let (id, source) = cell.split_once(' ').map_or((None, *cell), |(id, source)| (Some(id), source));
        let printed = json!([{"name": "stdout", "output_type": "stream", "text": [source]}]);
        let mut cell =
            json!({"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": printed, "source": [source]});
        id.into_iter().for_each(|id| cell["id"] = json!(id));
        cell
    };
    let cells: Vec<Value> = cells.iter().map(cell).collect();
    json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": minor}).to_string()
}

/// What cells are called that a file has now, where it had others.
#[track_caller]
fn check_names(minor: u32, before: &[&str], after: &[&str], wanted: &[&str]) {
    let live = LiveNotebook::from_text(&file_of(before, minor)).unwrap();
    let read = live.read(&file_of(after, minor)).unwrap();
    assert_eq!(read.cells.iter().map(|cell| &*cell.key().0).collect::<Vec<_>>(), wanted, "format 4.{minor}");
}

#[test]
fn cells_without_ids_are_known_again_by_what_is_in_them() {
    for minor in [4, 5] {
        let before = ["a", "b", "c"];
        check_names(minor, &before, &before, &["cell-0", "cell-1", "cell-2"]);
        check_names(minor, &before, &["new", "a", "B", "c"], &["cell-0x", "cell-0", "cell-1", "cell-2"]);
        check_names(minor, &before, &["b", "c", "end"], &["cell-1", "cell-2", "cell-2x"]);
        check_names(minor, &before, &["c", "a", "b"], &["cell-2", "cell-0", "cell-1"]);
        check_names(minor, &before, &[], &[]);
    }
}

#[test]
fn a_cell_with_an_id_of_its_own_is_called_by_it_and_the_others_by_what_is_in_them() {
    let before = ["x a", "b", "x c", "y d"];
    check_names(5, &before, &before, &["x", "cell-1", "cell-2", "y"]);
    check_names(5, &before, &["x c", "new", "b", "x a", "y D"], &["cell-2", "cell-1x", "cell-1", "x", "y"]);
    check_names(5, &before, &["x A", "z b", "x c"], &["x", "z", "cell-2"]);
    check_names(5, &["a", "b"], &["cell-1 new", "a", "b"], &["cell-1", "cell-0", "cell-2"]);
}

#[test]
fn what_cells_without_an_id_of_their_own_put_out_stays_with_them() {
    for before in [["a", "b", "c"], ["x a", "x b", "x c"], ["x a", "y b", "x c"], ["a", "y b", "c"]] {
        let base = file_of(&before, 5);
        let mut live = LiveNotebook::from_text(&base).unwrap();
        let last = live.document().cells()[2].key.clone();
        live.apply(&[CellChange::Insert { cell: cell("new", "n"), after: None }], "test").unwrap();
        live.apply(&[CellChange::Move { key: last, after: Some(key("new")) }], "test").unwrap();
        let saved = live.text();
        check_outputs(&saved);
        // Ended before it was written, and after.
        for file in [&*base, &*saved] {
            let again = LiveNotebook::from_updates([live.document().replica().encode_state()], file).unwrap();
            assert_eq!(again.text(), saved, "{before:?}");
        }
    }
}

/// Each cell stands over what it has printed itself; the new one has printed nothing.
#[track_caller]
fn check_outputs(text: &str) {
    let file: Value = serde_json::from_str(text).unwrap();
    let cells = file["cells"].as_array().unwrap();
    let sources: Vec<&Value> = cells.iter().map(|cell| &cell["source"][0]).collect();
    assert_eq!(sources, ["n", "c", "a", "b"]);
    let printed: Vec<&Value> = cells.iter().map(|cell| &cell["outputs"][0]["text"][0]).collect();
    assert_eq!(printed, [&Value::Null, sources[1], sources[2], sources[3]]);
}

fn exchange(one: &mut NotebookDocument, other: &mut NotebookDocument) {
    let states = [one.replica().encode_state(), other.replica().encode_state()];
    one.replica_mut().merge(&states[1]).unwrap();
    other.replica_mut().merge(&states[0]).unwrap();
}

/// What one of two people does.
#[derive(Clone, Debug)]
enum Doing {
    Insert(Index, String),
    Remove(Index),
    Move(Index, Index),
    Type(Index, Index, String),
    Kind(Index),
    Meet,
}

fn doing() -> impl Strategy<Value = (bool, Doing)> {
    let index = any::<Index>;
    let text = || "[a-z😀\n]{1,4}";
    let doing = prop_oneof![
        3 => (index(), text()).prop_map(|(at, text)| Doing::Insert(at, text)),
        1 => index().prop_map(Doing::Remove),
        2 => (index(), index()).prop_map(|(from, to)| Doing::Move(from, to)),
        3 => (index(), index(), text()).prop_map(|(cell, at, text)| Doing::Type(cell, at, text)),
        1 => index().prop_map(Doing::Kind),
        1 => Just(Doing::Meet),
    ];
    (any::<bool>(), doing)
}

/// The change that this is in a document as it is; none if there is nothing to do it with.
fn change(doing: &Doing, cells: &[NotebookCell], name: String) -> Option<CellChange> {
    let at = |index: &Index| (!cells.is_empty()).then(|| &cells[index.index(cells.len())]);
    let after = |index: &Index| index.index(cells.len() + 1).checked_sub(1).map(|at| cells[at].key.clone());
    Some(match doing {
        Doing::Insert(place, text) => CellChange::Insert { cell: cell(&name, text), after: after(place) },
        Doing::Remove(index) => CellChange::Remove { key: at(index)?.key.clone() },
        Doing::Move(index, to) => {
            let (key, after) = (at(index)?.key.clone(), after(to));
            if after.as_ref() == Some(&key) {
                return None;
            }
            CellChange::Move { key, after }
        }
        Doing::Type(index, place, text) => {
            let cell = at(index)?;
            let places: Vec<_> = cell.source.char_indices().map(|(at, _)| at).chain([cell.source.len()]).collect();
            let at = places[place.index(places.len())];
            CellChange::Source { key: cell.key.clone(), splices: vec![Splice { range: at..at, insert: text.clone() }] }
        }
        Doing::Kind(index) => {
            let cell = at(index)?;
            let kind = if cell.source.len() % 2 == 0 { CellKind::Raw } else { CellKind::Ai };
            CellChange::Kind { key: cell.key.clone(), kind }
        }
        Doing::Meet => return None,
    })
}

/// Cells as a file can have them, without the spelling of what programs read: what is new is written as the file is.
fn meant(mut cells: Vec<NotebookCell>) -> Vec<NotebookCell> {
    for cell in cells.iter_mut().filter(|cell| cell.kind.has_outputs()) {
        cell.others.remove("attachments");
    }
    for value in cells.iter_mut().flat_map(|cell| cell.metadata.values_mut().chain(cell.others.values_mut())) {
        value.retain(|letter| !letter.is_whitespace());
    }
    cells
}

/// Cells of up to eight names, in any order.
fn some_cells() -> impl Strategy<Value = Vec<NotebookCell>> {
    let names: Vec<usize> = (0..8).collect();
    let chosen = (0..=8_usize)
        .prop_flat_map(move |count| Just(names.clone()).prop_shuffle().prop_map(move |names| names[..count].to_vec()));
    (chosen, vec(("[ab\n]{0,6}", 0..3_usize, any::<bool>()), 8)).prop_map(|(names, parts)| {
        let cells = names.into_iter().zip(parts);
        let made = |(name, (source, kind, tagged)): (usize, (String, usize, bool))| {
            let kind = [CellKind::Markdown, CellKind::Code, CellKind::Ai][kind].clone();
            let tags = tagged.then(|| ("tags".to_owned(), "[1]".to_owned()));
            let ours = kind.marked(None).map(|ours| ("aside".to_owned(), ours));
            let metadata = tags.into_iter().chain(ours).collect();
            NotebookCell { kind, metadata, ..cell(&format!("cell-{name}"), &source) }
        };
        cells.map(made).collect()
    })
}

#[test]
fn what_two_said_of_a_kind_at_once_is_taken_back_as_it_was() {
    let (_, mut one) = open();
    let mut other = NotebookDocument::from_updates([one.replica().encode_state()]).unwrap();
    let key = one.cells()[0].key.clone();
    let kind = |kind| CellChange::Kind { key: key.clone(), kind };
    one.apply(&[kind(CellKind::Ai)], "one").unwrap();
    other.apply(&[kind(CellKind::Markdown)], "other").unwrap();
    exchange(&mut one, &mut other);
    one.apply(&[kind(CellKind::Raw)], "one").unwrap();
    let marked =
        CellChange::Metadata { key: key.clone(), name: "aside".into(), value: Some(r#"{"cell":"ai"}"#.into()) };
    one.apply(&[marked], "one").unwrap();
    let before = one.cells();
    for change in
        [kind(CellKind::Code), kind(CellKind::Markdown), kind(CellKind::Sql), CellChange::Remove { key: key.clone() }]
    {
        let changed = one.apply(&[change], "one").unwrap();
        assert_ne!(one.cells(), before);
        one.apply(&changed.inverse, "undo").unwrap();
        assert_eq!(one.cells().len(), before.len());
        assert_eq!(one.cells().iter().find(|cell| cell.key == key), before.iter().find(|cell| cell.key == key));
    }
}

proptest! {
    #[test]
    fn one_list_of_cells_becomes_another(before in some_cells(), after in some_cells()) {
        let changes = cells_between(&before, &after);
        let mut cells = before.clone();
        for change in &changes {
            change.make(&mut cells).unwrap();
        }
        prop_assert_eq!(&cells, &after);
        prop_assert!(cells_between(&after, &after).is_empty());
        let moves = changes.iter().filter(|change| matches!(change, CellChange::Move { .. })).count();
        prop_assert!(moves <= before.len().saturating_sub(1), "one stays where it is");
    }

    #[test]
    fn a_live_notebook_takes_a_file_as_it_is(cells in some_cells()) {
        let mut live = LiveNotebook::from_text(FILE).unwrap();
        let mut file = Notebook::new();
        for cell in &cells {
            file.cells.push(aside_notebook::Cell::new(cell.key.clone(), &cell.kind, true));
            file.cells.last_mut().unwrap().set_source(&cell.source);
        }
        let text = file.write();
        let file = live.read(&text).unwrap();
        live.become_file(&cells_of(&file), file, "disk").unwrap();
        prop_assert_eq!(&*live.text(), &*text);
    }

    #[test]
    fn two_who_change_it_at_once_have_the_same_in_the_end(doings in vec(doing(), 0..40)) {
        let (notebook, one) = open();
        let other = NotebookDocument::from_updates([one.replica().encode_state()]).unwrap();
        let mut both = [one, other];
        for (step, (who, doing)) in doings.iter().enumerate() {
            let document = &mut both[usize::from(*who)];
            let before = document.cells();
            match change(doing, &before, format!("cell-{step}")) {
                Some(change) => {
                    let mut expected = before.clone();
                    change.make(&mut expected).unwrap();
                    let changed = document.apply(std::slice::from_ref(&change), "test").unwrap();
                    prop_assert_eq!(document.cells(), expected, "the list and the document agree");
                    let mut back = document.cells();
                    for inverse in &changed.inverse {
                        inverse.make(&mut back).unwrap();
                    }
                    prop_assert_eq!(back, before, "what takes it back");
                }
                None => {
                    let [one, other] = &mut both;
                    exchange(one, other);
                }
            }
        }
        let [mut one, mut other] = both;
        exchange(&mut one, &mut other);
        prop_assert_eq!(one.cells(), other.cells());
        let mut kept = notebook;
        one.write_into(&mut kept);
        let read = NotebookDocument::from_notebook(&Notebook::read(kept.write().as_bytes()).unwrap());
        prop_assert_eq!(meant(read.cells()), meant(one.cells()));
    }
}
