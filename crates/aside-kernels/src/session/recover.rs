//! Goes on after a restart of the server: finds the kernel again, and what runs put out.

use aside_core::{ExecutionState, KernelState};
use aside_jupyter::Kernel;
use aside_notebook::CellKey;

use super::{
    Runner,
    life::{Change, Ready},
};
use crate::{
    SessionError,
    record::{ExecutionRecord, SessionRecord, read_log},
};

impl Runner {
    /// Takes up what was kept. The runs are in the order in which they were asked for.
    pub fn resume(mut self, record: SessionRecord, executions: Vec<ExecutionRecord>) -> Result<Self, SessionError> {
        executions.into_iter().try_for_each(|execution| self.take_up(execution))?;
        match record.running {
            Some(kernel) => {
                self.shared.change_kernel(|now| now.state = KernelState::Starting);
                let found = async move {
                    let (kernel, news, activity) = Kernel::find_again(kernel).await?;
                    Ok(Some(Ready { kernel, news, found: Some(activity) }))
                };
                self.change = Some(Change::find(Box::pin(found)));
            }
            None => self.lose(),
        }
        Ok(self)
    }

    fn take_up(&mut self, record: ExecutionRecord) -> Result<(), SessionError> {
        let (id, cell) = (record.execution.id.clone(), CellKey(record.execution.cell.clone()));
        let is_over = record.is_over();
        if record.execution.state == ExecutionState::Queued {
            self.queue.push_back(id.clone());
        } else if !record.in_file {
            let events = read_log(&self.shared.store, &id)?;
            self.shared.change(|state| {
                state.outputs.begin(cell.clone());
                let now = state.now;
                events.into_iter().for_each(|event| drop(state.outputs.take(&cell, event, now)));
            });
            if is_over {
                self.dirty.insert(cell.clone());
            }
        }
        self.shared.change(|state| {
            if !is_over {
                state.kernel.queue.push(id.clone());
            }
            state.cells.insert(cell, state.now);
            state.executions.insert(id, record);
        });
        Ok(())
    }
}
