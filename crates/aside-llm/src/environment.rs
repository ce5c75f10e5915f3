//! What the surroundings say about model providers.

use std::env;

use crate::{Limits, Script, Secret};

/// Where Ollama listens unless it is told otherwise.
const OLLAMA_DEFAULT: &str = "127.0.0.1:11434";

/// Where to look for models, and with which keys. The default looks nowhere.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Where Ollama is, in any spelling of `OLLAMA_HOST`; not looked for if absent.
    pub ollama_host: Option<String>,
    /// `OPENAI_API_KEY`.
    pub openai_key: Option<Secret>,
    /// `OPENAI_BASE_URL`, such as `http://127.0.0.1:8080/v1`: any server that speaks chat completions.
    pub openai_base_url: Option<String>,
    /// `ANTHROPIC_API_KEY`.
    pub anthropic_key: Option<Secret>,
    /// `ANTHROPIC_BASE_URL`.
    pub anthropic_base_url: Option<String>,
    /// What the rehearsal plays; no rehearsal if absent.
    pub rehearsal: Option<Script>,
    /// How long and how much to take from a server.
    pub limits: Limits,
}

impl Environment {
    /// Reads the process's environment variables. The rehearsal is not among them.
    pub fn from_process() -> Self {
        let read = |name: &str| env::var(name).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Self {
            ollama_host: Some(read("OLLAMA_HOST").unwrap_or_else(|| OLLAMA_DEFAULT.to_owned())),
            openai_key: read("OPENAI_API_KEY").and_then(Secret::new),
            openai_base_url: read("OPENAI_BASE_URL"),
            anthropic_key: read("ANTHROPIC_API_KEY").and_then(Secret::new),
            anthropic_base_url: read("ANTHROPIC_BASE_URL"),
            rehearsal: None,
            limits: Limits::default(),
        }
    }
}
