//! When it is looked for what no watcher tells of. Pure: the time is given.

use std::time::{Duration, Instant};

/// What nobody hears of is looked for so often.
const EVERY: Duration = Duration::from_secs(60);
/// A database that was written to is read when it has had this long, so that one answer is not read in ten pieces.
const SOON: Duration = Duration::from_secs(2);
/// Of the time, at most one part in so many goes into reading databases that are written to all the time.
const SHARE: u32 = 20;

/// When the next round is due.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    next: Instant,
    /// Before then no database hastens it.
    rested: Instant,
}

impl Rounds {
    /// The first one is due when what was read at the start is old.
    pub fn new(now: Instant) -> Self {
        Self { next: now + EVERY, rested: now }
    }

    /// How long it can be waited for something else.
    pub fn left(&self, now: Instant) -> Duration {
        self.next.saturating_duration_since(now)
    }

    /// A database was written to.
    pub fn hasten(&mut self, now: Instant) {
        self.next = self.next.min(self.rested.max(now + SOON));
    }

    /// A round that began then is done.
    pub fn done(&mut self, began: Instant, now: Instant) {
        self.next = now + EVERY;
        self.rested = now + now.saturating_duration_since(began).saturating_mul(SHARE).min(EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_due_whatever_is_written_meanwhile() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut rounds = Rounds::new(start);
        // Lines come every 20 seconds: that puts off nothing.
        let waits: Vec<u64> = [0, 20, 40, 60].map(|second| rounds.left(at(second)).as_secs()).into();
        assert_eq!(waits, [60, 40, 20, 0]);
        rounds.done(at(60), at(61));
        assert_eq!(rounds.left(at(61)).as_secs(), 60);
    }

    #[test]
    fn a_database_is_read_soon_and_not_all_the_time() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut rounds = Rounds::new(start);
        rounds.hasten(at(10));
        rounds.hasten(at(11));
        assert_eq!(rounds.left(at(10)).as_secs(), 2);
        rounds.done(at(12), at(13));
        rounds.hasten(at(14));
        assert_eq!(rounds.left(at(14)).as_secs(), 19, "a second of work rests for twenty");
    }
}
