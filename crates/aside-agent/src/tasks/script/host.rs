//! The host of a run: hands each call to the Gate, waits for the person where it asks, and keeps the journal.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use aside_core::{ActionId, ActionRecord, ActionRequest, ActionState, Origin, Outcome, Place, RefusedBy, TaskId};
use aside_gate::{GateError, Submission};
use aside_script::{AsideError, CallFailure, Host, HostFuture, JournalEntry, Observation, PersonWait, ScriptCall};
use tokio::sync::broadcast::error::RecvError;

use super::{
    super::{
        Tasks,
        error::TaskError,
        stored::{get, tell},
    },
    journal::{self, answer},
    live::{CallLine, LiveRun},
};

/// Windows hear of the progress of a run at most this often.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// The Gate's side of a run.
pub(super) struct GateHost {
    pub tasks: Arc<Tasks>,
    pub task: TaskId,
    pub live: Arc<LiveRun>,
    /// In whose name, and how far.
    pub submission: Submission,
    pub place: Place,
}

type Answered = Result<Observation, CallFailure>;

impl Host for GateHost {
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Answered> {
        Box::pin(async move {
            self.live.released(&call.person).await;
            if let Ok(action) = call.action.parse() {
                let held = self.tasks.hold_if_not_shown(&self.task, &self.live, &action, &call.args);
                held.map_err(|error| AsideError::new("store", error.to_string()))?;
                self.live.released(&call.person).await;
            }
            self.submit(call).await
        })
    }

    /// A call without an end in the journal: the Gate knows how far it came.
    fn interrupted(&self, call: ScriptCall) -> HostFuture<'_, Answered> {
        Box::pin(async move {
            let Some(id) = self.action_of(&call) else { return Err(no_action(&call.action)) };
            match self.tasks.gate.record(&id) {
                Ok(record) => self.settled(&call, record).await,
                // It never reached the Gate, so nothing of it was done.
                Err(GateError::NotFound(_)) => {
                    self.live.released(&call.person).await;
                    self.submit(call).await
                }
                Err(error) => Err(failed(error)),
            }
        })
    }

    fn sleep(&self, milliseconds: u64) -> HostFuture<'_, ()> {
        Box::pin(tokio::time::sleep(Duration::from_millis(milliseconds)))
    }

    fn record<'a>(&'a self, entries: &'a [JournalEntry]) -> HostFuture<'a, Result<(), AsideError>> {
        Box::pin(async move {
            let rows: Vec<_> = entries.iter().map(|entry| self.row(entry)).collect();
            let stored = journal::append(&self.tasks.store, &self.task, &rows);
            let ends = journal::ends(entries);
            if ends > 0 {
                self.live.state().done += ends;
                self.tell_progress();
            }
            stored.map_err(|error| AsideError::new("store", error.to_string()))
        })
    }

    fn now(&self) -> i64 {
        self.tasks.store.now().0
    }
}

impl GateHost {
    async fn submit(&self, call: ScriptCall) -> Answered {
        let Some(id) = self.action_of(&call) else { return Err(no_action(&call.action)) };
        let name = call.action.parse().map_err(|_| no_action(&call.action))?;
        let request = ActionRequest::new(name, call.args.clone());
        let submitted = self.tasks.gate.submit_as(id, request, self.submission_of(&call)).await;
        match submitted {
            Ok(submitted) => self.settled(&call, submitted.record).await,
            Err(error) => Err(failed(error)),
        }
    }

    fn submission_of(&self, call: &ScriptCall) -> Submission {
        let by = Box::new(self.submission.origin.clone());
        let origin = Origin::Script { task: self.task.clone(), call: call.number.0, place: self.place, by };
        let provenance = self.live.state().provenance.clone();
        Submission { origin, provenance, ..self.submission.clone() }
    }

    /// Waits until an action has ended, and returns its answer.
    async fn settled(&self, call: &ScriptCall, mut record: ActionRecord) -> Answered {
        let id = record.envelope.id.clone();
        if record.state == ActionState::AwaitingConfirmation {
            record = self.decided(call.number.0, &id, &call.person).await.map_err(failed)?;
        }
        if !record.state.is_final() {
            record = self.tasks.gate.settled(&id).await.map_err(failed)?;
        }
        self.take_in(call.number.0, &record)
    }

    /// Takes in the end of a call: what the run has read now, and whether it may go on.
    fn take_in(&self, number: u32, record: &ActionRecord) -> Answered {
        let told = record.told_from();
        if self.live.state().returns_outside(record, &told) {
            self.tasks.gate.end_classes(&self.task).map_err(failed)?;
        }
        {
            let mut state = self.live.state();
            state.learn(&told);
            state.recorded.insert(number);
            state.lines.push(CallLine::of(number, record));
        }
        if let Some(Outcome::Refused { by: RefusedBy::Grant, failure }) = &record.outcome
            && self.tasks.gate.grants().ended(&self.submission.grant).is_ok_and(|ended| ended.is_some())
        {
            let hint = failure.hint.clone();
            return Err(CallFailure::EndsRun(AsideError { hint, ..AsideError::new(&failure.code, &failure.message) }));
        }
        Ok(answer(record)?)
    }

    /// Waits for a person's word about an action, and shows meanwhile that the run waits.
    async fn decided(&self, number: u32, id: &ActionId, person: &PersonWait) -> Result<ActionRecord, GateError> {
        let _wait = person.begin();
        self.live.state().waiting.insert(number, id.clone());
        self.tell(self.tasks.script_waits(&self.task));
        let record = self.until_decided(id).await;
        let is_last = {
            let mut state = self.live.state();
            state.waiting.remove(&number);
            state.waiting.is_empty()
        };
        // The person's word lets the whole run go on.
        self.live.release();
        if is_last {
            self.tell(self.tasks.script_goes_on(&self.task));
        } else {
            // Another call is the one that is shown now.
            self.live.state().told = None;
            self.tell_progress();
        }
        record
    }

    async fn until_decided(&self, id: &ActionId) -> Result<ActionRecord, GateError> {
        let gate = &self.tasks.gate;
        let mut changes = gate.changes();
        loop {
            let record = gate.record(id)?;
            if record.state != ActionState::AwaitingConfirmation {
                return Ok(record);
            }
            match changes.recv().await {
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Err(GateError::Ending),
            }
        }
    }

    /// Tells the windows now and then how far the run is.
    fn tell_progress(&self) {
        let (is_due, done) = {
            let mut state = self.live.state();
            let is_due = state.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY);
            if is_due {
                state.told = Some(Instant::now());
            }
            (is_due, state.done)
        };
        if let (true, Ok(mut stored)) = (is_due, get(&self.tasks.store, &self.task)) {
            (stored.task.progress.step, stored.task.progress.done) = (done, done);
            tell(&self.tasks.store, &stored.task);
        }
    }

    fn tell(&self, told: Result<(), TaskError>) {
        if let Err(error) = told {
            tracing::warn!(task = %self.task, %error, "cannot show that a script waits");
        }
    }

    fn action_of(&self, call: &ScriptCall) -> Option<ActionId> {
        self.live.state().actions.get(&call.number.0).cloned()
    }

    /// An entry as the journal keeps it; gives a call that begins its action.
    fn row(&self, entry: &JournalEntry) -> journal::Row {
        let mut state = self.live.state();
        match entry {
            JournalEntry::Begun { number, action, .. } if action != "sleep" => {
                let id = self.tasks.gate.new_id();
                state.actions.insert(number.0, id.clone());
                journal::row(entry, Some(id), false)
            }
            JournalEntry::Ended { number, .. } => journal::row(entry, None, state.recorded.contains(&number.0)),
            JournalEntry::Start { .. } | JournalEntry::Begun { .. } => journal::row(entry, None, false),
        }
    }
}

fn failed(error: GateError) -> CallFailure {
    let failure = error.failure();
    let told = AsideError { hint: failure.hint, ..AsideError::new(failure.code, failure.message) };
    match error {
        GateError::Ending => CallFailure::EndsRun(told),
        _ => CallFailure::Catchable(told),
    }
}

fn no_action(name: &str) -> CallFailure {
    CallFailure::Catchable(AsideError::new("unknown_action", format!("There is no action `{name}`")))
}
