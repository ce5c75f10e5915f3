//! A run held against the dry run that a person has seen: a change that was not shown does not begin by itself.

use aside_core::{ActionName, Pause, Phase, ScriptChange, Sha256, TaskId, TaskState};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    super::{Tasks, error::TaskError, stored::change},
    StoredScript,
    finish::EndedRun,
    journal::ReadJournal,
    live::LiveRun,
};

/// A change that a dry run has shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShownChange {
    action: ActionName,
    args: Sha256,
}

impl ShownChange {
    pub fn of(action: &ActionName, args: &Value) -> Self {
        Self { action: action.clone(), args: Sha256::of_json(args) }
    }
}

impl Tasks {
    /// Returns the changes that a dry run has shown, and the calls that it has shown to fail.
    pub(super) fn shown_changes(&self, dry_run: &TaskId) -> Result<Vec<ShownChange>, TaskError> {
        let EndedRun { report, failed, .. } = self.script_so_far(dry_run)?;
        let changes = report.changes.ok_or_else(|| TaskError::Invalid(format!("task {dry_run} is not a dry run")))?;
        let shown = |change: &ScriptChange| ShownChange::of(&change.action_type, &change.args);
        Ok(changes.iter().map(shown).chain(failed).collect())
    }

    /// Holds a run against what was shown, but for the changes that it has made before an interruption.
    pub(super) fn expect_shown(
        &self,
        live: &LiveRun,
        script: &StoredScript,
        journal: &ReadJournal,
    ) -> Result<(), TaskError> {
        live.state().shown.clone_from(&script.shown);
        for action in journal.actions.values() {
            if let Ok(record) = self.gate.record(action) {
                live.was_shown(&ShownChange::of(&record.envelope.action_type, &record.envelope.args));
            }
        }
        Ok(())
    }

    /// Pauses a run before a call that changes something that was not shown.
    pub(super) fn hold_if_not_shown(
        &self,
        id: &TaskId,
        live: &LiveRun,
        action: &ActionName,
        args: &Value,
    ) -> Result<(), TaskError> {
        if live.state().shown.is_none() {
            return Ok(());
        }
        let changes = self.gate.catalog().describe(action).is_some_and(|known| !known.risks.is_read_only());
        if !changes || live.was_shown(&ShownChange::of(action, args)) {
            return Ok(());
        }
        live.hold();
        let words = format!("The dry run did not show this call of `{action}`: {args}. Resume the run to allow it.");
        change(&self.store, id, |change| {
            if change.stored.task.state == TaskState::Running {
                change.stored.task.paused = Some(Pause::Person);
            }
            change.note(Phase::Plan, words.chars().take(600).collect::<String>());
            Ok(())
        })?;
        Ok(())
    }
}
