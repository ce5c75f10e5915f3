//! A person's commands to a run: pause, resume, cancel; and the state that its questions give it.

use std::{sync::Arc, time::Duration};

use aside_core::{Failure, Pause, Phase, Task, TaskEvent, TaskId, TaskSource, TaskState};
use serde_json::Value;

use super::{
    super::{
        TaskDetail, Tasks,
        error::TaskError,
        stored::{StoredTask, change, get},
    },
    REPORT, fault,
};

/// The time that a cancelled engine gets before its task is shown as it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// Tells whether a task is the run of a script.
pub(in super::super) fn is_script(stored: &StoredTask) -> bool {
    matches!(stored.task.source, TaskSource::Script { .. })
}

impl Tasks {
    /// A call waits for a person.
    pub(super) fn script_waits(&self, id: &TaskId) -> Result<(), TaskError> {
        self.script_state(id, TaskState::Running, TaskEvent::Ask)
    }

    /// No call waits for a person any more.
    pub(super) fn script_goes_on(&self, id: &TaskId) -> Result<(), TaskError> {
        self.script_state(id, TaskState::AwaitingConfirmation, TaskEvent::Start)
    }

    fn script_state(&self, id: &TaskId, from: TaskState, event: TaskEvent) -> Result<(), TaskError> {
        if get(&self.store, id)?.task.state == from {
            change(&self.store, id, |change| {
                change.stored.task.paused = None;
                if change.stored.task.state == from { change.go(event) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    /// Lets no further call of a run begin.
    pub(in super::super) fn pause_script(&self, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        let live = self.scripts.of(id).ok_or_else(|| TaskError::NotNow("the script is not running".to_owned()))?;
        change(&self.store, id, |change| {
            let task = &mut change.stored.task;
            if task.state != TaskState::Running || task.paused.is_some() {
                return Err(TaskError::NotNow("only a running script can be paused".to_owned()));
            }
            task.paused = Some(Pause::Person);
            change.note(Phase::Plan, format!("{by} paused it."));
            Ok(())
        })?;
        live.hold();
        self.detail(id)
    }

    /// Lets a run go on: one that is held, or one that was interrupted, from its journal.
    pub(in super::super) fn resume_script(self: &Arc<Self>, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        let stored = get(&self.store, id)?;
        let live = self.scripts.of(id);
        let waits = stored.task.state == TaskState::AwaitingConfirmation && live.is_some();
        if stored.task.state.is_final() || stored.task.paused.is_none() && !waits {
            return Err(TaskError::NotNow("the script is not paused".to_owned()));
        }
        if !waits {
            change(&self.store, id, |change| {
                change.stored.task.paused = None;
                change.note(Phase::Plan, format!("{by} resumed it."));
                Ok(())
            })?;
        }
        match live {
            Some(live) => live.release(),
            None => self.continue_script(id, false)?,
        }
        self.detail(id)
    }

    /// Ends a run whose task was cancelled: what it did stays done.
    pub(in super::super) async fn cancel_script(&self, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        if let Some(live) = self.scripts.of(id) {
            live.end(fault("cancelled", format!("{by} cancelled the run")));
            self.stop_open_calls(&live).await;
            self.until_script_left(id).await?;
        } else {
            self.note_interrupted_calls(id)?;
        }
        self.detail(id)
    }

    /// Ends a run whose grant has ended.
    pub(in super::super) async fn end_script(&self, id: &TaskId, failure: &Failure) -> Result<(), TaskError> {
        match self.scripts.of(id) {
            Some(live) => live.end(fault(&failure.code, failure.message.as_str())),
            None => _ = self.cancel(id, "the end of its grant").await?,
        }
        Ok(())
    }

    /// Waits until the end of a run is written down.
    async fn until_script_left(&self, id: &TaskId) -> Result<(), TaskError> {
        let is_written = |_: &Task| self.store.get::<Value>(REPORT, id.as_str()).is_ok_and(|report| report.is_some());
        // An engine that does not end is left alone; the task is cancelled all the same.
        tokio::time::timeout(PATIENCE, self.until(id, is_written)).await.unwrap_or(Ok(()))
    }
}
