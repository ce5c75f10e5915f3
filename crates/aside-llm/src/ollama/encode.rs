//! A request as `POST /api/chat` wants it.

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::{
    Message, ModelInfo, ModelRequest,
    conversation::{args_object, function_tool, with_system},
    echo::Echoes,
    effort,
};

/// The context that is provided for when nobody says how much: room for a document and some steps of work.
const USUAL_CONTEXT: u32 = 16 << 10;

/// How long a model stays loaded after its answer, and with it what it has read: a person thinks for longer than the five
/// minutes that are usual.
const KEEP_ALIVE: &str = "30m";

/// Returns the body; `limit` is the model's context length, if it is known.
///
/// The context's size is always set, or the server takes one of its own that may be a few thousand tokens. And it is told
/// to say so when the conversation does not fit, rather than to drop the start of it.
pub(super) fn body(request: &ModelRequest, echoes: &Echoes, info: Option<&ModelInfo>) -> Value {
    let limit = info.and_then(|info| info.context);
    let messages = messages(request, echoes);
    let mut options = json!({ "num_ctx": context(request, &messages, limit) });
    if let Some(tokens) = request.max_output {
        options["num_predict"] = tokens.into();
    }
    let mut body = json!({
        "model": request.model,
        "messages": messages,
        "stream": true,
        "keep_alive": KEEP_ALIVE,
        "truncate": false,
        "shift": false,
        "options": options,
    });
    if let Some(effort) = effort::wanted(request.thinking, info.and_then(|info| info.thinking)) {
        body["think"] = effort::ollama(effort, &request.model);
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(function_tool).collect();
    }
    body
}

/// What is asked for, as far as the model has it. When nothing is asked for, enough for the conversation in steps of
/// two: every other size makes the server load the model anew.
fn context(request: &ModelRequest, messages: &[Value], limit: Option<u32>) -> u32 {
    let limit = limit.unwrap_or(u32::MAX);
    let needed = || {
        let characters = messages.iter().map(size).sum::<usize>();
        // Four characters a token at the most favourable, so three; and as much again for tools and the answer.
        let tokens = u32::try_from(characters / 3).unwrap_or(u32::MAX).saturating_add(4096);
        std::iter::successors(Some(USUAL_CONTEXT), |size| size.checked_mul(2)).find(|size| *size >= tokens)
    };
    request.context.or_else(needed).unwrap_or(u32::MAX).min(limit).min(1 << 20)
}

/// Characters of a message, an image as those of about a thousand tokens.
fn size(message: &Value) -> usize {
    let images = message["images"].as_array().map(Vec::as_slice).unwrap_or_default();
    let carried: usize = images.iter().filter_map(Value::as_str).map(str::len).sum();
    message.to_string().len() - carried + images.len() * 3000
}

fn messages(request: &ModelRequest, echoes: &Echoes) -> Vec<Value> {
    with_system(request, |message| translate(echoes, message))
}

fn translate(echoes: &Echoes, message: &Message) -> Option<Value> {
    match message {
        Message::User { text, images } if images.is_empty() => Some(json!({ "role": "user", "content": text })),
        Message::User { text, images } => {
            let images: Vec<&str> = images.iter().map(|image| image.base64.as_str()).collect();
            Some(json!({ "role": "user", "content": text, "images": images }))
        }
        Message::ToolResult { call, name, text, .. } => {
            Some(json!({ "role": "tool", "tool_name": name, "tool_call_id": call, "content": text }))
        }
        // An answer that was stopped before its first word says nothing.
        Message::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => None,
        Message::Assistant { text, calls, echo } => {
            let mut message = json!({ "role": "assistant", "content": text });
            if let Some(thinking) = echoes.own(echo) {
                message["thinking"] = thinking.clone();
            }
            if !calls.is_empty() {
                message["tool_calls"] = calls.iter().enumerate().map(call).collect();
            }
            Some(message)
        }
    }
}

fn call((index, call): (usize, &ToolCall)) -> Value {
    json!({ "id": call.id, "function": { "index": index, "name": call.name, "arguments": args_object(call) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(context: Option<u32>, characters: usize) -> ModelRequest {
        ModelRequest { context, system: "x".repeat(characters), ..ModelRequest::default() }
    }

    #[test]
    fn provides_for_the_conversation_within_what_the_model_has() {
        let provided = |request: ModelRequest, limit| {
            let info = ModelInfo { context: limit, ..ModelInfo::default() };
            body(&request, &Echoes::default(), Some(&info))["options"]["num_ctx"].as_u64().unwrap()
        };
        assert_eq!(provided(asked(None, 100), None), 16 << 10);
        assert_eq!(provided(asked(None, 100), Some(8192)), 8192);
        assert_eq!(provided(asked(None, 50_000), None), 32 << 10);
        assert_eq!(provided(asked(Some(40_000), 100), None), 40_000);
        assert_eq!(provided(asked(Some(40_000), 100), Some(32_768)), 32_768);
    }

    #[test]
    fn an_image_is_not_counted_by_its_bytes() {
        let images = vec![crate::Image { kind: "image/png".to_owned(), base64: "A".repeat(1_000_000) }];
        let message = Message::User { text: "What is this?".to_owned(), images };
        let request = ModelRequest { messages: vec![message], ..ModelRequest::default() };
        assert_eq!(body(&request, &Echoes::default(), None)["options"]["num_ctx"], 16 << 10);
    }
}
