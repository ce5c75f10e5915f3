//! A person's answer: bound to what was shown, given once.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRecord, ActionState, Choice, Decision, DecisionScope, Failure, Outcome, RefusedBy, Ruling,
};
use aside_store::Durability;

use crate::{
    Gate, GateError, Handler,
    approval::{self, Findings, Look, Stopped, decided},
    audit::{self, Answer, Kind},
    gate::carried_through,
    journal::Commit,
    record::StoredAction,
};

/// What a decision is about.
pub(crate) enum Chosen {
    /// The action as a whole.
    Whole,
    /// Some of its open parts.
    Parts(Vec<u32>),
    /// Nothing that was not decided the same way before.
    Nothing,
}

impl Gate {
    /// Takes a person's answer, carries out what was approved, and returns the action as it is then.
    ///
    /// `by` is the person. Never call this for a model.
    pub async fn decide(
        self: &Arc<Self>,
        id: &ActionId,
        decision: Decision,
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let (gate, id, by) = (self.clone(), id.clone(), by.to_owned());
        carried_through(async move { gate.take_decision(&id, &decision, &by).await }).await
    }

    async fn take_decision(&self, id: &ActionId, decision: &Decision, by: &str) -> Result<ActionRecord, GateError> {
        if decision.scope != DecisionScope::Once {
            return Err(GateError::Scope);
        }
        // Held to the end, so that a second click finds the first one's result.
        let _pass = self.in_flight.enter(format!("action:{id}")).await;
        let action = self.stored(id)?;
        if action.record.state != ActionState::AwaitingConfirmation {
            return repeated(action.record, decision);
        }
        check_shown(&action.record, decision)?;
        match (chosen(&action.record, decision)?, decision.decision) {
            (Chosen::Nothing, _) => Ok(action.record),
            (Chosen::Whole, Choice::Approve) => self.approve(action, decision, by).await,
            (Chosen::Whole, Choice::Reject) => self.reject(action, decision, by).await,
            (Chosen::Parts(parts), _) => self.decide_parts(action, decision, &parts, by).await,
        }
    }

    async fn reject(&self, mut action: StoredAction, decision: &Decision, by: &str) -> Result<ActionRecord, GateError> {
        let now = self.store.now();
        action.record.decided_by = Some(by.to_owned());
        action.end(rejected(by, decision.reason.as_deref()), now);
        let entry = audit::decision(now, &action.record, &answer(decision, None, by));
        self.commit(Commit::new(Durability::Normal, &action, vec![entry])).await?;
        Ok(action.record)
    }

    async fn approve(
        &self,
        mut action: StoredAction,
        decision: &Decision,
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let handler = self.handler(&action)?;
        let _pass = match &action.record.undoes {
            Some(original) => Some(self.in_flight.enter(format!("undo:{original}")).await),
            None => None,
        };
        if let Some(stopped) = self.undone_meanwhile(&action)? {
            return Ok(self.conclude(action, stopped).await?.record);
        }
        match self.look(&action, &*handler, Look::Closely).await {
            Ok(found) if approval::covers(&action, self.store.now(), &found) => {
                action.record.decided_by = Some(by.to_owned());
                let entry = audit::decision(self.store.now(), &action.record, &answer(decision, None, by));
                Ok(self.carry_out(action, &*handler, vec![entry], None).await?.record)
            }
            Ok(found) => Err(self.ask_again(action, found).await?),
            Err(stopped) => match &stopped.outcome {
                Outcome::Failed { failure } => Err(self.stale(action, failure).await?),
                _ => Ok(self.conclude(action, *stopped).await?.record),
            },
        }
    }

    /// Shows what would happen now, in place of what was shown.
    async fn ask_again(&self, mut action: StoredAction, mut found: Findings) -> Result<GateError, GateError> {
        let now = self.store.now();
        if found.verdict.ruling == Ruling::Allow {
            found.verdict = action.record.verdict.clone();
        }
        action.take_findings(found);
        action.shown = now;
        let entry = audit::entry(Kind::Stale, now, &action.record);
        self.commit(Commit::new(Durability::Normal, &action, vec![entry])).await?;
        let reason = "what would happen is no longer what was shown: here is the new preview".to_owned();
        Ok(GateError::Stale { reason, record: Box::new(action.record) })
    }

    /// It can't be done as things are; the proposal stays, because things can change back.
    pub(crate) async fn stale(&self, action: StoredAction, failure: &Failure) -> Result<GateError, GateError> {
        self.note(vec![audit::entry(Kind::Stale, self.store.now(), &action.record)]).await?;
        let reason = format!("it can't be done as things are now: {failure}");
        Ok(GateError::Stale { reason, record: Box::new(action.record) })
    }

    fn undone_meanwhile(&self, action: &StoredAction) -> Result<Option<Stopped>, GateError> {
        let Some(original) = &action.record.undoes else { return Ok(None) };
        if self.stored(original)?.undoable() {
            return Ok(None);
        }
        let failure = Failure::new("already_undone", format!("{original} was taken back before this was approved"));
        Ok(Some(Stopped { verdict: action.record.verdict.clone(), outcome: Outcome::Failed { failure } }))
    }

    /// The handler of an action that was admitted before. It can only be missing after a change of version.
    pub(crate) fn handler(&self, action: &StoredAction) -> Result<Arc<dyn Handler>, GateError> {
        let name = &action.record.envelope.action_type;
        let entry = self.catalog.entry(name).ok_or_else(|| GateError::Stale {
            reason: format!("there is no action `{name}` any more"),
            record: Box::new(action.record.clone()),
        })?;
        Ok(entry.handler.clone())
    }
}

pub(crate) fn answer<'a>(decision: &'a Decision, parts: Option<&'a [u32]>, by: &'a str) -> Answer<'a> {
    Answer { by, decision: decision.decision, parts, reason: decision.reason.as_deref() }
}

pub(crate) fn rejected(by: &str, reason: Option<&str>) -> Outcome {
    let message = match reason {
        Some(reason) => format!("{by} rejected it: {reason}"),
        None => format!("{by} rejected it"),
    };
    Outcome::Refused { by: RefusedBy::Person, failure: Failure::new("rejected", message) }
}

/// The same answer again is no mistake; another one comes too late.
fn repeated(record: ActionRecord, decision: &Decision) -> Result<ActionRecord, GateError> {
    let same = match &decision.parts {
        Some(parts) if !record.parts.is_empty() => {
            parts.iter().all(|part| decided(&record.parts, *part) == Some(decision.decision))
        }
        _ => {
            let rejected = matches!(record.outcome, Some(Outcome::Refused { by: RefusedBy::Person, .. }));
            record.decided_by.is_some() && rejected == (decision.decision == Choice::Reject)
        }
    };
    if same { Ok(record) } else { Err(GateError::AlreadyDecided { record: Box::new(record) }) }
}

fn check_shown(record: &ActionRecord, decision: &Decision) -> Result<(), GateError> {
    match &decision.hash {
        Some(hash) if record.approval_hash.as_ref() != Some(hash) => Err(GateError::Stale {
            reason: "the decision is for a preview that was replaced by a newer one".to_owned(),
            record: Box::new(record.clone()),
        }),
        _ => Ok(()),
    }
}

fn chosen(record: &ActionRecord, decision: &Decision) -> Result<Chosen, GateError> {
    let all = record.preview.as_ref().map(aside_core::Preview::parts).unwrap_or_default();
    let Some(wanted) = &decision.parts else {
        return Ok(if record.parts.is_empty() { Chosen::Whole } else { Chosen::Parts(record.open_parts()) });
    };
    let mut open = Vec::new();
    for part in wanted {
        match decided(&record.parts, *part) {
            _ if !all.contains(part) => {
                return Err(GateError::NoSuchPart { action: record.envelope.id.clone(), part: *part });
            }
            Some(before) if before == decision.decision => {}
            Some(_) => return Err(GateError::AlreadyDecided { record: Box::new(record.clone()) }),
            None if open.contains(part) => {}
            None => open.push(*part),
        }
    }
    Ok(match open.len() {
        0 => Chosen::Nothing,
        length if length == all.len() => Chosen::Whole,
        _ => Chosen::Parts(open),
    })
}
