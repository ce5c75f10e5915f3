//! An answer as chunks of `streamGenerateContent`.

use serde_json::{Value, json};

use super::{
    script::{Answer, Call, Counts, Delivery, Part, Quirk, Stop},
    transport::words,
};

/// Returns the events of an answer.
pub(super) fn render(answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let mut parts = parts(answer);
    if has(Quirk::Unknown) {
        parts.insert(0, json!({ "novelty": { "deep": [1, 2] } }));
    }
    let mut chunks: Vec<Value> = parts.into_iter().map(|part| chunk(json!([part]), None, answer)).collect();
    let reason = match answer.stop {
        Stop::End | Stop::Calls => "STOP",
        Stop::Length => "MAX_TOKENS",
        Stop::Refusal => "SAFETY",
    };
    chunks.push(chunk(json!([{ "text": "" }]), Some(reason), answer));
    if has(Quirk::BareEnd) {
        let last = chunks.last_mut().expect("one was just pushed");
        last["candidates"][0] = json!({ "finishReason": reason, "index": 0 });
    }
    let done = has(Quirk::DoneMarker).then(|| "data: [DONE]\n\n".to_owned());
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).chain(done).collect()
}

/// Returns the event that says that it failed.
pub(super) fn error(kind: &str, message: &str) -> String {
    format!("data: {}\n\n", json!({ "error": { "code": 500, "message": message, "status": kind } }))
}

/// The parts of an answer. A signature is on the part after the thought, or on an empty one at the end.
fn parts(answer: &Answer) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut waiting: Option<&str> = None;
    for part in &answer.parts {
        let mut own: Vec<Value> = match part {
            Part::Text(text) => words(text).map(|word| json!({ "text": word })).collect(),
            Part::Thinking { text, .. } => words(text).map(|word| json!({ "text": word, "thought": true })).collect(),
            Part::Sealed(_) => vec![],
            Part::Call(call) => vec![self::call(call)],
        };
        if let (Some(last), false) = (own.last_mut(), matches!(part, Part::Thinking { .. }))
            && let Some(signature) = waiting.take()
        {
            last["thoughtSignature"] = signature.into();
        }
        parts.extend(own);
        if let Part::Thinking { signature, .. } | Part::Sealed(signature) = part {
            waiting = Some(signature);
        }
    }
    parts.extend(waiting.map(|signature| json!({ "text": "", "thoughtSignature": signature })));
    parts
}

fn call(call: &Call) -> Value {
    let mut made = json!({ "name": call.name });
    if !call.args.is_empty() {
        made["args"] = serde_json::from_str(&call.args).unwrap_or_else(|_| Value::String(call.args.clone()));
    }
    if let Some(id) = &call.id {
        made["id"] = id.as_str().into();
    }
    json!({ "functionCall": made })
}

fn chunk(parts: Value, reason: Option<&str>, answer: &Answer) -> Value {
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    let mut chunk = json!({ "candidates": [candidate], "modelVersion": "fake", "responseId": "r1" });
    if let Some(counts) = &answer.counts {
        chunk["usageMetadata"] = usage(counts, reason.is_some());
    }
    chunk
}

/// The figures grow; the output is there from the first word on, but incomplete.
fn usage(counts: &Counts, is_last: bool) -> Value {
    let output = counts.output.saturating_sub(counts.reasoning);
    json!({
        "promptTokenCount": counts.input,
        "cachedContentTokenCount": counts.cache_read,
        "candidatesTokenCount": if is_last { output } else { 1 },
        "thoughtsTokenCount": counts.reasoning,
        "totalTokenCount": counts.input + counts.output,
    })
}
