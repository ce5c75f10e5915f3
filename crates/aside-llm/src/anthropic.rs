//! Anthropic's Messages.

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};
use reqwest::header::HeaderName;
use serde_json::Value;

use crate::{
    Limits, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, Secret,
    http::{
        answer::answer,
        ask::{Question, ask},
        decode::Framing,
        endpoint::Endpoint,
    },
};

mod decode;
mod encode;

pub(crate) const ID: &str = "anthropic";
const HOME: &str = "https://api.anthropic.com";

/// A server that speaks Messages.
pub(crate) struct Anthropic {
    endpoint: Endpoint,
}

impl Anthropic {
    /// Sets up the server at a base URL (Anthropic's own if absent); the error says why that can't work.
    pub(crate) fn new(base: Option<&str>, key: Option<Secret>, limits: Limits) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(base.unwrap_or(HOME), limits)?;
        endpoint.when_unreachable = "Check the network, or ANTHROPIC_BASE_URL.";
        endpoint.when_unauthorised = "Check ANTHROPIC_API_KEY.";
        endpoint.when_not_found = "Check the model's name, and ANTHROPIC_BASE_URL.";
        if let Some(key) = key {
            endpoint = endpoint.with_key(HeaderName::from_static("x-api-key"), "", key)?;
        }
        Ok(Self { endpoint })
    }

    /// Base URLs are given with and without the version.
    fn path(&self, path: &str) -> String {
        let version = if self.endpoint.last_segment() == "v1" { "" } else { "/v1" };
        format!("{version}{path}")
    }
}

impl Provider for Anthropic {
    fn info(&self) -> ProviderInfo {
        ProviderInfo {
            id: ID.to_owned(),
            name: "Anthropic".to_owned(),
            local: self.endpoint.local(),
            endpoint: Some(self.endpoint.shown()),
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        async {
            let list = ask(&self.endpoint, &versioned(Question::get(&self.path("/models")))).await?;
            Ok(list["data"].as_array().into_iter().flatten().filter_map(model).collect())
        }
        .boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(known(model))).boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let question = versioned(Question::post(&self.path("/messages"), &encode::body(&request)));
        answer(self.endpoint.clone(), question, Framing::Events, decode::Decode::new(&request))
    }
}

fn versioned(question: Question) -> Question {
    question.header("anthropic-version", "2023-06-01")
}

fn model(entry: &Value) -> Option<ModelInfo> {
    let context = entry["max_input_tokens"].as_u64().and_then(|tokens| u32::try_from(tokens).ok());
    Some(ModelInfo { context, ..known(entry["id"].as_str()?) })
}

/// Every model behind this wire takes tools and images.
fn known(model: &str) -> ModelInfo {
    ModelInfo { tools: Some(true), vision: Some(true), ..ModelInfo::named(model) }
}
