//! What one provider said of its models: the list that it gave last, kept from one start to the next if it is elsewhere,
//! and which of them refused tools.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Mutex as AsyncMutex;

use crate::{ModelInfo, Provider, ProviderError, ProviderInfo, toolless::Toolless};

/// Where lists of services elsewhere are kept, which are not asked without a reason.
pub trait ModelLists: fmt::Debug + Send + Sync {
    /// The models that a service at a host named when it was asked last.
    fn kept(&self, service: &str, host: &str) -> Option<Vec<ModelInfo>>;

    /// Keeps them, in place of those before.
    fn keep(&self, service: &str, host: &str, models: &[ModelInfo]);
}

/// What a provider said, and where it is kept.
pub(crate) struct Listing {
    pub(crate) toolless: Toolless,
    listed: Mutex<Listed>,
    /// Held while it is asked by the way.
    learning: AsyncMutex<()>,
    /// Where it is kept, under which service and host; nowhere for one on this machine.
    place: Option<(Arc<dyn ModelLists>, String, String)>,
}

/// What was said when it was asked for its models.
#[derive(Clone, Default)]
pub(crate) struct Listed {
    /// None if it never named any.
    pub(crate) models: Option<Vec<ModelInfo>>,
    /// Why it did not, the last time.
    pub(crate) problem: Option<ProviderError>,
    /// It was asked since the start, and not only before.
    since_start: bool,
}

impl Listing {
    /// The list of a provider, as it was kept if it is elsewhere.
    pub(crate) fn new(info: &ProviderInfo, lists: Option<&Arc<dyn ModelLists>>) -> Self {
        let place = lists.zip(info.elsewhere()).map(|(lists, host)| (lists.clone(), info.id.clone(), host));
        let models = place.as_ref().and_then(|(lists, service, host)| lists.kept(service, host));
        let listed = Mutex::new(Listed { models, ..Listed::default() });
        Self { toolless: Toolless::default(), listed, learning: AsyncMutex::default(), place }
    }

    /// Asks for the models, and keeps what is named.
    pub(crate) async fn fetch(&self, provider: &dyn Provider) -> Result<Vec<ModelInfo>, ProviderError> {
        let answer = provider.models().await;
        let mut listed = self.lock();
        listed.problem = answer.as_ref().err().cloned();
        listed.since_start = true;
        if let Ok(models) = &answer {
            let is_new = listed.models.as_ref() != Some(models);
            listed.models = Some(models.clone());
            drop(listed);
            if let Some((lists, service, host)) = self.place.as_ref().filter(|_| is_new) {
                lists.keep(service, host, models);
            }
        }
        answer
    }

    /// Asks for the models unless that was done since the start; again only who was not there.
    pub(crate) async fn learn(&self, provider: &dyn Provider) {
        let _one = self.learning.lock().await;
        let listed = self.listed();
        let was_away = matches!(listed.problem, Some(ProviderError::Unreachable { .. } | ProviderError::Silent { .. }));
        if !listed.since_start || was_away {
            // Whoever called goes on with what is known: why there is no list is said beside the service.
            let _ = self.fetch(provider).await;
        }
    }

    /// What is known of a model, with what the list says of it beside that, and what it refused.
    pub(crate) fn corrected(&self, model: ModelInfo) -> ModelInfo {
        let listed = self.lock().models.iter().flatten().find(|listed| listed.name == model.name).cloned();
        self.toolless.corrected(match listed {
            Some(listed) => model.or(listed),
            None => model,
        })
    }

    /// What it said last.
    pub(crate) fn listed(&self) -> Listed {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
