//! Qwen Code: a line a record, in the words of Gemini's API.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used, with_cached_input, with_rest},
};
use crate::record::{Found, Place, Role};

const COUNTS: [&str; 4] = ["promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount"];

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    known.begin(json::text(line, "sessionId"), json::text(line, "cwd"), found);
    found.sessions[0].saw(when.0);
    found.sessions[0].branch = json::text(line, "gitBranch").map(str::to_owned).or(found.sessions[0].branch.take());
    let parts = json::at(line, "message.parts");
    let id = || json::text(line, "uuid").map(str::to_owned);
    match json::text(line, "type") {
        Some("user") => known.message_with_id(id(), (Role::User, json::said(parts)), when, found),
        Some("assistant") => {
            known.message_with_id(id(), (Role::Assistant, json::said(parts)), when, found);
            for part in json::list(line, "message.parts").filter_map(|part| part.get("functionCall")) {
                known.call((json::text(part, "name"), json::text(part, "id"), part.get("args")), when, found);
            }
            let Some(usage) = line.get("usageMetadata") else { return };
            let used = Used {
                tokens: with_rest(with_cached_input(usage, COUNTS), usage, [COUNTS[2], "totalTokenCount"]),
                model: json::text(line, "model"),
                key: id(),
                ..Used::default()
            };
            known.response(used, when, found);
        }
        Some("tool_result") => {
            let told = |part: &Value| part.get("functionResponse").is_some();
            for part in json::list(line, "message.parts").filter(|part| told(part)) {
                let failed = json::at(part, "functionResponse.response.error").is_some();
                let result = json::at(part, "functionResponse.response.output");
                // What says neither that it worked nor that it didn't is not known to have done so.
                let ok = match json::text(line, "toolCallResult.status") {
                    _ if failed => false,
                    Some("error" | "cancelled") => false,
                    Some("success") => true,
                    None if result.is_some() => true,
                    _ => continue,
                };
                known.ended(json::text(part, "functionResponse.id"), ok, result, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn what_was_said_done_and_used_is_found() {
        let found = read_as(Source::Qwen, br#"{"type":"user","sessionId":"q","cwd":"/w","gitBranch":"main","timestamp":"2026-06-30T10:00:00.000Z","message":{"parts":[{"text":"go"}]}}
{"type":"assistant","uuid":"u","timestamp":"2026-06-30T10:00:01.000Z","model":"qwen3-coder-plus","message":{"parts":[{"text":"hm","thought":true},{"text":"Done"},{"functionCall":{"id":"c","name":"read_file","args":{"absolute_path":"/w/a"}}}]},"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":7,"thoughtsTokenCount":3,"totalTokenCount":110}}
{"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c","name":"read_file","response":{"error":"none"}}}]}}
"#);
        let tokens = found.responses[0].tokens;
        assert_eq!((tokens.input, tokens.cache_read, tokens.output), (60, 40, 10));
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["go", "Done"]);
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].ok), ("/w/a", Some(false)));
        let summed = read_as(
            Source::Qwen,
            br#"{"type":"assistant","sessionId":"q","usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"totalTokenCount":110}}
"#,
        );
        assert_eq!((summed.responses[0].tokens.input, summed.responses[0].tokens.output), (60, 10));
        let ended = |rest: &str| {
            let line = format!(r#"{{"type":"tool_result","sessionId":"q",{rest}}}"#) + "\n";
            read_as(Source::Qwen, line.as_bytes()).endings.first().map(|ending| ending.ok)
        };
        let parts = |response: &str| {
            format!(r#""message":{{"parts":[{{"functionResponse":{{"id":"c","response":{response}}}}}]}}"#)
        };
        assert_eq!(ended(&parts(r#"{"output":"x"}"#)), Some(true));
        assert_eq!(ended(&(parts(r#"{"output":"x"}"#) + r#","toolCallResult":{"status":"cancelled"}"#)), Some(false));
        assert_eq!(
            [ended(&parts("{}")), ended(&(parts("{}") + r#","toolCallResult":{"status":"executing"}"#))],
            [None; 2]
        );
        assert_eq!((found.sessions[0].id.as_str(), found.sessions[0].branch.as_deref()), ("q", Some("main")));
    }
}
