//! After a restart: what was running has an intent and no outcome. It is shown, never tried again.

use aside_core::{ActionRecord, Outcome};
use aside_store::Durability;

use crate::{
    Gate, GateError,
    audit::{self, Kind},
    journal::Commit,
    record::RUNNING,
};

impl Gate {
    /// Marks what was running when the server ended as interrupted, and returns it. What waits for a
    /// person goes on waiting. Call it once, before the first request.
    pub async fn recover(&self) -> Result<Vec<ActionRecord>, GateError> {
        let mut interrupted = Vec::new();
        for id in self.open(RUNNING)? {
            let mut action = self.stored(&id)?;
            let now = self.store.now();
            let reason = "the server ended while it ran; look at the result before doing it again".to_owned();
            action.end(Outcome::Interrupted { reason }, now);
            let entry = audit::entry(Kind::Interrupted, now, &action.record);
            self.commit(Commit::new(Durability::Full, &action, vec![entry])).await?;
            interrupted.push(action.record);
        }
        Ok(interrupted)
    }
}
