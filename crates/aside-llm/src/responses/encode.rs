//! A request as Responses want it.

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::{
    Image, Message, ToolSpec,
    conversation::{args_object, paired},
    effort,
    wire::Call,
};

/// Returns the body of `POST responses`.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let input: Vec<Value> = paired(&request.messages).iter().flat_map(|message| items(call, message)).collect();
    let mut body = json!({ "model": request.model, "input": input, "stream": true, "store": false });
    if call.model.thinking != Some(false) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(effort) = call.effort() {
        body["reasoning"] = json!({ "effort": effort::openai(effort, &request.model) });
    }
    if let Some(conversation) = &request.conversation {
        body["prompt_cache_key"] = conversation.as_str().into();
    }
    if !request.system.is_empty() {
        body["instructions"] = request.system.as_str().into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(tokens) = request.max_output {
        body["max_output_tokens"] = tokens.into();
    }
    body
}

/// Strict schemas may have no optional fields; ours do.
fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": false,
    })
}

fn items(call: &Call<'_>, message: &Message) -> Vec<Value> {
    match message {
        Message::User { text, images } => vec![json!({ "role": "user", "content": user(text, images) })],
        Message::ToolResult { call: id, text, .. } => {
            vec![json!({ "type": "function_call_output", "call_id": id, "output": text })]
        }
        Message::Assistant { text, calls, echo } => {
            let own = call.echoes.own_list(echo).filter(|items| is_of(items, calls));
            own.map_or_else(|| assistant(text, calls), |items| well_formed(items, calls))
        }
    }
}

fn user(text: &str, images: &[Image]) -> Vec<Value> {
    let url = |image: &Image| format!("data:{};base64,{}", image.kind, image.base64);
    let shown = images.iter().map(|image| json!({ "type": "input_image", "image_url": url(image) }));
    shown.chain([json!({ "type": "input_text", "text": text })]).collect()
}

fn assistant(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    let said = (!text.is_empty()).then(|| json!({ "role": "assistant", "content": text }));
    let called = calls.iter().map(|call| {
        let arguments = args_object(call).to_string();
        json!({ "type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments })
    });
    said.into_iter().chain(called).collect()
}

/// Returns the items with calls that the server takes back, whatever the model wrote.
fn well_formed(items: &[Value], calls: &[ToolCall]) -> Vec<Value> {
    let mut items = items.to_vec();
    for (item, call) in items.iter_mut().filter(|item| item["type"] == "function_call").zip(calls) {
        item["name"] = call.name.as_str().into();
        if call.problem.is_some() || !call.args.is_object() || item["arguments"].as_str().is_none_or(str::is_empty) {
            item["arguments"] = args_object(call).to_string().into();
        }
    }
    items
}

/// Tells whether the items make exactly these calls: every call must get a result, and nothing else may.
fn is_of(items: &[Value], calls: &[ToolCall]) -> bool {
    let made = items.iter().filter(|item| item["type"] == "function_call").map(|item| item["call_id"].as_str());
    made.eq(calls.iter().map(|call| Some(call.id.as_str())))
}
