//! An answer as lines of `/api/chat`.

use serde_json::{Value, json};

use super::{
    script::{Answer, Call, Delivery, Part, Quirk, Stop},
    transport::words,
};

/// Returns the lines of an answer.
pub(super) fn render(answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let mut lines: Vec<Value> = answer.parts.iter().flat_map(part).collect();
    if delivery.quirks.contains(&Quirk::Unknown) {
        lines.insert(0, json!({ "model": "fake", "novelty": { "deep": [1, 2] } }));
    }
    lines.push(last(answer));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns the line that says that it failed.
pub(super) fn error(message: &str) -> String {
    format!("{}\n", json!({ "error": message }))
}

fn part(part: &Part) -> Vec<Value> {
    let line = |message: Value| json!({ "model": "fake", "message": message, "done": false });
    match part {
        Part::Text(text) => words(text).map(|word| line(json!({ "role": "assistant", "content": word }))).collect(),
        Part::Thinking { text, .. } => {
            words(text).map(|word| line(json!({ "role": "assistant", "content": "", "thinking": word }))).collect()
        }
        Part::Sealed(_) => vec![],
        Part::Call(call) => {
            vec![line(json!({ "role": "assistant", "content": "", "tool_calls": [self::call(call)] }))]
        }
    }
}

fn call(call: &Call) -> Value {
    let args = if call.args.is_empty() { Ok(json!({})) } else { serde_json::from_str::<Value>(&call.args) };
    let args = args.unwrap_or_else(|_| Value::String(call.args.clone()));
    let mut rendered = json!({ "function": { "index": 0, "name": call.name, "arguments": args } });
    if let Some(id) = &call.id {
        rendered["id"] = id.as_str().into();
    }
    rendered
}

fn last(answer: &Answer) -> Value {
    let reason = if answer.stop == Stop::Length { "length" } else { "stop" };
    let mut last = json!({
        "model": "fake",
        "created_at": "2026-01-01T00:00:00Z",
        "message": { "role": "assistant", "content": "" },
        "done": true,
        "done_reason": reason,
        "total_duration": 1,
        "eval_duration": 1,
    });
    if let Some(counts) = &answer.counts {
        last["prompt_eval_count"] = counts.input.into();
        last["eval_count"] = counts.output.into();
    }
    last
}
