//! The details of an answer's reasoning, put together from the pieces of a stream, as their server wants them back.

use serde_json::Value;

/// The fields that come in pieces.
const IN_PIECES: [&str; 3] = ["text", "summary", "data"];

/// The details of one answer as far as they came.
#[derive(Clone, Default)]
pub(super) struct ReasoningDetails(Vec<Value>);

impl ReasoningDetails {
    /// Takes one piece: more of the last detail, or a new one.
    pub(super) fn take(&mut self, piece: &Value) {
        match self.0.last_mut().filter(|last| continues(last, piece)) {
            Some(last) => join(last, piece),
            None => self.0.push(piece.clone()),
        }
    }

    /// Returns the details, none if there are none, and leaves none.
    pub(super) fn end(&mut self) -> Option<Value> {
        (!self.0.is_empty()).then(|| std::mem::take(&mut self.0).into())
    }
}

/// A piece belongs to the detail before it if both have the kind and the index of the other, and that one is not signed yet.
/// Sealed details without an index are whole.
fn continues(last: &Value, piece: &Value) -> bool {
    let is_same = |field: &str| last[field] == piece[field];
    let is_named_otherwise = !last["id"].is_null() && !piece["id"].is_null() && !is_same("id");
    let is_whole = !last["signature"].is_null() || (last["index"].is_null() && !last["data"].is_null());
    is_same("type") && is_same("index") && !is_named_otherwise && !is_whole
}

fn join(last: &mut Value, piece: &Value) {
    let Some(last) = last.as_object_mut() else { return };
    for (name, more) in piece.as_object().into_iter().flatten().filter(|(_, more)| !more.is_null()) {
        match (last.get_mut(name), more) {
            (Some(Value::String(text)), Value::String(more)) if IN_PIECES.contains(&name.as_str()) => {
                text.push_str(more)
            }
            _ => drop(last.insert(name.clone(), more.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(pieces: &[Value], joined: &Value) {
        let mut details = ReasoningDetails::default();
        pieces.iter().for_each(|piece| details.take(piece));
        assert_eq!(details.end().unwrap(), *joined);
        assert_eq!(details.end(), None);
    }

    fn text(index: u64, text: &str) -> Value {
        json!({ "type": "reasoning.text", "index": index, "text": text, "format": "anthropic-claude-v1" })
    }

    #[test]
    fn pieces_of_a_signed_thought_are_joined() {
        let signature = json!({ "type": "reasoning.text", "index": 0, "signature": "c2ln", "id": null });
        let mut joined = text(0, "Two files.");
        joined["signature"] = "c2ln".into();
        check(
            &[text(0, "Two "), text(0, "files."), signature.clone(), text(0, "And")],
            &json!([joined, text(0, "And")]),
        );
        check(&[text(0, "a"), text(1, "b")], &json!([text(0, "a"), text(1, "b")]));
    }

    #[test]
    fn sealed_details_stay_apart() {
        let sealed =
            |id: &str, data: &str| json!({ "type": "reasoning.encrypted", "id": id, "data": data, "index": 0 });
        check(&[sealed("a", "x"), sealed("b", "y")], &json!([sealed("a", "x"), sealed("b", "y")]));
        check(&[sealed("a", "x"), sealed("a", "y")], &json!([sealed("a", "xy")]));
        let whole = json!({ "type": "reasoning.encrypted", "data": "x" });
        check(&[whole.clone(), whole.clone()], &json!([whole, whole]));
    }
}
