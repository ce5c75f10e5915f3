//! Whether somebody types just now: then work that can wait does.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Somebody types until so long after the last change of a live text.
const PAUSE: Duration = Duration::from_secs(1);

/// The time of the last change of a live text.
#[derive(Debug, Default)]
pub(crate) struct Typing(Mutex<Option<Instant>>);

impl Typing {
    /// Notes a change.
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Tells whether somebody types.
    pub fn goes_on(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|last| last.elapsed() < PAUSE)
    }
}
