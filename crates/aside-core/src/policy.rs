//! What policy says about a request, and what a person says.

mod decision;
mod rule;
mod view;

use crate::TS;
use serde::{Deserialize, Serialize};

pub use decision::*;
pub use rule::*;
pub use view::*;

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

/// Where a rule comes from. The order is that of their denials: an earlier layer's can't be taken back by a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PolicyLayer {
    /// Part of Aside.
    Builtin,
    /// The organisation's file.
    Organisation,
    /// The person's file.
    User,
    /// The file that came with the folder. It forbids and asks, and allows nothing.
    Workspace,
    /// A person's answer, for the rest of a turn.
    Turn,
}

/// A rule that matches a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MatchedRule {
    /// Where it comes from.
    pub layer: PolicyLayer,
    /// Its name, with its layer's: `user/tests`.
    pub rule: String,
    /// What it says.
    pub ruling: Ruling,
}

/// A ruling with the rule that decided it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// The ruling.
    pub ruling: Ruling,
    /// The rule's name: `builtin/agent-config`, `default/destructive`, `user/tests`.
    pub rule: String,
    /// One sentence for the person: why it was asked or denied.
    pub reason: String,
    /// Where the rule comes from; absent if no policy was asked, as for what a grant does not cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub layer: Option<PolicyLayer>,
    /// No rule named this request: the default of its risks decided.
    #[serde(default)]
    pub default_used: bool,
    /// The rules that match, the one that decided first; of very many, the first ones.
    #[serde(default)]
    pub matched: Vec<MatchedRule>,
    /// The narrowest rule that would allow requests like this one, if one can: what "always" stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub could_add: Option<Box<PolicyRule>>,
}

impl Verdict {
    /// A verdict that is no rule's of a policy: on a grant, or on a request that makes no sense.
    pub fn new(ruling: Ruling, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        let (rule, reason) = (rule.into(), reason.into());
        Self { ruling, rule, reason, layer: None, default_used: false, matched: Vec::new(), could_add: None }
    }
}
