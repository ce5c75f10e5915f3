//! The end of a run: what is still open is stopped, and the task says what came of it.

use aside_core::{
    ActionId, ActionState, Completeness, Decision, Phase, Provenance, ScriptChange, ScriptConsole, ScriptReport,
    TaskEvent, TaskId, TaskState,
};
use aside_script::ScriptOutcome;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        Tasks,
        error::TaskError,
        stored::{Acted, StoredTask, change},
    },
    REPORT, StoredScript,
    as_shown::ShownChange,
    fault_of,
    live::{CallLine, LiveRun},
};

/// The limit of a dry run that has searched after it would have changed files.
const STALE: &str = " A search saw the files as they are now, so a run may find other places.";

/// A run that is over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EndedRun {
    pub report: ScriptReport,
    pub lines: Vec<CallLine>,
    /// All that the run was made from and has read.
    pub provenance: Provenance,
    /// Calls that a dry run has shown to fail.
    #[serde(default)]
    pub failed: Vec<ShownChange>,
}

impl Tasks {
    /// Writes the end of a run down.
    pub(super) async fn finish_script(
        &self,
        id: &TaskId,
        live: &LiveRun,
        script: &StoredScript,
        outcome: ScriptOutcome,
    ) -> Result<(), TaskError> {
        self.stop_open_calls(live).await;
        let ended = ended(live, script, outcome);
        self.store.put(REPORT, id.as_str(), None, &ended)?;
        if script.dry_run && ended.report.error.is_none() {
            self.note_dry_run(id, script)?;
        }
        change(&self.store, id, |change| {
            take_in(&mut change.stored, &ended.lines);
            self.about_lines(&mut change.stored, &ended.lines);
            if change.stored.task.state.is_final() {
                return Ok(());
            }
            change.stored.task.paused = None;
            if change.stored.task.state == TaskState::AwaitingConfirmation {
                change.go(TaskEvent::Start)?;
            }
            let mut words = summary(&ended.report);
            if live.state().is_stale {
                words.push_str(STALE);
            }
            change.note(Phase::Observe, words.as_str());
            change.stored.task.summary = Some(words);
            change.go(if ended.report.error.is_some() { TaskEvent::Fail } else { TaskEvent::Complete })
        })?;
        Ok(())
    }

    /// Stops calls that are under way, and rejects those that wait for a person: nobody needs their answers any more.
    pub(super) async fn stop_open_calls(&self, live: &LiveRun) {
        let open: Vec<ActionId> = {
            let state = live.state();
            let is_open = |number: &&u32| !state.recorded.contains(number);
            state.actions.keys().filter(is_open).filter_map(|number| state.actions.get(number)).cloned().collect()
        };
        for id in open {
            let Ok(record) = self.gate.record(&id) else {
                // It is still looked at: then it does not begin.
                _ = self.gate.stop(&id, "the end of its script").await;
                continue;
            };
            if record.state == ActionState::AwaitingConfirmation {
                let decision = Decision::reject(Some("the script has ended".to_owned()));
                // It may have been decided a moment ago, which is as good.
                _ = self.gate.decide(&id, decision, "the end of its script").await;
            } else if !record.state.is_final() {
                _ = self.gate.stop(&id, "the end of its script").await;
            }
        }
        self.take_in_stopped(live);
    }

    /// Calls that had begun when the run ended belong to what it did.
    fn take_in_stopped(&self, live: &LiveRun) {
        let mut state = live.state();
        let open: Vec<_> = state.actions.iter().filter(|(number, _)| !state.recorded.contains(number)).collect();
        let ended = open.into_iter().filter_map(|(number, id)| Some((*number, self.gate.record(id).ok()?)));
        let lines: Vec<_> = ended.map(|(number, record)| CallLine::of(number, &record)).collect();
        state.recorded.extend(lines.iter().map(|line| line.number));
        state.lines.extend(lines);
    }

    fn about_lines(&self, stored: &mut StoredTask, lines: &[CallLine]) {
        for line in lines.iter().filter(|line| !line.is_read) {
            if let Ok(record) = self.gate.record(&line.id) {
                stored.about(&line.action, &record.assessment.targets);
            }
        }
    }
}

/// Notes the calls that change something at the task: undo, search and recipes go by them.
pub(super) fn take_in(stored: &mut StoredTask, lines: &[CallLine]) {
    let mut lines: Vec<_> = lines.iter().filter(|line| !line.is_read).collect();
    lines.sort_by_key(|line| line.number);
    let acted = |line: &CallLine| Acted { id: line.id.clone(), state: line.state, undoes: None };
    stored.acted = lines.into_iter().map(acted).collect();
}

fn ended(live: &LiveRun, script: &StoredScript, outcome: ScriptOutcome) -> EndedRun {
    let state = live.state();
    let console = ScriptConsole { text: outcome.console.text, truncated: outcome.console.truncated };
    let (result, error) = match outcome.result {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(state.end.clone().unwrap_or_else(|| fault_of(error)))),
    };
    let changes = script.dry_run.then(|| state.changes.clone());
    let completeness = changes.as_deref().map(completeness).map(|whole| match state.is_stale {
        true => Completeness::Partial,
        false => whole,
    });
    let (replayed, calls_done) = (state.replayed, state.done);
    let report =
        ScriptReport { result, error, console, changes, completeness, replayed, calls_done, ..script.report() };
    let (lines, provenance, failed) = (state.lines.clone(), state.provenance.clone(), state.failed.clone());
    EndedRun { report, lines, provenance, failed }
}

/// Full if every change is shown whole.
pub(super) fn completeness(changes: &[ScriptChange]) -> Completeness {
    match changes.iter().all(|change| change.completeness == Completeness::Full) {
        true => Completeness::Full,
        false => Completeness::Partial,
    }
}

fn summary(report: &ScriptReport) -> String {
    let calls = counted(report.calls_done, "call");
    match (&report.error, &report.changes) {
        (Some(error), _) => {
            let place = error.line.map(|line| format!(" at line {line}")).unwrap_or_default();
            format!("Failed{place} after {calls}: {}", error.message)
        }
        (None, Some(changes)) => {
            let changes = counted(u32::try_from(changes.len()).unwrap_or(u32::MAX), "change");
            format!("Would make {changes} in {calls}. Nothing was changed.")
        }
        (None, None) => format!("Completed after {calls}."),
    }
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
