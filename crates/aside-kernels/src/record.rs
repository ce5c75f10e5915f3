//! What is kept of kernels and runs, so that all goes on after a restart of the server.
//!
//! ```text
//! notebook_session  S -> { path, kernel, running }
//! cell_execution    E of S -> { execution, code, request, in_file }
//! bytes execution:E -> pieces, each a JSON list of what came, in order
//! ```
//!
//! What a run put out is in its log until the notebook's file has it; the latest run of a cell stays as a record.

use aside_core::{CellExecution, ExecutionId, ExecutionState, FoundKernel, WorkspacePath};
use aside_jupyter::KernelRecord;
use aside_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::OutputEvent;

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
    /// What waits behind it is not begun if it fails.
    pub stop_on_error: bool,
    /// The id that the kernel's messages name it by.
    pub request: Option<String>,
    /// The notebook's file has what it put out; its log is gone.
    pub in_file: bool,
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

    /// Drops it and what it put out.
    pub fn delete(store: &Store, id: &ExecutionId) -> Result<(), StoreError> {
        store.delete(EXECUTION, id.as_str())?;
        delete_log(store, id)
    }

    pub fn is_over(&self) -> bool {
        !matches!(self.execution.state, ExecutionState::Queued | ExecutionState::Running)
    }
}

pub(crate) fn append(store: &Store, id: &ExecutionId, events: &[OutputEvent]) -> Result<(), StoreError> {
    let piece = serde_json::to_vec(events).expect("what a kernel said serialises to JSON");
    store.append_bytes(&log_of(id), &piece)
}

/// All that a run put out and that is in no file yet. A piece that can't be read is left out, with a warning.
pub(crate) fn read_log(store: &Store, id: &ExecutionId) -> Result<Vec<OutputEvent>, StoreError> {
    let mut events = Vec::new();
    for piece in store.read_bytes(&log_of(id))? {
        match serde_json::from_slice::<Vec<OutputEvent>>(&piece) {
            Ok(more) => events.extend(more),
            Err(error) => tracing::warn!(%error, "a piece of what {id} put out can't be read"),
        }
    }
    Ok(events)
}

pub(crate) fn delete_log(store: &Store, id: &ExecutionId) -> Result<(), StoreError> {
    store.delete_bytes(&log_of(id))
}

fn log_of(id: &ExecutionId) -> String {
    format!("execution:{id}")
}
