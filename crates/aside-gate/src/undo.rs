//! Taking back: the recorded inverse enters by the Gate like any other request.

use std::sync::Arc;

use aside_core::{ActionId, ActionState};

use crate::{Gate, GateError, Submission, Submitted, gate::carried_through, record::StoredAction, submit::Ask};

impl Gate {
    /// Takes an action back. An undo is an action too, and can be taken back itself.
    pub async fn undo(
        self: &Arc<Self>,
        id: &ActionId,
        submission: Submission,
        key: Option<String>,
    ) -> Result<Submitted, GateError> {
        let (gate, id) = (self.clone(), id.clone());
        carried_through(async move { gate.take_back(&id, submission, key).await }).await
    }

    async fn take_back(
        &self,
        id: &ActionId,
        submission: Submission,
        key: Option<String>,
    ) -> Result<Submitted, GateError> {
        let _pass = self.in_flight.enter(format!("undo:{id}")).await;
        let original = self.stored(id)?;
        let Some(inverse) = &original.inverse else { return Err(not_undoable(&original)) };
        let mut request = inverse.request.clone();
        request.idempotency_key = key;
        let ask = Ask { request, submission, undoes: Some(id.clone()) };
        if original.undoable() || self.known(&ask)? { self.take_in(ask).await } else { Err(not_undoable(&original)) }
    }
}

fn not_undoable(original: &StoredAction) -> GateError {
    let record = &original.record;
    let children: Vec<_> = record.parts.iter().filter_map(|part| part.action.as_ref()).map(ActionId::as_str).collect();
    let reason = match record.state {
        ActionState::Undone => "it was taken back before".to_owned(),
        ActionState::Done if !children.is_empty() => {
            format!("its parts were carried out one by one; undo {}", children.join(" or "))
        }
        ActionState::Done => "it left nothing that could be taken back".to_owned(),
        _ => "it is not done".to_owned(),
    };
    GateError::NotUndoable { action: original.id().clone(), reason, undone_by: record.undone_by.clone() }
}
