//! What a person said of sending to other machines.

use std::{collections::BTreeSet, fmt, sync::Arc};

use aside_core::Consent;

use crate::ProviderError;

/// What a person said of sending to other machines. The default lets nothing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// No other machine is reached at all.
    pub local_only: bool,
    /// Where content may go: the provider and its host, as they were when the person said yes.
    pub allowed: BTreeSet<(String, String)>,
}

impl Said {
    /// Whether content may go to a host for a provider; none is this machine.
    pub fn consent(&self, provider: &str, host: Option<&str>) -> Consent {
        let Some(host) = host else { return Consent::NotNeeded };
        match self.allowed.contains(&(provider.to_owned(), host.to_owned())) {
            true => Consent::Given,
            false => Consent::Needed,
        }
    }
}

/// Where to ask what a person said. Asked before every call and while its answer comes: the newest word counts.
#[derive(Clone)]
pub struct Permits {
    ask: Arc<dyn Fn() -> Result<Arc<Said>, String> + Send + Sync>,
    off: Arc<dyn Fn() -> Option<String> + Send + Sync>,
}

impl Permits {
    /// Asks by a function; its error says why nobody can tell, and then nothing goes out.
    pub fn by(ask: impl Fn() -> Result<Arc<Said>, String> + Send + Sync + 'static) -> Self {
        Self { ask: Arc::new(ask), off: Arc::new(|| None) }
    }

    /// Asks one more function before each call of a model, wherever it is: what it returns says why none is made.
    #[must_use]
    pub fn unless(self, off: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self { off: Arc::new(off), ..self }
    }

    /// Says the same each time.
    pub fn always(said: Said) -> Self {
        let said = Arc::new(said);
        Self::by(move || Ok(said.clone()))
    }

    /// Returns what the person said.
    pub fn said(&self) -> Result<Arc<Said>, String> {
        (self.ask)()
    }

    /// Fails if no model is to be called at all.
    pub(crate) fn check_on(&self) -> Result<(), ProviderError> {
        (self.off)().map_or(Ok(()), |why| Err(ProviderError::Off { why }))
    }

    /// Tells whether a host may be reached at all; none is this machine.
    pub(crate) fn check_connection(&self, host: Option<&str>) -> Result<(), ProviderError> {
        let Some(host) = host else { return Ok(()) };
        match self.said().map_err(|detail| ProviderError::Unclear { detail })?.local_only {
            true => Err(ProviderError::LocalOnly { host: host.to_owned() }),
            false => Ok(()),
        }
    }
}

impl Default for Permits {
    fn default() -> Self {
        Self::always(Said::default())
    }
}

impl fmt::Debug for Permits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Permits")
    }
}
