//! The rules as answers.

use aside_core::Failure;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Response},
};

use super::AllowedHost;
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
                    .hint("use the address that `aside` printed, or start Aside with `--allow-host` and this name"),
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

/// The page for a person whose browser came by an unknown name.
const WRONG_HOST: &str = include_str!("wrong_host.html");

/// Answers a request that was denied: a person's browser gets a page that says what to do, everybody else the failure.
pub fn answer(denied: Denied, headers: &HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if denied != Denied::WrongHost || !accepts.contains("text/html") {
        return denied.into_response();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    (StatusCode::MISDIRECTED_REQUEST, Html(wrong_host(host))).into_response()
}

/// Only a name that can be allowed is shown: anything else may be markup.
fn wrong_host(host: &str) -> String {
    let (shown, name) = match host.parse::<AllowedHost>() {
        Ok(_) => (format!("<code>{host}</code>"), host),
        Err(_) => ("that your browser asked for".to_owned(), "NAME"),
    };
    WRONG_HOST.replace("{HOST}", &shown).replace("{NAME}", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_for_a_wrong_host_shows_no_markup() {
        assert!(wrong_host("my.tunnel.example").contains("aside --allow-host my.tunnel.example<"));
        for host in ["<script>alert(1)</script>", "a\"b", "", "a b"] {
            let page = wrong_host(host);
            assert!(page.contains("aside --allow-host NAME<") && !page.contains("<script"), "{host}");
        }
    }
}
