//! Cowork's stream of events, where its session has no log of Claude Code: what was said and done, and the sums by model that each result has.
//! These grow from result to result, and begin anew when the program was started anew.

use std::collections::HashMap;

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    escapes, json, not_utf8, object,
    session::{Known, Used, apart},
    unreadable,
};
use crate::{
    lines::each_line,
    record::{Found, Place, Problem, Role, Tokens},
};

const COUNTS: [&str; 4] = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];

/// Reads a whole stream.
pub fn stream(known: &mut Known, bytes: &[u8], base: usize, found: &mut Found) {
    let mut before: HashMap<String, (Tokens, u64)> = HashMap::new();
    let mut whole = bytes.to_vec();
    if !whole.ends_with(b"\n") {
        whole.push(b'\n');
    }
    each_line(&whole, base as u64, |line, place| {
        if let Err(reason) = event(known, line, place, &mut before, found) {
            found.problems.push(Problem { offset: place.offset, reason });
        }
    });
}

fn event(
    known: &mut Known,
    line: &[u8],
    place: Place,
    before: &mut HashMap<String, (Tokens, u64)>,
    found: &mut Found,
) -> Result<(), String> {
    object(line)?;
    let event: Value = escapes::parse(&String::from_utf8_lossy(line)).map_err(|error| unreadable(&error))?;
    let when = (json::moment(&event, "_audit_timestamp").or(json::moment(&event, "timestamp")), place);
    found.sessions[0].saw(when.0);
    match json::text(&event, "type") {
        Some("system") => known.begin(None, json::text(&event, "cwd"), found),
        Some("user") => said(known, Role::User, &event, when, found),
        Some("assistant") => said(known, Role::Assistant, &event, when, found),
        Some("result") => {
            for (model, usage) in event.get("modelUsage").and_then(Value::as_object).into_iter().flatten() {
                let (tokens, recorded) = grown(before, model, usage);
                let key = Some(format!("cowork {} {} {model}", known.session, place.offset));
                known.response(Used { tokens, model: Some(model), key, recorded, ..Used::default() }, when, found);
            }
        }
        _ => {}
    }
    not_utf8(line)
}

/// Returns the usage added since the previous result: all of it where any count is lower than before.
fn grown(before: &mut HashMap<String, (Tokens, u64)>, model: &str, usage: &Value) -> (Tokens, Option<u64>) {
    let (now, cost) = (apart(usage, COUNTS), json::dollars(usage, "costUSD").unwrap_or(0));
    let (last, last_cost) = before.insert(model.to_owned(), (now, cost)).unwrap_or_default();
    let parts = |one: &Tokens| [one.input, one.output, one.cache_read, one.cache_write];
    let is_anew = parts(&now).iter().zip(parts(&last)).any(|(now, last)| *now < last);
    let (last, last_cost) = if is_anew { (Tokens::default(), 0) } else { (last, last_cost) };
    let tokens = Tokens {
        input: now.input - last.input,
        output: now.output - last.output,
        cache_read: now.cache_read - last.cache_read,
        cache_write: now.cache_write - last.cache_write,
        ..Tokens::default()
    };
    (tokens, Some(cost.saturating_sub(last_cost)).filter(|cost| *cost > 0))
}

fn said(known: &Known, role: Role, event: &Value, when: (Option<Timestamp>, Place), found: &mut Found) {
    let content = json::at(event, "message.content");
    known.message(role, json::said(content), when, found);
    for block in json::list(event, "message.content") {
        match json::text(block, "type") {
            Some("tool_use") => {
                known.call((json::text(block, "name"), json::text(block, "id"), block.get("input")), when, found);
            }
            Some("tool_result") => {
                let ok = block.get("is_error") != Some(&Value::Bool(true));
                known.ended(json::text(block, "tool_use_id"), ok, block.get("content"), found);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn results_that_grow_count_once() {
        let result = |at: u32, input: u32, output: u32, cost: f64| {
            format!(
                r#"{{"type":"result","session_id":"x","_audit_timestamp":"2026-06-30T10:0{at}:00.000Z","modelUsage":{{"claude-opus-4-5":{{"inputTokens":{input},"outputTokens":{output},"costUSD":{cost}}}}}}}"#
            )
        };
        let log = [
            r#"{"type":"system","subtype":"init","cwd":"/w"}"#.to_owned(),
            r#"{"type":"user","message":{"role":"user","content":"Fix it"}}"#.to_owned(),
            r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Well"},{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/w/a","content":"x"}}],"usage":{"input_tokens":9}}}"#.to_owned(),
            result(1, 10, 5, 0.5),
            result(2, 30, 9, 0.75),
            result(3, 4, 2, 0.25),
        ];
        let found = read_whole(Source::Cowork, log.join("\n").as_bytes());
        let counts: Vec<_> =
            found.responses.iter().map(|one| (one.tokens.input, one.tokens.output, one.recorded)).collect();
        let dollar = 1_000_000_000_000;
        assert_eq!(counts, [(10, 5, Some(dollar / 2)), (20, 4, Some(dollar / 4)), (4, 2, Some(dollar / 4))]);
        assert_eq!((found.messages.len(), found.calls.len()), (2, 1));
    }
}
