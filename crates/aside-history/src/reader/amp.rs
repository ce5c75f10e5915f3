//! Amp: one JSON object a thread; its ledger of usage counts before what stands beside the messages.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    Elements, json,
    session::{Known, Used, apart, with_rest},
};
use crate::record::{Found, Place, Role, Tokens};

const COUNTS: [&str; 4] = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];

/// Reads a thread.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    let tree = json::list(document, "env.initial.trees").find_map(|tree| json::text(tree, "uri"));
    known.begin(json::text(document, "id"), tree.map(|uri| uri.trim_start_matches("file://")), found);
    found.sessions[0].title = json::text(document, "title").map(str::to_owned);
    let created = json::moment(document, "created");
    found.sessions[0].saw(created);
    let has_ledger = json::list(document, "usageLedger.events").next().is_some();
    let mut by_id: HashMap<String, &Value> = HashMap::new();
    for (number, message) in json::list(document, "messages").enumerate() {
        let at = json::moment(message, "usage.timestamp").or(json::moment(message, "meta.sentAt")).or(created);
        let when = (at, places.at(number));
        found.sessions[0].saw(at);
        let role = if json::text(message, "role") == Some("user") { Role::User } else { Role::Assistant };
        known.message(role, json::said(message.get("content")), when, found);
        for block in json::list(message, "content").filter(|block| json::text(block, "type") == Some("tool_use")) {
            known.call((json::text(block, "name"), json::text(block, "id"), block.get("input")), when, found);
        }
        for block in json::list(message, "content").filter(|block| json::text(block, "type") == Some("tool_result")) {
            let id = json::text(block, "toolUseID").or(json::text(block, "tool_use_id"));
            // One that goes on, or waits for a person, has not ended.
            match json::text(block, "run.status") {
                Some("done") => known.ended(id, true, json::at(block, "run.result"), found),
                Some("error" | "cancelled" | "rejected-by-user") => known.ended(id, false, None, found),
                _ => {}
            }
        }
        let Some(usage) = message.get("usage") else { continue };
        let id = message.get("messageId").map(Value::to_string).unwrap_or_default();
        if has_ledger {
            by_id.insert(id, usage);
        } else {
            let tokens = with_rest(apart(usage, COUNTS), usage, ["outputTokens", "totalTokens"]);
            used(known, (usage, tokens), id, when, found);
        }
    }
    for event in json::list(document, "usageLedger.events") {
        let beside = event.get("toMessageId").and_then(|id| by_id.get(&id.to_string()));
        let cache = beside.map(|usage| apart(usage, COUNTS)).unwrap_or_default();
        let told = apart(event, ["tokens.input", "tokens.output", "none", "none"]);
        let told = with_rest(told, event, ["tokens.output", "tokens.total"]);
        let tokens = Tokens { input: told.input, output: told.output, ..cache };
        let id = event.get("id").map(Value::to_string).unwrap_or_default();
        used(known, (event, tokens), id, (json::moment(event, "timestamp"), places.whole()), found);
    }
}

fn used(
    known: &Known,
    (told, tokens): (&Value, Tokens),
    id: String,
    when: (Option<aside_core::Timestamp>, Place),
    found: &mut Found,
) {
    let key = Some(format!("{} {id}", known.session)).filter(|_| !id.is_empty());
    known.response(Used { tokens, model: json::text(told, "model"), key, ..Used::default() }, when, found);
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn the_ledger_counts_with_what_messages_say_of_caches() {
        let found = read_whole(Source::Amp, br#"{"id":"T-1","title":"Fix","created":1782813600000,"env":{"initial":{"trees":[{"uri":"file:///w"}]}},
            "messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},
              {"role":"assistant","messageId":1,"content":[{"type":"tool_use","id":"t","name":"edit_file","input":{"path":"a.rs"}}],"usage":{"model":"x","inputTokens":1,"outputTokens":2,"cacheReadInputTokens":30,"cacheCreationInputTokens":4}},
              {"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"t","run":{"status":"error"}}]}],
            "usageLedger":{"events":[{"id":"e","timestamp":"2026-06-30T10:00:00Z","model":"claude-sonnet-4-5","toMessageId":1,"tokens":{"input":11,"output":22}}]}}"#);
        assert_eq!(found.responses.len(), 1);
        let tokens = found.responses[0].tokens;
        assert_eq!((tokens.input, tokens.output, tokens.cache_read, tokens.cache_write), (11, 22, 30, 4));
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.endings[0].ok), ("/w/a.rs", false));
        assert_eq!(found.sessions[0].title.as_deref(), Some("Fix"));
    }
}
