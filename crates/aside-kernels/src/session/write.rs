//! Brings what was put out into the notebook's document, now and then and at the end.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use aside_doc::CellOutputs;
use aside_notebook::CellKey;
use tokio::time::Instant;

use super::Runner;
use crate::{
    SessionError, file, record,
    trust::{self, OwnOutputs},
};

/// How long at least between two writes while something runs.
pub(super) const PAUSE: Duration = Duration::from_secs(2);
/// How long nothing runs before it is written. Who runs cells one by one does not wait for that each time: it is in the
/// store already.
pub(super) const SETTLED: Duration = Duration::from_millis(100);
/// At most this part of the time goes into writing.
const PART: u32 = 10;
/// When it is tried again what could not be written.
const AGAIN: Duration = Duration::from_secs(30);

/// What was written.
pub(super) struct Written {
    cells: Vec<CellKey>,
    /// What they have put out, by its name.
    own: Vec<OwnOutputs>,
    /// The count of changes then.
    at: u64,
    took: Duration,
    /// Whether the file has it.
    result: Result<bool, SessionError>,
}

impl Runner {
    pub(super) fn write(&mut self) {
        self.settled = None;
        let cells: Vec<CellKey> = std::mem::take(&mut self.dirty).into_iter().collect();
        let (path, outputs, answers, runs, at) = {
            let state = self.shared.lock();
            let outputs = |key: &CellKey| {
                let outputs = state.outputs.written_of(key)?;
                let count = state.shown_of(key).and_then(|record| record.execution.count);
                Some(CellOutputs { key: key.clone(), outputs, count })
            };
            let is_answer = |key: &&CellKey| state.shown_of(key).is_some_and(|record| record.is_answer);
            let answers: Vec<CellKey> = cells.iter().filter(is_answer).cloned().collect();
            let run = |key: &CellKey| Some((key.clone(), state.shown_of(key)?.execution.id.clone()));
            let runs: BTreeMap<_, _> = cells.iter().filter_map(run).collect();
            (state.path.clone(), cells.iter().filter_map(outputs).collect::<Vec<_>>(), answers, runs, state.now)
        };
        // While it is written nothing else is held: who has the session has the kernel's messages.
        let (shared, workspace) = (Arc::downgrade(&self.shared), self.shared.workspace.clone());
        self.writing = Some(tokio::spawn(async move {
            let start = Instant::now();
            let named = outputs.iter().filter_map(|cell| Some((cell.key.clone(), trust::hash_of(&cell.outputs)?)));
            let named: Vec<_> = named.collect();
            // Before anybody can read it in the notebook.
            if let Some(shared) = shared.upgrade() {
                for (cell, hash) in named.iter().filter(|(cell, _)| !answers.contains(cell)) {
                    shared.lock().trusted.ran(cell, hash.clone());
                }
            }
            let own =
                |(cell, outputs): (CellKey, _)| OwnOutputs { run: runs.get(&cell).cloned(), cell: cell.0, outputs };
            let own = named.into_iter().map(own).collect();
            let set = file::set(&workspace, &path, outputs).await;
            let took = start.elapsed();
            let result = match set {
                Ok(document) => Ok(file::is_saved(&document).await),
                Err(error) => Err(error),
            };
            Written { cells, own, at, took, result }
        }));
    }

    /// Writes what is not written, before the end of the server.
    pub(super) async fn write_all(&mut self) {
        self.is_written().await;
        if !self.dirty.is_empty() {
            self.write();
            self.is_written().await;
        }
    }

    async fn is_written(&mut self) {
        if let Some(writing) = self.writing.take() {
            self.written(writing.await.ok());
        }
    }

    pub(super) fn written(&mut self, written: Option<Written>) {
        self.writing = None;
        let Some(Written { cells, own, at, took, result }) = written else { return };
        self.next_write = Instant::now() + PAUSE.max(took * PART);
        match result {
            Ok(true) => {
                let unwritten = self.unwritten.take();
                self.shared.settle(|problem| Some(problem) == unwritten.as_ref());
                // Before it is looked for in the file.
                self.shared.trust_own(own);
                cells.iter().for_each(|cell| self.in_the_file(cell, at));
                if self.dirty.is_empty() {
                    // The file has what the store did not take.
                    self.shared.lock().is_unkept = false;
                    self.kept();
                }
            }
            // The document says why; what was put out is kept until the file has it.
            Ok(false) => {
                self.dirty.extend(cells);
                self.next_write = Instant::now() + AGAIN;
            }
            Err(error) => {
                tracing::warn!(%error, "cell outputs can't be saved; they are kept");
                let failure = error.failure();
                self.unwritten = Some(failure.clone());
                self.shared.change_kernel(|kernel| kernel.problem = Some(failure));
                self.dirty.extend(cells);
                self.next_write = Instant::now() + AGAIN;
            }
        }
    }

    /// What is over and in the file needs not be kept twice.
    fn in_the_file(&mut self, cell: &CellKey, at: u64) {
        let (over, names) = {
            let mut state = self.shared.lock();
            let is_open = state.of_cell(cell).any(|record| !record.is_over());
            if is_open || self.dirty.contains(cell) || state.cells.get(cell).is_some_and(|changed| changed > at) {
                return;
            }
            state.outputs.forget(cell);
            let over = state.of_cell(cell).last().map(|record| record.execution.id.clone());
            (over, state.outputs.names_of(cell))
        };
        if let Some(id) = over {
            if let Some(record) = self.shared.lock().executions.get_mut(&id) {
                (record.in_file, record.names) = (true, names);
            }
            let record = self.shared.lock().executions.get(&id).cloned();
            self.shared.noted(record.map_or(Ok(()), |record| record.put(&self.shared.store, &self.shared.id)));
            self.shared.noted(record::delete_log(&self.shared.store, &id));
        }
    }

    /// Notes in the notebook which kernel it has, as Jupyter does.
    pub(super) fn note_kernel(&self) {
        let Some((kernel, path, handle)) = ({
            let state = self.shared.lock();
            state
                .kernel
                .kernel
                .clone()
                .zip(state.handle.clone())
                .map(|(kernel, handle)| (kernel, state.path.clone(), handle))
        }) else {
            return;
        };
        let language = handle.info().map(|info| info.language_info.clone());
        let workspace = self.shared.workspace.clone();
        tokio::spawn(async move {
            if let Err(error) = file::note_kernel(&workspace, &path, kernel, language).await {
                tracing::warn!(%error, "the kernel's name could not be saved in {path}");
            }
        });
    }
}
