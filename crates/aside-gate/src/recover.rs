//! After a restart: what was running has an intent and no outcome. It is shown, never tried again.

use aside_core::{ActionRecord, AuditKind, Outcome};
use aside_store::Durability;

use crate::{Gate, GateError, audit, journal::Commit, record::RUNNING};

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
            let entry = audit::entry(AuditKind::Interrupted, now, &action);
            self.commit(Commit::new(Durability::Full, &action, vec![entry])).await?;
            interrupted.push(action.record);
        }
        Ok(interrupted)
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, Decision};

    use crate::{
        Submission,
        testing::{Bench, keyed, person, replace},
    };

    /// Lets a handler begin, and ends the program's runtime under it.
    fn killed_while_running() -> Bench {
        let bench = Bench::new("one");
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let submit = bench.gate.submit(keyed(replace("one", "<hang>"), "k"), Submission::person(person()));
            tokio::select! {
                _ = submit => panic!("it hangs"),
                begun = bench.world.begun.acquire() => begun.unwrap().forget(),
            }
        });
        drop(runtime);
        bench.reopened()
    }

    #[test]
    fn what_was_running_is_interrupted_and_never_tried_again() {
        let bench = killed_while_running();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let found = bench.gate.recover().await.unwrap();
            assert_eq!(found.iter().map(|record| record.state).collect::<Vec<_>>(), [ActionState::Interrupted]);
            assert_eq!(bench.now(&found[0]), found[0]);
            assert_eq!(bench.audited(), ["intent", "interrupted"]);
            assert!(bench.gate.recover().await.unwrap().is_empty());
            let again = bench.submit(keyed(replace("one", "<hang>"), "k"), Submission::person(person())).await;
            assert!(again.replayed);
            assert_eq!((again.record.state, bench.runs()), (ActionState::Interrupted, 1));
        });
    }

    #[tokio::test]
    async fn what_waits_for_a_person_goes_on_waiting() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let bench = bench.reopened();
        assert!(bench.gate.recover().await.unwrap().is_empty());
        assert_eq!(bench.gate.pending().unwrap(), std::slice::from_ref(&asked));
        let decision = Decision::approve(asked.approval_hash);
        let done = bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap();
        assert_eq!((done.state, bench.world.text().as_str()), (ActionState::Done, "1"));
    }
}
