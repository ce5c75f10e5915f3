//! Hand-made entries of a thread log, for the tests of this crate.

use aside_core::{
    ActionId, ActionRecord, ActionRequest, ActionState, Assessment, Envelope, Failure, GrantRef, Id as _, Observation,
    Origin, Outcome, Provenance, RefusedBy, Risks, Ruling, Sha256, ThreadId, Timestamp, TurnId, Verdict,
};
use serde_json::json;

/// The turn that all records belong to.
pub(crate) fn turn_id() -> TurnId {
    TurnId::from_parts(Timestamp(1), 1)
}

/// An action of a call, in some state.
pub(crate) fn record(step: u32, call: &str, state: ActionState) -> ActionRecord {
    let number = u128::from(step) * 1000 + call.bytes().map(u128::from).sum::<u128>();
    let request = ActionRequest::new("doc.edit".parse().unwrap(), json!({}));
    ActionRecord {
        envelope: Envelope {
            id: ActionId::from_parts(Timestamp(2), number),
            hash: Sha256::of(call),
            action_type: request.action_type,
            target: request.target,
            args: request.args,
            risk_level: Risks::default(),
            requires_confirmation: false,
            idempotency_key: String::new(),
            audit_context: None,
        },
        origin: Origin::Turn {
            user: "ada".into(),
            thread: ThreadId::from_parts(Timestamp(1), 1),
            turn: turn_id(),
            step,
            call: call.into(),
        },
        grant: GrantRef::default(),
        provenance: Provenance::default(),
        marked: vec![],
        state,
        verdict: Verdict::new(Ruling::Allow, "test", ""),
        assessment: Assessment::default(),
        preview: None,
        approval_hash: None,
        expires: None,
        parts: vec![],
        decided_by: None,
        remembered: None,
        outcome: outcome(state),
        can_undo: false,
        undo_until: None,
        parent: None,
        undoes: None,
        undone_by: None,
        created: Timestamp(3),
        ended: None,
    }
}

fn outcome(state: ActionState) -> Option<Outcome> {
    match state {
        ActionState::Done => Some(Outcome::Done { observation: Observation::text("It is done.") }),
        ActionState::Failed => Some(Outcome::Failed { failure: Failure::new("no_match", "no such text") }),
        ActionState::Refused => {
            Some(Outcome::Refused { by: RefusedBy::Person, failure: Failure::new("rejected", "keep the name") })
        }
        ActionState::Interrupted => Some(Outcome::Interrupted { reason: "a crash".into() }),
        _ => None,
    }
}
