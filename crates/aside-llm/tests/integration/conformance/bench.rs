//! What the cases share: an adapter connected to a fake, and an answer written down as a person would read it.

use std::{fmt::Write as _, net::TcpListener, sync::Arc, time::Duration};

use aside_core::{ModelRef, ToolCall, Usage};
use aside_llm::{
    Api, Environment, Image, Limits, Message, ModelEvent, ModelRequest, ModelStream, Models, Provider, ProviderError,
    Secret, Service, ToolSpec,
};
use aside_testkit::fake_models::{FakeModels, Recorded, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

/// The key that must never be seen.
pub const CANARY: &str = "sk-canary-0123456789";

/// An adapter and the server it talks to.
pub struct Bench {
    pub wire: Wire,
    pub fake: FakeModels,
    pub models: Models,
}

impl Bench {
    pub async fn new(wire: Wire) -> Self {
        Self::with(wire, limits()).await
    }

    pub async fn with(wire: Wire, limits: Limits) -> Self {
        let fake = FakeModels::start().await;
        let models = Models::discover(environment(wire, fake.base_url(wire), limits));
        Self { wire, fake, models }
    }

    pub fn provider(&self) -> Arc<dyn Provider> {
        self.models.provider(&self.model()).unwrap()
    }

    pub fn model(&self) -> ModelRef {
        model(self.wire)
    }

    pub fn stream(&self, request: ModelRequest) -> ModelStream {
        self.provider().stream(request)
    }

    /// The requests that asked a model something; before, a server on this machine may be asked what the model can do.
    pub fn asked(&self) -> Vec<Recorded> {
        let asks = |request: &Recorded| request.body["stream"] == true || request.path.contains(":stream");
        self.fake.requests().into_iter().filter(asks).collect()
    }

    /// Plays a reply and returns all that came of it.
    pub async fn events(&self, reply: Reply) -> Vec<Result<ModelEvent, ProviderError>> {
        self.fake.play(reply);
        self.stream(hello()).collect().await
    }

    /// Plays a reply and returns what a person would read.
    pub async fn transcript(&self, reply: Reply) -> String {
        transcript(&self.events(reply).await).replace(&self.fake.url(), "http://fake")
    }
}

/// An environment with one server in it.
pub fn environment(wire: Wire, base: String, limits: Limits) -> Environment {
    if wire == Wire::Ollama {
        return Environment { ollama_host: Some(base), limits, ..Environment::default() };
    }
    let api = (wire == Wire::Responses).then_some(Api::Responses);
    let service = Service { api, ..Service::new(provider(wire), Some(base), Secret::new(CANARY)) };
    Environment { services: vec![service], limits, ..Environment::default() }
}

fn provider(wire: Wire) -> &'static str {
    match wire {
        Wire::Ollama => "ollama",
        Wire::Chat | Wire::Responses => "openai",
        Wire::Anthropic => "anthropic",
        Wire::Gemini => "gemini",
    }
}

/// The model behind a wire.
pub fn model(wire: Wire) -> ModelRef {
    ModelRef { provider: provider(wire).to_owned(), name: "fake".to_owned() }
}

/// The address of a server that is not there.
pub fn nobody_there() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Hardly a wait before asking again, and patience enough for a busy machine.
pub fn limits() -> Limits {
    Limits { first_wait: Duration::from_millis(1), ..Limits::default() }
}

pub fn hello() -> ModelRequest {
    let messages = vec![Message::user("Hello")];
    ModelRequest { model: "fake".to_owned(), messages, ..ModelRequest::default() }
}

/// The smallest picture.
fn pixel() -> Image {
    Image { kind: "image/gif".to_owned(), base64: "R0lGODlhAQABAAAAACwAAAAAAQABAAA=".to_owned() }
}

/// A request with all that a conversation can have, whose answers carry `echo`.
pub fn conversation(echo: Value) -> ModelRequest {
    let read = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "doc_read".to_owned(),
        args: json!({ "path": "a.py" }),
        problem: None,
        from_text: false,
    };
    let torn = ToolCall { args: json!("{\"path\": "), problem: Some("not JSON".to_owned()), ..read("call:2") };
    let text = |text: &str| text.to_owned();
    let result = |call: &str, failed| Message::ToolResult {
        call: text(call),
        name: text("doc_read"),
        text: text("1 x = 1"),
        failed,
    };
    ModelRequest {
        model: text("fake"),
        system: text("You edit."),
        messages: vec![
            Message::user("Rename x"),
            Message::Assistant { text: text("Reading."), calls: vec![read("call_1"), torn], echo },
            result("call_1", false),
            result("call:2", true),
            Message::User { text: text("And be quick"), images: vec![pixel()] },
            Message::Assistant { text: text(""), calls: vec![], echo: Value::Null },
            Message::Assistant { text: text(""), calls: vec![read("call_3")], echo: Value::Null },
            Message::user("Go on"),
        ],
        tools: vec![ToolSpec {
            name: text("doc_read"),
            description: text("Reads."),
            schema: json!({ "type": "object" }),
        }],
        max_output: Some(512),
        context: Some(32_768),
        conversation: Some(text("thr_1")),
        ..ModelRequest::default()
    }
}

/// Writes events down, one a line, pieces of one text joined. What some say of their usage when they begin is left out: at
/// the end all say it.
pub fn transcript(events: &[Result<ModelEvent, ProviderError>]) -> String {
    let mut lines = String::new();
    let mut last = "";
    for event in events.iter().filter(|event| !matches!(event, Ok(ModelEvent::UsageSoFar(_)))) {
        let (kind, words) = line(event);
        if kind == last && matches!(kind, "text" | "thinking") {
            lines.push_str(&words);
        } else {
            let separator = if lines.is_empty() { "" } else { "\n" };
            write!(lines, "{separator}{kind}: {words}").unwrap();
        }
        last = kind;
    }
    lines
}

fn line(event: &Result<ModelEvent, ProviderError>) -> (&'static str, String) {
    match event {
        Ok(ModelEvent::Waiting(wait)) => ("waiting", format!("{wait:?}")),
        Ok(ModelEvent::Text(text)) => ("text", text.clone()),
        Ok(ModelEvent::Thinking(text)) => ("thinking", text.clone()),
        Ok(ModelEvent::ToolCall(call)) => {
            let problem = call.problem.as_ref().map(|problem| format!(" ({problem})")).unwrap_or_default();
            ("call", format!("{} {} {}{problem}", call.id, call.name, call.args))
        }
        Ok(ModelEvent::UsageSoFar(usage)) => ("usage so far", figures(usage)),
        Ok(ModelEvent::Usage(usage)) => ("usage", figures(usage)),
        Ok(ModelEvent::Echo(echo)) => ("echo", echo.to_string()),
        Ok(ModelEvent::Stop(stop)) => ("stop", serde_json::to_value(stop).unwrap()["kind"].to_string()),
        Err(error) => {
            let hint = error.hint().map(|hint| format!(" | {hint}")).unwrap_or_default();
            ("error", format!("{}: {error}{hint}", error.code()))
        }
    }
}

fn figures(usage: &Usage) -> String {
    let figure = |name: &str, figure: Option<u64>| figure.map(|figure| format!("{name} {figure}"));
    let figures = [
        figure("in", usage.input),
        figure("out", usage.output),
        figure("read", usage.cache_read),
        figure("written", usage.cache_write),
        figure("for an hour", usage.cache_write_hour.filter(|tokens| *tokens > 0)),
        figure("reasoning", usage.reasoning),
    ];
    figures.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
