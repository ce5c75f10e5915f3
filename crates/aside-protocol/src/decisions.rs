//! Bodies of the route `actions/decisions`.

use aside_core::TS;
use aside_core::{ActionId, Decision, Failure};
use serde::{Deserialize, Serialize};

use crate::Submitted;

/// `POST actions/decisions`: answers to several requests, each to what was shown of that one. They are taken in order,
/// and one that can't be taken keeps no other from being taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// The answers; at most 100.
    pub decisions: Vec<DecisionOn>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct DecisionOn {
    /// What it is about.
    pub id: ActionId,
    /// The answer, with the hash of what was shown.
    pub decision: Decision,
}

/// What became of one of them: the action as it is then, or why the answer was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DecisionTaken {
    /// What it is about.
    pub id: ActionId,
    /// The action, if the answer was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub submitted: Option<Submitted>,
    /// Why it was not; the same as one answer alone would get.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub failure: Option<Failure>,
}
