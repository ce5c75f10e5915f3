//! Cline, Roo Code and Kilo Code: a folder a task, with a list of what was shown; each request says what it cost. Version 4 of Cline has the
//! messages themselves instead: `cline/messages.rs`.

mod messages;

use serde_json::Value;

use super::{
    Elements, escapes, json,
    session::{Known, Used, apart},
};
use crate::record::{Found, Place, Role};

/// The list in a log that is an object.
pub const LIST: &str = "messages";

/// Reads `ui_messages.json`, or the messages of version 4.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    if document.is_object() {
        return messages::document(known, document, places, found);
    }
    // The call that was shown last, until the model is asked again: what is told of an error then is about that.
    let mut last = None;
    for (number, message) in document.as_array().into_iter().flatten().enumerate() {
        let when = (json::moment(message, "ts"), places.at(number));
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
            Some("api_req_started") => {
                last = None;
                request(known, message, text, when, found);
            }
            // What a model took that another one started, and what answers took that were taken back.
            Some(kind @ ("subagent_usage" | "deleted_api_reqs")) => {
                let before = found.responses.len();
                request(known, message, text, when, found);
                for response in &mut found.responses[before..] {
                    response.side = kind == "subagent_usage";
                    response.key.iter_mut().for_each(|key| key.message = format!("{} {kind}", key.message));
                }
            }
            Some("tool") => {
                tool(known, text, when, found);
                last = found.calls.len().checked_sub(1);
            }
            // A call has no id here.
            Some("error" | "diff_error") => {
                if let Some(call) = last.and_then(|number: usize| found.calls.get_mut(number)) {
                    call.ok = Some(false);
                }
            }
            Some("command") => {
                let arguments = serde_json::json!({ "command": text });
                known.call((Some("command"), None, Some(&arguments)), when, found);
                last = found.calls.len().checked_sub(1);
            }
            _ => {}
        }
    }
}

/// The folder that a request names among what the model is told of its surroundings.
fn folder(request: &str) -> Option<String> {
    let heads = ["# Current Working Directory (", "# Current Workspace Directory ("];
    let rest = heads.iter().find_map(|head| Some(request.split_once(head)?.1))?;
    // The folder's own name may have a bracket: the line says what follows.
    let line = rest.lines().next()?;
    let path = line.rsplit_once(") Files").or_else(|| line.rsplit_once(')'))?.0;
    Some(path).filter(|path| path.starts_with('/') || path.get(1..2) == Some(":")).map(str::to_owned)
}

fn request(
    known: &mut Known,
    message: &Value,
    text: &str,
    when: (Option<aside_core::Timestamp>, Place),
    found: &mut Found,
) {
    let Ok(told) = escapes::parse::<Value>(text) else { return };
    if known.workspace.is_none()
        && let Some(folder) = json::text(&told, "request").and_then(folder)
    {
        known.begin(None, Some(&folder), found);
    }
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
    let Ok(told) = escapes::parse::<Value>(text) else { return };
    known.call((json::text(&told, "tool"), None, Some(&told)), when, found);
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn an_error_of_the_service_is_not_one_of_the_call_before() {
        let found = read_whole(
            Source::Cline,
            br#"[{"ts":1782813600000,"type":"say","say":"text","text":"Fix it"},
            {"ts":1782813602000,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"/w/a.rs\"}"},
            {"ts":1782813603000,"type":"say","say":"api_req_started","text":"{}"},
            {"ts":1782813604000,"type":"say","say":"error","text":"overloaded"}]"#,
        );
        assert_eq!(found.calls[0].ok, None);
    }

    #[test]
    fn usage_beside_requests_counts_too() {
        let usage = |say: &str, tokens: u32| {
            format!(
                r#"{{"ts":1782813601000,"type":"say","say":"{say}","text":"{{\"tokensIn\":{tokens},\"tokensOut\":1,\"cost\":0.5}}"}}"#
            )
        };
        let kinds = ["api_req_started", "subagent_usage", "deleted_api_reqs", "judge_usage"];
        let all = kinds.iter().zip(1..).map(|(kind, tokens)| usage(kind, tokens)).collect::<Vec<_>>();
        let found = read_whole(Source::Roo, format!("[{}]", all.join(",")).as_bytes());
        let counted: Vec<_> = found.responses.iter().map(|one| (one.tokens.input, one.side)).collect();
        assert_eq!(counted, [(1, false), (2, true), (3, false)]);
        let keys: std::collections::HashSet<_> = found.responses.iter().map(|one| one.key.clone()).collect();
        assert_eq!(keys.len(), 3);
        let unknown: Vec<_> = found.uncounted.iter().map(|one| (one.kind.as_str(), one.count)).collect();
        assert_eq!(unknown, [("judge_usage", 1)]);
    }

    #[test]
    fn each_request_has_the_cost_that_it_says() {
        let found = read_whole(Source::Cline, br#"[{"ts":1782813600000,"type":"say","say":"text","text":"Fix it"},
            {"ts":1782813601000,"type":"say","say":"api_req_started","text":"{\"request\":\"<environment_details>\\n# Current Working Directory (/w (old)) Files\\na.rs\",\"tokensIn\":10,\"tokensOut\":5,\"cacheWrites\":3,\"cacheReads\":2,\"cost\":0.5}","modelInfo":{"providerId":"anthropic","modelId":"claude-sonnet-4-5"}},
            {"ts":1782813601500,"type":"say","say":"text","text":"Well"},
            {"ts":1782813602000,"type":"ask","ask":"tool","text":"{\"tool\":\"editedExistingFile\",\"path\":\"/w/a.rs\"}"},
            {"ts":1782813602500,"type":"say","say":"diff_error","text":"a.rs"},
            {"ts":1782813603000,"type":"say","say":"completion_result","text":"Fixed"}]"#);
        let one = &found.responses[0];
        assert_eq!(
            (one.recorded, one.tokens.total(), one.model.as_deref()),
            (Some(500_000_000_000), 20, Some("claude-sonnet-4-5"))
        );
        assert_eq!(found.messages.len(), 3);
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].ok), ("/w/a.rs", Some(false)));
        assert_eq!(found.sessions[0].workspace.as_deref(), Some("/w (old)"));
        assert!(found.calls[0].place.offset > found.messages[1].place.offset);
    }
}
