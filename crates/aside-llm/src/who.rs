//! Who a provider is for people and for what it is sent: by its preset, or by the person's own words.

use std::collections::BTreeMap;

use crate::{
    ModelInfo, Own,
    http::endpoint::Endpoint,
    ollama,
    preset::{Api, Preset, Quirks, USUAL},
};

/// A provider without its address and its key.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    /// `ModelRef::provider`.
    pub(crate) id: String,
    /// For people, at home.
    pub(crate) name: String,
    /// For people, at another address.
    pub(crate) name_elsewhere: String,
    /// Where the service itself is, if it is one that is known.
    pub(crate) home: Option<&'static str>,
    /// What is odd about it.
    pub(crate) quirks: Quirks,
    /// How many tokens its models are given to read as a rule, as the person says.
    pub(crate) window: Option<u32>,
    /// The model that writes down spoken words.
    pub(crate) transcription: Option<String>,
    /// What says where it is.
    address: Option<String>,
    /// Its address usually ends in `/v1`.
    ends_in_version: bool,
    /// What says its key.
    key: String,
    /// How many tokens its models can read, as the person says.
    context: BTreeMap<String, u32>,
    /// Whether its models take tools, as the person says.
    tools: Option<bool>,
}

impl Who {
    /// A service that is known.
    pub(crate) fn of(preset: &Preset) -> Self {
        let name = preset.name.to_owned();
        let is_spoken_by_others = preset.api != preset.elsewhere;
        Self {
            id: preset.id.to_owned(),
            name_elsewhere: if is_spoken_by_others { format!("{name}-compatible server") } else { name.clone() },
            name,
            home: Some(preset.home),
            quirks: preset.quirks,
            address: preset.bases.first().map(|&base| base.to_owned()),
            ends_in_version: preset.elsewhere == Api::Chat,
            key: preset.keys.join(" or "),
            context: BTreeMap::new(),
            tools: None,
            window: None,
            transcription: preset.transcription.map(str::to_owned),
        }
    }

    /// A service of the person's own. It may be any server, so that only what most understand is said.
    pub(crate) fn own(id: String, own: &Own) -> Self {
        let variable = own.key_env.as_ref().map(|name| format!("{name} or ")).unwrap_or_default();
        Self {
            name: own.name.clone(),
            name_elsewhere: own.name.clone(),
            home: None,
            quirks: USUAL,
            address: Some(format!("`base_url` of `services.{id}` in services.toml")),
            ends_in_version: false,
            key: format!("its key: {variable}`aside models key set {id}`"),
            context: own.context.clone(),
            tools: own.tools,
            window: own.window,
            transcription: own.transcription.clone(),
            id,
        }
    }

    /// The Ollama server that is always looked for.
    pub(crate) fn ollama(window: Option<u32>) -> Self {
        let [key_env, transcription] = [const { None }; 2];
        let name = "Ollama".to_owned();
        let own = Own { name, key_env, context: BTreeMap::new(), tools: None, window, transcription };
        Self::own(ollama::ID.to_owned(), &own)
    }

    /// What is known of a model, with what the person says of it.
    pub(crate) fn corrected(&self, model: ModelInfo) -> ModelInfo {
        let context = self.context.get(&model.name).copied().or(model.context);
        let tools = self.tools.or(model.tools);
        ModelInfo { context, tools, ..model }
    }

    /// Says what to do when the server does not answer as it should.
    pub(crate) fn advise(&self, endpoint: &mut Endpoint) {
        let first = if endpoint.local() { "Start the server" } else { "Check the network" };
        let address = self.address.as_deref();
        endpoint.when_unreachable =
            address.map_or_else(|| format!("{first}."), |address| format!("{first}, or check {address}."));
        endpoint.when_unauthorised = format!("Check {}.", self.key);
        let ending = if self.ends_in_version { ": it usually ends in /v1" } else { "" };
        let and = address.map(|address| format!(", and {address}{ending}")).unwrap_or_default();
        endpoint.when_not_found = format!("Check the model's name{and}.");
    }
}
