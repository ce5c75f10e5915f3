//! Programs with a token of their own: what they reach, and how it ends with their grant.
//!
//! ```text
//! route                                   a person   under a grant
//! status, catalog*                        yes        what the grant covers
//! actions, actions/ID[/undo|/stop]        yes        through the Gate under the grant; its own actions only
//! threads, threads/ID[/turns|/events|..]  yes        its own threads only; a turn may cost money
//! scripts*, tasks/ID[/actions|/cancel]    yes        through the Gate under the grant; its own tasks only
//! connection                              yes        only if nothing limits the grant: documents are edited there
//! chats*, people                          yes        no: what people say to each other is not for programs under a grant
//! mcp                                     token      under the grant
//! everything else                         yes        no
//! ```

use std::sync::Arc;

use aside_core::{ActionRecord, Failure, Grant, GrantRecord, ReviewMode, Risk, Risks, RunMode, Thread, WorkspacePath};
use aside_gate::Grants;
use axum::{
    body::{Body, HttpBody as _},
    extract::Request,
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, Either, select},
};

use super::Shown;
use crate::problem::Problem;

/// Keeps a route for persons: a program that shows a token of its own is turned away.
pub async fn persons_only(request: Request, next: Next) -> Response {
    match request.extensions().get::<Shown>() {
        Some(Shown::Grant(record)) => {
            let message = format!("“{}” may not use this address", record.grant.name);
            not_granted(message)
                .hint("a grant can use `actions`, `catalog`, `scripts`, its own `threads` and `tasks`, and `/mcp`")
                .into_response()
        }
        _ => next.run(request).await,
    }
}

/// Answers a program for as long as its grant holds: then the answer ends, and so does a stream in its middle.
pub(super) async fn while_it_holds(grants: Grants, record: Arc<GrantRecord>, request: Request, next: Next) -> Response {
    let ended = async move { grants.end(&record.grant).await }.boxed();
    let answered = next.run(request);
    tokio::pin!(answered);
    match select(answered, ended).await {
        Either::Left((response, ended)) => cut_off(response, ended),
        Either::Right((failure, _)) => Problem { status: StatusCode::UNAUTHORIZED, failure }.into_response(),
    }
}

/// An answer that is there as a whole goes out; one that is still coming is cut off at the end.
fn cut_off(response: Response, ended: BoxFuture<'static, Failure>) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(ended)))
}

impl Shown {
    /// What limits who asks; nothing limits a person.
    pub fn grant(&self) -> Option<&Grant> {
        match self {
            Self::Grant(record) => Some(&record.grant),
            Self::Nothing | Self::Bearer | Self::Cookie(_) | Self::Guest(_) => None,
        }
    }

    /// Whether an action may be looked at: a program sees what was asked for under its own grant.
    pub fn check_action(&self, record: &ActionRecord) -> Result<(), Problem> {
        let Some(own) = self.grant() else { return Ok(()) };
        let among = record.grant.id == own.id || own.id.as_ref().is_some_and(|own| record.grant.within.contains(own));
        let id = &record.envelope.id;
        if among { Ok(()) } else { Err(Problem::not_found(format!("you requested no action {id}"))) }
    }

    /// Whether a thread may be used: a program uses those it started.
    pub fn check_thread(&self, thread: &Thread) -> Result<(), Problem> {
        let Some(own) = self.grant() else { return Ok(()) };
        let among = thread.grant.as_ref().is_some_and(|grant| grant.stands_on().any(|id| Some(id) == own.id.as_ref()));
        if among { Ok(()) } else { Err(Problem::not_found(format!("you started no thread {}", thread.id))) }
    }

    /// Whether a message may be sent to a model.
    pub fn check_turn(&self) -> Result<(), Problem> {
        match self.grant() {
            Some(own) if !own.risks.contains(Risk::Billing) => {
                Err(not_granted(format!("a turn can cost money, and “{}” has no permission to spend any", own.name))
                    .hint("use a grant with the risk `billing`"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a thread may be like this: a program takes no question away from the person.
    pub fn check_asking(
        &self,
        mode: Option<ReviewMode>,
        runs: Option<RunMode>,
        after_outputs: Option<&WorkspacePath>,
    ) -> Result<(), Problem> {
        let Some(own) = self.grant() else { return Ok(()) };
        let what = match (mode, runs, after_outputs) {
            (Some(ReviewMode::AutoApply), _, _) => "edits",
            (_, Some(RunMode::AfterReview | RunMode::Auto), _) | (_, _, Some(_)) => "cell runs",
            _ => return Ok(()),
        };
        Err(not_granted(format!("“{}” may not turn off approval of {what}", own.name))
            .hint("leave `mode`, `runs` and `runs_after_outputs` unchanged; the user can set them in the thread"))
    }

    /// Whether the documents may be edited together with everybody: no limit could be held against that.
    pub fn check_connection(&self) -> Result<(), Problem> {
        match self.grant() {
            Some(own) if own.actions.is_some() || own.has_paths() || own.risks != Risks::all() => Err(not_granted(
                format!("“{}” is a limited grant and cannot use the connection, which has no limits", own.name),
            )
            .hint("follow `threads/ID/events` and request actions")),
            _ => Ok(()),
        }
    }
}

fn not_granted(message: String) -> Problem {
    Failure::new("not_granted", message).into()
}
