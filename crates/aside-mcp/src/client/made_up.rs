//! Lists of tools that nobody would write, for the fuzz target: all that becomes of one, and what always holds for it.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use aside_core::{McpLaunch, McpServerName, Timestamp, harmless};
use aside_gate::{Catalog, Handler};
use rmcp::model::ListToolsResult;

use super::{
    kept::Kept,
    list::{MOST_TOOLS, ToolList},
    names,
    servers::{ClientLimits, Servers},
    tool::{Stand, ToolAction},
};

/// Reads a list as a server tells it, and puts its tools into a catalog.
///
/// # Panics
/// When something of it is not as it always has to be.
#[doc(hidden)]
pub fn try_tool_list(told: &[u8]) {
    let Ok(told) = serde_json::from_slice::<ListToolsResult>(told) else { return };
    let launch = McpLaunch::Http { url: "https://tools.example/mcp".to_owned(), headers: Default::default() };
    let list = ToolList::read(&launch, &told.tools);
    assert!(list.tools.len() <= MOST_TOOLS);
    for tool in &list.tools {
        assert_eq!(harmless(&tool.name), tool.name);
        assert_eq!(harmless(&tool.lines()), tool.lines());
        assert_eq!(told.tools.iter().filter(|other| other.name == tool.name).count(), 1);
    }
    let server: McpServerName = "made".parse().expect("a name");
    let own: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
    let actions = names::actions(&server, &own);
    assert_eq!(actions.iter().collect::<BTreeSet<_>>().len(), own.len());
    assert!(actions.iter().all(|action| names::belongs(action, &server)));
    let catalog = Catalog::default();
    let servers = Servers::open(catalog.clone(), Path::new("/w"), None, ClientLimits::default());
    let servers = servers.expect("nothing is read");
    let kept = Kept { launch, added_by: String::new(), added: Timestamp(0), list: Some(list.clone()), trust: None };
    for (action, text) in actions.into_iter().zip(&list.tools) {
        let tool = Arc::new(ToolAction::new(&servers, &server, &kept, (action.clone(), text), Stand::Untrusted));
        // A schema that the catalog does not take is left out; one that it takes is compiled now.
        let taken = catalog.replace(|_| false, [tool as Arc<dyn Handler>]).is_ok();
        assert_eq!(catalog.describe(&action).is_some(), taken);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// Schemas as nobody would write them: deep, round, with patterns, with words that mean something elsewhere.
    fn schema() -> impl Strategy<Value = Value> {
        let word = "[a-z$]{1,6}|type|properties|pattern|enum|required|items|allOf|anyOf|not|\\$ref|\\$defs";
        let reference = "#(/(properties|\\$defs|allOf|a|b|0)){0,4}";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
            reference.prop_map(|to| json!({ "$ref": to })),
            r"\^?(\(a\+\)\+|\\w\{1,9\}|\(\?!x\)|[a-z]{0,4})\$?".prop_map(|pattern| json!({ "pattern": pattern })),
            "string|object|array|number|nonsense".prop_map(|kind| json!({ "type": kind })),
        ];
        leaf.prop_recursive(6, 60, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((word, inner), 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_list_that_is_told_is_fit_to_be_used(
            tools in prop::collection::vec((".{0,20}|echo|doc_edit", ".{0,60}", schema()), 0..6),
        ) {
            let tools: Vec<_> = tools
                .into_iter()
                .map(|(name, description, schema)| {
                    let schema = if schema.is_object() { schema } else { json!({ "properties": { "a": schema } }) };
                    json!({ "name": name, "description": description, "inputSchema": schema })
                })
                .collect();
            try_tool_list(json!({ "tools": tools }).to_string().as_bytes());
        }

        #[test]
        fn any_bytes_are_read(told in prop::collection::vec(any::<u8>(), 0..200)) {
            try_tool_list(&told);
        }
    }
}
