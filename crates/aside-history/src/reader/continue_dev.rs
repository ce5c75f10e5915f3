//! Continue: one JSON object a session. What an answer took is told by its command line only.

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    Elements, json,
    session::{Known, Used},
};
use crate::record::{Found, Role, Tokens};

/// Reads a session.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    let folder = json::text(document, "workspaceDirectory").map(decoded);
    known.begin(json::text(document, "sessionId"), folder.as_deref(), found);
    found.sessions[0].title = json::text(document, "title").map(str::to_owned);
    let created = created(document);
    found.sessions[0].saw(created);
    let mut told = false;
    for (number, item) in json::list(document, "history").enumerate() {
        let message = item.get("message").unwrap_or(item);
        let at = json::moment(item, "timestamp").or(json::moment(message, "timestamp")).or(created);
        let when = (at, places.at(number));
        let role = match json::text(message, "role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => continue,
        };
        known.message(role, json::said(message.get("content")), when, found);
        for call in json::list(message, "toolCalls") {
            let (name, arguments) = (json::text(call, "function.name"), json::at(call, "function.arguments"));
            known.call((name, json::text(call, "id"), arguments), when, found);
        }
        let log = json::list(item, "promptLogs").last();
        let model = log.and_then(|log| json::text(log, "modelTitle")).or(json::text(message, "model"));
        let tokens = message.get("usage").map(tokens).unwrap_or_default();
        told |= tokens.total() > 0;
        let key = Some(format!("{} {number}", known.session));
        known.response(Used { tokens, model, key, assumed: true, ..Used::default() }, when, found);
    }
    if let Some(usage) = document.get("usage").filter(|_| !told) {
        let key = Some(format!("session {}", known.session));
        let (tokens, recorded) = (tokens(usage), json::dollars(usage, "totalCost"));
        let model = json::text(document, "chatModelTitle");
        known.response(
            Used { tokens, model, key, recorded, assumed: true, ..Used::default() },
            (created, places.whole()),
            found,
        );
    }
}

/// Tokens in the words of either of its programs; what was read from a cache is told as a part of what was asked.
fn tokens(usage: &Value) -> Tokens {
    let either = |names: [&str; 2]| names.iter().map(|name| json::count(usage, name)).max().unwrap_or(0);
    let cache_read = either(["promptTokensDetails.cachedTokens", "prompt_tokens_details.cached_tokens"]);
    let cache_write = either(["promptTokensDetails.cacheWriteTokens", "prompt_tokens_details.cache_write_tokens"]);
    Tokens {
        input: either(["promptTokens", "prompt_tokens"]).saturating_sub(cache_read.saturating_add(cache_write)),
        output: either(["completionTokens", "completion_tokens"]),
        cache_read,
        cache_write,
        ..Tokens::default()
    }
}

/// When a session was made, as it or the list of sessions says: the milliseconds since 1970 may stand in a text.
pub fn created(session: &Value) -> Option<Timestamp> {
    let in_text = || {
        let number: i64 = json::text(session, "dateCreated")?.parse().ok()?;
        json::moment(&serde_json::json!({ "at": number }), "at")
    };
    json::moment(session, "dateCreated").or_else(in_text)
}

/// A path of an address of a file, as the disk has it.
fn decoded(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn a_session_has_its_folder_what_was_said_and_done() {
        let found = read_whole(Source::Continue, br#"{"sessionId":"s","title":"Cart","workspaceDirectory":"file:///home/me/my%20shop","dateCreated":"1782813600000",
            "history":[{"message":{"role":"user","content":[{"type":"text","text":"Fix it"}]}},
              {"message":{"role":"assistant","content":"Well","toolCalls":[{"id":"t","type":"function","function":{"name":"edit_existing_file","arguments":"{\"filepath\":\"src/a.rs\"}"}}],
                "usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":60}}},"promptLogs":[{"modelTitle":"claude-sonnet-4-5"}]},
              {"message":{"role":"thinking","content":"hm"}}]}"#);
        let one = &found.responses[0];
        assert_eq!((one.tokens.input, one.tokens.cache_read, one.tokens.output, one.assumed), (40, 60, 5, true));
        assert_eq!(
            (one.workspace.as_deref(), one.model.as_deref()),
            (Some("/home/me/my shop"), Some("claude-sonnet-4-5"))
        );
        assert_eq!(found.calls[0].touches[0].path, "/home/me/my shop/src/a.rs");
        assert_eq!((found.messages.len(), found.sessions[0].title.as_deref()), (2, Some("Cart")));
        assert_eq!(found.sessions[0].first, Some(aside_core::Timestamp(1_782_813_600_000)));
    }

    #[test]
    fn sums_of_a_session_count_where_no_answer_tells_its_own() {
        let found = read_whole(
            Source::Continue,
            br#"{"sessionId":"s","history":[{"message":{"role":"assistant","content":"x"}}],
            "usage":{"totalCost":0.5,"promptTokens":10,"completionTokens":2}}"#,
        );
        assert_eq!((found.responses.len(), found.responses[0].recorded), (1, Some(500_000_000_000)));
    }

    #[test]
    fn an_address_of_a_file_is_its_path() {
        assert_eq!(decoded("file:///a%20b/%C3%A4/%zz%"), "/a b/ä/%zz%");
        assert_eq!(decoded("/plain"), "/plain");
    }
}
