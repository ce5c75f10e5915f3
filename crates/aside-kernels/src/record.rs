//! What is kept of kernels and runs, so that all goes on after a restart of the server.
//!
//! ```text
//! notebook_session  S -> { path, kernel, running }
//! cell_execution    E of S -> { execution, code, request, in_file, names }
//! bytes execution:E -> pieces, each JSON: { number, events }: what came, in order, and the number of what came last
//! ```
//!
//! What a run put out is in its log until the notebook's file has it; the latest run of a cell stays as a record.

use aside_core::{CellExecution, ExecutionId, ExecutionState, FoundKernel, WorkspacePath};
use aside_jupyter::KernelRecord;
use aside_store::{Batch, Durability, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::{OutputEvent, SqlCell};

const SESSION: &str = "notebook_session";
const EXECUTION: &str = "cell_execution";

/// A notebook and its kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SessionRecord {
    pub id: String,
    pub path: WorkspacePath,
    /// What was last chosen.
    pub kernel: Option<FoundKernel>,
    /// What runs, or did when this was written.
    pub running: Option<KernelRecord>,
}

/// A run of a cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExecutionRecord {
    pub execution: CellExecution,
    pub code: String,
    /// It is a question to a database, asked so.
    #[serde(default)]
    pub sql: Option<SqlCell>,
    /// What waits behind it is not begun if it fails.
    pub stop_on_error: bool,
    /// The id that the kernel's messages name it by.
    pub request: Option<String>,
    /// The notebook's file has what it put out; its log is gone.
    pub in_file: bool,
    /// What its outputs in the file are called, each that code can show anew by its name; nothing if none is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Option<String>>,
    /// The number of what came last and is in its log. What the kernel's relay tells again has the same.
    #[serde(skip)]
    pub number: u64,
    /// An answer in an AI cell: no kernel runs it.
    #[serde(default)]
    pub is_answer: bool,
    /// It waits behind an answer, and is not the kernel's yet.
    #[serde(default)]
    pub held: bool,
}

/// What came at once.
#[derive(Serialize, Deserialize)]
struct Piece<E> {
    number: u64,
    events: E,
}

impl SessionRecord {
    pub fn all(store: &Store) -> Result<Vec<Self>, StoreError> {
        store.list(SESSION)
    }

    pub fn put(&self, store: &Store) -> Result<(), StoreError> {
        store.put(SESSION, &self.id, None, self)
    }
}

impl ExecutionRecord {
    pub fn of_session(store: &Store, session: &str) -> Result<Vec<Self>, StoreError> {
        store.list_owned(EXECUTION, session)
    }

    pub fn put(&self, store: &Store, session: &str) -> Result<(), StoreError> {
        store.put(EXECUTION, self.execution.id.as_str(), Some(session), self)
    }

    /// A run that no kernel does.
    pub fn answer(execution: CellExecution, code: String) -> Self {
        Self {
            execution,
            code,
            sql: None,
            stop_on_error: false,
            request: None,
            in_file: false,
            names: Vec::new(),
            number: 0,
            is_answer: true,
            held: false,
        }
    }

    /// Keeps it in place of these, which go with what they put out.
    pub fn put_in_place_of(&self, older: &[ExecutionId], store: &Store, session: &str) -> Result<(), StoreError> {
        let mut batch = without(older);
        batch.put(EXECUTION, self.execution.id.as_str(), Some(session), self)?;
        store.write(Durability::Normal, batch).map(drop)
    }

    /// Drops these and what they put out.
    pub fn delete(runs: &[ExecutionId], store: &Store) -> Result<(), StoreError> {
        if runs.is_empty() { Ok(()) } else { store.write(Durability::Normal, without(runs)).map(drop) }
    }

    /// Waits behind an answer still.
    pub fn is_held(&self) -> bool {
        self.held && self.execution.state == ExecutionState::Queued
    }

    pub fn is_over(&self) -> bool {
        !matches!(self.execution.state, ExecutionState::Queued | ExecutionState::Running)
    }
}

fn without(runs: &[ExecutionId]) -> Batch {
    let mut batch = Batch::default();
    for id in runs {
        batch.delete(EXECUTION, id.as_str());
        batch.delete_bytes(&log_of(id));
    }
    batch
}

/// Keeps what came, and the number of what came last.
pub(crate) fn append(store: &Store, id: &ExecutionId, events: &[OutputEvent], number: u64) -> Result<(), StoreError> {
    store.append_bytes(&log_of(id), &piece(events, number))
}

fn piece(events: &[OutputEvent], number: u64) -> Vec<u8> {
    serde_json::to_vec(&Piece { number, events }).expect("what a kernel said serialises to JSON")
}

/// All that a run put out and that is in no file yet, and the number of what came last. A piece that can't be read is left
/// out, with a warning.
pub(crate) fn read_log(store: &Store, id: &ExecutionId) -> Result<(Vec<OutputEvent>, u64), StoreError> {
    let (mut events, mut last) = (Vec::new(), 0);
    for piece in store.read_bytes(&log_of(id))? {
        match serde_json::from_slice::<Piece<Vec<OutputEvent>>>(&piece) {
            Ok(piece) => {
                events.extend(piece.events);
                last = last.max(piece.number);
            }
            Err(error) => tracing::warn!(%error, "a part of the output of {id} can't be read"),
        }
    }
    Ok((events, last))
}

/// Keeps this in place of all that a run put out before.
pub(crate) fn replace_log(
    store: &Store,
    id: &ExecutionId,
    events: &[OutputEvent],
    number: u64,
) -> Result<(), StoreError> {
    store.replace_bytes(&log_of(id), &piece(events, number))
}

pub(crate) fn delete_log(store: &Store, id: &ExecutionId) -> Result<(), StoreError> {
    store.delete_bytes(&log_of(id))
}

fn log_of(id: &ExecutionId) -> String {
    format!("execution:{id}")
}
