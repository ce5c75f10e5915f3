//! opencode: messages and their parts, as its database has them, and before that a file a message.

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    json,
    session::{Known, Used, apart},
};
use crate::record::{Found, Place, Role};

const COUNTS: [&str; 4] = ["tokens.input", "tokens.output", "tokens.cache.read", "tokens.cache.write"];

/// Reads one message with its parts, and what is said of its session.
pub fn whole(known: &mut Known, whole: &Value, place: Place, found: &mut Found) {
    let Some(message) = whole.get("message") else { return document(known, whole, place, found) };
    let session = whole.get("session").unwrap_or(&Value::Null);
    document(known, message, place, found);
    known.begin(None, json::text(session, "directory"), found);
    found.sessions[0].title = json::text(session, "title").map(str::to_owned);
    let at = json::moment(message, "time.created");
    for one in json::list(whole, "parts") {
        part(known, (message, json::text(one, "id"), one), (at, place), found);
    }
}

/// Reads a part of a message, which has an id.
pub fn part(
    known: &Known,
    (message, id, part): (&Value, Option<&str>, &Value),
    when: (Option<Timestamp>, Place),
    found: &mut Found,
) {
    let role = if json::text(message, "role") == Some("user") { Role::User } else { Role::Assistant };
    match json::text(part, "type") {
        Some("text") if part.get("synthetic") != Some(&Value::Bool(true)) => {
            let text = json::text(part, "text").unwrap_or_default().to_owned();
            known.message_with_id(id.map(str::to_owned), (role, text), when, found);
        }
        Some("tool") => {
            let of = (json::text(part, "tool"), json::text(part, "callID"), json::at(part, "state.input"));
            known.call(of, when, found);
            if let Some(call) = found.calls.last_mut() {
                call.ok = match json::text(part, "state.status") {
                    Some("completed") => Some(true),
                    Some("error") => Some(false),
                    _ => None,
                };
            }
        }
        _ => {}
    }
}

/// Reads what one message took.
pub fn document(known: &mut Known, message: &Value, place: Place, found: &mut Found) {
    let folder = json::text(message, "path.cwd").or(json::text(message, "path.root"));
    known.begin(json::text(message, "sessionID"), folder, found);
    let at = json::moment(message, "time.created");
    found.sessions[0].saw(at);
    if json::text(message, "role") != Some("assistant") {
        return;
    }
    let mut tokens = apart(message, COUNTS);
    // Told beside the output, not as a part of it.
    tokens.output = tokens.output.saturating_add(json::count(message, "tokens.reasoning"));
    let used = Used {
        tokens,
        model: json::text(message, "modelID"),
        provider: json::text(message, "providerID"),
        key: json::text(message, "id").map(str::to_owned),
        recorded: json::dollars(message, "cost"),
        ..Used::default()
    };
    known.response(used, (at, place), found);
}

/// Reads a message of version 2, which has its parts in it.
pub fn second(known: &mut Known, message: &Value, (at, place): (Option<Timestamp>, Place), found: &mut Found) {
    let (id, kind) = (json::text(message, "id").unwrap_or_default(), json::text(message, "type"));
    found.sessions[0].saw(at);
    match kind {
        Some("user") => {
            let text = json::text(message, "text").unwrap_or_default().to_owned();
            known.message_with_id(Some(format!("{id} 0")), (Role::User, text), (at, place), found);
        }
        // A summary is asked of a model, too.
        Some("assistant" | "compaction") => {
            let plain = serde_json::json!({ "id": id, "role": "assistant", "sessionID": json::text(message, "sessionID"),
                "modelID": json::text(message, "model.id"), "providerID": json::text(message, "model.providerID"),
                "tokens": message.get("tokens"), "cost": message.get("cost"), "time": message.get("time") });
            document(known, &plain, place, found);
            found.responses.iter_mut().for_each(|response| response.at = response.at.or(at));
            for (number, one) in json::list(message, "content").enumerate() {
                let mut one = one.clone();
                if json::text(&one, "type") == Some("tool") {
                    (one["tool"], one["callID"]) = (one["name"].clone(), one["id"].clone());
                }
                part(known, (&plain, Some(&format!("{id} {number}")), &one), (at, place), found);
            }
        }
        _ => {}
    }
}

/// The words of a message of version 2.
pub fn said(message: &Value) -> String {
    let texts = json::list(message, "content").filter(|one| json::text(one, "type") == Some("text"));
    let own = json::text(message, "text").into_iter().chain(texts.filter_map(|one| json::text(one, "text")));
    own.collect::<Vec<_>>().join(
        "
",
    )
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole};

    #[test]
    fn a_cost_of_zero_is_no_cost() {
        let message = |cost: &str| {
            format!(
                r#"{{"id":"m","sessionID":"s","role":"assistant","time":{{"created":1782813600000}},"path":{{"cwd":"/w"}},"modelID":"claude-sonnet-4-5","providerID":"anthropic","cost":{cost},"tokens":{{"input":1,"output":2,"reasoning":3,"cache":{{"read":4,"write":5}}}}}}"#
            )
        };
        let read = |cost: &str| read_whole(Source::Opencode, message(cost).as_bytes()).responses.remove(0);
        assert_eq!((read("0.5").recorded, read("0").recorded), (Some(500_000_000_000), None));
        let one = read("0");
        assert_eq!((one.tokens.total(), one.tokens.output, one.workspace.as_deref()), (15, 5, Some("/w")));
    }
}
