//! Cline, Roo Code and Kilo Code: a folder a task, with a list of what was shown; each request says what it cost.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used, apart},
};
use crate::record::{Found, Place, Role};

/// Reads `ui_messages.json`.
pub fn document(known: &mut Known, document: &Value, place: Place, found: &mut Found) {
    for message in document.as_array().into_iter().flatten() {
        let when = (json::moment(message, "ts"), place);
        found.sessions[0].saw(when.0);
        if let Some(model) = json::text(message, "modelInfo.modelId") {
            known.model = Some(model.to_owned());
        }
        let text = json::text(message, "text").unwrap_or_default();
        match json::text(message, "say").or(json::text(message, "ask")) {
            Some("task" | "user_feedback") => known.message(Role::User, text.to_owned(), when, found),
            // The first thing that is shown is the task.
            Some("text") if found.messages.is_empty() => known.message(Role::User, text.to_owned(), when, found),
            Some("text" | "completion_result") => known.message(Role::Assistant, text.to_owned(), when, found),
            Some("api_req_started") => request(known, message, text, when, found),
            Some("tool") => tool(known, text, when, found),
            Some("command") => {
                let arguments = serde_json::json!({ "command": text });
                known.call((Some("command"), None, Some(&arguments)), when, found);
            }
            _ => {}
        }
    }
}

fn request(
    known: &Known,
    message: &Value,
    text: &str,
    when: (Option<aside_core::Timestamp>, Place),
    found: &mut Found,
) {
    let Ok(told) = serde_json::from_str::<Value>(text) else { return };
    let key = when.0.map(|at| format!("{} {}", known.session, at.0));
    let used = Used {
        tokens: apart(&told, ["tokensIn", "tokensOut", "cacheReads", "cacheWrites"]),
        provider: json::text(message, "modelInfo.providerId"),
        key,
        recorded: json::dollars(&told, "cost"),
        ..Used::default()
    };
    known.response(used, when, found);
}

fn tool(known: &Known, text: &str, when: (Option<aside_core::Timestamp>, Place), found: &mut Found) {
    let Ok(told) = serde_json::from_str::<Value>(text) else { return };
    known.call((json::text(&told, "tool"), None, Some(&told)), when, found);
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn each_request_has_the_cost_that_it_says() {
        let found = read_whole(Source::Cline, br#"[{"ts":1782813600000,"type":"say","say":"text","text":"Fix it"},
            {"ts":1782813601000,"type":"say","say":"api_req_started","text":"{\"tokensIn\":10,\"tokensOut\":5,\"cacheWrites\":3,\"cacheReads\":2,\"cost\":0.5}","modelInfo":{"providerId":"anthropic","modelId":"claude-sonnet-4-5"}},
            {"ts":1782813602000,"type":"ask","ask":"tool","text":"{\"tool\":\"editedExistingFile\",\"path\":\"/w/a.rs\"}"},
            {"ts":1782813603000,"type":"say","say":"completion_result","text":"Fixed"}]"#);
        let one = &found.responses[0];
        assert_eq!(
            (one.recorded, one.tokens.total(), one.model.as_deref()),
            (Some(500_000_000_000), 20, Some("claude-sonnet-4-5"))
        );
        assert_eq!(found.messages.len(), 2);
        assert_eq!(found.calls[0].touches[0].path, "/w/a.rs");
    }
}
