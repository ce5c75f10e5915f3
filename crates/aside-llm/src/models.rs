//! Which providers there are, and which of their models can be used.

use std::sync::{Arc, Mutex, PoisonError};

use aside_core::ModelRef;
use futures_util::future::join_all;

use crate::{Environment, ModelInfo, Provider, ProviderError, ProviderInfo, ScriptedProvider};

/// The providers of this process.
pub struct Models {
    known: Vec<Known>,
}

/// One provider as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderStatus {
    /// Who it is.
    pub info: ProviderInfo,
    /// Why it can't be used, with what to do; absent if it can.
    pub problem: Option<String>,
    /// Its models, as far as they were asked for.
    pub models: Vec<ModelInfo>,
}

struct Known {
    info: ProviderInfo,
    provider: Result<Arc<dyn Provider>, ProviderError>,
    models: Mutex<Vec<ModelInfo>>,
}

impl Models {
    /// Sets up the providers that the environment names. Contacts nobody, so that it never delays a start.
    pub fn discover(environment: Environment) -> Self {
        let rehearsal = environment.rehearsal.map(|script| Arc::new(ScriptedProvider::new(script)) as _);
        Self::of(rehearsal)
    }

    /// The given providers and no others.
    pub fn of(providers: impl IntoIterator<Item = Arc<dyn Provider>>) -> Self {
        Self { known: providers.into_iter().map(Known::usable).collect() }
    }

    /// Returns every provider with its models.
    ///
    /// Asks those on this machine, all at once and not for long. One elsewhere is never contacted here: its models
    /// are those of the last [`Models::fetch`].
    pub async fn status(&self) -> Vec<ProviderStatus> {
        join_all(self.known.iter().map(Known::status)).await
    }

    /// Asks one provider, wherever it is, for its models, and remembers them. For when a person asks for the list.
    pub async fn fetch(&self, provider: &str) -> Result<Vec<ModelInfo>, ProviderError> {
        self.known(provider)?.fetch().await
    }

    /// Returns the provider that runs a model; whether it knows that model shows when it is called.
    pub fn provider(&self, model: &ModelRef) -> Result<Arc<dyn Provider>, ProviderError> {
        self.known(&model.provider)?.provider.clone()
    }

    fn known(&self, id: &str) -> Result<&Known, ProviderError> {
        self.known.iter().find(|known| known.info.id == id).ok_or_else(|| ProviderError::NotConfigured {
            id: id.chars().take(60).collect(),
            hint: "Choose a model of ollama, openai or anthropic.".to_owned(),
        })
    }
}

/// Returns the model to use until a person chooses: of the providers in their order the first model that takes tools,
/// else the first of all. One that sends the conversation elsewhere without saying so is left for a person to choose.
pub fn first_usable(statuses: &[ProviderStatus]) -> Option<ModelRef> {
    let usable = || {
        statuses.iter().filter(|status| status.problem.is_none()).flat_map(|status| {
            let named = |model: &ModelInfo| ModelRef { provider: status.info.id.clone(), name: model.name.clone() };
            status.models.iter().filter(|model| !model.elsewhere).map(move |model| (named(model), model.tools))
        })
    };
    let with_tools = usable().find(|(_, tools)| *tools != Some(false));
    with_tools.or_else(|| usable().next()).map(|(model, _)| model)
}

impl Known {
    fn usable(provider: Arc<dyn Provider>) -> Self {
        Self { info: provider.info(), provider: Ok(provider), models: Mutex::default() }
    }

    async fn fetch(&self) -> Result<Vec<ModelInfo>, ProviderError> {
        let models = self.provider.clone()?.models().await?;
        self.remembered().clone_from(&models);
        Ok(models)
    }

    async fn status(&self) -> ProviderStatus {
        let problem = match &self.provider {
            Ok(_) if self.info.local => self.fetch().await.err(),
            Ok(_) => None,
            Err(error) => Some(error.clone()),
        };
        let problem = problem.map(|error| match error.hint() {
            Some(hint) => format!("{error}. {hint}"),
            None => error.to_string(),
        });
        ProviderStatus { info: self.info.clone(), problem, models: self.remembered().clone() }
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, Vec<ModelInfo>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
