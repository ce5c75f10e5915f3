//! What the person did after another thread that a log had led: with its plan, or with Aside's own account of it.

use std::{collections::BTreeMap, path::Path};

use aside_agent::{TaskDetail, TaskQuery};
use aside_core::{Choice, Origin, TaskDecision, TaskState};
use aside_gate::Submission;
use serde::Serialize;

use crate::injection::{places::After, world::World};

const PERSON: &str = "ada";

/// The person, without a thread.
pub fn person() -> Submission {
    Submission::person(Origin::User { user: PERSON.to_owned() })
}

impl World {
    /// Does what the person did.
    pub fn after(&self, after: After, folder: &Path) {
        match after {
            After::Nothing => {}
            After::Recipe => self.run_recipe(),
            After::Exports => self.export(folder),
        }
    }

    /// Keeps the plan as a recipe and runs it for a note of another name.
    fn run_recipe(&self) {
        let name = self.kept_as_recipe().expect("there is a plan");
        let set = BTreeMap::from([("path".to_owned(), "notes/from-recipe.md".to_owned())]);
        let (task, submission) = self.tasks.from_recipe(&name, &set, person()).unwrap();
        let shown = self.runtime.block_on(self.tasks.create(task, submission)).unwrap();
        self.approved(&shown);
    }

    /// As `aside audit export`, `aside tasks --json` and `aside recipe list --json` put them out.
    fn export(&self, folder: &Path) {
        self.kept_as_recipe();
        let audit = self.gate.audit_entries(0, usize::MAX).unwrap();
        let audit: String = audit.iter().map(|entry| format!("{}\n", entry.body)).collect();
        std::fs::write(folder.join("audit.jsonl"), audit).unwrap();
        let tasks = self.tasks.list(&TaskQuery::default(), 100).unwrap();
        std::fs::write(folder.join("tasks.jsonl"), lines(&tasks)).unwrap();
        std::fs::write(folder.join("recipes.jsonl"), lines(&self.tasks.recipes().unwrap())).unwrap();
    }

    /// Keeps the last plan, if there is one, after a yes to it if it waits for one.
    fn kept_as_recipe(&self) -> Option<String> {
        let tasks = self.tasks.list(&TaskQuery::default(), 100).unwrap();
        let plan =
            tasks.iter().map(|task| self.tasks.detail(&task.id).unwrap()).find(|detail| detail.plan.is_some())?;
        let waits = plan.task.state == TaskState::AwaitingConfirmation;
        let done = if waits { self.approved(&plan) } else { plan };
        assert_eq!(done.task.state, TaskState::Completed, "{done:?}");
        Some(self.tasks.save_recipe(&done.task.id, Some("kept".to_owned()), &BTreeMap::new()).unwrap().name)
    }

    fn approved(&self, shown: &TaskDetail) -> TaskDetail {
        let hash = shown.plan.as_ref().map(|plan| plan.hash.clone());
        let yes =
            TaskDecision { decision: Choice::Approve, hash, action_type: None, steps: None, parts: None, reason: None };
        self.runtime.block_on(async {
            self.tasks.decide(&shown.task.id, &yes, PERSON).await.unwrap();
            self.tasks.settled(&shown.task.id).await.unwrap()
        })
    }
}

fn lines(values: &[impl Serialize]) -> String {
    values.iter().map(|value| serde_json::to_string(value).unwrap() + "\n").collect()
}
