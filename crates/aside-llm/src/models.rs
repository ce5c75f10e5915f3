//! Which providers there are, and which of their models can be used.

use std::sync::{Arc, PoisonError, RwLock};

use aside_core::{Consent, KeySource, ModelRef, Secrets};
use aside_macros::boxed;
use aside_prices::Prices;
use futures_util::future::join_all;

use crate::{
    Environment, ModelInfo, Permits, Provider, ProviderError, ProviderInfo, ScriptedProvider, Service,
    anthropic::Messages,
    chat::Chat,
    gemini::Gemini,
    guarded::Guarded,
    hosted::{Door, Hosted},
    known::Beforehand,
    listing::Listing,
    ollama::{self, Ollama},
    preset::{Api, PRESETS, Preset},
    responses::Responses,
    who::Who,
    wire::Wire,
};

/// The providers of this process.
pub struct Models {
    known: RwLock<Vec<Arc<Known>>>,
    /// Of all services.
    secrets: RwLock<Arc<Secrets>>,
    permits: Permits,
    beforehand: Beforehand,
}

/// One provider as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderStatus {
    /// Who it is.
    pub info: ProviderInfo,
    /// Where its key is from.
    pub key: KeySource,
    /// It is one of those that a key can be set for.
    pub takes_key: bool,
    /// Why it can't be used, with what to do; absent if it can.
    pub problem: Option<String>,
    /// Something is set for it; else it is only named, as one that could be.
    pub set_up: bool,
    /// It was asked for its models, if only before this start.
    pub asked: bool,
    /// Why one elsewhere gave none when it was asked last, with what to do.
    pub list_problem: Option<String>,
    /// Its models, as it named them last.
    pub models: Vec<ModelInfo>,
}

struct Known {
    info: ProviderInfo,
    /// What it was set up from; none for one that is always there.
    service: Option<Service>,
    key: KeySource,
    provider: Result<Arc<dyn Provider>, ProviderError>,
    listing: Arc<Listing>,
}

impl Models {
    /// Sets up the providers that the environment names. Contacts nobody, so that it never delays a start.
    pub fn discover(environment: Environment) -> Self {
        let beforehand = Beforehand::default();
        let known = Known::discover(&environment, &beforehand);
        Self { beforehand, ..Self::all(known, environment.secrets()) }
    }

    /// Says by which lists of prices models are known beforehand, from now on; a second word changes nothing. Until then, it
    /// is the one that comes with Aside.
    pub fn known_by(&self, prices: impl Fn() -> Arc<Prices> + Send + Sync + 'static) {
        self.beforehand.by(prices);
    }

    /// Says who is asked before anything goes to another machine; until then, nothing does.
    #[must_use]
    pub fn permitted_by(self, permits: Permits) -> Self {
        Self { permits, ..self }
    }

    /// What the person said of other machines.
    pub fn permits(&self) -> &Permits {
        &self.permits
    }

    /// Says what else is left out of the words of services, from the next call on: any of them may quote what it was sent.
    pub fn keep_out(&self, more: Secrets) {
        let mut secrets = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut secrets).add(more);
    }

    /// Sets up again what the environment now says otherwise; calls under way go on as they began.
    pub fn renew(&self, environment: &Environment) {
        // What was a key may still be one.
        self.keep_out(environment.secrets());
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *known);
        let same =
            |new: &Known| before.iter().find(|old| old.info.id == new.info.id && old.service == new.service).cloned();
        *known = Known::discover(environment, &self.beforehand)
            .into_iter()
            .map(|new| same(&new).unwrap_or_else(|| Arc::new(new)))
            .collect();
    }

    fn all(known: impl IntoIterator<Item = Known>, secrets: Secrets) -> Self {
        let known = known.into_iter().map(Arc::new).collect();
        let (known, secrets) = (RwLock::new(known), RwLock::new(Arc::new(secrets)));
        Self { known, secrets, permits: Permits::default(), beforehand: Beforehand::default() }
    }

    /// The given providers and no others.
    pub fn of(providers: impl IntoIterator<Item = Arc<dyn Provider>>) -> Self {
        Self::all(providers.into_iter().map(Known::usable), Secrets::default())
    }

    /// Returns every provider with its models.
    ///
    /// Asks those on this machine, all at once and not for long. One elsewhere is never contacted here: its models
    /// are those of the last [`Models::fetch`], or of the first description of one since the start.
    #[boxed]
    pub async fn status(&self) -> Vec<ProviderStatus> {
        let said = self.permits.said();
        let local_only = said.as_ref().is_ok_and(|said| said.local_only);
        let known = self.list();
        join_all(known.iter().map(|known| known.status(self.guarded(known), local_only))).await
    }

    /// Asks one provider, wherever it is, for its models, and remembers them. For when a person asks for the list.
    #[boxed]
    pub async fn fetch(&self, provider: &str) -> Result<Vec<ModelInfo>, ProviderError> {
        let known = self.known(provider)?;
        known.listing.toolless.forget();
        known.listing.fetch(&self.guarded(&known)?).await
    }

    /// Returns the provider that runs a model; whether it knows that model shows when it is called.
    pub fn provider(&self, model: &ModelRef) -> Result<Arc<dyn Provider>, ProviderError> {
        let known = self.known(&model.provider)?;
        Ok(Arc::new(self.guarded(&known)?))
    }

    /// Returns the model that writes down spoken words, with its provider: one on this machine before one elsewhere, and of
    /// those one that content may go to.
    pub fn transcriber(&self) -> Option<(ModelRef, Arc<dyn Provider>)> {
        let said = self.permits.said().unwrap_or_default();
        let known = self.list();
        let usable = known.iter().filter_map(|known| {
            let provider = self.guarded(known).ok()?;
            let name = provider.transcriber()?;
            Some((ModelRef { provider: known.info.id.clone(), name }, provider))
        });
        let rank = |(model, provider): &(ModelRef, Guarded)| match said
            .consent(&model.provider, provider.info().elsewhere().as_deref())
        {
            Consent::NotNeeded => 0,
            Consent::Given => 1,
            Consent::Needed => 2,
        };
        let (model, provider) = usable.min_by_key(rank)?;
        Some((model, Arc::new(provider)))
    }

    fn guarded(&self, known: &Known) -> Result<Guarded, ProviderError> {
        let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Guarded::new(known.provider.clone()?, self.permits.clone(), secrets, known.listing.clone()))
    }

    fn list(&self) -> Vec<Arc<Known>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn known(&self, id: &str) -> Result<Arc<Known>, ProviderError> {
        self.list().into_iter().find(|known| known.info.id == id).ok_or_else(|| ProviderError::NotConfigured {
            id: id.chars().take(60).collect(),
            hint: match Preset::of(id) {
                Some(preset) => {
                    format!("Set {}.", preset.keys.iter().chain(preset.bases).copied().collect::<Vec<_>>().join(" or "))
                }
                None => "Choose a model of ollama, openai, anthropic or gemini.".to_owned(),
            },
        })
    }
}

/// Returns the model to use until a person chooses: of the providers in their order the first model that takes tools,
/// else the first of all. One that sends the conversation elsewhere without saying so is left for a person to choose.
pub fn first_usable(statuses: &[ProviderStatus]) -> Option<ModelRef> {
    let usable = || {
        statuses.iter().filter(|status| status.problem.is_none()).flat_map(|status| {
            let named = |model: &ModelInfo| ModelRef { provider: status.info.id.clone(), name: model.name.clone() };
            status.models.iter().filter(|model| model.elsewhere.is_none()).map(move |model| (named(model), model.tools))
        })
    };
    let with_tools = usable().find(|(_, tools)| *tools != Some(false));
    with_tools.or_else(|| usable().next()).map(|(model, _)| model)
}

impl Known {
    fn discover(environment: &Environment, beforehand: &Beforehand) -> Vec<Self> {
        let ollama = environment.ollama_host.as_deref().map(|host| Self::ollama(host, environment));
        let rehearsal =
            environment.rehearsal.clone().map(|script| Self::usable(Arc::new(ScriptedProvider::new(script))));
        let services = PRESETS.iter().filter_map(|preset| Self::service(preset, environment, beforehand));
        let own = environment.services.iter().filter_map(|service| Self::own(service, environment, beforehand));
        let problem = environment.own_problem.as_deref().map(Self::damaged);
        let all = ollama.into_iter().chain(services).chain(own).chain(problem).chain(rehearsal);
        all.map(|known| Self { listing: Arc::new(Listing::new(&known.info, environment.lists.as_ref())), ..known })
            .collect()
    }

    fn usable(provider: Arc<dyn Provider>) -> Self {
        Self::named(provider.info(), Ok(provider))
    }

    fn named(info: ProviderInfo, provider: Result<Arc<dyn Provider>, ProviderError>) -> Self {
        let listing = Arc::new(Listing::new(&info, None));
        Self { info, service: None, key: KeySource::None, provider, listing }
    }

    fn ollama(host: &str, environment: &Environment) -> Self {
        let (window, limits) = (environment.ollama_window, environment.limits);
        let hint = "Set OLLAMA_HOST to the address of Ollama, such as 127.0.0.1:11434.";
        Self::configured(ollama::ID, "Ollama", Ollama::new(host, window, limits), hint)
    }

    /// A service that is set up, or one of those that are always shown.
    fn service(preset: &'static Preset, environment: &Environment, beforehand: &Beforehand) -> Option<Self> {
        let Some(service) = environment.services.iter().find(|service| service.id == preset.id) else {
            return preset.suggestion.map(|hint| Self::missing(preset.id, preset.name, hint));
        };
        let api = service.speaks(preset);
        let base = service.base_url.as_deref().unwrap_or(preset.home);
        let hint = format!("Check {}.", [preset.bases, preset.keys].concat().join(" and "));
        Some(Self::set_up(
            Who::of(preset),
            service,
            Door { base, api, key: service.key.clone(), limits: environment.limits, beforehand },
            &hint,
        ))
    }

    /// A service of the person's own; none if it is one of a preset.
    fn own(service: &Service, environment: &Environment, beforehand: &Beforehand) -> Option<Self> {
        let who = Who::own(service.id.clone(), service.own.as_ref()?);
        let (base, api) = (service.base_url.as_deref()?, service.api?);
        let hint = format!("Check `services.{}` in services.toml and its key.", service.id);
        let door = Door { base, api, key: service.key.clone(), limits: environment.limits, beforehand };
        Some(Self::set_up(who, service, door, &hint))
    }

    /// Stands for all services of the person's own while their file can't be used.
    fn damaged(problem: &str) -> Self {
        let [id, detail] = ["services.toml", problem].map(str::to_owned);
        let hint = "Fix that line or move the file away. Until then, your own services are not available.".to_owned();
        Self::unusable("services.toml", "Your own services", ProviderError::Misconfigured { id, detail, hint })
    }

    fn set_up(who: Who, service: &Service, door: Door<'_>, hint: &str) -> Self {
        let known = match door.api {
            Api::Chat => Self::hosted::<Chat>(who, door, hint),
            Api::Responses => Self::hosted::<Responses>(who, door, hint),
            Api::Messages => Self::hosted::<Messages>(who, door, hint),
            Api::Gemini => Self::hosted::<Gemini>(who, door, hint),
            Api::Ollama => {
                let (id, name) = (who.id.clone(), who.name.clone());
                Self::configured(&id, &name, Ollama::own(who, door), hint)
            }
        };
        Self { key: service.key_source, service: Some(service.clone()), ..known }
    }

    fn hosted<W: Wire>(who: Who, door: Door<'_>, hint: &str) -> Self {
        let (id, name) = (who.id.clone(), who.name.clone());
        Self::configured(&id, &name, Hosted::<W>::new(who, door), hint)
    }

    fn configured<P: Provider + 'static>(id: &str, name: &str, provider: Result<P, String>, hint: &str) -> Self {
        match provider {
            Ok(provider) => Self::usable(Arc::new(provider)),
            Err(detail) => {
                let [id, hint] = [id, hint].map(str::to_owned);
                Self::unusable(&id.clone(), name, ProviderError::Misconfigured { id, detail, hint })
            }
        }
    }

    fn missing(id: &str, name: &str, hint: &str) -> Self {
        Self::unusable(id, name, ProviderError::NotConfigured { id: id.to_owned(), hint: hint.to_owned() })
    }

    fn unusable(id: &str, name: &str, error: ProviderError) -> Self {
        let info = ProviderInfo {
            id: id.to_owned(),
            name: name.to_owned(),
            local: false,
            endpoint: None,
            host: None,
            pulls: false,
        };
        Self::named(info, Err(error))
    }

    async fn status(&self, guarded: Result<Guarded, ProviderError>, local_only: bool) -> ProviderStatus {
        let problem = match &guarded {
            Ok(provider) if self.info.local => self.listing.fetch(provider).await.err(),
            Ok(_) if local_only => self.info.elsewhere().map(|host| ProviderError::LocalOnly { host }),
            Ok(_) => None,
            Err(error) => Some(error.clone()),
        };
        let listed = self.listing.listed();
        let is_own = self.service.as_ref().is_some_and(|service| service.own.is_some());
        let takes_key = is_own || Preset::of(&self.info.id).is_some();
        ProviderStatus {
            info: self.info.clone(),
            key: self.key,
            takes_key,
            problem: problem.as_ref().map(in_words),
            set_up: !matches!(self.provider, Err(ProviderError::NotConfigured { .. })),
            asked: listed.models.is_some() || listed.problem.is_some(),
            list_problem: listed.problem.as_ref().filter(|_| !self.info.local).map(in_words),
            models: listed.models.into_iter().flatten().map(|model| self.listing.toolless.corrected(model)).collect(),
        }
    }
}

/// What went wrong, and what to do.
fn in_words(error: &ProviderError) -> String {
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}. {hint}"))
}
