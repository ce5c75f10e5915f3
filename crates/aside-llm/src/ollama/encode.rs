//! A request as `POST /api/chat` wants it.

use aside_core::ToolCall;
use serde_json::{Value, json};

use super::ID;
use crate::{
    Message, ModelRequest, ToolSpec,
    conversation::{args_object, own_echo, paired},
};

/// The context that is provided for when nobody says how much: room for a document and some steps of work.
const USUAL_CONTEXT: u32 = 16 << 10;

/// Returns the body; `limit` is the model's context length, if it is known.
///
/// The context's size is always set, or the server takes one of its own that may be a few thousand tokens. And it is told
/// to say so when the conversation does not fit, rather than to drop the start of it.
pub(super) fn body(request: &ModelRequest, limit: Option<u32>) -> Value {
    let mut options = json!({ "num_ctx": context(request, limit) });
    if let Some(tokens) = request.max_output {
        options["num_predict"] = tokens.into();
    }
    let mut body = json!({
        "model": request.model,
        "messages": messages(request),
        "stream": true,
        "truncate": false,
        "shift": false,
        "options": options,
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    body
}

/// What is asked for, as far as the model has it. When nothing is asked for, enough for the conversation in steps of
/// two: every other size makes the server load the model anew.
fn context(request: &ModelRequest, limit: Option<u32>) -> u32 {
    let limit = limit.unwrap_or(u32::MAX);
    let needed = || {
        let characters = request.system.len() + Value::from(messages(request)).to_string().len();
        // Four characters a token at the most favourable, so three; and as much again for tools and the answer.
        let tokens = u32::try_from(characters / 3).unwrap_or(u32::MAX).saturating_add(4096);
        std::iter::successors(Some(USUAL_CONTEXT), |size| size.checked_mul(2)).find(|size| *size >= tokens)
    };
    request.context.or_else(needed).unwrap_or(u32::MAX).min(limit).min(1 << 20)
}

fn tool(tool: &ToolSpec) -> Value {
    let function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
    json!({ "type": "function", "function": function })
}

fn messages(request: &ModelRequest) -> Vec<Value> {
    let system = (!request.system.is_empty()).then(|| json!({ "role": "system", "content": request.system }));
    let messages = paired(&request.messages);
    system.into_iter().chain(messages.iter().filter_map(|message| translate(&request.model, message))).collect()
}

fn translate(model: &str, message: &Message) -> Option<Value> {
    match message {
        Message::User { text, .. } => Some(json!({ "role": "user", "content": text })),
        Message::ToolResult { call, name, text, .. } => {
            Some(json!({ "role": "tool", "tool_name": name, "tool_call_id": call, "content": text }))
        }
        // An answer that was stopped before its first word says nothing.
        Message::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => None,
        Message::Assistant { text, calls, echo } => {
            let mut message = json!({ "role": "assistant", "content": text });
            if let Some(thinking) = own_echo(ID, model, echo) {
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
        assert_eq!(context(&asked(None, 100), None), 16 << 10);
        assert_eq!(context(&asked(None, 100), Some(8192)), 8192);
        assert_eq!(context(&asked(None, 50_000), None), 64 << 10);
        assert_eq!(context(&asked(Some(40_000), 100), None), 40_000);
        assert_eq!(context(&asked(Some(40_000), 100), Some(32_768)), 32_768);
    }
}
