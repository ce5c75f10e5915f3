//! The view of a run: its report so far, its calls, and the one that waits for a person.

use aside_core::{
    ActionId, ActionRecord, ActionState, Grant, Guard, PendingCall, Phase, ScriptReport, TaskId, TaskState,
    TimelineEntry, Warning,
};

use super::{
    super::{
        TaskDetail, Tasks,
        error::TaskError,
        stored::{StoredTask, change, get},
    },
    REPORT,
    finish::{EndedRun, take_in},
    journal,
    live::CallLine,
    steer::is_script,
};

/// Calls that a timeline shows: the latest.
const SHOWN_CALLS: usize = 200;
/// Actions with all their details in one answer: the latest.
const SHOWN_ACTIONS: usize = 50;

impl Tasks {
    /// A run with all there is to see of it.
    pub(in super::super) fn script_detail(
        &self,
        mut stored: StoredTask,
        mut timeline: Vec<TimelineEntry>,
    ) -> Result<TaskDetail, TaskError> {
        let id = stored.task.id.clone();
        let EndedRun { report, lines, provenance, .. } = self.script_so_far(&id)?;
        stored.provenance = provenance;
        take_in(&mut stored, &lines);
        stored.count();
        stored.task.progress.done = report.calls_done;
        stored.task.progress.step = report.calls_done;
        let first = lines.len().saturating_sub(SHOWN_CALLS);
        timeline.extend(lines[first..].iter().map(entry));
        timeline.sort_by_key(|entry| entry.at);
        let latest = stored.task.actions.len().saturating_sub(SHOWN_ACTIONS);
        let mut shown = stored.clone();
        shown.task.actions.drain(..latest);
        let mut detail = self.with_actions(shown, timeline)?;
        detail.task.can_undo = self.can_undo(&stored.task);
        detail.task.actions = stored.task.actions;
        detail.pending = self.pending_call(&stored.task.id, stored.task.state)?;
        detail.script = Some(report);
        Ok(detail)
    }

    /// The actions that a task asked the Gate for and that have ended, in order.
    pub fn actions_of(&self, id: &TaskId) -> Result<Vec<ActionRecord>, TaskError> {
        let stored = get(&self.store, id)?;
        let ids: Vec<ActionId> = if is_script(&stored) {
            let mut lines = self.script_so_far(id)?.lines;
            lines.sort_by_key(|line| line.number);
            lines.into_iter().map(|line| line.id).collect()
        } else {
            stored.task.actions.clone()
        };
        let mut task = stored.task;
        task.actions = ids;
        let mut records = self.records(&task)?;
        records.retain(|record| record.outcome.is_some());
        Ok(records)
    }

    /// Tells whether a task stands on a grant.
    pub fn is_under(&self, id: &TaskId, grant: &Grant) -> Result<bool, TaskError> {
        let own = get(&self.store, id)?.grant;
        Ok(grant.id.as_ref().is_some_and(|grant| own.stands_on().any(|id| id == grant)))
    }

    /// The report and the calls of a run: as it is over, as it is under way, or as an interruption left it.
    pub(super) fn script_so_far(&self, id: &TaskId) -> Result<EndedRun, TaskError> {
        if let Some(ended) = self.store.get(REPORT, id.as_str())? {
            return Ok(ended);
        }
        let script = self.stored_script(id)?;
        if let Some(live) = self.scripts.of(id) {
            let state = live.state();
            let changes = script.dry_run.then(|| state.changes.clone());
            let (replayed, calls_done) = (state.replayed, state.done);
            let report = ScriptReport { changes, replayed, calls_done, ..script.report() };
            let (lines, provenance) = (state.lines.clone(), state.provenance.clone());
            return Ok(EndedRun { report, lines, provenance, failed: Vec::new() });
        }
        let mut journal = journal::read(&self.store, &self.gate, id)?;
        // Calls that were under way, or whose end the script had just heard, have a record and no end in the journal.
        for (number, action) in &journal.actions {
            let known = journal.ended.iter().any(|(ended, _)| ended == number);
            if let (false, Ok(record)) = (known, self.gate.record(action)) {
                journal.ended.push((*number, record));
            }
        }
        let lines = journal.ended.iter().map(|(number, record)| CallLine::of(*number, record)).collect();
        let mut provenance = get(&self.store, id)?.provenance;
        journal.ended.iter().for_each(|(_, record)| provenance.join(&record.told_from()));
        let report = ScriptReport { calls_done: journal.ends, ..script.report() };
        Ok(EndedRun { report, lines, provenance, failed: Vec::new() })
    }

    /// The first call that waits for a person.
    fn pending_call(&self, id: &TaskId, state: TaskState) -> Result<Option<PendingCall>, TaskError> {
        if state != TaskState::AwaitingConfirmation {
            return Ok(None);
        }
        let Some(live) = self.scripts.of(id) else { return Ok(None) };
        let waiting: Vec<ActionId> = live.state().waiting.values().cloned().collect();
        for (behind, action) in (1..).zip(&waiting) {
            let record = self.gate.record(action)?;
            if record.state == ActionState::AwaitingConfirmation {
                let all = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
                let lines = live.state().lines.clone();
                let coming = self.coming_calls(id, &record.envelope.action_type, &lines)?;
                return Ok(Some(PendingCall { behind: all - behind, coming, ..pending(record) }));
            }
        }
        Ok(None)
    }

    /// Notes the calls of a run that an interruption ended for good, so that they can be undone.
    pub(super) fn note_interrupted_calls(&self, id: &TaskId) -> Result<(), TaskError> {
        let lines = self.script_so_far(id)?.lines;
        change(&self.store, id, |change| {
            take_in(&mut change.stored, &lines);
            Ok(())
        })?;
        Ok(())
    }
}

fn pending(record: ActionRecord) -> PendingCall {
    let mut preview = record.preview;
    if let (true, Some(preview)) = (record.provenance.is_external(), &mut preview) {
        let text = format!("The script has read untrusted content: {}.", record.provenance.words());
        preview.warnings.push(Warning { guard: Guard::ExternalContent, text });
    }
    PendingCall {
        id: record.envelope.id,
        action_type: record.envelope.action_type,
        args: record.envelope.args,
        preview,
        risks: record.envelope.risk_level,
        reason: record.verdict.reason,
        hash: record.approval_hash,
        provenance: record.provenance,
        behind: 0,
        coming: None,
    }
}

fn entry(line: &CallLine) -> TimelineEntry {
    TimelineEntry {
        at: line.at,
        phase: Phase::Observe,
        text: format!("{}: {}", line.action, line.text),
        step: Some(line.number),
        action: Some(line.id.clone()),
        state: Some(line.state),
    }
}
