//! Runs that wait behind an answer: they have their place and are seen to wait, and are begun when they are let go, if
//! their cell has still the text that it had when it was run last. They do not outlive the server, as who would let them go does not.

use aside_core::{ExecutionId, ExecutionState, Failure};
use aside_jupyter::Raised;
use aside_notebook::CellKey;

use super::{CellToRun, Command, Session, Shared, queued};
use crate::{Output, SessionError, record::ExecutionRecord};

impl Session {
    /// Gives cells a place behind what is under way, in this order. One that has such a place keeps it, with the text that
    /// it has now.
    ///
    /// # Errors
    /// If it can't be kept.
    pub fn hold(&self, cells: Vec<CellToRun>, stop_on_error: bool) -> Result<Vec<ExecutionId>, SessionError> {
        cells.into_iter().map(|cell| self.shared.hold(cell, stop_on_error)).collect()
    }

    /// The run of a cell that has such a place.
    pub fn held(&self, cell: &CellKey) -> Option<ExecutionId> {
        self.shared.lock().held(cell)
    }

    /// Tells whether a run has such a place and a cell has another text than when it got it.
    pub fn is_held_for_another_text(&self, run: &ExecutionId, cell: &CellToRun) -> bool {
        let state = self.shared.lock();
        let held = state.executions.get(run).filter(|record| record.is_held());
        held.is_some_and(|record| (&record.code, &record.sql) != (&cell.code, &cell.sql))
    }

    /// Lets runs go that have such a place. What was ended meanwhile, or let go by
    /// somebody else, is left alone.
    ///
    /// # Errors
    /// If the server is ending.
    pub fn let_go(&self, runs: Vec<(ExecutionId, CellToRun)>) -> Result<(), SessionError> {
        let runs = runs.into_iter().filter(|(id, _)| self.shared.is_held(id));
        let executions: Vec<_> = runs.map(|(id, cell)| self.shared.put_text(id, cell, false)).collect();
        self.commands.send(Command::Run { executions }).map_err(|_| SessionError::Ending)
    }

    /// Ends what has such a place in a cell with a failure, which the cell shows.
    pub fn fail_held(&self, cell: &CellKey, failure: &Failure) {
        // Something else runs there, and shows what comes of it.
        let Ok(id) = self.begin_answer(cell, String::new()) else { return };
        let traceback = [Some(&failure.message), failure.hint.as_ref()].into_iter().flatten().cloned().collect();
        let raised = Raised { name: failure.code.clone(), value: failure.message.clone(), traceback };
        self.show_answer(&id, vec![Output::Error(raised)], true);
        self.end_answer(&id, ExecutionState::Failed);
    }

    /// Ends those of these runs that still have such a place; without a list, all.
    pub fn end_held(&self, runs: Option<&[ExecutionId]>) {
        let held: Vec<ExecutionId> = {
            let state = self.shared.lock();
            let held = state.executions.values().filter(|record| record.is_held());
            held.map(|record| record.execution.id.clone())
                .filter(|id| runs.is_none_or(|runs| runs.contains(id)))
                .collect()
        };
        held.iter().for_each(|id| _ = self.shared.end(id, ExecutionState::Aborted));
    }
}

impl Shared {
    fn hold(&self, cell: CellToRun, stop_on_error: bool) -> Result<ExecutionId, SessionError> {
        let held = self.lock().held(&cell.key);
        if let Some(id) = held {
            return Ok(self.put_text(id, cell, true));
        }
        let record =
            ExecutionRecord { held: true, ..queued(self.store.new_id(), cell, stop_on_error, self.store.now()) };
        self.put_in_queue(record)
    }

    fn is_held(&self, id: &ExecutionId) -> bool {
        self.lock().executions.get(id).is_some_and(ExecutionRecord::is_held)
    }

    fn put_text(&self, id: ExecutionId, cell: CellToRun, held: bool) -> ExecutionId {
        self.change_execution(&id, |record| {
            (record.held, record.code, record.sql) = (held, cell.code, cell.sql);
        });
        id
    }
}
