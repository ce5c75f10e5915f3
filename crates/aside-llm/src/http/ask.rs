//! One request to a server, up to its first byte; and questions whose answer is one JSON value.

use std::{
    io::{self, ErrorKind},
    time::Duration,
};

use bytes::Bytes;
use futures_util::StreamExt as _;
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use serde_json::Value;
use tokio::time::timeout;

use super::{
    endpoint::Endpoint,
    refusal::{not_understood, refusal},
};
use crate::ProviderError;

/// What is asked of a server.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    path: String,
    query: &'static str,
    body: Option<Bytes>,
    /// The media type of the body.
    kind: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Question {
    /// A `GET`.
    pub(crate) fn get(path: &str) -> Self {
        Self { path: path.to_owned(), query: "", body: None, kind: String::new(), headers: Vec::new() }
    }

    /// A `POST` of JSON.
    pub(crate) fn post(path: &str, body: &Value) -> Self {
        Self { body: Some(body.to_string().into()), kind: "application/json".to_owned(), ..Self::get(path) }
    }

    /// A `POST` of a form with a file, whose parts are separated by the boundary.
    pub(crate) fn form(path: &str, boundary: &str, form: Vec<u8>) -> Self {
        let kind = format!("multipart/form-data; boundary={boundary}");
        Self { body: Some(form.into()), kind, ..Self::get(path) }
    }

    /// Adds what stands after the `?`.
    pub(crate) fn query(mut self, query: &'static str) -> Self {
        self.query = query;
        self
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        // What no header can carry is left out: the answer does not depend on it.
        self.headers.extend(HeaderValue::from_str(value).ok().map(|value| (HeaderName::from_static(name), value)));
        self
    }
}

/// Sends a question and returns a successful answer, of which nothing is read yet.
pub(super) async fn send(endpoint: &Endpoint, question: &Question) -> Result<Response, ProviderError> {
    let url = endpoint.url(&question.path, question.query);
    let client = endpoint.client()?;
    let mut request = match &question.body {
        Some(body) => client.post(url).header(CONTENT_TYPE, &question.kind).body(body.clone()),
        None => client.get(url),
    };
    for (name, value) in question.headers.iter().cloned().chain(endpoint.key_header()) {
        request = request.header(name, value);
    }
    let response = request.send().await.map_err(|error| unanswered(endpoint, question, error))?;
    if response.status().is_success() { Ok(response) } else { Err(refusal(endpoint, response).await) }
}

/// A model may be at work, and be paid for it, once the whole question has left.
fn unanswered(endpoint: &Endpoint, question: &Question, error: reqwest::Error) -> ProviderError {
    let may_be_at_work = question.body.is_some() && !error.is_connect();
    let detail = network_words(error);
    match may_be_at_work {
        true => ProviderError::CutOff { endpoint: endpoint.shown(), detail },
        false => endpoint.unreachable(detail),
    }
}

/// Asks for one JSON value.
pub(crate) async fn ask(endpoint: &Endpoint, question: &Question) -> Result<Value, ProviderError> {
    let answer = async {
        let bytes = whole(endpoint, send(endpoint, question).await?).await?;
        serde_json::from_slice(&bytes).map_err(|error| not_understood(endpoint, format!("not JSON ({error})")))
    };
    let silence = endpoint.limits.question;
    timeout(silence, answer)
        .await
        .unwrap_or_else(|_| Err(ProviderError::Silent { endpoint: endpoint.shown(), silence }))
}

async fn whole(endpoint: &Endpoint, response: Response) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| endpoint.unreachable(network_words(error)))?;
        if bytes.len() + piece.len() > endpoint.limits.line {
            return Err(ProviderError::TooLarge {
                endpoint: endpoint.shown(),
                of: "answer",
                limit: endpoint.limits.line,
            });
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Returns how long to wait before asking a busy server again; `None` to report it instead.
pub(super) fn wait_before(attempt: u32, error: &ProviderError, endpoint: &Endpoint) -> Option<Duration> {
    let limits = &endpoint.limits;
    let ProviderError::Busy { retry_after, .. } = error else { return None };
    let wait = retry_after.unwrap_or_else(|| limits.first_wait.saturating_mul(1 << attempt.min(8)));
    (attempt < limits.retries && wait <= limits.longest_wait).then_some(wait)
}

/// Returns the innermost reason of a network error, which is the one that says something.
pub(super) fn network_words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut reason: &dyn std::error::Error = &error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    match reason.downcast_ref::<io::Error>().map(io::Error::kind) {
        // In the same words on every system.
        Some(kind @ (ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset | ErrorKind::TimedOut)) => {
            kind.to_string()
        }
        _ => reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn asks_again_only_when_it_is_soon() {
        let endpoint = Endpoint::parse("http://127.0.0.1:1", Limits::default()).unwrap();
        let busy = |seconds: Option<u64>| ProviderError::Busy {
            endpoint: String::new(),
            reason: String::new(),
            detail: String::new(),
            retry_after: seconds.map(Duration::from_secs),
        };
        let wait = |attempt, seconds| wait_before(attempt, &busy(seconds), &endpoint).map(|wait| wait.as_secs());
        assert_eq!(wait(0, None), Some(1));
        assert_eq!(wait(1, None), Some(2));
        assert_eq!(wait(2, None), None);
        assert_eq!(wait(0, Some(7)), Some(7));
        assert_eq!((wait(0, Some(60)), wait(0, Some(66))), (Some(60), None));
        assert_eq!(wait_before(0, &endpoint.unreachable("refused".to_owned()), &endpoint), None);
    }
}
