//! The list of tools as a server tells it: what can be used of it, what is wrong with it, and its hash.

use std::collections::BTreeMap;

use aside_core::{McpHints, McpLaunch, McpToolChange, Sha256, canonical_json};
use rmcp::model::{Tool, ToolAnnotations};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    schema,
    words::{fit, fit_line},
};

/// Tools of one server, at most.
pub(crate) const MOST_TOOLS: usize = 200;
/// Bytes of a tool's name.
const LONGEST_NAME: usize = 128;
/// Characters of a title and of a description that are shown, to models and to people alike.
const MOST_TITLE: usize = 100;
const MOST_DESCRIPTION: usize = 4000;
/// Problems that are kept of one list.
const MOST_PROBLEMS: usize = 20;

/// One tool, fit to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolText {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) args_schema: Value,
    pub(crate) hints: McpHints,
}

/// A list as it was told once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolList {
    /// Those that can be used, by name.
    pub(crate) tools: Vec<ToolText>,
    /// What was left out, and why.
    pub(crate) problems: Vec<String>,
    /// Of how the server is reached and of all that it told, whatever came of it.
    pub(crate) hash: Sha256,
}

impl ToolList {
    /// Reads what a server told. The order of the tools does not matter.
    pub(crate) fn read(launch: &McpLaunch, told: &[Tool]) -> Self {
        let mut whole: Vec<_> = told.iter().map(canonical_json).collect();
        whole.sort();
        let hash = Sha256::of_json(&(launch, whole));
        let (mut tools, mut problems) = (BTreeMap::new(), Vec::new());
        for tool in told {
            let same = told.iter().filter(|other| other.name == tool.name).count();
            match usable(tool, same) {
                Ok(text) => _ = tools.insert(text.name.clone(), text),
                Err(problem) => problems.push(format!("`{}` is omitted: {problem}", fit_line(&tool.name, 60))),
            }
        }
        let mut tools: Vec<_> = tools.into_values().collect();
        if tools.len() > MOST_TOOLS {
            problems.push(format!("{} of its {} tools are omitted", tools.len() - MOST_TOOLS, tools.len()));
            tools.truncate(MOST_TOOLS);
        }
        problems.sort();
        problems.dedup();
        problems.truncate(MOST_PROBLEMS);
        Self { tools, problems, hash }
    }

    /// The same with what is wrong with how it was told.
    #[must_use]
    pub(crate) fn with_problem(mut self, problem: Option<String>) -> Self {
        self.problems.extend(problem);
        self
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&ToolText> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// What is different from a list that was looked at before.
    pub(crate) fn changes_since(&self, before: &Self) -> Vec<McpToolChange> {
        let gone = before.tools.iter().filter(|tool| self.tool(&tool.name).is_none());
        let gone = gone.map(|tool| McpToolChange { tool: tool.name.clone(), before: Some(tool.lines()), after: None });
        let other = self.tools.iter().filter(|tool| before.tool(&tool.name) != Some(tool));
        let other = other.map(|tool| McpToolChange {
            tool: tool.name.clone(),
            before: before.tool(&tool.name).map(ToolText::lines),
            after: Some(tool.lines()),
        });
        gone.chain(other).collect()
    }
}

impl ToolText {
    /// All that the server says of it, to be read by a person.
    pub(crate) fn lines(&self) -> String {
        let title = self.title.as_ref().map(|title| format!("title: {title}\n")).unwrap_or_default();
        let schema = serde_json::to_string_pretty(&self.args_schema).unwrap_or_default();
        let schema = aside_core::harmless(&schema).into_owned();
        format!("{title}description: {}\nits own hints: {}\narguments: {schema}", self.description, hints(self.hints))
    }

    /// Its first line, for lists.
    pub(crate) fn summary(&self) -> String {
        let first = self.title.as_deref().or_else(|| self.description.lines().next()).unwrap_or_default();
        fit_line(if first.is_empty() { &self.name } else { first }, MOST_TITLE)
    }
}

fn usable(tool: &Tool, same: usize) -> Result<ToolText, String> {
    if same > 1 {
        return Err(format!("{same} tools have this name"));
    }
    if tool.name.is_empty() || tool.name.len() > LONGEST_NAME {
        return Err(format!("a name has 1 to {LONGEST_NAME} bytes"));
    }
    if fit_line(&tool.name, LONGEST_NAME) != tool.name || tool.name.contains('`') {
        return Err("its name has invisible or deceptive characters".to_owned());
    }
    schema::check(&tool.input_schema)?;
    let args_schema = Value::Object((*tool.input_schema).clone());
    aside_gate::check_schema(&args_schema)
        .map_err(|problem| format!("its schema is not valid: {}", fit_line(&problem, 200)))?;
    let hints = tool.annotations.as_ref();
    let title = tool.title.as_deref().or_else(|| hints?.title.as_deref());
    Ok(ToolText {
        name: tool.name.to_string(),
        title: title.map(|title| fit_line(title, MOST_TITLE)),
        description: fit(tool.description.as_deref().unwrap_or_default(), MOST_DESCRIPTION),
        args_schema,
        hints: hints.map(told).unwrap_or_default(),
    })
}

fn told(hints: &ToolAnnotations) -> McpHints {
    McpHints {
        read_only: hints.read_only_hint,
        destructive: hints.destructive_hint,
        idempotent: hints.idempotent_hint,
        open_world: hints.open_world_hint,
    }
}

fn hints(hints: McpHints) -> String {
    let said = [
        ("read-only", hints.read_only),
        ("destructive", hints.destructive),
        ("idempotent", hints.idempotent),
        ("open world", hints.open_world),
    ];
    let words: Vec<_> = said
        .into_iter()
        .filter_map(|(words, hint)| Some(format!("{}{words}", if hint? { "" } else { "not: " })))
        .collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn launch() -> McpLaunch {
        serde_json::from_value(json!({ "kind": "program", "argv": ["/bin/srv"] })).unwrap()
    }

    fn tool(name: &str, description: &str) -> Tool {
        serde_json::from_value(json!({ "name": name, "description": description, "inputSchema": { "type": "object" } }))
            .unwrap()
    }

    fn read(tools: &[Tool]) -> ToolList {
        ToolList::read(&launch(), tools)
    }

    #[test]
    fn the_hash_is_of_everything_but_the_order() {
        let (one, two) = (tool("one", "a"), tool("two", "b"));
        let list = read(&[one.clone(), two.clone()]);
        assert_eq!(list, read(&[two.clone(), one.clone()]));
        for other in
            [vec![one.clone()], vec![one.clone(), tool("two", "c")], vec![one.clone(), two.clone(), two.clone()]]
        {
            assert_ne!(list.hash, read(&other).hash);
        }
        let mut meta = one.clone();
        meta.meta = serde_json::from_value(json!({ "k": 1 })).unwrap();
        assert_ne!(list.hash, read(&[meta, two.clone()]).hash);
        let elsewhere: McpLaunch =
            serde_json::from_value(json!({ "kind": "program", "argv": ["/bin/srv", "-v"] })).unwrap();
        assert_ne!(list.hash, ToolList::read(&elsewhere, &[one, two]).hash);
    }

    #[test]
    fn two_tools_of_one_name_are_both_left_out() {
        let list = read(&[tool("same", "harmless"), tool("same", "not so"), tool("other", "")]);
        assert_eq!(list.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["other"]);
        assert_eq!(list.problems, ["`same` is omitted: 2 tools have this name"]);
    }

    #[test]
    fn names_that_hide_something_are_left_out_and_descriptions_show_it() {
        let list = read(&[tool("re\u{200b}ad", ""), tool("a`b", ""), tool("x\ny", ""), tool("", "")]);
        assert_eq!((list.tools.len(), list.problems.len()), (0, 4));
        let list = read(&[tool("fine", "Add.\u{e0049}\u{e0047}")]);
        assert_eq!(list.tools[0].description, "Add.\\u{e0049}\\u{e0047}");
    }

    #[test]
    fn what_changed_is_said_with_both_texts() {
        let before = read(&[tool("one", "a"), tool("two", "b")]);
        let after = read(&[tool("two", "B"), tool("three", "c")]);
        let changes = after.changes_since(&before);
        let ends = |change: &McpToolChange| (change.before.is_some(), change.after.is_some());
        let found: Vec<_> = changes.iter().map(|change| (change.tool.as_str(), ends(change))).collect();
        assert_eq!(found, [("one", (true, false)), ("three", (false, true)), ("two", (true, true))]);
        assert!(after.changes_since(&after).is_empty());
    }

    proptest! {
        /// Whatever is told, what is kept is small, fit to be shown, and the same each time.
        #[test]
        fn any_list_is_read(
            told in prop::collection::vec((".{0,140}", ".{0,5000}", "[a-z$]{0,8}"), 0..8),
        ) {
            let tools: Vec<Tool> = told.iter().map(|(name, description, key)| {
                let schema = json!({ key: "#/x", "properties": { name: {} } });
                serde_json::from_value(json!({ "name": name, "description": description, "inputSchema": schema })).unwrap()
            }).collect();
            let list = read(&tools);
            prop_assert_eq!(&list, &read(&tools));
            for tool in &list.tools {
                prop_assert!(aside_core::harmless(&tool.name) == tool.name);
                prop_assert!(aside_core::harmless(&tool.description) == tool.description);
                prop_assert!(aside_core::harmless(&tool.lines()) == tool.lines());
            }
            let kept: ToolList = serde_json::from_str(&serde_json::to_string(&list).unwrap()).unwrap();
            prop_assert_eq!(kept, list);
        }
    }
}
