//! Services of a person's own, in their `services.toml`: any server that speaks what one of the known services speaks.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
};

use aside_core::KeySource;
use serde::Deserialize;
use toml::Spanned;

use crate::{Api, Limits, Preset, Secret, Service, http::endpoint::Endpoint, ollama};

/// Bytes of an id, and of a name.
const LONGEST_NAME: usize = 40;
/// Bytes of the name of a model.
const LONGEST_MODEL: usize = 100;
/// Tokens that a model may be given to read as a rule.
pub(crate) const WINDOWS: RangeInclusive<u32> = 2048..=1 << 20;

/// What the person says of a service of their own, beside where it is and what it speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// For people.
    pub name: String,
    /// The environment variable that may hold its key.
    pub key_env: Option<String>,
    /// How many tokens its models can read, by their names. This goes before what the server says.
    pub context: BTreeMap<String, u32>,
    /// Whether its models take tools, if the person says so. This goes before what the server says, too.
    pub tools: Option<bool>,
    /// How many tokens its models are given to read as a rule, if the person says so.
    pub window: Option<u32>,
    /// The model that writes down spoken words, if the person names one.
    pub transcription: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    services: BTreeMap<Spanned<String>, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<Spanned<String>>,
    base_url: Spanned<String>,
    api: Api,
    key_env: Option<Spanned<String>>,
    #[serde(default)]
    context: BTreeMap<String, u32>,
    tools: Option<bool>,
    window: Option<Spanned<u32>>,
    transcription: Option<Spanned<String>>,
}

/// Where in the text something is wrong, and what.
type Mistake = (Range<usize>, String);

impl Service {
    /// Reads the text of a `services.toml`; `variable` looks a key up in the environment. The error says in which line
    /// something is wrong and what; of a wrong syntax without any words of the file, in which a key may stand.
    pub fn own(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Vec<Self>, String> {
        let file: Result<File, Mistake> =
            toml::from_str(text).map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()));
        let services =
            file.and_then(|file| file.services.into_iter().map(|(id, entry)| entry.read(id, &variable)).collect());
        services.map_err(|(place, detail): Mistake| {
            let before = text.get(..place.start).unwrap_or_default();
            format!("line {}: {detail}", before.matches('\n').count() + 1)
        })
    }
}

impl Entry {
    fn read(self, id: Spanned<String>, variable: impl Fn(&str) -> Option<String>) -> Result<Service, Mistake> {
        sound_id(id.get_ref()).map_err(|detail| (id.span(), detail))?;
        let Self { name, base_url, api, key_env, context, tools, window, transcription } = self;
        Endpoint::parse(base_url.get_ref(), Limits::default())
            .map_err(|detail| (base_url.span(), format!("`base_url`: {detail}")))?;
        if let Some(name) = name.as_ref().filter(|name| !is_sound_name(name.get_ref())) {
            return Err((name.span(), format!("`name` must have 1 to {LONGEST_NAME} visible characters")));
        }
        if let Some(name) = key_env.as_ref().filter(|name| !is_variable(name.get_ref())) {
            return Err((name.span(), "`key_env` must be the name of a variable, not a key".to_owned()));
        }
        if let Some(window) = window.as_ref().filter(|window| !WINDOWS.contains(window.get_ref())) {
            let (least, most) = (WINDOWS.start(), WINDOWS.end());
            return Err((window.span(), format!("`window` must be {least} to {most} tokens")));
        }
        if let Some(model) = transcription.as_ref().filter(|model| !is_sound_model(model.get_ref())) {
            return Err((model.span(), format!("`transcription` must have 1 to {LONGEST_MODEL} visible characters")));
        }
        let window = window.map(Spanned::into_inner);
        let transcription = transcription.map(Spanned::into_inner);
        let id = id.into_inner();
        let name = name.map_or_else(|| id.clone(), Spanned::into_inner);
        let key_env = key_env.map(Spanned::into_inner);
        let key = key_env.as_deref().and_then(variable).and_then(Secret::new);
        let key_source = if key.is_some() { KeySource::Environment } else { KeySource::None };
        let own = Some(Own { name, key_env, context, tools, window, transcription });
        Ok(Service { id, key, key_source, base_url: Some(base_url.into_inner()), api: Some(api), own })
    }
}

fn sound_id(id: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if id.is_empty() || id.len() > LONGEST_NAME || !id.bytes().all(plain) {
        return Err(format!("the name of a service has 1 to {LONGEST_NAME} lowercase letters, digits and `-`"));
    }
    // The rehearsal of the sample workspace is a provider too.
    match Preset::of(id).is_some() || [ollama::ID, "rehearsal"].contains(&id) {
        true => Err(format!("`{id}` is built in; choose another name, such as `{id}-2`")),
        false => Ok(()),
    }
}

fn is_sound_name(name: &str) -> bool {
    !name.trim().is_empty() && name.len() <= LONGEST_NAME && aside_core::harmless(name) == name
}

fn is_sound_model(name: &str) -> bool {
    !name.trim().is_empty() && name.len() <= LONGEST_MODEL && aside_core::harmless(name) == name
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with(|char: char| char.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Service>, String> {
        Service::own(text, |name| (name == "LAB_KEY").then(|| "of-the-lab".to_owned()))
    }

    #[test]
    fn services_are_read() {
        let text = "[services.lab]\nname = \"Lab vLLM\"\nbase_url = \"http://10.0.0.5:8000/v1\"\napi = \"chat\"\n\
                    key_env = \"LAB_KEY\"\ncontext = { \"qwen3:32b\" = 40960 }\ntools = false\nwindow = 65536\ntranscription = \"whisper-1\"\n\n\
                    [services.ollama-2]\nbase_url = \"http://10.0.0.6:11434\"\napi = \"ollama\"\n";
        let services = read(text).unwrap();
        let [lab, second] = &services[..] else { panic!("{services:?}") };
        let own = lab.own.as_ref().unwrap();
        assert_eq!((&*lab.id, &*own.name, own.context["qwen3:32b"]), ("lab", "Lab vLLM", 40_960));
        assert_eq!((own.window, second.own.as_ref().unwrap().window), (Some(65_536), None));
        assert_eq!(own.transcription.as_deref(), Some("whisper-1"));
        assert_eq!((own.tools, second.own.as_ref().unwrap().tools), (Some(false), None));
        assert_eq!((lab.key.clone(), lab.key_source), (Secret::new("of-the-lab"), KeySource::Environment));
        assert_eq!(
            (&*second.own.as_ref().unwrap().name, second.api, &second.key),
            ("ollama-2", Some(Api::Ollama), &None)
        );
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn mistakes_are_said_with_their_line() {
        let mistake = |text: &str, line: &str, expected: &str| {
            let said = read(text).unwrap_err();
            assert!(said.starts_with(&format!("line {line}: ")) && said.contains(expected), "{said}");
            assert!(!said.contains("canary"), "{said}");
        };
        let with =
            |id: &str, rest: &str| format!("\n[services.{id}]\nbase_url = \"http://a\"\napi = \"chat\"\n{rest}\n");
        mistake(&with("Lab", ""), "2", "lowercase");
        mistake(&with("\"a/b\"", ""), "2", "lowercase");
        for id in ["openai", "ollama", "rehearsal"] {
            mistake(&with(id, ""), "2", "built in");
        }
        mistake(&with("lab", "key = \"sk-canary\""), "5", "`key`");
        mistake(&with("lab", "key_env = \"sk-canary\""), "5", "not a key");
        mistake(&with("lab", "name = \"a\\u001b[2J\""), "5", "visible");
        mistake(&with("lab", "context = { m = -1 }"), "5", "");
        mistake(&with("lab", "window = 100"), "5", "2048");
        mistake("[services.lab]\napi = \"grpc\"\nbase_url = \"http://a\"\n", "2", "`ollama`");
        mistake("[services.lab]\napi = \"chat\"\nbase_url = \"10.0.0.5:8000\"\n", "3", "`base_url`");
        mistake("[services.lab]\napi = \"chat\"\n", "1", "base_url");
        mistake("[services.lab\n", "1", "");
    }
}
