//! Vectors of texts, by Ollama's `POST /api/embed` and OpenAI's `POST /embeddings`, which local servers speak too.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aside_core::ModelRef;
use aside_embed::{EmbedError, Embedder, Prefixes, checked};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::{
    Models, ProviderError,
    http::{
        ask::{Question, ask},
        endpoint::Endpoint,
        not_understood,
    },
};

/// How long a server may take for some texts: one on this machine may have to load the model first.
const PATIENCE: Duration = Duration::from_secs(60);
/// Texts of a request.
const BATCH: usize = 16;
/// How often a text that is too long is cut by a quarter.
const CUTS: usize = 6;

/// Asks an Ollama server.
pub(crate) async fn ollama(
    endpoint: Endpoint,
    model: String,
    texts: Vec<String>,
) -> Result<Vec<Vec<f32>>, ProviderError> {
    let question = Question::post("/api/embed", &json!({ "model": model, "input": texts, "truncate": true }));
    let answer = ask(&patient(endpoint.clone()), &question).await?;
    let vectors = answer["embeddings"].as_array().and_then(|rows| rows.iter().map(numbers).collect());
    vectors.ok_or_else(|| not_understood(&endpoint, "no `embeddings`"))
}

/// Asks an OpenAI-compatible server. Its vectors may come in any order.
pub(crate) async fn openai(
    endpoint: Endpoint,
    model: String,
    texts: Vec<String>,
) -> Result<Vec<Vec<f32>>, ProviderError> {
    let body = json!({ "model": model, "input": texts, "encoding_format": "float" });
    let answer = ask(&patient(endpoint.clone()), &Question::post("/embeddings", &body)).await?;
    let row = |entry: &Value| Some((entry["index"].as_u64()?, numbers(&entry["embedding"])?));
    let rows: Option<Vec<(u64, Vec<f32>)>> = answer["data"].as_array().and_then(|rows| rows.iter().map(row).collect());
    let mut rows = rows.ok_or_else(|| not_understood(&endpoint, "no `data` with `index` and `embedding`"))?;
    rows.sort_by_key(|(index, _)| *index);
    if rows.iter().zip(0..).any(|((index, _), expected)| *index != expected) {
        return Err(not_understood(&endpoint, "an `index` is missing or there twice"));
    }
    Ok(rows.into_iter().map(|(_, vector)| vector).collect())
}

fn patient(mut endpoint: Endpoint) -> Endpoint {
    endpoint.limits.question = PATIENCE;
    endpoint
}

#[expect(clippy::cast_possible_truncation, reason = "vectors have 32 bits everywhere")]
fn numbers(row: &Value) -> Option<Vec<f32>> {
    row.as_array()?.iter().map(|number| number.as_f64().map(|number| number as f32)).collect()
}

/// A model of a service as an [`Embedder`]. Each call goes through the consent that any model needs.
pub struct ServiceEmbedder {
    models: Arc<Models>,
    model: ModelRef,
    runtime: Handle,
    id: String,
    prefixes: Prefixes,
    dimensions: OnceLock<usize>,
}

impl ServiceEmbedder {
    /// Sets up a model of a service; contacts nobody. Its calls block a thread and run on `runtime`.
    pub fn new(models: Arc<Models>, model: ModelRef, runtime: Handle) -> Self {
        let (id, prefixes) = (model.to_string(), Prefixes::of(&model.name));
        Self { models, model, runtime, id, prefixes, dimensions: OnceLock::new() }
    }

    /// Returns the vectors of some texts, each cut until the model takes it.
    fn vectors(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self.ask(texts.clone()) {
            Err(EmbedError::TooLong(_)) => texts.into_iter().map(|text| self.cut(text)).collect(),
            answer => answer,
        }
    }

    fn cut(&self, mut text: String) -> Result<Vec<f32>, EmbedError> {
        for _ in 0..CUTS {
            match self.ask(vec![text.clone()]) {
                Err(EmbedError::TooLong(_)) => text.truncate(text.floor_char_boundary(text.len() / 4 * 3)),
                answer => return Ok(answer?.swap_remove(0)),
            }
        }
        self.ask(vec![text]).map(|mut vectors| vectors.swap_remove(0))
    }

    fn ask(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let count = texts.len();
        let provider = self.models.provider(&self.model).map_err(failed)?;
        let answer = provider.embed(&self.model.name, texts).ok_or_else(|| EmbedError::Refused {
            message: format!("`{}` makes no vectors", self.model.provider),
            hint: Some("Choose a model of Ollama or of a service that speaks OpenAI's embeddings.".to_owned()),
        })?;
        let vectors = checked(self.runtime.block_on(answer).map_err(failed)?, count, self.dimensions.get().copied())?;
        if let Some(vector) = vectors.first() {
            // Another thread may have been first, with the same length.
            let _ = self.dimensions.set(vector.len());
        }
        Ok(vectors)
    }
}

impl Embedder for ServiceEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.vectors(texts.iter().map(|text| format!("{}{text}", self.prefixes.passage)).collect())
    }

    fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.vectors(vec![format!("{}{text}", self.prefixes.query)]).map(|mut vectors| vectors.swap_remove(0))
    }
}

fn failed(error: ProviderError) -> EmbedError {
    let message = error.to_string();
    match &error {
        ProviderError::Refused { status: 400 | 413 | 422 | 500, detail, .. } if is_about_length(detail) => {
            EmbedError::TooLong(detail.clone())
        }
        ProviderError::Unreachable { .. }
        | ProviderError::Silent { .. }
        | ProviderError::Busy { .. }
        | ProviderError::CutOff { .. }
        | ProviderError::Refused { status: 500.., .. } => EmbedError::Gone(message),
        ProviderError::NotUnderstood { detail, .. } => EmbedError::Answer(detail.clone()),
        _ => EmbedError::Refused { message, hint: error.hint() },
    }
}

/// Services have no code for it.
fn is_about_length(detail: &str) -> bool {
    let detail = detail.to_lowercase();
    ["context length", "too long", "maximum context", "too large", "max_tokens", "input length"]
        .iter()
        .any(|words| detail.contains(words))
}

#[cfg(test)]
mod tests {
    use aside_testkit::fake_models::{FakeModels, Reply, Wire};

    use super::*;
    use crate::{Environment, Permits, Said, Service};

    struct Scene {
        fake: FakeModels,
        models: Arc<Models>,
    }

    impl Scene {
        async fn with(base: impl Fn(String) -> String, said: Said) -> Self {
            let fake = FakeModels::start().await;
            let services = vec![Service::new("openai", Some(base(fake.base_url(Wire::Chat))), None)];
            let ollama_host = Some(fake.url());
            let models = Models::discover(Environment { services, ollama_host, ..Environment::default() });
            Self { fake, models: Arc::new(models.permitted_by(Permits::always(said))) }
        }

        async fn here() -> Self {
            Self::with(|base| base, Said::default()).await
        }

        fn embedder(&self, model: &str) -> Arc<ServiceEmbedder> {
            let (provider, name) = model.split_once(':').unwrap();
            let model = ModelRef { provider: provider.to_owned(), name: name.to_owned() };
            Arc::new(ServiceEmbedder::new(self.models.clone(), model, Handle::current()))
        }

        async fn passages(&self, model: &str, texts: &'static [&'static str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            let embedder = self.embedder(model);
            tokio::task::spawn_blocking(move || embedder.passages(texts)).await.unwrap()
        }

        /// The requests without the questions about models.
        fn asked(&self) -> Vec<(String, Value)> {
            let requests = self.fake.requests().into_iter().filter(|request| request.path != "/api/show");
            requests.map(|request| (request.path, request.body["input"].clone())).collect()
        }

        async fn answered(&self, model: &str, body: Value) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.fake.play(Reply::Other { kind: "application/json".to_owned(), body: body.to_string() });
            self.passages(model, &["a", "b"]).await
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn vectors_come_in_the_order_of_texts() {
        let scene = Scene::here().await;
        let data = json!([{ "index": 1, "embedding": [0, 2] }, { "index": 0, "embedding": [3, 0] }]);
        let expected = [[1.0, 0.0], [0.0, 1.0]];
        assert_eq!(scene.answered("openai:m", json!({ "data": data })).await.unwrap(), expected);
        assert_eq!(scene.answered("ollama:m", json!({ "embeddings": [[3, 0], [0, 2]] })).await.unwrap(), expected);
        let sent = ["/v1/embeddings", "/api/embed"].map(|path| (path.to_owned(), json!(["a", "b"])));
        assert_eq!(scene.asked(), sent);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn answers_that_do_not_fit_are_refused() {
        let scene = Scene::here().await;
        for body in [
            json!({ "data": [{ "index": 0, "embedding": [1] }] }),
            json!({ "data": [{ "index": 0, "embedding": [1] }, { "index": 0, "embedding": [1] }] }),
            json!({ "data": [{ "index": 0, "embedding": [1] }, { "index": 1, "embedding": [1, 2] }] }),
            json!({ "data": [{ "index": 0, "embedding": ["x"] }] }),
            json!({ "vectors": [] }),
        ] {
            let error = scene.answered("openai:m", body.clone()).await.unwrap_err();
            assert!(matches!(error, EmbedError::Answer(_)), "{body}: {error:?}");
        }
        assert!(matches!(scene.answered("ollama:m", json!({ "embeddings": 7 })).await, Err(EmbedError::Answer(_))));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn other_dimensions_than_before_are_refused() {
        let scene = Scene::here().await;
        let embedder = scene.embedder("ollama:m");
        for (numbers, fits) in [([1.0, 2.0].as_slice(), true), (&[1.0, 2.0, 3.0], false)] {
            let body = json!({ "embeddings": [numbers] }).to_string();
            scene.fake.play(Reply::Other { kind: "application/json".to_owned(), body });
            let embedder = embedder.clone();
            let answer = tokio::task::spawn_blocking(move || embedder.query("a")).await.unwrap();
            assert_eq!(answer.is_ok(), fits);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn texts_that_are_too_long_are_cut() {
        let scene = Scene::here().await;
        let too_long = || Reply::Status {
            status: 400,
            retry_after: None,
            message: "the input length exceeds the context length".to_owned(),
        };
        scene.fake.play(too_long());
        scene.fake.play(too_long());
        assert_eq!(scene.passages("ollama:m", &["abcdefgh", "b"]).await.unwrap().len(), 2);
        let inputs: Vec<_> = scene.asked().into_iter().map(|(_, input)| input).collect();
        assert_eq!(inputs, [json!(["abcdefgh", "b"]), json!(["abcdefgh"]), json!(["abcdef"]), json!(["b"])]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_is_sent_elsewhere_without_consent() {
        // Not loopback for Aside, and yet this machine.
        let scene = Scene::with(|base| base.replace("127.0.0.1", "[::ffff:127.0.0.1]"), Said::default()).await;
        let error = scene.passages("openai:m", &["a"]).await.unwrap_err();
        assert!(matches!(&error, EmbedError::Refused { hint: Some(_), .. }), "{error:?}");
        assert!(scene.fake.requests().is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn busy_servers_are_asked_again_later() {
        let scene = Scene::here().await;
        for status in [429, 500] {
            scene.fake.play(Reply::Status { status, retry_after: None, message: "busy".to_owned() });
            assert!(matches!(scene.passages("openai:m", &["a"]).await, Err(EmbedError::Gone(_))));
        }
        let unknown = scene.passages("nobody:m", &["a"]).await;
        assert!(matches!(unknown, Err(EmbedError::Refused { .. })), "{unknown:?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn models_get_the_words_in_front() {
        let scene = Scene::here().await;
        scene.passages("ollama:nomic-embed-text", &["a"]).await.unwrap();
        assert_eq!(scene.asked()[0].1, json!(["search_document: a"]));
    }
}
