//! What a model can do, from `POST /api/show`; from its name where the server is too old to say.

use reqwest::Url;
use serde_json::Value;

use crate::{ModelInfo, http::endpoint::place};

/// Where Ollama's own cloud is.
const CLOUD: &str = "ollama.com";

/// Families that take tools, for servers that do not list capabilities.
const WITH_TOOLS: &[&str] = &[
    "command-r",
    "firefunction",
    "llama3.1",
    "llama3.2",
    "llama3.3",
    "mistral-large",
    "mistral-nemo",
    "mixtral",
    "qwen2.5",
    "qwen3",
];

/// Reads what the server showed of a model; null where it showed nothing.
pub(super) fn read(name: &str, shown: &Value) -> ModelInfo {
    let listed = shown["capabilities"].as_array();
    let has = |word: &str| listed.map(|listed| listed.iter().any(|capability| capability == word));
    ModelInfo {
        name: name.to_owned(),
        // Of a server that was not asked, only a name that is known says something: what has tools may be refused them, and
        // is asked without.
        tools: has("tools").or_else(|| Some(takes_tools(name)).filter(|takes| *takes || !shown.is_null())),
        vision: has("vision"),
        thinking: has("thinking"),
        context: context(&shown["model_info"]),
        max_output: None,
        elsewhere: remote_host(shown).or_else(|| in_the_cloud(name).then(|| CLOUD.to_owned())),
    }
}

/// Where the server passes on what it is sent for a model, by what it says of that model.
pub(super) fn remote_host(said: &Value) -> Option<String> {
    let host = said["remote_host"].as_str()?;
    let url = Url::parse(host).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("https://{host}")).ok());
    Some(url.map_or_else(|| CLOUD.to_owned(), |url| place(&url)))
}

fn in_the_cloud(name: &str) -> bool {
    name.ends_with("-cloud") || name.ends_with(":cloud")
}

/// Tells whether a model answers messages; others make embeddings.
pub(super) fn talks(shown: &Value) -> bool {
    shown["capabilities"].as_array().is_none_or(|listed| listed.iter().any(|capability| capability == "completion"))
}

fn context(model_info: &Value) -> Option<u32> {
    let fields = model_info.as_object()?;
    let (_, length) = fields.iter().find(|(name, _)| name.ends_with(".context_length"))?;
    u32::try_from(length.as_u64()?).ok()
}

fn takes_tools(name: &str) -> bool {
    let family = name.rsplit('/').next().unwrap_or(name);
    WITH_TOOLS.iter().any(|known| family.starts_with(known))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_server_lists_wins_over_the_name() {
        let shown = json!({"capabilities": ["completion", "thinking"], "model_info": {"qwen2.context_length": 32768}});
        let info = read("qwen2.5-coder:7b", &shown);
        assert_eq!((info.tools, info.thinking, info.vision), (Some(false), Some(true), Some(false)));
        assert_eq!(info.context, Some(32768));
        assert_eq!(info.elsewhere, None);
    }

    #[test]
    fn an_old_server_leaves_only_the_name() {
        assert_eq!(read("qwen2.5-coder:7b", &json!({})).tools, Some(true));
        assert_eq!(read("someone/llama3.1:8b", &Value::Null).tools, Some(true));
        assert_eq!(read("tinyllama", &json!({})).tools, Some(false));
        assert_eq!(read("tinyllama", &Value::Null).tools, None, "nobody was asked");
    }

    #[test]
    fn knows_models_for_embeddings_and_models_that_run_elsewhere() {
        assert!(!talks(&json!({"capabilities": ["embedding"]})));
        assert!(talks(&json!({})));
        let elsewhere = |name: &str, shown: &Value| read(name, shown).elsewhere;
        assert_eq!(elsewhere("gpt-oss:120b-cloud", &Value::Null).as_deref(), Some("ollama.com"));
        for (host, place) in [
            ("https://ollama.com:443", "ollama.com"),
            ("https://models.example:8443/x", "models.example:8443"),
            ("models.example", "models.example"),
            ("", "ollama.com"),
        ] {
            assert_eq!(elsewhere("big", &json!({ "remote_host": host })).as_deref(), Some(place), "{host}");
        }
    }
}
