//! The trait that all adapters implement.

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
    stream::BoxStream,
};
use serde::{Deserialize, Serialize};

use crate::{ModelEvent, ModelRequest, ProviderError, PullStream, Recording, Transcript};

/// The events of one answer; dropping it closes the connection, and the model stops.
pub type ModelStream = BoxStream<'static, Result<ModelEvent, ProviderError>>;

/// A vector for each of some texts.
pub type TextVectors = BoxFuture<'static, Result<Vec<Vec<f32>>, ProviderError>>;

/// A service that runs models.
pub trait Provider: Send + Sync {
    /// Returns who it is; contacts nobody.
    fn info(&self) -> ProviderInfo;

    /// Asks the service which models it has.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>>;

    /// Returns what is known of one model. An adapter contacts the service only if it is on this machine (and remembers the
    /// answer); of a remote model it tells what the last list said, and what is known beforehand. What
    /// [`Models`](crate::Models) hands out asks a service elsewhere for its list before that, once, if content may go there.
    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>>;

    /// Where it passes on what it is sent for a model; none if it runs the model itself. One on this machine is asked if it
    /// has not said so yet; who gets no answer sends nothing.
    fn passes_on<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, Result<Option<String>, ProviderError>> {
        ready(Ok(None)).boxed()
    }

    /// Tells whether it is for us to say how much a model can read ([`ModelRequest::context`]).
    fn sizes_context(&self) -> bool {
        false
    }

    /// How many tokens the person lets a model read as a rule, if they say.
    fn window(&self) -> Option<u32> {
        None
    }

    /// Gets a model that the service does not have yet, if it can do that. Nothing is sent until the stream is polled.
    fn pull(&self, _model: &str) -> Option<PullStream> {
        None
    }

    /// The model that writes down spoken words, if one is known.
    fn transcriber(&self) -> Option<String> {
        None
    }

    /// Writes down the words of a recording by its [`Provider::transcriber`], if it has one. Nothing is sent until the future is
    /// polled.
    fn transcribe(&self, _recording: Recording) -> Option<BoxFuture<'static, Result<Transcript, ProviderError>>> {
        None
    }

    /// Makes a vector of each text by a model, in their order, if the service can do that. Nothing is sent until the future is polled.
    fn embed(&self, _model: &str, _texts: Vec<String>) -> Option<TextVectors> {
        None
    }

    /// Calls a model. Nothing is sent until the stream is polled.
    fn stream(&self, request: ModelRequest) -> ModelStream;
}

/// Who a provider is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProviderInfo {
    /// `ollama`, `rehearsal`, that of a [`Preset`](crate::Preset), or one of the person's own: `ModelRef::provider`.
    pub id: String,
    /// For people.
    pub name: String,
    /// On this machine.
    pub local: bool,
    /// Where it is, without credentials; absent for the rehearsal.
    pub endpoint: Option<String>,
    /// Where what is sent to it goes: `HOST` or `HOST:PORT`; absent if that is this machine.
    pub host: Option<String>,
    /// It gets models that it does not have yet ([`Provider::pull`]).
    pub pulls: bool,
}

impl ProviderInfo {
    /// Where what is sent to it goes; none if that is this machine.
    pub fn elsewhere(&self) -> Option<String> {
        // One that does not say where it is, and not that it is here, is somewhere.
        self.host.clone().or_else(|| (!self.local).then(|| self.id.clone()))
    }
}

/// One model as its provider describes it; absent means the provider does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelInfo {
    /// Its name at the provider.
    pub name: String,
    /// Takes tools.
    pub tools: Option<bool>,
    /// Takes images.
    pub vision: Option<bool>,
    /// Thinks aloud.
    pub thinking: Option<bool>,
    /// Context length in tokens.
    pub context: Option<u32>,
    /// The most tokens of one answer.
    pub max_output: Option<u32>,
    /// Where requests go, `HOST` or `HOST:PORT`, when a provider on this machine only passes them on (Ollama's cloud
    /// models).
    pub elsewhere: Option<String>,
}

impl ModelInfo {
    /// A model of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Fills in from elsewhere what this does not say.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            tools: self.tools.or(other.tools),
            vision: self.vision.or(other.vision),
            thinking: self.thinking.or(other.thinking),
            context: self.context.or(other.context),
            max_output: self.max_output.or(other.max_output),
            ..self
        }
    }
}
