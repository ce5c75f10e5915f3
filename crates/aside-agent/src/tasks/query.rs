//! The search in the history of tasks.

use std::collections::HashSet;

use aside_core::{Task, TaskId, TaskState, ThreadId, Timestamp};
use aside_store::{Store, StoreError};

use super::{
    Tasks,
    error::TaskError,
    stored::{OPEN, StoredTask, TASK},
};

/// Tasks that are read at once while a search goes back in time.
const BATCH: usize = 100;

/// Which tasks; what is absent does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskQuery {
    /// All of these words are in the goal, the summary, the objects, the kinds of action or the person's name.
    pub text: Option<String>,
    /// For this person.
    pub by: Option<String>,
    /// About this object, or about something in that folder.
    pub object: Option<String>,
    /// With an action of this kind, or of this noun.
    pub action: Option<String>,
    /// In this state.
    pub state: Option<TaskState>,
    /// Of this conversation.
    pub thread: Option<ThreadId>,
    /// Changed at this time or later.
    pub since: Option<Timestamp>,
    /// Made before this time.
    pub until: Option<Timestamp>,
    /// Not over, or over.
    pub open: Option<bool>,
    /// Made before this task: where the page before ended.
    pub before: Option<TaskId>,
}

/// The threads of tasks that wait for a person's word on their plan.
pub(crate) fn waiting_threads(store: &Store) -> Result<HashSet<ThreadId>, StoreError> {
    let mut threads = HashSet::new();
    for id in store.list::<TaskId>(OPEN)? {
        let waiting = store.get::<StoredTask>(TASK, id.as_str())?.map(|stored| stored.task);
        let waiting = waiting.filter(|task| task.state == TaskState::AwaitingConfirmation);
        threads.extend(waiting.and_then(|task| task.thread));
    }
    Ok(threads)
}

impl Tasks {
    /// Returns the tasks that a search means, the newest first. Reads no more of them than it has to.
    pub fn list(&self, query: &TaskQuery, limit: usize) -> Result<Vec<Task>, TaskError> {
        let mut tasks = match &query.thread {
            Some(thread) => heads(self.store.list_owned(TASK, thread.as_str())?),
            None if query.is_about_open() => self.open()?,
            None => self.back(query, limit)?,
        };
        tasks.retain(|task| query.fits(task));
        tasks.sort_by(|one, two| two.id.cmp(&one.id));
        tasks.truncate(limit);
        for task in &mut tasks {
            task.can_undo = self.can_undo(task);
        }
        Ok(tasks)
    }

    /// Marks the tasks that are not over, should a mark be missing. Reads all of them: call it once, at the start.
    pub(super) fn mark_open(&self) -> Result<(), TaskError> {
        for task in heads(self.store.list(TASK)?) {
            if !task.state.is_final() && self.store.get::<TaskId>(OPEN, task.id.as_str())?.is_none() {
                self.store.put(OPEN, task.id.as_str(), None, &task.id)?;
            }
        }
        Ok(())
    }

    /// The tasks that are not over.
    pub(super) fn open(&self) -> Result<Vec<Task>, TaskError> {
        let mut tasks = Vec::new();
        for id in self.store.list::<TaskId>(OPEN)? {
            tasks.extend(self.store.get::<StoredTask>(TASK, id.as_str())?.map(|stored| stored.task));
        }
        Ok(tasks)
    }

    /// Goes back in time until as many fit as are wanted.
    fn back(&self, query: &TaskQuery, limit: usize) -> Result<Vec<Task>, TaskError> {
        let (mut found, mut before) = (Vec::new(), query.before.clone());
        loop {
            let batch = heads(match &before {
                Some(before) => self.store.older(TASK, before.as_str(), BATCH)?,
                None => self.store.latest(TASK, BATCH)?,
            });
            let end = batch.len() < BATCH;
            before = batch.last().map(|task| task.id.clone());
            found.extend(batch.into_iter().filter(|task| query.fits(task)));
            if end || found.len() >= limit {
                return Ok(found);
            }
        }
    }
}

fn heads(stored: Vec<StoredTask>) -> Vec<Task> {
    stored.into_iter().map(|stored| stored.task).collect()
}

impl TaskQuery {
    /// Tells whether a task is meant.
    pub fn fits(&self, task: &Task) -> bool {
        let is = |wanted: &Option<String>, fits: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(fits);
        is(&self.by, &|by| task.by == by)
            && is(&self.object, &|wanted| task.objects.iter().any(|object| within(&object.id, wanted)))
            && is(&self.action, &|wanted| {
                task.action_types.iter().any(|action| action.as_str() == wanted || action.noun() == wanted)
            })
            && self.state.is_none_or(|state| task.state == state)
            && self.thread.as_ref().is_none_or(|thread| task.thread.as_ref() == Some(thread))
            && self.since.is_none_or(|since| task.updated >= since)
            && self.until.is_none_or(|until| task.created < until)
            && self.open.is_none_or(|open| task.state.is_final() != open)
            && self.before.as_ref().is_none_or(|before| task.id < *before)
            && is(&self.text, &|text| has_words(task, text))
    }

    fn is_about_open(&self) -> bool {
        self.open == Some(true) || self.state.is_some_and(|state| !state.is_final())
    }
}

fn within(object: &str, wanted: &str) -> bool {
    let rest = object.strip_prefix(wanted.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn has_words(task: &Task, text: &str) -> bool {
    let objects = task.objects.iter().map(|object| object.id.as_str());
    let actions = task.action_types.iter().map(aside_core::ActionName::as_str);
    let all: Vec<String> = [task.goal.as_str(), task.summary.as_deref().unwrap_or_default(), task.by.as_str()]
        .into_iter()
        .chain(objects)
        .chain(actions)
        .map(str::to_lowercase)
        .collect();
    text.to_lowercase().split_whitespace().all(|word| all.iter().any(|text| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use aside_core::{Grant, Id as _, ObjectRef, Origin, TaskSource};

    use super::*;
    use crate::tasks::stored::StoredTask;

    fn task() -> Task {
        let (id, origin) = (TaskId::from_parts(Timestamp(1), 1), Origin::Cli { user: "ada".into() });
        let mut stored =
            StoredTask::new(id, "Rename the Tides".into(), TaskSource::Plan, origin, Grant::full("ada"), Timestamp(50));
        let file = ObjectRef { kind: "file".into(), id: "data/tides.csv".into() };
        stored.about(&"file.move".parse().unwrap(), &[file]);
        stored.task
    }

    #[test]
    fn every_condition_narrows() {
        let some = |text: &str| Some(text.to_owned());
        let all = TaskQuery::default;
        let cases = [
            (all(), true),
            (TaskQuery { text: some("tides RENAME move"), ..all() }, true),
            (TaskQuery { text: some("tides absent"), ..all() }, false),
            (TaskQuery { by: some("ada"), ..all() }, true),
            (TaskQuery { by: some("bob"), ..all() }, false),
            (TaskQuery { object: some("data"), ..all() }, true),
            (TaskQuery { object: some("data/"), ..all() }, true),
            (TaskQuery { object: some("dat"), ..all() }, false),
            (TaskQuery { action: some("file"), ..all() }, true),
            (TaskQuery { action: some("file.copy"), ..all() }, false),
            (TaskQuery { state: Some(TaskState::Created), ..all() }, true),
            (TaskQuery { state: Some(TaskState::Failed), ..all() }, false),
            (TaskQuery { since: Some(Timestamp(50)), until: Some(Timestamp(51)), ..all() }, true),
            (TaskQuery { since: Some(Timestamp(51)), ..all() }, false),
            (TaskQuery { until: Some(Timestamp(50)), ..all() }, false),
            (TaskQuery { open: Some(true), ..all() }, true),
            (TaskQuery { open: Some(false), ..all() }, false),
            (TaskQuery { before: Some(TaskId::from_parts(Timestamp(2), 0)), ..all() }, true),
            (TaskQuery { before: Some(task().id), ..all() }, false),
        ];
        for (query, fits) in cases {
            assert_eq!(query.fits(&task()), fits, "{query:?}");
        }
    }
}
