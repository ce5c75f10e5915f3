//! Why a server could not be reached, in words for a person.

use std::error::Error;

use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::streamable_http_client::StreamableHttpError,
};

use super::said::LONGEST_SAID;
use crate::client::words::fit_line;

/// Why a connection could not be made.
pub(super) fn of_start(error: &ClientInitializeError) -> String {
    use ClientInitializeError as Failed;
    let reason = match error {
        Failed::ConnectionClosed(_) => "it ended before it said who it is".to_owned(),
        Failed::ExpectedInitResponse(_) | Failed::ExpectedInitResult(_) => {
            "it answered with something else than who it is".to_owned()
        }
        Failed::TransportError { error, .. } => innermost(&*error.error),
        Failed::JsonRpcError(error) => format!("it says: {}", error.message),
        Failed::LegacyFallbackFailed { fallback, .. } => of_start(fallback),
        other => other.to_string(),
    };
    fit_line(&reason, LONGEST_SAID)
}

/// Why a request was lost.
pub(super) fn of_request(error: &ServiceError) -> String {
    let reason = match error {
        ServiceError::TransportSend(error) => innermost(&*error.error),
        other => other.to_string(),
    };
    fit_line(&reason, LONGEST_SAID)
}

/// What began it: the layers above only say that something below them failed.
fn innermost(error: &(dyn Error + 'static)) -> String {
    // This one does not name what is below it.
    let mut innermost = match error.downcast_ref() {
        Some(StreamableHttpError::<reqwest::Error>::Client(http)) => http,
        _ => error,
    };
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
