//! Changes of a notebook as values: made on a list of cells, where it shows whether they can be, and taken back by others.

use std::collections::BTreeMap;

use aside_notebook::{CellKey, CellKind, OURS, Raw};

use crate::{Splice, apply_splices};

/// A cell as people and programs see it. Outputs are no part of it: they are kept with the runs they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookCell {
    /// What it is called.
    pub key: CellKey,
    /// What it holds.
    pub kind: CellKind,
    /// Its text, with LF endings.
    pub source: String,
    /// Its metadata, by name, each as JSON text.
    pub metadata: BTreeMap<String, String>,
    /// What else the format or somebody's program gave it, such as `attachments`, by name, each as JSON text.
    pub others: BTreeMap<String, String>,
}

impl NotebookCell {
    /// Makes it another kind, which its metadata says too where the format has no word for it. Returns what it was.
    pub(crate) fn set_kind(&mut self, kind: &CellKind) -> CellKind {
        let before = std::mem::replace(&mut self.kind, kind.clone());
        match kind.marked(self.metadata.get(OURS).map(String::as_str)) {
            Some(marked) => _ = self.metadata.insert(OURS.to_owned(), marked),
            None => _ = self.metadata.remove(OURS),
        }
        before
    }

    /// The same cell, whose metadata says its kind if it is read by that.
    pub(crate) fn marked(mut self) -> Self {
        let read = CellKind::read(self.kind.in_format(), self.metadata.get(OURS).map(String::as_str));
        if read != self.kind {
            self.set_kind(&self.kind.clone());
        }
        self
    }

    /// What its metadata says of another kind than it has, as it does where two changed it at once: another change of its kind
    /// forgets that, so this is what brings it back.
    pub(crate) fn unmeant(&self) -> Option<CellChange> {
        let said = self.metadata.get(OURS);
        let meant = self.kind.marked(said.map(String::as_str));
        let metadata = || CellChange::Metadata { key: self.key.clone(), name: OURS.to_owned(), value: said.cloned() };
        (meant.as_ref() != said).then(metadata)
    }
}

/// One change of the cells of a notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellChange {
    /// Puts a new cell after another one, or first.
    Insert {
        /// The cell.
        cell: NotebookCell,
        /// The one before it.
        after: Option<CellKey>,
    },
    /// Takes a cell away.
    Remove {
        /// Which.
        key: CellKey,
    },
    /// Puts a cell after another one, or first.
    Move {
        /// Which.
        key: CellKey,
        /// The one before it.
        after: Option<CellKey>,
    },
    /// Makes it another kind.
    Kind {
        /// Which.
        key: CellKey,
        /// What it holds from now on.
        kind: CellKind,
    },
    /// Changes its text.
    Source {
        /// Which.
        key: CellKey,
        /// What changes: in order and without overlap.
        splices: Vec<Splice>,
    },
    /// Sets a part of its metadata.
    Metadata {
        /// Which.
        key: CellKey,
        /// Which part.
        name: String,
        /// What it is from now on, as JSON text; none takes it away.
        value: Option<String>,
    },
}

/// Why a change can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellChangeError {
    /// It is gone, or never was.
    #[error("there is no cell `{0}`")]
    NoCell(CellKey),
    /// A new cell is called like one that is there.
    #[error("cell `{0}` already exists")]
    Taken(CellKey),
    /// It would come after itself.
    #[error("cell `{0}` can't be moved after itself")]
    AfterItself(CellKey),
    /// The splices are not of this text.
    #[error("the change does not match the text of cell `{0}`")]
    Misfit(CellKey),
    /// The value is no JSON.
    #[error("`{name}` of cell `{key}` is not valid JSON: {reason}")]
    NotJson {
        /// Whose metadata it is.
        key: CellKey,
        /// Which part.
        name: String,
        /// Why not.
        reason: String,
    },
}

impl CellChange {
    /// Makes it in a list of cells, and returns what takes it back.
    ///
    /// # Errors
    /// If it can't be made; then the list is as it was.
    pub fn make(&self, cells: &mut Vec<NotebookCell>) -> Result<Self, CellChangeError> {
        match self {
            Self::Insert { cell, after } => insert(cells, cell, after.as_ref()),
            Self::Remove { key } => remove(cells, key),
            Self::Move { key, after } => move_after(cells, key, after.as_ref()),
            Self::Kind { key, kind } => {
                let at = place(cells, key)?;
                let kind = cells[at].set_kind(kind);
                Ok(Self::Kind { key: key.clone(), kind })
            }
            Self::Source { key, splices } => change_source(cells, key, splices),
            Self::Metadata { key, name, value } => set_metadata(cells, key, name, value.as_deref()),
        }
    }
}

fn insert(
    cells: &mut Vec<NotebookCell>,
    cell: &NotebookCell,
    after: Option<&CellKey>,
) -> Result<CellChange, CellChangeError> {
    if place(cells, &cell.key).is_ok() {
        return Err(CellChangeError::Taken(cell.key.clone()));
    }
    for (name, value) in cell.metadata.iter().chain(&cell.others) {
        check_json(&cell.key, name, value)?;
    }
    cells.insert(place_after(cells, after)?, cell.clone().marked());
    Ok(CellChange::Remove { key: cell.key.clone() })
}

fn remove(cells: &mut Vec<NotebookCell>, key: &CellKey) -> Result<CellChange, CellChangeError> {
    let at = place(cells, key)?;
    let after = before(cells, at);
    Ok(CellChange::Insert { cell: cells.remove(at), after })
}

fn move_after(
    cells: &mut Vec<NotebookCell>,
    key: &CellKey,
    after: Option<&CellKey>,
) -> Result<CellChange, CellChangeError> {
    if after == Some(key) {
        return Err(CellChangeError::AfterItself(key.clone()));
    }
    let at = place(cells, key)?;
    place_after(cells, after)?;
    let back = CellChange::Move { key: key.clone(), after: before(cells, at) };
    let cell = cells.remove(at);
    let to = place_after(cells, after)?;
    cells.insert(to, cell);
    Ok(back)
}

fn change_source(cells: &mut [NotebookCell], key: &CellKey, splices: &[Splice]) -> Result<CellChange, CellChangeError> {
    let at = place(cells, key)?;
    let (cell, mut end) = (&mut cells[at], 0);
    for Splice { range, .. } in splices {
        // In order, not backwards, and between characters.
        if range.start < end || cell.source.get(range.clone()).is_none() {
            return Err(CellChangeError::Misfit(key.clone()));
        }
        end = range.end;
    }
    let back = inverse(&cell.source, splices);
    cell.source = apply_splices(&cell.source, splices);
    Ok(CellChange::Source { key: key.clone(), splices: back })
}

fn inverse(source: &str, splices: &[Splice]) -> Vec<Splice> {
    let (mut done, mut start) = (0, 0);
    let back = |splice: &Splice| {
        start += splice.range.start - done;
        done = splice.range.end;
        let range = start..start + splice.insert.len();
        start = range.end;
        Splice { range, insert: source[splice.range.clone()].to_owned() }
    };
    splices.iter().map(back).collect()
}

fn set_metadata(
    cells: &mut [NotebookCell],
    key: &CellKey,
    name: &str,
    value: Option<&str>,
) -> Result<CellChange, CellChangeError> {
    let at = place(cells, key)?;
    let metadata = &mut cells[at].metadata;
    let before = match value {
        Some(value) => {
            check_json(key, name, value)?;
            metadata.insert(name.to_owned(), value.to_owned())
        }
        None => metadata.remove(name),
    };
    if name == OURS {
        cells[at].kind = CellKind::read(cells[at].kind.in_format(), value);
    }
    Ok(CellChange::Metadata { key: key.clone(), name: name.to_owned(), value: before })
}

fn check_json(key: &CellKey, name: &str, value: &str) -> Result<(), CellChangeError> {
    let not_json = |error: serde_json::Error| CellChangeError::NotJson {
        key: key.clone(),
        name: name.to_owned(),
        reason: error.to_string(),
    };
    Raw::parse(value).map(drop).map_err(not_json)
}

fn place(cells: &[NotebookCell], key: &CellKey) -> Result<usize, CellChangeError> {
    cells.iter().position(|cell| cell.key == *key).ok_or_else(|| CellChangeError::NoCell(key.clone()))
}

fn place_after(cells: &[NotebookCell], after: Option<&CellKey>) -> Result<usize, CellChangeError> {
    after.map_or(Ok(0), |key| Ok(place(cells, key)? + 1))
}

fn before(cells: &[NotebookCell], at: usize) -> Option<CellKey> {
    Some(cells.get(at.checked_sub(1)?)?.key.clone())
}
