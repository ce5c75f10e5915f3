//! An answer as the events of Responses.

use serde_json::{Value, json};

use super::{
    script::{Answer, Call, Counts, Delivery, Part, Quirk, Stop},
    transport::{fragments, words},
};

/// Returns the events of an answer.
pub(super) fn render(answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let mut events = vec![json!({ "type": "response.created", "response": response("in_progress", vec![]) })];
    let mut output = Vec::new();
    for (place, part) in answer.parts.iter().enumerate() {
        let item = item(place, part);
        if !has(Quirk::OnlyOutput) {
            events.extend(item_events(place, part, &item, delivery));
        }
        output.push(item);
    }
    if has(Quirk::Unknown) {
        events.insert(1, json!({ "type": "response.novelty", "deep": [1, { "a": 2 }] }));
        let hologram = json!({ "id": "h_1", "type": "hologram" });
        let place = answer.parts.len();
        events.push(json!({ "type": "response.output_item.added", "output_index": place, "item": hologram }));
        events.push(json!({ "type": "response.output_item.done", "output_index": place, "item": hologram }));
    }
    if has(Quirk::OtherOutput) {
        output.pop();
    }
    events.push(end(answer, output));
    let numbered = events.into_iter().zip(0..).map(|(event, number)| numbered(event, number, delivery));
    let done = has(Quirk::DoneMarker).then(|| "data: [DONE]\n\n".to_owned());
    numbered.chain(done).collect()
}

/// Returns the event that says that it failed.
pub(super) fn error(kind: &str, message: &str) -> String {
    let event = json!({ "type": "error", "code": kind, "message": message, "param": null, "sequence_number": 9 });
    format!("event: error\ndata: {event}\n\n")
}

/// Older servers number nothing, and some name nothing.
fn numbered(mut event: Value, number: u64, delivery: &Delivery) -> String {
    if delivery.quirks.contains(&Quirk::EventLines) {
        return format!("data: {event}\n\n");
    }
    event["sequence_number"] = number.into();
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

fn response(status: &str, output: Vec<Value>) -> Value {
    json!({
        "id": "resp_1", "object": "response", "created_at": 0, "model": "fake", "status": status, "output": output,
        "error": null, "incomplete_details": null, "parallel_tool_calls": true, "tools": [], "tool_choice": "auto",
        "usage": null,
    })
}

fn end(answer: &Answer, output: Vec<Value>) -> Value {
    let reason = match answer.stop {
        Stop::End | Stop::Calls => None,
        Stop::Length => Some("max_output_tokens"),
        Stop::Refusal => Some("content_filter"),
    };
    let status = if reason.is_some() { "incomplete" } else { "completed" };
    let mut response = response(status, output);
    if let Some(reason) = reason {
        response["incomplete_details"] = json!({ "reason": reason });
    }
    if let Some(counts) = &answer.counts {
        response["usage"] = usage(counts);
    }
    json!({ "type": format!("response.{status}"), "response": response })
}

fn usage(counts: &Counts) -> Value {
    json!({
        "input_tokens": counts.input,
        "input_tokens_details": { "cached_tokens": counts.cache_read, "cache_write_tokens": counts.cache_write },
        "output_tokens": counts.output,
        "output_tokens_details": { "reasoning_tokens": counts.reasoning },
        "total_tokens": counts.input + counts.output,
    })
}

/// A whole item of the output.
fn item(place: usize, part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({
            "id": format!("msg_{place}"), "type": "message", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Part::Thinking { text, signature } => {
            let summary: Vec<Value> =
                if text.is_empty() { vec![] } else { vec![json!({ "type": "summary_text", "text": text })] };
            reasoning(place, summary, signature)
        }
        Part::Sealed(data) => reasoning(place, vec![], data),
        Part::Call(call) => function_call(place, call),
    }
}

fn reasoning(place: usize, summary: Vec<Value>, sealed: &str) -> Value {
    json!({ "id": format!("rs_{place}"), "type": "reasoning", "summary": summary, "encrypted_content": sealed })
}

fn function_call(place: usize, call: &Call) -> Value {
    let mut item = json!({
        "id": format!("fc_{place}"), "type": "function_call", "status": "completed", "name": call.name,
        "arguments": call.args,
    });
    if let Some(id) = &call.id {
        item["call_id"] = id.as_str().into();
    }
    item
}

fn item_events(place: usize, part: &Part, item: &Value, delivery: &Delivery) -> Vec<Value> {
    let mut begun = item.clone();
    let place_of = |kind: &str| json!({ "type": kind, "output_index": place, "item_id": item["id"] });
    let mut pieces = Vec::new();
    match part {
        Part::Text(text) => {
            begun["content"] = json!([]);
            let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
            pieces.push(with(place_of("response.content_part.added"), json!({ "content_index": 0, "part": empty })));
            pieces.extend(words(text).map(|word| {
                let fields = json!({ "content_index": 0, "delta": word, "logprobs": [] });
                with(place_of("response.output_text.delta"), fields)
            }));
            let fields = json!({ "content_index": 0, "text": text, "logprobs": [] });
            pieces.push(with(place_of("response.output_text.done"), fields));
            let fields = json!({ "content_index": 0, "part": item["content"][0] });
            pieces.push(with(place_of("response.content_part.done"), fields));
        }
        Part::Thinking { text, .. } if !text.is_empty() => {
            begun["summary"] = json!([]);
            let empty = json!({ "type": "summary_text", "text": "" });
            let fields = json!({ "summary_index": 0, "part": empty });
            pieces.push(with(place_of("response.reasoning_summary_part.added"), fields));
            pieces.extend(words(text).map(|word| {
                let fields = json!({ "summary_index": 0, "delta": word });
                with(place_of("response.reasoning_summary_text.delta"), fields)
            }));
        }
        Part::Call(call) => {
            begun["arguments"] = "".into();
            let given = fragments(&call.args, delivery.fragment);
            pieces.extend(
                given
                    .iter()
                    .map(|piece| with(place_of("response.function_call_arguments.delta"), json!({ "delta": piece }))),
            );
            let fields = json!({ "arguments": call.args, "name": call.name });
            pieces.push(with(place_of("response.function_call_arguments.done"), fields));
        }
        Part::Thinking { .. } | Part::Sealed(_) => {}
    }
    if delivery.quirks.contains(&Quirk::WholeItems) {
        pieces.clear();
    }
    let added = json!({ "type": "response.output_item.added", "output_index": place, "item": begun });
    let done = json!({ "type": "response.output_item.done", "output_index": place, "item": item });
    [vec![added], pieces, vec![done]].concat()
}

fn with(mut event: Value, fields: Value) -> Value {
    if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
        event.extend(fields);
    }
    event
}
