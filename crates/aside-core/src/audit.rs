//! What the audit says about one moment in the life of an action.

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ActionId, ActionName, ActionState, Choice, DecisionScope, GrantRef, Label, ObjectRef, Origin, RefusedBy, Risks,
    Ruling, Sha256, Timestamp,
};

/// What a record of the audit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuditKind {
    /// Taken in; waits for a person.
    Submitted,
    /// What would happen was shown, and nothing else done.
    DryRun,
    /// A stored outcome was returned for a known key.
    Replayed,
    /// It will not run.
    Refused,
    /// It could not even be shown.
    Failed,
    /// What was shown is no longer what would happen; asked again.
    Stale,
    /// A person answered.
    Decision,
    /// A rule is about to be written down, as a person said with their answer.
    Remembered,
    /// It is about to run.
    Intent,
    /// It ran.
    Outcome,
    /// It was found without an outcome after a restart.
    Interrupted,
}

/// One record of the audit: append-only and hash-chained, with every secret masked before it is hashed.
/// Fields that don't apply are absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuditRecord {
    /// What it is about.
    pub kind: AuditKind,
    /// When.
    pub at: Timestamp,
    /// Which action.
    pub action: ActionId,
    /// Its name.
    pub action_type: ActionName,
    /// Where the action was in its life; absent in records of version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<ActionState>,
    /// Who asked.
    pub origin: Origin,
    /// The grant that it ran under; its id if it is a stored one. Absent in records of version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub grant: Option<GrantRef>,
    /// The idempotency key.
    pub key: String,
    /// The envelope's hash.
    pub envelope_hash: Sha256,
    /// Its risks.
    pub risks: Risks,
    /// What it touches.
    pub targets: Vec<ObjectRef>,
    /// What policy said.
    pub ruling: Ruling,
    /// The rule that decided; the word before `/` is its layer.
    pub rule: String,
    /// The person who decided, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decided_by: Option<String>,
    /// Where the content came from that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<Label>,
    /// The places that gave it this label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub sources: Vec<String>,
    /// SHA-256 of the masked arguments' canonical JSON.
    pub args_hash: Sha256,
    /// The arguments, unless they are long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub args: Option<Value>,
    /// The words that came with the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub audit_context: Option<Value>,
    /// SHA-256 of the preview that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub preview_hash: Option<Sha256>,
    /// What an approval was bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub approval_hash: Option<Sha256>,
    /// A person's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<AuditAnswer>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outcome: Option<AuditOutcome>,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ObjectRef>>", optional)]
    pub changed: Vec<ObjectRef>,
    /// The action of which this carries out one part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<ActionId>,
    /// The action that this takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undoes: Option<ActionId>,
}

/// A person's answer, as the audit keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditAnswer {
    /// Who answered.
    pub by: String,
    /// Yes or no.
    pub decision: Choice,
    /// How far a yes reaches.
    #[serde(default)]
    pub scope: DecisionScope,
    /// The rule that the answer left behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<String>,
    /// The parts it is about; the whole if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<Vec<u32>>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

/// How an action ended, shortened for the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditOutcome {
    /// How.
    pub kind: AuditEnd,
    /// Who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<RefusedBy>,
    /// The failure's code; `ran_badly` at an action that was done, and whose command or code failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub code: Option<String>,
    /// In words, at most 1,000 characters.
    pub text: String,
}

/// The ways an action ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuditEnd {
    /// It did what it was asked for.
    Done,
    /// It did not run.
    Refused,
    /// It did not get there.
    Failed,
    /// Nobody knows.
    Interrupted,
}
