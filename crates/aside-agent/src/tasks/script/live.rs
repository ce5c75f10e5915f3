//! Runs that are under way: their calls so far, what they have read, and how they are held and ended.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use aside_core::{
    ActionId, ActionName, ActionRecord, ActionState, Label, LabelSource, Outcome, Provenance, ScriptChange,
    ScriptFault, TaskId, Timestamp,
};
use aside_script::{CancelHandle, PersonWait};
use tokio::sync::watch;

use super::{super::run::ending, as_shown::ShownChange};

/// The runs under way, by task.
#[derive(Default)]
pub(in super::super) struct LiveRuns(Mutex<HashMap<TaskId, Arc<LiveRun>>>);

impl LiveRuns {
    /// The run of a task, if it is under way.
    pub(super) fn of(&self, task: &TaskId) -> Option<Arc<LiveRun>> {
        self.runs().get(task).cloned()
    }

    /// Adds a run, unless the task has one.
    pub(super) fn enter(&self, task: &TaskId, run: &Arc<LiveRun>) -> bool {
        let mut runs = self.runs();
        if runs.contains_key(task) {
            return false;
        }
        runs.insert(task.clone(), run.clone());
        true
    }

    /// Takes a run out.
    pub(super) fn leave(&self, task: &TaskId) {
        self.runs().remove(task);
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<TaskId, Arc<LiveRun>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that has ended, for the timeline.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct CallLine {
    pub number: u32,
    pub id: ActionId,
    pub action: ActionName,
    pub at: Timestamp,
    pub state: ActionState,
    pub text: String,
    pub is_read: bool,
}

impl CallLine {
    pub fn of(number: u32, record: &ActionRecord) -> Self {
        Self {
            number,
            id: record.envelope.id.clone(),
            action: record.envelope.action_type.clone(),
            at: record.ended.unwrap_or(record.created),
            state: record.told_state(),
            text: ending(record).chars().take(200).collect(),
            is_read: record.envelope.risk_level.is_read_only(),
        }
    }
}

/// A run under way.
pub(super) struct LiveRun {
    pub cancel: CancelHandle,
    /// No call begins while this is set.
    held: watch::Sender<bool>,
    state: Mutex<LiveState>,
}

/// Its state so far.
#[derive(Default)]
pub(super) struct LiveState {
    /// The actions of its calls.
    pub actions: BTreeMap<u32, ActionId>,
    /// Calls whose answer is in the Gate's record.
    pub recorded: HashSet<u32>,
    /// Calls that wait for a person.
    pub waiting: BTreeMap<u32, ActionId>,
    /// Calls that have ended, in the order of their ends.
    pub lines: Vec<CallLine>,
    /// All that the run was made from and has read.
    pub provenance: Provenance,
    /// The names of all content from outside that the run has read.
    pub outside: HashSet<String>,
    /// Calls that were answered from the journal.
    pub replayed: u32,
    /// Calls that have ended, sleeps included.
    pub done: u32,
    /// The changes of a dry run.
    pub changes: Vec<ScriptChange>,
    /// A call of a dry run was answered from the files as they are now, although calls before it would change some.
    pub is_stale: bool,
    /// Calls that a dry run has shown to fail.
    pub failed: Vec<ShownChange>,
    /// The changes that were shown and have not been made, if the run is held against a dry run.
    pub shown: Option<Vec<ShownChange>>,
    /// When the windows heard of its progress last.
    pub told: Option<Instant>,
    /// Why it was ended from outside.
    pub end: Option<ScriptFault>,
}

impl LiveState {
    /// Tells whether a call has returned content from outside. The target of a write has a label, too, which says nothing new where
    /// the run has read that content before.
    pub fn returns_outside(&self, record: &ActionRecord, told: &Provenance) -> bool {
        if !told.is_external() || record.envelope.risk_level.is_read_only() {
            return told.is_external();
        }
        let says = match &record.outcome {
            Some(Outcome::Done { observation }) => {
                observation.label == Label::External || observation.source.as_ref().is_some_and(is_outside)
            }
            _ => false,
        };
        let target = &record.assessment.provenance;
        let is_known = |source: &LabelSource| !is_outside(source) || self.outside.contains(&source.what);
        says || target.more || !target.sources.iter().all(is_known)
    }

    /// Takes in where the answer of a call comes from.
    pub fn learn(&mut self, told: &Provenance) {
        self.provenance.join(told);
        self.outside.extend(told.sources.iter().filter(|source| is_outside(source)).map(|source| source.what.clone()));
    }
}

fn is_outside(source: &LabelSource) -> bool {
    source.label == Label::External
}

impl LiveRun {
    pub fn new(state: LiveState, is_held: bool) -> Arc<Self> {
        let (cancel, held) = (CancelHandle::default(), watch::Sender::new(is_held));
        Arc::new(Self { cancel, held, state: Mutex::new(state) })
    }

    pub fn state(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets no further call begin.
    pub fn hold(&self) {
        self.held.send_replace(true);
    }

    /// Lets calls begin.
    pub fn release(&self) {
        self.held.send_replace(false);
    }

    /// Ends the run with this error, unless it has one.
    pub fn end(&self, fault: ScriptFault) {
        self.state().end.get_or_insert(fault);
        self.cancel.cancel();
    }

    /// Takes a change off those that were shown; false if it is not among them.
    pub fn was_shown(&self, change: &ShownChange) -> bool {
        let mut state = self.state();
        let Some(shown) = &mut state.shown else { return true };
        let place = shown.iter().position(|shown| shown == change);
        place.map(|place| shown.remove(place)).is_some()
    }

    /// Returns once calls may begin. The wait counts toward no limit.
    pub async fn released(&self, person: &PersonWait) {
        if *self.held.borrow() {
            let _wait = person.begin();
            // The sender is in `self`.
            let _ = self.held.subscribe().wait_for(|held| !held).await;
        }
    }
}
