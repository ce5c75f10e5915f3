//! A service that is reached over the internet's usual wires: one provider over any [`Wire`].

use std::{
    collections::HashMap,
    marker::PhantomData,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{FutureExt as _, future::BoxFuture};
use reqwest::header::{AUTHORIZATION, HeaderName};

use crate::{
    Limits, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, Secret, TextVectors,
    echo::Echoes,
    embeddings,
    http::{
        answer::answer,
        ask::{Question, ask},
        endpoint::Endpoint,
    },
    known::Beforehand,
    preset::Api,
    speech::{self, Recording, Transcript},
    who::Who,
    wire::{Call, Wire},
};

/// A service over one wire.
pub(crate) struct Hosted<W> {
    who: Who,
    endpoint: Endpoint,
    /// What the service said of its models when it was last asked.
    listed: Mutex<HashMap<String, ModelInfo>>,
    beforehand: Beforehand,
    wire: PhantomData<fn() -> W>,
}

/// Where a service is and what opens it.
pub(crate) struct Door<'a> {
    pub(crate) base: &'a str,
    pub(crate) api: Api,
    pub(crate) key: Option<Secret>,
    pub(crate) limits: Limits,
    pub(crate) beforehand: &'a Beforehand,
}

impl<W: Wire> Hosted<W> {
    /// Sets up a service; the error says why that can't work.
    pub(crate) fn new(who: Who, door: Door<'_>) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(door.base, door.limits)?;
        if let Some(version) = W::VERSION {
            endpoint = endpoint.versioned(version);
        }
        who.advise(&mut endpoint);
        if let Some(key) = door.key {
            let (header, scheme) = key_header(door.api);
            endpoint = endpoint.with_key(header, scheme, key)?;
        }
        let beforehand = door.beforehand.clone();
        Ok(Self { who, endpoint, listed: Mutex::default(), beforehand, wire: PhantomData })
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, ProviderError> {
        let models = match self.own_list().await {
            Some(models) => models,
            None => W::models(&ask(&self.endpoint, &W::list()).await?),
        };
        let models: Vec<_> = models.into_iter().map(|model| self.completed(model)).collect();
        *self.listed() = models.iter().map(|model| (model.name.clone(), model.clone())).collect();
        Ok(models)
    }

    /// Asks for the models by the server's own lists; none if it has no such list, or names nothing there.
    async fn own_list(&self) -> Option<Vec<ModelInfo>> {
        let server = self.endpoint.unversioned();
        for path in self.who.quirks.lists {
            let list = ask(&server, &Question::get(path)).await.unwrap_or_default();
            let models = Some(W::models(&list)).filter(|models| !models.is_empty());
            if models.is_some() {
                return models;
            }
        }
        None
    }

    /// What the service says, and for the rest what is known beforehand.
    fn completed(&self, model: ModelInfo) -> ModelInfo {
        let model = match self.beforehand.model(&self.who.id, &model.name) {
            Some(known) => model.or(known),
            None => model,
        };
        self.who.corrected(model)
    }

    /// What is known of a model without asking.
    fn known(&self, model: &str) -> ModelInfo {
        let listed = self.listed().get(model).cloned();
        listed.unwrap_or_else(|| self.completed(ModelInfo::named(model)))
    }

    /// Tells whether this is the service itself, not a server that speaks like it.
    fn at_home(&self) -> bool {
        let home = self.who.home.and_then(|home| Endpoint::parse(home, Limits::default()).ok());
        home.is_some_and(|home| home.host() == self.endpoint.host())
    }

    fn listed(&self) -> MutexGuard<'_, HashMap<String, ModelInfo>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn key_header(api: Api) -> (HeaderName, &'static str) {
    match api {
        // Ollama itself wants none; what stands before one takes it so.
        Api::Chat | Api::Responses | Api::Ollama => (AUTHORIZATION, "Bearer "),
        Api::Messages => (HeaderName::from_static("x-api-key"), ""),
        Api::Gemini => (HeaderName::from_static("x-goog-api-key"), ""),
    }
}

impl<W: Wire> Provider for Hosted<W> {
    fn info(&self) -> ProviderInfo {
        let name = if self.at_home() { &self.who.name } else { &self.who.name_elsewhere };
        ProviderInfo {
            id: self.who.id.clone(),
            name: name.clone(),
            local: self.endpoint.local(),
            endpoint: Some(self.endpoint.shown()),
            host: self.endpoint.elsewhere(),
            pulls: false,
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        self.list().boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        async move {
            let is_listed = self.listed().contains_key(model);
            if self.endpoint.local() && !is_listed {
                // A server that has no list may still have the model; it is not asked again.
                if let Err(error @ ProviderError::Unreachable { .. }) = self.list().await {
                    return Err(error);
                }
                let known = self.known(model);
                self.listed().insert(model.to_owned(), known);
            }
            Ok(self.known(model))
        }
        .boxed()
    }

    fn window(&self) -> Option<u32> {
        self.who.window
    }

    fn transcriber(&self) -> Option<String> {
        self.who.transcription.clone().filter(|_| W::TRANSCRIBES)
    }

    fn transcribe(&self, recording: Recording) -> Option<BoxFuture<'static, Result<Transcript, ProviderError>>> {
        let (model, endpoint) = (self.transcriber()?, self.endpoint.clone());
        Some(async move { speech::transcribe(&endpoint, &model, &recording).await }.boxed())
    }

    fn embed(&self, model: &str, texts: Vec<String>) -> Option<TextVectors> {
        W::EMBEDS.then(|| embeddings::openai(self.endpoint.clone(), model.to_owned(), texts).boxed())
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let call = Call {
            model: self.known(&request.model),
            echoes: Echoes::of(&self.who.id, &request.model),
            quirks: &self.who.quirks,
            at_home: self.at_home(),
            request: &request,
        };
        answer(self.endpoint.clone(), W::question(&call), W::decoder(&call))
    }
}
