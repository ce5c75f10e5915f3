//! `models`: what was found, and which one is used.

use std::sync::Arc;

use aside_agent::try_model;
use aside_core::ModelRef;
use aside_llm::ModelInfo;
use aside_protocol::{ChooseModel, ModelStatus, ModelTested, Models, ProviderStatus, TestModel};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::App,
    problem::{Asked, Body, Problem},
};

/// Which provider to ask now, though it is not on this machine.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    fetch: Option<String>,
}

/// Lists the providers with their models.
pub async fn get(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Models>, Problem> {
    if let Some(provider) = &wanted.fetch {
        // A failure shows as that provider's problem below.
        if let Err(error) = app.models.fetch(provider).await {
            tracing::info!("cannot list the models of {provider}: {error}");
        }
    }
    let found = app.models.status().await;
    let chosen = app.agents.chosen_model().await?;
    Ok(Json(Models { providers: found.into_iter().map(status).collect(), chosen }))
}

/// Keeps the person's choice for this workspace.
pub async fn choose(State(app): State<Arc<App>>, Body(body): Body<ChooseModel>) -> Result<Json<Models>, Problem> {
    app.models.provider(&body.model).map_err(|error| Problem::bad_request(error.to_string()))?;
    app.store.put("setting", "model", None, &body.model)?;
    get(State(app), Asked(Wanted { fetch: None })).await
}

/// Asks a model for one word and one call; it costs what it costs.
pub async fn test(State(app): State<Arc<App>>, Body(body): Body<TestModel>) -> Result<Json<ModelTested>, Problem> {
    let trial = try_model(&app.models, app.agents.spending(), &body.model).await?;
    Ok(Json(ModelTested {
        text: trial.text,
        called_tool: trial.called_tool,
        first_ms: trial.first.map(|first| u32::try_from(first.as_millis()).unwrap_or(u32::MAX)),
        usage: trial.usage,
        cost: trial.cost,
    }))
}

fn status(found: aside_llm::ProviderStatus) -> ProviderStatus {
    let provider = found.info.id.clone();
    ProviderStatus {
        id: found.info.id,
        name: found.info.name,
        local: found.info.local,
        endpoint: found.info.endpoint.unwrap_or_default(),
        problem: found.problem,
        models: found.models.into_iter().map(|model| model_status(&provider, model)).collect(),
    }
}

fn model_status(provider: &str, model: ModelInfo) -> ModelStatus {
    ModelStatus {
        model: ModelRef { provider: provider.to_owned(), name: model.name },
        tools: model.tools,
        vision: model.vision,
        thinking: model.thinking,
        context: model.context,
    }
}
