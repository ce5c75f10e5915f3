//! `history/pull`: a host of repositories is asked what became of pull requests and runs, because the person wants to know.

use std::sync::Arc;

use aside_core::Failure;
use aside_history::Index;
use aside_macros::boxed;
use aside_protocol::{HistoryPull, HistoryPulled};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    hosts::{Pull, clone_in},
    problem::{Body, Problem},
    routes::grants::ordered,
};

/// Asks. `allow` is the person's word that this host may be asked, kept as it is for model services.
#[boxed]
pub async fn pull(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(HistoryPull { repo, host, allow }): Body<HistoryPull>,
) -> Result<Json<HistoryPulled>, Problem> {
    let folder = app
        .history
        .folder
        .clone()
        .ok_or_else(|| Failure::new("no_folder", "there is no data folder to store this in"))?;
    app.renew_keys().await?;
    let known = host.as_deref().is_none_or(|host| matches!(host, "github.com" | "gitlab.com"));
    // A token of the environment is for the host that it is of, and goes to no other.
    let key = |id: &str| if known { app.keys.of_host(id) } else { app.keys.of_host(&format!("{id}-enterprise")) };
    let pull = Pull::new(&repo, host.as_deref(), folder.clone(), key)?;
    if let (true, Some((provider, host))) = (allow, pull.consent()) {
        ordered(&app, shown, "model.allow", json!({ "provider": provider, "host": host })).await?;
    }
    let pulled = pull.run(app.models.permits()).await?;
    let here = app.workspace.folder().to_owned();
    let keep = move || match clone_in(&here).filter(|clone| clone.of.repo.eq_ignore_ascii_case(&repo)) {
        Some(clone) => Index::open(&folder)?.keep_clone(&clone.root.display().to_string(), &repo),
        None => Ok(()),
    };
    blocking(keep).await?.map_err(Failure::from)?;
    app.history.say();
    Ok(Json(pulled))
}
