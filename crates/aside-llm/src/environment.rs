//! What the surroundings say about model providers.

use std::{env, sync::Arc};

use aside_core::{KeySource, Secrets};
use reqwest::Url;

use crate::{
    Limits, ModelLists, Own, Script, Secret,
    own::WINDOWS,
    preset::{Api, PRESETS, Preset},
};

/// Where Ollama listens unless it is told otherwise.
const OLLAMA_DEFAULT: &str = "127.0.0.1:11434";
/// Says what an OpenAI-compatible server speaks: `chat` or `responses`.
const OPENAI_API: &str = "ASIDE_OPENAI_API";

/// Where to look for models, and with which keys. The default looks nowhere.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Where Ollama is, in any spelling of `OLLAMA_HOST`; not looked for if absent.
    pub ollama_host: Option<String>,
    /// How many tokens its models are given to read as a rule, if that is said (`OLLAMA_CONTEXT_LENGTH`).
    pub ollama_window: Option<u32>,
    /// The services for which there is a key or an address, in any order.
    pub services: Vec<Service>,
    /// Why the person's own services are not among them, if something is wrong with their file.
    pub own_problem: Option<String>,
    /// What the rehearsal plays; no rehearsal if absent.
    pub rehearsal: Option<Script>,
    /// How long and how much to take from a server.
    pub limits: Limits,
    /// Where the lists of services elsewhere are kept; nowhere if absent.
    pub lists: Option<Arc<dyn ModelLists>>,
}

/// A service of a [`Preset`], or of a person's own, that is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// [`Preset::id`], or the person's own.
    pub id: String,
    /// Its key; some servers need none.
    pub key: Option<Secret>,
    /// Where the key is from.
    pub key_source: KeySource,
    /// Where it is, if not at home.
    pub base_url: Option<String>,
    /// What it speaks, if not what the preset says.
    pub api: Option<Api>,
    /// What the person says of it, if it is their own.
    pub own: Option<Own>,
}

impl Environment {
    /// Reads the process's environment variables. The rehearsal is not among them.
    pub fn from_process() -> Self {
        let read = |name: &str| env::var(name).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Self {
            ollama_host: Some(read("OLLAMA_HOST").unwrap_or_else(|| OLLAMA_DEFAULT.to_owned())),
            ollama_window: read("OLLAMA_CONTEXT_LENGTH")
                .and_then(|tokens| tokens.parse().ok())
                .filter(|tokens| WINDOWS.contains(tokens)),
            services: PRESETS.iter().filter_map(|preset| Service::read(preset, read)).collect(),
            own_problem: None,
            rehearsal: None,
            limits: Limits::default(),
            lists: None,
        }
    }

    /// Every key, and every password in an address: what services say is told without them, whoever says it.
    pub(crate) fn secrets(&self) -> Secrets {
        let keys = self.services.iter().filter_map(|service| Some(service.key.as_ref()?.expose().to_owned()));
        let bases = self.services.iter().filter_map(|service| service.base_url.as_deref());
        Secrets::new(keys.chain(bases.chain(self.ollama_host.as_deref()).filter_map(password)))
    }
}

/// The names of the variables that hold a key of a model service, or an address with a password in it. `read` looks one up.
pub fn key_variables(read: impl Fn(&str) -> Option<String>) -> impl Iterator<Item = &'static str> {
    let bases = PRESETS.iter().flat_map(|preset| preset.bases.iter().copied()).chain(["OLLAMA_HOST"]);
    let with_password = bases.filter(move |name| read(name).as_deref().and_then(password).is_some());
    PRESETS.iter().flat_map(|preset| preset.keys.iter().copied()).chain(with_password)
}

/// The password in an address, with or without its scheme.
fn password(address: &str) -> Option<String> {
    let has = |url: Url| url.password().map(str::to_owned);
    Url::parse(address).ok().and_then(has).or_else(|| Url::parse(&format!("http://{address}")).ok().and_then(has))
}

impl Service {
    /// A service by its preset's id, with a key of the environment.
    pub fn new(id: &str, base_url: Option<String>, key: Option<Secret>) -> Self {
        let key_source = if key.is_some() { KeySource::Environment } else { KeySource::None };
        Self { id: id.to_owned(), key, key_source, base_url, api: None, own: None }
    }

    /// Returns what is set of a service; `None` if nothing is.
    fn read(preset: &Preset, read: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let first = |names: &[&str]| names.iter().find_map(|name| read(name));
        let (base_url, key) = (first(preset.bases), first(preset.keys).and_then(Secret::new));
        if base_url.is_none() && key.is_none() {
            return None;
        }
        let api = (preset.id == "openai").then(|| read(OPENAI_API)).flatten();
        let api = match api.as_deref() {
            Some("chat") => Some(Api::Chat),
            Some("responses") => Some(Api::Responses),
            _ => None,
        };
        Some(Self { api, ..Self::new(preset.id, base_url, key) })
    }

    /// What it speaks.
    pub(crate) fn speaks(&self, preset: &Preset) -> Api {
        let usual = if self.base_url.is_some() { preset.elsewhere } else { preset.api };
        self.api.unwrap_or(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(id: &str, variables: &[(&str, &str)]) -> Option<(Api, Option<String>)> {
        let preset = Preset::of(id).unwrap();
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Service::read(preset, value).map(|service| (service.speaks(preset), service.base_url))
    }

    #[test]
    fn a_key_or_an_address_sets_a_service_up() {
        assert_eq!(read("openai", &[]), None);
        assert_eq!(read("openai", &[("OPENAI_API_KEY", "k")]), Some((Api::Responses, None)));
        assert_eq!(read("gemini", &[("GOOGLE_API_KEY", "k")]), Some((Api::Gemini, None)));
        let vllm = Some((Api::Chat, Some("http://127.0.0.1:9/v1".to_owned())));
        assert_eq!(read("vllm", &[("VLLM_BASE_URL", "http://127.0.0.1:9/v1")]), vllm);
    }

    #[test]
    fn passwords_are_found_in_addresses_of_any_spelling() {
        for address in ["https://user:pass-canary@models.example/v1", "user:pass-canary@10.0.0.2:11434"] {
            assert_eq!(password(address).as_deref(), Some("pass-canary"), "{address}");
        }
        assert_eq!((password("127.0.0.1:11434"), password("https://models.example")), (None, None));
    }

    #[test]
    fn what_holds_a_key_is_named_and_an_address_only_with_a_password() {
        let value = |name: &str| match name {
            "OLLAMA_HOST" => Some("127.0.0.1:11434".to_owned()),
            "OPENAI_BASE_URL" => Some("https://me:secret@models.example/v1".to_owned()),
            _ => None,
        };
        let names: Vec<_> = key_variables(value).collect();
        for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "LM_API_TOKEN", "OPENAI_BASE_URL"] {
            assert!(names.contains(&name), "{name}");
        }
        assert!(!names.contains(&"OLLAMA_HOST") && !names.contains(&"VLLM_BASE_URL"));
    }

    #[test]
    fn a_compatible_server_speaks_chat_unless_it_is_said() {
        let base = ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
        let found = Some("http://127.0.0.1:9/v1".to_owned());
        assert_eq!(read("openai", &[base]), Some((Api::Chat, found.clone())));
        assert_eq!(read("openai", &[base, (OPENAI_API, "responses")]), Some((Api::Responses, found)));
        assert_eq!(read("openai", &[("OPENAI_API_KEY", "k"), (OPENAI_API, "chat")]), Some((Api::Chat, None)));
    }
}
