//! Why a server could not be reached, in words for a person.

use std::{error::Error, io};

use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::streamable_http_client::StreamableHttpError,
};

use super::said::LONGEST_SAID;
use crate::client::words::fit_line;

const ENDED_EARLY: &str = "it ended before the handshake";

/// Why a connection could not be made.
pub(super) fn of_start(error: &ClientInitializeError) -> String {
    use ClientInitializeError as Failed;
    let reason = match error {
        Failed::ConnectionClosed(_) => ENDED_EARLY.to_owned(),
        Failed::ExpectedInitResponse(_) | Failed::ExpectedInitResult(_) => {
            "it answered the handshake incorrectly".to_owned()
        }
        Failed::TransportError { error, .. } => match innermost(&*error.error) {
            // It had ended before it was greeted.
            broken if broken.downcast_ref().is_some_and(is_broken_pipe) => ENDED_EARLY.to_owned(),
            other => other.to_string(),
        },
        Failed::JsonRpcError(error) => format!("its error: {}", error.message),
        Failed::LegacyFallbackFailed { fallback, .. } => of_start(fallback),
        other => other.to_string(),
    };
    fit_line(&reason, LONGEST_SAID)
}

/// Why a request was lost.
pub(super) fn of_request(error: &ServiceError) -> String {
    let reason = match error {
        ServiceError::TransportSend(error) => innermost(&*error.error).to_string(),
        other => other.to_string(),
    };
    fit_line(&reason, LONGEST_SAID)
}

/// What began it: the layers above only say that something below them failed.
fn innermost<'error>(error: &'error (dyn Error + 'static)) -> &'error (dyn Error + 'static) {
    // This one does not name what is below it.
    let mut innermost = match error.downcast_ref() {
        Some(StreamableHttpError::<reqwest::Error>::Client(http)) => http,
        _ => error,
    };
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost
}

fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
