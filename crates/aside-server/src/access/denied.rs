//! The rules as answers.

use aside_core::Failure;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::problem::Problem;

/// The first rule that a request breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The Host is not one of ours.
    WrongHost,
    /// Neither token nor cookie, or a wrong one.
    NoToken,
    /// The Origin is another page's.
    ForeignOrigin,
    /// The browser says that another page asks.
    ForeignPage,
    /// The CSRF value is absent or wrong.
    NoCsrf,
    /// The body is not JSON.
    NotJson,
    /// A header that decides was sent twice or is no text.
    Malformed,
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        let (status, failure) = match denied {
            Denied::WrongHost => (
                StatusCode::MISDIRECTED_REQUEST,
                Failure::new("wrong_host", "this server does not accept requests for this host name")
                    .hint("use the address that `aside` printed"),
            ),
            Denied::NoToken => (
                StatusCode::UNAUTHORIZED,
                Failure::new("no_token", "the request has no valid token")
                    .hint("open the link that `aside` printed, or send `Authorization: Bearer TOKEN`"),
            ),
            Denied::ForeignOrigin => {
                (StatusCode::FORBIDDEN, Failure::new("foreign_origin", "the request comes from another page (Origin)"))
            }
            Denied::ForeignPage => (
                StatusCode::FORBIDDEN,
                Failure::new("foreign_page", "the request comes from another page (Sec-Fetch-Site)"),
            ),
            Denied::NoCsrf => (
                StatusCode::FORBIDDEN,
                Failure::new("no_csrf", "a change authenticated by cookie needs the header X-Aside-CSRF")
                    .hint("`GET session` returns its value"),
            ),
            Denied::NotJson => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                Failure::new("not_json", "a change needs `Content-Type: application/json`"),
            ),
            Denied::Malformed => {
                (StatusCode::BAD_REQUEST, Failure::new("malformed", "a header occurs twice or is not text"))
            }
        };
        Self { status, failure }
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}
