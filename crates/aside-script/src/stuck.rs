//! Engines that do not end: a single step, such as the search of one long text in another, can't be interrupted. Their runs go on
//! without them; too many of them let no further script start.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use crate::ScriptError;

/// The most engines that may compute after their runs are over.
const MOST: usize = 4;

/// Those of this process.
static STUCK: StuckEngines = StuckEngines(AtomicUsize::new(0));

/// Engines that compute although their runs are over.
#[derive(Debug)]
struct StuckEngines(AtomicUsize);

impl StuckEngines {
    fn refuse_if_many(&self) -> Result<(), ScriptError> {
        match self.0.load(SeqCst) {
            stuck if stuck < MOST => Ok(()),
            stuck => {
                let message = format!("{stuck} scripts that were ended still compute in a step that can't be stopped");
                Err(ScriptError::new("too_busy", message).hint("Restart Aside to end them."))
            }
        }
    }
}

/// The state of one engine's thread.
#[derive(Debug, Default)]
enum EngineState {
    #[default]
    Running,
    /// Its run is over.
    Stuck,
    Ended,
}

/// An engine's thread, as it and its run see it.
#[derive(Debug, Default)]
pub(crate) struct EngineLife(Mutex<EngineState>);

impl EngineLife {
    /// The run is over, whether or not the engine is.
    pub fn leave(&self) {
        self.leave_among(&STUCK);
    }

    /// The thread is over.
    pub fn end(&self) {
        self.end_among(&STUCK);
    }

    fn leave_among(&self, stuck: &StuckEngines) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, EngineState::Running) {
            *state = EngineState::Stuck;
            stuck.0.fetch_add(1, SeqCst);
        }
    }

    fn end_among(&self, stuck: &StuckEngines) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), EngineState::Ended);
        if matches!(before, EngineState::Stuck) {
            stuck.0.fetch_sub(1, SeqCst);
        }
    }
}

/// Refuses a start while too many engines are stuck.
pub(crate) fn refuse_if_many_stuck() -> Result<(), ScriptError> {
    STUCK.refuse_if_many()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stuck_engines_refuse_starts_until_they_end() {
        let stuck = StuckEngines(AtomicUsize::new(0));
        let engines: Vec<EngineLife> = (0..MOST).map(|_| EngineLife::default()).collect();
        for engine in &engines {
            assert_eq!(stuck.refuse_if_many(), Ok(()));
            engine.leave_among(&stuck);
            engine.leave_among(&stuck);
        }
        assert_eq!(stuck.refuse_if_many().unwrap_err().code, "too_busy");
        engines[0].end_among(&stuck);
        assert_eq!((stuck.refuse_if_many(), stuck.0.load(SeqCst)), (Ok(()), MOST - 1));
    }

    #[test]
    fn engine_that_ended_is_not_stuck() {
        let stuck = StuckEngines(AtomicUsize::new(0));
        let engine = EngineLife::default();
        engine.end_among(&stuck);
        engine.leave_among(&stuck);
        assert_eq!(stuck.0.load(SeqCst), 0);
    }
}
