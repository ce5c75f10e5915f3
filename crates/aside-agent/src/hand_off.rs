//! `hand_off`: the Navigator's way to say that a piece of work needs an agent that can do more. It is a tool and no action:
//! it has no effect but that the turn ends with an offer, which a person follows or not.

use aside_core::{ActionId, Grant, HandOff, ObjectRef, ToolCall, WorkspacePath};
use aside_gate::read_args;
use aside_llm::ToolSpec;
use serde_json::{Value, json};

use crate::tools::wire_name;

/// Its name; no action has it, since those have two words.
pub const NAME: &str = "hand_off";
/// Characters of the reason and of the summary.
const REASON: usize = 300;
const SUMMARY: usize = 4_000;
/// The most objects of an offer.
const MOST_OBJECTS: usize = 50;

/// How a model is told of it.
pub fn spec() -> ToolSpec {
    ToolSpec {
        name: NAME.to_owned(),
        description:
            "Offer to hand the work over to the coding agent, which edits, runs and debugs at length. This ends your \
            turn; the user decides."
                .to_owned(),
        schema: schema(),
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "reason": { "type": "string", "description": "Why it is needed, in a few words." },
            "summary": { "type": "string", "description": "The goal, what is done, and what is left." },
            "paths": { "type": "array", "items": { "type": "string" }, "description": "The files that it is about." },
        },
        "required": ["reason", "summary"],
        "additionalProperties": false,
    })
}

/// Tells whether a call is for it.
pub fn is_hand_off(call: &ToolCall) -> bool {
    wire_name(&call.name) == NAME
}

/// Returns the offer that a call makes, or what to tell the model.
pub fn offer(call: &ToolCall, touched: &[ObjectRef], waiting: Vec<ActionId>, grant: &Grant) -> Result<HandOff, String> {
    let args = read_args(&call.args, &schema());
    let text = |name: &str, most: usize| {
        let text = args[name].as_str().map(str::trim).filter(|text| !text.is_empty())?;
        Some(text.chars().take(most).collect::<String>())
    };
    let (Some(reason), Some(summary)) = (text("reason", REASON), text("summary", SUMMARY)) else {
        return Err("hand_off needs `reason` and `summary`. Nothing was handed over.".to_owned());
    };
    let named = args["paths"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let named = named.filter_map(|path| WorkspacePath::new(path).ok()).map(|path| ObjectRef::file(&path));
    let mut objects: Vec<ObjectRef> = Vec::new();
    for object in touched.iter().cloned().chain(named) {
        if objects.len() < MOST_OBJECTS && !objects.contains(&object) {
            objects.push(object);
        }
    }
    Ok(HandOff { reason, summary, objects, waiting, grant: grant.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(args: Value) -> ToolCall {
        ToolCall { id: "1".into(), name: NAME.into(), args, problem: None, from_text: false }
    }

    #[test]
    fn offer_carries_objects_and_grant() {
        let touched = [ObjectRef::file(&"a.py".parse().unwrap())];
        let args = json!({ "reason": "many edits", "summary": "Port it.", "paths": ["a.py", "b.py", "../x"] });
        let offer = offer(&call(args), &touched, vec![], &Grant::full("Navigator")).unwrap();
        let ids: Vec<_> = offer.objects.iter().map(|object| object.id.as_str()).collect();
        assert_eq!((ids, offer.grant.name.as_str()), (vec!["a.py", "b.py"], "Navigator"));
    }

    #[test]
    fn offer_without_summary_is_none() {
        for args in [json!({}), json!({ "reason": "x" }), json!({ "reason": "x", "summary": " " }), json!("x")] {
            assert!(offer(&call(args), &[], vec![], &Grant::full("n")).is_err());
        }
    }
}
