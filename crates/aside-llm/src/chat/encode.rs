//! A request as chat completions want it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use aside_core::ToolCall;
use serde_json::{Value, json};

use super::OF_CALLS;
use crate::{
    Image, Message,
    conversation::{args_object, function_tool, with_system},
    effort,
    preset::Affinity,
    wire::Call,
};

/// Returns the body of `POST chat/completions`.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let mut body = json!({
        "model": request.model,
        "messages": with_system(request, |message| translate(call, message)),
        "stream": true,
    });
    if call.quirks.asks_for_usage {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(function_tool).collect();
    }
    if let Some(tokens) = request.max_output {
        body[call.quirks.output_limit] = tokens.into();
    }
    if let Some(effort) = call.effort() {
        let word = effort::openai(effort, &request.model);
        match call.quirks.reasoning_object {
            true => body["reasoning"] = json!({ "effort": word }),
            false => body["reasoning_effort"] = word.into(),
        }
    }
    if call.quirks.conversation == Affinity::Key
        && call.at_home
        && let Some(conversation) = &request.conversation
    {
        body["prompt_cache_key"] = conversation.as_str().into();
    }
    // Other models are cached without being asked to.
    if call.quirks.cache_control && request.model.starts_with("anthropic/") {
        body["cache_control"] = json!({ "type": "ephemeral" });
    }
    body
}

fn translate(call: &Call<'_>, message: &Message) -> Option<Value> {
    match message {
        Message::User { text, images } => Some(json!({ "role": "user", "content": user(text, images) })),
        Message::ToolResult { call: id, text, .. } => {
            Some(json!({ "role": "tool", "tool_call_id": wire_id(call, id), "content": text }))
        }
        // An answer that was stopped before its first word: servers refuse a message without content.
        Message::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => None,
        Message::Assistant { text, calls, echo } => {
            let mut message = call.echoes.own(echo).and_then(Value::as_object).cloned().unwrap_or_default();
            message.insert("role".to_owned(), "assistant".into());
            message.insert("content".to_owned(), if text.is_empty() { Value::Null } else { text.as_str().into() });
            let extra = message.remove(OF_CALLS).unwrap_or_default();
            if !calls.is_empty() {
                let calls = calls.iter().map(|made| tool_call(call, made, &extra[&made.id]));
                message.insert("tool_calls".to_owned(), calls.collect());
            }
            Some(Value::Object(message))
        }
    }
}

/// A text alone is sent as one: some servers know no list of parts.
fn user(text: &str, images: &[Image]) -> Value {
    if images.is_empty() {
        return text.into();
    }
    let url = |image: &Image| format!("data:{};base64,{}", image.kind, image.base64);
    let shown = images.iter().map(|image| json!({ "type": "image_url", "image_url": { "url": url(image) } }));
    shown.chain([json!({ "type": "text", "text": text })]).collect()
}

fn tool_call(call: &Call<'_>, made: &ToolCall, extra: &Value) -> Value {
    let function = json!({ "name": made.name, "arguments": args_object(made).to_string() });
    let mut sent = json!({ "id": wire_id(call, &made.id), "type": "function", "function": function });
    if extra.is_object() {
        sent["extra_content"] = extra.clone();
    }
    sent
}

/// An id that the server accepts; another one for each that it would not.
fn wire_id(call: &Call<'_>, id: &str) -> String {
    let is_short = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !call.quirks.short_ids || is_short {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    format!("{:09x}", hasher.finish() & 0xf_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelInfo, ModelRequest, Preset, echo::Echoes};

    /// The body for a service, where it is itself or something else that speaks like it.
    fn sent(preset: &str, model: &str, at_home: bool) -> Value {
        let conversation = Some("thr_1".to_owned());
        let request = ModelRequest { model: model.to_owned(), conversation, ..ModelRequest::default() };
        let quirks = &Preset::of(preset).unwrap().quirks;
        body(&Call { request: &request, model: ModelInfo::default(), echoes: Echoes::default(), quirks, at_home })
    }

    #[test]
    fn only_who_knows_it_is_told_which_conversation_it_is() {
        assert_eq!(sent("openai", "m", true)["prompt_cache_key"], "thr_1");
        for (preset, at_home) in [("openai", false), ("groq", true), ("xai", true), ("vllm", true)] {
            assert_eq!(sent(preset, "m", at_home)["prompt_cache_key"], Value::Null, "{preset}");
        }
    }

    #[test]
    fn openrouter_is_asked_to_cache_for_those_that_want_to_be_asked() {
        assert_eq!(sent("openrouter", "anthropic/claude", true)["cache_control"]["type"], "ephemeral");
        assert_eq!(sent("openrouter", "openai/gpt", true)["cache_control"], Value::Null);
        assert_eq!(sent("groq", "anthropic/claude", true)["cache_control"], Value::Null);
    }
}
