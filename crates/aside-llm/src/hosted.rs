//! A service that is reached by its preset: one provider over any [`Wire`].

use std::{
    collections::HashMap,
    marker::PhantomData,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{FutureExt as _, future::BoxFuture};
use reqwest::header::{AUTHORIZATION, HeaderName};

use crate::{
    Limits, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, Secret,
    echo::Echoes,
    http::{answer::answer, ask::ask, endpoint::Endpoint},
    preset::{Api, Preset},
    prices::known,
    wire::{Call, Wire},
};

/// A service over one wire.
pub(crate) struct Hosted<W> {
    preset: &'static Preset,
    endpoint: Endpoint,
    /// What the service said of its models when it was last asked.
    listed: Mutex<HashMap<String, ModelInfo>>,
    wire: PhantomData<fn() -> W>,
}

/// Where a service is and what opens it.
pub(crate) struct Door<'a> {
    pub(crate) base: Option<&'a str>,
    pub(crate) key: Option<Secret>,
    pub(crate) limits: Limits,
}

impl<W: Wire> Hosted<W> {
    /// Sets up a service; the error says why that can't work.
    pub(crate) fn new(preset: &'static Preset, door: Door<'_>) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(door.base.unwrap_or(preset.home), door.limits)?;
        if let Some(version) = W::VERSION {
            endpoint = endpoint.versioned(version);
        }
        advise(&mut endpoint, preset);
        if let Some(key) = door.key {
            let (header, scheme) = key_header(preset);
            endpoint = endpoint.with_key(header, scheme, key)?;
        }
        Ok(Self { preset, endpoint, listed: Mutex::default(), wire: PhantomData })
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, ProviderError> {
        let list = ask(&self.endpoint, &W::list()).await?;
        let models: Vec<_> = W::models(&list).into_iter().map(|model| self.completed(model)).collect();
        *self.listed() = models.iter().map(|model| (model.name.clone(), model.clone())).collect();
        Ok(models)
    }

    /// What the service says, and for the rest what is known beforehand.
    fn completed(&self, model: ModelInfo) -> ModelInfo {
        match known(self.preset.id, &model.name) {
            Some(known) => model.or(known),
            None => model,
        }
    }

    /// What is known of a model without asking.
    fn known(&self, model: &str) -> ModelInfo {
        let listed = self.listed().get(model).cloned();
        listed.unwrap_or_else(|| self.completed(ModelInfo::named(model)))
    }

    /// Tells whether this is the service itself, not a server that speaks like it.
    fn at_home(&self) -> bool {
        Endpoint::parse(self.preset.home, Limits::default()).is_ok_and(|home| home.host() == self.endpoint.host())
    }

    fn listed(&self) -> MutexGuard<'_, HashMap<String, ModelInfo>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_header(preset: &Preset) -> (HeaderName, &'static str) {
    match preset.api {
        Api::Chat | Api::Responses => (AUTHORIZATION, "Bearer "),
        Api::Messages => (HeaderName::from_static("x-api-key"), ""),
        Api::Gemini => (HeaderName::from_static("x-goog-api-key"), ""),
    }
}

fn advise(endpoint: &mut Endpoint, preset: &Preset) {
    let first = if endpoint.local() { "Start the server" } else { "Check the network" };
    let base = preset.bases.first();
    endpoint.when_unreachable = base.map_or_else(|| format!("{first}."), |base| format!("{first}, or check {base}."));
    endpoint.when_unauthorised = format!("Check {}.", preset.keys.join(" or "));
    let ending = if preset.elsewhere == Api::Chat { ": it usually ends in /v1" } else { "" };
    let and = base.map(|base| format!(", and {base}{ending}")).unwrap_or_default();
    endpoint.when_not_found = format!("Check the model's name{and}.");
}

impl<W: Wire> Provider for Hosted<W> {
    fn info(&self) -> ProviderInfo {
        let is_other = self.preset.api != self.preset.elsewhere && !self.at_home();
        let name =
            if is_other { format!("{}-compatible server", self.preset.name) } else { self.preset.name.to_owned() };
        ProviderInfo {
            id: self.preset.id.to_owned(),
            name,
            local: self.endpoint.local(),
            endpoint: Some(self.endpoint.shown()),
            host: self.endpoint.elsewhere(),
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

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let call = Call {
            model: self.known(&request.model),
            echoes: Echoes::of(self.preset.id, &request.model),
            quirks: &self.preset.quirks,
            at_home: self.at_home(),
            request: &request,
        };
        answer(self.endpoint.clone(), W::question(&call), W::decoder(&call))
    }
}
