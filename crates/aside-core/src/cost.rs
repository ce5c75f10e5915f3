//! What model calls cost.

use crate::TS;
use serde::{Deserialize, Serialize};

/// What one or more model calls cost, in money as far as it is known, and in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cost {
    /// US dollars of the calls whose price is known, in units of 10⁻¹²: a cached token may cost a hundred-millionth.
    #[ts(type = "number")]
    pub picodollars: u64,
    /// Calls whose price nobody knows. They are never counted as free.
    pub unknown: u32,
    /// The most that the calls of unknown price can have cost, in units of 10⁻¹² dollars, where that is known: a call that
    /// was stopped before its provider had counted. It counts towards limits.
    #[serde(default)]
    #[ts(type = "number")]
    pub at_most: u64,
    /// Calls that were answered on this machine.
    pub local: u32,
    /// How long the models took, in milliseconds.
    #[ts(type = "number")]
    pub milliseconds: u64,
}

impl Cost {
    /// What counts towards a limit, in units of 10⁻¹² dollars: what is known, and the most that the rest can be.
    pub fn counted(&self) -> u64 {
        self.picodollars.saturating_add(self.at_most)
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            picodollars: self.picodollars.saturating_add(other.picodollars),
            unknown: self.unknown.saturating_add(other.unknown),
            at_most: self.at_most.saturating_add(other.at_most),
            local: self.local.saturating_add(other.local),
            milliseconds: self.milliseconds.saturating_add(other.milliseconds),
        }
    }
}

/// 10⁻¹² dollars as people read them: dollars and cents; below ten cents as many digits as tell something. The browser says
/// it with the same figures (`money.ts`).
pub fn dollars(picodollars: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let dollars = picodollars as f64 / 1e12;
    if picodollars == 0 || dollars >= 0.1 { format!("${dollars:.2}") } else { format!("${dollars:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_what_is_unknown_apart_from_what_is_free() {
        let paid = Cost { picodollars: 1_500_000, milliseconds: 10, ..Cost::default() };
        let unknown = Cost { unknown: 1, at_most: 7, ..Cost::default() };
        let local = Cost { local: 1, milliseconds: 5, ..Cost::default() };
        let sum = paid.plus(&unknown).plus(&local);
        assert_eq!(sum, Cost { picodollars: 1_500_000, unknown: 1, at_most: 7, local: 1, milliseconds: 15 });
        assert_eq!(sum.counted(), 1_500_007);
        assert_eq!(Cost { picodollars: u64::MAX, ..Cost::default() }.plus(&paid).picodollars, u64::MAX);
    }

    #[test]
    fn small_sums_keep_digits_that_tell_something() {
        let said = [0, 3_450_000_000, 99_000_000_000, 100_000_000_000, 1_234_000_000_000].map(dollars);
        assert_eq!(said, ["$0.00", "$0.0034", "$0.0990", "$0.10", "$1.23"]);
    }
}
