//! Pages of JSON of a service that is no model: asked for with a key, with the mark of what is known already, as far as its limits allow.

use std::time::Duration;

use aside_macros::boxed;
use futures_util::StreamExt as _;
use reqwest::{Response, header};
use serde_json::Value;
use tokio::time::{interval, timeout};

use super::{
    ask::network_words,
    endpoint::Endpoint,
    refusal::{not_understood, refusal},
};
use crate::{Limits, Permits, ProviderError, Secret};

/// Bytes of a page.
const LONGEST: usize = 32 << 20;
/// From the question to the last byte of its answer.
const TIME: Duration = Duration::from_secs(30);
/// How often it is asked again whether another machine may be reached.
const AGAIN: Duration = Duration::from_millis(250);

/// Which service, and how it is asked.
#[derive(Debug)]
pub struct Rest {
    endpoint: Endpoint,
    /// As whom it is known to the person: what may be reached is kept by this word and the host.
    id: &'static str,
    name: &'static str,
    headers: Vec<(&'static str, &'static str)>,
}

/// One page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestPage {
    /// What it says; none if that is what the mark is of.
    pub body: Option<Value>,
    /// Its mark, for the next time.
    pub mark: Option<String>,
    /// There is another after it.
    pub more: bool,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum RestError {
    /// So much was asked that the service wants to be left alone.
    #[error("{endpoint} accepts no more requests for now")]
    Limited {
        /// Where.
        endpoint: String,
        /// Until when, in seconds since 1970, as far as it said so.
        until: Option<i64>,
    },
    /// Anything else.
    #[error(transparent)]
    Server(#[from] ProviderError),
}

impl Rest {
    /// A service at an address. Another machine is asked by https only. The error says what is wrong with the address or the key.
    pub fn new(
        (id, name): (&'static str, &'static str),
        address: &str,
        key: Option<(&'static str, &str, Secret)>,
        headers: Vec<(&'static str, &'static str)>,
    ) -> Result<Self, String> {
        let mut endpoint = Endpoint::parse(address, Limits::default())?;
        if !endpoint.local() && !endpoint.is_https() {
            return Err("its address does not begin with https://".to_owned());
        }
        if let Some((header, scheme, key)) = key {
            endpoint = endpoint.with_key(header::HeaderName::from_static(header), scheme, key)?;
        }
        endpoint.when_unauthorised =
            "Check the token: it must be valid and have read access to this repository.".to_owned();
        endpoint.when_moved = "The repository was renamed or moved: use its current name.".to_owned();
        endpoint.when_not_found = "Check the name. A private repository needs a token with read access.".to_owned();
        Ok(Self { endpoint, id, name, headers })
    }

    /// Where it is, for people.
    pub fn shown(&self) -> String {
        self.endpoint.shown()
    }

    /// The host that is asked; none if that is this machine.
    pub fn elsewhere(&self) -> Option<String> {
        self.endpoint.elsewhere()
    }

    /// Asks for a page, unless it is still the one that `mark` is of. Only while the person allows this host.
    #[boxed]
    pub async fn page(
        &self,
        (path, query): (&str, &str),
        mark: Option<&str>,
        permits: &Permits,
    ) -> Result<RestPage, RestError> {
        self.check(permits)?;
        let mut again = interval(AGAIN);
        let mut answer = std::pin::pin!(timeout(TIME, self.ask(path, query, mark)));
        loop {
            tokio::select! {
                biased;
                // Returning drops the answer: the connection is closed.
                _ = again.tick() => self.check(permits)?,
                page = &mut answer => {
                    let silent = ProviderError::Silent { endpoint: self.endpoint.shown(), silence: TIME };
                    return page.unwrap_or(Err(silent.into()));
                }
            }
        }
    }

    fn check(&self, permits: &Permits) -> Result<(), ProviderError> {
        let Some(host) = self.elsewhere() else { return Ok(()) };
        permits.check_connection(Some(&host))?;
        let said = permits.said().map_err(|detail| ProviderError::Unclear { detail })?;
        match said.allowed.contains(&(self.id.to_owned(), host.clone())) {
            true => Ok(()),
            false => {
                let (id, name) = (self.id.to_owned(), self.name.to_owned());
                Err(ProviderError::NeedsConsent { id, name, host, began: false })
            }
        }
    }

    async fn ask(&self, path: &str, query: &str, mark: Option<&str>) -> Result<RestPage, RestError> {
        let endpoint = &self.endpoint;
        let mut request = endpoint.client()?.get(endpoint.url(path, query));
        for (name, value) in &self.headers {
            request = request.header(*name, *value);
        }
        if let Some((name, value)) = endpoint.key_header() {
            request = request.header(name, value);
        }
        if let Some(mark) = mark.and_then(|mark| header::HeaderValue::from_str(mark).ok()) {
            request = request.header(header::IF_NONE_MATCH, mark);
        }
        let response = request.send().await.map_err(|error| endpoint.unreachable(network_words(error)))?;
        if response.status() == reqwest::StatusCode::NOT_MODIFIED {
            return Ok(RestPage::default());
        }
        if let Some(limited) = self.limited(&response) {
            return Err(limited);
        }
        if !response.status().is_success() {
            return Err(refusal(endpoint, response).await.into());
        }
        let more = text(&response, "link").contains("rel=\"next\"") || !text(&response, "x-next-page").is_empty();
        let mark = Some(text(&response, "etag").to_owned()).filter(|mark| !mark.is_empty());
        let body = self.body(response).await?;
        Ok(RestPage { body: Some(body), mark, more })
    }

    /// Tells whether an answer says that too much was asked.
    fn limited(&self, response: &Response) -> Option<RestError> {
        let used_up = ["x-ratelimit-remaining", "ratelimit-remaining"].iter().any(|name| text(response, name) == "0");
        let wait: Option<i64> = text(response, "retry-after").parse().ok();
        let is_limit = match response.status().as_u16() {
            429 => true,
            403 => used_up || wait.is_some(),
            _ => false,
        };
        let reset = ["x-ratelimit-reset", "ratelimit-reset"].iter().find_map(|name| text(response, name).parse().ok());
        let later = || Some(std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?.as_secs());
        let after = || i64::try_from(later()?).ok()?.checked_add(wait?);
        is_limit.then(|| RestError::Limited { endpoint: self.endpoint.shown(), until: after().or(reset) })
    }

    async fn body(&self, response: Response) -> Result<Value, ProviderError> {
        let (endpoint, mut bytes) = (&self.endpoint, Vec::new());
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|error| endpoint.unreachable(network_words(error)))?;
            if bytes.len() + piece.len() > LONGEST {
                return Err(ProviderError::TooLarge { endpoint: endpoint.shown(), of: "answer", limit: LONGEST });
            }
            bytes.extend_from_slice(&piece);
        }
        serde_json::from_slice(&bytes).map_err(|error| not_understood(endpoint, format!("not JSON ({error})")))
    }
}

fn text<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
