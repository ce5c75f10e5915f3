//! OpenClaw: the records of pi, with snapshots of the model that was chosen and a date before what came by a messenger.

use serde_json::Value;

use super::{json, pi, session::Known};
use crate::record::{Found, Place, Role};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let before = found.messages.len();
    let is_snapshot =
        json::text(line, "type") == Some("custom") && json::text(line, "customType") == Some("model-snapshot");
    if is_snapshot || json::text(line, "type") == Some("model_change") {
        let chosen = ["data.modelId", "modelId", "data.model", "model"].iter().find_map(|name| json::text(line, name));
        known.model = chosen.map(str::to_owned).or(known.model.take());
    }
    pi::line(known, line, place, found);
    for message in found.messages[before..].iter_mut().filter(|message| message.role == Role::User) {
        if let Some(said) = undated(&message.text) {
            message.text = said.to_owned();
        }
    }
}

/// The words of a person without the time that the gateway puts before them: `[Wed 2026-02-18 11:21 GMT+1] `.
fn undated(text: &str) -> Option<&str> {
    let (date, said) = text.strip_prefix('[')?.split_once("] ")?;
    let is_date = date.len() <= 40 && date.split(' ').any(|word| word.len() == 10 && word.as_bytes()[4] == b'-');
    is_date.then(|| said.trim_start())
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn openclaw_additions_to_pi_records_are_read() {
        let found = read_as(Source::Openclaw, br#"{"type":"session","version":3,"id":"o1","timestamp":"2026-06-30T10:00:00.000Z","cwd":"/w"}
{"type":"custom","customType":"model-snapshot","data":{"provider":"anthropic","modelId":"claude-opus-4-5"}}
{"type":"message","id":"a1","message":{"role":"user","timestamp":1782813601000,"content":[{"type":"text","text":"[Wed 2026-06-30 12:00 GMT+2] Fix [a] b"}]}}
{"type":"message","id":"a2","timestamp":"2026-06-30T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Well"},{"type":"toolCall","id":"t","name":"edit","arguments":{"path":"a.rs","oldText":"x","newText":"y"}}],"usage":{"input":5,"output":6,"cacheRead":7,"cacheWrite":8,"totalTokens":26}}}
"#);
        let one = &found.responses[0];
        assert_eq!((one.tokens.total(), one.model.as_deref(), one.recorded), (26, Some("claude-opus-4-5"), None));
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Fix [a] b", "Well"]);
        assert_eq!(found.messages[0].at, Some(aside_core::Timestamp(1_782_813_601_000)));
        assert_eq!(found.calls[0].touches[0].path, "/w/a.rs");
    }
}
