//! The rehearsal, with or without tools, and what it was told.

use std::sync::{Arc, Mutex};

use aside_core::StepStop;
use aside_llm::{
    Message, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, Reply, Script, ScriptedCall,
    ScriptedProvider, Step,
};
use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::Value;

/// One scripted answer.
pub type Answer = Step;

/// An answer in words.
pub fn says(text: &str) -> Answer {
    Step { text: text.to_owned(), ..Step::default() }
}

/// An answer that calls a tool.
pub fn calls(name: &str, args: Value) -> Answer {
    let call = ScriptedCall { name: name.to_owned(), args, malformed: None };
    Step { calls: vec![call], ..Step::default() }
}

/// An answer that calls a tool with arguments that are no JSON.
pub fn garbled(name: &str, args: &str) -> Answer {
    let call = ScriptedCall { name: name.to_owned(), args: Value::Null, malformed: Some(args.to_owned()) };
    Step { calls: vec![call], ..Step::default() }
}

/// An answer that breaks off after some words.
pub fn fails(text: &str, error: &str) -> Answer {
    Step { error: Some(error.to_owned()), ..says(text) }
}

/// An answer that never ends.
pub fn endless(text: &str) -> Answer {
    Step { endless: true, delay_ms: 1, ..says(text) }
}

/// An answer that is cut at its limit.
pub fn too_long(text: &str) -> Answer {
    Step { stop: Some(StepStop::Length), ..says(text) }
}

/// What the model was asked, request by request.
pub type Asked = Arc<Mutex<Vec<ModelRequest>>>;

/// A rehearsal, blind if it takes no tools, that writes down what it is asked.
pub struct Listening {
    inner: ScriptedProvider,
    tools: bool,
    asked: Asked,
}

impl Listening {
    /// Plays these answers in order, whatever is asked, going on where an earlier life stopped.
    pub fn new(answers: &[Answer], tools: bool, asked: Asked) -> Self {
        let played = asked.lock().unwrap().len();
        let steps = answers.iter().skip(played).cloned().collect();
        let replies = vec![Reply { when: None, steps }];
        let script = Script { name: "demo".to_owned(), replies, otherwise: String::new(), strict: true };
        Self { inner: ScriptedProvider::new(script), tools, asked }
    }
}

impl Provider for Listening {
    fn info(&self) -> ProviderInfo {
        self.inner.info()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        self.inner.models()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        async move {
            let info = self.inner.describe(model).await?;
            Ok(ModelInfo { tools: Some(self.tools), vision: Some(self.tools), ..info })
        }
        .boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        self.asked.lock().unwrap().push(request.clone());
        self.inner.stream(request)
    }
}

/// What is new to the model in a request: everything after its own last words.
pub fn news(request: &ModelRequest) -> Vec<String> {
    let own = request.messages.iter().rposition(|message| matches!(message, Message::Assistant { .. }));
    let new = &request.messages[own.map_or(0, |own| own + 1)..];
    let text = |message: &Message| match message {
        Message::User { text, images } => {
            let images = images.iter().map(|image| format!("({}: {}) ", image.kind, image.base64));
            format!("user: {}{text}", images.collect::<String>())
        }
        Message::ToolResult { name, text, failed: false, .. } => format!("{name}: {text}"),
        Message::ToolResult { name, text, .. } => format!("{name} (not done): {text}"),
        Message::Assistant { .. } => String::new(),
    };
    new.iter().map(text).collect()
}
