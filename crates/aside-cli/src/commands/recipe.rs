//! `aside recipe …`: what tasks did, to be run again with other values.

use aside_core::{Recipe, harmless};
use aside_protocol::{RunRecipe, SaveRecipe};
use serde_json::Value;

use super::task::make;
use crate::{
    arguments::{self, Where},
    client::{Client, new_key},
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
            return make(client, &format!("recipes/{name}/run"), &run, how, output).await;
        }
        R::Delete { name } => {
            let deleted: Value = client.delete(&format!("recipes/{name}")).await?;
            output.result(&deleted, || format!("deleted {}", harmless(&name)));
        }
    }
    Ok(Ended::Done)
}

fn recipe_text(recipe: &Recipe) -> String {
    let mut text = format!("{}: {}, {} steps\n", recipe.name, harmless(&recipe.goal), recipe.steps.len());
    for parameter in &recipe.parameters {
        let value = harmless(&parameter.value);
        text += &format!("  {}={value}  ({})\n", parameter.name, harmless(&parameter.about));
    }
    text
}
