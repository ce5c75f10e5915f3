//! Counts of tokens as Codex has them: the input with what was read from and written to a cache, the output with the reasoning.

use serde::{Deserialize, Serialize};

use super::line::Counts;
use crate::record::Tokens;

/// A running total, or what one answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    pub input: u64,
    pub cached: u64,
    #[serde(default)]
    pub written: u64,
    pub output: u64,
    pub reasoning: u64,
    pub total: u64,
}

impl Totals {
    /// What came since another total.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            input: self.input.saturating_sub(before.input),
            cached: self.cached.saturating_sub(before.cached),
            written: self.written.saturating_sub(before.written),
            output: self.output.saturating_sub(before.output),
            reasoning: self.reasoning.saturating_sub(before.reasoning),
            total: self.total.saturating_sub(before.total),
        }
    }

    /// Each kind apart.
    pub fn tokens(&self) -> Tokens {
        let cache_read = self.cached.min(self.input);
        let cache_write = self.written.min(self.input - cache_read);
        // Where only the sum is known, what is not input is output.
        let output = if self.output == 0 { self.total.saturating_sub(self.input) } else { self.output };
        Tokens { input: self.input - cache_read - cache_write, output, cache_read, cache_write, cache_write_hour: 0 }
    }
}

impl From<&Counts> for Totals {
    fn from(counts: &Counts) -> Self {
        Self {
            input: counts.input_tokens.or_zero(),
            cached: counts.cached_input_tokens.or_zero(),
            written: counts.cache_write_input_tokens.or_zero(),
            output: counts.output_tokens.or_zero(),
            reasoning: counts.reasoning_output_tokens.or_zero(),
            total: counts.total_tokens.or_zero(),
        }
    }
}
