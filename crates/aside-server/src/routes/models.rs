//! `models`: what was found, and which one is used.

use std::{collections::BTreeMap, ops::RangeInclusive, sync::Arc};

use aside_agent::{Draft, try_model};
use aside_core::{Attached, ModelRef, Timestamp, WorkspacePath};
use aside_llm::{ModelInfo, Prices, ProviderInfo, Rate, Rates, Said, is_ollama_installed};
use aside_macros::boxed;
use aside_protocol::{
    ChooseModel, EstimateTurn, ModelPrice, ModelStatus, ModelTested, Models, OllamaFound, ProviderStatus, RatesAbove,
    Span, TestModel, TokenRates, TurnEstimate,
};
use axum::{Extension, Json, extract::State};
use serde::Deserialize;

use super::slash;
use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Problem},
};

/// Which provider to ask now, though it is not on this machine.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    fetch: Option<String>,
}

/// Lists the providers with their models.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Models>, Problem> {
    if let Some(provider) = &wanted.fetch {
        app.renew_keys().await?;
        // The provider's `list_problem` says it below.
        if let Err(error) = app.models.fetch(provider).await {
            tracing::info!("cannot list the models of {provider}: {error}");
        }
    }
    list(&app).await
}

/// The list as it is.
pub(super) async fn list(app: &Arc<App>) -> Result<Json<Models>, Problem> {
    app.renew_keys().await?;
    let found = app.models.status().await;
    let chosen = app.agents.chosen_model().await?;
    let (prices, ollama) = (app.agents.spending().prices(), ollama(&found));
    let now = app.store.now();
    // While it can't be told what is allowed, nothing is.
    let (said, outside_problem) = match app.outside.said() {
        Ok(said) => (said, None),
        Err(problem) => (Arc::default(), Some(problem)),
    };
    let providers = found.into_iter().map(|found| status(found, (&prices, now), &said)).collect();
    Ok(Json(Models { providers, chosen, ollama, local_only: app.outside.local_only(), outside_problem }))
}

/// Keeps the person's choice for this workspace.
#[boxed]
pub async fn choose(State(app): State<Arc<App>>, Body(body): Body<ChooseModel>) -> Result<Json<Models>, Problem> {
    app.models.provider(&body.model).map_err(|error| Problem::bad_request(error.to_string()))?;
    app.store.put("setting", "model", None, &body.model)?;
    get(State(app), Asked(Wanted { fetch: None })).await
}

/// Asks a model for one word and one call; it costs what it costs.
#[boxed]
pub async fn test(State(app): State<Arc<App>>, Body(body): Body<TestModel>) -> Result<Json<ModelTested>, Problem> {
    app.renew_keys().await?;
    let trial = try_model(&app.models, app.agents.spending(), &body.model).await?;
    Ok(Json(ModelTested {
        text: trial.text,
        called_tool: trial.called_tool,
        first_ms: trial.first.map(|first| u32::try_from(first.as_millis()).unwrap_or(u32::MAX)),
        usage: trial.usage,
        cost: trial.cost,
    }))
}

/// Says what a message would cost. Nothing is sent.
#[boxed]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<EstimateTurn>,
) -> Result<Json<TurnEstimate>, Problem> {
    let EstimateTurn { thread, model, text, focus, mut attached } = body;
    for each in &attached {
        if let Attached::Thread { thread } = each {
            shown.check_thread(&app.agents.thread(thread)?)?;
        }
    }
    attached.extend(slash::expanded(&app, &shown, thread.as_ref(), &text).await?);
    let mut draft = Draft { thread, model, text, focus, attached, files: BTreeMap::new() };
    for path in app.agents.files_along(&draft).await {
        if let Some(text) = text_of(app.clone(), path.clone()).await? {
            draft.files.insert(path, text);
        }
    }
    let found = app.agents.estimate(draft, None).await?;
    let span = |range: RangeInclusive<u64>| Span { low: *range.start(), high: *range.end() };
    Ok(Json(TurnEstimate {
        model: found.model,
        local: found.local,
        input_tokens: found.input_tokens,
        cached_tokens: found.cached_tokens,
        steps: span(found.steps),
        input: span(found.input),
        output: span(found.output),
        cost: found.cost.map(span),
        milliseconds: found.milliseconds.map(span),
        price_source: found.price_source,
        warning: found.warning,
    }))
}

/// What a file says; none if it is no text.
async fn text_of(app: Arc<App>, path: WorkspacePath) -> Result<Option<String>, Problem> {
    let text = blocking(move || app.workspace.document_or_gone(&path).map(|document| document.text())).await?;
    Ok(text.ok().map(|text| text.to_string()))
}

/// Of several on this machine, the one that is nearest to being of use.
fn ollama(found: &[aside_llm::ProviderStatus]) -> OllamaFound {
    let here = found.iter().filter(|one| one.info.pulls && one.info.local && one.problem.is_none());
    match here.map(|one| one.models.len()).max() {
        Some(0) => OllamaFound::NoModels,
        Some(_) => OllamaFound::Ready,
        None if is_ollama_installed() => OllamaFound::NotRunning,
        None => OllamaFound::NotInstalled,
    }
}

fn status(found: aside_llm::ProviderStatus, prices: (&Prices, Timestamp), said: &Said) -> ProviderStatus {
    let info = &found.info;
    let models = found.models.into_iter().map(|model| model_status(info, model, prices, said)).collect();
    ProviderStatus {
        consent: said.consent(&info.id, info.host.as_deref()),
        off: said.local_only && info.host.is_some(),
        id: found.info.id,
        name: found.info.name,
        local: found.info.local,
        endpoint: found.info.endpoint.unwrap_or_default(),
        host: found.info.host,
        key: found.key,
        takes_key: found.takes_key,
        pulls: found.info.pulls,
        set_up: found.set_up,
        asked: found.asked,
        list_problem: found.list_problem,
        problem: found.problem,
        models,
    }
}

fn model_status(provider: &ProviderInfo, info: ModelInfo, prices: (&Prices, Timestamp), said: &Said) -> ModelStatus {
    let model = ModelRef { provider: provider.id.clone(), name: info.name };
    let local = provider.local && info.elsewhere.is_none();
    let elsewhere = info.elsewhere.is_some();
    let host = info.elsewhere.or_else(|| provider.host.clone());
    ModelStatus {
        tools: info.tools,
        vision: info.vision,
        thinking: info.thinking,
        context: info.context,
        elsewhere,
        consent: said.consent(&provider.id, host.as_deref()),
        host,
        price: if local { None } else { price(&model, prices) },
        model,
    }
}

/// The price of a model now, as far as both a question and an answer have one.
fn price(model: &ModelRef, (prices, now): (&Prices, Timestamp)) -> Option<ModelPrice> {
    let (price, list) = prices.held(model, now)?;
    let above = price.above.keys();
    let above = above.filter_map(|&tokens| Some(RatesAbove { tokens, rates: rates(price.rates_at(tokens + 1))? }));
    Some(ModelPrice { rates: rates(price.rates)?, above: above.collect(), source: list.named() })
}

fn rates(rates: Rates) -> Option<TokenRates> {
    let a_token = |rate: Option<Rate>| rate.map(|rate| rate.of(1));
    Some(TokenRates {
        input: a_token(rates.input)?,
        output: a_token(rates.output)?,
        cache_read: a_token(rates.cache_read),
        cache_write: a_token(rates.cache_write),
        cache_write_hour: a_token(rates.cache_write_hour),
        reasoning: a_token(rates.reasoning),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_the_price_of_its_list_unless_it_is_on_this_machine() {
        let listed = |local, elsewhere: bool, name: &str| {
            let [id, name_shown] = ["openai", "OpenAI"].map(str::to_owned);
            let provider = ProviderInfo { id, name: name_shown, local, endpoint: None, host: None, pulls: false };
            let elsewhere = elsewhere.then(|| "models.example".to_owned());
            let info = ModelInfo { elsewhere, ..ModelInfo::named(name) };
            model_status(&provider, info, (&Prices::default(), Timestamp(0)), &Said::default())
                .price
                .map(|price| (price.rates.input, price.rates.output))
        };
        assert_eq!(listed(false, false, "gpt-4o"), Some((2_500_000, 10_000_000)));
        assert_eq!(listed(true, true, "gpt-4o"), Some((2_500_000, 10_000_000)));
        assert_eq!(listed(true, false, "gpt-4o"), None);
        assert_eq!(listed(false, false, "gpt-99"), None);
    }
}
