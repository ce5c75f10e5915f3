//! Copilot CLI: a line an event. An answer tells little of what it took: amounts are estimates, and too low, until the program ends and tells all
//! that it took since it was started, model by model.

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    json,
    session::{Known, Used, with_cached_input},
};
use crate::record::{Ending, Found, Place, Role, Tokens};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    let Some(data) = line.get("data") else { return };
    match json::text(line, "type") {
        Some("session.resume") => known.since = place.offset,
        Some("session.shutdown") => ended(known, data, when, found),
        Some("session.start") => {
            known.since = place.offset;
            known.begin(None, json::text(data, "context.cwd").or(json::text(data, "cwd")), found);
            known.model = json::text(data, "selectedModel").map(str::to_owned).or(known.model.take());
        }
        Some("session.model_change") => {
            let chosen = json::text(data, "newModel").or(json::text(data, "model"));
            known.model = chosen.map(str::to_owned).or(known.model.take());
        }
        Some("user.message") => known.message(Role::User, json::said(data.get("content")), when, found),
        Some("assistant.message") => {
            known.message(Role::Assistant, json::said(data.get("content")), when, found);
            for call in json::list(data, "toolCalls").chain(json::list(data, "toolRequests")) {
                let id = json::text(call, "id").or(json::text(call, "toolCallId"));
                known.call((json::text(call, "name"), id, call.get("arguments")), when, found);
            }
            let tokens = Tokens {
                input: json::count(data, "inputTokens"),
                output: json::count(data, "outputTokens"),
                ..Tokens::default()
            };
            let assumed = tokens.input == 0;
            let key = json::text(data, "messageId").or(json::text(line, "id")).map(str::to_owned);
            known.response(
                Used { tokens, model: json::text(data, "model"), key, assumed, ..Used::default() },
                when,
                found,
            );
        }
        Some("tool.execution_complete") => {
            let ending = json::text(data, "toolCallId").zip(data.get("success").and_then(Value::as_bool));
            found.endings.extend(ending.map(|(id, ok)| Ending { id: id.to_owned(), ok }));
        }
        _ => {}
    }
}

/// Takes what was taken since the program was started, in the place of the estimates.
fn ended(known: &Known, data: &Value, when: (Option<Timestamp>, Place), found: &mut Found) {
    let models = json::at(data, "modelMetrics").and_then(Value::as_object).into_iter().flatten();
    let used = models.map(|(model, told)| (model, told, tokens(told))).filter(|(.., tokens)| tokens.total() > 0);
    let used: Vec<_> = used.collect();
    if used.is_empty() {
        return;
    }
    // Some of the estimates may have been read before.
    found.anew = true;
    found.responses.retain(|response| response.place.offset < known.since);
    for (model, told, tokens) in used {
        let input = tokens.total() - tokens.output;
        let calls = json::count(told, "requests.count").max(1);
        let key = Some(format!("{} {} {model}", known.session, when.1.offset));
        let longest = (calls > 1).then(|| input.div_ceil(calls));
        known.response(Used { tokens, model: Some(model), key, longest, ..Used::default() }, when, found);
    }
}

/// The input is told with what was read from a cache and written to one.
fn tokens(told: &Value) -> Tokens {
    let Some(usage) = told.get("usage") else { return Tokens::default() };
    let read = with_cached_input(usage, ["inputTokens", "cacheReadTokens", "outputTokens", ""]);
    let cache_write = json::count(usage, "cacheWriteTokens").min(read.input);
    Tokens { input: read.input - cache_write, cache_write, ..read }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn what_is_missing_makes_an_estimate() {
        let found = read_as(Source::Copilot, br#"{"type":"session.start","timestamp":"2026-06-30T10:00:00.000Z","data":{"context":{"cwd":"/w"}}}
{"type":"session.model_change","data":{"newModel":"gpt-5"}}
{"type":"user.message","data":{"content":"go"}}
{"type":"assistant.message","timestamp":"2026-06-30T10:00:01.000Z","data":{"messageId":"m","content":"","outputTokens":9,"toolCalls":[{"id":"c","name":"view","arguments":{"path":"/w/a"}}]}}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false}}
"#);
        let one = &found.responses[0];
        assert_eq!((one.model.as_deref(), one.tokens.output, one.assumed), (Some("gpt-5"), 9, true));
        assert_eq!(found.calls[0].ok, Some(false));
        assert_eq!(found.messages.len(), 1);
    }

    #[test]
    fn end_of_each_run_tells_what_it_took() {
        let line = |kind: &str, data: &str| {
            format!("{{\"type\":\"{kind}\",\"timestamp\":\"2026-06-30T10:00:01.000Z\",\"data\":{{{data}}}}}\n")
        };
        let answer =
            |id: &str| line("assistant.message", &format!(r#""messageId":"{id}","content":"x","outputTokens":9"#));
        let end = |input: u64| {
            line(
                "session.shutdown",
                &format!(
                    r#""modelMetrics":{{"gpt-5":{{"requests":{{"count":2}},"usage":{{"inputTokens":{input},"outputTokens":90,"cacheReadTokens":100,"cacheWriteTokens":20}}}}}}"#
                ),
            )
        };
        let log = [
            line("session.start", ""),
            answer("a"),
            end(200),
            line("session.resume", ""),
            answer("b"),
            end(300),
            line("session.resume", ""),
            answer("c"),
        ];
        let found = read_as(Source::Copilot, log.concat().as_bytes());
        let told: Vec<_> = found
            .responses
            .iter()
            .map(|one| {
                (one.tokens.input, one.tokens.cache_read, one.tokens.cache_write, one.tokens.output, one.assumed)
            })
            .collect();
        assert_eq!(told, [(80, 100, 20, 90, false), (180, 100, 20, 90, false), (0, 0, 0, 9, true)]);
        assert_eq!(found.responses[1].longest, Some(150));
        assert_eq!(found.messages.len(), 3);
    }
}
