//! Ollama's own chat, which unlike its OpenAI-compatible one lets us set the size of the context.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, ready},
    stream,
};
use serde_json::{Value, json};

use crate::{
    Limits, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, TextVectors,
    echo::Echoes,
    embeddings,
    hosted::{Door, key_header},
    http::{
        answer::answer,
        ask::{Question, ask},
        endpoint::Endpoint,
    },
    who::Who,
};

mod capabilities;
pub(crate) mod decode;
mod encode;
mod host;
mod installed;
mod piece;
mod pull;

pub use installed::is_ollama_installed;
pub use pull::{PullStream, Pulled};

pub(crate) const ID: &str = "ollama";

/// How many models are asked about at a time, and at most.
const AT_ONCE: usize = 8;
const MOST_MODELS: usize = 500;

/// An Ollama server.
pub(crate) struct Ollama {
    who: Who,
    endpoint: Endpoint,
    /// What it said of its models.
    described: Mutex<HashMap<String, Described>>,
}

struct Described {
    /// The model's own digest: another one is another model under the same name.
    digest: String,
    /// Absent for a model that does not answer messages.
    info: Option<ModelInfo>,
}

impl Ollama {
    /// Sets up the server at an address in any spelling of `OLLAMA_HOST`, whose models read so many tokens as a rule; the error says why that can't work.
    pub(crate) fn new(host: &str, window: Option<u32>, limits: Limits) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(&host::base_url(host), limits)?;
        endpoint.when_unreachable = "Start Ollama (`ollama serve`), or set OLLAMA_HOST to its address.".to_owned();
        endpoint.when_unauthorised = "Check the proxy between Aside and Ollama: Ollama itself needs no key.".to_owned();
        endpoint.when_not_found = "Download the model with `ollama pull`.".to_owned();
        Ok(Self { who: Who::ollama(window), endpoint, described: Mutex::default() })
    }

    /// Sets up a server of a person's own; the error says why that can't work.
    pub(crate) fn own(who: Who, door: Door<'_>) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(&host::base_url(door.base), door.limits)?;
        who.advise(&mut endpoint);
        if let Some(key) = door.key {
            let (header, scheme) = key_header(door.api);
            endpoint = endpoint.with_key(header, scheme, key)?;
        }
        Ok(Self { who, endpoint, described: Mutex::default() })
    }

    /// What is known of a model, by what the server shows of it.
    fn read(&self, name: &str, shown: &Value) -> ModelInfo {
        self.who.corrected(capabilities::read(name, shown))
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, ProviderError> {
        let tags = ask(&self.endpoint, &Question::get("/api/tags")).await?;
        let entries: Vec<Value> = tags["models"].as_array().into_iter().flatten().take(MOST_MODELS).cloned().collect();
        let models = stream::iter(entries).map(|entry| self.entry(entry)).buffered(AT_ONCE);
        Ok(models.filter_map(ready).collect().await)
    }

    /// Returns one model of the list, unless it is none to talk with.
    async fn entry(&self, entry: Value) -> Option<ModelInfo> {
        let name = entry["name"].as_str().or_else(|| entry["model"].as_str())?;
        let digest = entry["digest"].as_str().unwrap_or_default();
        if let Some(known) = self.described().get(name).filter(|known| known.digest == digest) {
            return known.info.clone();
        }
        // A model that it can't describe is still one that it has.
        let shown = self.show(name).await.unwrap_or_default();
        let mut info = self.read(name, &shown);
        info.elsewhere = info.elsewhere.or_else(|| capabilities::remote_host(&entry));
        let info = capabilities::talks(&shown).then_some(info);
        if !shown.is_null() {
            self.remember(name, digest, info.clone());
        }
        info
    }

    async fn show(&self, name: &str) -> Result<Value, ProviderError> {
        ask(&self.endpoint, &Question::post("/api/show", &json!({ "model": name, "name": name }))).await
    }

    fn remembered(&self, name: &str) -> Option<ModelInfo> {
        self.described().get(name)?.info.clone()
    }

    fn remember(&self, name: &str, digest: &str, info: Option<ModelInfo>) {
        let described = Described { digest: digest.to_owned(), info };
        self.described().insert(name.to_owned(), described);
    }

    fn described(&self) -> MutexGuard<'_, HashMap<String, Described>> {
        self.described.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider for Ollama {
    fn info(&self) -> ProviderInfo {
        ProviderInfo {
            id: self.who.id.clone(),
            name: self.who.name.clone(),
            local: self.endpoint.local(),
            endpoint: Some(self.endpoint.shown()),
            host: self.endpoint.elsewhere(),
            pulls: true,
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        self.list().boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        async move {
            if let Some(info) = self.remembered(model) {
                return Ok(info);
            }
            if !self.endpoint.local() {
                return Ok(self.read(model, &Value::Null));
            }
            let info = self.read(model, &self.show(model).await?);
            self.remember(model, "", Some(info.clone()));
            Ok(info)
        }
        .boxed()
    }

    fn sizes_context(&self) -> bool {
        true
    }

    fn window(&self) -> Option<u32> {
        self.who.window
    }

    fn pull(&self, model: &str) -> Option<PullStream> {
        Some(pull::pull(self.endpoint.clone(), model))
    }

    fn embed(&self, model: &str, texts: Vec<String>) -> Option<TextVectors> {
        Some(embeddings::ollama(self.endpoint.clone(), model.to_owned(), texts).boxed())
    }

    fn passes_on<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<Option<String>, ProviderError>> {
        async move {
            match self.describe(model).await {
                Ok(info) => Ok(info.elsewhere),
                // It has no such model, or can't describe any: only the name can tell.
                Err(ProviderError::Refused { status: 404 | 405 | 501, .. }) => {
                    Ok(self.read(model, &Value::Null).elsewhere)
                }
                Err(error) => Err(error),
            }
        }
        .boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let info = self.remembered(&request.model);
        let echoes = Echoes::of(&self.who.id, &request.model);
        let question = Question::post("/api/chat", &encode::body(&request, &echoes, info.as_ref()));
        answer(self.endpoint.clone(), question, decode::Decode::new(&request, echoes))
    }
}
