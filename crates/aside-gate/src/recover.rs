//! After a restart: what was running has an intent and no outcome. It is shown, never tried again.

use aside_core::{ActionRecord, Failure, Outcome};
use aside_macros::boxed;
use aside_store::Durability;

use crate::{
    Gate, GateError, Run, audit, call,
    commit::Commit,
    record::{RUNNING, StoredAction},
    run::kept_until,
};

/// What a person is told of it.
const REASON: &str = "the server stopped while this ran; check the result before you try again";

impl Gate {
    /// Marks what was running when the server ended as interrupted, with the way back if its handler knows one, and
    /// returns it. What waits for a person goes on waiting. Call it once, before the first request.
    #[boxed]
    pub async fn recover(&self) -> Result<Vec<ActionRecord>, GateError> {
        let mut interrupted = Vec::new();
        for id in self.open(RUNNING)? {
            let mut action = self.stored(&id)?;
            let (left, now) = (self.left_of(&action).await, self.store.now());
            let (reason, run) = match left {
                Ok(Some(run)) => (format!("{REASON}. {}", run.observation.text), Some(run)),
                Ok(None) => (REASON.to_owned(), None),
                Err(failure) => (format!("{REASON}. Its effects are unknown: {failure}"), None),
            };
            if let Some(run) = &run {
                self.mark_changed(&action, run).await;
            }
            let changed = run.as_ref().map(|run| run.changed.clone()).unwrap_or_default();
            action.inverse = run.and_then(Run::into_inverse);
            if action.inverse.is_some() {
                let entry = self.catalog.entry(&action.record.envelope.action_type);
                // When it began is not known; it was not before this.
                let kept = entry.and_then(|entry| entry.handler.kept_for());
                action.record.undo_until = kept.map(|kept| kept_until(action.record.created, kept));
            }
            action.end(Outcome::Interrupted { reason }, now);
            let entry = audit::interrupted(now, &action, changed);
            self.commit(Commit::new(Durability::Full, &action, vec![entry])).await?;
            interrupted.push(action.record);
        }
        self.mark_begun_parts().await?;
        Ok(interrupted)
    }

    /// What a run that was cut off has done, as far as its handler can find out.
    async fn left_of(&self, action: &StoredAction) -> Result<Option<Run>, Failure> {
        let envelope = &action.record.envelope;
        match self.catalog.entry(&envelope.action_type) {
            Some(entry) => call::cut_off(&*entry.handler, &self.context(action), &envelope.args).await,
            // An action of another program, which is not connected yet.
            None => Ok(None),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use aside_core::{ActionState, Decision, Outcome};

    use crate::{
        Submission,
        testing::{Bench, keyed, person, replace},
    };

    /// Lets a handler begin, and ends the program's runtime under it.
    fn killed_while_running() -> Bench {
        killed_while("one")
    }

    fn killed_while(from: &str) -> Bench {
        killed(Bench::new(from), from, |_| Submission::person(person()))
    }

    pub(crate) fn killed(bench: Bench, from: &str, submission: impl FnOnce(&Bench) -> Submission) -> Bench {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let submit = bench.gate.submit(keyed(replace(from, "<hang>"), "k"), submission(&bench));
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

    #[test]
    fn what_was_cut_off_can_be_taken_back_and_done_again_if_its_handler_knows_how() {
        let bench = killed_while_running();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let found = bench.gate.recover().await.unwrap().remove(0);
            let Some(Outcome::Interrupted { reason }) = &found.outcome else { panic!("{found:?}") };
            assert!(reason.ends_with("before you try again. It got halfway."), "{reason}");
            assert!(found.can_undo);
            bench.world.set("<hang>");
            let undo = bench.undo(&found).await;
            assert_eq!((bench.now(&found).state, bench.world.text().as_str()), (ActionState::Undone, "one"));
            assert!(bench.gate.latest_undoable().unwrap().is_none());
            assert_eq!(undo.state, ActionState::Done);
        });
    }

    #[test]
    fn what_can_not_be_found_out_is_said() {
        let bench = killed_while("<unknown>");
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let found = bench.gate.recover().await.unwrap().remove(0);
            let Some(Outcome::Interrupted { reason }) = &found.outcome else { panic!("{found:?}") };
            assert!(reason.ends_with("Its effects are unknown: the disk is gone"), "{reason}");
            assert!(!found.can_undo);
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
