//! What is known of a model, and what it changes in a request.

use aside_llm::{Environment, Limits, Models, Service};
use aside_testkit::fake_models::{Answer, FakeModels, OfferedModel, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::bench::{Bench, conversation, hello};

fn offered() -> OfferedModel {
    let capabilities = ["completion", "tools", "vision", "thinking"].map(str::to_owned).to_vec();
    let [context, max_output] = [40_960, 4096].map(Some);
    OfferedModel { name: "fake".to_owned(), capabilities: Some(capabilities), context, max_output }
}

/// Asks a service that is reached at the fake, and returns what it was sent.
async fn sent(id: &str, wire: Wire, model: &str) -> Value {
    sent_for(id, wire, model, None).await
}

/// The same for an answer of at most so many tokens.
async fn sent_for(id: &str, wire: Wire, model: &str, most: Option<u32>) -> Value {
    let fake = FakeModels::start().await;
    fake.play(Reply::answer(Answer::text("ok")));
    let services = vec![Service::new(id, Some(fake.base_url(wire)), None)];
    let models = Models::discover(Environment { services, limits: Limits::default(), ..Environment::default() });
    let provider = models.provider(&format!("{id}/{model}").parse().unwrap()).unwrap();
    let mut request = conversation(Value::Null);
    (request.model, request.max_output) = (model.to_owned(), most);
    let _: Vec<_> = provider.stream(request).collect().await;
    fake.requests().pop().unwrap().body
}

#[tokio::test]
async fn a_service_is_asked_what_its_models_can_do() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        bench.fake.offer([offered()]);
        let model = bench.models.fetch(&bench.model().provider).await.unwrap().remove(0);
        assert_eq!((model.thinking, model.context), (Some(true), Some(40_960)), "{wire:?}");
        // Gemini's list says neither.
        if wire != Wire::Gemini {
            assert_eq!((model.tools, model.vision), (Some(true), Some(true)), "{wire:?}");
        }
        // Ollama's models answer as long as there is context.
        if wire != Wire::Ollama {
            assert_eq!(model.max_output, Some(4096), "{wire:?}");
        }
        assert_eq!(bench.provider().describe("fake").await.unwrap(), model, "{wire:?}");
    }
}

#[tokio::test]
async fn a_server_on_this_machine_is_asked_once_when_a_model_is_described() {
    let bench = Bench::new(Wire::Chat).await;
    bench.fake.offer([offered()]);
    for _ in 0..2 {
        assert_eq!(bench.provider().describe("fake").await.unwrap().context, Some(40_960));
        assert_eq!(bench.provider().describe("not-listed").await.unwrap().context, None);
    }
    assert_eq!(bench.fake.requests().len(), 2);
}

#[tokio::test]
async fn anthropic_is_told_the_longest_answer_of_the_model() {
    assert_eq!(sent("anthropic", Wire::Anthropic, "claude-sonnet-4-5").await["max_tokens"], 64_000);
    assert_eq!(sent("anthropic", Wire::Anthropic, "a-model-of-tomorrow").await["max_tokens"], 8192);
    for (most, sent) in [(500, 500), (32_768, 8192)] {
        let body = sent_for("anthropic", Wire::Anthropic, "a-model-of-tomorrow", Some(most)).await;
        assert_eq!(body["max_tokens"], sent, "a limit makes no answer longer");
    }
    let bench = Bench::new(Wire::Anthropic).await;
    bench.fake.offer([offered()]);
    bench.models.fetch("anthropic").await.unwrap();
    bench.fake.play(Reply::answer(Answer::text("ok")));
    let _: Vec<_> = bench.stream(hello()).collect().await;
    assert_eq!(bench.fake.requests().pop().unwrap().body["max_tokens"], 4096);
}

#[tokio::test]
async fn gemini_is_asked_for_thoughts_where_there_are_any() {
    let thoughts = json!({ "includeThoughts": true });
    let config = |body: Value| body["generationConfig"]["thinkingConfig"].clone();
    assert_eq!(config(sent("gemini", Wire::Gemini, "gemini-2.5-pro").await), thoughts);
    assert_eq!(config(sent("gemini", Wire::Gemini, "a-model-of-tomorrow").await), Value::Null);
}

#[tokio::test]
async fn mistral_gets_ids_it_accepts_and_no_question_for_usage() {
    let body = sent("mistral", Wire::Chat, "mistral-large").await;
    assert_eq!(body["stream_options"], Value::Null);
    let messages = body["messages"].as_array().unwrap();
    let made = messages.iter().flat_map(|message| message["tool_calls"].as_array()).flatten().map(|call| &call["id"]);
    let answered = messages.iter().map(|message| &message["tool_call_id"]).filter(|id| id.is_string());
    let (made, answered): (Vec<_>, Vec<_>) = (made.collect(), answered.collect());
    assert_eq!((made.len(), &made), (3, &answered));
    for id in made {
        let id = id.as_str().unwrap();
        assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    }
}
