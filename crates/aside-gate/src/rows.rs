//! Tables with checkboxes: the checked rows are carried out as one action with one undo, and the others are rejected.

use aside_core::{ActionId, ActionRecord, AuditKind, Choice, Decision, Outcome, PartDecision, Timestamp};
use aside_store::Durability;

use crate::{
    Gate, GateError, Handler,
    approval::{Findings, Look},
    audit,
    commit::Commit,
    parts::{has_acted, whole_outcome},
    record::StoredAction,
};

/// By the id of a table the rows that were submitted, and the action that carries them out.
pub(crate) const BEGUN_ROWS: &str = "begun_rows";

impl Gate {
    /// Carries out the checked rows of a table as one action with one undo, and rejects the others.
    pub(crate) async fn submit_rows(
        &self,
        action: StoredAction,
        decision: &Decision,
        parts: &[u32],
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let child = self.accept_parts(&action, decision, parts, by).await?;
        self.end_rows(action, parts, &child, by).await
    }

    /// Shows a table anew if a note in it has changed since it was shown, in whatever line.
    pub(crate) async fn changed_since(
        &self,
        parent: &StoredAction,
        handler: &dyn Handler,
        found: &Findings,
    ) -> Result<Option<GateError>, GateError> {
        let known = &parent.record.assessment.versions;
        if found.assessment.versions.iter().all(|version| known.contains(version)) {
            return Ok(None);
        }
        match self.look(parent, handler, Look::Closely).await {
            Ok(now) => Ok(Some(self.ask_again(parent.clone(), now).await?)),
            Err(stopped) => Ok(Some(self.mark_stale_rows(parent.clone(), handler, &stopped).await?)),
        }
    }

    /// After a restart: a table whose checked rows were carried out is decided. Returns true if there was such a table.
    pub(crate) async fn mark_begun_rows(&self, action: &StoredAction) -> Result<bool, GateError> {
        let begun = self.store.get::<(Vec<u32>, ActionId)>(BEGUN_ROWS, action.id().as_str())?;
        let Some((parts, child)) = begun else { return Ok(false) };
        let Ok(child) = self.stored(&child) else { return Ok(false) };
        if !has_acted(&child.record) {
            return Ok(false);
        }
        let by = child.record.decided_by.clone().unwrap_or_default();
        self.end_rows(action.clone(), &parts, &child, &by).await?;
        Ok(true)
    }

    async fn end_rows(
        &self,
        mut action: StoredAction,
        checked: &[u32],
        child: &StoredAction,
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let now = self.store.now();
        decide_rows(&mut action, checked, child.id(), (by, now));
        action.end(submitted_rows(&action, child, by), now);
        let rejected = action.record.parts.iter().filter(|part| part.decision == Choice::Reject);
        let rejected: Vec<u32> = rejected.map(|part| part.part).collect();
        let no =
            (!rejected.is_empty()).then(|| audit::decision(now, &action, &Decision::reject(None), Some(&rejected), by));
        let entries = no.into_iter().chain([audit::entry(AuditKind::Outcome, now, &action)]).collect();
        self.commit(Commit::new(Durability::Soon, &action, entries)).await?;
        Ok(action.record)
    }
}

/// Marks the checked parts as carried out by one action, and the others as rejected.
fn decide_rows(action: &mut StoredAction, checked: &[u32], child: &ActionId, (by, at): (&str, Timestamp)) {
    for part in action.record.open_parts() {
        let is_checked = checked.contains(&part);
        action.record.parts.push(PartDecision {
            part,
            decision: if is_checked { Choice::Approve } else { Choice::Reject },
            action: is_checked.then(|| child.clone()),
            by: by.to_owned(),
            at,
        });
    }
    action.record.decided_by = Some(by.to_owned());
}

/// The outcome of a submitted table: the counts, and what the one action observed of each row.
fn submitted_rows(action: &StoredAction, child: &StoredAction, by: &str) -> Outcome {
    let whole = whole_outcome(action, by);
    let (Outcome::Done { observation: mut all }, Some(Outcome::Done { observation: done })) =
        (whole, &child.record.outcome)
    else {
        return whole_outcome(action, by);
    };
    all.text = format!("{}\n{}", all.text, done.text);
    all.data["result"] = done.data.clone();
    (all.label, all.source) = (done.label, done.source.clone());
    Outcome::Done { observation: all }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, RefusedBy};
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, person},
    };

    #[tokio::test]
    async fn checked_rows_run_as_one_action() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(&[("one", "1"), ("two", "2"), ("three", "3")]).await;
        let record = bench.submit_rows(&id, Some(&[0, 2])).await.unwrap();
        assert_eq!((record.state, bench.world.text().as_str(), bench.runs()), (ActionState::Done, "1 two 3", 1));
        let Some(Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
        assert_eq!((&observation.data["accepted"], &observation.data["rejected"]), (&json!([0, 2]), &json!([1])));
        assert_eq!(observation.data["actions"].as_array().unwrap().len(), 1);
        assert_eq!(bench.audited(), ["submitted", "decision", "intent", "outcome", "decision", "outcome"]);
        let again = Decision { parts: Some(vec![1]), ..Decision::reject(None) };
        assert!(bench.gate.decide(&id, again, "ada").await.is_ok(), "the same answer again is no mistake");
    }

    #[tokio::test]
    async fn submitted_table_has_one_undo() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(&[("one", "1"), ("two", "2"), ("three", "3")]).await;
        bench.submit_rows(&id, Some(&[0, 2])).await.unwrap();
        bench.gate.undo(&id, Submission::person(person()), None).await.unwrap();
        assert_eq!(bench.world.text(), "one two three");
        let twice = bench.gate.undo(&id, Submission::person(person()), None).await;
        assert_eq!(twice.unwrap_err().failure().code, "already_undone");
    }

    #[tokio::test]
    async fn unchecked_table_is_rejected_whole() {
        let bench = Bench::new("one two");
        let id = bench.propose_table(&[("one", "1"), ("two", "2")]).await;
        let record = bench.gate.decide(&id, Decision::reject(None), "ada").await.unwrap();
        assert!(matches!(record.outcome, Some(Outcome::Refused { by: RefusedBy::Person, .. })));
        assert_eq!((bench.world.text().as_str(), bench.runs()), ("one two", 0));
    }

    #[tokio::test]
    async fn changed_note_asks_again_and_is_named() {
        let bench = Bench::new("one two six");
        let id = bench.propose_table(&[("one", "1"), ("two", "2")]).await;
        for parts in [&[0][..], &[0, 1]] {
            bench.world.set(if parts.len() == 1 { "one two ten" } else { "one two six" });
            let error = bench.submit_rows(&id, Some(parts)).await.unwrap_err();
            assert_eq!(error.failure().code, "stale");
            assert!(error.to_string().contains("`text.txt` changed"), "{error}");
        }
        assert_eq!(bench.runs(), 0);
        assert_eq!(bench.submit_rows(&id, Some(&[1])).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn failed_submission_leaves_the_table_open() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(&[("one", "<fail>"), ("two", "2"), ("three", "3")]).await;
        let error = bench.submit_rows(&id, Some(&[0, 1])).await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.world.text().as_str()), ("io", "one two three"));
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [0, 1, 2]);
    }

    #[tokio::test]
    async fn restart_ends_a_table_that_ran() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(&[("one", "1"), ("two", "2"), ("three", "3")]).await;
        let before = bench.gate.stored(&id).unwrap();
        bench.submit_rows(&id, Some(&[1])).await.unwrap();
        bench.gate.commit(Commit::new(Durability::Normal, &before, Vec::new())).await.unwrap();
        let bench = bench.reopened();
        bench.gate.recover().await.unwrap();
        let record = bench.gate.record(&id).unwrap();
        assert_eq!((record.state, record.open_parts().len()), (ActionState::Done, 0));
    }
}
