//! Scripts as recipes: the parameters are the arguments of the finished run, and no value lets a run do more than that run did.

use std::collections::BTreeMap;

use aside_core::{ActionName, ActionRequest, Parameter, Recipe, RecipeScript, Risks};
use aside_gate::Submission;
use serde_json::{Map, Value, json};

use super::{
    super::{
        Tasks,
        error::TaskError,
        recipes::{StoredRecipe, reach, values},
        stored::StoredTask,
    },
    NAME,
};

impl Tasks {
    /// Keeps a finished run as a recipe.
    pub(in super::super) fn recipe_of_script(
        &self,
        from: &StoredTask,
        name: String,
    ) -> Result<StoredRecipe, TaskError> {
        let script = self.stored_script(&from.task.id)?;
        if script.dry_run {
            return Err(TaskError::NotNow("a dry run can't be saved as a recipe: run the script first".to_owned()));
        }
        let so_far = self.script_so_far(&from.task.id)?;
        let (mut actions, mut risks) = (vec![ours()], Risks::default());
        for line in &so_far.lines {
            if !actions.contains(&line.action) {
                actions.push(line.action.clone());
            }
            risks.0.extend(self.gate.record(&line.id)?.envelope.risk_level.0);
        }
        risks.0.insert(aside_core::Risk::Read);
        let given = script.args.as_object().cloned().unwrap_or_default();
        let recipe = Recipe {
            name,
            goal: from.task.goal.clone(),
            parameters: given.iter().map(|(name, value)| parameter(name, value)).collect(),
            steps: Vec::new(),
            script: Some(RecipeScript { source: script.source, actions, place: script.place }),
            risks,
            task: Some(from.task.id.clone()),
            created: self.store.now(),
        };
        // What the run has read does not lead its text, which was there before.
        Ok(StoredRecipe { recipe, provenance: from.provenance.clone() })
    }

    /// Returns the request that runs a recipe which is a script, and how far it may go; none if the recipe has steps.
    pub fn script_from_recipe(
        &self,
        name: &str,
        set: &BTreeMap<String, String>,
        submission: &Submission,
    ) -> Result<Option<(ActionRequest, Submission)>, TaskError> {
        let StoredRecipe { recipe, provenance } = self.stored_recipe(name)?;
        let Some(script) = &recipe.script else { return Ok(None) };
        let values = values(&recipe, set)?;
        let mut args = Map::new();
        for known in &recipe.parameters {
            let value = values.get(known.name.as_str()).copied().unwrap_or(&known.value);
            args.insert(known.name.clone(), argument(known, value)?);
        }
        let name = format!("{}: {}", recipe.name, recipe.goal);
        let wanted =
            json!({ "source": script.source, "name": name, "args": args, "place": script.place, "wait": false });
        let request = ActionRequest::new(ours(), wanted);
        let mut joined = submission.provenance.clone();
        joined.join(&provenance);
        let grant = submission.grant.narrowed(&reach(&recipe));
        Ok(Some((request, Submission { grant, provenance: joined, ..submission.clone() })))
    }
}

fn ours() -> ActionName {
    NAME.parse().expect("it is `noun.verb`")
}

/// A text is its own value; anything else is JSON.
fn parameter(name: &str, value: &Value) -> Parameter {
    let (about, value) = match value {
        Value::String(text) => ("text", text.clone()),
        other => ("JSON", other.to_string()),
    };
    Parameter { name: name.to_owned(), about: about.to_owned(), value }
}

fn argument(known: &Parameter, value: &str) -> Result<Value, TaskError> {
    match known.about.as_str() {
        "text" => Ok(value.into()),
        _ => serde_json::from_str(value).map_err(|error| {
            TaskError::Invalid(format!(
                "the value of `{}` must be JSON, such as `{}`: {error}",
                known.name, known.value
            ))
        }),
    }
}
