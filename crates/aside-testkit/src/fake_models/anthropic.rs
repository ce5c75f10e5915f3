//! An answer as the events of Messages.

use serde_json::{Value, json};

use super::{
    script::{Answer, Call, Counts, Delivery, Part, Quirk, Stop},
    transport::{fragments, words},
};

/// Returns the events of an answer.
pub(super) fn render(answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let mut events = vec![start(answer, delivery), json!({ "type": "ping" })];
    for (index, part) in answer.parts.iter().enumerate() {
        events.extend(block(index, part, delivery));
    }
    if has(Quirk::Unknown) {
        let index = answer.parts.len();
        events.push(json!({ "type": "novelty", "deep": [1, { "a": 2 }] }));
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "hologram" } }));
        events.push(
            json!({ "type": "content_block_delta", "index": index, "delta": { "type": "hologram_delta", "x": 1 } }),
        );
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(end(answer, delivery));
    if !has(Quirk::NoDone) {
        events.push(json!({ "type": "message_stop" }));
    }
    events.iter().map(|event| named(event, !has(Quirk::EventLines))).collect()
}

/// Returns the event that says that it failed.
pub(super) fn error(kind: &str, message: &str) -> String {
    named(&json!({ "type": "error", "error": { "type": kind, "message": message } }), true)
}

fn named(event: &Value, with_name: bool) -> String {
    let name =
        if with_name { format!("event: {}\n", event["type"].as_str().unwrap_or_default()) } else { String::new() };
    format!("{name}data: {event}\n\n")
}

fn start(answer: &Answer, delivery: &Delivery) -> Value {
    let mut counts = answer.counts.unwrap_or_default();
    counts.output = 1;
    if delivery.quirks.contains(&Quirk::GrowingInput) {
        counts.input = counts.cache_read + counts.cache_write + 1;
    }
    json!({ "type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage(&counts),
    } })
}

fn end(answer: &Answer, delivery: &Delivery) -> Value {
    let reason = match answer.stop {
        Stop::End => "end_turn",
        Stop::Calls => "tool_use",
        Stop::Length => "max_tokens",
        Stop::Refusal => "refusal",
    };
    let counts = answer.counts.unwrap_or_default();
    let mut used = json!({ "output_tokens": counts.output });
    if delivery.quirks.contains(&Quirk::GrowingInput) {
        used = usage(&counts);
    }
    if answer.counts.is_some() {
        used["output_tokens_details"] = json!({ "thinking_tokens": counts.reasoning });
    }
    if delivery.quirks.contains(&Quirk::Iterations) {
        used["iterations"] = json!([usage(&counts), usage(&counts)]);
    }
    json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": used })
}

fn usage(counts: &Counts) -> Value {
    json!({
        "input_tokens": counts.input.saturating_sub(counts.cache_read + counts.cache_write),
        "cache_read_input_tokens": counts.cache_read,
        "cache_creation_input_tokens": counts.cache_write,
        "cache_creation": {
            "ephemeral_5m_input_tokens": counts.cache_write.saturating_sub(counts.cache_write_hour),
            "ephemeral_1h_input_tokens": counts.cache_write_hour,
        },
        "output_tokens": counts.output,
    })
}

fn block(index: usize, part: &Part, delivery: &Delivery) -> Vec<Value> {
    let (start, deltas) = match part {
        Part::Text(text) => (json!({ "type": "text", "text": "" }), deltas("text_delta", "text", words(text))),
        Part::Thinking { text, signature } => {
            let mut deltas = deltas("thinking_delta", "thinking", words(text));
            deltas.push(json!({ "type": "signature_delta", "signature": signature }));
            (json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas)
        }
        Part::Sealed(data) => (json!({ "type": "redacted_thinking", "data": data }), vec![]),
        Part::Call(call) => tool_use(call, delivery),
    };
    let wrap = |delta| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let mut events = vec![json!({ "type": "content_block_start", "index": index, "content_block": start })];
    events.extend(deltas.into_iter().map(wrap));
    events.push(json!({ "type": "content_block_stop", "index": index }));
    events
}

fn deltas<'a>(kind: &str, field: &str, words: impl Iterator<Item = &'a str>) -> Vec<Value> {
    words.map(|word| json!({ "type": kind, field: word })).collect()
}

fn tool_use(call: &Call, delivery: &Delivery) -> (Value, Vec<Value>) {
    let mut start = json!({ "type": "tool_use", "name": call.name, "input": {} });
    if let Some(id) = &call.id {
        start["id"] = id.as_str().into();
    }
    let fragments = fragments(&call.args, delivery.fragment);
    let mut deltas = deltas("input_json_delta", "partial_json", fragments.iter().map(String::as_str));
    if delivery.quirks.contains(&Quirk::NoArgsKey) && call.args.is_empty() {
        start.as_object_mut().expect("an object was just built").remove("input");
        deltas.clear();
    }
    (start, deltas)
}
