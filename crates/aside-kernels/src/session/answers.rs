//! Runs that no kernel does: the answers in AI cells. Who answers tells what there is to be shown; it is kept, shown and
//! brought into the file as what kernels put out.

use std::sync::Arc;

use aside_core::{CellExecution, ExecutionId, ExecutionState};
use aside_macros::boxed;
use aside_notebook::{CellKey, Notebook};

use super::{Command, Session, Shared};
use crate::{
    Output, SessionError,
    record::{self, ExecutionRecord},
};

impl Session {
    /// Begins an answer in a cell; what the cell had put out before is gone. Its place behind another answer, if it had one,
    /// becomes this run.
    ///
    /// # Errors
    /// If one is under way there, or it can't be kept.
    pub fn begin_answer(&self, cell: &CellKey, prompt: String) -> Result<ExecutionId, SessionError> {
        let id = self.shared.begin_answer(cell, prompt)?;
        self.changed(cell, false);
        Ok(id)
    }

    /// Shows what there is of an answer, all of it. With `kept` it outlives the server; pieces of a text that still comes
    /// are kept by who makes it.
    pub fn show_answer(&self, id: &ExecutionId, outputs: Vec<Output>, kept: bool) {
        if kept {
            let events: Vec<_> = outputs.iter().filter_map(Output::event).collect();
            self.shared.noted(record::replace_log(&self.shared.store, id, &events, 0));
        }
        let cell = self.shared.change(|state| {
            let now = state.now;
            let cell = CellKey(state.executions.get(id)?.execution.cell.clone());
            state.outputs.put(&cell, outputs, now);
            state.cells.insert(cell.clone(), now);
            Some(cell)
        });
        if let Some(cell) = cell {
            self.changed(&cell, false);
        }
    }

    /// Reads the notebook with what its cells have put out up to now, which the document gets only now and then.
    ///
    /// # Errors
    /// If it is not there, or no notebook.
    #[boxed]
    pub async fn notebook_now(&self) -> Result<Notebook, SessionError> {
        let mut notebook = Arc::unwrap_or_clone(self.notebook().await?);
        let state = self.shared.lock();
        for cell in &mut notebook.cells {
            if let Some(outputs) = state.outputs.written_of(cell.key()) {
                cell.set("outputs", outputs);
            }
        }
        Ok(notebook)
    }

    /// Ends an answer.
    pub fn end_answer(&self, id: &ExecutionId, how: ExecutionState) {
        self.shared.end(id, how);
        let cell = self.shared.lock().executions.get(id).map(|record| CellKey(record.execution.cell.clone()));
        if let Some(cell) = cell {
            self.changed(&cell, true);
        }
    }

    /// What the answer that is under way in a cell was asked.
    pub fn asked(&self, cell: &CellKey) -> Option<String> {
        let state = self.shared.lock();
        let open = state.of_cell(cell).find(|record| record.is_answer && !record.is_over());
        open.map(|record| record.code.clone())
    }

    /// The answers that are not over.
    pub fn open_answers(&self) -> Vec<CellExecution> {
        let state = self.shared.lock();
        let open = state.executions.values().filter(|record| record.is_answer && !record.is_over());
        open.map(|record| record.execution.clone()).collect()
    }

    fn changed(&self, cell: &CellKey, over: bool) {
        // A runner that has ended has nobody to write for.
        let _ = self.commands.send(Command::Shown { cell: cell.clone(), over });
    }
}

impl Shared {
    fn begin_answer(&self, cell: &CellKey, prompt: String) -> Result<ExecutionId, SessionError> {
        let (held, now) = (self.lock().held(cell), self.store.now());
        let id = held.unwrap_or_else(|| self.store.new_id());
        let execution = CellExecution {
            id: id.clone(),
            cell: cell.0.clone(),
            state: ExecutionState::Running,
            count: None,
            asked_at: now,
            began_at: Some(now),
            ended_at: None,
            next_input: None,
            problem: None,
        };
        let record = ExecutionRecord::answer(execution, prompt);
        // A notebook without a kernel is to be found again too.
        self.keep();
        record.put(&self.store, &self.id)?;
        let older = self.change(|state| {
            if state.of_cell(cell).any(|record| !record.is_over() && record.execution.id != id) {
                return Err(SessionError::Runs(cell.0.clone()));
            }
            let others = state.of_cell(cell).map(|record| record.execution.id.clone());
            let older: Vec<_> = others.filter(|other| *other != id).collect();
            older.iter().for_each(|id| drop(state.executions.remove(id)));
            state.kernel.queue.retain(|waiting| *waiting != id);
            state.kernel_changed = state.now;
            state.outputs.begin(cell.clone());
            state.cells.insert(cell.clone(), state.now);
            state.executions.insert(id.clone(), record);
            Ok(older)
        });
        match older {
            Ok(older) => self.noted(ExecutionRecord::delete(&older, &self.store)),
            Err(error) => {
                let before = self.lock().executions.get(&id).cloned();
                self.noted(match before {
                    Some(held) => held.put(&self.store, &self.id),
                    None => ExecutionRecord::delete(std::slice::from_ref(&id), &self.store),
                });
                return Err(error);
            }
        }
        Ok(id)
    }
}
