//! One run from its beginning or from its journal to its end.

use std::sync::Arc;

use aside_core::TaskId;
use aside_script::{JournalEntry, Script, compile, run};
use aside_store::StoreError;

use super::{
    super::{Tasks, error::TaskError, stored::get},
    dry::DryHost,
    fault_of,
    host::GateHost,
    journal, limits,
    live::LiveRun,
};

fn unless_at_rest(error: TaskError) -> Result<(), TaskError> {
    match error {
        TaskError::Store(StoreError::AtRest) => Ok(()),
        error => Err(error),
    }
}

impl Tasks {
    /// Runs a script in the background, unless somebody is at it already.
    pub(super) fn run_script(self: &Arc<Self>, id: &TaskId, live: &Arc<LiveRun>) {
        if !self.scripts.enter(id, live) {
            return;
        }
        let (tasks, id, live) = (self.clone(), id.clone(), live.clone());
        tokio::spawn(async move {
            let ended = tasks.to_its_end(&id, &live).await;
            // Where the server has ended, the next start finds the run interrupted.
            if let Err(error) = ended.or_else(unless_at_rest) {
                // The next start finds it running and says that it was interrupted.
                tracing::error!(task = %id, %error, "a script was abandoned: cannot write its end");
            }
            tasks.scripts.leave(&id);
        });
    }

    async fn to_its_end(self: &Arc<Self>, id: &TaskId, live: &Arc<LiveRun>) -> Result<(), TaskError> {
        let (stored, script) = (get(&self.store, id)?, self.stored_script(id)?);
        let journal = journal::read(&self.store, &self.gate, id)?;
        let limits = limits(&script.limits)?;
        let program = compile(&script.source).map_err(fault_of)?;
        let entries: &[JournalEntry] = &journal.entries;
        let text = Script { program: &program, args: &script.args, actions: &script.actions, journal: entries };
        self.expect_shown(live, &script, &journal)?;
        let submission = stored.submission();
        let (tasks, task, live_run, place) = (self.clone(), id.clone(), live.clone(), script.place);
        let outcome = if script.dry_run {
            let host = DryHost::new(tasks, task, live_run, submission, place);
            run(text, &host, &limits, &live.cancel).await
        } else {
            let host = GateHost { tasks, task, live: live_run, submission, place };
            run(text, &host, &limits, &live.cancel).await
        };
        self.finish_script(id, live, &script, outcome).await
    }
}
