//! The search in the history of tasks.

use aside_core::{Task, TaskState, ThreadId, Timestamp};

/// Which tasks; what is absent does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskQuery {
    /// All of these words are in the goal, the summary, the objects or the kinds of action.
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
            && is(&self.text, &|text| has_words(task, text))
    }
}

fn within(object: &str, wanted: &str) -> bool {
    let rest = object.strip_prefix(wanted.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn has_words(task: &Task, text: &str) -> bool {
    let objects = task.objects.iter().map(|object| object.id.as_str());
    let actions = task.action_types.iter().map(aside_core::ActionName::as_str);
    let all: Vec<String> = [task.goal.as_str(), task.summary.as_deref().unwrap_or_default()]
        .into_iter()
        .chain(objects)
        .chain(actions)
        .map(str::to_lowercase)
        .collect();
    text.to_lowercase().split_whitespace().all(|word| all.iter().any(|text| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use aside_core::{Grant, Id as _, ObjectRef, Origin, TaskId, TaskSource};

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
        ];
        for (query, fits) in cases {
            assert_eq!(query.fits(&task()), fits, "{query:?}");
        }
    }
}
