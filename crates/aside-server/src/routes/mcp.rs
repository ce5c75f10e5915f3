//! `/mcp`: the catalog for other programs, behind the same checks as everything else, and with a token only. And the
//! servers of tools that are used here.

use std::sync::Arc;

use aside_core::{McpProposals, McpServer};
use aside_macros::boxed;
use aside_mcp::{Caller, http_service};
use axum::{
    Extension, Json, Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse as _, Response},
};

use crate::{
    access::{Denied, Shown, guard_api},
    app::{App, blocking},
    problem::Problem,
};

/// Returns the address and what guards it.
pub fn routes(app: &Arc<App>) -> Router {
    let ended = Arc::clone(app);
    let service = http_service(app.mcp.clone(), async move { ended.ended().await });
    Router::new()
        .route_service("/mcp", service)
        .layer(from_fn_with_state(app.clone(), name_caller))
        .layer(from_fn_with_state(app.access.clone(), guard_api))
}

/// Lists the servers of tools whose tools are actions here; what changes them are actions.
#[boxed]
pub async fn servers(State(app): State<Arc<App>>) -> Json<Vec<McpServer>> {
    Json(app.servers.list())
}

/// Lists the servers that files of the workspace name and nobody has added.
#[boxed]
pub async fn proposals(State(app): State<Arc<App>>) -> Result<Json<McpProposals>, Problem> {
    let app = app.clone();
    Ok(Json(blocking(move || app.servers.proposals(&app.workspace)).await?))
}

/// Says who calls. A page has the API; the protocol is for programs, which show a token.
async fn name_caller(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    mut request: Request,
    next: Next,
) -> Response {
    if !matches!(shown, Shown::Bearer | Shown::Grant(_)) {
        return Denied::NoToken.into_response();
    }
    let submission = app.submission(shown);
    let user = submission.origin.user().to_owned();
    request.extensions_mut().insert(Caller { user, grant: submission.grant });
    next.run(request).await
}
