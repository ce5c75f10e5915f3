//! Bodies of the routes `grants`.

use aside_core::TS;
use aside_core::{GrantLimits, GrantRecord};
use serde::{Deserialize, Serialize};

/// `POST grants`: a token for another program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGrant {
    /// For whom or what, as people will read it: "nightly script".
    pub name: String,
    /// How far it reaches; never further than the grant of who makes it.
    #[serde(default)]
    #[ts(as = "Option<GrantLimits>", optional)]
    pub limits: GrantLimits,
}

/// Answer of `POST grants`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantMade {
    /// What was made.
    pub record: GrantRecord,
    /// The secret that names it. It is said this once: only its hash is kept.
    pub token: String,
}
