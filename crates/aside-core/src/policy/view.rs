//! Policy as people look at it: its layers, why a request is ruled on as it is, and what could be remembered.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ActionRecord, PolicyLayer, PolicyRule, Ruling, Verdict};

/// All rules that hold now, layer by layer, in the order in which they are looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicyView {
    /// The layers, the strongest first.
    pub layers: Vec<LayerView>,
}

/// The rules of one layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LayerView {
    /// Which one.
    pub layer: PolicyLayer,
    /// Where its rules are written; absent for what is built in.
    pub file: Option<String>,
    /// What is wrong with the file; then no `allow` rule holds and all that changes something asks.
    pub problem: Option<String>,
    /// Its rules.
    pub rules: Vec<RuleView>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RuleView {
    /// Its name as verdicts have it.
    pub name: String,
    /// What it says.
    pub ruling: Ruling,
    /// It is only looked at if no other rule matches.
    pub default: bool,
    /// When it matches, in words.
    pub when: String,
    /// Why, for the person.
    pub reason: String,
    /// Why it does not hold here and now, if it does not.
    pub inactive: Option<String>,
    /// As it is written, unless it is built in.
    pub written: Option<PolicyRule>,
}

/// What would become of a request, and why, rule by rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Explanation {
    /// The verdict.
    pub verdict: Verdict,
    /// Every rule, in the order in which they are looked at; empty if policy was not asked.
    pub rules: Vec<RuleCheck>,
    /// The request as a dry run took it in.
    pub record: Box<ActionRecord>,
}

/// Whether a rule matches a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleCheck {
    /// Where it comes from.
    pub layer: PolicyLayer,
    /// Its name as verdicts have it.
    pub rule: String,
    /// What it says.
    pub ruling: Ruling,
    /// It is only looked at if no other rule matches.
    pub default: bool,
    /// It matches.
    pub matched: bool,
    /// It is the one that decided.
    pub decided: bool,
    /// The first part that does not hold, in words.
    pub unmet: Option<String>,
}

/// A rule that could be remembered, for the person to look at before it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RuleOffer {
    /// The rule.
    pub rule: PolicyRule,
    /// What it allows, in a sentence.
    pub sentence: String,
    /// What would be written for this workspace.
    pub workspace_text: String,
    /// What would be written for every workspace.
    pub everywhere_text: String,
    /// The file that it would be written to; absent if there is none, and then only the turn can remember it.
    pub file: Option<String>,
    /// What it allows beyond the rule that was offered, a sentence each; empty unless the person made it wider.
    #[serde(default)]
    pub beyond: Vec<String>,
    /// How many of the latest requests it would have allowed.
    pub past: PastMatches,
}

/// A count over the latest requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PastMatches {
    /// Those that the rule matches.
    pub matched: u32,
    /// Those that were looked at.
    pub of: u32,
}
