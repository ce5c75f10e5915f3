//! `terminals`: those of the workspace, and the socket of one.

use std::sync::Arc;

use aside_core::{OpenTerminal, TerminalId};
use aside_macros::boxed;
use axum::{
    Extension, Json,
    extract::{State, ws::WebSocketUpgrade},
    response::Response,
};

use crate::{
    access::Shown,
    app::App,
    problem::{Asked, Named, Problem},
    terminal_socket::{self, Attaching},
};

/// Lists them, the oldest first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<OpenTerminal>> {
    Json(app.terminals.list())
}

/// Answers the upgrade; that a terminal is gone is said on the socket, as a page can't read another answer.
#[boxed]
pub async fn socket(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TerminalId>,
    Asked(attaching): Asked<Attaching>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    Ok(terminal_socket::upgrade(app, shown, id, attaching, upgrade))
}
