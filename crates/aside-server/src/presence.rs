//! Who has a window open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use aside_core::PersonId;
use tokio::sync::broadcast;

/// The people who are here. Clones are the same.
#[derive(Clone, Debug)]
pub struct Presence {
    inner: Arc<Mutex<HashMap<PersonId, usize>>>,
    changed: broadcast::Sender<()>,
}

impl Default for Presence {
    fn default() -> Self {
        Self { inner: Arc::default(), changed: broadcast::Sender::new(16) }
    }
}

/// One open window; gone when this is dropped.
#[derive(Debug)]
pub struct Here {
    presence: Presence,
    person: PersonId,
}

impl Presence {
    /// Counts a window of somebody.
    pub fn come(&self, person: PersonId) -> Here {
        *self.lock().entry(person.clone()).or_default() += 1;
        let _ = self.changed.send(());
        Here { presence: self.clone(), person }
    }

    /// Tells whether they have a window open.
    pub fn is_here(&self, person: &PersonId) -> bool {
        self.lock().contains_key(person)
    }

    /// Hears each time somebody comes or goes.
    pub fn changes(&self) -> broadcast::Receiver<()> {
        self.changed.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PersonId, usize>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut inner = self.presence.lock();
        if let Some(count) = inner.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                inner.remove(&self.person);
            }
        }
        drop(inner);
        // Nobody may be left to hear it.
        let _ = self.presence.changed.send(());
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};

    use super::*;

    #[test]
    fn somebody_is_here_while_one_of_their_windows_is() {
        let (presence, ada) = (Presence::default(), PersonId::from_parts(Timestamp(1), 1));
        let (one, two) = (presence.come(ada.clone()), presence.come(ada.clone()));
        drop(one);
        assert!(presence.is_here(&ada));
        drop(two);
        assert!(!presence.is_here(&ada));
    }
}
