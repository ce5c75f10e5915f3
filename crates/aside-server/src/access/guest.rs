//! Guests: people whom the owner has let in by a link of their own.
//!
//! ```text
//! route                                           the owner   a guest
//! session, people, chats*, files (but for bytes)  yes         yes
//! find                                            yes         in documents that they may open
//! latex*, problems                                yes         yes: what was found in documents
//! notebooks/output                                yes         of notebooks that they may open
//! connection                                      yes         only documents, outputs of notebooks, and chats
//! people/invited, people/ID                       yes         no
//! everything else                                 yes         no: no actions, no models, no commands, no yes or no
//! ```

use aside_core::Failure;
use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use super::Shown;
use crate::problem::Problem;

/// Keeps a route from guests.
pub async fn no_guests(request: Request, next: Next) -> Response {
    match request.extensions().get::<Shown>() {
        Some(Shown::Guest(person)) => turned_away(&person.name).into_response(),
        _ => next.run(request).await,
    }
}

/// Keeps a route for the owner, in front of a page or a terminal: no guest and no program under a grant.
pub async fn owner_only(request: Request, next: Next) -> Response {
    match request.extensions().get::<Shown>() {
        Some(Shown::Cookie(_) | Shown::Bearer) => next.run(request).await,
        Some(Shown::Grant(record)) => {
            let message = format!("“{}” may not use this address", record.grant.name);
            Problem::from(Failure::new("not_granted", message)).into_response()
        }
        Some(Shown::Guest(person)) => turned_away(&person.name).into_response(),
        Some(Shown::Nothing) | None => Problem::from(super::Denied::NoToken).into_response(),
    }
}

fn turned_away(name: &str) -> Problem {
    Failure::new("guest", format!("{name} is a guest: guests can only edit documents and chat"))
        .hint("ask the owner of the workspace")
        .into()
}
