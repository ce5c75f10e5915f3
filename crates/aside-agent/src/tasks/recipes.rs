//! Recipes: what a task did, kept with parameters. A run of one is a new task, planned and shown like any other.

use std::collections::BTreeMap;

use aside_core::{ActionPattern, Grant, GrantLimits, Provenance, Recipe, Risks, TaskId, TaskSource, TaskState};
use aside_gate::Submission;
use aside_store::Durability;
use serde::{Deserialize, Serialize};

use super::{
    NewTask, Tasks,
    again::as_request,
    error::TaskError,
    parameters::{braced, filled, is_name, occurs, parametrized},
    script::is_script,
    stored::{StoredTask, get},
};

/// The kind of the records, by name.
const RECIPE: &str = "recipe";
/// Bytes of a recipe's name.
const LONGEST_NAME: usize = 60;
/// Bytes of a parameter's value.
const LONGEST_VALUE: usize = 10_000;

/// A recipe as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredRecipe {
    pub recipe: Recipe,
    /// What its requests were made from. They carry it wherever they are asked for again.
    pub provenance: Provenance,
}

impl Tasks {
    /// Returns the recipes, by name.
    pub fn recipes(&self) -> Result<Vec<Recipe>, TaskError> {
        Ok(self.store.list::<StoredRecipe>(RECIPE)?.into_iter().map(|stored| stored.recipe).collect())
    }

    /// Returns one recipe.
    pub fn recipe(&self, name: &str) -> Result<Recipe, TaskError> {
        Ok(self.stored_recipe(name)?.recipe)
    }

    /// Keeps what a task did as a recipe; the same task again renames parameters of the recipe that is there.
    pub fn save_recipe(
        &self,
        task: &TaskId,
        name: Option<String>,
        rename: &BTreeMap<String, String>,
    ) -> Result<Recipe, TaskError> {
        let from = get(&self.store, task)?;
        let name = name.unwrap_or_else(|| slug(&from.task.goal));
        check_name(&name)?;
        let mut stored = match self.store.get::<StoredRecipe>(RECIPE, &name)? {
            Some(stored) if stored.recipe.task.as_ref() == Some(task) => stored,
            Some(_) => return Err(TaskError::RecipeExists(name)),
            None => self.made(&from, name)?,
        };
        stored.recipe = renamed(stored.recipe, rename)?;
        self.store.transaction(Durability::Normal, |transaction| {
            transaction.put(RECIPE, &stored.recipe.name, None, &stored)
        })?;
        Ok(stored.recipe)
    }

    /// Deletes a recipe.
    pub fn delete_recipe(&self, name: &str) -> Result<(), TaskError> {
        match self.store.transaction(Durability::Normal, |transaction| transaction.delete(RECIPE, name))? {
            true => Ok(()),
            false => Err(TaskError::NoRecipe(name.to_owned())),
        }
    }

    /// Returns a task that does what a recipe says, with other values for some parameters; and how far it may go:
    /// no further than the recipe does, whatever the values, and than whoever runs it.
    pub fn from_recipe(
        &self,
        name: &str,
        set: &BTreeMap<String, String>,
        submission: Submission,
    ) -> Result<(NewTask, Submission), TaskError> {
        let StoredRecipe { recipe, provenance } = self.stored_recipe(name)?;
        let task = NewTask::of(
            recipe.goal.clone(),
            filled(&recipe.steps, &values(&recipe, set)?),
            TaskSource::Recipe { name: recipe.name.clone() },
        );
        let mut joined = submission.provenance;
        joined.join(&provenance);
        let grant = submission.grant.narrowed(&reach(&recipe));
        Ok((task, Submission { grant, provenance: joined, ..submission }))
    }

    pub(super) fn stored_recipe(&self, name: &str) -> Result<StoredRecipe, TaskError> {
        self.store.get(RECIPE, name)?.ok_or_else(|| TaskError::NoRecipe(name.to_owned()))
    }

    fn made(&self, from: &StoredTask, name: String) -> Result<StoredRecipe, TaskError> {
        if from.task.state != TaskState::Completed {
            return Err(TaskError::NotNow("only a completed task can be saved as a recipe".to_owned()));
        }
        if is_script(from) {
            return self.recipe_of_script(from, name);
        }
        let done = self.done(from)?;
        let requests = self.requests(from, done.iter().cloned().map(as_request).collect())?;
        let (parameters, steps) = parametrized(&requests);
        let mut provenance = from.provenance.clone();
        done.iter().for_each(|record| provenance.join(&record.provenance));
        let risks: Risks = done.iter().flat_map(|record| record.envelope.risk_level.0.iter().copied()).collect();
        let recipe = Recipe {
            name,
            goal: from.task.goal.clone(),
            parameters,
            steps,
            script: None,
            risks,
            task: Some(from.task.id.clone()),
            created: self.store.now(),
        };
        Ok(StoredRecipe { recipe, provenance })
    }
}

/// The actions and risks of a recipe, and no others.
pub(super) fn reach(recipe: &Recipe) -> Grant {
    let mut actions: Vec<ActionPattern> = Vec::new();
    let of_script = recipe.script.iter().flat_map(|script| &script.actions);
    for name in recipe.steps.iter().map(|step| &step.action_type).chain(of_script) {
        let pattern = name.as_str().parse().expect("the name of an action is a pattern");
        if !actions.contains(&pattern) {
            actions.push(pattern);
        }
    }
    let limits = GrantLimits { actions: Some(actions), risks: Some(recipe.risks.clone()), ..GrantLimits::default() };
    Grant::limited(format!("the recipe {}", recipe.name), limits)
}

pub(super) fn values<'a>(
    recipe: &'a Recipe,
    set: &'a BTreeMap<String, String>,
) -> Result<BTreeMap<&'a str, &'a str>, TaskError> {
    let mut values: BTreeMap<&str, &str> =
        recipe.parameters.iter().map(|each| (each.name.as_str(), each.value.as_str())).collect();
    for (name, value) in set {
        if !values.contains_key(name.as_str()) {
            let known: Vec<_> = values.keys().copied().collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(TaskError::Invalid(format!(
                "`{name}` is not a parameter of the recipe; its parameters are: {known}"
            )));
        }
        if value.len() > LONGEST_VALUE {
            return Err(TaskError::Invalid(format!("the value of `{name}` is longer than 10,000 bytes")));
        }
        values.insert(name, value);
    }
    Ok(values)
}

fn renamed(mut recipe: Recipe, rename: &BTreeMap<String, String>) -> Result<Recipe, TaskError> {
    let invalid = |text: String| Err(TaskError::Invalid(text));
    if recipe.script.is_some() && !rename.is_empty() {
        return invalid("the parameters are the arguments of a script: rename them in the script".to_owned());
    }
    for (old, new) in rename {
        if recipe.parameters.iter().all(|parameter| parameter.name != *old) {
            return invalid(format!("`{old}` is not a parameter of the recipe"));
        }
        if !is_name(new) {
            return invalid(format!("`{new}` is not a name of letters, digits and _"));
        }
        let taken = recipe.parameters.iter().any(|parameter| parameter.name == *new && !rename.contains_key(new));
        let twice = rename.values().filter(|other| *other == new).count() > 1;
        let known = recipe.parameters.iter().any(|parameter| parameter.name == *new);
        if taken || twice || (!known && occurs(&recipe.steps, &braced(new))) {
            return invalid(format!("there is already a parameter `{new}`"));
        }
    }
    let new = |name: &str| rename.get(name).map_or(name, String::as_str).to_owned();
    let braces: Vec<(String, String)> =
        recipe.parameters.iter().map(|each| (each.name.clone(), braced(&new(&each.name)))).collect();
    let values = braces.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
    recipe.steps = filled(&recipe.steps, &values);
    recipe.parameters.iter_mut().for_each(|parameter| parameter.name = new(&parameter.name));
    Ok(recipe)
}

fn check_name(name: &str) -> Result<(), TaskError> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(fits) {
        true => Ok(()),
        false => Err(TaskError::Invalid("a recipe's name has 1 to 60 letters, digits, - and _".to_owned())),
    }
}

/// "Rename the Tides!" is `rename-the-tides`.
fn slug(goal: &str) -> String {
    let words = goal.split(|next: char| !next.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if slug.len() + word.len() >= LONGEST_NAME {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_lowercase());
    }
    if slug.is_empty() { "recipe".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionRequest, Parameter, Timestamp};
    use serde_json::json;

    use super::*;

    fn recipe() -> Recipe {
        let parameter =
            |name: &str| Parameter { name: name.into(), about: String::new(), value: format!("old {name}") };
        let args = json!({"from": "{{from}}", "to": "{{to}} {{other}}"});
        Recipe {
            name: "r".into(),
            goal: "g".into(),
            parameters: vec![parameter("from"), parameter("to")],
            steps: vec![ActionRequest::new("file.move".parse().unwrap(), args)],
            script: None,
            risks: Risks::default(),
            task: None,
            created: Timestamp(0),
        }
    }

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn parameters_are_renamed_everywhere_at_once() {
        let swapped = renamed(recipe(), &map(&[("from", "to"), ("to", "from")])).unwrap();
        assert_eq!(swapped.steps[0].args, json!({"from": "{{to}}", "to": "{{from}} {{other}}"}));
        assert_eq!(swapped.parameters[0].name, "to");
    }

    #[test]
    fn names_that_are_taken_or_none_are_refused() {
        for wrong in [
            &[("from", "to")][..],
            &[("gone", "x")],
            &[("from", "other")],
            &[("from", "a b")],
            &[("from", "")],
            &[("from", "x"), ("to", "x")],
        ] {
            assert!(renamed(recipe(), &map(wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_known_parameters_are_set() {
        assert_eq!(values(&recipe(), &map(&[("to", "x")])).unwrap(), [("from", "old from"), ("to", "x")].into());
        assert!(values(&recipe(), &map(&[("sudo", "x")])).is_err());
        assert!(values(&recipe(), &map(&[("to", &"x".repeat(10_001))])).is_err());
    }

    #[test]
    fn a_name_comes_from_the_goal() {
        assert_eq!(slug("Rename the Tides!"), "rename-the-tides");
        assert_eq!(slug("…"), "recipe");
        assert!(check_name(&slug(&"word ".repeat(100))).is_ok());
        for wrong in ["", "a/b", "..", "ä", &"x".repeat(61)] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
    }
}
