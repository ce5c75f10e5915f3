//! The action: a typed thing that can be done. Descriptor -> request -> envelope.

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{ActionId, GrantNeeded, Label, LabelSource, Provenance, Risks, Sha256, Version, WorkspacePath};

/// `noun.verb` in lower case: `doc.edit`, `ui.tabs.close`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct ActionName(String);

/// Says that a text is not of the form `noun.verb`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an action name: expected `noun.verb` in lower-case letters, digits and `_`")]
pub struct InvalidActionName(pub String);

impl ActionName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first dot.
    pub fn noun(&self) -> &str {
        self.0.split('.').next().unwrap_or(&self.0)
    }
}

impl FromStr for ActionName {
    type Err = InvalidActionName;

    fn from_str(text: &str) -> Result<Self, InvalidActionName> {
        let word = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_lowercase())
                && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        if text.len() <= 60 && text.contains('.') && text.split('.').all(word) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidActionName(text.chars().take(60).collect()))
        }
    }
}

impl fmt::Display for ActionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ActionName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Where an action runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the user's open window.
    Browser,
    /// In the workspace's server.
    Workspace,
    /// On the computer, outside the workspace.
    Host,
    /// At the hub that many people share.
    Hub,
}

/// The scope of an action's effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectScope {
    /// Only the user interface.
    Ui,
    /// Files and documents of the workspace.
    Workspace,
    /// The user's settings and keys.
    Account,
    /// The computer.
    System,
}

/// Whether an action can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoSupport {
    /// There is nothing to undo.
    NotNeeded,
    /// A recorded inverse undoes it.
    Inverse,
    /// It can't be undone.
    None,
}

/// One way to call an action; the tests run each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ActionExample {
    /// A short title.
    pub title: String,
    /// The arguments.
    #[ts(type = "unknown")]
    pub args: Value,
}

/// The description of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Descriptor {
    /// `noun.verb`.
    pub name: ActionName,
    /// One line in the imperative.
    pub summary: String,
    /// How to use it, for models and users.
    pub description: String,
    /// JSON Schema of the arguments, generated from the Rust type.
    #[ts(type = "unknown")]
    pub args_schema: Value,
    /// Conditions that must hold before it can run.
    pub preconditions: Vec<String>,
    /// The scope of its effect.
    pub effect: EffectScope,
    /// The risks it always has. Arguments can add risks, but not remove any.
    pub risks: Risks,
    /// The grant that a program needs for it; derived from name and risks.
    pub grant_needed: GrantNeeded,
    /// Where it may run.
    pub places: Vec<Place>,
    /// Whether it can be undone.
    pub undo: UndoSupport,
    /// At least one.
    pub examples: Vec<ActionExample>,
    /// Sentences that people say for it, in the notation of [`crate::Phrase`], for the fast path and the search.
    pub phrases: Vec<String>,
    /// Words for the search.
    pub tags: Vec<String>,
    /// Safety notes.
    pub safety: Vec<String>,
    /// The origin of this text: `external` for a tool of another program, which is untrusted.
    pub label: Label,
}

/// A request to run an action. It can't set risks or ask for approval: the Gate does, and a request with any
/// other field is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRequest {
    /// The action's name.
    pub action_type: ActionName,
    /// The objects it affects, by name. Each is also accepted as the argument of that name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, String>>", optional)]
    pub target: BTreeMap<String, String>,
    /// The arguments, checked against the action's schema.
    #[serde(default)]
    #[ts(type = "unknown")]
    pub args: Value,
    /// The same key with the same request runs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Free text for the activity log, such as the reason or the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub audit_context: Option<Value>,
}

impl ActionRequest {
    /// Asks for an action with some arguments and nothing else.
    pub fn new(action_type: ActionName, args: Value) -> Self {
        Self { action_type, target: BTreeMap::new(), args, idempotency_key: None, audit_context: None }
    }
}

/// A request as the Gate took it in: what people, logs and the API see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Envelope {
    /// The action's id.
    pub id: ActionId,
    /// SHA-256 of the canonical JSON of all other fields but the id.
    pub hash: Sha256,
    /// Which action.
    pub action_type: ActionName,
    /// Names of the objects it is about.
    pub target: BTreeMap<String, String>,
    /// The arguments.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Computed by the Gate from the descriptor and the handler's assessment.
    pub risk_level: Risks,
    /// Computed by the Gate from policy.
    pub requires_confirmation: bool,
    /// Given, or derived.
    pub idempotency_key: String,
    /// Free words for the audit.
    #[ts(type = "unknown")]
    pub audit_context: Option<Value>,
}

/// One thing an action is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ObjectRef {
    /// `file`, `thread`, `action` …
    pub kind: String,
    /// Its path or id.
    pub id: String,
}

impl ObjectRef {
    /// Names a file.
    pub fn file(path: &WorkspacePath) -> Self {
        Self { kind: "file".to_owned(), id: path.as_str().to_owned() }
    }
}

/// The version of an object that an assessment was made for; none if the object is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ObjectVersion {
    /// Which object.
    pub object: ObjectRef,
    /// Its version then.
    pub version: Option<Version>,
}

/// What a handler says about a request before anything runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Assessment {
    /// Risks that arguments and target add to the declared ones.
    pub risks: Risks,
    /// What it touches.
    pub targets: Vec<ObjectRef>,
    /// The versions it was assessed for.
    pub versions: Vec<ObjectVersion>,
    /// The line that a shell would run, whole; policy splits it and rules on every command in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub command: Option<String>,
    /// Where the content comes from that it reads or carries along.
    #[serde(default)]
    pub provenance: Provenance,
    /// The hosts it would reach over a network, as far as they are known before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub hosts: Vec<String>,
    /// Where what it brings over a network comes from, if more is known of that than that it came so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub brings: Option<LabelSource>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_noun_dot_verb() {
        for good in ["doc.edit", "ui.tabs.close", "task.hand_off"] {
            assert!(good.parse::<ActionName>().is_ok(), "{good}");
        }
        for bad in ["doc", "Doc.edit", "doc.", ".edit", "doc edit", "doc.edit;rm"] {
            assert!(bad.parse::<ActionName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_request_cannot_set_its_own_risk() {
        let text = r#"{"action_type":"doc.edit","args":{},"risk_level":["read"]}"#;
        assert!(serde_json::from_str::<ActionRequest>(text).unwrap_err().to_string().contains("risk_level"));
        let text = r#"{"action_type":"doc.edit","args":{},"requires_confirmation":false}"#;
        assert!(serde_json::from_str::<ActionRequest>(text).is_err());
    }
}
