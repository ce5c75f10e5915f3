//! An answer as chat completion chunks.

use serde_json::{Value, json};

use super::{
    script::{Answer, Call, Counts, Delivery, Part, Quirk, Stop},
    transport::{fragments, words},
};

/// Returns the events of an answer.
pub(super) fn render(answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let mut chunks =
        vec![delta(json!({ "role": "assistant", "content": if has(Quirk::Nulls) { Value::Null } else { "".into() } }))];
    let mut calls = 0;
    for part in &answer.parts {
        chunks.extend(self::part(part, calls, delivery));
        calls += usize::from(matches!(part, Part::Call(_)));
    }
    if has(Quirk::Unknown) {
        chunks.insert(1, json!({ "id": "x", "choices": [], "prompt_filter_results": [{ "deep": {} }] }));
    }
    if has(Quirk::Nulls) {
        chunks.push(delta(json!({ "content": null, "tool_calls": null, "refusal": null })));
    }
    finish(answer, delivery, &mut chunks);
    let mut events: Vec<_> = chunks.iter().map(|chunk| event(chunk, has(Quirk::EventLines))).collect();
    if !has(Quirk::NoDone) {
        events.push("data: [DONE]\n\n".to_owned());
    }
    events
}

/// Returns the event that says that it failed.
pub(super) fn error(kind: &str, message: &str) -> String {
    event(&json!({ "error": { "message": message, "type": kind, "code": null } }), true)
}

fn event(chunk: &Value, named: bool) -> String {
    let name = match named {
        true if chunk["error"].is_object() => "event: error\n",
        true => "event: completion\n",
        false => "",
    };
    format!("{name}data: {chunk}\n\n")
}

fn chunk(choice: Value) -> Value {
    json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "fake", "choices": [choice] })
}

fn delta(delta: Value) -> Value {
    chunk(json!({ "index": 0, "delta": delta, "finish_reason": null }))
}

fn part(part: &Part, calls: usize, delivery: &Delivery) -> Vec<Value> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let content = |word: &str| match has(Quirk::ContentParts) {
        true => json!([{ "type": "text", "text": word }]),
        false => word.into(),
    };
    match part {
        Part::Text(text) => words(text).map(|word| delta(json!({ "content": content(word) }))).collect(),
        Part::Thinking { text, .. } => {
            let field = if has(Quirk::Reasoning) { "reasoning" } else { "reasoning_content" };
            words(text).map(|word| delta(json!({ "content": null, field: word }))).collect()
        }
        Part::Sealed(data) => {
            let details = json!([{ "type": "reasoning.encrypted", "data": data, "index": 0 }]);
            vec![delta(json!({ "content": null, "reasoning_details": details }))]
        }
        Part::Call(call) => call_chunks(call, calls, delivery),
    }
}

fn call_chunks(call: &Call, number: usize, delivery: &Delivery) -> Vec<Value> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let index = (!has(Quirk::NoIndex)).then_some(if has(Quirk::SameIndex) { 0 } else { number });
    let indexed = |mut fragment: Value| {
        if let Some(index) = index {
            fragment["index"] = index.into();
        }
        delta(json!({ "tool_calls": [fragment] }))
    };
    let mut pieces = fragments(&call.args, delivery.fragment).into_iter();
    let mut first = json!({ "type": "function", "function": { "name": call.name } });
    if let Some(id) = &call.id {
        first["id"] = id.as_str().into();
    }
    if !(has(Quirk::NoArgsKey) && call.args.is_empty()) {
        first["function"]["arguments"] = pieces.next().unwrap_or_default().into();
    }
    if has(Quirk::ObjectArgs) {
        first["function"]["arguments"] = serde_json::from_str(&call.args).unwrap_or_default();
        return vec![indexed(first)];
    }
    let rest = pieces.map(|piece| indexed(json!({ "function": { "arguments": piece } })));
    std::iter::once(indexed(first)).chain(rest).collect()
}

fn finish(answer: &Answer, delivery: &Delivery, chunks: &mut Vec<Value>) {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let reason = match answer.stop {
        Stop::Calls if !has(Quirk::StopWithCalls) => "tool_calls",
        Stop::End | Stop::Calls => "stop",
        Stop::Length => "length",
        Stop::Refusal => "content_filter",
    };
    let finish = chunk(json!({ "index": 0, "delta": {}, "finish_reason": reason }));
    let mut usage = answer.counts.as_ref().map(usage);
    if let (Some(usage), Some(counts)) = (&mut usage, &answer.counts)
        && has(Quirk::ReasoningApart)
    {
        usage["completion_tokens"] = counts.output.saturating_sub(counts.reasoning).into();
    }
    if !has(Quirk::NoFinish) {
        chunks.push(finish.clone());
    }
    let Some(usage) = usage else { return };
    if has(Quirk::FinishTwice) {
        chunks.push(with(finish, "usage", usage));
    } else if has(Quirk::UsageWithFinish) {
        let last = chunks.pop().unwrap_or(finish);
        chunks.push(with(last, "usage", usage));
    } else if has(Quirk::GroqUsage) {
        chunks.push(with(chunk(json!({ "index": 0, "delta": {} })), "x_groq", json!({ "usage": usage })));
    } else {
        chunks.push(json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "fake", "choices": [], "usage": usage }));
    }
}

fn with(mut chunk: Value, field: &str, value: Value) -> Value {
    chunk[field] = value;
    chunk
}

fn usage(counts: &Counts) -> Value {
    json!({
        "prompt_tokens": counts.input,
        "completion_tokens": counts.output,
        "total_tokens": counts.input + counts.output,
        "prompt_tokens_details": { "cached_tokens": counts.cache_read, "cache_write_tokens": counts.cache_write },
        "completion_tokens_details": { "reasoning_tokens": counts.reasoning },
    })
}
