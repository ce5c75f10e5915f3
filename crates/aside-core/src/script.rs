//! Runs of scripts as tasks show them. The engine is in `aside-script`; its calls are actions like any other.

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ActionId, ActionName, Completeness, Preview, Provenance, Risks, Sha256, WorkspacePath};

/// A run of a script, as far as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ScriptReport {
    /// The file of the script, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<WorkspacePath>,
    /// The input, as the script finds it in `args`; absent if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub args: Option<Value>,
    /// Nothing was changed: its calls only say what they would do.
    #[serde(default)]
    pub dry_run: bool,
    /// The return value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub result: Option<Value>,
    /// The reason why there is no return value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<ScriptFault>,
    /// The printed lines, once the run is over.
    pub console: ScriptConsole,
    /// The changes that a dry run foresees, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub changes: Option<Vec<ScriptChange>>,
    /// How much of its changes a dry run shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub completeness: Option<Completeness>,
    /// Calls that were answered from the record of the run before an interruption.
    pub replayed: u32,
    /// Calls that have ended.
    pub calls_done: u32,
}

/// The printed lines of a script, within their limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ScriptConsole {
    /// The lines; where some are missing, a line says how many.
    pub text: String,
    /// Some lines are missing.
    pub truncated: bool,
}

/// The reason why a script did not reach its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ScriptFault {
    /// A stable word: `script_error`, `time_limit`, `not_granted` …
    pub code: String,
    /// The attempt and the cause.
    pub message: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
    /// The line in the script's own text, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
    /// The action whose error nothing caught.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action_type: Option<String>,
}

/// A change that a dry run foresees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ScriptChange {
    /// The action of the call.
    pub action_type: ActionName,
    /// Its arguments.
    #[ts(type = "unknown")]
    pub args: Value,
    /// The change in a line.
    pub summary: String,
    /// The first file that it touches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    /// How much of the change is shown.
    pub completeness: Completeness,
    /// A person would be asked about it.
    pub asks: bool,
    /// The change itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub preview: Option<Preview>,
}

/// A call of a script that waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PendingCall {
    /// The action to decide.
    pub id: ActionId,
    /// Its name.
    pub action_type: ActionName,
    /// Its arguments.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Its effect; a warning names content from outside that the script has read.
    pub preview: Option<Preview>,
    /// Its risks.
    pub risks: Risks,
    /// Why a person is asked.
    pub reason: String,
    /// The hash that an approval names.
    pub hash: Option<Sha256>,
    /// The content that the script has read so far.
    pub provenance: Provenance,
    /// Calls that wait behind it.
    pub behind: u32,
    /// The calls of this action that the last dry run with the same input has shown and that are still to come, this one among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub coming: Option<ComingCalls>,
}

/// Calls of one action that are still to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ComingCalls {
    /// How many.
    pub calls: u32,
    /// The file or the summary of each, the first twenty.
    pub about: Vec<String>,
}

/// Lower limits for a run than the usual ones. An absent field leaves the usual limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptBounds {
    /// Seconds of computing, at most 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub compute_s: Option<f64>,
    /// Seconds on the clock without waits for people, at most 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub wall_s: Option<f64>,
    /// MiB of memory, at most 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub memory_mb: Option<u32>,
    /// Calls, at most 1,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub calls: Option<u32>,
}

/// A mistake at a place of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ScriptFinding {
    /// The line, from 1.
    pub line: u32,
    /// The column in UTF-16 units, from 1.
    pub column: u32,
    /// The column after its end, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub end_column: Option<u32>,
    /// The mistake.
    pub message: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
}
