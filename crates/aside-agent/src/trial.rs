//! Tries a model: does it answer, and does it call a tool?

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use aside_core::{Cost, Failure, ModelRef, Usage};
use aside_llm::{Message, ModelEvent, ModelInfo, ModelRequest, Models, Provider, ToolSpec};
use aside_macros::boxed;
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::time::timeout;

use crate::spending::{Planned, Spending, Spent, most_tokens};

/// How long a model may take: one on this machine may have to be loaded first.
const PATIENCE: Duration = Duration::from_secs(120);
/// Tokens that a model that thinks first needs for one word.
const ANSWER: u32 = 2048;
/// Bytes of what it answered that are of interest.
const SHOWN: usize = 2000;

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// What it answered.
    pub text: String,
    /// It called the tool; none if it takes no tools.
    pub called_tool: Option<bool>,
    /// Until something came.
    pub first: Option<Duration>,
    /// What it used.
    pub usage: Usage,
    /// What it cost.
    pub cost: Cost,
}

/// Asks a model for one word and one call; one that refuses tools, for the word alone. Counts as spent what it costs, and
/// keeps to the limit of the day.
#[boxed]
pub async fn try_model(models: &Models, spending: &Arc<Spending>, model: &ModelRef) -> Result<Trial, Failure> {
    let provider = models.provider(model).map_err(|error| Failure::from(&error))?;
    let before = described(&*provider, model).await;
    let tried = try_once(&*provider, spending, model, &before).await;
    // What it refused is known for it from then on.
    let now = described(&*provider, model).await;
    match tried {
        Err(_) if now.tools != before.tools => try_once(&*provider, spending, model, &now).await,
        tried => tried,
    }
}

async fn described(provider: &dyn Provider, model: &ModelRef) -> ModelInfo {
    provider.describe(&model.name).await.unwrap_or_else(|_| ModelInfo::named(&model.name))
}

async fn try_once(
    provider: &dyn Provider,
    spending: &Arc<Spending>,
    model: &ModelRef,
    info: &ModelInfo,
) -> Result<Trial, Failure> {
    let local = provider.info().local && info.elsewhere.is_none();
    let with_tools = info.tools != Some(false);
    let mut request = request(model, with_tools);
    let call = spending.nobody();
    let (input, spent) = (most_tokens(&request), Spent::default());
    let planned = Planned { call: &call, model, local, input, output: ANSWER, spent };
    let promise = spending.promise(planned)?;
    request.max_output = promise.output.or(Some(ANSWER));
    let started = Instant::now();
    let mut trial = Trial { called_tool: with_tools.then_some(false), ..Trial::default() };
    let heard = timeout(PATIENCE, async {
        let mut stream = provider.stream(request);
        while let Some(event) = stream.next().await {
            let event = event.map_err(|error| Failure::from(&error))?;
            trial.first.get_or_insert_with(|| started.elapsed());
            hear(&mut trial, event);
        }
        Ok(())
    });
    let heard = heard.await.unwrap_or_else(|_| Err(Failure::new("timeout", format!("{model} did not answer in time"))));
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let silent = trial.first.is_none();
    trial.cost = spending.cost(&promise, &trial.usage, heard.as_ref().err(), silent, took);
    spending.record_alone(&promise, &trial.usage, trial.cost).map_err(|error| error.failure())?;
    heard.map(|()| trial)
}

fn request(model: &ModelRef, with_tools: bool) -> ModelRequest {
    let tool = ToolSpec {
        name: "report".to_owned(),
        description: "Reports that tools can be called.".to_owned(),
        schema: json!({"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}),
    };
    let ask = if with_tools { "Call the tool `report` with the word ready." } else { "Answer with the word ready." };
    ModelRequest {
        model: model.name.clone(),
        system: "This is a test. Do exactly what is asked, and nothing else.".to_owned(),
        messages: vec![Message::user(ask)],
        tools: if with_tools { vec![tool] } else { Vec::new() },
        ..ModelRequest::default()
    }
}

fn hear(trial: &mut Trial, event: ModelEvent) {
    match event {
        ModelEvent::Text(text) if trial.text.len() < SHOWN => trial.text.push_str(&text),
        ModelEvent::ToolCall(call) => trial.called_tool = Some(call.problem.is_none()),
        ModelEvent::Usage(usage) => trial.usage = trial.usage.plus(&usage),
        _ => {}
    }
}
