//! Where time and randomness come from: handed in, so that tests can fix both.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aside_core::{Id, Timestamp};

/// The store's clock and its source of random bits.
#[derive(Clone)]
pub struct StoreOptions {
    /// Tells the time.
    pub clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    /// Returns 80 random bits.
    pub ids: Arc<dyn Fn() -> u128 + Send + Sync>,
    /// How long a write waits for another process that holds the file.
    pub patience: Duration,
    /// The most bytes of the journal. What does not fit into it goes to the database at once.
    pub journal: u64,
}

/// A few hundred actions.
const JOURNAL: u64 = 8 * 1024 * 1024;

impl StoreOptions {
    /// The system's clock and randomness.
    pub fn system() -> Self {
        Self {
            clock: Arc::new(system_time),
            ids: Arc::new(random_bits),
            patience: Duration::from_secs(5),
            journal: JOURNAL,
        }
    }

    /// A clock that starts in November 2023 and moves one millisecond each time it is read, and ids that count up;
    /// a write hardly waits for another process.
    pub fn for_tests() -> Self {
        let time = AtomicI64::new(1_700_000_000_000);
        let count = AtomicU64::new(1);
        Self {
            clock: Arc::new(move || Timestamp(time.fetch_add(1, Ordering::Relaxed))),
            ids: Arc::new(move || u128::from(count.fetch_add(1, Ordering::Relaxed))),
            patience: Duration::from_millis(20),
            journal: JOURNAL,
        }
    }
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for StoreOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoreOptions")
    }
}

fn system_time() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn random_bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    u128::from_le_bytes(bytes)
}

const RANDOM: u128 = (1 << 80) - 1;

/// Makes ids that sort in the order they were made, even within a millisecond or when the clock jumps back.
pub(crate) struct Ids {
    options: StoreOptions,
    last: Mutex<(Timestamp, u128)>,
}

impl Ids {
    pub(crate) fn new(options: StoreOptions) -> Self {
        Self { options, last: Mutex::new((Timestamp(0), 0)) }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.options.clock)()
    }

    pub(crate) fn next<T: Id>(&self) -> T {
        let now = self.now();
        let random = (self.options.ids)() & RANDOM;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = match *last {
            (at, _) if now > at => (now, random),
            (at, before) if before < RANDOM => (at, before + 1),
            (at, _) => (at.plus(1), random),
        };
        T::from_parts(last.0, last.1)
    }
}

#[cfg(test)]
mod tests {
    use aside_core::ActionId;

    use super::*;

    fn stopped_at(random: u128) -> Ids {
        Ids::new(StoreOptions {
            clock: Arc::new(|| Timestamp(5)),
            ids: Arc::new(move || random),
            ..StoreOptions::for_tests()
        })
    }

    #[test]
    fn ids_of_one_millisecond_sort_in_order() {
        let ids = stopped_at(7);
        let made: Vec<ActionId> = (0..100).map(|_| ids.next()).collect();
        assert!(made.is_sorted_by(|one, two| one < two));
    }

    #[test]
    fn running_out_of_random_bits_moves_on_in_time() {
        let ids = stopped_at(RANDOM);
        let made: Vec<ActionId> = (0..3).map(|_| ids.next()).collect();
        assert!(made.is_sorted_by(|one, two| one < two));
    }

    #[test]
    fn the_system_has_a_clock_and_randomness() {
        let ids = Ids::new(StoreOptions::system());
        assert!(ids.now() > Timestamp(1_700_000_000_000));
        assert_ne!(random_bits(), random_bits());
    }
}
