//! What a person says of how far AI goes.

use aside_core::TS;
use aside_core::{AiLevel, RuleScope, Timestamp};
use serde::{Deserialize, Serialize};

/// `PUT assistant`. The answer, as that to `GET assistant`, is an `AssistantState`: the narrowest of all that was said
/// counts, so that this can't widen what others have narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RestrictAssistant {
    /// How far it goes; absent to take back what was said there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level: Option<AiLevel>,
    /// From then on; always if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub from: Option<Timestamp>,
    /// Until then; for ever if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until: Option<Timestamp>,
    /// `everywhere` is the person's own word, `workspace` is written to the folder's `aside-policy.toml`.
    pub scope: RuleScope,
}
