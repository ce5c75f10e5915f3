//! Droid: a line a message, and beside it a file with the settings of the session and the sums of what it took. What one answer took is not told.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used, apart, with_rest},
};
use crate::record::{Found, Place, Role};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    match json::text(line, "type") {
        Some("session_start") => {
            known.begin(json::text(line, "id"), json::text(line, "cwd"), found);
            let title = json::text(line, "sessionTitle").or(json::text(line, "title"));
            found.sessions[0].title = title.map(str::to_owned);
        }
        Some("message") => message(known, line, when, found),
        _ => {}
    }
}

fn message(known: &Known, line: &Value, when: (Option<aside_core::Timestamp>, Place), found: &mut Found) {
    let role = match json::text(line, "message.role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return,
    };
    let id = json::text(line, "id").map(str::to_owned);
    known.message_with_id(id, (role, said(json::at(line, "message.content"))), when, found);
    for block in json::list(line, "message.content") {
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

/// The text of a content or of its blocks, without the program's additions to a person's words.
fn said(content: Option<&Value>) -> String {
    let Some(blocks) = content.and_then(Value::as_array) else { return json::said(content) };
    let is_text = |block: &&Value| json::text(block, "type") == Some("text");
    let texts = blocks.iter().filter(is_text).filter_map(|block| json::text(block, "text"));
    texts.filter(|text| !text.trim_start().starts_with("<system-reminder>")).collect::<Vec<_>>().join("\n")
}

/// Reads the settings of a session. Reasoning is a part of what was answered.
pub fn settings(known: &Known, document: &Value, place: Place, found: &mut Found) {
    let Some(usage) = document.get("tokenUsage") else { return };
    let at = json::moment(document, "providerLockTimestamp");
    found.sessions[0].saw(at);
    let tokens = apart(usage, ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"]);
    let used = Used {
        tokens: with_rest(tokens, usage, ["outputTokens", "totalTokens"]),
        model: None,
        key: Some(format!("droid session {}", known.session)),
        ..Used::default()
    };
    let model = json::text(document, "model").map(model_name);
    known.response(Used { model: model.as_deref(), ..used }, (at, place), found);
}

/// `Claude-Sonnet-4-[Anthropic]-0` or `custom:…` is a name that a person chose from a list.
fn model_name(model: &str) -> String {
    let bare = model.strip_prefix("custom:").unwrap_or(model);
    let bare = bare.split('[').next().unwrap_or(bare).trim_end_matches(['-', ' ']);
    bare.split_whitespace().collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use crate::{
        Source,
        reader::tests::{read_as, read_whole},
        record::Mode,
    };

    #[test]
    fn messages_and_calls_are_read_from_lines() {
        let found = read_as(Source::Droid, br#"{"type":"session_start","id":"d1","title":"Cart","cwd":"/w","version":2}
{"type":"message","id":"m1","timestamp":"2026-06-30T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>Model: x</system-reminder>"},{"type":"text","text":"Fix it"}]}}
{"type":"message","id":"m2","timestamp":"2026-06-30T10:00:01.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Well"},{"type":"tool_use","id":"t1","name":"Create","input":{"file_path":"a.rs","content":"x"}}]}}
{"type":"message","id":"m3","timestamp":"2026-06-30T10:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":false,"content":"made"}]}}
{"type":"todo_state","id":"t","todos":[]}
"#);
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Fix it", "Well"]);
        let call = &found.calls[0];
        assert_eq!(
            (call.touches[0].path.as_str(), call.touches[0].mode, call.ok),
            ("/w/a.rs", Mode::Write, Some(true))
        );
        assert_eq!((found.sessions[0].id.as_str(), found.sessions[0].title.as_deref()), ("d1", Some("Cart")));
    }

    #[test]
    fn session_sums_are_read_from_settings() {
        let found = read_whole(Source::Droid, br#"{"model":"custom:Claude-Sonnet-4-5-[Anthropic]-0","providerLock":"anthropic","providerLockTimestamp":"2026-06-30T10:00:00.000Z",
            "tokenUsage":{"inputTokens":100,"outputTokens":50,"cacheCreationTokens":20,"cacheReadTokens":10,"thinkingTokens":5}}"#);
        let one = &found.responses[0];
        assert_eq!(
            (one.tokens.total(), one.tokens.cache_write, one.model.as_deref()),
            (180, 20, Some("claude-sonnet-4-5"))
        );
        assert_eq!(one.at, "2026-06-30T10:00Z".parse().ok());
        assert_eq!(read_whole(Source::Droid, b"{\"model\":\"x\"}").responses, []);
    }
}
