//! A request as Messages want it.

use aside_core::ToolCall;
use serde_json::{Value, json};

use super::ID;
use crate::{
    Message, ModelRequest, ToolSpec,
    conversation::{args_object, own_echo, paired},
};

/// The wire demands a limit; this one fits every model that is still served.
const DEFAULT_MAX_OUTPUT: u32 = 8192;

/// Returns the body of `POST v1/messages`.
///
/// Two cache breakpoints: after the instructions (the tools are before them), which are the same for a whole thread,
/// and at the end, so that the next step reads all of this one.
pub(super) fn body(request: &ModelRequest) -> Value {
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_output.unwrap_or(DEFAULT_MAX_OUTPUT),
        "messages": messages(request),
        "stream": true,
    });
    if !request.system.is_empty() {
        body["system"] = json!([cached(json!({ "type": "text", "text": request.system }))]);
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    body
}

fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({ "type": "ephemeral" });
    block
}

fn tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema })
}

/// Merges neighbours of one role: all results of an answer's calls are in one message, before anything else said.
fn messages(request: &ModelRequest) -> Vec<Value> {
    let mut merged: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &paired(&request.messages) {
        let (role, blocks) = translate(&request.model, message);
        match merged.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, content)) if *last == role => content.extend(blocks),
            _ => merged.push((role, blocks)),
        }
    }
    if let Some(last) = merged.last_mut().filter(|(role, _)| *role == "user").and_then(|(_, blocks)| blocks.last_mut())
    {
        *last = cached(last.take());
    }
    merged.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn translate(model: &str, message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User { text, .. } => ("user", text_block(text).into_iter().collect()),
        Message::ToolResult { call, text, failed, .. } => ("user", vec![result(call, text, *failed)]),
        Message::Assistant { text, calls, echo } => ("assistant", assistant(model, text, calls, echo)),
    }
}

/// An empty text block is refused by the server.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn result(call: &str, text: &str, failed: bool) -> Value {
    let content: Vec<_> = text_block(text).into_iter().collect();
    json!({ "type": "tool_result", "tool_use_id": wire_id(call), "content": content, "is_error": failed })
}

fn assistant(model: &str, text: &str, calls: &[ToolCall], echo: &Value) -> Vec<Value> {
    if let Some(blocks) = own_echo(ID, model, echo).and_then(Value::as_array).filter(|blocks| is_of(blocks, calls)) {
        return blocks.clone();
    }
    let used = calls.iter().map(
        |call| json!({ "type": "tool_use", "id": wire_id(&call.id), "name": call.name, "input": args_object(call) }),
    );
    text_block(text).into_iter().chain(used).collect()
}

/// Tells whether the blocks make exactly these calls: every call must get a result, and nothing else may.
fn is_of(blocks: &[Value], calls: &[ToolCall]) -> bool {
    let used = blocks.iter().filter(|block| block["type"] == "tool_use");
    used.map(|block| block["id"].as_str().unwrap_or_default().to_owned()).eq(calls.iter().map(|call| wire_id(&call.id)))
}

/// Ids from other providers have characters that this one refuses.
fn wire_id(id: &str) -> String {
    id.chars().map(|char| if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' }).collect()
}
