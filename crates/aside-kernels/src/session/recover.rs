//! Goes on after a restart of the server: finds the kernel again, and what runs put out.

use std::{sync::Arc, time::Duration};

use aside_core::{ExecutionState, Failure, KernelState};
use aside_jupyter::{Execution, Kernel, KernelError, KernelRecord, Unfinished};
use aside_notebook::CellKey;

use super::{
    Runner, Shared,
    life::{Change, Ready},
    runner::Current,
};
use crate::{
    Output, SessionError,
    record::{ExecutionRecord, SessionRecord, read_log},
};

/// What is said of a kernel that lives and can't be spoken to.
pub(super) const UNREACHED: &str = "unreached";
/// When a kernel that can't be reached is looked for again.
const AGAIN: Duration = Duration::from_secs(1);

impl Runner {
    /// Takes up what was kept. The runs are in the order in which they were asked for.
    pub fn resume(mut self, record: SessionRecord, executions: Vec<ExecutionRecord>) -> Result<Self, SessionError> {
        let goes_on = record.running.is_some();
        for execution in executions {
            if goes_on && execution.in_file && !execution.names.is_empty() {
                self.take_up_names(&execution);
            }
            self.take_up(execution)?;
        }
        match record.running {
            Some(kernel) => {
                self.shared.change_kernel(|now| now.state = KernelState::Starting);
                let running = self.running_before();
                self.change = Some(Change::find(Box::pin(find(self.shared.clone(), kernel, running))));
            }
            None => self.lose(),
        }
        Ok(self)
    }

    /// The run that was under way when the server before this one ended.
    pub(super) fn running_before(&self) -> Option<ExecutionRecord> {
        let state = self.shared.lock();
        state
            .executions
            .values()
            .find(|record| record.execution.state == ExecutionState::Running && !record.is_answer)
            .cloned()
    }

    /// Goes on with it.
    pub(super) fn go_on(&mut self, execution: Option<Execution>) {
        let Some((record, running)) = self.running_before().zip(self.running.as_mut()) else { return };
        let (id, cell) = (record.execution.id, CellKey(record.execution.cell));
        let is_lost = execution.is_none();
        running.current = Some(Current { stored: record.number, ..Current::new(id, cell, execution) });
        self.shared.change_kernel(|kernel| kernel.state = KernelState::Busy);
        if is_lost {
            self.finish(ExecutionState::Lost);
        }
    }

    /// What the kernel may show anew by its name, which the file does not tell. What another program has written there
    /// meanwhile is not the kernel's.
    fn take_up_names(&self, record: &ExecutionRecord) {
        let (cell, path) = (CellKey(record.execution.cell.clone()), self.shared.lock().path.clone());
        let document = self.shared.workspace.document(&path).ok();
        let notebook = document.and_then(|document| document.notebook());
        if let Some(file) = notebook.as_ref().and_then(|notebook| notebook.cell(&cell)) {
            let is_own = file.get("outputs").is_some_and(|outputs| self.shared.lock().trusted.knows(outputs));
            let outputs = file.outputs().iter().map(Output::read).collect();
            if is_own {
                self.shared.change(|state| state.outputs.resume_named(cell, outputs, &record.names));
            }
        }
    }

    fn take_up(&mut self, mut record: ExecutionRecord) -> Result<(), SessionError> {
        let (id, cell) = (record.execution.id.clone(), CellKey(record.execution.cell.clone()));
        if record.is_held() {
            // Who would have let it go is gone with the server before this one.
            record.execution.state = ExecutionState::Aborted;
            record.put(&self.shared.store, &self.shared.id)?;
        }
        let is_over = record.is_over();
        if record.execution.state == ExecutionState::Queued {
            self.queue.push_back(id.clone());
        } else if !record.in_file && record.execution.began_at.is_some() {
            // One that was never begun has put out nothing: what the file has is of a run before it.
            let (events, number) = read_log(&self.shared.store, &id)?;
            record.number = number;
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
            if !is_over && !record.is_answer {
                state.kernel.queue.push(id.clone());
            }
            state.cells.insert(cell, state.now);
            state.executions.insert(id, record);
        });
        Ok(())
    }
}

/// Finds a kernel again. One that lives and can't be reached is looked for until somebody ends it.
async fn find(
    shared: Arc<Shared>,
    kernel: KernelRecord,
    running: Option<ExecutionRecord>,
) -> Result<Option<Ready>, SessionError> {
    let unfinished = running.as_ref().and_then(|record| {
        let request = record.request.as_deref()?;
        let is_begun = record.execution.count.is_some() || record.number > 0;
        Some(Unfinished { request, is_begun })
    });
    loop {
        match Kernel::find_again(kernel.clone(), unfinished).await {
            Ok((kernel, news, execution)) => return Ok(Some(Ready { kernel, news, found: Some(execution) })),
            Err(KernelError::Gone) => return Err(KernelError::Gone.into()),
            Err(error) => shared.change_kernel(|now| now.problem = Some(unreached(&error))),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn unreached(error: &KernelError) -> Failure {
    Failure::new(UNREACHED, format!("the previous kernel is still running, but can't be reached yet: {error}"))
        .hint("Aside keeps trying to connect; if you shut it down, variables are lost")
}
