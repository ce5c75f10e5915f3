//! Decisions on parts of a preview: each accepted part is an action of its own, with its own undo.

use aside_core::{
    ActionId, ActionRecord, ActionState, AuditKind, Choice, Decision, Envelope, Failure, Label, Observation, Outcome,
    PartDecision, Preview, Ruling,
};
use aside_store::Durability;
use serde_json::json;

use crate::{
    Gate, GateError,
    approval::{Look, is_part},
    audit, call,
    commit::Commit,
    decide::rejected,
    record::{AWAITING, StoredAction},
    rows::BEGUN_ROWS,
    waiting::waiting,
};

/// By the id of an action the part of it that was carried out last, and the action that did. A crash can leave that part open.
const BEGUN: &str = "begun_part";

impl Gate {
    /// Decides some open parts, one after the other. Those before one that fails stay decided.
    pub(crate) async fn decide_parts(
        &self,
        mut action: StoredAction,
        decision: &Decision,
        parts: &[u32],
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let once = action.record.preview.as_ref().is_some_and(Preview::is_submitted_once);
        if once && decision.decision == Choice::Approve {
            return self.submit_rows(action, decision, parts, by).await;
        }
        for part in parts {
            let child = match decision.decision {
                Choice::Approve => Some(self.accept_parts(&action, decision, &[*part], by).await?.id().clone()),
                Choice::Reject => None,
            };
            action = self.mark_part(action, decision, *part, child, by).await?;
        }
        Ok(action.record)
    }

    /// After a restart: a part whose action had begun is decided, as that action says. Nobody is asked for it again.
    pub(crate) async fn mark_begun_parts(&self) -> Result<(), GateError> {
        for id in self.open(AWAITING)? {
            let action = self.stored(&id)?;
            if self.mark_begun_rows(&action).await? {
                continue;
            }
            let Some((part, child)) = self.store.get::<(u32, ActionId)>(BEGUN, id.as_str())? else { continue };
            let Ok(StoredAction { record: child, .. }) = self.stored(&child) else { continue };
            if has_acted(&child) && action.record.open_parts().contains(&part) {
                let by = child.decided_by.unwrap_or_default();
                self.mark_part(action, &Decision::approve(None), part, Some(child.envelope.id), &by).await?;
            }
        }
        Ok(())
    }

    async fn mark_part(
        &self,
        mut action: StoredAction,
        decision: &Decision,
        part: u32,
        child: Option<ActionId>,
        by: &str,
    ) -> Result<StoredAction, GateError> {
        let now = self.store.now();
        let mut entries = Vec::new();
        if child.is_none() {
            entries.push(audit::decision(now, &action, decision, Some(&[part]), by));
            action.rejections.extend(decision.reason.clone().map(|reason| (part, reason)));
        }
        let decided = PartDecision { part, decision: decision.decision, action: child, by: by.to_owned(), at: now };
        action.record.parts.push(decided);
        action.record.decided_by = Some(by.to_owned());
        if action.record.open_parts().is_empty() {
            action.end(whole_outcome(&action, by), now);
            entries.push(audit::entry(AuditKind::Outcome, now, &action));
        }
        self.commit(Commit::new(Durability::Soon, &action, entries)).await?;
        Ok(action)
    }

    /// Carries out some parts, if they are still what was shown; returns the action that did it.
    pub(crate) async fn accept_parts(
        &self,
        parent: &StoredAction,
        decision: &Decision,
        parts: &[u32],
        by: &str,
    ) -> Result<StoredAction, GateError> {
        let part = parts.first().copied().unwrap_or_default();
        let failed = |failure| GateError::PartFailed { part, failure, record: Box::new(parent.record.clone()) };
        let handler = self.handler(parent)?;
        let whole =
            parent.record.preview.as_ref().ok_or_else(|| failed(Failure::new("no_parts", "it has no preview")))?;
        let args = call::parts(&*handler, &parent.record.envelope.args, whole, parts).map_err(failed)?;
        let mut child = self.child(parent, args, parts);
        let mut found = match self.look(&child, &*handler, Look::Closely).await {
            Ok(found) => found,
            Err(stopped) => return Err(self.mark_stale_rows(parent.clone(), &*handler, &stopped).await?),
        };
        if whole.is_submitted_once()
            && let Some(again) = self.changed_since(parent, &*handler, &found).await?
        {
            return Err(again);
        }
        if !found.preview.as_ref().is_some_and(|alone| is_part(whole, parts, alone)) {
            let failure = Failure::new("stale", format!("the preview of change {} is out of date", part + 1));
            return Err(self.stale(parent.clone(), &failure).await?);
        }
        // What the guards see of this part alone may be graver than of the whole, and is what the record says then.
        if found.verdict.ruling == Ruling::Allow {
            found.verdict = parent.record.verdict.clone();
        }
        child.take_findings(found);
        child.record.decided_by = Some(by.to_owned());
        let (store, id, child_id) = (self.store.clone(), parent.id().clone(), child.id().clone());
        let rows = whole.is_submitted_once().then(|| parts.to_vec());
        waiting(move || match rows {
            Some(rows) => store.put(BEGUN_ROWS, id.as_str(), None, &(rows, child_id)),
            None => store.put(BEGUN, id.as_str(), None, &(part, child_id)),
        })
        .await??;
        let entry = audit::decision(self.store.now(), parent, decision, Some(parts), by);
        let child = self.carry_out(child, &*handler, vec![entry], None).await?;
        match &child.record.outcome {
            Some(Outcome::Failed { failure }) => Err(failed(failure.clone())),
            _ => Ok(child),
        }
    }

    pub(crate) fn child(&self, parent: &StoredAction, args: serde_json::Value, parts: &[u32]) -> StoredAction {
        let id: ActionId = self.store.new_id();
        let parts = parts.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let envelope = Envelope {
            idempotency_key: format!("{}:{parts}", parent.id()),
            id,
            args,
            ..parent.record.envelope.clone()
        };
        let mut child = StoredAction::new(envelope, &parent.submission(), None, self.store.now());
        child.record.parent = Some(parent.id().clone());
        child
    }
}

pub(crate) fn has_acted(child: &ActionRecord) -> bool {
    matches!(child.state, ActionState::Done | ActionState::Undone | ActionState::Interrupted)
}

pub(crate) fn whole_outcome(action: &StoredAction, by: &str) -> Outcome {
    let of = |choice| action.record.parts.iter().filter(move |part| part.decision == choice).map(|part| part.part);
    let (mut accepted, mut rejected_parts): (Vec<u32>, Vec<u32>) =
        (of(Choice::Approve).collect(), of(Choice::Reject).collect());
    accepted.sort_unstable();
    rejected_parts.sort_unstable();
    if accepted.is_empty() {
        let reasons: Vec<_> = action.rejections.values().map(String::as_str).collect();
        return rejected(by, (!reasons.is_empty()).then(|| reasons.join("; ")).as_deref());
    }
    let mut actions: Vec<_> = action.record.parts.iter().filter_map(|part| part.action.as_ref()).collect();
    actions.dedup();
    let data = json!({ "accepted": accepted, "rejected": rejected_parts, "actions": actions,
        "reasons": action.rejections });
    let text = summary(action, by, &accepted, &rejected_parts);
    Outcome::Done { observation: Observation { text, data, label: Label::User, source: None, unchanged: false } }
}

/// Counted from 1, as a person counts.
fn summary(action: &StoredAction, by: &str, accepted: &[u32], rejected: &[u32]) -> String {
    let list = |parts: &[u32]| parts.iter().map(|part| (part + 1).to_string()).collect::<Vec<_>>().join(", ");
    let total = accepted.len() + rejected.len();
    let mut text = format!("{by} accepted {} of {total} changes: {}.", accepted.len(), list(accepted));
    if !rejected.is_empty() {
        text.push_str(&format!(" Rejected: {}.", list(rejected)));
    }
    for (part, reason) in &action.rejections {
        text.push_str(&format!(" Reason for rejecting {}: {reason}", part + 1));
    }
    text
}

#[cfg(test)]
mod tests {
    use aside_core::RefusedBy;

    use super::*;
    use crate::testing::{Bench, replace_all};

    fn some(choice: Choice, parts: &[u32]) -> Decision {
        Decision { decision: choice, parts: Some(parts.to_vec()), ..Decision::approve(None) }
    }

    async fn three(text: &str) -> (Bench, ActionId) {
        let bench = Bench::new(text);
        let asked = bench.propose(replace_all(&[("one", "1"), ("two", "2"), ("three", "3")])).await;
        (bench, asked.envelope.id)
    }

    async fn decide(bench: &Bench, id: &ActionId, decision: Decision) -> Result<ActionRecord, GateError> {
        let shown = bench.gate.record(id).unwrap().approval_hash;
        bench.gate.decide(id, Decision { hash: decision.hash.clone().or(shown), ..decision }, "ada").await
    }

    #[tokio::test]
    async fn parts_are_accepted_and_rejected_in_any_order() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let (bench, id) = three("one two three").await;
            for part in order {
                let choice = if part == 1 { Choice::Reject } else { Choice::Approve };
                let record = decide(&bench, &id, some(choice, &[part])).await.unwrap();
                let last = part == order[2];
                assert_eq!(record.state.is_final(), last, "{order:?}");
            }
            assert_eq!(bench.world.text(), "1 two 3", "{order:?}");
            let record = bench.gate.record(&id).unwrap();
            let Some(Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
            assert_eq!((&observation.data["accepted"], &observation.data["rejected"]), (&json!([0, 2]), &json!([1])));
            assert_eq!(observation.data["actions"].as_array().unwrap().len(), 2);
            assert!(!record.can_undo);
        }
    }

    #[tokio::test]
    async fn an_accepted_part_is_an_action_of_its_own_with_its_own_undo() {
        let (bench, id) = three("one two three").await;
        let record = decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap();
        assert_eq!(record.state, ActionState::AwaitingConfirmation);
        let child = bench.gate.record(record.parts[0].action.as_ref().unwrap()).unwrap();
        assert_eq!((child.parent.as_ref(), child.state), (Some(&id), ActionState::Done));
        assert_eq!((child.decided_by.as_deref(), child.origin), (Some("ada"), record.origin));
        assert_eq!(bench.audited(), ["submitted", "decision", "intent", "outcome"]);
        bench.gate.undo(&child.envelope.id, crate::Submission::person(crate::testing::person()), None).await.unwrap();
        assert_eq!(bench.world.text(), "one two three");
    }

    #[tokio::test]
    async fn what_is_left_is_decided_together() {
        let (bench, id) = three("one two three").await;
        decide(&bench, &id, some(Choice::Reject, &[0])).await.unwrap();
        let record = decide(&bench, &id, Decision::approve(None)).await.unwrap();
        assert_eq!((record.state, bench.world.text().as_str()), (ActionState::Done, "one 2 3"));
        let (bench, id) = three("one two three").await;
        decide(&bench, &id, some(Choice::Approve, &[0])).await.unwrap();
        let record = decide(&bench, &id, Decision::reject(Some("enough".to_owned()))).await.unwrap();
        assert_eq!((record.state, bench.world.text().as_str()), (ActionState::Done, "1 two three"));
        let Some(Outcome::Done { observation }) = record.outcome else { panic!() };
        assert_eq!(
            observation.text,
            "ada accepted 1 of 3 changes: 1. Rejected: 2, 3. Reason for rejecting 2: enough Reason for rejecting 3: enough"
        );
    }

    #[tokio::test]
    async fn all_parts_at_once_are_the_whole_with_one_undo() {
        let (bench, id) = three("one two three").await;
        let record = decide(&bench, &id, some(Choice::Approve, &[2, 0, 1])).await.unwrap();
        assert_eq!((record.state, record.can_undo, record.parts.len()), (ActionState::Done, true, 0));
        assert_eq!((bench.world.text().as_str(), bench.runs()), ("1 2 3", 1));
    }

    #[tokio::test]
    async fn rejecting_every_part_refuses_it() {
        let (bench, id) = three("one two three").await;
        for part in 0..3 {
            let reason = (part == 1).then(|| "too short".to_owned());
            decide(&bench, &id, Decision { reason, ..some(Choice::Reject, &[part]) }).await.unwrap();
        }
        let record = bench.gate.record(&id).unwrap();
        let Some(Outcome::Refused { by: RefusedBy::Person, failure }) = record.outcome else { panic!() };
        assert_eq!((failure.message.as_str(), bench.runs()), ("ada rejected it: too short", 0));
    }

    #[tokio::test]
    async fn a_part_whose_text_changed_is_stale_and_the_others_are_not() {
        let (bench, id) = three("one two three").await;
        bench.world.set("one TWO three");
        let error = decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap_err();
        assert_eq!(error.failure().code, "stale");
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [0, 1, 2]);
        decide(&bench, &id, some(Choice::Approve, &[0])).await.unwrap();
        assert_eq!(bench.world.text(), "1 TWO three");
        bench.world.set("1 two three");
        let record = decide(&bench, &id, Decision::approve(None)).await.unwrap();
        assert_eq!((record.state, bench.world.text().as_str()), (ActionState::Done, "1 2 3"));
    }

    #[tokio::test]
    async fn a_part_that_alone_would_do_something_else_does_not_run() {
        let bench = Bench::new("one two");
        let id = bench.propose(replace_all(&[("one", "1"), ("two", "<swapped>")])).await.envelope.id;
        let error = decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.runs()), ("stale", 0));
    }

    #[tokio::test]
    async fn a_part_that_fails_stays_open() {
        let bench = Bench::new("one two");
        let id = bench.propose(replace_all(&[("one", "1"), ("two", "<fail>")])).await.envelope.id;
        decide(&bench, &id, some(Choice::Approve, &[0])).await.unwrap();
        let error = decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap_err();
        assert_eq!(error.failure().code, "io");
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [1]);
    }

    #[tokio::test]
    async fn a_part_is_decided_once() {
        let (bench, id) = three("one two three").await;
        let twice = || decide(&bench, &id, some(Choice::Approve, &[0, 0]));
        let (one, two) = tokio::join!(twice(), twice());
        assert_eq!((one.unwrap().parts.len(), two.unwrap().parts.len(), bench.runs()), (1, 1, 1));
        let error = decide(&bench, &id, some(Choice::Reject, &[0])).await.unwrap_err();
        assert_eq!(error.failure().code, "already_decided");
        let error = decide(&bench, &id, some(Choice::Approve, &[7])).await.unwrap_err();
        assert_eq!(error.failure().code, "no_such_part");
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [1, 2]);
    }

    #[tokio::test]
    async fn open_parts_survive_a_restart() {
        let (bench, id) = three("one two three").await;
        decide(&bench, &id, some(Choice::Reject, &[0])).await.unwrap();
        decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap();
        let bench = bench.reopened();
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [2]);
        decide(&bench, &id, some(Choice::Approve, &[2])).await.unwrap();
        assert_eq!(bench.world.text(), "one 2 3");
    }

    #[test]
    fn a_part_that_the_end_of_the_server_cut_off_is_not_asked_for_again() {
        let bench = Bench::new("one two three");
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let id = runtime.block_on(async {
            let asked = bench.propose(replace_all(&[("one", "1"), ("two", "<hang>"), ("three", "3")])).await;
            let id = asked.envelope.id;
            tokio::select! {
                _ = decide(&bench, &id, some(Choice::Approve, &[1])) => panic!("it hangs"),
                begun = bench.world.begun.acquire() => begun.unwrap().forget(),
            }
            id
        });
        drop(runtime);
        let bench = bench.reopened();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            bench.gate.recover().await.unwrap();
            let record = bench.gate.record(&id).unwrap();
            assert_eq!((record.state, record.open_parts()), (ActionState::AwaitingConfirmation, vec![0, 2]));
            let child = bench.gate.record(record.parts[0].action.as_ref().unwrap()).unwrap();
            assert_eq!((child.state, record.parts[0].by.as_str()), (ActionState::Interrupted, "ada"));
        });
    }

    #[tokio::test]
    async fn a_part_that_was_done_and_could_not_be_noted_any_more_is_noted_at_the_next_start() {
        let (bench, id) = three("one two three").await;
        let before = bench.gate.stored(&id).unwrap();
        decide(&bench, &id, some(Choice::Approve, &[1])).await.unwrap();
        bench.gate.commit(Commit::new(Durability::Normal, &before, Vec::new())).await.unwrap();
        let bench = bench.reopened();
        bench.gate.recover().await.unwrap();
        assert_eq!(bench.gate.record(&id).unwrap().open_parts(), [0, 2]);
        decide(&bench, &id, Decision::approve(None)).await.unwrap();
        assert_eq!((bench.world.text().as_str(), bench.runs()), ("1 2 3", 3));
    }
}
