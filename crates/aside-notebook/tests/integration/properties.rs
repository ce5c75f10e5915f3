//! Whatever stands in a file: what nobody changed keeps its bytes, and what was changed is what is read again.

use aside_notebook::{Cell, CellKey, CellKind, Notebook, Raw};
use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    "([a-zé\"\\\\\u{2028}\u{c}\u{1}😀 ]|\n|\r\n){0,12}"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((text(), inner), 0..3).prop_map(|members| Value::Object(members.into_iter().collect()))
        ]
    })
}

fn cell() -> impl Strategy<Value = Value> {
    let source = prop_oneof![text().prop_map(Value::from), vec(text(), 0..4).prop_map(|lines| json!(lines))];
    let kind = prop_oneof![Just("code"), Just("markdown"), Just("raw"), Just("sql")];
    let id = prop_oneof![Just(None), "[a-c]".prop_map(Some)];
    let object =
        (kind, source, id, value(), vec((text(), value()), 0..2)).prop_map(|(kind, source, id, metadata, more)| {
            let mut cell: Map<String, Value> = more.into_iter().collect();
            cell.insert("cell_type".into(), kind.into());
            cell.insert("source".into(), source);
            cell.insert("metadata".into(), metadata);
            if let Some(id) = id {
                cell.insert("id".into(), id.into());
            }
            Value::Object(cell)
        });
    prop_oneof![9 => object, 1 => value()]
}

fn notebook() -> impl Strategy<Value = Value> {
    (vec(cell(), 0..5), value(), 0..9u32)
        .prop_map(|(cells, metadata, minor)| json!({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}))
}

/// Writes JSON with white space drawn from a list wherever it may stand.
fn spelled(value: &Value, space: &mut impl FnMut() -> &'static str) -> String {
    let list = |parts: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", parts.join(","));
    match value {
        Value::Array(items) => {
            let parts = items.iter().map(|item| format!("{}{}{}", space(), spelled(item, space), space())).collect();
            list(parts, "[", "]")
        }
        Value::Object(members) => {
            let parts = members.iter().map(|(name, value)| {
                format!("{}{}{}:{}{}", space(), json!(name), space(), space(), spelled(value, space))
            });
            let parts = parts.collect();
            list(parts, "{", "}")
        }
        other => other.to_string(),
    }
}

#[derive(Clone, Debug)]
enum Change {
    Source(Index, String),
    Kind(Index, bool),
    Insert(Index, String),
    Delete(Index),
    Move(Index, Index),
    Metadata(Value),
    Outputs(Index, Value),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        (index(), text()).prop_map(|(at, text)| Change::Source(at, text)),
        (index(), any::<bool>()).prop_map(|(at, code)| Change::Kind(at, code)),
        (index(), text()).prop_map(|(at, text)| Change::Insert(at, text)),
        index().prop_map(Change::Delete),
        (index(), index()).prop_map(|(from, to)| Change::Move(from, to)),
        value().prop_map(Change::Metadata),
        (index(), value()).prop_map(|(at, value)| Change::Outputs(at, json!([value]))),
    ]
}

fn apply(notebook: &mut Notebook, change: Change, number: usize) {
    let len = notebook.cells.len();
    match change {
        Change::Insert(at, text) => {
            let mut cell = Cell::new(CellKey(format!("new-{number}")), &CellKind::Code, notebook.has_ids());
            cell.set_source(&text);
            notebook.cells.insert(at.index(len + 1), cell);
        }
        Change::Metadata(value) => notebook.set("metadata", Raw::of(&value)),
        _ if len == 0 => (),
        Change::Source(at, text) => notebook.cells[at.index(len)].set_source(&text),
        Change::Kind(at, code) => {
            notebook.cells[at.index(len)].set_kind(if code { &CellKind::Code } else { &CellKind::Markdown })
        }
        Change::Delete(at) => {
            notebook.cells.remove(at.index(len));
        }
        Change::Move(from, to) => {
            let cell = notebook.cells.remove(from.index(len));
            notebook.cells.insert(to.index(len), cell);
        }
        Change::Outputs(at, value) => notebook.cells[at.index(len)].set("outputs", Raw::of(&value)),
    }
}

/// What a notebook holds, by its own account.
fn contents(notebook: &Notebook) -> (String, Vec<(String, CellKind, Vec<String>)>) {
    let outputs = |cell: &Cell| cell.outputs().iter().map(plain).collect();
    let cells = notebook.cells.iter().map(|cell| (cell.source(), cell.kind(), outputs(cell))).collect();
    (notebook.get("metadata").map(plain).unwrap_or_default(), cells)
}

fn plain(raw: &Raw) -> String {
    serde_json::from_str::<Value>(raw.as_str()).map(|value| value.to_string()).expect("JSON")
}

proptest! {
    #[test]
    fn unchanged_is_the_same_bytes(value in notebook(), spaces in vec(0..5usize, 1..40)) {
        let mut next = spaces.iter().cycle();
        let text = spelled(&value, &mut || ["", " ", "\n", "\r\n\t", "  "][*next.next().expect("a cycle")]);
        prop_assert_eq!(Notebook::read(text.as_bytes()).unwrap().write(), text);
    }

    #[test]
    fn changes_are_what_is_read_again(value in notebook(), spaces in vec(0..5usize, 1..40), changes in vec(change(), 1..6)) {
        let mut next = spaces.iter().cycle();
        let text = spelled(&value, &mut || ["", " ", "\n", "\r\n\t", "  "][*next.next().expect("a cycle")]);
        let mut notebook = Notebook::read(text.as_bytes()).unwrap();
        for (number, change) in changes.into_iter().enumerate() {
            apply(&mut notebook, change, number);
        }
        let again = Notebook::read(notebook.write().as_bytes()).unwrap();
        prop_assert_eq!(contents(&again), contents(&notebook));
        let canonical = Notebook::read(notebook.write_canonical().as_bytes()).unwrap();
        prop_assert_eq!(contents(&canonical), contents(&notebook));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Notebook::read(&bytes);
    }

    #[test]
    fn a_damaged_notebook_is_read_or_refused(value in notebook(), at in any::<Index>(), byte in any::<u8>()) {
        let mut bytes = value.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(notebook) = Notebook::read(&bytes) {
            prop_assert_eq!(notebook.write().into_bytes(), bytes);
        }
    }
}
