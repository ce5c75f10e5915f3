//! A request as Messages want it.

use std::collections::BTreeSet;

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::{
    Image, Message, ToolSpec,
    conversation::{args_object, by_role},
    effort,
    wire::Call,
};

/// The wire demands a limit; this one fits every model that is still served.
const DEFAULT_MAX_OUTPUT: u32 = 8192;
/// What an answer gets at least, however full the context is.
const LEAST_MAX_OUTPUT: u32 = 1024;

/// Returns the body of `POST v1/messages`.
///
/// Four cache breakpoints, which is all there may be. After the instructions (the tools are before them), which are the
/// same for many threads; after the first thing that was said, which stays when older messages are left out; and at the
/// end, so that the next step reads all of this one. The one where the step before ended finds what that wrote also when
/// more than the twenty blocks came since that the server looks back.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let messages = messages(call);
    let mut body = json!({ "model": request.model, "messages": messages, "stream": true });
    if !request.system.is_empty() {
        body["system"] = json!([cached(json!({ "type": "text", "text": request.system }))]);
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    let most = max_output(call, &body);
    body["max_tokens"] = request.max_output.map_or(most, |asked| asked.min(most)).into();
    if let Some(effort) = call.effort() {
        effort::anthropic(effort, &request.model, &mut body);
    }
    if body["thinking"]["type"] == "enabled" && goes_on_without_thought(&body["messages"]) {
        body["thinking"] = json!({ "type": "disabled" });
    }
    body
}

/// Tells whether the turn goes on after calls that no signed thought stands before. The server refuses to think then: the
/// thought was another model's, or thinking was turned on since.
fn goes_on_without_thought(messages: &Value) -> bool {
    let Some([.., made, results]) = messages.as_array().map(Vec::as_slice) else { return false };
    let has = |message: &Value, kind: &str| {
        message["content"].as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == kind))
    };
    let begins = |kind: &str| made.pointer("/content/0/type").is_some_and(|first| first == kind);
    has(results, "tool_result") && has(made, "tool_use") && !begins("thinking") && !begins("redacted_thinking")
}

/// The most that the model may answer, as far as there is room for it beside the conversation.
fn max_output(call: &Call<'_>, body: &Value) -> u32 {
    let most = call.model.max_output.unwrap_or(DEFAULT_MAX_OUTPUT);
    let Some(context) = call.model.context else { return most };
    let images: usize = call.request.messages.iter().map(carried).sum();
    // Three characters a token, as for code.
    let taken = u32::try_from((body.to_string().len() - images) / 3).unwrap_or(u32::MAX);
    most.min(context.saturating_sub(taken)).max(LEAST_MAX_OUTPUT.min(most))
}

fn carried(message: &Message) -> usize {
    match message {
        Message::User { images, .. } => images.iter().map(|image| image.base64.len()).sum(),
        _ => 0,
    }
}

fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({ "type": "ephemeral" });
    block
}

fn tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema })
}

fn messages(call: &Call<'_>) -> Vec<Value> {
    let mut merged = by_role(call.request, |message| translate(call, message));
    let said = |(_, (role, _)): &(usize, &(&str, _))| *role == "user";
    let places: Vec<usize> = merged.iter().enumerate().filter(said).map(|(place, _)| place).collect();
    let marked: BTreeSet<usize> = places.iter().take(1).chain(places.iter().rev().take(2)).copied().collect();
    for place in marked {
        if let Some(last) = merged[place].1.last_mut() {
            *last = cached(last.take());
        }
    }
    merged.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn translate(call: &Call<'_>, message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User { text, images } => ("user", images.iter().map(image).chain(text_block(text)).collect()),
        Message::ToolResult { call, text, failed, .. } => ("user", vec![result(call, text, *failed)]),
        Message::Assistant { text, calls, echo } => ("assistant", assistant(call, text, calls, echo)),
    }
}

fn image(image: &Image) -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": image.kind, "data": image.base64 } })
}

/// An empty text block is refused by the server.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn result(call: &str, text: &str, failed: bool) -> Value {
    let content: Vec<_> = text_block(text).into_iter().collect();
    json!({ "type": "tool_result", "tool_use_id": wire_id(call), "content": content, "is_error": failed })
}

fn assistant(call: &Call<'_>, text: &str, calls: &[ToolCall], echo: &Value) -> Vec<Value> {
    if let Some(blocks) = call.echoes.own_list(echo).filter(|blocks| is_of(blocks, calls)) {
        return well_formed(blocks, calls);
    }
    let used = calls.iter().map(
        |call| json!({ "type": "tool_use", "id": wire_id(&call.id), "name": call.name, "input": args_object(call) }),
    );
    text_block(text).into_iter().chain(used).collect()
}

/// Returns the blocks with calls that the server takes back, whatever the model wrote.
fn well_formed(blocks: &[Value], calls: &[ToolCall]) -> Vec<Value> {
    let mut blocks = blocks.to_vec();
    for (block, call) in blocks.iter_mut().filter(|block| block["type"] == "tool_use").zip(calls) {
        block["name"] = call.name.as_str().into();
        block["input"] = args_object(call);
    }
    blocks
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
