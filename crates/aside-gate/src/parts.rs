//! Decisions on parts of a preview: each accepted part is an action of its own, with its own undo.

use aside_core::{
    ActionId, ActionRecord, Choice, Decision, Envelope, Failure, Label, Observation, Outcome, PartDecision,
};
use aside_store::Durability;
use serde_json::json;

use crate::{
    Gate, GateError, Submission,
    approval::{Look, is_part},
    audit::{self, Kind},
    call,
    decide::{answer, rejected},
    journal::Commit,
    record::StoredAction,
};

impl Gate {
    /// Decides some open parts, one after the other. Those before one that fails stay decided.
    pub(crate) async fn decide_parts(
        &self,
        mut action: StoredAction,
        decision: &Decision,
        parts: &[u32],
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        for part in parts {
            let child = match decision.decision {
                Choice::Approve => Some(self.accept_part(&action, decision, *part, by).await?),
                Choice::Reject => None,
            };
            action = self.mark_part(action, decision, *part, child, by).await?;
        }
        Ok(action.record)
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
            entries.push(audit::decision(now, &action.record, &answer(decision, Some(&[part]), by)));
            action.rejections.extend(decision.reason.clone().map(|reason| (part, reason)));
        }
        let decided = PartDecision { part, decision: decision.decision, action: child, by: by.to_owned(), at: now };
        action.record.parts.push(decided);
        action.record.decided_by = Some(by.to_owned());
        if action.record.open_parts().is_empty() {
            action.end(whole_outcome(&action, by), now);
            entries.push(audit::entry(Kind::Outcome, now, &action.record));
        }
        self.commit(Commit::new(Durability::Normal, &action, entries)).await?;
        Ok(action)
    }

    /// Carries out one part, if it is still what was shown; returns the action that did it.
    async fn accept_part(
        &self,
        parent: &StoredAction,
        decision: &Decision,
        part: u32,
        by: &str,
    ) -> Result<ActionId, GateError> {
        let failed = |failure| GateError::PartFailed { part, failure, record: Box::new(parent.record.clone()) };
        let handler = self.handler(parent)?;
        let whole =
            parent.record.preview.as_ref().ok_or_else(|| failed(Failure::new("no_parts", "it has no preview")))?;
        let args = call::part(&*handler, &parent.record.envelope.args, whole, part).map_err(failed)?;
        let mut child = self.child(parent, args, part);
        let mut found = match self.look(&child, &*handler, Look::Closely).await {
            Ok(found) => found,
            Err(stopped) => return Err(self.stale(parent.clone(), &stopped.failure()).await?),
        };
        if !found.preview.as_ref().is_some_and(|alone| is_part(whole, part, alone)) {
            let failure = Failure::new("stale", format!("change {} is no longer what was shown", part + 1));
            return Err(self.stale(parent.clone(), &failure).await?);
        }
        found.verdict = parent.record.verdict.clone();
        child.take_findings(found);
        child.record.decided_by = Some(by.to_owned());
        let entry = audit::decision(self.store.now(), &parent.record, &answer(decision, Some(&[part]), by));
        let child = self.carry_out(child, &*handler, vec![entry], None).await?;
        match &child.record.outcome {
            Some(Outcome::Failed { failure }) => Err(failed(failure.clone())),
            _ => Ok(child.id().clone()),
        }
    }

    fn child(&self, parent: &StoredAction, args: serde_json::Value, part: u32) -> StoredAction {
        let id: ActionId = self.store.new_id();
        let envelope =
            Envelope { idempotency_key: format!("{}:{part}", parent.id()), id, args, ..parent.record.envelope.clone() };
        let submission =
            Submission { origin: parent.record.origin.clone(), grant: parent.grant.clone(), review: parent.review };
        let mut child = self.new_action(envelope, &submission, None);
        child.record.parent = Some(parent.id().clone());
        child
    }
}

fn whole_outcome(action: &StoredAction, by: &str) -> Outcome {
    let of = |choice| action.record.parts.iter().filter(move |part| part.decision == choice).map(|part| part.part);
    let (mut accepted, mut rejected_parts): (Vec<u32>, Vec<u32>) =
        (of(Choice::Approve).collect(), of(Choice::Reject).collect());
    accepted.sort_unstable();
    rejected_parts.sort_unstable();
    if accepted.is_empty() {
        let reasons: Vec<_> = action.rejections.values().map(String::as_str).collect();
        return rejected(by, (!reasons.is_empty()).then(|| reasons.join("; ")).as_deref());
    }
    let actions: Vec<_> = action.record.parts.iter().filter_map(|part| part.action.as_ref()).collect();
    let data = json!({ "accepted": accepted, "rejected": rejected_parts, "actions": actions,
        "reasons": action.rejections });
    let text = summary(action, by, &accepted, &rejected_parts);
    Outcome::Done { observation: Observation { text, data, label: Label::User } }
}

/// Counted from 1, as a person counts.
fn summary(action: &StoredAction, by: &str, accepted: &[u32], rejected: &[u32]) -> String {
    let list = |parts: &[u32]| parts.iter().map(|part| (part + 1).to_string()).collect::<Vec<_>>().join(", ");
    let total = accepted.len() + rejected.len();
    let mut text = format!("{by} accepted {} of {total} changes: {}.", accepted.len(), list(accepted));
    if !rejected.is_empty() {
        text.push_str(&format!(" Rejected, so not made: {}.", list(rejected)));
    }
    for (part, reason) in &action.rejections {
        text.push_str(&format!(" Why not {}: {reason}", part + 1));
    }
    text
}
