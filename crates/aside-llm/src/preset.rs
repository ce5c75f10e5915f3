//! The services that are known by name: where they are, which variables hold their keys, what is odd about them.

use serde::Deserialize;

/// A service as data.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// `ModelRef::provider`.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Its base URL; on this machine for servers that people run themselves.
    pub home: &'static str,
    /// The environment variables that may hold its key; the first that is set counts.
    pub keys: &'static [&'static str],
    /// The environment variables that may hold another base URL.
    pub bases: &'static [&'static str],
    /// What it speaks at home.
    pub api: Api,
    /// What is spoken at another base URL, unless it is said.
    pub elsewhere: Api,
    /// What to set when it is not set up, as one of the services that are always shown; others are shown when they are.
    pub suggestion: Option<&'static str>,
    /// The model that writes down spoken words, as OpenAI's does.
    pub transcription: Option<&'static str>,
    /// What is odd about it.
    pub quirks: Quirks,
}

/// A wire format that several services speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    #[serde(rename = "anthropic")]
    Messages,
    /// Gemini's `streamGenerateContent`.
    Gemini,
    /// Ollama's own chat.
    Ollama,
}

/// The habits of a service where they matter to what it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Quirks {
    /// Chat: the name of the most output tokens.
    pub output_limit: &'static str,
    /// Chat: it has to be asked for usage, and knows how; others tell it anyway and refuse the question.
    pub asks_for_usage: bool,
    /// Chat: ids of tool calls are nine letters and digits.
    pub short_ids: bool,
    /// Chat: how it is told which conversation a request belongs to.
    pub conversation: Affinity,
    /// Chat: caches for Anthropic's models what it is asked to, and passes on the question.
    pub cache_control: bool,
    /// Chat: how much to think is said in an object, not in a word.
    pub reasoning_object: bool,
    /// Chat: where its own lists of models are, the newest first, which say more than that of the wire.
    pub lists: &'static [&'static str],
}

/// How a server of chat completions is told which conversation a request belongs to, so that it finds what it cached of
/// it. Others refuse what they don't know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// Not at all.
    None,
    /// In `prompt_cache_key`, by the service itself and not by what speaks like it.
    Key,
    /// In a header.
    Header(&'static str),
}

/// What most servers of chat completions understand.
pub(crate) const USUAL: Quirks = Quirks {
    output_limit: "max_tokens",
    asks_for_usage: true,
    short_ids: false,
    conversation: Affinity::None,
    cache_control: false,
    reasoning_object: false,
    lists: &[],
};
/// What OpenAI and some others call it since there is reasoning.
const COMPLETION: Quirks = Quirks { output_limit: "max_completion_tokens", ..USUAL };

/// A service that speaks chat completions.
const fn chat(id: &'static str, name: &'static str, home: &'static str, keys: &'static [&'static str]) -> Preset {
    let [api, elsewhere] = [Api::Chat; 2];
    Preset { id, name, home, keys, bases: &[], api, elsewhere, suggestion: None, transcription: None, quirks: USUAL }
}

impl Preset {
    const fn bases(self, bases: &'static [&'static str]) -> Self {
        Self { bases, ..self }
    }

    const fn quirks(self, quirks: Quirks) -> Self {
        Self { quirks, ..self }
    }

    const fn speaking(self, api: Api, elsewhere: Api) -> Self {
        Self { api, elsewhere, ..self }
    }

    const fn transcribing(self, model: &'static str) -> Self {
        Self { transcription: Some(model), ..self }
    }

    const fn suggested(self, suggestion: &'static str) -> Self {
        Self { suggestion: Some(suggestion), ..self }
    }

    /// Returns the service with an id.
    pub fn of(id: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.id == id)
    }
}

/// Every service that is known, in the order in which they are shown.
pub const PRESETS: &[Preset] = &[
    chat("openai", "OpenAI", "https://api.openai.com/v1", &["OPENAI_API_KEY"])
        .bases(&["OPENAI_BASE_URL"])
        .speaking(Api::Responses, Api::Chat)
        .quirks(Quirks { conversation: Affinity::Key, ..COMPLETION })
        .transcribing("whisper-1")
        .suggested("Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key."),
    chat("anthropic", "Anthropic", "https://api.anthropic.com", &["ANTHROPIC_API_KEY"])
        .bases(&["ANTHROPIC_BASE_URL"])
        .speaking(Api::Messages, Api::Messages)
        .suggested("Set ANTHROPIC_API_KEY."),
    chat("gemini", "Google Gemini", "https://generativelanguage.googleapis.com", &["GEMINI_API_KEY", "GOOGLE_API_KEY"])
        .bases(&["GOOGLE_GEMINI_BASE_URL"])
        .speaking(Api::Gemini, Api::Gemini)
        .suggested("Set GEMINI_API_KEY."),
    chat("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", &["OPENROUTER_API_KEY"])
        .bases(&["OPENROUTER_BASE_URL"])
        .quirks(Quirks { cache_control: true, reasoning_object: true, ..USUAL }),
    chat("groq", "Groq", "https://api.groq.com/openai/v1", &["GROQ_API_KEY"])
        .quirks(COMPLETION)
        .transcribing("whisper-large-v3-turbo"),
    chat("mistral", "Mistral", "https://api.mistral.ai/v1", &["MISTRAL_API_KEY"])
        .quirks(Quirks { asks_for_usage: false, short_ids: true, ..USUAL })
        .transcribing("voxtral-mini-latest"),
    chat("deepseek", "DeepSeek", "https://api.deepseek.com/v1", &["DEEPSEEK_API_KEY"]),
    chat("xai", "xAI", "https://api.x.ai/v1", &["XAI_API_KEY"])
        .quirks(Quirks { conversation: Affinity::Header("x-grok-conv-id"), ..USUAL }),
    chat("cerebras", "Cerebras", "https://api.cerebras.ai/v1", &["CEREBRAS_API_KEY"]).quirks(COMPLETION),
    chat("together", "Together", "https://api.together.xyz/v1", &["TOGETHER_API_KEY"]),
    chat("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", &["FIREWORKS_API_KEY"]),
    chat("vllm", "vLLM", "http://127.0.0.1:8000/v1", &["VLLM_API_KEY"]).bases(&["VLLM_BASE_URL"]),
    chat("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", &["LLAMA_API_KEY"]).bases(&["LLAMACPP_BASE_URL"]),
    chat("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", &["LM_API_TOKEN"])
        .bases(&["LMSTUDIO_BASE_URL"])
        .quirks(Quirks { lists: &["/api/v1/models", "/api/v0/models"], ..USUAL }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, http::endpoint::Endpoint};

    #[test]
    fn every_preset_can_be_reached_and_told_apart() {
        let mut ids: Vec<_> = PRESETS.iter().map(|preset| preset.id).collect();
        for preset in PRESETS {
            let home = Endpoint::parse(preset.home, Limits::default()).unwrap();
            // A key never leaves this machine in clear text.
            assert!(home.local() || preset.home.starts_with("https://"), "{}", preset.id);
            assert!(!preset.keys.is_empty(), "{}", preset.id);
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), PRESETS.len());
        assert!(!ids.contains(&crate::ollama::ID));
    }
}
