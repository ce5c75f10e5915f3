//! A notebook that several people and programs change at the same time.
//!
//! ```text
//! cells:    key -> { kind, position, source: text, metadata: name -> JSON text, others: name -> JSON text }
//!           kind as the format names it; of AI and SQL cells the metadata says the rest, as in the file
//! metadata: name -> JSON text
//! ```
//!
//! Values that only programs read are JSON texts, so that no number changes its spelling. Another peer may write anything
//! into its copy: what can't be read is taken for what is not there. Outputs are no part of the document.

use std::collections::BTreeMap;

use aside_notebook::{CellKey, CellKind, OURS};
use yrs::{
    Any, GetString as _, Map as _, MapPrelim, MapRef, Out, ReadTxn, TextPrelim, TextRef, Transact as _, TransactionMut,
};

use crate::{Change, Replica, SyncError, text_document::splice_text};

mod align;
mod between;
mod change;
mod file;
mod position;

pub(crate) use align::call_as;
pub use between::cells_between;
pub use change::*;
pub use file::cells_of;

const CELLS: &str = "cells";
const METADATA: &str = "metadata";
const KIND: &str = "kind";
const POSITION: &str = "position";
const SOURCE: &str = "source";
const OTHERS: &str = "others";

/// A live notebook: its cells and its metadata.
pub struct NotebookDocument {
    replica: Replica,
    cells: MapRef,
    metadata: MapRef,
}

/// What came of changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// To be stored and sent; none if nothing changed.
    pub change: Option<Change>,
    /// What takes it back, as long as nobody changes the same.
    pub inverse: Vec<CellChange>,
}

impl NotebookDocument {
    /// Continues a stored history.
    ///
    /// # Errors
    /// If an update can't be read.
    pub fn from_updates<Bytes: AsRef<[u8]>>(updates: impl IntoIterator<Item = Bytes>) -> Result<Self, SyncError> {
        Ok(Self::over(Replica::from_updates(updates)?))
    }

    fn over(replica: Replica) -> Self {
        let (cells, metadata) = roots(&replica);
        Self { replica, cells, metadata }
    }

    /// Begins anew with what is stored, after an update that was [`SyncError::Unusable`].
    ///
    /// # Errors
    /// If an update can't be read.
    pub fn restore<Bytes: AsRef<[u8]>>(&mut self, updates: impl IntoIterator<Item = Bytes>) -> Result<(), SyncError> {
        self.replica.restore(updates)?;
        (self.cells, self.metadata) = roots(&self.replica);
        Ok(())
    }

    /// The side that speaks with peers.
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The side that speaks with peers.
    pub fn replica_mut(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// Returns the cells as they are now, in order.
    pub fn cells(&self) -> Vec<NotebookCell> {
        let transaction = self.replica.doc().transact();
        let cell = |(_, key): (String, CellKey)| {
            let map = cell_map(&self.cells, &transaction, &key)?;
            Some(read_cell(key, &map, &transaction))
        };
        order(&self.cells, &transaction).into_iter().filter_map(cell).collect()
    }

    /// Returns the metadata of the notebook, by name, each as JSON text.
    pub fn metadata(&self) -> BTreeMap<String, String> {
        texts(&self.metadata, &self.replica.doc().transact())
    }

    /// Makes changes one after the other, as one; or none, if one of them can't be made.
    ///
    /// # Errors
    /// If one can't be made, with the reason.
    pub fn apply(&mut self, changes: &[CellChange], origin: &str) -> Result<Changed, CellChangeError> {
        let mut cells = self.cells();
        let mut steps = Vec::new();
        for change in changes {
            // The text before it, to which its splices refer.
            let before = source_of(&cells, change);
            let unmeant = match change {
                CellChange::Kind { key, .. } => {
                    cells.iter().find(|cell| cell.key == *key).and_then(NotebookCell::unmeant)
                }
                _ => None,
            };
            let inverse = [Some(change.make(&mut cells)?), unmeant];
            steps.push((change, before, inverse));
        }
        let map = self.cells.clone();
        let change = self.replica.change(origin, |transaction| {
            for (change, before, _) in &steps {
                make(&map, change, before, transaction);
            }
        });
        let inverse = steps.into_iter().rev().flat_map(|(_, _, inverse)| inverse.into_iter().flatten()).collect();
        Ok(Changed { change, inverse })
    }
}

fn roots(replica: &Replica) -> (MapRef, MapRef) {
    (replica.doc().get_or_insert_map(CELLS), replica.doc().get_or_insert_map(METADATA))
}

/// The cells by their positions; of those at the same one, by their keys.
fn order(cells: &MapRef, transaction: &impl ReadTxn) -> Vec<(String, CellKey)> {
    let mut all: Vec<_> = cells
        .iter(transaction)
        .filter_map(|(key, cell)| match cell {
            Out::YMap(cell) => Some((text(&cell, transaction, POSITION).unwrap_or_default(), CellKey(key.to_owned()))),
            _ => None,
        })
        .collect();
    all.sort();
    all
}

fn cell_map(cells: &MapRef, transaction: &impl ReadTxn, key: &CellKey) -> Option<MapRef> {
    match cells.get(transaction, &key.0)? {
        Out::YMap(cell) => Some(cell),
        _ => None,
    }
}

fn read_cell(key: CellKey, cell: &MapRef, transaction: &impl ReadTxn) -> NotebookCell {
    let part = |name| match cell.get(transaction, name) {
        Some(Out::YMap(map)) => texts(&map, transaction),
        _ => BTreeMap::new(),
    };
    let metadata = part(METADATA);
    let in_format = text(cell, transaction, KIND).unwrap_or_default();
    NotebookCell {
        key,
        kind: CellKind::read(&in_format, metadata.get(OURS).map(String::as_str)),
        source: source(cell, transaction).map(|source| source.get_string(transaction)).unwrap_or_default(),
        metadata,
        others: part(OTHERS),
    }
}

fn source(cell: &MapRef, transaction: &impl ReadTxn) -> Option<TextRef> {
    match cell.get(transaction, SOURCE)? {
        Out::YText(source) => Some(source),
        _ => None,
    }
}

fn text(map: &MapRef, transaction: &impl ReadTxn, name: &str) -> Option<String> {
    match map.get(transaction, name)? {
        Out::Any(Any::String(text)) => Some(text.to_string()),
        _ => None,
    }
}

fn texts(map: &MapRef, transaction: &impl ReadTxn) -> BTreeMap<String, String> {
    let text = |(name, value): (&str, Out)| match value {
        Out::Any(Any::String(text)) => Some((name.to_owned(), text.to_string())),
        _ => None,
    };
    map.iter(transaction).filter_map(text).collect()
}

fn source_of(cells: &[NotebookCell], change: &CellChange) -> String {
    match change {
        CellChange::Source { key, .. } => {
            cells.iter().find(|cell| cell.key == *key).map(|cell| cell.source.clone()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Makes a change that can be made.
fn make(cells: &MapRef, change: &CellChange, before: &str, transaction: &mut TransactionMut) {
    match change {
        CellChange::Insert { cell, after } => {
            let position = position_after(cells, after.as_ref(), &cell.key, transaction);
            put(cells, &cell.clone().marked(), position, transaction);
        }
        CellChange::Remove { key } => _ = cells.remove(transaction, &key.0),
        CellChange::Move { key, after } => {
            let position = position_after(cells, after.as_ref(), key, transaction);
            set(cells, key, POSITION, position, transaction);
        }
        CellChange::Kind { key, kind } => {
            set(cells, key, KIND, kind.in_format().to_owned(), transaction);
            let Some(cell) = cell_map(cells, transaction, key) else { return };
            let metadata = part(&cell, METADATA, transaction);
            let now = text(&metadata, transaction, OURS);
            let marked = kind.marked(now.as_deref());
            if now != marked {
                set_in(&metadata, OURS, marked.as_deref(), transaction);
            }
        }
        CellChange::Source { key, splices } => {
            let Some(cell) = cell_map(cells, transaction, key) else { return };
            let text = source(&cell, transaction);
            let text = text.unwrap_or_else(|| cell.insert(transaction, SOURCE, TextPrelim::new("")));
            splice_text(&text, before, splices, transaction);
        }
        CellChange::Metadata { key, name, value } => {
            let Some(cell) = cell_map(cells, transaction, key) else { return };
            set_in(&part(&cell, METADATA, transaction), name, value.as_deref(), transaction);
        }
    }
}

/// Writes a cell, in place of the one of its key.
fn put(cells: &MapRef, cell: &NotebookCell, position: String, transaction: &mut TransactionMut) {
    let map = cells.insert(transaction, cell.key.0.as_str(), MapPrelim::default());
    map.insert(transaction, KIND, cell.kind.in_format());
    map.insert(transaction, POSITION, position);
    map.insert(transaction, SOURCE, TextPrelim::new(&*cell.source));
    for (part, texts) in [(METADATA, &cell.metadata), (OTHERS, &cell.others)] {
        let map = map.insert(transaction, part, MapPrelim::default());
        for (name, value) in texts {
            map.insert(transaction, name.as_str(), value.as_str());
        }
    }
}

fn set(cells: &MapRef, key: &CellKey, name: &str, value: String, transaction: &mut TransactionMut) {
    if let Some(cell) = cell_map(cells, transaction, key) {
        cell.insert(transaction, name, value);
    }
}

/// One of the maps of a cell, made if it is not there.
fn part(cell: &MapRef, name: &str, transaction: &mut TransactionMut) -> MapRef {
    match cell.get(transaction, name) {
        Some(Out::YMap(map)) => map,
        _ => cell.insert(transaction, name, MapPrelim::default()),
    }
}

fn set_in(map: &MapRef, name: &str, value: Option<&str>, transaction: &mut TransactionMut) {
    match value {
        Some(value) => _ = map.insert(transaction, name, value),
        None => _ = map.remove(transaction, name),
    }
}

fn position_after(cells: &MapRef, after: Option<&CellKey>, key: &CellKey, transaction: &TransactionMut) -> String {
    let others: Vec<_> = order(cells, transaction).into_iter().filter(|(_, other)| other != key).collect();
    let at = after.and_then(|after| others.iter().position(|(_, other)| other == after)).map_or(0, |at| at + 1);
    let low = at.checked_sub(1).and_then(|before| others.get(before)).map_or("", |(position, _)| position);
    position::between(low, others.get(at).map(|(position, _)| position.as_str()), &key.0)
}
