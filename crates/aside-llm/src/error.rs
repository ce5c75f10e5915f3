//! Why a model could not be asked, or did not answer to the end.

mod refused;

use std::time::Duration;

use aside_core::{Failure, Secrets};
use serde_json::json;

/// What a provider could not do. Endpoints and details carry no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// No such provider is configured.
    #[error("`{id}` is not set up")]
    NotConfigured {
        /// What was asked for.
        id: String,
        /// What to do about it.
        hint: String,
    },
    /// What was configured cannot be used, such as a base URL that is none.
    #[error("cannot use provider `{id}`: {detail}")]
    Misconfigured {
        /// Which provider.
        id: String,
        /// What is wrong with it.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// No connection.
    #[error("cannot reach {endpoint}: {detail}")]
    Unreachable {
        /// Where.
        endpoint: String,
        /// What the network said.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// The server refused the request.
    #[error("{endpoint} refused the request (HTTP {status}): {detail}")]
    Refused {
        /// Where.
        endpoint: String,
        /// The HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// The server has too much to do, or a limit is used up.
    #[error("{endpoint} is busy ({reason}): {detail}")]
    Busy {
        /// Where.
        endpoint: String,
        /// `HTTP 429`, or the name the server has for it.
        reason: String,
        /// What the server said.
        detail: String,
        /// When to try again, if it said so.
        retry_after: Option<Duration>,
    },
    /// The server said in the middle of an answer that it failed.
    #[error("{endpoint} failed while answering: {detail}")]
    Failed {
        /// Where.
        endpoint: String,
        /// What the server said.
        detail: String,
    },
    /// The answer is none of this protocol.
    #[error("{endpoint} sent an invalid answer: {detail}")]
    NotUnderstood {
        /// Where.
        endpoint: String,
        /// What came.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// The connection ended before the answer did.
    #[error("{endpoint} ended the answer early: {detail}")]
    CutOff {
        /// Where.
        endpoint: String,
        /// How.
        detail: String,
    },
    /// Nothing came for too long.
    #[error("{endpoint} sent nothing for {} s", silence.as_secs_f32().ceil())]
    Silent {
        /// Where.
        endpoint: String,
        /// For how long.
        silence: Duration,
    },
    /// The answer exceeds what is accepted from a model server.
    #[error("{endpoint} sent more than {limit} bytes in one {of}")]
    TooLarge {
        /// Where.
        endpoint: String,
        /// `line`, `event` or `answer`.
        of: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The person has not said that content may go there, or no longer does.
    #[error("{}: sending content to {host} ({name}) is not allowed", if *began { "the answer was stopped" } else { "nothing was sent" })]
    NeedsConsent {
        /// Which provider.
        id: String,
        /// Its name for people.
        name: String,
        /// Where it would go.
        host: String,
        /// It was under way already.
        began: bool,
    },
    /// Only this machine is reached.
    #[error("no connection to {host}: Local only is on")]
    LocalOnly {
        /// Where it would have gone.
        host: String,
    },
    /// AI is off.
    #[error("no request was sent to a model: {why}")]
    Off {
        /// Who says so.
        why: String,
    },
    /// What the person allowed can't be read, so that nothing goes out.
    #[error("nothing was sent: cannot read which providers you allowed: {detail}")]
    Unclear {
        /// Why.
        detail: String,
    },
    /// The script of the rehearsal says to fail here, or has no more steps.
    #[error("the rehearsal stopped: {detail}")]
    Rehearsal {
        /// What the script says.
        detail: String,
    },
}

impl ProviderError {
    /// What to try.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotConfigured { hint, .. }
            | Self::Misconfigured { hint, .. }
            | Self::Unreachable { hint, .. }
            | Self::NotUnderstood { hint, .. } => Some(hint.clone()),
            Self::Refused { hint, .. } => hint.clone(),
            Self::Busy { retry_after: Some(wait), .. } => {
                Some(format!("Try again in {} s.", wait.as_secs_f32().ceil()))
            }
            Self::Busy { .. } => Some("Try again in a minute, or choose another model.".to_owned()),
            Self::Failed { .. } | Self::CutOff { .. } => Some("Try again.".to_owned()),
            Self::Silent { .. } => Some("Try again, or choose a smaller model.".to_owned()),
            Self::NeedsConsent { id, .. } => Some(format!(
                "Your messages, the files they are about and the content that the model reads to answer would be sent \
                 there. To allow this, use the Models page or `aside models allow {id}`, then send the message again."
            )),
            Self::LocalOnly { .. } => {
                Some("Choose a local model, or turn Local only off on the Models page.".to_owned())
            }
            Self::Unclear { .. } => Some("Fix or delete that file.".to_owned()),
            Self::Off { .. } => Some("`aside assistant` shows the restrictions and when they end".to_owned()),
            Self::TooLarge { .. } | Self::Rehearsal { .. } => None,
        }
    }

    /// The same, without the secrets that the server's or the network's words may hold.
    #[must_use]
    pub(crate) fn redacted(mut self, secrets: &Secrets) -> Self {
        match &mut self {
            Self::Busy { reason, detail, .. } => {
                *reason = secrets.redacted(reason);
                *detail = secrets.redacted(detail);
            }
            Self::Misconfigured { detail, .. }
            | Self::Unreachable { detail, .. }
            | Self::Refused { detail, .. }
            | Self::Failed { detail, .. }
            | Self::NotUnderstood { detail, .. }
            | Self::CutOff { detail, .. }
            | Self::Unclear { detail }
            | Self::Rehearsal { detail } => *detail = secrets.redacted(detail),
            // In our own words.
            Self::NotConfigured { .. }
            | Self::Silent { .. }
            | Self::TooLarge { .. }
            | Self::NeedsConsent { .. }
            | Self::LocalOnly { .. }
            | Self::Off { .. } => {}
        }
        self
    }

    /// When the server wants to be asked again, if it said so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured { .. } => "no_provider",
            Self::Misconfigured { .. } => "provider_misconfigured",
            Self::Unreachable { .. } => "provider_unreachable",
            Self::Refused { .. } => "provider_refused",
            Self::Busy { .. } => "provider_busy",
            Self::Failed { .. } => "provider_failed",
            Self::NotUnderstood { .. } => "provider_not_understood",
            Self::CutOff { .. } => "provider_cut_off",
            Self::Silent { .. } => "provider_silent",
            Self::TooLarge { .. } => "provider_too_large",
            Self::NeedsConsent { .. } => "needs_consent",
            Self::LocalOnly { .. } => "local_only",
            Self::Off { .. } => "ai_off",
            Self::Unclear { .. } => "provider_misconfigured",
            Self::Rehearsal { .. } => "rehearsal",
        }
    }
}

impl From<&ProviderError> for Failure {
    fn from(error: &ProviderError) -> Self {
        let mut failure = Self::new(error.code(), error.to_string());
        if let ProviderError::NeedsConsent { id, host, .. } = error {
            failure.data = json!({ "provider": id, "host": host });
        }
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_says_when_to_come_back() {
        let error = ProviderError::Busy {
            endpoint: "https://api.example".to_owned(),
            reason: "HTTP 429".to_owned(),
            detail: "rate limit".to_owned(),
            retry_after: Some(Duration::from_millis(2500)),
        };
        let failure = Failure::from(&error);
        assert_eq!(failure.message, "https://api.example is busy (HTTP 429): rate limit");
        assert_eq!(failure.hint.as_deref(), Some("Try again in 3 s."));
    }
}
