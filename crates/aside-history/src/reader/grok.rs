//! Grok CLI of xAI: a folder a session. One log has what models and people said, without a time; another has what was shown, with times and what
//! each turn took. A cost is told in 10⁻¹⁰ dollars.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used, with_cached_input},
};
use crate::record::{Found, Place, Role};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    match json::at(line, "params.update").or(line.get("update")) {
        Some(update) => shown(known, line, update, place, found),
        None => chat(known, line, place, found),
    }
}

/// A record of what was said and done.
fn chat(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (None, place);
    match json::text(line, "type") {
        // What the program says in a person's place has a reason, and an interjection is the person's own.
        Some("user") if matches!(json::text(line, "synthetic_reason"), None | Some("interjection")) => {
            known.message(Role::User, typed(&json::said(line.get("content"))), when, found);
        }
        Some("assistant") => {
            known.model = json::text(line, "model_id").map(str::to_owned).or(known.model.take());
            known.message(Role::Assistant, json::said(line.get("content")), when, found);
            for call in json::list(line, "tool_calls") {
                let name = json::text(call, "name").or(json::text(call, "function.name"));
                let arguments = call.get("arguments").or(json::at(call, "function.arguments"));
                known.call((name, json::text(call, "id"), arguments), when, found);
            }
        }
        // Whether it went well is told by the other log.
        Some("tool_result") => {
            let told = json::text(line, "tool_call_id").zip(line.get("content"));
            if let (Some(details), Some((id, content))) = (&mut found.details, told) {
                details.results.insert(id.to_owned(), content.clone());
            }
        }
        _ => {}
    }
}

/// The words that a person typed: a question may stand in `<user_query>`, and additions of the program begin with marks of their own.
fn typed(text: &str) -> String {
    if let Some((query, _)) = text.split_once("<user_query>").and_then(|(_, rest)| rest.split_once("</user_query>")) {
        return query.trim().to_owned();
    }
    let is_added = ["<user_info>", "<system-reminder>"].iter().any(|mark| text.trim_start().starts_with(mark));
    if is_added { String::new() } else { text.to_owned() }
}

/// Adds the usage of a turn from an update that was shown, by model if that is told.
fn shown(known: &Known, line: &Value, update: &Value, place: Place, found: &mut Found) {
    let at = json::moment(line, "params._meta.agentTimestampMs").or(json::moment(line, "timestamp"));
    found.sessions[0].saw(at);
    let Some(usage) = update.get("usage") else { return };
    let turn = json::text(update, "prompt_id").map_or_else(|| place.offset.to_string(), str::to_owned);
    let mut take = |model: Option<&str>, usage: &Value| {
        // It is told of the whole turn what it cost; what a model took of it may be told without.
        let used = Used {
            tokens: with_cached_input(usage, ["inputTokens", "cachedReadTokens", "outputTokens", ""]),
            model,
            key: Some(format!("grok {} {turn} {}", known.session, model.unwrap_or_default())),
            recorded: cost(usage),
            ..Used::default()
        };
        known.response(used, (at, place), found);
    };
    match usage.get("modelUsage").and_then(Value::as_object).filter(|models| !models.is_empty()) {
        Some(models) => models.iter().for_each(|(model, usage)| take(Some(model), usage)),
        None => take(None, usage),
    }
}

/// A cost in 10⁻¹² dollars.
fn cost(usage: &Value) -> Option<u64> {
    let ticks = json::count(usage, "costUsdTicks");
    Some(ticks).filter(|ticks| (1..10_u64.pow(16)).contains(ticks)).map(|ticks| ticks * 100)
}

#[cfg(test)]
mod tests {
    use crate::{
        Source,
        reader::tests::read_as,
        record::{Mode, Role},
    };

    #[test]
    fn chat_has_words_and_calls() {
        let found = read_as(Source::Grok, br#"{"type":"system","content":"You are"}
{"type":"user","content":[{"type":"text","text":"policy"}],"synthetic_reason":"project_instructions"}
{"type":"user","content":[{"type":"text","text":"<user_info>\nOS</user_info>"}]}
{"type":"user","content":[{"type":"text","text":"<user_query>\nFix it\n</user_query>"}],"prompt_index":0}
{"type":"assistant","content":"Reading.","tool_calls":[{"id":"c1","name":"Read","arguments":"{\"path\":\"/w/a.rs\"}"}],"model_id":"grok-4.5"}
{"type":"tool_result","tool_call_id":"c1","content":"body"}
{"type":"user","content":"also this","synthetic_reason":"interjection"}
"#);
        let said: Vec<_> = found.messages.iter().map(|one| (one.role, one.text.as_str())).collect();
        assert_eq!(said, [(Role::User, "Fix it"), (Role::Assistant, "Reading."), (Role::User, "also this")]);
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].touches[0].mode), ("/w/a.rs", Mode::Read));
    }

    #[test]
    fn turns_have_usage_by_model() {
        let found = read_as(Source::Grok, br#"{"timestamp":1782813600,"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk"},"_meta":{"totalTokens":5}}}
{"timestamp":1782813601,"params":{"update":{"sessionUpdate":"turn_completed","prompt_id":"p1","usage":{"inputTokens":1,"modelUsage":{"grok-4.5":{"inputTokens":1100,"outputTokens":10,"cachedReadTokens":1000,"reasoningTokens":4,"costUsdTicks":424128000},"grok-build-0.1":{"inputTokens":50,"outputTokens":5}}}}}}
{"timestamp":1782813602,"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":20,"outputTokens":2,"modelUsage":{}}}}}
"#);
        let counts = |at: usize| {
            let one = &found.responses[at];
            (one.model.as_deref(), one.tokens.input, one.tokens.cache_read, one.tokens.output, one.recorded)
        };
        assert_eq!(counts(0), (Some("grok-4.5"), 100, 1000, 10, Some(42_412_800_000)));
        assert_eq!(counts(1), (Some("grok-build-0.1"), 50, 0, 5, None));
        assert_eq!(counts(2), (None, 20, 0, 2, None));
        assert_eq!(found.responses[0].at, Some(aside_core::Timestamp(1_782_813_601_000)));
    }
}
