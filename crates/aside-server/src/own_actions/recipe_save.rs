//! `recipe.save`: keeps what a task did, to do it again with other values.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use aside_agent::Tasks;
use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TaskId, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object, request};

/// Arguments of `recipe.save`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveArgs {
    /// The id of a completed task.
    task: String,
    /// The name of the recipe; absent for one made from the task's goal.
    #[serde(default)]
    name: Option<String>,
}

/// `recipe.save`.
pub(crate) struct RecipeSave {
    pub(super) tasks: Weak<Tasks>,
}

impl Action for RecipeSave {
    type Args = SaveArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "recipe.save",
            summary: "Save a task as a recipe",
            description: "Keeps the steps of a completed task, with its changing values as parameters, so that it \
                can be run again. Nothing runs now. Only the user can request this.",
            preconditions: &["the user requests it", "the task is completed", "no recipe of another task has the name"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Save a task as a recipe",
                json!({"task": "tsk_01kahz8v9k0000000000000000", "name": "weekly-report"}),
            )],
            phrases: &["save a recipe", "keep this task as a recipe"],
            tags: &["recipe", "task", "save", "repeat", "template"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &SaveArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        Ok(Assessment { targets: vec![object("task", args.task()?)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &SaveArgs) -> Result<Preview, Failure> {
        let name = args.name.as_ref().map(|name| format!(" “{name}”")).unwrap_or_default();
        Ok(Preview::summary(format!("Save the task {} as a recipe{name}", args.task)))
    }

    async fn run(&self, _context: &ActionContext, args: &SaveArgs) -> Result<Run, Failure> {
        let tasks: Arc<Tasks> = self.tasks.upgrade().ok_or_else(ending)?;
        let known: Vec<_> = tasks.recipes()?.into_iter().map(|recipe| recipe.name).collect();
        let recipe = tasks.save_recipe(&args.task()?, args.name.clone(), &BTreeMap::new())?;
        let is_new = !known.contains(&recipe.name);
        let inverse = is_new.then(|| request("recipe.delete", json!({ "name": recipe.name })));
        let text = format!("saved the recipe “{}”", recipe.name);
        let observation = Observation { unchanged: !is_new, ..Observation::with(text, &recipe) };
        Ok(Run { observation, inverse, changed: vec![object("recipe", &recipe.name)] })
    }
}

impl SaveArgs {
    fn task(&self) -> Result<TaskId, Failure> {
        self.task.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
    }
}
