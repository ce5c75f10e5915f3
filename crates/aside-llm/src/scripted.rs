//! The rehearsal: a provider that plays a script instead of asking a model.
//!
//! The demo uses it, labelled as what it is, and so do tests. It answers like the others: in pieces, with calls, usage
//! and a reason for stopping; or it fails as the script says.

use std::{
    iter,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use aside_core::{StepStop, ToolCall, Usage};
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, ready},
    stream,
};
use serde_json::Value;

use crate::{
    Message, ModelEvent, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo, ToolSpec,
};

mod script;

pub use script::{Reply, Script, ScriptProblem, ScriptedCall, Step};

/// Plays one [`Script`].
pub struct ScriptedProvider {
    script: Script,
    /// Steps played so far, for a strict script.
    played: Arc<AtomicUsize>,
}

impl ScriptedProvider {
    /// A provider with one model, named as the script.
    pub fn new(script: Script) -> Self {
        Self { script, played: Arc::default() }
    }

    fn next_step(&self, request: &ModelRequest) -> Result<Step, ProviderError> {
        if self.script.strict {
            let played = self.played.fetch_add(1, Ordering::Relaxed);
            return self.script.step_number(played).cloned().ok_or_else(|| ProviderError::Rehearsal {
                detail: format!("step {} was requested, but the script has no more steps", played + 1),
            });
        }
        Ok(self.script.step_for(&request.messages).cloned().unwrap_or_else(|| self.script.otherwise_step()))
    }
}

impl Provider for ScriptedProvider {
    fn info(&self) -> ProviderInfo {
        ProviderInfo {
            pulls: false,
            id: "rehearsal".to_owned(),
            name: "Rehearsal".to_owned(),
            local: true,
            endpoint: None,
            host: None,
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        ready(Ok(vec![self.model()])).boxed()
    }

    fn describe<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(self.model())).boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let step = match self.next_step(&request) {
            Ok(step) => step,
            Err(error) => return stream::iter([Err(error)]).boxed(),
        };
        let pause = Duration::from_millis(step.delay_ms);
        stream::iter(play(step, &request))
            .then(move |event| async move {
                // Without a pause this still lets others run, or an endless step would never be stopped.
                if pause.is_zero() {
                    tokio::task::yield_now().await;
                } else {
                    tokio::time::sleep(pause).await;
                }
                event
            })
            .boxed()
    }
}

impl ScriptedProvider {
    fn model(&self) -> ModelInfo {
        ModelInfo {
            tools: Some(true),
            vision: Some(false),
            thinking: Some(true),
            ..ModelInfo::named(&self.script.name)
        }
    }
}

type Played = Result<ModelEvent, ProviderError>;

fn play(step: Step, request: &ModelRequest) -> Box<dyn Iterator<Item = Played> + Send> {
    let round = request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
    let calls = tool_calls(&step.calls, &request.tools, round);
    let usage = estimate(request, &step);
    let stop = match step.stop {
        Some(stop) => stop,
        None if calls.is_empty() => StepStop::End,
        None => StepStop::ToolCalls,
    };
    let thinking = words(&step.thinking).into_iter().map(|word| Ok(ModelEvent::Thinking(word)));
    let text = words(&step.text).into_iter().map(|word| Ok(ModelEvent::Text(word)));
    if step.endless {
        let words = if step.text.is_empty() { vec!["… ".to_owned()] } else { words(&step.text) };
        return Box::new(thinking.chain(words.into_iter().cycle().map(|word| Ok(ModelEvent::Text(word)))));
    }
    let said = thinking.chain(text).chain(calls.into_iter().map(|call| Ok(ModelEvent::ToolCall(call))));
    match step.error {
        Some(detail) => Box::new(said.chain(iter::once(Err(ProviderError::Rehearsal { detail })))),
        None => Box::new(said.chain([Ok(ModelEvent::Usage(usage)), Ok(ModelEvent::Stop(stop))])),
    }
}

fn tool_calls(calls: &[ScriptedCall], tools: &[ToolSpec], round: usize) -> Vec<ToolCall> {
    let numbered = calls.iter().enumerate();
    let call = |(index, call): (usize, &ScriptedCall)| {
        let (args, problem) = match &call.malformed {
            Some(raw) => (Value::String(raw.clone()), Some("the arguments are not JSON".to_owned())),
            None => (call.args.clone(), None),
        };
        let id = format!("rehearsal_{round}_{index}");
        ToolCall { id, name: offered(&call.name, tools), args, problem, from_text: false }
    };
    numbered.map(call).collect()
}

/// A script may write `doc.edit` for the tool that is offered as `doc_edit`.
fn offered(name: &str, tools: &[ToolSpec]) -> String {
    let on_the_wire = name.replace('.', "_");
    if tools.iter().any(|tool| tool.name == on_the_wire) { on_the_wire } else { name.to_owned() }
}

/// Splits after white space, so that joining the pieces gives the text again.
fn words(text: &str) -> Vec<String> {
    text.split_inclusive(char::is_whitespace).map(str::to_owned).collect()
}

/// Four characters a token: nobody counts here, and the figures should look like the real ones.
fn estimate(request: &ModelRequest, step: &Step) -> Usage {
    let tokens = |characters: usize| u64::try_from(characters.div_ceil(4)).ok();
    let asked = request.system.chars().count() + request.messages.iter().map(size).sum::<usize>();
    let answered = step.text.chars().count() + step.thinking.chars().count();
    Usage { input: tokens(asked), output: tokens(answered), ..Usage::default() }
}

fn size(message: &Message) -> usize {
    match message {
        Message::User { text, .. } | Message::Assistant { text, .. } | Message::ToolResult { text, .. } => {
            text.chars().count()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"{
        "name": "demo",
        "replies": [
            {"when": "rename", "steps": [
                {"thinking": "Look first.", "text": "I read it.", "calls": [{"name": "doc_read", "args": {"path": "a.py"}}]},
                {"text": "Done, twice."}
            ]}
        ],
        "otherwise": "I only rehearse."
    }"#;

    fn user(text: &str) -> Message {
        Message::user(text)
    }

    fn assistant() -> Message {
        Message::Assistant { text: String::new(), calls: vec![], echo: Value::Null }
    }

    async fn answer(provider: &ScriptedProvider, messages: Vec<Message>) -> Vec<Played> {
        provider.stream(ModelRequest { messages, ..ModelRequest::default() }).take(50).collect().await
    }

    fn text(events: &[Played]) -> String {
        let text = |event: &Played| match event {
            Ok(ModelEvent::Text(text)) => Some(text.clone()),
            _ => None,
        };
        events.iter().filter_map(text).collect()
    }

    fn provider(script: &str) -> ScriptedProvider {
        ScriptedProvider::new(Script::parse(script).unwrap())
    }

    #[tokio::test]
    async fn plays_the_steps_of_the_reply_that_the_last_message_asks_for() {
        let provider = provider(SCRIPT);
        let first = answer(&provider, vec![user("hello"), assistant(), user("please RENAME it")]).await;
        assert_eq!(text(&first), "I read it.");
        assert!(matches!(&first[..2], [Ok(ModelEvent::Thinking(one)), _] if one == "Look "));
        assert!(first.iter().any(|event| matches!(event, Ok(ModelEvent::ToolCall(call)) if call.name == "doc_read")));
        assert_eq!(first.last(), Some(&Ok(ModelEvent::Stop(StepStop::ToolCalls))));

        let second = answer(&provider, vec![user("rename"), assistant()]).await;
        assert_eq!(text(&second), "Done, twice.");
        assert_eq!(second.last(), Some(&Ok(ModelEvent::Stop(StepStop::End))));

        let other = answer(&provider, vec![user("rename"), assistant(), user("thanks")]).await;
        assert_eq!(text(&other), "I only rehearse.");
    }

    #[tokio::test]
    async fn calls_a_tool_by_the_name_it_is_offered_under() {
        let provider = provider(r#"{"name": "t", "replies": [{"steps": [{"calls": [{"name": "doc.edit"}]}]}]}"#);
        let tool = ToolSpec { name: "doc_edit".to_owned(), description: String::new(), schema: Value::Null };
        let request = ModelRequest { messages: vec![user("x")], tools: vec![tool], ..ModelRequest::default() };
        let events: Vec<Played> = provider.stream(request).collect().await;
        assert!(matches!(&events[0], Ok(ModelEvent::ToolCall(call)) if call.name == "doc_edit"), "{events:?}");
    }

    #[tokio::test]
    async fn a_strict_script_is_played_in_order_and_then_fails() {
        let provider = provider(
            r#"{"name": "t", "strict": true, "replies": [{"steps": [{"text": "a"}]}, {"steps": [{"text": "b"}]}]}"#,
        );
        assert_eq!(text(&answer(&provider, vec![user("x")]).await), "a");
        assert_eq!(text(&answer(&provider, vec![user("x")]).await), "b");
        assert!(matches!(answer(&provider, vec![user("x")]).await[..], [Err(ProviderError::Rehearsal { .. })]));
    }

    #[tokio::test]
    async fn fails_runs_on_and_stammers_as_told() {
        let provider = provider(
            r#"{"name": "t", "strict": true, "replies": [{"steps": [
                {"text": "half", "error": "the plug was pulled"},
                {"text": "and so on ", "endless": true},
                {"calls": [{"name": "doc_edit", "malformed": "{\"path\": "}]}
            ]}]}"#,
        );
        let failed = answer(&provider, vec![user("x")]).await;
        assert_eq!(text(&failed), "half");
        assert!(failed.last().unwrap().is_err());
        assert_eq!(answer(&provider, vec![user("x")]).await.len(), 50);
        let stammered = answer(&provider, vec![user("x")]).await;
        assert!(matches!(&stammered[0], Ok(ModelEvent::ToolCall(call)) if call.problem.is_some()));
    }
}
