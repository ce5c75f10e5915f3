//! What a thread is started with when something went wrong: the problem, and what programs said of it.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::Problem;

/// What goes along with a message that asks for help. It is data: whatever stands in it, nobody has said it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// What is wrong, as a program found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<Problem>,
    /// The first error of the same build, if that is another: what comes after it is often its consequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first: Option<Problem>,
    /// What programs put out about it; the first few, cut to their beginning and end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SeedLog>>", optional)]
    pub logs: Vec<SeedLog>,
}

/// What one program put out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeedLog {
    /// What it is, for the person: `pytest`, `main.log`.
    pub name: String,
    /// What was put out.
    pub text: String,
}
