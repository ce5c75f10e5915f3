//! A request as `generateContent` wants it.

use std::collections::HashSet;

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::{
    Image, Message, ToolSpec,
    conversation::{args_object, by_role, wire_name},
    effort,
    wire::Call,
};

/// Returns the body of `POST models/NAME:streamGenerateContent`.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let given = given_ids(call);
    let contents = by_role(request, |message| translate(call, &given, message)).into_iter();
    let contents: Vec<Value> = contents.map(|(role, parts)| json!({ "role": role, "parts": parts })).collect();
    let mut body = json!({ "contents": contents });
    if !request.system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": request.system }] });
    }
    if !request.tools.is_empty() {
        let declared: Vec<Value> = request.tools.iter().map(tool).collect();
        body["tools"] = json!([{ "functionDeclarations": declared }]);
    }
    if let Some(tokens) = request.max_output {
        body["generationConfig"]["maxOutputTokens"] = tokens.into();
    }
    // Refused by models that do not think.
    if call.model.thinking == Some(true) {
        let config = call.effort().map(|effort| effort::gemini(effort, &request.model));
        body["generationConfig"]["thinkingConfig"] = config.unwrap_or_else(|| json!({ "includeThoughts": true }));
    }
    body
}

/// In this field a schema may be any JSON Schema; in `parameters` only what OpenAPI has.
fn tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema })
}

/// The ids of calls that the server gave itself: only those may go back, others are paired by order and name.
fn given_ids<'a>(call: &Call<'a>) -> HashSet<&'a str> {
    let echoed = call.request.messages.iter().filter_map(|message| match message {
        Message::Assistant { echo, calls, .. } => call.echoes.own_list(echo).filter(|parts| is_of(parts, calls)),
        _ => None,
    });
    echoed.flatten().filter_map(|part| part["functionCall"]["id"].as_str()).collect()
}

fn translate(call: &Call<'_>, given: &HashSet<&str>, message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User { text, images } => ("user", images.iter().map(image).chain(text_part(text)).collect()),
        Message::ToolResult { call: id, name, text, failed } => {
            let key = if *failed { "error" } else { "output" };
            let mut response = json!({ "name": name, "response": { key: text } });
            if given.contains(id.as_str()) {
                response["id"] = id.as_str().into();
            }
            ("user", vec![json!({ "functionResponse": response })])
        }
        Message::Assistant { text, calls, echo } => {
            let own = call.echoes.own_list(echo).filter(|parts| is_of(parts, calls));
            ("model", own.map_or_else(|| assistant(text, calls), |parts| well_formed(parts, calls)))
        }
    }
}

fn image(image: &Image) -> Value {
    json!({ "inlineData": { "mimeType": image.kind, "data": image.base64 } })
}

/// An empty part is refused by the server.
fn text_part(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": text }))
}

fn assistant(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    let called = calls.iter().map(|call| json!({ "functionCall": { "name": call.name, "args": args_object(call) } }));
    text_part(text).into_iter().chain(called).collect()
}

/// Returns the parts with calls that the server takes back, whatever the model wrote.
fn well_formed(parts: &[Value], calls: &[ToolCall]) -> Vec<Value> {
    let mut parts = parts.to_vec();
    let made = parts.iter_mut().filter(|part| part["functionCall"].is_object());
    for (part, call) in made.zip(calls) {
        part["functionCall"]["name"] = wire_name(&call.name).into();
        if !matches!(part["functionCall"]["args"], Value::Null | Value::Object(_)) {
            part["functionCall"]["args"] = args_object(call);
        }
    }
    parts
}

/// Tells whether the parts make as many calls of the same names: every call must get a result, and nothing else may.
fn is_of(parts: &[Value], calls: &[ToolCall]) -> bool {
    let made = parts.iter().map(|part| &part["functionCall"]).filter(|made| made.is_object());
    let names = made.map(|made| wire_name(made["name"].as_str().unwrap_or_default()));
    names.eq(calls.iter().map(|call| wire_name(&call.name)))
}
