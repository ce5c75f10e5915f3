//! The server: it listens on a port of its own on this machine for as long as the test holds it.

use std::{
    collections::{BTreeMap, VecDeque},
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
    serve::ListenerExt as _,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{
    cache::Cache,
    embeddings,
    script::{Answer, Reply, Wire},
    speech,
    transport::{self, Departures},
};

/// A running fake.
pub struct FakeModels {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its path, with its query.
    pub path: String,
    /// Its headers.
    pub headers: BTreeMap<String, String>,
    /// Its body; null if there was none.
    pub body: Value,
}

/// A model that the fake says it has.
#[derive(Clone, Debug, Default)]
pub struct OfferedModel {
    /// Its name.
    pub name: String,
    /// What `/api/show` lists; an old server lists nothing.
    pub capabilities: Option<Vec<String>>,
    /// Its context length.
    pub context: Option<u32>,
    /// The most tokens of one answer.
    pub max_output: Option<u32>,
}

struct Shared {
    replies: Mutex<VecDeque<Reply>>,
    otherwise: Mutex<Option<Reply>>,
    recorded: Mutex<Vec<Recorded>>,
    offered: Mutex<Vec<OfferedModel>>,
    lists_own: AtomicBool,
    departures: Departures,
    /// Answers whose head is out and whose body was asked for.
    begun: Arc<AtomicUsize>,
    /// Present if requests are counted.
    cache: Mutex<Option<Cache>>,
}

impl FakeModels {
    /// Starts the fake on a free port.
    ///
    /// # Panics
    /// If this machine lets nobody listen on loopback.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared {
            replies: Mutex::default(),
            otherwise: Mutex::default(),
            recorded: Mutex::default(),
            offered: Mutex::default(),
            lists_own: AtomicBool::new(false),
            departures: Departures::new(),
            begun: Arc::default(),
            cache: Mutex::default(),
        });
        let router = router(shared.clone());
        // Small writes are the point: none is held back to be joined with the next.
        let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.expect("serving does not end") });
        Self { address, shared, serving }
    }

    /// `http://127.0.0.1:PORT`, for the wires whose version is not part of the base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL for a wire.
    pub fn base_url(&self, wire: Wire) -> String {
        if matches!(wire, Wire::Chat | Wire::Responses) { format!("{}/v1", self.url()) } else { self.url() }
    }

    /// Adds a reply to those that will be played.
    pub fn play(&self, reply: Reply) {
        lock(&self.shared.replies).push_back(reply);
    }

    /// Sets the reply for whenever there is none left to play.
    pub fn otherwise(&self, reply: Reply) {
        *lock(&self.shared.otherwise) = Some(reply);
    }

    /// Sets the models that the fake lists.
    pub fn offer(&self, models: impl IntoIterator<Item = OfferedModel>) {
        *lock(&self.shared.offered) = models.into_iter().collect();
    }

    /// From now on has a list of its own form too, as LM Studio: the models are loaded with what they read, and could
    /// read eight times as much.
    pub fn list_in_own_form(&self) {
        self.shared.lists_own.store(true, Ordering::SeqCst);
    }

    /// From now on counts tokens, and caches the beginnings of prompts by the rules of each wire's provider.
    pub fn cache(&self) {
        *lock(&self.shared.cache) = Some(Cache::default());
    }

    /// The tokens that were asked since [`FakeModels::cache`], and how many of them were read from the cache.
    pub fn cached(&self) -> (u64, u64) {
        lock(&self.shared.cache).as_ref().map_or((0, 0), |cache| (cache.input, cache.read))
    }

    /// The requests that came, in order.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.shared.recorded).clone()
    }

    /// How many answers of models have begun: their head is on its way.
    pub fn begun(&self) -> usize {
        self.shared.begun.load(Ordering::SeqCst)
    }

    /// Waits until `count` clients in all have gone away before the end of their answer.
    ///
    /// # Panics
    /// Never while the fake runs.
    pub async fn departed(&self, count: usize) {
        let mut departures = self.shared.departures.watch();
        departures.wait_for(|departed| *departed >= count).await.expect("the fake holds the sender");
    }
}

impl Drop for FakeModels {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/chat", post(|state, uri, headers, body| answer(Wire::Ollama, state, uri, headers, body)))
        .route("/v1/chat/completions", post(|state, uri, headers, body| answer(Wire::Chat, state, uri, headers, body)))
        .route("/v1/responses", post(|state, uri, headers, body| answer(Wire::Responses, state, uri, headers, body)))
        .route(
            "/v1beta/models/{call}",
            post(|state, uri, headers, body| answer(Wire::Gemini, state, uri, headers, body)),
        )
        .route("/v1beta/models", get(gemini_models))
        .route("/v1/audio/transcriptions", post(transcription))
        .route("/v1/embeddings", post(|state, uri, headers, body| embed(Wire::Chat, state, uri, headers, body)))
        .route("/api/embed", post(|state, uri, headers, body| embed(Wire::Ollama, state, uri, headers, body)))
        .route("/v1/messages", post(|state, uri, headers, body| answer(Wire::Anthropic, state, uri, headers, body)))
        .route("/api/version", get(|| async { Json(json!({ "version": "0.0.0-fake" })) }))
        .route("/api/tags", get(tags))
        .route("/api/show", post(show))
        .route("/v1/models", get(models))
        .route("/api/v1/models", get(own_list))
        .with_state(shared)
}

fn record(shared: &Shared, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Recorded {
    let text = |value: &header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let recorded = Recorded {
        path: uri.path_and_query().map_or("", |path| path.as_str()).to_owned(),
        headers: headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
        body: serde_json::from_slice(body).unwrap_or_default(),
    };
    lock(&shared.recorded).push(recorded.clone());
    recorded
}

async fn answer(wire: Wire, State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let request = record(&shared, &uri, &headers, &body);
    let reply = lock(&shared.replies).pop_front().or_else(|| lock(&shared.otherwise).clone());
    let mut present = shared.departures.present();
    match counted(&shared, wire, &request, reply) {
        Some(Reply::Hang) => std::future::pending().await,
        Some(Reply::Answer(answer, delivery)) => {
            let kind = if wire == Wire::Ollama { "application/x-ndjson" } else { "text/event-stream" };
            let begun = shared.begun.clone();
            let body = transport::body(wire, &answer, &delivery, present, move || {
                begun.fetch_add(1, Ordering::SeqCst);
            });
            ([(header::CONTENT_TYPE, kind)], body).into_response()
        }
        other => {
            present.served();
            refuse(other, &request)
        }
    }
}

/// Makes vectors of texts, unless a reply is to be played.
async fn embed(wire: Wire, State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let request = record(&shared, &uri, &headers, &body);
    let reply = lock(&shared.replies).pop_front().or_else(|| lock(&shared.otherwise).clone());
    match reply {
        Some(Reply::Hang) => std::future::pending().await,
        None | Some(Reply::Answer(..)) => Json(embeddings::answer(wire, &request.body)).into_response(),
        other => refuse(other, &request),
    }
}

/// Writes down a recording as the next reply says; the form is recorded as JSON.
async fn transcription(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let form = speech::form(headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()), &body);
    let text = form.as_ref().map_or_else(String::new, Value::to_string);
    let request = record(&shared, &uri, &headers, &Bytes::from(text));
    if form.is_none() {
        let error =
            json!({ "error": { "message": "Could not parse multipart form", "type": "invalid_request_error" } });
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    let reply = lock(&shared.replies).pop_front().or_else(|| lock(&shared.otherwise).clone());
    match reply {
        Some(Reply::Hang) => std::future::pending().await,
        Some(Reply::Answer(answer, _)) => Json(speech::answer(&answer)).into_response(),
        other => refuse(other, &request),
    }
}

/// With what the request used, if that is counted.
fn counted(shared: &Shared, wire: Wire, request: &Recorded, reply: Option<Reply>) -> Option<Reply> {
    match (reply, lock(&shared.cache).as_mut()) {
        (Some(Reply::Answer(answer, delivery)), Some(cache)) => Some(match cache.count(wire, &request.body) {
            Ok(counts) => Reply::Answer(Answer { counts: Some(counts), ..answer }, delivery),
            Err(message) => Reply::Status { status: 400, retry_after: None, message },
        }),
        (reply, _) => reply,
    }
}

fn refuse(reply: Option<Reply>, request: &Recorded) -> Response {
    match reply {
        Some(Reply::Status { status, retry_after, message }) => {
            let status = StatusCode::from_u16(status).expect("a test names a status");
            let key =
                ["authorization", "x-api-key", "x-goog-api-key"].into_iter().find_map(|name| request.headers.get(name));
            let message = message.replace("{authorization}", key.map_or("", String::as_str));
            let mut response =
                (status, Json(json!({ "error": { "message": message, "type": "fake" } }))).into_response();
            if let Some(wait) = retry_after {
                response.headers_mut().insert(header::RETRY_AFTER, wait.parse().expect("a test names a header value"));
            }
            response
        }
        Some(Reply::Other { kind, body }) => ([(header::CONTENT_TYPE, kind)], body).into_response(),
        Some(Reply::Redirect { location }) => {
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response()
        }
        _ => {
            (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": "the fake has no reply left" }))).into_response()
        }
    }
}

async fn tags(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Json<Value> {
    record(&shared, &uri, &headers, &Bytes::new());
    let offered = lock(&shared.offered);
    let models = offered.iter().map(|model| json!({ "name": model.name, "model": model.name, "digest": "d1" }));
    Json(json!({ "models": models.collect::<Vec<_>>() }))
}

async fn show(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let request = record(&shared, &uri, &headers, &body);
    let offered = lock(&shared.offered);
    let Some(model) = offered.iter().find(|model| request.body["model"] == model.name.as_str()) else {
        return (StatusCode::NOT_FOUND, Json(json!({ "error": "model not found" }))).into_response();
    };
    let mut shown = json!({ "details": { "family": "fake" }, "model_info": {} });
    if let Some(capabilities) = &model.capabilities {
        shown["capabilities"] = json!(capabilities);
    }
    if let Some(context) = model.context {
        shown["model_info"]["fake.context_length"] = context.into();
    }
    Json(shown).into_response()
}

async fn models(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Json<Value> {
    record(&shared, &uri, &headers, &Bytes::new());
    let offered = lock(&shared.offered);
    let is_anthropic = headers.contains_key("anthropic-version");
    let entry = if is_anthropic { anthropic_model } else { openai_model };
    let data: Vec<Value> = offered.iter().map(entry).collect();
    Json(json!({ "object": "list", "data": data, "has_more": false, "first_id": null, "last_id": null }))
}

async fn own_list(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response {
    record(&shared, &uri, &headers, &Bytes::new());
    if !shared.lists_own.load(Ordering::SeqCst) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let entry = |model: &OfferedModel| {
        let able = |word: &str| model.capabilities.iter().flatten().any(|known| known == word);
        json!({
            "type": if able("embedding") { "embedding" } else { "llm" }, "key": model.name, "display_name": model.name,
            "loaded_instances": [{ "id": model.name, "config": { "context_length": model.context } }],
            "max_context_length": model.context.map(|context| 8 * context),
            "capabilities": { "vision": able("vision"), "trained_for_tool_use": able("tools") },
        })
    };
    Json(json!({ "models": lock(&shared.offered).iter().map(entry).collect::<Vec<_>>() })).into_response()
}

fn anthropic_model(model: &OfferedModel) -> Value {
    let able = |word: &str| json!({ "supported": model.capabilities.iter().flatten().any(|known| known == word) });
    let mut entry = json!({
        "id": model.name, "type": "model", "display_name": model.name, "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active", "max_input_tokens": model.context, "max_tokens": model.max_output,
    });
    if model.capabilities.is_some() {
        entry["capabilities"] = json!({ "image_input": able("vision"), "thinking": able("thinking") });
    }
    entry
}

/// As OpenRouter and vLLM list them: OpenAI itself tells a name and no more.
fn openai_model(model: &OfferedModel) -> Value {
    let mut entry = json!({ "id": model.name, "object": "model", "created": 0, "owned_by": "fake" });
    entry["max_model_len"] = model.context.into();
    entry["top_provider"] = json!({ "max_completion_tokens": model.max_output });
    if let Some(able) = &model.capabilities {
        let input = if able.iter().any(|word| word == "vision") { json!(["text", "image"]) } else { json!(["text"]) };
        entry["architecture"] = json!({ "input_modalities": input, "output_modalities": ["text"] });
        let parameters = [("tools", "tools"), ("thinking", "reasoning")];
        let has = |word: &str| able.iter().any(|known| known == word);
        let supported = parameters.into_iter().filter(|(word, _)| has(word)).map(|(_, parameter)| parameter);
        entry["supported_parameters"] = supported.collect::<Vec<_>>().into();
    }
    entry
}

async fn gemini_models(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Json<Value> {
    record(&shared, &uri, &headers, &Bytes::new());
    let offered = lock(&shared.offered);
    let entry = |model: &OfferedModel| {
        json!({
            "name": format!("models/{}", model.name), "displayName": model.name, "version": "1",
            "inputTokenLimit": model.context, "outputTokenLimit": model.max_output,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
            "thinking": model.capabilities.as_ref().map(|able| able.iter().any(|word| word == "thinking")),
        })
    };
    Json(json!({ "models": offered.iter().map(entry).collect::<Vec<_>>() }))
}
