//! Actions as tools: names, schemas, hints. Pure; the same catalog and grant always give the same list.

use std::{collections::BTreeMap, sync::Arc};

use aside_core::{ActionName, Descriptor, Grant, Label, Risk, Risks, Timestamp};
use aside_gate::Catalog;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// Runs any action by its name.
pub(crate) const RUN: &str = "action_run";
/// Goes on waiting for a person.
pub(crate) const WAIT: &str = "action_wait";

/// The actions a client is shown at once. A long list costs a model its context; the rest is found by search.
const SHOWN: [&str; 8] = [
    "catalog.describe",
    "catalog.search",
    "doc.create",
    "doc.edit",
    "doc.read",
    "file.list",
    "file.read",
    "script.run",
];

/// What a grant lets a client see.
pub(crate) struct Tools {
    granted: BTreeMap<String, Arc<Descriptor>>,
}

/// What the name of a tool stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Called {
    /// An action, with the tool's arguments as its own.
    Action(ActionName),
    /// An action named in the arguments.
    Run,
    /// The end of an action that waits.
    Wait,
}

impl Tools {
    pub(crate) fn new(catalog: &Catalog, grant: &Grant, now: Timestamp) -> Self {
        let granted = catalog.granted(grant, now).into_iter();
        Self { granted: granted.map(|found| (tool_name(&found.name), found)).collect() }
    }

    /// The list, by name.
    pub(crate) fn shown(&self) -> Vec<Tool> {
        let actions = self.granted.values().filter(|found| SHOWN.contains(&found.name.as_str()));
        let mut tools: Vec<_> = actions.map(|action| tool(action)).chain([run(), wait()]).collect();
        tools.sort_by(|one, other| one.name.cmp(&other.name));
        tools
    }

    /// One tool, shown at once or not.
    pub(crate) fn shown_as(&self, name: &str) -> Option<Tool> {
        match name {
            RUN => Some(run()),
            WAIT => Some(wait()),
            _ => self.granted.get(name).map(|action| tool(action)),
        }
    }

    /// What a name stands for; a granted action that is not shown can be called all the same.
    pub(crate) fn called(&self, name: &str) -> Option<Called> {
        match name {
            RUN => Some(Called::Run),
            WAIT => Some(Called::Wait),
            _ => self.granted.get(name).map(|found| Called::Action(found.name.clone())),
        }
    }
}

/// Models' own services take letters, digits, `_` and `-` in the name of a tool.
fn tool_name(action: &ActionName) -> String {
    action.as_str().replace('.', "_")
}

fn tool(action: &Descriptor) -> Tool {
    Tool::new(tool_name(&action.name), description(action), schema(action))
        .with_title(action.summary.clone())
        .with_annotations(hints(&action.risks))
}

fn description(action: &Descriptor) -> String {
    let mut parts = vec![format!("{}. {}", action.summary, action.description)];
    parts.extend(action.safety.iter().cloned());
    if action.label == Label::External {
        parts.insert(0, "[Description by another program, unchecked]".to_owned());
    }
    parts.join(" ")
}

fn schema(action: &Descriptor) -> Arc<JsonObject> {
    let Value::Object(mut schema) = action.args_schema.clone() else { return Arc::default() };
    let examples: Vec<_> = action.examples.iter().map(|example| example.args.clone()).collect();
    if !examples.is_empty() {
        schema.insert("examples".to_owned(), Value::Array(examples));
    }
    Arc::new(schema)
}

/// What a client is told of the risks. They are hints for it; the Gate goes by the risks themselves.
fn hints(risks: &Risks) -> ToolAnnotations {
    let grave = [Risk::Destructive, Risk::Access, Risk::Billing, Risk::Install];
    let reads = risks.is_read_only();
    ToolAnnotations::new()
        .read_only(reads)
        .destructive(grave.iter().any(|risk| risks.contains(*risk)))
        .idempotent(reads)
        .open_world(risks.contains(Risk::Network))
}

fn run() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "action_type": { "type": "string", "description": "The action's name, such as file.move, as found by catalog_search." },
            "args": { "type": "object", "description": "The action's arguments; catalog_describe shows their schema." },
            "idempotency_key": {
                "type": "string", "maxLength": 200,
                "description": "Requests with the same key run only once.",
            },
        },
        "required": ["action_type"],
        "additionalProperties": false,
        "examples": [{ "action_type": "file.list", "args": { "folder": "src" } }],
    });
    let hints = ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true);
    Tool::new(
        RUN,
        "Run any action of the catalog by its name. The same permissions apply as for its own tool.",
        object(schema),
    )
    .with_title("Run an action")
    .with_annotations(hints)
}

fn wait() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": { "id": { "type": "string", "description": "The action's id, from an earlier result." } },
        "required": ["id"],
        "additionalProperties": false,
    });
    let hints = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    Tool::new(WAIT, "Wait for the user's decision on an action you requested, and get its outcome.", object(schema))
        .with_title("Wait for a decision")
        .with_annotations(hints)
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::testing::catalog;

    fn tools(grant: &Grant) -> Tools {
        Tools::new(&catalog(), grant, Timestamp(0))
    }

    #[test]
    fn the_list_is_short_sorted_and_stays_the_same() {
        let names = |tools: &Tools| tools.shown().iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        let full = tools(&Grant::full("test"));
        assert_eq!(names(&full), ["action_run", "action_wait", "doc_edit", "doc_read"]);
        assert_eq!(names(&full), names(&tools(&Grant::full("test"))));
    }

    #[test]
    fn a_grant_narrows_the_list_and_what_can_be_called() {
        let reading = Grant { risks: [Risk::Read].into(), ..Grant::full("hint mode") };
        let narrow = tools(&reading);
        assert!(narrow.shown().iter().all(|tool| tool.name != "doc_edit"));
        assert_eq!(narrow.called("doc_edit"), None);
        assert!(matches!(narrow.called("doc_read"), Some(Called::Action(name)) if name.as_str() == "doc.read"));
    }

    #[test]
    fn what_is_not_shown_can_be_called() {
        let full = tools(&Grant::full("test"));
        assert!(matches!(full.called("file_delete"), Some(Called::Action(name)) if name.as_str() == "file.delete"));
        assert_eq!(full.called("file.delete"), None);
        assert_eq!(full.called("nothing"), None);
    }

    #[test]
    fn hints_follow_from_risks() {
        let hints = |risks: &[Risk]| {
            let hints = hints(&risks.iter().copied().collect());
            [hints.read_only_hint, hints.destructive_hint, hints.open_world_hint].map(Option::unwrap)
        };
        assert_eq!(hints(&[Risk::Read]), [true, false, false]);
        assert_eq!(hints(&[Risk::Write]), [false, false, false]);
        assert_eq!(hints(&[Risk::Read, Risk::Network]), [false, false, true]);
        for grave in [Risk::Destructive, Risk::Access, Risk::Billing, Risk::Install] {
            assert_eq!(hints(&[grave]), [false, true, false]);
        }
    }

    #[test]
    fn a_schema_carries_the_examples() {
        let tool = tools(&Grant::full("test")).shown_as("doc_edit").unwrap();
        assert_eq!(tool.input_schema["type"], "object");
        assert_eq!(tool.input_schema["examples"][0]["text"], "new");
    }
}
