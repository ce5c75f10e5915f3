//! One tool that stands for every action that is not among a model's tools, so that what is found in the catalog can be
//! used, and the list of tools stays the same from turn to turn.

use std::borrow::Cow;

use aside_core::ToolCall;
use aside_gate::read_args;
use aside_llm::ToolSpec;
use serde_json::{Map, Value, json};

/// What it is called; no action can have this name.
pub(super) const RUN: &str = "action_run";

/// How a model is told of it.
pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: RUN.to_owned(),
        description:
            "Run any action of the catalog by its name, with its arguments. The same permissions apply as for its own \
            tool.\nExample: {\"action_type\":\"mcp.list\",\"args\":{}}"
                .to_owned(),
        schema: schema(),
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action_type": { "type": "string", "description": "The action's name, as found by catalog_search." },
            "args": { "type": "object", "description": "The action's arguments; catalog_describe shows their schema." },
        },
        "required": ["action_type"],
        "additionalProperties": false,
    })
}

/// The call of an action that a call stands for, or what to tell the model.
pub(super) fn meant(call: &ToolCall) -> Result<Cow<'_, ToolCall>, String> {
    if call.problem.is_some() || super::wire_name(&call.name) != RUN {
        return Ok(Cow::Borrowed(call));
    }
    let args = read_args(&call.args, &schema());
    let Some(name) = args["action_type"].as_str() else {
        return Err(format!(
            "{RUN} needs `action_type`, the name of an action, and `args`, its arguments. Nothing was changed."
        ));
    };
    let (name, args) = (name.to_owned(), args.get("args").cloned().unwrap_or_else(|| Value::Object(Map::new())));
    Ok(Cow::Owned(ToolCall { name, args, ..call.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, args: Value) -> ToolCall {
        ToolCall { id: "1".into(), name: name.into(), args, problem: None, from_text: false }
    }

    #[test]
    fn it_stands_for_the_action_that_it_names() {
        let run = call("action.run", json!({ "action_type": "mcp.time.now", "args": { "zone": "UTC" } }));
        let meant = meant(&run).unwrap();
        assert_eq!((meant.name.as_str(), &meant.args), ("mcp.time.now", &json!({ "zone": "UTC" })));
    }

    #[test]
    fn arguments_may_be_absent_or_quoted() {
        let args = |args: Value| meant(&call(RUN, args)).map(|meant| meant.args.clone());
        assert_eq!(args(json!({ "action_type": "mcp.list" })).unwrap(), json!({}));
        assert_eq!(args(json!({ "action_type": "mcp.list", "args": "{\"a\": 1}" })).unwrap(), json!({ "a": 1 }));
        for wrong in [json!({}), json!([1]), json!({ "action_type": [5] }), json!("mcp.list")] {
            assert!(args(wrong).unwrap_err().contains("Nothing was changed"));
        }
    }

    #[test]
    fn another_call_stays_as_it_is() {
        let edit = call("doc_edit", json!({ "action_type": "file.delete" }));
        assert_eq!(meant(&edit).unwrap().name, "doc_edit");
    }
}
