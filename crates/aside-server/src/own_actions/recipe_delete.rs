//! `recipe.delete`: deletes a recipe. The tasks that came from it stay.

use std::sync::{Arc, Weak};

use aside_agent::Tasks;
use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object};

/// Arguments of `recipe.delete`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteArgs {
    /// The name of the recipe.
    name: String,
}

/// `recipe.delete`.
pub(crate) struct RecipeDelete {
    pub(super) tasks: Weak<Tasks>,
}

impl Action for RecipeDelete {
    type Args = DeleteArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "recipe.delete",
            summary: "Delete a recipe",
            description: "Deletes a recipe. The tasks that came from it stay. Only the user can request this.",
            preconditions: &["the user requests it", "the recipe exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Delete a recipe", json!({"name": "weekly-report"}))],
            phrases: &["delete the recipe", "remove this recipe"],
            tags: &["recipe", "delete", "remove"],
            safety: &["It can't be undone. `recipe.save` makes it again from its task."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &DeleteArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        self.tasks()?.recipe(&args.name)?;
        Ok(Assessment { targets: vec![object("recipe", &args.name)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &DeleteArgs) -> Result<Preview, Failure> {
        let recipe = self.tasks()?.recipe(&args.name)?;
        let steps = recipe.steps.len();
        let plural = if steps == 1 { "" } else { "s" };
        Ok(Preview::summary(format!("Delete the recipe “{}” of {steps} step{plural}: {}", recipe.name, recipe.goal)))
    }

    async fn run(&self, _context: &ActionContext, args: &DeleteArgs) -> Result<Run, Failure> {
        self.tasks()?.delete_recipe(&args.name)?;
        let observation = Observation::text(format!("deleted the recipe “{}”", args.name));
        Ok(Run { observation, inverse: None, changed: vec![object("recipe", &args.name)] })
    }
}

impl RecipeDelete {
    fn tasks(&self) -> Result<Arc<Tasks>, Failure> {
        self.tasks.upgrade().ok_or_else(ending)
    }
}
