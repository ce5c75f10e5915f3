//! The one way from a call to its provider: no model is called while AI is off, and nothing goes to another machine that
//! the person has not allowed.
//!
//! Every [`Provider`] that [`Models`](crate::Models) hands out is one of these. A call is checked before anything is
//! sent, and again and again while its answer comes: it ends when the person takes their word back.

mod call;

use std::sync::Arc;

use aside_core::Secrets;
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, ready},
    stream,
};

use crate::{
    ModelInfo, ModelRequest, ModelStream, Permits, Provider, ProviderError, ProviderInfo, PullStream, Recording,
    TextVectors, Transcript, listing::Listing,
};
use call::{GuardedCall, GuardedStream, watched};

/// A provider, who is asked first, what is left out of its words, and what it said of its models.
pub(crate) struct Guarded {
    inner: Arc<dyn Provider>,
    permits: Permits,
    secrets: Arc<Secrets>,
    listing: Arc<Listing>,
}

impl Guarded {
    /// `secrets` are those of all services: a server may quote another's.
    /// `listing` is one for all who ask this provider.
    pub(crate) fn new(
        inner: Arc<dyn Provider>,
        permits: Permits,
        secrets: Arc<Secrets>,
        listing: Arc<Listing>,
    ) -> Self {
        Self { inner, permits, secrets, listing }
    }

    /// Asks one elsewhere which models it has, once, if content may go there anyway.
    async fn learn(&self) {
        let host = self.inner.info().elsewhere();
        if host.is_some() && self.call(host).check(false).is_ok() {
            self.listing.learn(self).await;
        }
    }

    fn call(&self, hosts: impl IntoIterator<Item = String>) -> GuardedCall {
        GuardedCall { permits: self.permits.clone(), info: self.inner.info(), hosts: hosts.into_iter().collect() }
    }

    /// Takes the secrets out of what goes wrong.
    fn redacting<T: 'static>(&self, answer: GuardedStream<T>) -> GuardedStream<T> {
        let secrets = self.secrets.clone();
        answer.map(move |item| item.map_err(|error| error.redacted(&secrets))).boxed()
    }
}

impl Provider for Guarded {
    fn info(&self) -> ProviderInfo {
        self.inner.info()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        match self.call(self.inner.info().elsewhere()).check_connection() {
            Ok(()) => self.inner.models().map(|answer| answer.map_err(|error| error.redacted(&self.secrets))).boxed(),
            Err(error) => ready(Err(error)).boxed(),
        }
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        async move {
            self.learn().await;
            match self.inner.describe(model).await {
                Ok(model) => Ok(self.listing.corrected(model)),
                Err(error) => Err(error.redacted(&self.secrets)),
            }
        }
        .boxed()
    }

    fn passes_on<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<Option<String>, ProviderError>> {
        self.inner.passes_on(model).map(|answer| answer.map_err(|error| error.redacted(&self.secrets))).boxed()
    }

    fn sizes_context(&self) -> bool {
        self.inner.sizes_context()
    }

    fn window(&self) -> Option<u32> {
        self.inner.window()
    }

    fn pull(&self, model: &str) -> Option<PullStream> {
        // Wherever it runs itself, it fetches the model from another machine.
        let host = self.inner.info().elsewhere().unwrap_or_else(|| "the model library".to_owned());
        let call = self.call([host]);
        match call.check_connection() {
            Ok(()) => Some(watched(self.redacting(self.inner.pull(model)?), move || call.check_connection())),
            Err(error) => Some(stream::iter([Err(error)]).boxed()),
        }
    }

    fn transcriber(&self) -> Option<String> {
        self.inner.transcriber()
    }

    fn transcribe(&self, recording: Recording) -> Option<BoxFuture<'static, Result<Transcript, ProviderError>>> {
        let call = self.call(self.inner.info().elsewhere());
        let checked = call.check(false);
        let answer = match checked {
            Ok(()) => self.inner.transcribe(recording)?.into_stream().boxed(),
            Err(error) => stream::iter([Err(error)]).boxed(),
        };
        let mut answer = self.redacting(watched(answer, move || call.check(true)));
        Some(async move { answer.next().await.expect("a stream of one answer has one") }.boxed())
    }

    fn embed(&self, model: &str, texts: Vec<String>) -> Option<TextVectors> {
        let answer = self.inner.embed(model, texts)?.into_stream().boxed();
        let call = self.call(self.inner.info().elsewhere());
        let mut answer = self.redacting(call.begin(self.inner.clone(), model.to_owned(), move |_| answer));
        Some(async move { answer.next().await.expect("a stream of one answer has one") }.boxed())
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let (listing, with_tools, model) = (self.listing.clone(), !request.tools.is_empty(), request.model.clone());
        let call = self.call(self.inner.info().elsewhere());
        let answer = call.begin(self.inner.clone(), model.clone(), move |inner| inner.stream(request));
        let noted = answer.inspect(move |event| {
            if let (true, Err(error)) = (with_tools, event) {
                listing.toolless.heard(&model, error);
            }
        });
        self.redacting(noted.boxed())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Mutex,
            atomic::{AtomicU32, Ordering},
        },
        time::Duration,
    };

    use super::*;
    use crate::{ModelEvent, Said};

    /// Says a word and then nothing more, and counts its calls.
    #[derive(Default)]
    struct Endless {
        host: Option<String>,
        passes_on: Option<String>,
        calls: AtomicU32,
    }

    impl Provider for Endless {
        fn info(&self) -> ProviderInfo {
            let [id, name] = ["openai", "OpenAI"].map(str::to_owned);
            ProviderInfo { id, name, local: self.host.is_none(), endpoint: None, host: self.host.clone(), pulls: false }
        }

        fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
            self.calls.fetch_add(1, Ordering::SeqCst);
            ready(Ok(Vec::new())).boxed()
        }

        fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
            ready(Ok(ModelInfo::named(model))).boxed()
        }

        fn passes_on<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<String>, ProviderError>> {
            let (endpoint, silence) = (String::new(), Duration::ZERO);
            let answer = match self.passes_on.as_deref() {
                Some("cannot say") => Err(ProviderError::Silent { endpoint, silence }),
                passes_on => Ok(passes_on.map(str::to_owned)),
            };
            ready(answer).boxed()
        }

        fn pull(&self, _: &str) -> Option<PullStream> {
            let quoted = ProviderError::Unclear { detail: "wrong key: key-of-another-service".to_owned() };
            Some(stream::iter([Ok(crate::Pulled::default()), Err(quoted)]).chain(stream::pending()).boxed())
        }

        fn stream(&self, _: ModelRequest) -> ModelStream {
            self.calls.fetch_add(1, Ordering::SeqCst);
            stream::iter([Ok(ModelEvent::Text("word".to_owned()))]).chain(stream::pending()).boxed()
        }
    }

    fn secrets() -> Arc<Secrets> {
        Arc::new(Secrets::new(["key-of-another-service".to_owned()]))
    }

    fn guarded(provider: Arc<Endless>, permits: Permits) -> Guarded {
        let listing = Arc::new(Listing::new(&provider.info(), None));
        Guarded::new(provider, permits, secrets(), listing)
    }

    struct World {
        provider: Arc<Endless>,
        said: Arc<Mutex<Said>>,
        guarded: Guarded,
    }

    fn world(host: Option<&str>, passes_on: Option<&str>) -> World {
        let [host, passes_on] = [host, passes_on].map(|host| host.map(str::to_owned));
        let provider = Arc::new(Endless { host, passes_on, calls: AtomicU32::default() });
        let said: Arc<Mutex<Said>> = Arc::default();
        let asked = said.clone();
        let permits = Permits::by(move || Ok(Arc::new(asked.lock().unwrap().clone())));
        World { guarded: guarded(provider.clone(), permits), provider, said }
    }

    impl World {
        fn allow(&self, host: &str) {
            self.said.lock().unwrap().allowed.insert(("openai".to_owned(), host.to_owned()));
        }

        fn stream(&self) -> ModelStream {
            self.guarded.stream(ModelRequest { model: "m".to_owned(), ..ModelRequest::default() })
        }

        async fn first(&self) -> Result<ModelEvent, ProviderError> {
            self.stream().next().await.unwrap()
        }

        fn calls(&self) -> u32 {
            self.provider.calls.load(Ordering::SeqCst)
        }
    }

    #[tokio::test]
    async fn nothing_is_sent_elsewhere_without_a_word() {
        let world = world(Some("api.example"), None);
        let error = world.first().await.unwrap_err();
        assert!(matches!(&error, ProviderError::NeedsConsent { host, .. } if host == "api.example"), "{error}");
        world.allow("other.example");
        world.first().await.unwrap_err();
        assert_eq!(world.calls(), 0);
        world.allow("api.example");
        world.first().await.unwrap();
        assert_eq!(world.calls(), 1);
    }

    #[tokio::test]
    async fn what_is_passed_on_goes_elsewhere_too() {
        let relay = world(None, Some("ollama.com"));
        relay.first().await.unwrap_err();
        relay.allow("ollama.com");
        relay.first().await.unwrap();
        let both = world(Some("10.0.0.2:11434"), Some("ollama.com"));
        both.allow("10.0.0.2:11434");
        both.first().await.unwrap_err();
        assert_eq!((relay.calls(), both.calls()), (1, 0));
    }

    #[tokio::test]
    async fn who_can_t_tell_where_a_model_runs_is_sent_nothing() {
        let world = world(None, Some("cannot say"));
        assert!(matches!(world.first().await, Err(ProviderError::Silent { .. })));
        assert_eq!(world.calls(), 0);
    }

    #[tokio::test]
    async fn this_machine_needs_no_word() {
        let world = world(None, None);
        world.said.lock().unwrap().local_only = true;
        world.first().await.unwrap();
        world.guarded.models().await.unwrap();
    }

    #[tokio::test]
    async fn local_only_goes_before_consent_and_closes_the_list_too() {
        let world = world(Some("api.example"), None);
        world.allow("api.example");
        world.guarded.models().await.unwrap();
        world.said.lock().unwrap().local_only = true;
        assert!(matches!(world.first().await, Err(ProviderError::LocalOnly { .. })));
        assert!(matches!(world.guarded.models().await, Err(ProviderError::LocalOnly { .. })));
        assert_eq!(world.calls(), 1);
    }

    #[tokio::test]
    async fn an_answer_ends_when_the_word_is_taken_back() {
        let world = world(Some("api.example"), None);
        world.allow("api.example");
        let mut answer = world.stream();
        answer.next().await.unwrap().unwrap();
        world.said.lock().unwrap().allowed.clear();
        let error = answer.next().await.unwrap().unwrap_err();
        assert!(matches!(error, ProviderError::NeedsConsent { began: true, .. }), "{error}");
        assert!(answer.next().await.is_none());
    }

    #[tokio::test]
    async fn when_nobody_can_tell_nothing_goes_out() {
        let provider = Arc::new(Endless { host: Some("api.example".to_owned()), ..Endless::default() });
        let guarded = guarded(provider, Permits::by(|| Err("models.json is damaged".to_owned())));
        let error = guarded.stream(ModelRequest::default()).next().await.unwrap().unwrap_err();
        assert!(error.to_string().contains("models.json is damaged"), "{error}");
    }

    #[tokio::test]
    async fn a_pull_ends_when_local_only_is_turned_on() {
        let world = world(None, None);
        let mut pull = world.guarded.pull("m").unwrap();
        pull.next().await.unwrap().unwrap();
        let quoted = pull.next().await.unwrap().unwrap_err();
        assert!(quoted.to_string().ends_with("wrong key: [secret]"), "{quoted}");
        world.said.lock().unwrap().local_only = true;
        assert!(matches!(pull.next().await, Some(Err(ProviderError::LocalOnly { .. }))));
        assert!(pull.next().await.is_none());
    }
}
