//! So many messages in a time, and no more: a server that sends them without end is left.

use std::time::Instant;

/// Messages that may come at once, and that are made up for in a second.
pub(crate) const BURST: u64 = 50_000;
const PER_SECOND: u64 = 1_000;

/// How many messages may still come.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// As of `counted`.
    left: u64,
    counted: Instant,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { left: BURST, counted: Instant::now() }
    }
}

impl Allowance {
    /// Takes one message; fails if there were too many.
    pub(crate) fn take(&mut self) -> Result<(), ()> {
        self.left = self.left.checked_sub(1).ok_or(())?;
        Ok(())
    }

    /// Makes up for the time that has passed.
    pub(crate) fn make_up(&mut self) {
        let milliseconds = u64::try_from(self.counted.elapsed().as_millis()).unwrap_or(u64::MAX);
        let more = milliseconds.saturating_mul(PER_SECOND) / 1000;
        if more > 0 {
            (self.left, self.counted) = (self.left.saturating_add(more).min(BURST), Instant::now());
        }
    }
}
