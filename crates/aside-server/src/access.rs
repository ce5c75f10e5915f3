//! Who may come in: the Host, the token, the Origin, and for changes from a page its own marks.
//!
//! Decided from the head of a request and the tokens there are; [`guard`] is the one place that asks. Order and rules:
//!
//! ```text
//! every request          Host is one of ours                                   else 421
//! API                    Bearer token, a grant's too, or session cookie        else 401
//! API, from a browser    Sec-Fetch-Site same-origin (typed address: GET only)  else 403
//! changes                Origin, if sent, is this host; a body is JSON         else 403, 415
//! changes by cookie      Sec-Fetch-Site, not no-cors, X-Aside-CSRF             else 403
//! WebSocket upgrade      Origin is this host (may lack with Bearer)            else 403
//! ```

mod denied;
mod devices;
mod guest;
mod holder;
mod hosts;
mod secret;

use aside_core::{DeviceId, GrantRecord, Person, TOKEN_PREFIX};
use aside_gate::Grants;
use aside_people::People;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, Method, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

pub use denied::{Denied, answer};
pub use devices::{Devices, browser_name};
pub use guest::{no_guests, owner_only};
pub use holder::persons_only;
pub use hosts::{AllowedHost, Hosts, literal};
pub use secret::Secret;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const CSRF: HeaderName = HeaderName::from_static("x-aside-csrf");

/// What the rules compare with.
#[derive(Debug)]
pub struct Access {
    /// The hosts that are ours.
    pub hosts: Hosts,
    /// The token and what is derived from it.
    pub secret: Secret,
    /// The grants, each with a token of its own.
    pub grants: Grants,
    /// Whose the workspace is, and the guests, each with a link of their own.
    pub people: People,
    /// The owner's signed-in browsers.
    pub devices: Devices,
}

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// The page itself and its assets: no secret is in them.
    Page,
    /// To exchange the token for a cookie.
    OpenSession,
    /// Anything of the API.
    Api,
    /// A WebSocket.
    Upgrade,
}

/// How a request showed that it may come in; handlers find it among the request's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing; none was needed.
    Nothing,
    /// The token: a program, such as our command line.
    Bearer,
    /// The cookie of a signed-in browser: a page of ours.
    Cookie(DeviceId),
    /// The token of a grant: another program.
    Grant(Arc<GrantRecord>),
    /// The cookie of a guest: a page of ours in front of somebody else.
    Guest(Arc<Person>),
}

/// Middleware for the page and its assets.
pub async fn guard_page(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    guard(&access, Door::Page, request, next).await
}

/// Middleware for the API.
pub async fn guard_api(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let door = match (request.method(), request.uri().path()) {
        (&Method::POST, "/session") => Door::OpenSession,
        (_, "/connection") => Door::Upgrade,
        (_, path) if path.starts_with("/terminals/") && path.ends_with("/socket") => Door::Upgrade,
        _ => Door::Api,
    };
    guard(&access, door, request, next).await
}

/// Middleware for what holds no secret: only where a request comes from is looked at.
pub async fn guard_open(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    match from_here(&hosts, request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(denied) => denied.into_response(),
    }
}

fn from_here(hosts: &Hosts, method: &Method, headers: &HeaderMap) -> Result<(), Denied> {
    let host = one(headers, &header::HOST)?.filter(|host| hosts.allow(host)).ok_or(Denied::WrongHost)?;
    check_origin(host, headers)?;
    check_site(headers, method)
}

async fn guard(access: &Access, door: Door, mut request: Request, next: Next) -> Response {
    match access.admit(door, request.method(), request.uri(), request.headers()) {
        Ok(Shown::Grant(record)) => {
            request.extensions_mut().insert(Shown::Grant(record.clone()));
            holder::while_it_holds(access.grants.clone(), record, request, next).await
        }
        Ok(shown) => {
            request.extensions_mut().insert(shown);
            next.run(request).await
        }
        Err(denied) => answer(denied, request.headers()),
    }
}

impl Access {
    /// Tells whether a request may come in, or the first rule it breaks.
    pub fn admit(&self, door: Door, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Shown, Denied> {
        let host = self.host(uri, headers)?;
        match door {
            Door::Page => Ok(Shown::Nothing),
            Door::OpenSession => {
                self.check_origin(host, headers)?;
                check_site(headers, method)?;
                check_json(headers)?;
                Ok(Shown::Nothing)
            }
            Door::Api => self.admit_api(host, method, headers),
            Door::Upgrade => {
                let shown = self.shown(headers)?;
                if matches!(shown, Shown::Cookie(_) | Shown::Guest(_)) && one(headers, &header::ORIGIN)?.is_none() {
                    return Err(Denied::ForeignOrigin);
                }
                self.check_origin(host, headers)?;
                Ok(shown)
            }
        }
    }

    fn admit_api(&self, host: &str, method: &Method, headers: &HeaderMap) -> Result<Shown, Denied> {
        let shown = self.shown(headers)?;
        check_site(headers, method)?;
        if is_reading(method) {
            return Ok(shown);
        }
        self.check_origin(host, headers)?;
        if matches!(shown, Shown::Cookie(_) | Shown::Guest(_)) {
            self.check_page_of_ours(host, headers)?;
        }
        if has_body(headers) && !is_type(headers, "application/octet-stream")? {
            check_json(headers)?;
        }
        Ok(shown)
    }

    fn host<'a>(&self, uri: &Uri, headers: &'a HeaderMap) -> Result<&'a str, Denied> {
        let host = one(headers, &header::HOST).map_err(|_| Denied::WrongHost)?.ok_or(Denied::WrongHost)?;
        let same = uri.authority().is_none_or(|authority| authority.as_str() == host);
        if same && self.hosts.allow(host) { Ok(host) } else { Err(Denied::WrongHost) }
    }

    /// A page of ours: at this host, or at a host that the person allowed, whose proxy may have changed the Host.
    fn check_origin(&self, host: &str, headers: &HeaderMap) -> Result<(), Denied> {
        match one(headers, &header::ORIGIN)? {
            Some(origin) if self.hosts.allow_origin(origin) => Ok(()),
            _ => check_origin(host, headers),
        }
    }

    fn shown(&self, headers: &HeaderMap) -> Result<Shown, Denied> {
        if let Some(value) = one(headers, &header::AUTHORIZATION)? {
            let token = value.strip_prefix("Bearer ").ok_or(Denied::NoToken)?;
            return if self.secret.is_token(token) { Ok(Shown::Bearer) } else { self.holder(token) };
        }
        if let Some(device) = self.device(headers) {
            return Ok(Shown::Cookie(device));
        }
        let guest = self.cookie(headers).find_map(|value| self.guest(value));
        guest.map(|person| Shown::Guest(Arc::new(person))).ok_or(Denied::NoToken)
    }

    /// Returns the signed-in browser whose cookie comes along.
    pub fn device(&self, headers: &HeaderMap) -> Option<DeviceId> {
        let now = self.people.now();
        self.cookie(headers).find_map(|value| self.devices.of_secret(value, now))
    }

    /// The guest whose link's secret this is.
    pub fn guest(&self, secret: &str) -> Option<Person> {
        let found = self.people.of_secret(secret);
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot look up a guest");
            None
        })
    }

    fn holder(&self, token: &str) -> Result<Shown, Denied> {
        if !token.starts_with(TOKEN_PREFIX) {
            return Err(Denied::NoToken);
        }
        match self.grants.of_token(token) {
            Ok(Some(record)) => Ok(Shown::Grant(Arc::new(record))),
            Ok(None) => Err(Denied::NoToken),
            Err(error) => {
                tracing::warn!(%error, "cannot look up a token");
                Err(Denied::NoToken)
            }
        }
    }

    fn cookie<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        headers
            .get_all(header::COOKIE)
            .into_iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(name, _)| *name == self.secret.cookie_name())
            .map(|(_, value)| value)
    }

    /// A cookie comes along with requests of any page; these marks come only from our own.
    fn check_page_of_ours(&self, host: &str, headers: &HeaderMap) -> Result<(), Denied> {
        let marked = match one(headers, &SITE)? {
            Some(site) => site == "same-origin" && one(headers, &MODE)?.is_none_or(|mode| mode != "no-cors"),
            // Browsers send fetch metadata only to hosts they trust; elsewhere the exact Origin stands in.
            None => !Hosts::is_loopback(host) && one(headers, &header::ORIGIN)?.is_some(),
        };
        if !marked {
            return Err(Denied::ForeignPage);
        }
        match one(headers, &CSRF)? {
            Some(value) if self.secret.is_csrf(value) => Ok(()),
            _ => Err(Denied::NoCsrf),
        }
    }
}

fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Another page of this machine is `same-site` and would bring the cookie: only `same-origin` counts.
fn check_site(headers: &HeaderMap, method: &Method) -> Result<(), Denied> {
    match one(headers, &SITE)? {
        None | Some("same-origin") => Ok(()),
        Some("none") if is_reading(method) => Ok(()),
        Some(_) => Err(Denied::ForeignPage),
    }
}

fn check_origin(host: &str, headers: &HeaderMap) -> Result<(), Denied> {
    match one(headers, &header::ORIGIN)? {
        None => Ok(()),
        Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        Some(_) => Err(Denied::ForeignOrigin),
    }
}

/// Rejects the types that a form of a foreign page can send. JSON, and the bytes of an upload, need a preflight.
fn check_json(headers: &HeaderMap) -> Result<(), Denied> {
    if is_type(headers, "application/json")? { Ok(()) } else { Err(Denied::NotJson) }
}

fn is_type(headers: &HeaderMap, wanted: &str) -> Result<bool, Denied> {
    let kind = one(headers, &header::CONTENT_TYPE)?.unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    Ok(essence.eq_ignore_ascii_case(wanted))
}

/// A form always says what its body is, even when that is empty.
fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.contains_key(header::CONTENT_TYPE)
        || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0")
}

/// Returns a header's value; one that is sent twice, or is no text, means nothing and is refused.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Denied> {
    let mut values = headers.get_all(name).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    match (value.to_str(), values.next()) {
        (Ok(text), None) => Ok(Some(text)),
        _ => Err(Denied::Malformed),
    }
}

#[cfg(test)]
mod tests;
