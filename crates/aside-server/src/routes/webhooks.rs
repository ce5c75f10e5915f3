//! `/api/webhooks`: hosts of repositories tell what became of pull requests and runs. The only routes that take somebody without a
//! session: what shows who they are is the signature of the body, looked at before anything in it is.

mod signature;

use std::{sync::Arc, time::Duration};

use aside_core::Failure;
use aside_history::{
    Delivery, Index, Noted, Origin,
    hosts::{Fact, Host},
};
use axum::{
    Json, Router,
    body::to_bytes,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Bytes of a message. GitHub sends up to 25 MB, of which only pushes of thousands of commits come near to this.
const MOST_BODY: usize = 8 << 20;
/// From the head of a message to its end.
const TIME: Duration = Duration::from_secs(30);
/// Messages that are read at once.
static READING: Semaphore = Semaphore::const_new(4);
/// Messages that are read or wait for it, of which nothing but the head is held. A push of several branches makes some dozens at once.
static COMING: Semaphore = Semaphore::const_new(256);
/// How long one waits: hosts give up on an answer after ten seconds, and most of them do not ask again.
const PATIENCE: Duration = Duration::from_secs(8);

/// What is below the address.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/{host}", post(heard))
}

/// Takes a message in.
async fn heard(
    State(app): State<Arc<App>>,
    Path(word): Path<String>,
    request: Request,
) -> Result<Json<Value>, Problem> {
    let host = match word.as_str() {
        "github" => Host::GitHub,
        "gitlab" => Host::GitLab,
        "ci" => Host::Generic,
        _ => return Err(Problem::not_found("unknown webhook: the webhooks are github, gitlab and ci")),
    };
    let nowhere = || Failure::new("unavailable", "there is no data folder to store this in");
    let folder = app.history.folder.clone().ok_or_else(nowhere)?;
    app.renew_keys().await?;
    let secret = app.keys.text_of_host(&format!("{word}-webhook")).ok_or_else(|| {
        Failure::new("unavailable", format!("webhooks of {word} are not set up"))
            .hint("Store its secret with `aside models key set` and the name of the webhook; see the page on history.")
    })?;
    let (head, body) = request.into_parts();
    // Who shows nothing has nothing read.
    let proof = signature::Proof::of(host, &head.headers).ok_or_else(unsigned)?;
    let reading = turn().await?;
    let body = match timeout(TIME, to_bytes(body, MOST_BODY)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            return Err(Failure::new("too_large", format!("the body is larger than {MOST_BODY} bytes")).into());
        }
        Err(_) => return Err(Failure::new("bad_request", "the body was not received").into()),
    };
    drop(reading);
    if !proof.holds(&secret, &body) {
        return Err(unsigned());
    }
    let event = named(&head.headers, "x-github-event").unwrap_or_default().to_owned();
    if event == "ping" {
        return Ok(Json(json!({ "status": "pong" })));
    }
    let id = delivery(host, &head.headers).unwrap_or_default();
    let now = app.gate.now();
    let told = blocking(move || -> Result<Value, Failure> {
        let value = parsed(&body)?;
        let facts = host.heard(&event, &value);
        let event = if event.is_empty() { value["object_kind"].clone() } else { event.into() };
        if facts.is_empty() {
            return Ok(json!({ "status": "ignored", "event": event }));
        }
        let id = if id.is_empty() { format!("body {}", aside_core::Sha256::of(&body).as_str()) } else { id };
        let origin = Origin::Delivery(Delivery { id: &id, body: &body, at: now });
        let noted = Index::open(&folder)?.note(host, &facts, &origin)?;
        Ok(told(&event, &facts, noted))
    })
    .await??;
    app.history.say();
    Ok(Json(told))
}

/// Waits until a message may be read, for as long as its host does.
async fn turn() -> Result<[SemaphorePermit<'static>; 2], Failure> {
    let busy = || Failure::new("unavailable", "too many webhooks at once");
    let coming = COMING.try_acquire().map_err(|_| busy())?;
    let reading = timeout(PATIENCE, READING.acquire()).await;
    Ok([coming, reading.map_err(|_| busy())?.map_err(|_| busy())?])
}

fn unsigned() -> Problem {
    let failure = Failure::new("denied", "the message is not signed with the secret of this webhook");
    Problem { status: StatusCode::FORBIDDEN, failure }
}

fn parsed(body: &Bytes) -> Result<Value, Failure> {
    let wrong = || {
        Failure::new("bad_request", "the body is not a JSON object")
            .hint("Choose `application/json` as the content type of the webhook.")
    };
    serde_json::from_slice(body).ok().filter(Value::is_object).ok_or_else(wrong)
}

/// A header that is there once.
fn named<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The host's own id of the message, by which it is known when it comes again.
fn delivery(host: Host, headers: &HeaderMap) -> Option<String> {
    let names: &[&str] = match host {
        Host::GitHub => &["x-github-delivery"],
        Host::GitLab => &["idempotency-key", "x-gitlab-event-uuid"],
        Host::Generic => &["x-webhook-id"],
    };
    let found = names.iter().find_map(|name| named(headers, name))?;
    Some(found.chars().take(200).collect())
}

fn told(event: &Value, facts: &[Fact], noted: Noted) -> Value {
    if noted.repeated {
        return json!({ "status": "ignored", "event": event, "reason": "this delivery was already received" });
    }
    let verb = if noted.inserted > 0 { "inserted" } else { "updated" };
    match facts.last() {
        Some(Fact::PullRequest(pull)) => {
            json!({ "status": "ok", "kind": "pr", "verb": verb, "pr_number": pull.number })
        }
        Some(Fact::Run(run)) => json!({ "status": "ok", "kind": "ci", "verb": verb, "run_id": run.id }),
        Some(Fact::Review(review)) => {
            json!({ "status": "ok", "kind": "review", "verb": verb, "pr_number": review.number })
        }
        _ => json!({ "status": "ok", "kind": "commits", "verb": verb, "count": facts.len() }),
    }
}
