//! Tasks: goals with a state that outlive turns and restarts. One is made for every turn that acts, and for every
//! list of requests that a person has planned: those are shown whole, confirmed once and carried out step by step.
//!
//! Only this module writes tasks. What their steps do goes through the Gate like everything else.

mod again;
mod create;
mod decide;
mod error;
mod follow;
mod parameters;
mod parts;
mod plan_action;
mod query;
mod recipes;
mod run;
mod script;
pub(crate) mod stored;
mod timeline;
mod turns;
mod undo;

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use aside_core::{
    ActionRecord, Cost, Pause, PendingCall, Phase, Plan, PlanStep, Provenance, ScriptReport, StepLine, StepState, Task,
    TaskEvent, TaskId, TaskSource, TaskState, TimelineEntry,
};
use aside_gate::{Gate, GateError, handler};
use aside_macros::boxed;
use aside_store::{Store, Tail};
use tokio::sync::{broadcast::error::RecvError, watch};

use crate::Agents;
pub(crate) use plan_action::NAME as PLAN;
use plan_action::TaskPlan;
use script::{LiveRuns, ScriptRun};
use stored::{StoredTask, change, get};

pub use create::NewTask;
pub use error::TaskError;
pub use query::TaskQuery;
pub(crate) use query::waiting_threads;
pub use stored::NEWS;
pub(crate) use stored::turns_of_task;
pub(crate) use timeline::cost_of_turns;
pub use undo::Partly;

/// All tasks of a workspace.
pub struct Tasks {
    store: Arc<Store>,
    gate: Arc<Gate>,
    agents: Arc<Agents>,
    /// The tasks whose steps are being carried out.
    running: Mutex<HashSet<TaskId>>,
    /// The scripts under way.
    scripts: LiveRuns,
    /// A plan was made under a grant that can end.
    planned: watch::Sender<()>,
    windows: AnyWindow,
}

/// Tells whether a window is open, in which a script of the place *browser* can run.
pub type AnyWindow = Box<dyn Fn() -> bool + Send + Sync>;

/// A task with all there is to see of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskDetail {
    /// The task.
    pub task: Task,
    /// Its plan, if it has one.
    pub plan: Option<Plan>,
    /// Its sources: for a model's plan, all that the model was shown; for a script, all that it has read.
    pub provenance: Provenance,
    /// What happened, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Its actions as they are now.
    pub actions: Vec<ActionRecord>,
    /// What the calls of models in its turns have cost.
    pub cost: Cost,
    /// The steps of its plan, a line each.
    pub steps: Vec<StepLine>,
    /// The run, if it is a script.
    pub script: Option<ScriptReport>,
    /// The call of the script that waits for a person.
    pub pending: Option<PendingCall>,
}

impl Tasks {
    /// Opens the tasks of a workspace, and adds `task.plan` and `script.run` to the catalog. Call [`Tasks::recover`] before the first request.
    pub fn new(store: Arc<Store>, gate: Arc<Gate>, agents: Arc<Agents>, windows: AnyWindow) -> Arc<Self> {
        let (running, scripts) = (Mutex::default(), LiveRuns::default());
        let planned = watch::Sender::new(());
        let tasks = Arc::new(Self { store, gate, agents, running, scripts, planned, windows });
        let plan = handler(TaskPlan { tasks: Arc::downgrade(&tasks) });
        let script = handler(ScriptRun { tasks: Arc::downgrade(&tasks) });
        let is_ours = |name: &aside_core::ActionName| matches!(name.as_str(), PLAN | script::NAME);
        let added = tasks.gate.catalog().replace(is_ours, [plan, script]);
        added.expect("these actions are declared well: every test of tasks adds them");
        tasks
    }

    /// After a start: what was being carried out is shown as interrupted, and goes on by a person's word only. From
    /// then on, tasks of turns follow what happens in threads. Call it once, inside the runtime, after the Gate's own
    /// recovery.
    pub fn recover(self: &Arc<Self>) -> Result<(), TaskError> {
        self.mark_open()?;
        for task in self.open()? {
            if task.source == TaskSource::Turn {
                continue;
            }
            if task.state == TaskState::Created {
                self.fail_unplanned(&task.id)?;
            }
            if task.state != TaskState::Running {
                continue;
            }
            if let TaskSource::Script { .. } = task.source {
                self.interrupt_script(&task.id)?;
                continue;
            }
            change(&self.store, &task.id, |change| {
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
                change.note(Phase::Observe, "The server stopped before the task was finished. Resume it to continue.");
                Ok(())
            })?;
        }
        self.follow()
    }

    /// The server ended while it was found out what a task would do.
    fn fail_unplanned(&self, id: &TaskId) -> Result<(), TaskError> {
        let failed = change(&self.store, id, |change| {
            change.stored.task.summary =
                Some("The server stopped before there was a plan. Nothing was changed.".to_owned());
            change.go(TaskEvent::Fail)
        });
        failed.map(drop)
    }

    /// Returns one task with all there is to see of it.
    pub fn detail(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        let stored = get(&self.store, id)?;
        let (mut timeline, mut cost) = (Vec::new(), Cost::default());
        for entry in self.store.read(id.as_str(), 0)? {
            timeline.push(entry.parse::<TimelineEntry>()?);
        }
        if script::is_script(&stored) {
            return self.script_detail(stored, timeline);
        }
        if let Some(thread) = &stored.task.thread {
            let (events, turns) = (self.agents.events(thread, 0)?, stored.led_by());
            // Its own steps have entries of their own.
            let led = timeline::of_turns(&events, &turns).into_iter();
            timeline.extend(led.filter(|entry| !entry.action.as_ref().is_some_and(|id| stored.is_step(id))));
            timeline.sort_by_key(|entry| entry.at);
            cost = cost_of_turns(events.iter().map(|event| &event.body), &turns);
        }
        Ok(TaskDetail { cost, ..self.with_actions(stored, timeline)? })
    }

    /// Waits until nothing more will happen to a task without a person.
    #[boxed]
    pub async fn settled(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        self.until(id, |task| task.state != TaskState::Running || task.paused.is_some()).await?;
        self.detail(id)
    }

    /// Waits until a task is over.
    #[boxed]
    pub async fn over(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        self.until(id, |task| task.state.is_final()).await?;
        self.detail(id)
    }

    /// Waits until something holds of a task.
    async fn until(&self, id: &TaskId, holds: impl Fn(&Task) -> bool) -> Result<(), TaskError> {
        let mut tail = self.store.tail();
        loop {
            if holds(&get(&self.store, id)?.task) {
                return Ok(());
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

    fn with_actions(&self, stored: StoredTask, timeline: Vec<TimelineEntry>) -> Result<TaskDetail, TaskError> {
        let StoredTask { mut task, mut plan, provenance, .. } = stored;
        let actions = self.records(&task)?;
        task.can_undo = actions.iter().any(|record| record.can_undo);
        task.actions = actions.iter().map(|record| record.envelope.id.clone()).collect();
        for step in plan.iter_mut().flat_map(|plan| &mut plan.steps) {
            step.action.take_if(|id| !task.actions.contains(id));
        }
        let steps = plan.iter().flat_map(|plan| &plan.steps).map(|step| self.step_line(step)).collect();
        let (cost, script, pending) = (Cost::default(), None, None);
        Ok(TaskDetail { task, plan, provenance, timeline, actions, cost, steps, script, pending })
    }

    /// Its actions as they are now. A step that was to be carried out when the server ended may have become none.
    fn records(&self, task: &Task) -> Result<Vec<ActionRecord>, TaskError> {
        let records = task.actions.iter().map(|id| match self.gate.record(id) {
            Err(GateError::NotFound(_)) => Ok(None),
            record => record.map(Some),
        });
        Ok(records.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn step_line(&self, step: &PlanStep) -> StepLine {
        let undone = step.undoes.as_ref().and_then(|id| self.gate.record(id).ok());
        StepLine {
            number: step.number,
            action_type: step.request.action_type.clone(),
            state: step.state,
            undoes: undone.map(|record| record.envelope.action_type),
        }
    }

    fn can_undo(&self, task: &Task) -> bool {
        task.actions.iter().any(|id| self.gate.record(id).is_ok_and(|record| record.can_undo))
    }
}
