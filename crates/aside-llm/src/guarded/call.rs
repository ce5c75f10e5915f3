//! One call of a provider: the hosts that get to see it, and whether content may go there, before it and while its answer comes.

use std::{sync::Arc, time::Duration};

use futures_util::{
    FutureExt as _, StreamExt as _,
    stream::{self, BoxStream},
};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Permits, Provider, ProviderError, ProviderInfo};

/// How often it is asked again while an answer comes.
const AGAIN: Duration = Duration::from_millis(250);

/// A stream of answers.
pub(super) type GuardedStream<T> = BoxStream<'static, Result<T, ProviderError>>;

/// A request before it is sent, with its destination.
#[derive(Clone, Debug)]
pub(super) struct GuardedCall {
    pub(super) permits: Permits,
    pub(super) info: ProviderInfo,
    /// The hosts that get to see it, nearest first.
    pub(super) hosts: Vec<String>,
}

impl GuardedCall {
    /// Asks the way, then begins an answer and passes it on for as long as it is allowed.
    pub(super) fn begin<T: Send + 'static>(
        mut self,
        provider: Arc<dyn Provider>,
        model: String,
        begin: impl FnOnce(&dyn Provider) -> GuardedStream<T> + Send + 'static,
    ) -> GuardedStream<T> {
        let answer = async move {
            match self.ask_the_way(&*provider, &model).await {
                Ok(()) => watched(begin(&*provider), move || self.check(true)),
                Err(error) => stream::iter([Err(error)]).boxed(),
            }
        };
        answer.flatten_stream().boxed()
    }

    /// Learns where the provider passes the model on to, whoever has asked before; fails unless content may go to each of
    /// the hosts.
    async fn ask_the_way(&mut self, provider: &dyn Provider, model: &str) -> Result<(), ProviderError> {
        self.check(false)?;
        self.hosts.extend(provider.passes_on(model).await?);
        self.check(false)
    }

    /// Tells whether content may go to each of the hosts; `began` is whether it already does.
    pub(super) fn check(&self, began: bool) -> Result<(), ProviderError> {
        self.permits.check_on()?;
        self.check_connection()?;
        if self.hosts.is_empty() {
            return Ok(());
        }
        let said = self.said()?;
        let missing = self.hosts.iter().find(|host| !said.allowed.contains(&(self.info.id.clone(), (*host).clone())));
        match missing {
            None => Ok(()),
            Some(host) => Err(ProviderError::NeedsConsent {
                id: self.info.id.clone(),
                name: self.info.name.clone(),
                host: host.clone(),
                began,
            }),
        }
    }

    /// Tells whether the hosts may be reached at all.
    pub(super) fn check_connection(&self) -> Result<(), ProviderError> {
        self.permits.check_connection(self.hosts.first().map(String::as_str))
    }

    fn said(&self) -> Result<Arc<crate::Said>, ProviderError> {
        self.permits.said().map_err(|detail| ProviderError::Unclear { detail })
    }
}

/// Passes an answer on for as long as it is allowed.
pub(super) fn watched<T: Send + 'static>(
    answer: GuardedStream<T>,
    allowed: impl Fn() -> Result<(), ProviderError> + Send + 'static,
) -> GuardedStream<T> {
    let mut again = interval(AGAIN);
    again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    stream::unfold(Some((answer, allowed, again)), |watched| async {
        let (mut answer, allowed, mut again) = watched?;
        loop {
            tokio::select! {
                biased;
                _ = again.tick() => if let Err(error) = allowed() {
                    // Dropped with `answer`: the connection is closed.
                    return Some((Err(error), None));
                },
                item = answer.next() => return Some((item?, Some((answer, allowed, again)))),
            }
        }
    })
    .boxed()
}
