//! A task as it is stored, and the one way to change it: record, timeline and news in one step.

use aside_core::{
    ActionId, ActionRecord, ActionState, Grant, Origin, Pause, Phase, Plan, Progress, Provenance, ReviewMode, RunMode,
    StepState, Task, TaskEvent, TaskId, TaskSource, TaskState, ThreadEventBody, ThreadId, TimelineEntry, Timestamp,
    TurnId,
};
use aside_gate::Submission;
use aside_store::{Durability, Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use super::error::TaskError;

/// The kind of the records, owned by their thread if they have one.
pub(crate) const TASK: &str = "task";
/// The kind of the marks of tasks that are not over, so that those are found without reading the others.
pub(crate) const OPEN: &str = "open_task";
/// The kind of the plans' records, so that lists don't have to read them.
const PLAN: &str = "task_plan";
/// The stream on which tasks are told as they change; nothing is stored there.
pub const NEWS: &str = "tasks";

/// One task as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredTask {
    pub task: Task,
    /// What it does, if it was made from requests; a record of its own, which lists leave out.
    #[serde(skip)]
    pub plan: Option<Plan>,
    /// Who asked; its steps are asked for in their name.
    pub origin: Origin,
    /// What its steps may do.
    pub grant: Grant,
    /// How the thread of a model that planned it reviewed then.
    #[serde(default)]
    pub review: Option<ReviewMode>,
    /// Whether what is run in the thread's notebook was asked about then.
    #[serde(default)]
    pub runs: RunMode,
    /// The plan was read out of a model's text.
    #[serde(default)]
    pub recovered: bool,
    /// What it was made from: for a model's, all that the model was shown.
    #[serde(default)]
    pub provenance: Provenance,
    /// The hosts that the person named in their own words.
    #[serde(default)]
    pub typed_hosts: Vec<String>,
    /// The action that made the plan, if one did.
    #[serde(default)]
    pub planned_by: Option<ActionId>,
    /// What became of the actions of its turns.
    #[serde(default)]
    pub acted: Vec<Acted>,
    /// The last of its turns is over.
    #[serde(default)]
    pub over: bool,
}

/// One action of a turn, as far as a task has to know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Acted {
    pub id: ActionId,
    pub state: ActionState,
    pub undoes: Option<ActionId>,
}

impl StoredTask {
    /// A task that nothing is known of but its goal.
    pub fn new(id: TaskId, goal: String, source: TaskSource, origin: Origin, grant: Grant, now: Timestamp) -> Self {
        let task = Task {
            id,
            goal,
            state: TaskState::Created,
            paused: None,
            source,
            by: origin.user().to_owned(),
            thread: origin.thread().cloned(),
            turns: Vec::new(),
            actions: Vec::new(),
            progress: Progress::default(),
            objects: Vec::new(),
            action_types: Vec::new(),
            summary: None,
            can_undo: false,
            undone_by: None,
            created: now,
            updated: now,
        };
        Self {
            task,
            plan: None,
            origin,
            grant,
            review: None,
            runs: RunMode::default(),
            recovered: false,
            provenance: Provenance::default(),
            typed_hosts: Vec::new(),
            planned_by: None,
            acted: Vec::new(),
            over: false,
        }
    }

    /// In whose name, how far and from what its steps are asked for.
    pub fn submission(&self) -> Submission {
        let Self { review, runs, recovered, .. } = *self;
        let (provenance, typed_hosts) = (self.provenance.clone(), self.typed_hosts.clone());
        let submission = Submission::under(self.grant.clone(), self.origin.clone());
        Submission { review, runs, recovered, provenance, typed_hosts, ..submission }
    }

    /// Its turns; of a plan that an assistant proposed, the turn in which it did.
    pub fn led_by(&self) -> Vec<TurnId> {
        match &self.origin {
            Origin::Turn { turn, .. } if self.planned_by.is_some() => vec![turn.clone()],
            _ => self.task.turns.clone(),
        }
    }

    /// Tells whether an action is a step of its plan.
    pub fn is_step(&self, action: &ActionId) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.steps.iter().any(|step| step.action.as_ref() == Some(action)))
    }

    /// Takes in a plan and what follows from it for lists.
    pub fn show(&mut self, plan: Plan) {
        for step in &plan.steps {
            self.about(&step.request.action_type, &step.assessment.targets);
        }
        self.plan = Some(plan);
        self.count();
    }

    /// Notes what an action is about.
    pub fn about(&mut self, action: &aside_core::ActionName, targets: &[aside_core::ObjectRef]) {
        if !self.task.action_types.contains(action) {
            self.task.action_types.push(action.clone());
        }
        for target in targets {
            if !self.task.objects.contains(target) {
                self.task.objects.push(target.clone());
            }
        }
    }

    /// Counts how far it is.
    pub fn count(&mut self) {
        if let Some(plan) = &self.plan {
            let current = plan.steps.iter().find(|step| matches!(step.state, StepState::Running | StepState::Waiting));
            let total = number(plan.steps.len());
            let step = match (self.task.state, current) {
                (TaskState::Running, Some(step)) => step.number,
                (_, Some(step)) => step.number.saturating_sub(1),
                (_, None) => total,
            };
            self.task.progress = Progress { step, of: Some(total), done: number(plan.count(StepState::Done)) };
            self.task.actions = plan.steps.iter().filter_map(|step| step.action.clone()).collect();
        } else {
            let done = self.acted.iter().filter(|acted| acted.state == ActionState::Done).count();
            self.task.progress = Progress { step: number(self.acted.len()), of: None, done: number(done) };
            self.task.actions = self.acted.iter().map(|acted| acted.id.clone()).collect();
        }
    }

    pub fn is_paused_by(&self, why: Pause) -> bool {
        self.task.paused == Some(why)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A task that is being changed.
pub(crate) struct Change<'a> {
    pub stored: StoredTask,
    pub now: Timestamp,
    entries: Vec<TimelineEntry>,
    /// What the model whose plan it is has to hear.
    told: Vec<ThreadEventBody>,
    transaction: &'a Transaction<'a>,
}

impl Change<'_> {
    /// Changes the state as the table allows.
    pub fn go(&mut self, event: TaskEvent) -> Result<(), TaskError> {
        self.stored.task.state = self.stored.task.state.next(event)?;
        Ok(())
    }

    /// Adds to the timeline.
    pub fn note(&mut self, phase: Phase, text: impl Into<String>) {
        let at = self.now;
        self.entries.push(TimelineEntry { at, phase, text: text.into(), step: None, action: None, state: None });
    }

    /// Adds to the timeline what a person says to the plan. The model whose plan it is hears it: then its conversation has
    /// it, which the timeline is read from too.
    pub fn say(&mut self, text: String) {
        match &self.stored.origin {
            Origin::Turn { turn, step, .. } if self.stored.planned_by.is_some() => {
                let (turn, step, call) = (turn.clone(), *step, None);
                let text = format!("The plan “{}”: {text}", self.stored.task.goal);
                self.told.push(ThreadEventBody::Notice { turn, step, call, text });
            }
            _ => self.note(Phase::Plan, text),
        }
    }

    /// Adds to the timeline what was done in a step.
    pub fn note_step(&mut self, phase: Phase, step: u32, text: impl Into<String>, record: Option<&ActionRecord>) {
        self.note(phase, text);
        if let Some(entry) = self.entries.last_mut() {
            entry.step = Some(step);
            entry.action = record.map(|record| record.envelope.id.clone());
            entry.state = record.map(ActionRecord::told_state);
        }
    }

    /// Returns another task without its plan, to be changed in the same step.
    pub fn other(&self, id: &TaskId) -> Result<Option<StoredTask>, StoreError> {
        self.transaction.get(TASK, id.as_str())
    }

    /// Writes another task in the same step; its plan stays.
    pub fn put_other(&self, stored: &StoredTask) -> Result<(), StoreError> {
        put(self.transaction, stored)
    }

    fn write(mut self) -> Result<StoredTask, StoreError> {
        self.stored.task.updated = self.now;
        self.stored.count();
        put(self.transaction, &self.stored)?;
        if let Some(plan) = &self.stored.plan {
            self.transaction.put(PLAN, self.stored.task.id.as_str(), None, plan)?;
        }
        for entry in &self.entries {
            self.transaction.append(self.stored.task.id.as_str(), entry)?;
        }
        if let Some(thread) = &self.stored.task.thread {
            self.told.iter().try_for_each(|said| self.transaction.append(thread.as_str(), said).map(drop))?;
        }
        Ok(self.stored)
    }
}

/// Writes a task, without its plan.
pub(crate) fn put(transaction: &Transaction<'_>, stored: &StoredTask) -> Result<(), StoreError> {
    let (task, id) = (&stored.task, stored.task.id.as_str());
    if task.state.is_final() {
        transaction.delete(OPEN, id)?;
    } else {
        transaction.put(OPEN, id, None, &task.id)?;
    }
    transaction.put(TASK, id, task.thread.as_ref().map(ThreadId::as_str), stored)
}

/// Returns a task.
pub(crate) fn get(store: &Store, id: &TaskId) -> Result<StoredTask, TaskError> {
    // The plan second: it may be newer than the rest, never older.
    let stored: Option<StoredTask> = store.get(TASK, id.as_str())?;
    let stored = stored.ok_or_else(|| TaskError::NotFound(id.clone()))?;
    Ok(StoredTask { plan: store.get(PLAN, id.as_str())?, ..stored })
}

/// Returns the turns of the task that a turn belongs to; as long as it belongs to none, it alone.
pub(crate) fn turns_of_task(store: &Store, thread: &ThreadId, turn: &TurnId) -> Result<Vec<TurnId>, StoreError> {
    let tasks: Vec<StoredTask> = store.list_owned(TASK, thread.as_str())?;
    let found = tasks.into_iter().map(|stored| stored.task.turns).find(|turns| turns.contains(turn));
    Ok(found.unwrap_or_else(|| vec![turn.clone()]))
}

/// Changes a task, and tells everybody. Nothing is written if the work refuses.
pub(crate) fn change(
    store: &Store,
    id: &TaskId,
    work: impl FnOnce(&mut Change<'_>) -> Result<(), TaskError>,
) -> Result<StoredTask, TaskError> {
    let written = store.transaction(Durability::Normal, |transaction| {
        let stored = match transaction.get::<StoredTask>(TASK, id.as_str())? {
            Some(stored) => StoredTask { plan: transaction.get(PLAN, id.as_str())?, ..stored },
            None => return Ok(Err(TaskError::NotFound(id.clone()))),
        };
        let (now, entries, told) = (transaction.now(), Vec::new(), Vec::new());
        let mut change = Change { stored, now, entries, told, transaction };
        match work(&mut change) {
            Ok(()) => change.write().map(Ok),
            Err(error) => Ok(Err(error)),
        }
    })??;
    tell(store, &written.task);
    Ok(written)
}

/// Tells everybody who listens how a task is now.
pub(crate) fn tell(store: &Store, task: &Task) {
    if let Err(error) = store.publish(NEWS, task) {
        tracing::warn!(%error, "cannot send a task update");
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Id as _;
    use aside_store::StoreOptions;

    use super::*;

    #[test]
    fn a_turn_counts_with_those_whose_task_it_goes_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let thread = ThreadId::from_parts(Timestamp(1), 1);
        let [one, two, other] = [1, 2, 3].map(|number| TurnId::from_parts(Timestamp(1), number));
        let (user, turn, call) = ("ada".to_owned(), one.clone(), "call".to_owned());
        let origin = Origin::Turn { user, thread: thread.clone(), turn, step: 1, call };
        let (goal, grant) = ("rename it".to_owned(), Grant::full("agent"));
        let mut stored = StoredTask::new(store.new_id(), goal, TaskSource::Plan, origin, grant, Timestamp(1));
        stored.task.turns = vec![one.clone(), two.clone()];
        store.transaction(Durability::Normal, |transaction| put(transaction, &stored)).unwrap();
        assert_eq!(turns_of_task(&store, &thread, &two).unwrap(), [one, two]);
        assert_eq!(turns_of_task(&store, &thread, &other).unwrap(), [other]);
    }
}
