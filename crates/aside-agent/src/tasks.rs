//! Tasks: goals with a state that outlive turns and restarts. One is made for every turn that acts, and for every
//! list of requests that a person has planned: those are shown whole, confirmed once and carried out step by step.
//!
//! Only this module writes tasks. What their steps do goes through the Gate like everything else.

mod again;
mod decide;
mod error;
mod follow;
mod parameters;
mod plan_action;
mod query;
mod recipes;
mod run;
pub(crate) mod stored;
mod timeline;
mod turns;
mod undo;

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use aside_core::{
    ActionId, ActionRecord, ActionRequest, Cost, Pause, Phase, Plan, StepState, Task, TaskEvent, TaskId, TaskSource,
    TaskState, TimelineEntry,
};
use aside_gate::{Call, Gate, GateError, Submission, handler};
use aside_store::{Store, Tail};
use tokio::sync::{broadcast::error::RecvError, watch};

use crate::Agents;
use plan_action::TaskPlan;
use stored::{StoredTask, Subject, change, get};

pub use error::TaskError;
pub use query::TaskQuery;
pub use stored::NEWS;
pub use undo::Partly;

/// Steps of one plan.
const MOST_STEPS: usize = 200;
/// Bytes of a goal.
const LONGEST_GOAL: usize = 2_000;

/// All tasks of a workspace.
pub struct Tasks {
    store: Arc<Store>,
    gate: Arc<Gate>,
    agents: Arc<Agents>,
    /// The tasks whose steps are being carried out.
    running: Mutex<HashSet<TaskId>>,
    /// A plan was made under a grant that can end.
    planned: watch::Sender<()>,
}

/// What a task is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTask {
    /// What it is for.
    pub goal: String,
    /// What is to be done, in order.
    pub calls: Vec<Call>,
    /// What it is made from.
    pub source: TaskSource,
    /// The action that made the plan, if one did.
    pub planned_by: Option<ActionId>,
}

/// A task with all there is to see of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskDetail {
    /// The task.
    pub task: Task,
    /// Its plan, if it has one.
    pub plan: Option<Plan>,
    /// What happened, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Its actions as they are now.
    pub actions: Vec<ActionRecord>,
    /// What the calls of models in its turns have cost.
    pub cost: Cost,
}

impl NewTask {
    /// From requests in order.
    pub fn of(goal: String, requests: Vec<ActionRequest>, source: TaskSource) -> Self {
        let call = |(number, request)| Call { number, request, undoes: None };
        Self { goal, calls: (1..).zip(requests).map(call).collect(), source, planned_by: None }
    }
}

impl Tasks {
    /// Opens the tasks of a workspace, and adds `task.plan` to the catalog. Call [`Tasks::recover`] before the first request.
    pub fn new(store: Arc<Store>, gate: Arc<Gate>, agents: Arc<Agents>) -> Arc<Self> {
        let tasks = Arc::new(Self { store, gate, agents, running: Mutex::default(), planned: watch::Sender::new(()) });
        let plan = handler(TaskPlan { tasks: Arc::downgrade(&tasks) });
        let added = tasks.gate.catalog().replace(|name| name.as_str() == plan_action::NAME, [plan]);
        added.expect("`task.plan` is declared well: every test of tasks adds it");
        tasks
    }

    /// After a start: what was being carried out is shown as interrupted, and goes on by a person's word only. From
    /// then on, tasks of turns follow what happens in threads. Call it once, inside the runtime, after the Gate's own
    /// recovery.
    pub fn recover(self: &Arc<Self>) -> Result<(), TaskError> {
        self.mark_open()?;
        for task in self.open()? {
            if task.source == TaskSource::Turn || task.state != TaskState::Running {
                continue;
            }
            change(&self.store, Subject::Stored(&task.id), |change| {
                let mut was_running = false;
                for step in change.stored.plan.iter_mut().flat_map(|plan| &mut plan.steps) {
                    if step.state == StepState::Running {
                        (step.state, was_running) = (StepState::Waiting, true);
                    }
                }
                if change.stored.task.paused == Some(Pause::Person) && !was_running {
                    return Ok(());
                }
                change.stored.task.paused = Some(Pause::Interrupted);
                change.note(Phase::Observe, "The server ended in the middle; it goes on when you say so.");
                Ok(())
            })?;
        }
        self.follow()
    }

    /// Returns one task with all there is to see of it.
    pub fn detail(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        let stored = get(&self.store, id)?;
        let (mut timeline, mut cost) = (Vec::new(), Cost::default());
        for entry in self.store.read(id.as_str(), 0)? {
            timeline.push(entry.parse::<TimelineEntry>()?);
        }
        if let Some(thread) = &stored.task.thread {
            let events = self.agents.events(thread, 0)?;
            timeline.extend(timeline::of_turns(&events, &stored.task.turns));
            timeline.sort_by_key(|entry| entry.at);
            cost = timeline::cost_of_turns(&events, &stored.task.turns);
        }
        Ok(TaskDetail { cost, ..self.with_actions(stored, timeline)? })
    }

    /// Plans a task and waits for a person's yes. What can't be done is in the plan with its reason.
    pub async fn create(self: &Arc<Self>, new: NewTask, submission: Submission) -> Result<TaskDetail, TaskError> {
        let stored = self.planned(new, submission).await?;
        let (id, can_end) = (stored.task.id.clone(), stored.grant.can_end());
        change(&self.store, Subject::New(Box::new(stored)), |change| {
            let plan = change.stored.plan.as_ref();
            let text = plan.map(|plan| planned_words(plan.steps.len(), plan.count(StepState::Waiting)));
            change.note(Phase::Plan, text.unwrap_or_default());
            if change.stored.plan.as_ref().is_none_or(|plan| plan.next().is_none()) {
                change.stored.task.summary = Some("Nothing of it can be done.".to_owned());
                change.go(TaskEvent::Start)?;
                return change.go(TaskEvent::Fail);
            }
            change.go(TaskEvent::Ask)
        })?;
        if can_end {
            self.planned.send_replace(());
        }
        self.detail(&id)
    }

    /// Shows what a task would do, and keeps nothing.
    pub async fn dry_run(&self, new: NewTask, submission: Submission) -> Result<TaskDetail, TaskError> {
        let stored = self.planned(new, submission).await?;
        self.with_actions(stored, Vec::new())
    }

    /// Waits until nothing more will happen to a task without a person.
    pub async fn settled(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        let mut tail = self.store.tail();
        loop {
            let task = get(&self.store, id)?.task;
            if task.state != TaskState::Running || task.paused.is_some() {
                return self.detail(id);
            }
            loop {
                match tail.recv().await {
                    Ok(Tail::Live(live)) if *live.stream == *NEWS => break,
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return Err(GateError::Ending.into()),
                }
            }
        }
    }

    async fn planned(&self, new: NewTask, submission: Submission) -> Result<StoredTask, TaskError> {
        check(&new)?;
        let Submission { origin, grant, provenance, typed_hosts, .. } = submission.clone();
        let plan = self.gate.foresee(new.calls, submission).await?;
        let (id, now) = (self.store.new_id(), self.store.now());
        let mut stored = StoredTask::new(id, new.goal.trim().to_owned(), new.source, origin, grant, now);
        (stored.provenance, stored.typed_hosts, stored.planned_by) = (provenance, typed_hosts, new.planned_by);
        stored.task.state = stored.task.state.next(TaskEvent::Plan)?;
        stored.show(plan);
        Ok(stored)
    }

    fn with_actions(&self, stored: StoredTask, timeline: Vec<TimelineEntry>) -> Result<TaskDetail, TaskError> {
        let StoredTask { mut task, mut plan, .. } = stored;
        let actions = self.records(&task)?;
        task.can_undo = actions.iter().any(|record| record.can_undo);
        task.actions = actions.iter().map(|record| record.envelope.id.clone()).collect();
        for step in plan.iter_mut().flat_map(|plan| &mut plan.steps) {
            step.action.take_if(|id| !task.actions.contains(id));
        }
        Ok(TaskDetail { task, plan, timeline, actions, cost: Cost::default() })
    }

    /// Its actions as they are now. A step that was to be carried out when the server ended may have become none.
    fn records(&self, task: &Task) -> Result<Vec<ActionRecord>, TaskError> {
        let records = task.actions.iter().map(|id| match self.gate.record(id) {
            Err(GateError::NotFound(_)) => Ok(None),
            record => record.map(Some),
        });
        Ok(records.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn can_undo(&self, task: &Task) -> bool {
        task.actions.iter().any(|id| self.gate.record(id).is_ok_and(|record| record.can_undo))
    }
}

fn check(new: &NewTask) -> Result<(), TaskError> {
    let invalid = |message: &str| Err(TaskError::Invalid(message.to_owned()));
    match (new.goal.trim(), new.calls.len()) {
        ("", _) => invalid("a task needs a goal in words"),
        (goal, _) if goal.len() > LONGEST_GOAL => invalid("the goal is longer than 2,000 bytes"),
        (_, 0) => invalid("a task needs at least one step"),
        _ if new.calls.iter().any(|call| call.request.action_type.as_str() == plan_action::NAME) => {
            invalid("a plan can't be a step of a plan")
        }
        (_, steps) if steps > MOST_STEPS => invalid("a task has at most 200 steps"),
        _ => Ok(()),
    }
}

fn planned_words(steps: usize, possible: usize) -> String {
    let steps_words = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    match steps - possible {
        0 => format!("Planned {steps_words}."),
        left => format!("Planned {steps_words}, of which {left} can't or may not be done."),
    }
}
