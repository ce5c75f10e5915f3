//! Cline 4: the messages of a session as a model's service has them, each answer with what it took. A session that another one started has a
//! file of its own in the folder of that one.

use serde_json::{Value, json};

use super::{Elements, LIST, json};
use crate::{
    reader::session::{Known, Used, with_cached_input},
    record::{Found, Role, Tokens},
};

/// Reads `<session>.messages.json`.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    known.side = json::text(document, "agent").is_some_and(|agent| agent != "lead");
    for (number, message) in json::list(document, LIST).enumerate() {
        let at = json::moment(message, "ts").or_else(|| json::moment(document, "updated_at").filter(|_| number == 0));
        let when = (at, places.at(number));
        found.sessions[0].saw(json::moment(message, "ts"));
        let id = || json::text(message, "id").map(str::to_owned);
        let is_user = json::text(message, "role") == Some("user");
        let text = said(message);
        let typed = if is_user { typed(&text).to_owned() } else { text };
        let role = if is_user { Role::User } else { Role::Assistant };
        known.message_with_id(id(), (role, typed), when, found);
        for block in json::list(message, "content") {
            match json::text(block, "type") {
                Some("tool_use") => {
                    let arguments = block.get("input").map(plain);
                    known.call((json::text(block, "name"), json::text(block, "id"), arguments.as_ref()), when, found);
                }
                Some("tool_result") => {
                    let ok = block.get("is_error") != Some(&Value::Bool(true));
                    known.ended(json::text(block, "tool_use_id"), ok, block.get("content"), found);
                }
                _ => {}
            }
        }
        let Some(metrics) = message.get("metrics") else { continue };
        let used = Used {
            tokens: tokens(metrics),
            model: json::text(message, "modelInfo.id"),
            provider: json::text(message, "modelInfo.provider"),
            key: id().map(|id| format!("{} {id}", known.session)),
            recorded: json::dollars(metrics, "cost"),
            ..Used::default()
        };
        known.response(used, when, found);
    }
}

/// The texts of a message.
fn said(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        _ => {
            let texts = json::list(message, "content").filter(|block| json::text(block, "type") == Some("text"));
            texts.filter_map(|block| json::text(block, "text")).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The words of a person in what the model is told of them.
fn typed(text: &str) -> &str {
    let inner = || {
        let (_, rest) = text.split_once("<user_input")?;
        let (_, rest) = rest.split_once('>')?;
        Some(rest.split_once("</user_input>")?.0.trim())
    };
    inner().unwrap_or(text)
}

/// The input is told with what was read from a cache and written to one.
fn tokens(metrics: &Value) -> Tokens {
    let read = with_cached_input(metrics, ["inputTokens", "cacheReadTokens", "outputTokens", ""]);
    let cache_write = json::count(metrics, "cacheWriteTokens").min(read.input);
    Tokens { input: read.input - cache_write, cache_write, ..read }
}

/// Arguments as other programs have them: several commands are one line, of several files the first counts.
fn plain(input: &Value) -> Value {
    let line = |command: &Value| match command {
        Value::String(line) => Some(line.clone()),
        other => {
            let words = json::list(other, "args").filter_map(Value::as_str);
            Some(json::text(other, "command").into_iter().chain(words).collect::<Vec<_>>().join(" "))
        }
    };
    let commands = match input.get("commands") {
        Some(Value::Array(all)) => all.iter().filter_map(line).collect::<Vec<_>>().join(" && "),
        Some(one) => line(one).unwrap_or_default(),
        None => String::new(),
    };
    let mut plain = input.clone();
    if !commands.is_empty() {
        plain = json!({ "command": commands });
    }
    let is_none = |name: &str| input.get(name).is_none_or(Value::is_null);
    if let Some(text) = input.get("new_text").filter(|_| is_none("old_text") && is_none("insert_line")) {
        plain = json!({ "path": input.get("path"), "content": text });
    }
    let first = ["files", "file_paths", "paths"].into_iter().find_map(|name| match input.get(name)? {
        Value::Array(all) => all.first(),
        one => Some(one),
    });
    if let Some(first) = first {
        let path = first.as_str().or(json::text(first, "path"));
        plain = json!({ "path": path, "start_line": first.get("start_line"), "end_line": first.get("end_line") });
        if let Some(object) = plain.as_object_mut() {
            object.retain(|_, value| !value.is_null());
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn messages_of_version_four_are_read() {
        let log = br#"{"version":1,"updated_at":"2026-06-30T10:00:09.000Z","agent":"lead","sessionId":"s","messages":[
            {"id":"m1","role":"user","ts":1782813600000,"content":[{"type":"text","text":"<user_input mode=\"act\">fix it</user_input>"}]},
            {"id":"m2","role":"assistant","ts":1782813601000,"modelInfo":{"id":"claude-sonnet-4-5","provider":"anthropic"},
             "metrics":{"inputTokens":100,"outputTokens":7,"cacheReadTokens":60,"cacheWriteTokens":10,"cost":0.5},
             "content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Well"},
               {"type":"tool_use","id":"t1","name":"editor","input":{"path":"/w/a.rs","old_text":"x","new_text":"y"}},
               {"type":"tool_use","id":"t2","name":"run_commands","input":{"commands":["cargo test","ls"]}},
               {"type":"tool_use","id":"t3","name":"read_files","input":{"files":[{"path":"/w/b.rs","start_line":null}]}}]},
            {"id":"m3","role":"user","ts":1782813602000,"content":[{"type":"tool_result","tool_use_id":"t2","name":"run_commands","content":"no","is_error":true}]}]}"#;
        let found = read_whole(Source::Cline, log);
        let one = &found.responses[0];
        let tokens = one.tokens;
        assert_eq!((tokens.input, tokens.cache_read, tokens.cache_write, tokens.output), (30, 60, 10, 7));
        assert_eq!((one.recorded, one.model.as_deref()), (Some(500_000_000_000), Some("claude-sonnet-4-5")));
        let said: Vec<&str> = found.messages.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(said, ["fix it", "Well"]);
        let mut found = found;
        found.match_endings();
        let calls: Vec<_> =
            found.calls.iter().map(|call| (call.command.as_deref(), call.touches.len(), call.ok)).collect();
        assert_eq!(calls, [(None, 1, None), (Some("cargo test && ls"), 0, Some(false)), (None, 1, None)]);
        assert!(found.calls[0].edited.is_some());
    }
}
