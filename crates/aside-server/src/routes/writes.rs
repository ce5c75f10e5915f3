//! The trace of every writing route: it is an action, which the Gate audits, or its success is audited here. A route that
//! is neither says why. The tests hold this list against the router's source.

use std::sync::Arc;

use aside_core::Failure;
use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use serde_json::{Map, Value};

use super::MOST_BODY;
use crate::{access::Shown, app::App, problem::Problem};

/// Characters of a value that is audited.
const LONGEST_VALUE: usize = 200;

/// The trace that a writing route leaves in the activity log.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "the tests hold the names and reasons against the router"))]
pub enum Trace {
    /// It asks for this action, or decides about one: the Gate audits it.
    Action(&'static str),
    /// It is audited under this name, with these words and these fields of its body, after it was done.
    Noted(&'static str, &'static str, &'static [&'static str]),
    /// Its handler audits it under this name, with more than its body says.
    Own(&'static str),
    /// It leaves none, for this reason.
    Untraced(&'static str),
}

use Trace::{Action, Noted, Own, Untraced};

const ANY: &str = "any action";
const READS: &str = "it only reads; its question is too long for an address";
const TYPING: &str = "it is input to code whose run is an action, like typing in a document";
const SPEECH: &str = "people talk: each message is kept in its chat’s log with its author";

/// All writing routes: method, path below `/api/v1`, trace.
#[rustfmt::skip]
pub const WRITES: &[(&str, &str, Trace)] = &[
    ("POST", "/session", Own("session.open")),
    ("POST", "/session/once", Noted("session.make_link", "a link for one sign-in was made", &[])),
    ("DELETE", "/devices/{id}", Noted("device.revoke", "a browser was signed out", &[])),
    ("POST", "/actions", Action(ANY)),
    ("POST", "/actions/undo", Action(ANY)),
    ("POST", "/actions/decisions", Action(ANY)),
    ("POST", "/actions/{id}/decision", Action(ANY)),
    ("POST", "/actions/{id}/undo", Action(ANY)),
    ("POST", "/actions/{id}/stop", Action(ANY)),
    ("POST", "/actions/{id}/rule", Untraced(READS)),
    ("POST", "/ask/route", Untraced("it reads a sentence and proposes actions; doing one is an action")),
    ("POST", "/threads", Noted("thread.create", "a thread was created", &["document", "title", "mode", "runs", "model"])),
    ("PATCH", "/threads/{id}", Noted("thread.change", "a thread was changed", &["title", "mode", "runs", "model", "archived"])),
    ("POST", "/threads/{id}/turns", Noted("thread.send", "a message was sent to a thread", &[])),
    ("POST", "/threads/{id}/stop", Noted("thread.stop", "the running answer was stopped", &[])),
    ("POST", "/scripts", Action("script.run")),
    ("POST", "/scripts/check", Untraced(READS)),
    ("POST", "/tasks", Noted("task.create", "a task was planned", &["goal", "dry_run"])),
    ("POST", "/tasks/{id}/decision", Noted("task.decide", "a plan was answered", &["decision", "steps"])),
    ("POST", "/tasks/{id}/pause", Noted("task.pause", "a task was paused", &[])),
    ("POST", "/tasks/{id}/resume", Noted("task.resume", "a task was resumed", &[])),
    ("POST", "/tasks/{id}/cancel", Noted("task.cancel", "a task was cancelled", &[])),
    ("POST", "/tasks/{id}/undo", Noted("task.undo", "the undo of a task was planned", &["partly", "dry_run"])),
    ("POST", "/tasks/{id}/run_again", Noted("task.run_again", "a task was planned again", &["goal", "dry_run"])),
    ("POST", "/recipes", Noted("recipe.save", "a recipe was saved", &["task", "name"])),
    ("DELETE", "/recipes/{name}", Noted("recipe.delete", "a recipe was deleted", &[])),
    ("POST", "/recipes/{name}/run", Noted("recipe.run", "a task was planned from a recipe", &["dry_run"])),
    ("POST", "/grants", Action("grant.create")),
    ("POST", "/grants/{id}/token", Noted("grant.make_token", "the token of a grant was made", &[])),
    ("POST", "/grants/{id}/revoke", Action("grant.revoke")),
    ("POST", "/people/{id}/link", Noted("guest.make_link", "the link of a guest was made", &[])),
    ("DELETE", "/people/{id}", Action("guest.remove")),
    ("PUT", "/people/me", Noted("person.rename", "a person changed their name", &["name"])),
    ("POST", "/files/uploads", Untraced("its bytes are no file before `file.upload`, an action, places them")),
    ("POST", "/find", Untraced(READS)),
    ("POST", "/tables/rows", Untraced(READS)),
    ("POST", "/tables/summary", Untraced(READS)),
    ("POST", "/tables/cell", Untraced(READS)),
    ("PUT", "/history/settings", Noted("history.set", "the settings of the AI history were changed", &["plan"])),
    ("POST", "/history/pull", Noted("history.pull", "pull requests and runs were read from a host", &["host", "repo", "allow"])),
    ("PUT", "/models/chosen", Noted("model.choose", "the model of this workspace was chosen", &["model"])),
    ("POST", "/models/pull", Action("model.pull")),
    ("POST", "/models/test", Noted("model.test", "a model was asked for one word", &["model"])),
    ("POST", "/models/estimate", Untraced(READS)),
    ("PUT", "/models/consent/{provider}", Action("model.allow")),
    ("DELETE", "/models/consent/{provider}", Action("model.disallow")),
    ("PUT", "/models/keys/{service}", Own("model.set_key")),
    ("DELETE", "/models/keys/{service}", Own("model.forget_key")),
    ("POST", "/models/prices", Noted("model.set_prices", "the list of prices was renewed", &[])),
    ("PUT", "/models/local-only", Action("model.local_only")),
    ("POST", "/notebooks/input", Noted("cell.answer_input", "running code was given the line it asked for", &["path", "execution"])),
    ("POST", "/notebooks/go-on", Noted("cell.take_more_output", "more output of a run was allowed", &["path", "execution"])),
    ("POST", "/notebooks/widgets", Untraced(TYPING)),
    ("POST", "/notebooks/completions", Untraced(READS)),
    ("POST", "/notebooks/inspection", Untraced(READS)),
    ("POST", "/notebooks/ai-cells", Untraced("it finds or begins the empty thread of a cell; messages in it are noted")),
    ("POST", "/language-servers/{name}/restart", Noted("language_server.restart", "a language server was restarted", &[])),
    ("POST", "/search", Untraced(READS)),
    ("POST", "/speech", Own("speech.transcribe")),
    ("PUT", "/spending/limits", Own("spending.set_limits")),
    ("POST", "/statistics/sentences", Untraced("it counts a sentence, without its words; its actions are audited")),
    ("DELETE", "/statistics/sentences", Noted("statistics.forget", "the counts of sentences were deleted", &[])),
    ("POST", "/audit/verify", Untraced(READS)),
    ("PUT", "/assistant", Action("assistant.restrict")),
    ("POST", "/policy/check", Untraced(READS)),
    ("POST", "/chats/messages", Untraced(SPEECH)),
    ("PATCH", "/chats/messages/{id}", Untraced(SPEECH)),
    ("DELETE", "/chats/messages/{id}", Untraced(SPEECH)),
    ("PUT", "/chats/read", Untraced(SPEECH)),
];

/// Middleware that audits the success of a route that is [`Noted`].
pub async fn note_writes(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    request: Request,
    next: Next,
) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let (mut args, name, words, fields) = match trace(request.method(), request.uri().path()) {
        Some((args, Noted(name, words, fields))) => (args, name, words, fields),
        // A method that this address does not support is answered as such.
        _ => return next.run(request).await,
    };
    let request = match with_fields(request, fields, &mut args).await {
        Ok(request) => request,
        Err(problem) => return problem.into_response(),
    };
    let response = next.run(request).await;
    if !response.status().is_success() {
        return response;
    }
    // Written even if whoever asked goes away now.
    let noting = tokio::spawn(async move { app.note_set(name, args.into(), words, shown).await });
    match noting.await {
        Ok(Ok(())) => response,
        Ok(Err(error)) => Problem::from(error).into_response(),
        Err(_) => Problem::from(Failure::new("interrupted", "the server is shutting down")).into_response(),
    }
}

/// Returns the trace of a request, and what its address names, under the names in the route.
fn trace(method: &Method, path: &str) -> Option<(Map<String, Value>, Trace)> {
    let routes = WRITES.iter().filter(|(known, ..)| *known == method.as_str());
    routes.filter_map(|(_, route, trace)| Some((names(route, path)?, *trace))).next()
}

fn names(route: &str, path: &str) -> Option<Map<String, Value>> {
    let (mut parts, mut values, mut names) = (route.split('/'), path.split('/'), Map::new());
    loop {
        match (parts.next(), values.next()) {
            (None, None) => return Some(names),
            (Some(part), Some(value)) if part == value => {}
            (Some(part), Some(value)) => {
                let name = part.strip_prefix('{')?.strip_suffix('}')?;
                names.insert(name.to_owned(), Value::String(cut(value)));
            }
            _ => return None,
        }
    }
}

/// Reads some fields of a body, and gives the body on as it was.
async fn with_fields(request: Request, fields: &[&str], args: &mut Map<String, Value>) -> Result<Request, Problem> {
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some();
    if fields.is_empty() || !is_json {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    let too_large = |_| Problem::from(Failure::new("too_large", "the body is too large"));
    let bytes = to_bytes(body, MOST_BODY).await.map_err(too_large)?;
    if let Ok(Value::Object(all)) = serde_json::from_slice(&bytes) {
        let wanted = all.into_iter().filter(|(name, value)| fields.contains(&name.as_str()) && !value.is_null());
        args.extend(wanted.map(|(name, value)| (name, short(value))));
    }
    Ok(Request::from_parts(head, Body::from(bytes)))
}

fn short(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(&text)),
        Value::Array(_) | Value::Object(_) if value.to_string().len() > LONGEST_VALUE => {
            Value::String(cut(&value.to_string()))
        }
        value => value,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every writing route below `/api/v1`, as the router's source says.
    fn routes() -> BTreeSet<(&'static str, &'static str)> {
        let source = include_str!("../routes.rs");
        let mut found = BTreeSet::new();
        for rest in source.split(".route(\"").skip(1) {
            let (path, rest) = rest.split_once('"').unwrap();
            let handlers = rest.split(".route(").next().unwrap();
            for (word, method) in [("post(", "POST"), ("put(", "PUT"), ("patch(", "PATCH"), ("delete(", "DELETE")] {
                let is_word =
                    |at: usize| !handlers[..at].ends_with(|before: char| before.is_alphabetic() || before == '_');
                if handlers.match_indices(word).any(|(at, _)| is_word(at)) {
                    found.insert((method, path));
                }
            }
        }
        found
    }

    #[test]
    fn every_writing_route_has_a_trace() {
        let listed: BTreeSet<_> = WRITES.iter().map(|(method, path, _)| (*method, *path)).collect();
        assert!(listed.len() > 40 && listed.len() == WRITES.len(), "no route is listed twice");
        let found = routes();
        let without: Vec<_> = found.difference(&listed).collect();
        assert!(without.is_empty(), "say in WRITES what these routes leave in the activity log: {without:?}");
        let gone: Vec<_> = listed.difference(&found).collect();
        assert!(gone.is_empty(), "these routes are gone: {gone:?}");
        for (_, path, trace) in WRITES {
            let (Action(words) | Noted(words, ..) | Own(words) | Untraced(words)) = trace;
            assert!(!words.is_empty(), "{path}");
        }
    }

    #[test]
    fn routes_elsewhere_are_the_known_ones() {
        // Their effects are actions of the Gate, or reports of a host, which the history keeps with their delivery.
        let known = [("meta_agent.rs", 1), ("webhooks.rs", 1), ("mcp.rs", 0)];
        let sources = [include_str!("meta_agent.rs"), include_str!("webhooks.rs"), include_str!("mcp.rs")];
        for ((name, count), source) in known.into_iter().zip(sources) {
            assert_eq!(source.matches("\", post(").count(), count, "{name}");
        }
    }

    #[test]
    fn address_is_named_as_in_its_route() {
        let (args, trace) = trace(&Method::POST, "/tasks/tsk_1/pause").unwrap();
        assert_eq!(Value::from(args), serde_json::json!({ "id": "tsk_1" }));
        assert!(matches!(trace, Noted("task.pause", ..)));
    }

    #[test]
    fn unknown_address_has_no_trace() {
        for path in ["/nothing", "/tasks/tsk_1", "/tasks/tsk_1/pause/x", "/threads/"] {
            assert!(trace(&Method::POST, path).is_none(), "{path}");
        }
    }
}
