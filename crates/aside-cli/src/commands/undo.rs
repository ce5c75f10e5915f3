//! `aside undo [ID]`: takes an action back; without an id the latest that can be.

use aside_core::ActionId;
use aside_protocol::Submitted;

use super::decide::{Consent, settle, words};
use crate::{
    arguments::Where,
    client::{Client, new_key, until_answered},
    ended::Ended,
    output::Output,
    workspace,
};

/// Asks for the undo, and gets a decision if one is needed.
pub async fn undo(id: Option<ActionId>, yes: bool, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = ask(&client, id, Consent::new(yes, output), output).await;
    client.finish().await;
    let submitted = result?;
    output.result(&submitted, || words(&submitted.record));
    Ok(Ended::of(&submitted))
}

async fn ask(client: &Client, id: Option<ActionId>, consent: Consent, output: &Output) -> anyhow::Result<Submitted> {
    let path = match id {
        Some(id) => format!("actions/{id}/undo"),
        None => "actions/undo".to_owned(),
    };
    let body = serde_json::json!({ "idempotency_key": new_key() });
    let submitted: Submitted = until_answered(|| client.post(&path, &body)).await?;
    settle(client, submitted, consent, output).await
}
