//! How much one person may say at once: a few messages quickly, then one a second.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use aside_core::{PersonId, Timestamp};

/// Messages that may come at once.
const BURST: i64 = 20;
/// Milliseconds until there is room for another.
const PAUSE: i64 = 1000;

/// What each person has said lately, as the time at which all room would be free again.
#[derive(Debug, Default)]
pub(crate) struct Flood {
    free_at: Mutex<HashMap<PersonId, i64>>,
}

impl Flood {
    /// Counts one message; tells whether there was room for it.
    pub fn take(&self, person: &PersonId, now: Timestamp) -> bool {
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        let free = free_at.entry(person.clone()).or_insert(now.0);
        let next = (*free).max(now.0) + PAUSE;
        if next - now.0 > BURST * PAUSE {
            return false;
        }
        *free = next;
        true
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Id as _;

    use super::*;

    #[test]
    fn a_burst_passes_a_flood_does_not_and_others_are_not_held_up() {
        let (ada, ben) = (PersonId::from_parts(Timestamp(1), 1), PersonId::from_parts(Timestamp(1), 2));
        let flood = Flood::default();
        let passed = (0..100).filter(|_| flood.take(&ada, Timestamp(5000))).count();
        assert_eq!(passed, 20);
        assert!(flood.take(&ben, Timestamp(5000)));
        assert!(!flood.take(&ada, Timestamp(5999)));
        assert!(flood.take(&ada, Timestamp(6000)));
        assert!(!flood.take(&ada, Timestamp(6000)));
    }
}
