//! An HTTP answer that is not an answer of a model, as an error.

use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::{Response, StatusCode, header::HeaderMap};
use serde_json::Value;

use super::{
    decode::{error_words, excerpt},
    endpoint::Endpoint,
};
use crate::ProviderError;

/// As much of a refusal as is read.
const LONGEST: usize = 64 << 10;

/// Returns the error for a status that is not a success.
pub(super) async fn refusal(endpoint: &Endpoint, response: Response) -> ProviderError {
    let status = response.status();
    let retry_after = retry_after(response.headers());
    let (detail, _) = words(endpoint, response).await;
    let endpoint_shown = endpoint.shown();
    if matches!(status.as_u16(), 429 | 503 | 529) {
        return ProviderError::Busy {
            endpoint: endpoint_shown,
            reason: format!("HTTP {}", status.as_u16()),
            detail,
            retry_after,
        };
    }
    ProviderError::Refused { endpoint: endpoint_shown, status: status.as_u16(), detail, hint: hint(endpoint, status) }
}

/// Returns the error for a success of another kind, such as a web page.
pub(super) async fn other_kind(endpoint: &Endpoint, response: Response, kind: &str) -> ProviderError {
    let (words, is_error) = words(endpoint, response).await;
    if is_error {
        return ProviderError::Failed { endpoint: endpoint.shown(), detail: words };
    }
    not_understood(endpoint, format!("{}: {words}", excerpt(kind)))
}

/// Returns the error for an answer that is none of this protocol.
pub(super) fn not_understood(endpoint: &Endpoint, detail: impl AsRef<str>) -> ProviderError {
    ProviderError::NotUnderstood {
        endpoint: endpoint.shown(),
        detail: endpoint.redact(detail.as_ref()),
        hint: "Check that this is the address of a model server of this kind.".to_owned(),
    }
}

fn hint(endpoint: &Endpoint, status: StatusCode) -> Option<String> {
    let hint = match status.as_u16() {
        300..=399 => "The server sends requests on to another address: set that one. Redirects are not followed.",
        401 | 403 => endpoint.when_unauthorised,
        404 => endpoint.when_not_found,
        _ => "",
    };
    (!hint.is_empty()).then(|| hint.to_owned())
}

/// Returns what the server said, and whether it called that an error.
async fn words(endpoint: &Endpoint, response: Response) -> (String, bool) {
    let mut bytes = Vec::new();
    let mut pieces = response.bytes_stream();
    let read = async {
        while let Some(Ok(piece)) = pieces.next().await {
            bytes.extend_from_slice(&piece);
            if bytes.len() > LONGEST {
                break;
            }
        }
    };
    // What came in time is enough: the status says the rest.
    let _ = tokio::time::timeout(endpoint.limits.question, read).await;
    let text = String::from_utf8_lossy(&bytes);
    let value = serde_json::from_str::<Value>(&text).unwrap_or_default();
    let words = match error_words(&value).unwrap_or_else(|| excerpt(&text)) {
        words if words.is_empty() => "no reason given".to_owned(),
        words => endpoint.redact(&words),
    };
    (words, !value["error"].is_null())
}

/// Reads how long to wait, from the seconds of `retry-after` or its finer relative; dates are not understood.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0).or_else(|| number("retry-after"));
    Duration::try_from_secs_f64(seconds?).ok()
}
