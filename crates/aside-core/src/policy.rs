//! What policy says about a request, and what a person says.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ActionId, Sha256, Timestamp};

/// What policy decides for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// It runs.
    Allow,
    /// A person is asked.
    Confirm,
    /// It does not run.
    Deny,
}

/// A ruling with the rule that decided it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// The ruling.
    pub ruling: Ruling,
    /// The rule's name: `builtin/agent-config`, `default/destructive`, `thread/review-each`.
    pub rule: String,
    /// One sentence for the person: why it was asked or denied.
    pub reason: String,
}

/// How far an approval reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DecisionScope {
    /// This request.
    #[default]
    Once,
    /// Requests of the same action in this turn.
    Turn,
    /// Requests that match a rule, which is stored.
    Always,
}

/// A person's yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Run it.
    Approve,
    /// Don't.
    Reject,
}

/// A person's answer to a request that waits for confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Yes or no.
    pub decision: Choice,
    /// How far a yes reaches.
    #[serde(default)]
    #[ts(as = "Option<DecisionScope>", optional)]
    pub scope: DecisionScope,
    /// Only these parts of the preview; all that are still open if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<Vec<u32>>,
    /// The approval hash of what was shown. A yes without it is bound to what is pending now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hash: Option<Sha256>,
    /// Said to the model and kept in the audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

impl Decision {
    /// Yes to all that is open, once.
    pub fn approve(hash: Option<Sha256>) -> Self {
        Self { decision: Choice::Approve, scope: DecisionScope::Once, parts: None, hash, reason: None }
    }

    /// No to all that is open.
    pub fn reject(reason: Option<String>) -> Self {
        Self { decision: Choice::Reject, scope: DecisionScope::Once, parts: None, hash: None, reason }
    }
}

/// What was decided about one part of a preview, by whom, when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PartDecision {
    /// Which part.
    pub part: u32,
    /// Yes or no.
    pub decision: Choice,
    /// The action that carried out a yes; it has its own audit record and its own undo.
    pub action: Option<ActionId>,
    /// Who decided.
    pub by: String,
    /// When.
    pub at: Timestamp,
}
