//! A request as chat completions want it.

use serde_json::{Map, Value, json};

use super::ID;
use crate::{
    Message, ModelRequest,
    conversation::{args_object, own_echo, paired},
};

/// Returns the body of `POST chat/completions`; `limit` is the server's name for the most output tokens.
pub(super) fn body(request: &ModelRequest, limit: &str) -> Value {
    let mut body = json!({
        "model": request.model,
        "messages": messages(request),
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(tokens) = request.max_output {
        body[limit] = tokens.into();
    }
    body
}

fn tool(tool: &crate::ToolSpec) -> Value {
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
        Message::ToolResult { call, text, .. } => {
            Some(json!({ "role": "tool", "tool_call_id": call, "content": text }))
        }
        // An answer that was stopped before its first word: servers refuse a message without content.
        Message::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => None,
        Message::Assistant { text, calls, echo } => {
            let mut message = own_echo(ID, model, echo).and_then(Value::as_object).cloned().unwrap_or_default();
            message.insert("role".to_owned(), "assistant".into());
            message.insert("content".to_owned(), if text.is_empty() { Value::Null } else { text.as_str().into() });
            if !calls.is_empty() {
                message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
            }
            Some(Value::Object(Map::from_iter(message)))
        }
    }
}

fn call(call: &aside_core::ToolCall) -> Value {
    let function = json!({ "name": call.name, "arguments": args_object(call).to_string() });
    json!({ "id": call.id, "type": "function", "function": function })
}
