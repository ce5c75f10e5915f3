//! Actions as a model sees them, and what a model sends as action requests.

mod by_name;
mod mentions;
mod withheld;

use std::sync::Arc;

use aside_core::{ActionName, ActionRequest, Descriptor, Label, LabelSource, Provenance, ToolCall};
use aside_gate::read_args;
use aside_llm::ToolSpec;
use serde_json::Value;

use self::mentions::Mentions;
use crate::{fence::fenced, hand_off, profile::ActionAccess};

/// The actions that one agent may ask for.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    descriptors: Vec<Arc<Descriptor>>,
    /// How the agent gets at them.
    access: ActionAccess,
    /// The actions that are there and may not be asked for.
    others: Mentions,
}

impl Tools {
    /// The given ones, in this order.
    pub fn new(descriptors: Vec<Arc<Descriptor>>) -> Self {
        Self { descriptors, access: ActionAccess::Tools, others: Mentions::default() }
    }

    /// Says how the agent gets at them.
    #[must_use]
    pub fn with_access(self, access: ActionAccess) -> Self {
        Self { access, ..self }
    }

    /// Says what else there is, which no word is to be lost about.
    #[must_use]
    pub fn in_catalog(self, all: impl IntoIterator<Item = Arc<Descriptor>>) -> Self {
        let others: Vec<_> = all.into_iter().filter(|other| !self.covers(other.name.as_str())).collect();
        let others = Mentions::of(others.iter().map(|other| &other.name));
        Self { others, ..self }
    }

    /// Tells whether an action may be asked for.
    pub fn covers(&self, action: &str) -> bool {
        self.descriptors.iter().any(|known| known.name.as_str() == action)
    }

    /// Returns how the agent gets at them.
    pub fn access(&self) -> ActionAccess {
        self.access
    }

    /// Returns what a model with tools is offered.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let by_name = self.runs_by_name().then(by_name::spec);
        let hand_off = (self.access == ActionAccess::Catalog).then(hand_off::spec);
        self.offered().map(|descriptor| self.spec(descriptor)).chain(by_name).chain(hand_off).collect()
    }

    fn runs_by_name(&self) -> bool {
        self.access == ActionAccess::Catalog || self.has_servers()
    }

    fn has_servers(&self) -> bool {
        self.descriptors.iter().any(|descriptor| matches!(descriptor.name.noun(), "mcp" | "history" | "terminal"))
    }

    /// What has to do with servers of tools is found in the catalog and run by its name, so that what other programs say
    /// of themselves is read, and labelled, only when it is looked for. So are terminals, questions about the history and changes of
    /// the window, which few turns need.
    fn offered(&self) -> impl Iterator<Item = &Arc<Descriptor>> {
        let (searches, only_searches) = (self.runs_by_name(), self.access == ActionAccess::Catalog);
        self.descriptors.iter().filter(move |descriptor| match descriptor.name.noun() {
            noun if only_searches => noun == "catalog",
            "mcp" | "history" | "terminal" => false,
            "ui" => descriptor.name.as_str() == "ui.open",
            // There is nothing to be found that is not offered.
            "catalog" => searches,
            _ => true,
        })
    }

    /// Where the words come from that the tools are described in.
    pub fn provenance(&self) -> Provenance {
        let foreign = self.offered().filter(|descriptor| descriptor.label == Label::External);
        foreign.fold(Provenance::default(), |all, descriptor| all.with(described(descriptor)))
    }

    /// Tells whether a model means one of these.
    pub fn knows(&self, name: &str) -> bool {
        let by_name = self.runs_by_name() && wire_name(name) == by_name::RUN;
        self.find(name).is_some()
            || by_name
            || (self.access == ActionAccess::Catalog && wire_name(name) == hand_off::NAME)
    }

    /// Returns the request that a call stands for, or what to tell the model. A tool that there is not goes to the
    /// Gate as well, which refuses it and writes down that it was asked for.
    pub fn request(&self, call: &ToolCall) -> Result<ActionRequest, String> {
        let call = &*by_name::meant(call)?;
        let descriptor = self.find(&call.name);
        let name = match descriptor {
            Some(descriptor) => descriptor.name.clone(),
            None => action_name(&call.name).ok_or_else(|| self.no_tool(&call.name))?,
        };
        if let Some(problem) = &call.problem {
            return Err(format!("The arguments of {} could not be read ({problem}). Nothing was changed.", call.name));
        }
        let args = match call.args {
            Value::Null => Value::Object(serde_json::Map::new()),
            ref args => read_args(args, descriptor.map_or(&Value::Null, |descriptor| &descriptor.args_schema)),
        };
        if !args.is_object() {
            return Err(format!("The arguments of {} must be one JSON object. Nothing was changed.", call.name));
        }
        Ok(ActionRequest::new(name, args))
    }

    /// The action that a name means, if it may be asked for.
    pub(crate) fn find(&self, name: &str) -> Option<&Descriptor> {
        let wire = wire_name(name);
        self.descriptors.iter().find(|known| wire_name(known.name.as_str()) == wire).map(AsRef::as_ref)
    }

    /// The names of those that a model is offered.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.offered().map(|descriptor| descriptor.name.as_str()).collect()
    }

    fn no_tool(&self, name: &str) -> String {
        let shown: String = name.chars().take(60).collect();
        let names: Vec<String> = self.specs().into_iter().map(|spec| spec.name).collect();
        format!("There is no tool `{shown}`. Nothing was changed. The tools are: {}.", names.join(", "))
    }
}

/// `make_coffee` means `make.coffee`, which the Gate will not know.
fn action_name(name: &str) -> Option<ActionName> {
    let dotted = if name.contains('.') { name.to_owned() } else { name.replacen('_', ".", 1) };
    dotted.parse().ok()
}

/// An action's name as providers allow it: `doc_edit`.
pub fn wire_name(name: &str) -> String {
    name.replace('.', "_")
}

impl Tools {
    fn spec(&self, descriptor: &Descriptor) -> ToolSpec {
        let Descriptor { name, summary, description, args_schema, .. } = descriptor;
        let example = descriptor.examples.iter().map(|example| format!("\nExample: {}", example.args));
        let example = example.take(1).find(|example| !self.mentions_other(example)).unwrap_or_default();
        let parts = [self.only_own(summary), self.only_own(description), example];
        let mut description = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
        if descriptor.label == Label::External {
            description = fenced(&description, &Provenance::of(described(descriptor)), name.as_str());
        }
        let mut schema = args_schema.clone();
        self.clean(&mut schema);
        ToolSpec { name: wire_name(name.as_str()), description, schema }
    }

    /// Without the sentences that speak of what may not be asked for.
    fn only_own(&self, text: &str) -> String {
        if !self.mentions_other(text) {
            return text.to_owned();
        }
        let own = text.split_inclusive(". ").filter(|sentence| !self.mentions_other(sentence));
        own.collect::<String>().trim_end().to_owned()
    }

    fn mentions_other(&self, text: &str) -> bool {
        self.others.is_in(text)
    }

    fn clean(&self, schema: &mut Value) {
        match schema {
            Value::String(text) => *text = self.only_own(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.clean(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.clean(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Who says what a tool of another program does.
fn described(descriptor: &Descriptor) -> LabelSource {
    LabelSource::external(descriptor.name.as_str(), "another program's description of its tool")
}

/// Returns the name of an action that is known to be well written.
pub(crate) fn action(name: &str) -> ActionName {
    name.parse().expect("names in this crate are noun.verb")
}

#[cfg(test)]
pub(crate) mod tests {
    use aside_core::{ActionExample, EffectScope, Risks, UndoSupport};
    use serde_json::json;

    use super::*;

    /// Tools of these names; `noun.*` stands for `noun.list`.
    pub(crate) fn tools_of(names: &[&str]) -> Tools {
        Tools::new(names.iter().map(|name| Arc::new(descriptor(&name.replace('*', "list")))).collect())
    }

    /// Nothing is left of these two but reading.
    pub(crate) fn only_reading() -> Tools {
        tools_of(&["doc.read"]).in_catalog([Arc::new(descriptor("doc.edit"))])
    }

    fn tools() -> Tools {
        tools_of(&["doc.edit"])
    }

    fn descriptor(name: &str) -> Descriptor {
        Descriptor {
            name: action(name),
            summary: "Edit a file".into(),
            description: String::new(),
            args_schema: json!({"properties": {"path": {"type": "string"}, "edits": {"type": "array"}}}),
            preconditions: vec![],
            effect: EffectScope::Workspace,
            risks: Risks::default(),
            grant_needed: aside_core::GrantNeeded::of(&action(name), &Risks::default()),
            places: vec![],
            undo: UndoSupport::Inverse,
            examples: vec![ActionExample { title: "t".into(), args: json!({"path": "a.py"}) }],
            phrases: vec![],
            tags: vec![],
            safety: vec![],
            label: aside_core::Label::Workspace,
        }
    }

    fn call(name: &str, args: Value) -> ToolCall {
        ToolCall { id: "1".into(), name: name.into(), args, problem: None, from_text: false }
    }

    #[test]
    fn both_spellings_name_the_action() {
        for name in ["doc_edit", "doc.edit"] {
            let request = tools().request(&call(name, json!({"path": "a"}))).unwrap();
            assert_eq!(request.action_type.as_str(), "doc.edit");
        }
        let offered: Vec<_> = tools().specs().into_iter().map(|spec| spec.name).collect();
        assert_eq!(offered, ["doc_edit"]);
        let offered: Vec<_> = tools_of(&["doc.edit", "mcp.list"]).specs().into_iter().map(|spec| spec.name).collect();
        assert_eq!(offered, ["doc_edit", "action_run"]);
    }

    #[test]
    fn navigator_is_offered_four_tools() {
        let names = ["catalog.search", "catalog.describe", "doc.edit", "file.delete", "mcp.list", "ui.open"];
        let tools = tools_of(&names).with_access(ActionAccess::Catalog);
        let offered: Vec<_> = tools.specs().into_iter().map(|spec| spec.name).collect();
        assert_eq!(offered, ["catalog_search", "catalog_describe", "action_run", "hand_off"]);
        assert!(tools.knows("hand_off") && tools.knows("file.delete") && !self::tools().knows("hand_off"));
    }

    #[test]
    fn no_word_is_lost_about_what_may_not_be_asked_for() {
        let description = "Reads. Give the version to `doc.edit`. Or `doc_edit`. Line by line.".to_owned();
        let args_schema = json!({"properties": {"a": {"description": "One. For doc.edit. "}}});
        let examples = vec![ActionExample { title: "t".into(), args: json!({"name": "doc.edit"}) }];
        let read = Descriptor { description, args_schema, examples, ..descriptor("doc.read") };
        let all = [Arc::new(read.clone()), Arc::new(descriptor("doc.edit"))];
        let both = Tools::new(all.to_vec()).in_catalog(all.clone());
        assert!(both.specs()[0].description.contains("doc.edit"));
        let spec = Tools::new(vec![Arc::new(read)]).in_catalog(all).specs().remove(0);
        assert_eq!(spec.description, "Edit a file\nReads. Line by line.");
        assert_eq!(spec.schema, json!({"properties": {"a": {"description": "One."}}}));
    }

    #[test]
    fn quoted_json_is_read_where_the_schema_wants_it_and_nowhere_else() {
        let request =
            tools().request(&call("doc_edit", json!({"path": "[1]", "edits": "[{\"new\": \"x\"}]"}))).unwrap();
        assert_eq!(request.args, json!({"path": "[1]", "edits": [{"new": "x"}]}));
        let request = tools().request(&call("doc_edit", json!({"edits": "not json"}))).unwrap();
        assert_eq!(request.args, json!({"edits": "not json"}));
    }

    #[test]
    fn an_unknown_tool_is_left_to_the_gate_to_refuse() {
        for (name, action) in
            [("shell.run", "shell.run"), ("make_coffee", "make.coffee"), ("task_hand_off", "task.hand_off")]
        {
            assert_eq!(tools().request(&call(name, json!({}))).unwrap().action_type.as_str(), action);
        }
    }

    #[test]
    fn what_makes_no_request_is_explained() {
        assert!(tools().request(&call("rm", json!({}))).unwrap_err().contains("no tool `rm`"));
        assert!(tools().request(&call("doc_edit", json!([1]))).unwrap_err().contains("one JSON object"));
        let half = ToolCall { problem: Some("it ends early".into()), ..call("doc_edit", json!("{\"pa")) };
        assert!(tools().request(&half).unwrap_err().contains("it ends early"));
    }
}
