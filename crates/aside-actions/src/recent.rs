//! Notes about the latest actions, from their assessment to their run. They save work: nothing depends on them.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Mutex, PoisonError},
};

use aside_core::ActionId;

/// Actions that are remembered.
const MOST: usize = 32;

/// A note about each of the latest actions.
pub(crate) struct Recent<T>(Mutex<VecDeque<(ActionId, T)>>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> fmt::Debug for Recent<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recent").finish_non_exhaustive()
    }
}

impl<T: Clone> Recent<T> {
    /// Replaces the note about an action.
    pub fn put(&self, action: &ActionId, note: T) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.retain(|(known, _)| known != action);
        notes.push_back((action.clone(), note));
        if notes.len() > MOST {
            notes.pop_front();
        }
    }

    /// Returns the note about an action, if it is not forgotten.
    pub fn get(&self, action: &ActionId) -> Option<T> {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.iter().find(|(known, _)| known == action).map(|(_, note)| note.clone())
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};

    use super::*;

    #[test]
    fn oldest_action_is_forgotten_first() {
        let recent = Recent::default();
        let id = |number: usize| ActionId::from_parts(Timestamp(1), number as u128);
        for number in 0..=MOST {
            recent.put(&id(number), number);
        }
        recent.put(&id(5), 50);
        assert_eq!((recent.get(&id(0)), recent.get(&id(1)), recent.get(&id(5))), (None, Some(1), Some(50)));
    }
}
