//! The limits of a run.

use std::time::Duration;

/// The limits of one run. Each has its own error code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Computing time of the script (`time_limit`).
    pub compute: Duration,
    /// Time on the clock, without the time in which a person decides (`time_limit`).
    pub wall: Duration,
    /// Bytes of the script's values and of the arguments of its calls under way (`memory_limit`).
    pub memory: usize,
    /// Calls, sleeps included (`too_many_calls`).
    pub calls: u32,
    /// Bytes of the console. Its beginning and end are kept.
    pub console: usize,
    /// Bytes of the result as JSON (`bad_result`).
    pub result: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            compute: Duration::from_secs(10),
            wall: Duration::from_secs(600),
            memory: 64 << 20,
            calls: 1_000,
            console: 64 << 10,
            result: 256 << 10,
        }
    }
}
