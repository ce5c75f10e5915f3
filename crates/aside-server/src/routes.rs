//! The routes under `/api/v1`, one file a noun, and the pages around them.

mod actions;
mod ask;
mod assistant;
mod audit;
mod blobs;
mod catalog;
mod chats;
#[cfg(test)]
mod coverage;
mod files;
mod find;
mod grants;
mod history;
mod instructions;
mod kernels;
mod keys;
mod language_servers;
mod latex;
mod live;
mod mcp;
mod meta_agent;
mod models;
mod notebooks;
mod notes;
mod people;
mod policy;
mod prices;
mod problems;
mod programs;
mod providers;
mod pull;
mod recipes;
mod scripts;
mod search;
mod session;
mod settings;
mod slash;
mod speech;
mod spending;
mod statistics;
mod status;
mod stream;
mod tables;
mod tasks;
mod terminals;
mod threads;
mod versions;
mod webhooks;
mod writes;

use std::sync::Arc;

use aside_llm::LONGEST_LIST;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::{any, delete, get, patch, post, put},
};

use crate::{
    access::{guard_api, guard_page, no_guests, owner_only, persons_only},
    app::App,
    connection, headers, output_frame,
    problem::Problem,
    ui,
};

/// Bytes of a request's body.
const MOST_BODY: usize = 2 << 20;

/// The same of what a person does to a control: it may bring files, of 32 MB together, as base64.
const MOST_OF_CONTROL: usize = 44 << 20;

/// Bytes of a file that is uploaded.
const MOST_UPLOADED: usize = 256 << 20;

/// Returns everything that is served.
pub fn router(app: &Arc<App>) -> Router {
    let pages = output_frame::routes().fallback(ui::serve).with_state(app.clone());
    let all = Router::new()
        .nest("/api/v1", api(app))
        .nest("/api/meta-agent", meta_agent(app))
        .nest("/api/webhooks", webhooks::routes().with_state(app.clone()))
        .merge(mcp::routes(app))
        .route("/api", any(unknown))
        .route("/api/{*rest}", any(unknown))
        .fallback_service(pages);
    below(app, all).layer(from_fn_with_state(app.access.clone(), guard_page)).layer(from_fn(headers::secure))
}

fn api(app: &Arc<App>) -> Router {
    owners()
        .route_layer(from_fn(owner_only))
        .merge(persons().route_layer(from_fn(no_guests)).route_layer(from_fn(persons_only)))
        .merge(holders().route_layer(from_fn(no_guests)))
        .merge(guests().route_layer(from_fn(persons_only)))
        .route_layer(from_fn_with_state(app.clone(), writes::note_writes))
        .route("/connection", get(connection::upgrade))
        .route("/", any(unknown))
        .route("/{*rest}", any(unknown))
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(app.access.clone(), guard_api))
        .with_state(app.clone())
}

/// The sidebar's own routes, at the addresses that programs written for it know.
fn meta_agent(app: &Arc<App>) -> Router {
    meta_agent::routes()
        .route_layer(from_fn(no_guests))
        .route_layer(from_fn(persons_only))
        .route("/", any(unknown))
        .route("/{*rest}", any(unknown))
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(app.access.clone(), guard_api))
        .with_state(app.clone())
}

/// What only a person uses, by our page or our command line. A new route belongs here.
fn persons() -> Router<Arc<App>> {
    Router::new()
        .route("/session/once", post(session::once))
        .route("/devices", get(session::devices))
        .route("/devices/{id}", delete(session::revoke))
        .route("/actions/{id}/rule", get(actions::rule).post(actions::edited_rule))
        .route("/actions/decisions", post(actions::decide_several))
        .route("/ask/route", post(ask::route))
        .route("/actions/{id}/decision", post(actions::decide))
        .route("/threads", get(threads::list))
        .route("/threads/search", get(threads::search))
        .route("/threads/edits", get(threads::edits))
        .route("/tasks", get(tasks::list).post(tasks::create))
        .route("/tasks/{id}/decision", post(tasks::decide))
        .route("/tasks/{id}/pause", post(tasks::pause))
        .route("/tasks/{id}/resume", post(tasks::resume))
        .route("/tasks/{id}/undo", post(tasks::undo))
        .route("/tasks/{id}/run_again", get(tasks::to_run_again).post(tasks::run_again))
        .route("/recipes", get(recipes::list).post(recipes::save))
        .route("/recipes/{name}", get(recipes::get).delete(recipes::delete))
        .route("/recipes/{name}/run", post(recipes::run))
        .route("/grants", get(grants::list).post(grants::create))
        .route("/grants/{id}", get(grants::get))
        .route("/grants/{id}/token", post(grants::hand_out))
        .route("/grants/{id}/revoke", post(grants::revoke))
        .route("/history", get(history::standing))
        .route("/history/settings", put(history::set))
        .route("/history/dashboard", get(history::dashboard))
        .route("/history/advice", get(history::advice))
        .route("/history/problems", get(history::problems))
        .route("/history/pull", post(history::pull))
        .route("/history/pulls", get(history::pulls))
        .route("/history/risk", get(history::risk))
        .route("/history/runs", get(history::runs))
        .route("/history/sessions", get(history::sessions))
        .route("/history/sessions/{id}", get(history::session))
        .route("/history/sessions/{id}/playback", get(history::playback))
        .route("/files/bytes", get(files::bytes))
        .route("/files/uploads", post(files::upload).layer(DefaultBodyLimit::max(MOST_UPLOADED)))
        .route("/files/versions", get(versions::list))
        .route("/notes/of", get(notes::of))
        .route("/notes/complete", get(notes::complete))
        .route("/notes/resolve", get(notes::resolve))
        .route("/notes/graph", get(notes::graph))
        .route("/notes/tags", get(notes::tags))
        .route("/todos", get(notes::todos))
        .route("/search", post(search::search))
        .route("/search/related", get(search::related))
        .route("/mcp/servers", get(mcp::servers))
        .route("/mcp/proposals", get(mcp::proposals))
        .route("/models", get(models::get))
        .route("/models/chosen", put(models::choose))
        .route("/models/pull", get(pull::under_way).post(pull::pull))
        .route("/models/test", post(models::test))
        .route("/models/estimate", post(models::estimate))
        .route("/models/consent/{provider}", put(providers::allow).delete(providers::disallow))
        .route("/models/keys", get(keys::list))
        .route("/models/keys/{service}", put(keys::set).delete(keys::forget))
        .route("/models/prices", get(prices::get).post(prices::refresh).layer(DefaultBodyLimit::max(LONGEST_LIST)))
        .route("/models/local-only", get(providers::local_only).put(providers::set_local_only))
        .route("/kernels", get(kernels::get))
        .route("/kernels/running", get(kernels::running))
        .route("/notebooks/input", post(notebooks::input))
        .route("/notebooks/go-on", post(notebooks::go_on))
        .route("/notebooks/widgets", post(notebooks::widget).layer(DefaultBodyLimit::max(MOST_OF_CONTROL)))
        .route("/notebooks/completions", post(notebooks::completions))
        .route("/notebooks/inspection", post(notebooks::inspection))
        .route("/notebooks/ai-cells", get(notebooks::ai_cells).post(notebooks::ai_cell))
        .route("/notebooks/trust", get(notebooks::trust))
        .route("/tables/rows", post(tables::rows))
        .route("/tables/summary", post(tables::summary))
        .route("/tables/cell", post(tables::cell))
        .route("/terminals", get(terminals::list))
        .route("/terminals/{id}/socket", get(terminals::socket))
        .route("/programs", get(programs::get))
        .route("/latex/output", get(latex::output))
        .route("/language-servers", get(language_servers::get))
        .route("/language-servers/{name}/restart", post(language_servers::restart))
        .route("/speech", post(speech::transcribe).layer(DefaultBodyLimit::max(speech::MOST_BYTES)))
        .route("/spending", get(spending::get))
        .route("/spending/limits", put(spending::set_limits))
        .route("/spending/sums", get(spending::sums))
        .route("/statistics", get(statistics::get))
        .route("/statistics/sentences", post(statistics::count).delete(statistics::forget))
        .route("/audit", get(audit::list))
        .route("/audit/export", get(audit::export))
        .route("/audit/verify", post(audit::verify))
        .route("/assistant", get(assistant::get).put(assistant::put))
        .route("/policy", get(policy::get))
        .route("/policy/check", post(policy::check))
        .route("/settings", get(settings::get))
        .route("/instructions", get(instructions::list))
        .route("/slash", get(slash::list))
        .route("/blobs/{sha256}", get(blobs::get))
}

/// What a program with a token of its own can use too: each of these holds the asker's grant against what it does.
fn holders() -> Router<Arc<App>> {
    Router::new()
        .route("/status", get(status::get))
        .route("/catalog", get(catalog::list))
        .route("/catalog/search", get(catalog::search))
        .route("/catalog/{name}", get(catalog::get))
        .route("/actions", get(actions::list).post(actions::submit))
        .route("/actions/undo", post(actions::undo_latest))
        .route("/actions/{id}", get(actions::get))
        .route("/actions/{id}/undo", post(actions::undo))
        .route("/actions/{id}/stop", post(actions::stop))
        .route("/scripts", post(scripts::start))
        .route("/scripts/check", post(scripts::check))
        .route("/scripts/types", get(scripts::types))
        .route("/tasks/{id}", get(tasks::get))
        .route("/tasks/{id}/actions", get(tasks::actions))
        .route("/tasks/{id}/cancel", post(tasks::cancel))
        .route("/threads", post(threads::create))
        .route("/threads/{id}", get(threads::get).patch(threads::change))
        .route("/threads/{id}/turns", post(threads::start_turn))
        .route("/threads/{id}/cards", get(threads::cards))
        .route("/threads/{id}/markdown", get(threads::markdown))
        .route("/threads/{id}/events", get(threads::events))
        .route("/threads/{id}/stop", post(threads::stop))
}

/// Routes that guests use too: documents, which are edited over the connection and searched, what was found in them, what cells of notebooks put
/// out, and what is said beside them. Not the bytes of any file: what governs programs is not for them to open. A new route does not belong here.
fn guests() -> Router<Arc<App>> {
    Router::new()
        .route("/session", get(session::get).post(session::open))
        .route("/files", get(files::list))
        .route("/files/names", get(files::names))
        .route("/labels", get(files::label))
        .route("/find", post(find::find))
        .route("/latex", get(latex::get))
        .route("/latex/areas", get(latex::areas))
        .route("/latex/source", get(latex::source))
        .route("/problems", get(problems::list))
        .route("/notebooks/output", get(notebooks::output))
        .route("/people", get(people::list))
        .route("/people/me", put(people::rename))
        .route("/chats", get(chats::list))
        .route("/chats/messages", get(chats::page).post(chats::say))
        .route("/chats/messages/{id}", patch(chats::edit).delete(chats::delete))
        .route("/chats/read", put(chats::read))
        .route("/chats/search", get(chats::search))
}

/// Who else may come in is for the owner to say, from a page.
fn owners() -> Router<Arc<App>> {
    Router::new().route("/people/{id}/link", post(people::link)).route("/people/{id}", delete(people::remove))
}

/// Puts everything below the base path.
fn below(app: &App, all: Router) -> Router {
    if app.base_path.as_str().is_empty() {
        return all;
    }
    Router::new().nest_service(app.base_path.as_str(), all).fallback(unknown)
}

async fn unknown() -> Problem {
    Problem::not_found("unknown address").hint("the routes are under /api/v1")
}

async fn wrong_method() -> Problem {
    Problem {
        status: axum::http::StatusCode::METHOD_NOT_ALLOWED,
        failure: aside_core::Failure::new("wrong_method", "this address does not support this method"),
    }
}
