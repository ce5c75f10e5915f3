//! `aside do ACTION --args JSON`: one action, through the Gate like any other.

use std::collections::BTreeMap;

use aside_core::{ActionName, ActionState};
use aside_protocol::{SubmitAction, Submitted};
use serde_json::Value;

use super::decide::{Consent, settle, words};
use crate::{
    arguments::Where,
    client::{Client, new_key, until_answered},
    ended::Ended,
    follow::follow,
    output::Output,
    preview::render,
    task_text::because,
    workspace,
};

/// The request as typed, with a key of its own if none was.
pub fn request(action_type: ActionName, args: Value, key: Option<String>, dry_run: bool) -> SubmitAction {
    let idempotency_key = key.or_else(|| (!dry_run).then(new_key));
    let action_type = action_type.to_string();
    SubmitAction {
        action_type,
        target: BTreeMap::new(),
        args,
        idempotency_key,
        audit_context: None,
        thread: None,
        dry_run,
    }
}

/// Submits it, and gets a decision if one is needed.
pub async fn do_action(request: &SubmitAction, yes: bool, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = with(&client, request, yes, output).await;
    client.finish().await;
    result
}

/// The same with a server that is there already.
pub async fn with(client: &Client, request: &SubmitAction, yes: bool, output: &Output) -> anyhow::Result<Ended> {
    let consent = if request.dry_run { Consent::Nobody } else { Consent::new(yes, output) };
    let submitted = submit(client, request, consent, output).await?;
    output.result(&submitted, || show(&submitted, request.dry_run, output));
    Ok(Ended::of(&submitted))
}

async fn submit(
    client: &Client,
    request: &SubmitAction,
    consent: Consent,
    output: &Output,
) -> anyhow::Result<Submitted> {
    // A dry run puts nothing out, and is answered whole.
    let submitted = match request.dry_run {
        true => client.post("actions", request).await?,
        false => until_answered(|| follow(client, "actions", request, output)).await?,
    };
    settle(client, submitted, consent, output).await
}

/// The preview if nothing has happened, and what became of it.
pub fn show(submitted: &Submitted, dry_run: bool, output: &Output) -> String {
    let record = &submitted.record;
    let undecided = dry_run || record.state == ActionState::AwaitingConfirmation;
    let mut text = match &record.preview {
        Some(preview) if undecided => render(preview, output),
        _ => String::new(),
    };
    if record.outcome.is_some() || !dry_run {
        text += &words(record);
    } else {
        text += &format!("{} Nothing was changed.", because(&record.verdict));
    }
    text
}
