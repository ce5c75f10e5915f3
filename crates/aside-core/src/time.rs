//! Points in time, handed in from outside: nothing in this crate reads a clock.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(as = "f64")]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Returns the time `milliseconds` later (earlier when negative).
    #[must_use]
    pub fn plus(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}
