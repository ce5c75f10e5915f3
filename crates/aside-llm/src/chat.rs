//! Chat completions, as spoken by OpenAI and by most other servers.

use aside_core::StepStop;
use serde_json::Value;

use crate::{
    ModelInfo,
    http::ask::Question,
    preset::Affinity,
    wire::{Call, Wire, entries, tokens},
};

mod calls;
mod decode;
mod encode;
mod piece;
mod reasoning;

/// Where an echo holds what goes back with its calls, by their ids.
const OF_CALLS: &str = "extra_content";

/// Chat completions.
pub(crate) struct Chat;

impl Wire for Chat {
    type Decoder = decode::Decode;

    const TRANSCRIBES: bool = true;
    const EMBEDS: bool = true;

    fn question(call: &Call<'_>) -> Question {
        let question = Question::post("/chat/completions", &encode::body(call));
        match (call.quirks.conversation, &call.request.conversation) {
            (Affinity::Header(name), Some(conversation)) => question.header(name, conversation),
            _ => question,
        }
    }

    fn decoder(call: &Call<'_>) -> Self::Decoder {
        decode::Decode::new(call)
    }

    fn models(list: &Value) -> Vec<ModelInfo> {
        // Together lists its models without a wrapper, LM Studio's own list under another name.
        let data = if list.is_array() { &serde_json::json!({ "data": list }) } else { list };
        entries(data, if data["data"].is_array() { "data" } else { "models" }, model)
    }
}

/// Reads one entry of a model list; the fields beyond the id are those of OpenRouter, Mistral, Groq, vLLM, llama.cpp,
/// Together, LM Studio and LiteLLM.
pub(crate) fn model(entry: &Value) -> Option<ModelInfo> {
    let lists = |path: &str, word: &str| Some(entry.pointer(path)?.as_array()?.iter().any(|item| item == word));
    let says = |path: &str| entry.pointer(path)?.as_bool();
    let first = |paths: &[&str]| paths.iter().find_map(|path| tokens(entry, path));
    let kind = entry["type"].as_str().or_else(|| entry["mode"].as_str()).unwrap_or_default();
    let talks = says("/capabilities/completion_chat").unwrap_or(true)
        && lists("/architecture/output_modalities", "text").unwrap_or(true)
        && !["embedding", "image", "audio", "rerank"].iter().any(|other| kind.starts_with(other));
    talks.then_some(())?;
    Some(ModelInfo {
        tools: lists("/supported_parameters", "tools")
            .or_else(|| says("/capabilities/function_calling"))
            .or_else(|| says("/capabilities/trained_for_tool_use"))
            .or_else(|| lists("/capabilities", "tool_use")),
        vision: lists("/architecture/input_modalities", "image")
            .or_else(|| says("/capabilities/vision"))
            .or_else(|| (entry["type"] == "vlm").then_some(true)),
        thinking: lists("/supported_parameters", "reasoning").or_else(|| says("/capabilities/reasoning")),
        context: first(&[
            "/context_length",
            // What a model is loaded with goes before what it could be.
            "/loaded_instances/0/config/context_length",
            "/loaded_context_length",
            "/max_context_length",
            "/context_window",
            "/max_model_len",
            "/max_input_tokens",
            "/meta/n_ctx",
            "/meta/n_ctx_train",
        ]),
        max_output: first(&["/top_provider/max_completion_tokens", "/max_completion_tokens", "/max_output_tokens"]),
        ..ModelInfo::named(entry["id"].as_str().or_else(|| entry["key"].as_str())?)
    })
}

/// Why an answer stopped, from the server's word and what was in it.
fn stop(reason: Option<&str>, calls: bool, refused: bool) -> StepStop {
    match reason {
        Some("length") => StepStop::Length,
        Some("content_filter") => StepStop::Refusal,
        _ if calls => StepStop::ToolCalls,
        _ if refused => StepStop::Refusal,
        _ => StepStop::End,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_of_litellm_says_how_much_is_read_and_which_models_talk() {
        let entry = |mode: &str| json!({"id": "mocked", "object": "model", "mode": mode, "max_input_tokens": 128_000, "max_output_tokens": 16_384});
        let found = model(&entry("chat")).unwrap();
        assert_eq!((found.context, found.max_output), (Some(128_000), Some(16_384)));
        assert!(["embedding", "image_generation", "audio_speech"].iter().all(|mode| model(&entry(mode)).is_none()));
    }
}
