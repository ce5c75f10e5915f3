//! OpenAI's chat completions, as spoken by OpenAI and by most other servers.

use aside_core::StepStop;
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};
use reqwest::header::AUTHORIZATION;
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

pub(crate) const ID: &str = "openai";
const HOME: &str = "https://api.openai.com/v1";

/// A server that speaks chat completions.
pub(crate) struct OpenAi {
    endpoint: Endpoint,
}

impl OpenAi {
    /// Sets up the server at a base URL (OpenAI's own if absent); the error says why that can't work.
    pub(crate) fn new(base: Option<&str>, key: Option<Secret>, limits: Limits) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(base.unwrap_or(HOME), limits)?;
        endpoint.when_unreachable = "Start the server, or check OPENAI_BASE_URL.";
        endpoint.when_unauthorised = "Check OPENAI_API_KEY.";
        endpoint.when_not_found = "Check the model's name, and OPENAI_BASE_URL: it usually ends in /v1.";
        if let Some(key) = key {
            endpoint = endpoint.with_key(AUTHORIZATION, "Bearer ", key)?;
        }
        Ok(Self { endpoint })
    }

    fn is_home(&self) -> bool {
        self.endpoint.host() == "api.openai.com"
    }
}

impl Provider for OpenAi {
    fn info(&self) -> ProviderInfo {
        let name = if self.is_home() { "OpenAI" } else { "OpenAI-compatible server" };
        ProviderInfo {
            id: ID.to_owned(),
            name: name.to_owned(),
            local: self.endpoint.local(),
            endpoint: Some(self.endpoint.shown()),
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        async {
            let list = ask(&self.endpoint, &Question::get("/models")).await?;
            Ok(list["data"].as_array().into_iter().flatten().filter_map(model).collect())
        }
        .boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(ModelInfo::named(model))).boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let limit = if self.is_home() { "max_completion_tokens" } else { "max_tokens" };
        let question = Question::post("/chat/completions", &encode::body(&request, limit));
        answer(self.endpoint.clone(), question, Framing::Events, decode::Decode::new(&request))
    }
}

/// Reads one entry of a model list; the fields beyond the id are those of OpenRouter, vLLM and llama.cpp.
fn model(entry: &Value) -> Option<ModelInfo> {
    let number = |path: &str| u32::try_from(entry.pointer(path)?.as_u64()?).ok();
    let lists = |path: &str, word: &str| Some(entry.pointer(path)?.as_array()?.iter().any(|item| item == word));
    Some(ModelInfo {
        tools: lists("/supported_parameters", "tools"),
        vision: lists("/architecture/input_modalities", "image"),
        thinking: lists("/supported_parameters", "reasoning"),
        context: ["/context_length", "/max_model_len", "/meta/n_ctx_train"].into_iter().find_map(number),
        ..ModelInfo::named(entry["id"].as_str()?)
    })
}

/// Why an answer stopped, from the server's word and what was in it.
fn stop(reason: Option<&str>, calls: bool, refused: bool) -> StepStop {
    match reason {
        Some("length") => StepStop::Length,
        Some("content_filter") => StepStop::Refusal,
        _ if calls => StepStop::ToolCalls,
        _ if refused => StepStop::Refusal,
        _ => StepStop::End,
    }
}
