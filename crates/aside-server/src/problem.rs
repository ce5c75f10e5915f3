//! Any answer that is not a success, as `{"error": {code, message, hint?, data}}`.

use aside_core::Failure;
use aside_protocol::ErrorBody;
use aside_store::StoreError;
use axum::{
    Json,
    extract::{
        FromRequest, FromRequestParts, OptionalFromRequest, Path, Query, Request,
        rejection::{JsonRejection, PathRejection},
    },
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;

/// A status with what went wrong.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// What went wrong.
    pub failure: Failure,
}

impl Problem {
    /// A thing that is not there: `404`.
    pub fn not_found(message: impl Into<String>) -> Self {
        Failure::new("not_found", message).into()
    }

    /// Adds what to try.
    #[must_use]
    pub fn hint(mut self, hint: &str) -> Self {
        self.failure = self.failure.hint(hint);
        self
    }

    /// A request that makes no sense: `400`.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Failure::new("bad_request", message).into()
    }
}

/// The status follows from the code, so that a failure reads the same on every way out.
impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match failure.code.as_str() {
            "not_found" | "unknown_action" => StatusCode::NOT_FOUND,
            "bad_request" | "unsupported_syntax" | "syntax_error" | "wrong_place" | "invalid_message"
            | "invalid_path" | "invalid_args" | "is_folder" | "not_folder" | "no_such_part" | "not_latex"
            | "bad_name" | "invalid_task" | "hash_missing" | "no_such_column" | "scope_unsupported"
            | "invalid_rule" => StatusCode::BAD_REQUEST,
            "no_model"
            | "no_provider"
            | "provider_misconfigured"
            | "no_tex"
            | "no_main_file"
            | "not_built"
            | "rule_not_stored"
            | "key_reused"
            | "conflict"
            | "stale"
            | "not_waiting"
            | "busy"
            | "exists"
            | "already_decided"
            | "already_undone"
            | "not_undoable"
            | "grant_ended"
            | "handed_out"
            | "too_many"
            | "no_kernel"
            | "no_window"
            | "no_kernel_runs"
            | "no_transcription"
            | "not_asked"
            | "replaced"
            | "changed"
            | "not_a_table"
            | "damaged_table"
            | "notebook" => StatusCode::CONFLICT,
            "denied" | "ai_off" | "ai_restricted" | "person_only" | "needs_consent" | "local_only" | "not_granted"
            | "grant_revoked" | "grant_expired" | "outside" | "protected" | "private" | "not_yours" | "guest" => {
                StatusCode::FORBIDDEN
            }
            "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "too_fast" => StatusCode::TOO_MANY_REQUESTS,
            "unavailable" | "shutting_down" | "interrupted" | "provider_busy" => StatusCode::SERVICE_UNAVAILABLE,
            "provider_silent" => StatusCode::GATEWAY_TIMEOUT,
            // Another server is not there, or did something wrong; this one did not.
            code if code.starts_with("provider_") => StatusCode::BAD_GATEWAY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, failure }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        error.failure().into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::warn!(code = self.failure.code, "{}", self.failure.message);
        }
        (self.status, Json(ErrorBody { error: self.failure })).into_response()
    }
}

/// A JSON body; what is wrong with it is answered as a [`Problem`].
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match <Json<T> as FromRequest<S>>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(body_problem(&rejection)),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Problem> {
        match <Json<T> as OptionalFromRequest<S>>::from_request(request, state).await {
            Ok(body) => Ok(body.map(|Json(body)| Self(body))),
            Err(rejection) => Err(body_problem(&rejection)),
        }
    }
}

fn body_problem(rejection: &JsonRejection) -> Problem {
    let code = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "not_json",
        _ => "bad_request",
    };
    let status = match code {
        "bad_request" => StatusCode::BAD_REQUEST,
        _ => rejection.status(),
    };
    let failure = match rejection {
        JsonRejection::JsonDataError(error) => misread("the body", &cause(error)),
        JsonRejection::JsonSyntaxError(error) => Failure::new(code, format!("the body is not JSON: {}", cause(error)))
            .hint("send one JSON value; nothing was changed"),
        JsonRejection::MissingJsonContentType(_) => Failure::new(code, "the body is not declared as JSON")
            .hint("send it with the header `Content-Type: application/json`"),
        _ if code == "too_large" => Failure::new(code, "the body is too large"),
        other => Failure::new(code, "cannot read the whole body").hint(other.body_text()),
    };
    Problem { status, failure }
}

/// What is wrong, as whoever found it says, without the words of those who handed it on.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// A value that is JSON and not what is wanted; the cause begins with its place: `paths[0]: …`.
fn misread(whole: &str, cause: &str) -> Failure {
    // The line of a body that is one line says nothing.
    let what = cause.rfind(" at line ").map_or(cause, |at| &cause[..at]);
    let is_place = |text: &&str| !text.is_empty() && !text.contains([' ', '`']);
    match what.split_once(": ").filter(|(place, _)| is_place(place)) {
        Some((place, what)) => Failure::new("bad_request", format!("`{place}` of {whole}: {what}"))
            .hint(format!("correct `{place}` and send it again; nothing was changed")),
        None => Failure::new("bad_request", format!("{whole}: {what}"))
            .hint("correct it and send it again; nothing was changed"),
    }
}

/// An id or name from the path.
pub struct Named<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(Self(named)),
            Err(PathRejection::FailedToDeserializePathParams(error)) => {
                Err(misread("the address", &error.into_kind().to_string()).into())
            }
            Err(rejection) => Err(misread("the address", &rejection.body_text()).into()),
        }
    }
}

/// The query part of the address.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(rejection) => Err(misread("the query of the address", &cause(&rejection)).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_asker_did_wrong_is_no_fault_of_the_server() {
        for code in ["already_decided", "already_undone", "not_undoable", "private", "no_such_part"] {
            assert!(Problem::from(Failure::new(code, "")).status.is_client_error(), "{code}");
        }
        assert!(Problem::from(Failure::new("store", "")).status.is_server_error());
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wanted {
        #[expect(dead_code, reason = "only what can't be read is looked at")]
        paths: Vec<aside_core::PathGlob>,
    }

    async fn told(body: &'static str) -> (String, String) {
        let request = Request::builder().header("content-type", "application/json").body(body.into()).unwrap();
        let problem = <Body<Wanted> as FromRequest<()>>::from_request(request, &()).await.map(drop).unwrap_err();
        assert_eq!(problem.status, StatusCode::BAD_REQUEST);
        (problem.failure.message, problem.failure.hint.unwrap())
    }

    #[tokio::test]
    async fn what_is_wrong_with_a_body_is_said_with_its_place_and_what_to_do() {
        let (message, hint) = told(r#"{"paths": ["a", "../x"]}"#).await;
        assert!(
            message.starts_with("`paths[1]` of the body: `../x` is not a pattern for paths of the workspace: "),
            "{message}"
        );
        assert_eq!(hint, "correct `paths[1]` and send it again; nothing was changed");
        let (message, _) = told(r#"{"path": []}"#).await;
        assert_eq!(message, "`path` of the body: unknown field `path`, expected `paths`");
        assert_eq!(told("{}").await.0, "the body: missing field `paths`");
        let (message, _) = told(r#"{"paths": "#).await;
        assert_eq!(message, "the body is not JSON: paths: EOF while parsing a value at line 1 column 10");
    }
}
