//! What is known of a turn, folded from the thread log.

use std::collections::{BTreeMap, BTreeSet};

use aside_core::{
    ActionId, ActionRecord, ActionState, BudgetLimit, Cost, ObjectRef, Origin, PreviewBody, Provenance, ReviewMode,
    RunMode, Sha256, StepStop, ThreadEventBody, ToolCall, TurnId, Usage, WorkspacePath, has_review_card,
};
use serde_json::{Value, json};

use super::{DROPPED, budget::last_call};
use crate::provenance::told_by;

/// The most objects of a turn that are kept in mind.
const MOST_TOUCHED: usize = 50;
/// The actions that change cells.
const CHANGES: [&str; 6] = ["cell.insert", "cell.set", "cell.edit", "cell.delete", "cell.move", "cell.kind"];

/// What is known of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// How edits reach the document now.
    pub mode: ReviewMode,
    /// Whether what is run in the thread's notebook is asked about.
    pub runs: RunMode,
    /// The notebook whose cells are run also after what runs of it put out was read.
    pub runs_after_outputs: Option<WorkspacePath>,
    /// The most model calls of a turn.
    pub step_limit: u32,
    /// The last call of a budget is for saying what is left, as the Navigator does.
    pub wraps_up: bool,
    /// Where all that comes from which was said in the thread so far. It only grows: what was left out of a later
    /// message has shaped an answer that was not.
    pub provenance: Provenance,
    /// The turn that is not over, if any.
    pub turn: Option<Turn>,
}

/// What is known of the running turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// Where it is.
    pub phase: Phase,
    /// The current model call, from 1; 0 before the first.
    pub step: u32,
    /// What all its steps used.
    pub usage: Usage,
    /// What all its steps cost.
    pub cost: Cost,
    /// The calls of the current step, in order.
    pub calls: Vec<(ToolCall, CallState)>,
    /// Its actions that wait for a person, of all steps.
    pub awaiting: BTreeMap<ActionId, Awaited>,
    /// Steps in a row that called nothing.
    pub idle_steps: u32,
    /// How often the call that failed last has failed; 0 if the last one did not fail.
    pub repeated: u32,
    /// The part of the budget that is used up but for one call, in which the model says what is left.
    pub last: Option<BudgetLimit>,
    /// The actions that had an effect, in words, in order.
    pub done: Vec<String>,
    /// The objects that its actions were about.
    pub touched: Vec<ObjectRef>,
    failures: BTreeMap<Sha256, u32>,
    settled: BTreeSet<ActionId>,
}

/// Where a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What the person looks at is being read.
    Preparing,
    /// The model is at work.
    Calling,
    /// What it asked for is being done, or waits for a person.
    Acting,
}

/// What an action that waits for a person would bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A change of files, all of which is known.
    Change,
    /// Something that nobody knows yet: what a command puts out, where a build fails.
    Result,
}

impl Awaited {
    fn of(record: &ActionRecord) -> Self {
        match record.preview.as_ref().map(|preview| &preview.body) {
            // There is one review card at a time.
            _ if has_review_card(&record.envelope.action_type) => Self::Result,
            Some(PreviewBody::Diff { .. }) => Self::Change,
            _ => Self::Result,
        }
    }
}

/// Where a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallState {
    /// Not yet asked for.
    Unasked,
    /// It became an action.
    Action(ActionId, ActionState),
    /// It could not become one.
    NotAsked,
}

impl State {
    /// A thread in which nothing has happened.
    pub fn new(mode: ReviewMode, step_limit: u32) -> Self {
        let (runs, provenance) = (RunMode::default(), Provenance::default());
        Self { mode, runs, runs_after_outputs: None, step_limit, wraps_up: false, provenance, turn: None }
    }

    /// Takes in one entry of the log.
    pub fn apply(&mut self, event: &ThreadEventBody) {
        self.provenance.join(&told_by(event));
        match event {
            ThreadEventBody::ThreadChanged { thread } => {
                (self.mode, self.runs) = (thread.mode, thread.runs);
                self.runs_after_outputs.clone_from(&thread.runs_after_outputs);
            }
            ThreadEventBody::TurnStarted { turn, .. } => self.turn = Some(Turn::new(turn.clone())),
            ThreadEventBody::TurnEnded { .. } => self.turn = None,
            other => {
                if let Some(turn) = &mut self.turn {
                    turn.apply(other);
                }
            }
        }
    }
}

impl Turn {
    fn new(id: TurnId) -> Self {
        Self {
            id,
            phase: Phase::Preparing,
            step: 0,
            usage: Usage::default(),
            cost: Cost::default(),
            calls: Vec::new(),
            awaiting: BTreeMap::new(),
            idle_steps: 0,
            repeated: 0,
            last: None,
            done: Vec::new(),
            touched: Vec::new(),
            failures: BTreeMap::new(),
            settled: BTreeSet::new(),
        }
    }

    fn apply(&mut self, event: &ThreadEventBody) {
        match event {
            ThreadEventBody::StepStarted { step, .. } => {
                self.phase = Phase::Calling;
                self.step = *step;
                self.calls.clear();
                self.repeated = 0;
            }
            ThreadEventBody::StepEnded { calls, usage, cost, stop, .. } => {
                self.usage = self.usage.plus(usage);
                self.cost = self.cost.plus(cost);
                self.step_ended(calls, stop);
            }
            ThreadEventBody::ActionChanged { record } => self.action_changed(record),
            ThreadEventBody::Notice { call: Some(call), text, .. } => self.not_asked(call, text),
            ThreadEventBody::Notice { call: None, text, .. } => self.last = last_call(text).or(self.last),
            _ => {}
        }
    }

    /// Tells whether the calls of this step are all done, and some of them have changed cells, and none has run any: what
    /// that put out is to be looked at.
    pub(super) fn made_cells(&self) -> bool {
        let is_done = |state: &CallState| matches!(state, CallState::Action(_, ActionState::Done));
        let changes = |call: &ToolCall| CHANGES.contains(&call.name.replacen('_', ".", 1).as_str());
        let runs = |call: &ToolCall| call.name.replacen('_', ".", 1) == "cell.run";
        self.calls.iter().all(|(call, state)| is_done(state) && !runs(call))
            && self.calls.iter().any(|(call, _)| changes(call))
    }

    fn step_ended(&mut self, calls: &[ToolCall], stop: &StepStop) {
        self.phase = Phase::Acting;
        if is_whole(stop) {
            self.calls = calls.iter().map(|call| (call.clone(), CallState::Unasked)).collect();
        }
        self.idle_steps = if self.calls.is_empty() { self.idle_steps + 1 } else { 0 };
    }

    fn action_changed(&mut self, record: &ActionRecord) {
        let Origin::Turn { turn, step, call, .. } = &record.origin else { return };
        if *turn != self.id || record.parent.is_some() || record.undoes.is_some() {
            return;
        }
        let (id, state) = (&record.envelope.id, record.state);
        if state == ActionState::AwaitingConfirmation {
            self.awaiting.insert(id.clone(), Awaited::of(record));
        } else if state.is_final() {
            self.awaiting.remove(id);
        }
        let entry = self.calls.iter_mut().find(|(asked, _)| *step == self.step && asked.id == *call);
        let Some((asked, slot)) = entry else { return };
        *slot = CallState::Action(id.clone(), state);
        if state.is_final() && self.settled.insert(id.clone()) {
            let failed = matches!(state, ActionState::Failed | ActionState::Refused).then(|| attempt(asked));
            self.count(failed);
            self.settled_one(record);
        }
    }

    fn settled_one(&mut self, record: &ActionRecord) {
        if record.state == ActionState::Done && has_effect(record) {
            let name = || record.envelope.action_type.to_string();
            self.done.push(record.preview.as_ref().map_or_else(name, |preview| preview.summary.clone()));
        }
        for target in &record.assessment.targets {
            if self.touched.len() < MOST_TOUCHED && !self.touched.contains(target) {
                self.touched.push(target.clone());
            }
        }
    }

    fn not_asked(&mut self, call: &str, text: &str) {
        let Some((asked, slot)) = self.calls.iter_mut().find(|(asked, _)| asked.id == call) else { return };
        *slot = CallState::NotAsked;
        if text == DROPPED {
            return;
        }
        let key = Sha256::of_json(&json!([attempt(asked), text]));
        self.count(Some(key));
    }

    fn count(&mut self, failed: Option<Sha256>) {
        self.repeated = match failed {
            Some(key) => {
                let times = self.failures.entry(key).or_default();
                *times += 1;
                *times
            }
            None => 0,
        };
    }
}

/// Tells whether an action changed something: what it reads is no work done. A change of the window is declared as reading.
fn has_effect(record: &ActionRecord) -> bool {
    let name = &record.envelope.action_type;
    !record.envelope.risk_level.is_read_only() || (name.noun() == "ui" && name.as_str() != "ui.tabs.list")
}

/// Tells whether an answer came to its end, so that what it calls is meant.
pub(crate) fn is_whole(stop: &StepStop) -> bool {
    matches!(stop, StepStop::End | StepStop::ToolCalls | StepStop::Length | StepStop::Refusal)
}

/// What is tried: the same edit against another version is the same attempt.
fn attempt(call: &ToolCall) -> Sha256 {
    let mut args = call.args.clone();
    if let Value::Object(fields) = &mut args {
        fields.remove("base");
        fields.remove("version");
    }
    Sha256::of_json(&json!([call.name, args]))
}
