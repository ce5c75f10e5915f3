//! Copilot CLI: a line an event. It tells what was answered and seldom what was read: amounts are estimates, and too low.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used},
};
use crate::record::{Ending, Found, Place, Role, Tokens};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    let Some(data) = line.get("data") else { return };
    match json::text(line, "type") {
        Some("session.start") => {
            known.begin(None, json::text(data, "context.cwd").or(json::text(data, "cwd")), found);
            known.model = json::text(data, "selectedModel").map(str::to_owned).or(known.model.take());
        }
        Some("session.model_change") => {
            let chosen = json::text(data, "newModel").or(json::text(data, "model"));
            known.model = chosen.map(str::to_owned).or(known.model.take());
        }
        Some("user.message") => known.message(Role::User, json::said(data.get("content")), when, found),
        Some("assistant.message") => {
            known.message(Role::Assistant, json::said(data.get("content")), when, found);
            for call in json::list(data, "toolCalls").chain(json::list(data, "toolRequests")) {
                let id = json::text(call, "id").or(json::text(call, "toolCallId"));
                known.call((json::text(call, "name"), id, call.get("arguments")), when, found);
            }
            let tokens = Tokens {
                input: json::count(data, "inputTokens"),
                output: json::count(data, "outputTokens"),
                ..Tokens::default()
            };
            let assumed = tokens.input == 0;
            let key = json::text(data, "messageId").or(json::text(line, "id")).map(str::to_owned);
            known.response(
                Used { tokens, model: json::text(data, "model"), key, assumed, ..Used::default() },
                when,
                found,
            );
        }
        Some("tool.execution_complete") => {
            let ending = json::text(data, "toolCallId").zip(data.get("success").and_then(Value::as_bool));
            found.endings.extend(ending.map(|(id, ok)| Ending { id: id.to_owned(), ok }));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn what_is_missing_makes_an_estimate() {
        let found = read_as(Source::Copilot, br#"{"type":"session.start","timestamp":"2026-06-30T10:00:00.000Z","data":{"context":{"cwd":"/w"}}}
{"type":"session.model_change","data":{"newModel":"gpt-5"}}
{"type":"user.message","data":{"content":"go"}}
{"type":"assistant.message","timestamp":"2026-06-30T10:00:01.000Z","data":{"messageId":"m","content":"","outputTokens":9,"toolCalls":[{"id":"c","name":"view","arguments":{"path":"/w/a"}}]}}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false}}
"#);
        let one = &found.responses[0];
        assert_eq!((one.model.as_deref(), one.tokens.output, one.assumed), (Some("gpt-5"), 9, true));
        assert_eq!(found.calls[0].ok, Some(false));
        assert_eq!(found.messages.len(), 1);
    }
}
