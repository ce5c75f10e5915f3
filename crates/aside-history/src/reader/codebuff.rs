//! Codebuff: a list of messages a chat. What an answer took is told in one of several places, or only as credits, a cent each.

use serde_json::Value;

use super::{
    Elements, json,
    session::{Known, Used, with_rest},
};
use crate::record::{Found, Role, Tokens};

/// Dollars of a credit.
const CREDIT: f64 = 0.01;

/// Reads a chat. Its name is the time at which it began, which is all that is told of the time of most messages.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    let began = began(&known.session);
    found.sessions[0].saw(began);
    for (number, message) in document.as_array().into_iter().flatten().enumerate() {
        let told = ["timestamp", "createdAt", "metadata.timestamp"].iter().find_map(|name| json::moment(message, name));
        found.sessions[0].saw(told);
        let when = (told.or(began), places.at(number));
        let id = json::text(message, "id").map(|id| format!("{} {id}", known.session));
        match json::text(message, "variant").or(json::text(message, "role")) {
            Some("user") => known.message_with_id(id, (Role::User, json::said(message.get("content"))), when, found),
            Some("ai" | "agent" | "assistant") => {
                let key = id.clone().unwrap_or_else(|| format!("{} {number}", known.session));
                known.message_with_id(id, (Role::Assistant, said(message)), when, found);
                blocks(known, message, when, found);
                response(known, message, format!("codebuff {key}"), when, found);
            }
            _ => {}
        }
    }
}

type When = (Option<aside_core::Timestamp>, crate::record::Place);

/// `2026-07-16T00-09-00.236Z`, since not every disk has names with colons; what chats of older channels were named after is none.
fn began(chat: &str) -> Option<aside_core::Timestamp> {
    let chat = chat.rsplit('/').next().unwrap_or(chat);
    let (day, time) = chat.split_once('T')?;
    super::time(&format!("{day}T{}", time.replacen('-', ":", 2)))
}

/// The text of an answer, without its reasoning.
fn said(message: &Value) -> String {
    let is_said = |block: &&Value| {
        json::text(block, "type") == Some("text") && json::text(block, "textType") != Some("reasoning")
    };
    let texts = json::list(message, "blocks").filter(is_said).filter_map(|block| json::text(block, "content"));
    let text = texts.collect::<Vec<_>>().join("\n");
    if text.is_empty() { json::said(message.get("content")) } else { text }
}

/// Adds the calls of an answer, and those of agents that it started.
fn blocks(known: &Known, holder: &Value, when: When, found: &mut Found) {
    for block in json::list(holder, "blocks") {
        match json::text(block, "type") {
            Some("tool") => call(known, block, when, found),
            Some("agent") => {
                let before = found.calls.len();
                blocks(known, block, when, found);
                found.calls[before..].iter_mut().for_each(|call| call.side = true);
            }
            _ => {}
        }
    }
}

/// A change has several replacements, and a look may be at several files.
fn call(known: &Known, block: &Value, when: When, found: &mut Found) {
    let mut input = block.get("input").cloned().unwrap_or_default();
    let (name, id) = (json::text(block, "toolName"), json::text(block, "toolCallId"));
    if let Some(all) = input.as_object_mut()
        && let Some(edits) = all.remove("replacements")
    {
        all.insert("edits".to_owned(), json::edits(edits));
    }
    let paths: Vec<&str> = json::list(&input, "paths").filter_map(Value::as_str).collect();
    if paths.is_empty() {
        known.call((name, id, Some(&input)), when, found);
    }
    for path in paths {
        known.call((name, id, Some(&serde_json::json!({ "path": path }))), when, found);
    }
    if let Some(output) = block.get("output") {
        let text = output.to_string();
        let failed = text.contains("\"errorMessage\"") || text.contains("errorMessage:");
        known.ended(id, !failed, Some(output), found);
    }
}

/// Adds the usage of an answer, from the first place that tells it.
fn response(known: &Known, message: &Value, key: String, when: When, found: &mut Found) {
    let mut told: Vec<(&Value, Option<&str>)> = Vec::new();
    for place in ["metadata.usage", "metadata.codebuff.usage"] {
        told.extend(json::at(message, place).map(|usage| (usage, json::text(message, "metadata.model"))));
    }
    let history = "metadata.runState.sessionState.mainAgentState.messageHistory";
    let history: Vec<&Value> = json::list(message, history).collect();
    for entry in history.iter().rev().filter(|entry| json::text(entry, "role") == Some("assistant")) {
        let model = json::text(entry, "providerOptions.codebuff.model");
        for place in ["providerOptions.usage", "providerOptions.codebuff.usage"] {
            told.extend(json::at(entry, place).map(|usage| (usage, model)));
        }
    }
    let used = told.iter().find(|(usage, _)| tokens(usage).total() > 0);
    let model = json::text(message, "metadata.model");
    let model = model.or(used.and_then(|(usage, model)| model.or(json::text(usage, "model"))));
    let tokens = used.map(|(usage, _)| tokens(usage)).unwrap_or_default();
    let credits = message.get("credits").and_then(Value::as_f64).unwrap_or(0.0);
    let recorded =
        super::picodollars(credits * CREDIT).filter(|cost| *cost > 0 && (tokens.total() == 0 || model.is_none()));
    known.response(Used { tokens, model, key: Some(key), recorded, ..Used::default() }, when, found);
}

/// Tokens in the words of whichever service answered. What was read from a cache is told apart by some, and within the input by others, which
/// then have it among details.
fn tokens(usage: &Value) -> Tokens {
    let first =
        |names: &[&str]| names.iter().map(|name| json::count(usage, name)).find(|count| *count > 0).unwrap_or(0);
    let input = first(&["inputTokens", "input_tokens", "promptTokens", "prompt_tokens"]);
    let output = first(&["outputTokens", "output_tokens", "completionTokens", "completion_tokens"]);
    let apart = first(&["cacheReadInputTokens", "cache_read_input_tokens"]);
    let within = first(&["promptTokensDetails.cachedTokens", "prompt_tokens_details.cached_tokens"]).min(input);
    let written = [
        "cacheCreationInputTokens",
        "cache_creation_input_tokens",
        "cacheCreationTokens",
        "cache_creation_tokens",
        "cachedTokensCreated",
        "cached_tokens_created",
    ];
    let (input, cache_read) = if apart > 0 { (input, apart) } else { (input - within, within) };
    let told = Tokens { input, output, cache_read, cache_write: first(&written), ..Tokens::default() };
    let sum = ["totalTokens", "total_tokens", "total"].into_iter().find(|name| json::count(usage, name) > 0);
    match sum.filter(|_| output == 0) {
        Some(sum) => with_rest(told, usage, ["", sum]),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, reader::tests::read_whole, record::Mode};

    #[test]
    fn a_chat_has_words_calls_and_usage() {
        let found = read_whole(Source::Codebuff, br#"[{"id":"u","variant":"user","content":"Fix it","timestamp":"2026-06-30T10:00:00.000Z"},
            {"id":"a","variant":"ai","content":"","timestamp":"10:05 AM","metadata":{"model":"claude-sonnet-4-5","usage":{"inputTokens":100,"outputTokens":20,"cacheReadInputTokens":30,"cacheCreationInputTokens":4}},"credits":7,
             "blocks":[{"type":"text","textType":"reasoning","content":"hm"},{"type":"text","content":"Done"},
               {"type":"tool","toolCallId":"t1","toolName":"str_replace","input":{"path":"/w/a.rs","replacements":[{"old":"x","new":"y"}]},"output":"- type: json"},
               {"type":"tool","toolCallId":"t2","toolName":"read_files","input":{"paths":["/w/b.rs","/w/c.rs"]}},
               {"type":"agent","agentId":"x","blocks":[{"type":"tool","toolCallId":"t3","toolName":"run_terminal_command","input":{"command":"ls"}}]}]},
            {"id":"b","variant":"ai","content":"Free","credits":2},
            {"id":"c","variant":"error","content":"oh"}]"#);
        let one = &found.responses[0];
        assert_eq!((one.tokens.total(), one.tokens.cache_read, one.recorded), (154, 30, None));
        assert_eq!((found.responses[1].tokens.total(), found.responses[1].recorded), (0, Some(20_000_000_000)));
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Fix it", "Done", "Free"]);
        let touched: Vec<_> =
            found.calls.iter().flat_map(|call| &call.touches).map(|touch| (touch.mode, touch.path.as_str())).collect();
        assert_eq!(touched, [(Mode::Write, "/w/a.rs"), (Mode::Read, "/w/b.rs"), (Mode::Read, "/w/c.rs")]);
        assert_eq!((found.calls[3].command.as_deref(), found.calls[3].side), (Some("ls"), true));
    }

    #[test]
    fn usage_is_read_from_run_state_and_spellings() {
        let found = read_whole(Source::Codebuff, br#"[{"role":"assistant","metadata":{"runState":{"sessionState":{"mainAgentState":{"messageHistory":[
            {"role":"assistant","providerOptions":{"codebuff":{"model":"gpt-5","usage":{"prompt_tokens":12,"completion_tokens":6,"prompt_tokens_details":{"cached_tokens":3}}}}},{"role":"user"}]}}}}}]"#);
        let one = &found.responses[0];
        assert_eq!(
            (one.model.as_deref(), one.tokens.input, one.tokens.cache_read, one.tokens.output),
            (Some("gpt-5"), 9, 3, 6)
        );
        let sum = tokens(&serde_json::json!({ "inputTokens": 5, "totalTokens": 9 }));
        assert_eq!((sum.input, sum.output), (5, 4));
    }

    #[test]
    fn the_name_of_a_chat_is_its_time() {
        assert_eq!(began("shop/2026-07-16T00-09-00.236Z"), "2026-07-16T00:09:00.236Z".parse().ok());
        assert_eq!(began("chat"), None);
    }
}
