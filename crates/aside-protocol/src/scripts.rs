//! Bodies of the routes `scripts`.

use aside_core::TS;
use aside_core::{Place, ScriptBounds, ScriptFinding, TaskId, WorkspacePath};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST scripts`: starts a script and answers at once with its task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewScript {
    /// The script's text; the file of `path` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<String>,
    /// The script's file in the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<WorkspacePath>,
    /// The input: an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub args: Option<Value>,
    /// Only shows the changes.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
    /// Where the script runs; the workspace if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub place: Option<Place>,
    /// Lower limits than the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limits: Option<ScriptBounds>,
    /// The task of the dry run that the person has seen: a change that it did not show pauses the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shown: Option<TaskId>,
    /// The same key with the same script starts one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
}

/// `POST scripts/check`: finds mistakes in a script before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CheckScript {
    /// The script's text.
    pub source: String,
    /// The script's file, for messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<WorkspacePath>,
}

/// Answer of `POST scripts/check`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ScriptFindings {
    /// The mistakes, from the first line on.
    pub findings: Vec<ScriptFinding>,
}
