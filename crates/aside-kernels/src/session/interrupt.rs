//! Interrupts what runs, and says if it takes no notice of that.

use std::time::Duration;

use aside_core::{ExecutionId, ExecutionState, Failure};
use tokio::time::Instant;

use super::{Runner, life::answer, runner::Done};
use crate::SessionError;

/// How long a run may take to heed an interrupt, before that is told.
const HEED: Duration = Duration::from_secs(5);
/// What is told of one that does not.
pub(super) const UNHEEDED: &str = "unheeded";

impl Runner {
    /// Interrupts one of these if it is under way; those of them that wait are not begun.
    pub(super) fn interrupt_runs(&mut self, runs: &[ExecutionId], done: Done) {
        self.queue.retain(|id| !runs.contains(id));
        let current = self.running.as_ref().and_then(|running| running.current.as_ref());
        let is_current = current.is_some_and(|current| runs.contains(&current.id));
        let waiting = self.shared.open().into_iter().filter(|run| run.state == ExecutionState::Queued);
        let waiting: Vec<_> = waiting.map(|run| run.id).filter(|id| runs.contains(id)).collect();
        waiting.iter().for_each(|id| _ = self.shared.end(id, ExecutionState::Aborted));
        match is_current {
            true => self.interrupt_kernel(done),
            false => answer(done, Ok(())),
        }
    }

    pub(super) fn interrupt(&mut self, done: Done) {
        self.abort();
        self.interrupt_kernel(done);
    }

    fn interrupt_kernel(&mut self, done: Done) {
        let Some(kernel) = self.running.as_ref().map(|running| running.kernel.clone()) else {
            let path = self.shared.lock().path.clone();
            let result = if self.change.is_some() { Ok(()) } else { Err(SessionError::NotRunning(path)) };
            return answer(done, result);
        };
        self.leave_out();
        let current = self.running.as_ref().and_then(|running| running.current.as_ref());
        self.interrupted = current.map(|current| (current.id.clone(), Instant::now() + HEED));
        tokio::spawn(async move { answer(done, kernel.interrupt().await.map_err(SessionError::from)) });
    }

    /// Says that a run goes on though it was interrupted.
    pub(super) fn unheeded(&mut self) {
        let interrupted = self.interrupted.take().map(|(run, _)| run);
        let current = self.running.as_ref().and_then(|running| running.current.as_ref());
        if current.is_some_and(|current| Some(&current.id) == interrupted.as_ref()) {
            let problem = Failure::new(UNHEEDED, "the code ignores the interrupt")
                .hint("it may still end by itself; a restart ends it, and variables are lost");
            self.shared.change_kernel(|kernel| kernel.problem = Some(problem));
        }
    }
}
