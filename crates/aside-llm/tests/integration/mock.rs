//! Our adapters against somebody else's stand-in for every provider, so that they don't only understand our own.
//!
//! `cargo xtask test` starts it (`suite/mock.mjs`) and says in `ASIDE_MODEL_MOCK` where it is.

use std::{env, sync::Arc, time::Duration};

use aside_core::{StepStop, ToolCall, Usage};
use aside_llm::{
    Api, Environment, Limits, Message, ModelEvent, ModelRequest, Models, Provider, ProviderError, Secret, Service,
    ToolSpec,
};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

/// The id of a service, what it speaks if that has to be said, and the path of its base URL at the mock.
const SERVICES: [(&str, Option<Api>, &str); 5] = [
    ("openai", Some(Api::Chat), "/v1"),
    ("openai", Some(Api::Responses), "/v1"),
    ("anthropic", None, ""),
    ("gemini", None, ""),
    ("openrouter", None, "/api/v1"),
];

struct Asked {
    name: String,
    provider: Arc<dyn Provider>,
}

fn everyone() -> Vec<Asked> {
    let url = env::var("ASIDE_MODEL_MOCK").expect("ASIDE_MODEL_MOCK says where the mock is");
    let limits = Limits { retries: 0, idle: Duration::from_secs(20), ..Limits::default() };
    let mut environments: Vec<_> = SERVICES
        .iter()
        .map(|(id, api, path)| {
            let service = Service { api: *api, ..Service::new(id, Some(format!("{url}{path}")), Secret::new("a-key")) };
            (format!("{id} {api:?}"), *id, Environment { services: vec![service], ..Environment::default() })
        })
        .collect();
    let ollama = Environment { ollama_host: Some(url), ..Environment::default() };
    environments.push(("ollama".to_owned(), "ollama", ollama));
    let connect = |(name, id, environment)| {
        let models = Models::discover(Environment { limits, ..environment });
        let provider = models.provider(&format!("{id}/a-model").parse().unwrap()).unwrap();
        Asked { name, provider }
    };
    environments.into_iter().map(connect).collect()
}

fn request(messages: Vec<Message>) -> ModelRequest {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: "Reads.".to_owned(),
        schema: json!({ "type": "object", "properties": {} }),
    };
    let tools = vec![tool("doc_read"), tool("file_list")];
    ModelRequest { model: "a-model".to_owned(), system: "Be brief.".to_owned(), messages, tools, ..Default::default() }
}

/// What an answer said, all in all.
#[derive(Debug, Default)]
struct Said {
    text: String,
    thinking: String,
    calls: Vec<ToolCall>,
    usage: Option<Usage>,
    echo: Value,
    stop: Option<StepStop>,
}

async fn ask(provider: &Arc<dyn Provider>, messages: Vec<Message>) -> Result<Said, ProviderError> {
    let mut events = provider.stream(request(messages));
    let mut said = Said::default();
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::Text(text) => said.text.push_str(&text),
            ModelEvent::Thinking(text) => said.thinking.push_str(&text),
            ModelEvent::ToolCall(call) => said.calls.push(call),
            ModelEvent::Usage(usage) => said.usage = Some(usage),
            ModelEvent::Waiting(_) | ModelEvent::UsageSoFar(_) => {}
            ModelEvent::Echo(echo) => said.echo = echo,
            ModelEvent::Stop(stop) => said.stop = Some(stop),
        }
    }
    Ok(said)
}

/// One test, since connections are kept open from one to the next, and belong to the runtime that opened them.
#[tokio::test]
#[ignore = "needs the mock"]
async fn our_adapters_understand_the_mock() {
    a_text_is_read().await;
    thinking_is_told_from_text().await;
    calls_are_read_and_their_results_are_understood().await;
    a_busy_server_says_so_in_its_words().await;
    an_answer_that_breaks_off_is_no_whole_one().await;
    who_hangs_up_or_talks_nonsense_has_not_answered().await;
    lists_are_read().await;
}

async fn a_text_is_read() {
    for Asked { name, provider } in everyone() {
        let said = ask(&provider, vec![Message::user("say hello")]).await.unwrap();
        assert_eq!((said.text.as_str(), said.stop), ("Hello, 🦀 é! How are you?", Some(StepStop::End)), "{name}");
        let usage = said.usage.unwrap_or_default();
        // On Ollama's wire the mock counts nothing.
        let counted = if name == "ollama" { (Some(0), Some(0)) } else { (Some(11), Some(7)) };
        assert_eq!((usage.input, usage.output), counted, "{name}");
    }
}

async fn thinking_is_told_from_text() {
    for Asked { name, provider } in everyone() {
        let said = ask(&provider, vec![Message::user("think first")]).await.unwrap();
        assert_eq!(said.text, "Done.", "{name}");
        // The mock has OpenAI's name for it on Ollama's wire, where Ollama and its own clients say `thinking`.
        if name != "ollama" {
            assert_eq!(said.thinking, "Let me see.", "{name}");
        }
    }
}

async fn calls_are_read_and_their_results_are_understood() {
    for Asked { name, provider } in everyone() {
        let question = Message::user("call two tools");
        let said = ask(&provider, vec![question.clone()]).await.unwrap();
        let calls: Vec<_> = said.calls.iter().map(|call| (call.name.as_str(), call.args.clone())).collect();
        let expected = [("doc_read", json!({ "path": "naïve.py", "lines": [1, 2] })), ("file_list", json!({}))];
        assert_eq!((&calls[..], said.stop), (&expected[..], Some(StepStop::ToolCalls)), "{name}");
        let results = said.calls.iter().map(|call| Message::ToolResult {
            call: call.id.clone(),
            name: call.name.clone(),
            text: "nothing here".to_owned(),
            failed: false,
        });
        let answer = Message::Assistant { text: said.text, calls: said.calls.clone(), echo: said.echo };
        let conversation = [question, answer].into_iter().chain(results).collect();
        assert_eq!(ask(&provider, conversation).await.unwrap().text, "I have read both.", "{name}");
    }
}

async fn a_busy_server_says_so_in_its_words() {
    for Asked { name, provider } in everyone() {
        let error = ask(&provider, vec![Message::user("be busy")]).await.unwrap_err();
        assert!(matches!(error, ProviderError::Busy { .. }), "{name}: {error:?}");
        assert!(error.to_string().contains("Too much to do"), "{name}: {error}");
    }
}

async fn an_answer_that_breaks_off_is_no_whole_one() {
    for Asked { name, provider } in everyone() {
        let error = ask(&provider, vec![Message::user("break off")]).await.unwrap_err();
        assert!(matches!(error, ProviderError::CutOff { .. }), "{name}: {error:?}");
    }
}

async fn who_hangs_up_or_talks_nonsense_has_not_answered() {
    for Asked { name, provider } in everyone() {
        let error = ask(&provider, vec![Message::user("hang up")]).await.unwrap_err();
        assert!(matches!(error, ProviderError::CutOff { .. }), "{name}: {error:?}");
        let error = ask(&provider, vec![Message::user("talk nonsense")]).await.unwrap_err();
        assert!(error.to_string().contains("malformed"), "{name}: {error}");
    }
}

async fn lists_are_read() {
    for Asked { name, provider } in everyone() {
        // The mock has no list for this one.
        if name.starts_with("gemini") {
            continue;
        }
        assert!(!provider.models().await.unwrap().is_empty(), "{name}");
    }
}
