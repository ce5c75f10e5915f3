//! The host of a dry run: each call reads over the files that the calls before would leave, and changes nothing.

use std::sync::Arc;

use aside_core::{
    ActionRecord, ActionRequest, ActionState, Completeness, Origin, Outcome, Place, ScriptChange, TaskId, WouldBe,
};
use aside_gate::{DryCall, GateError, Submission};
use aside_script::{AsideError, CallFailure, Host, HostFuture, JournalEntry, Observation, ScriptCall};
use serde_json::json;
use tokio::sync::Mutex;

use super::{
    super::Tasks,
    as_shown::ShownChange,
    journal::{self, answer},
    live::LiveRun,
};

/// The Gate's side of a dry run.
pub(super) struct DryHost {
    tasks: Arc<Tasks>,
    task: TaskId,
    live: Arc<LiveRun>,
    submission: Submission,
    place: Place,
    /// The files so far; one call at a time changes them.
    files: Mutex<DryFiles>,
}

#[derive(Default)]
struct DryFiles {
    would_be: Arc<WouldBe>,
    /// A call has an effect that nobody can know.
    unknown: bool,
}

impl DryHost {
    pub fn new(tasks: Arc<Tasks>, task: TaskId, live: Arc<LiveRun>, submission: Submission, place: Place) -> Self {
        Self { tasks, task, live, submission, place, files: Mutex::default() }
    }

    async fn look(&self, call: ScriptCall) -> Result<Observation, CallFailure> {
        let mut files = self.files.lock().await;
        let name = call.action.parse().map_err(|_| AsideError::new("unknown_action", "There is no such action"))?;
        let request = ActionRequest::new(name, call.args.clone());
        let (provenance, by) = (self.live.state().provenance.clone(), Box::new(self.submission.origin.clone()));
        let origin = Origin::Script { task: self.task.clone(), call: call.number.0, place: self.place, by };
        let submission = Submission { origin, provenance, ..self.submission.clone() };
        let looked = self.tasks.gate.dry_call(request, submission, files.would_be.clone()).await;
        let DryCall { record, would_be, unknown, is_stale } = looked.map_err(failed)?;
        if is_stale {
            self.live.state().is_stale = true;
        }
        let is_shown = !files.unknown;
        *files = DryFiles { would_be, unknown: files.unknown || unknown };
        self.take_in(record, is_shown, unknown)
    }

    fn take_in(&self, record: ActionRecord, is_shown: bool, unknown: bool) -> Result<Observation, CallFailure> {
        let mut state = self.live.state();
        state.learn(&record.told_from());
        match &record.outcome {
            Some(Outcome::Done { .. }) => Ok(answer(&record)?),
            Some(_) => {
                state.failed.push(ShownChange::of(&record.envelope.action_type, &record.envelope.args));
                Ok(answer(&record)?)
            }
            None => {
                let change = change(record, is_shown, unknown);
                let data = json!({
                    "preview": true, "path": change.path, "completeness": change.completeness, "asks": change.asks,
                });
                let text = change.summary.clone();
                state.changes.push(change);
                Ok(Observation { data, text })
            }
        }
    }
}

impl Host for DryHost {
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        Box::pin(self.look(call))
    }

    /// Nobody waits in a dry run.
    fn sleep(&self, _milliseconds: u64) -> HostFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// A dry run that is interrupted begins anew, so it has no journal.
    fn record<'a>(&'a self, entries: &'a [JournalEntry]) -> HostFuture<'a, Result<(), AsideError>> {
        self.live.state().done += journal::ends(entries);
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> i64 {
        self.tasks.store.now().0
    }
}

fn change(record: ActionRecord, is_shown: bool, unknown: bool) -> ScriptChange {
    let summary = match &record.preview {
        Some(preview) => preview.summary.clone(),
        None => format!("{} (its effect is not known)", record.envelope.action_type),
    };
    let shown = record.preview.as_ref().map_or(Completeness::Opaque, |preview| preview.completeness);
    let completeness = match shown {
        Completeness::Full if unknown || !is_shown => Completeness::Partial,
        shown => shown,
    };
    ScriptChange {
        path: record.assessment.targets.first().map(|target| target.id.clone()),
        action_type: record.envelope.action_type,
        args: record.envelope.args,
        summary,
        completeness,
        asks: record.state == ActionState::AwaitingConfirmation,
        preview: record.preview,
    }
}

fn failed(error: GateError) -> CallFailure {
    let failure = error.failure();
    CallFailure::EndsRun(AsideError { hint: failure.hint, ..AsideError::new(failure.code, failure.message) })
}
