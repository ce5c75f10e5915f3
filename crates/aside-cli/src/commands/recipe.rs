//! `aside recipe …`: what tasks did, to be run again with other values.

use aside_core::{Recipe, harmless};
use aside_protocol::{RunRecipe, SaveRecipe};
use serde_json::Value;

use super::{script::follow, task::make};
use crate::{
    arguments::{self, Where},
    client::{Client, new_key, until_answered},
    ended::Ended,
    output::Output,
    workspace,
};

/// Runs one of them.
pub async fn recipe(what: arguments::Recipe, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = run(&client, what, output).await;
    client.finish().await;
    result
}

async fn run(client: &Client, what: arguments::Recipe, output: &Output) -> anyhow::Result<Ended> {
    use arguments::Recipe as R;
    match what {
        R::List => {
            let recipes: Vec<Recipe> = client.get("recipes").await?;
            output.result(&recipes, || match recipes.is_empty() {
                true => "no recipes; save a completed task as one with `aside recipe save`".to_owned(),
                false => recipes.iter().map(recipe_text).collect(),
            });
        }
        R::Save { task, name, rename } => {
            let save = SaveRecipe { task, name, rename: rename.into_iter().collect() };
            let recipe: Recipe = client.post("recipes", &save).await?;
            output.result(&recipe, || recipe_text(&recipe));
        }
        R::Run { name, set, how } => {
            let set = set.into_iter().collect();
            let run = RunRecipe { set, idempotency_key: Some(new_key()), dry_run: how.dry_run };
            let recipe: Recipe = client.get(&format!("recipes/{name}")).await?;
            let path = format!("recipes/{name}/run");
            if recipe.script.is_none() {
                return make(client, &path, &run, how, output).await;
            }
            return follow(client, until_answered(|| client.post(&path, &run)).await?, output).await;
        }
        R::Delete { name } => {
            let deleted: Value = client.delete(&format!("recipes/{name}")).await?;
            output.result(&deleted, || format!("deleted {}", harmless(&name)));
        }
    }
    Ok(Ended::Done)
}

fn recipe_text(recipe: &Recipe) -> String {
    let what = match &recipe.script {
        Some(script) => format!("a script of {} lines", script.source.lines().count()),
        None => format!("{} steps", recipe.steps.len()),
    };
    let mut text = format!("{}: {}, {what}\n", recipe.name, harmless(&recipe.goal));
    for parameter in &recipe.parameters {
        let value = harmless(&parameter.value);
        text += &format!("  {}={value}  ({})\n", parameter.name, harmless(&parameter.about));
    }
    text
}
