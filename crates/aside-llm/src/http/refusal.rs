//! An HTTP answer that is not an answer of a model, as an error.

use std::time::{Duration, SystemTime};

use aside_core::Secrets;
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
    let retry_after = retry_after(response.headers(), SystemTime::now());
    let Said { detail, retry_delay, .. } = said(endpoint, response).await;
    let endpoint_shown = endpoint.shown();
    if matches!(status.as_u16(), 429 | 503 | 529) {
        return ProviderError::Busy {
            endpoint: endpoint_shown,
            reason: format!("HTTP {}", status.as_u16()),
            detail,
            retry_after: retry_after.or(retry_delay),
        };
    }
    ProviderError::Refused { endpoint: endpoint_shown, status: status.as_u16(), detail, hint: hint(endpoint, status) }
}

/// Returns the error for a success of another kind, such as a web page.
pub(super) async fn other_kind(endpoint: &Endpoint, response: Response, kind: &str) -> ProviderError {
    let Said { detail, is_error, .. } = said(endpoint, response).await;
    if is_error {
        return ProviderError::Failed { endpoint: endpoint.shown(), detail };
    }
    not_understood(endpoint, format!("{}: {detail}", excerpt(kind)))
}

/// Returns the error for an answer that is none of this protocol.
pub(crate) fn not_understood(endpoint: &Endpoint, detail: impl Into<String>) -> ProviderError {
    ProviderError::NotUnderstood {
        endpoint: endpoint.shown(),
        detail: detail.into(),
        hint: "Check that this is the address of a model server of this kind.".to_owned(),
    }
}

fn hint(endpoint: &Endpoint, status: StatusCode) -> Option<String> {
    let hint = match status.as_u16() {
        300..=399 => &endpoint.when_moved,
        401 | 403 => &endpoint.when_unauthorised,
        404 => &endpoint.when_not_found,
        _ => "",
    };
    (!hint.is_empty()).then(|| hint.to_owned())
}

/// What came with a refusal.
struct Said {
    /// The server's words.
    detail: String,
    /// It called that an error.
    is_error: bool,
    /// How long to wait, where that is said in the body (Gemini).
    retry_delay: Option<Duration>,
}

async fn said(endpoint: &Endpoint, response: Response) -> Said {
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
    let detail = match error_words(&value).unwrap_or_else(|| excerpt(&text)) {
        words if words.is_empty() => "no reason given".to_owned(),
        // Careless servers quote the key that was sent, whoever asked with it.
        words => Secrets::default().redacted(&words),
    };
    let error = &value.get(0).unwrap_or(&value)["error"];
    Said { detail, is_error: !error.is_null(), retry_delay: retry_delay(error) }
}

/// Reads how long to wait: milliseconds, seconds, or a date, which is held against the server's own clock where that
/// is told, else against ours.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let seconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0).or_else(|| number("retry-after"));
    match seconds {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => Some(date("retry-after")?.duration_since(date("date").unwrap_or(now)).unwrap_or_default()),
    }
}

/// Reads `retryDelay: "34.5s"` among the details of an error.
fn retry_delay(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn waits(headers: &[(&'static str, &str)]) -> Option<f32> {
        let map = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        retry_after(&map, SystemTime::UNIX_EPOCH).map(|wait| wait.as_secs_f32())
    }

    #[test]
    fn reads_seconds_milliseconds_and_dates() {
        assert_eq!(waits(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(waits(&[("retry-after", "7"), ("retry-after-ms", "1500")]), Some(1.5));
        let date = ("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT");
        assert_eq!(waits(&[date, ("date", "Fri, 31 Dec 1999 23:59:29 GMT")]), Some(30.0));
        assert_eq!(waits(&[date, ("date", "Sat, 01 Jan 2000 00:00:00 GMT")]), Some(0.0));
        assert_eq!(waits(&[("retry-after", "Thu, 01 Jan 1970 00:01:00 GMT")]), Some(60.0));
        assert_eq!(waits(&[("retry-after", "soon")]), None);
        assert_eq!(waits(&[("retry-after", "-1")]), None);
    }

    #[test]
    fn reads_the_wait_that_is_told_in_the_body() {
        let error =
            json!({ "details": [{ "@type": "…/ErrorInfo" }, { "@type": "…/RetryInfo", "retryDelay": "34.5s" }] });
        assert_eq!(retry_delay(&error), Some(Duration::from_millis(34_500)));
        assert_eq!(retry_delay(&json!({ "details": [{ "retryDelay": 3 }] })), None);
    }
}
