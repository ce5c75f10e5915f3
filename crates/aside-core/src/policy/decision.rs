//! What a person answers, and how far the answer reaches.

use std::collections::BTreeMap;

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ActionId, ArgumentMatcher, CommandMatcher, PathGlob, Sha256, Timestamp};

/// How far an approval reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DecisionScope {
    /// This request.
    #[default]
    Once,
    /// Requests of this turn that match the offered rule, which is stored with the turn.
    Turn,
    /// Further calls of this action with no graver risks in this run of a script, until a call has returned content from outside.
    Class,
    /// Requests that match the offered rule, which is stored in the person's `policy.toml`.
    Always,
}

/// Where a rule or another setting of the user applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleScope {
    /// In this workspace.
    #[default]
    Workspace,
    /// In every workspace of the user.
    Everywhere,
}

/// What a person changes in an offered rule before it is remembered. All else stays as it was offered: the action, the
/// risks, who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RuleEdit {
    /// Its paths; any if empty.
    #[serde(default)]
    #[ts(as = "Option<Vec<PathGlob>>", optional)]
    pub paths: Vec<PathGlob>,
    /// Its commands.
    #[serde(default)]
    #[ts(as = "Option<Vec<CommandMatcher>>", optional)]
    pub commands: Vec<CommandMatcher>,
    /// What single arguments have to be.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, ArgumentMatcher>>", optional)]
    pub args: BTreeMap<String, ArgumentMatcher>,
    /// When it ends, in UTC: `2026-12-31`; never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expires: Option<String>,
}

/// A rule that a person's answer left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Remembered {
    /// How far it reaches.
    pub scope: DecisionScope,
    /// Where it holds, if it holds beyond the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule_scope: Option<RuleScope>,
    /// Its name as verdicts have it: `user/doc.edit-1`.
    pub rule: String,
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
    /// Where a rule that is remembered for always holds; this workspace if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule_scope: Option<RuleScope>,
    /// The offered rule as the person changed it; as it was offered if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<Box<RuleEdit>>,
    /// Only these parts of the preview; all that are still open if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<Vec<u32>>,
    /// The approval hash of what was shown. A yes needs it; a no may go without.
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
    pub fn approve(hash: impl Into<Option<Sha256>>) -> Self {
        Self {
            decision: Choice::Approve,
            scope: DecisionScope::Once,
            rule_scope: None,
            rule: None,
            parts: None,
            hash: hash.into(),
            reason: None,
        }
    }

    /// No to all that is open.
    pub fn reject(reason: Option<String>) -> Self {
        Self { decision: Choice::Reject, reason, ..Self::approve(None) }
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
