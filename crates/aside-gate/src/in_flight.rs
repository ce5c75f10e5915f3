//! One at a time for each name: who comes second waits for the first to leave.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Mutex as Turnstile, OwnedMutexGuard};

/// The names that somebody is inside of or waits for.
#[derive(Clone, Default)]
pub(crate) struct InFlight {
    names: Arc<Mutex<HashMap<String, Arc<Turnstile<()>>>>>,
}

/// Leaves when dropped. Held while the work of one name is done; it guards the doing, not data.
pub(crate) struct Pass {
    name: String,
    flights: InFlight,
    guard: Option<OwnedMutexGuard<()>>,
}

impl InFlight {
    /// Waits until nobody else is inside.
    pub(crate) async fn enter(&self, name: impl Into<String>) -> Pass {
        let name = name.into();
        let turnstile = self.names().entry(name.clone()).or_default().clone();
        let guard = Some(turnstile.lock_owned().await);
        Pass { name, flights: self.clone(), guard }
    }

    fn names(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Turnstile<()>>>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut names = self.flights.names();
        self.guard = None;
        // Only the map still has it, and nobody can get it from there now.
        if names.get(&self.name).is_some_and(|turnstile| Arc::strong_count(turnstile) == 1) {
            names.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn the_second_waits_for_the_first_and_nothing_stays_behind() {
        let flights = InFlight::default();
        let first = flights.enter("a").await;
        let other = flights.enter("b").await;
        let mut second = Box::pin(flights.enter("a"));
        assert!((&mut second).now_or_never().is_none());
        drop((first, other));
        drop(second.await);
        assert!(flights.names().is_empty());
    }
}
