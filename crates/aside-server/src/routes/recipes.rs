//! `recipes`: what tasks did, kept with parameters. A run is a new task, which is shown before it does anything.

use std::sync::Arc;

use aside_core::Recipe;
use aside_macros::boxed;
use aside_protocol::{RunRecipe, SaveRecipe, TaskDetail};
use axum::{Extension, Json, extract::State};
use serde_json::{Value, json};

use super::{scripts::started, tasks::plan};
use crate::{
    access::Shown,
    app::App,
    problem::{Body, Named, Problem},
};

/// Lists recipes, by name.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<Recipe>>, Problem> {
    Ok(Json(app.tasks.recipes()?))
}

/// Keeps what a task did.
#[boxed]
pub async fn save(State(app): State<Arc<App>>, Body(save): Body<SaveRecipe>) -> Result<Json<Recipe>, Problem> {
    Ok(Json(app.tasks.save_recipe(&save.task, save.name, &save.rename)?))
}

/// Returns one recipe.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Named(name): Named<String>) -> Result<Json<Recipe>, Problem> {
    Ok(Json(app.tasks.recipe(&name)?))
}

/// Deletes a recipe. The tasks that came from it stay.
#[boxed]
pub async fn delete(State(app): State<Arc<App>>, Named(name): Named<String>) -> Result<Json<Value>, Problem> {
    app.tasks.delete_recipe(&name)?;
    Ok(Json(json!({ "deleted": name })))
}

/// Plans a task from a recipe.
#[boxed]
pub async fn run(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(name): Named<String>,
    Body(run): Body<RunRecipe>,
) -> Result<Json<TaskDetail>, Problem> {
    let submission = app.submission(shown);
    if let Some((mut request, submission)) = app.tasks.script_from_recipe(&name, &run.set, &submission)? {
        if run.dry_run {
            request.args["dry_run"] = json!(true);
        }
        request.idempotency_key = run.idempotency_key;
        return started(&app, request, submission).await;
    }
    let (task, submission) = app.tasks.from_recipe(&name, &run.set, submission)?;
    let task = aside_agent::NewTask { key: run.idempotency_key, ..task };
    plan(&app, task, submission, run.dry_run).await
}
