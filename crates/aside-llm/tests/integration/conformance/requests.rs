//! What goes to the servers.

use std::fmt::Write as _;

use aside_core::ThinkingEffort;
use aside_llm::{Message, ModelEvent, ModelRequest};
use aside_testkit::fake_models::{Answer, OfferedModel, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::{
    answers::rich,
    bench::{Bench, CANARY, conversation, hello},
};

#[tokio::test]
async fn a_conversation_is_translated_to_every_wire() {
    let mut book = String::new();
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        bench.fake.play(Reply::answer(Answer::text("ok")));
        let _: Vec<_> = bench.stream(conversation(Value::Null)).collect().await;
        let request = bench.asked().remove(0);
        let key =
            ["authorization", "x-api-key", "x-goog-api-key"].into_iter().find_map(|name| request.headers.get(name));
        let key = key.map(|key| key.replace(CANARY, "KEY"));
        writeln!(book, "-- {wire:?} {} {key:?}\n{:#}", request.path, request.body).unwrap();
    }
    insta::assert_snapshot!("requests", book);
}

#[tokio::test]
async fn what_a_model_wants_back_it_gets_back_and_no_other_model_does() {
    let mut book = String::new();
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        let events = bench.events(Reply::answer(rich())).await;
        let mut calls = Vec::new();
        let mut echo = json!(null);
        for event in events.into_iter().map(Result::unwrap) {
            match event {
                ModelEvent::ToolCall(call) => calls.push(call),
                ModelEvent::Echo(value) => echo = value,
                _ => {}
            }
        }
        let assistant = Message::Assistant { text: "I read both: 🦀 é.".to_owned(), calls, echo };
        for model in ["fake", "another"] {
            let mut request = hello();
            request.model = model.to_owned();
            request.messages.push(assistant.clone());
            bench.fake.play(Reply::answer(Answer::text("ok")));
            let _: Vec<_> = bench.stream(request).collect().await;
            let body = bench.asked().pop().unwrap().body;
            let sent = messages(&body).find(|message| !matches!(message["role"].as_str(), Some("user" | "tool")));
            let sent = if wire == Wire::Responses { &body["input"] } else { sent.unwrap() };
            writeln!(book, "-- {wire:?} to {model}\n{sent:#}").unwrap();
        }
    }
    insta::assert_snapshot!("echoes", book);
}

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    ["messages", "contents"].into_iter().flat_map(|field| body[field].as_array()).flatten()
}

#[tokio::test]
async fn ollama_is_told_how_much_context_to_provide_for() {
    let bench = Bench::new(Wire::Ollama).await;
    bench.fake.play(Reply::answer(Answer::text("ok")));
    let _: Vec<_> = bench.stream(hello()).collect().await;
    assert_eq!(bench.asked()[0].body["options"]["num_ctx"], 16384);
}

/// For each wire, models of which one takes another form than the other.
fn thinkers(wire: Wire) -> [&'static str; 2] {
    match wire {
        Wire::Ollama => ["qwen3:4b", "gpt-oss:20b"],
        Wire::Chat | Wire::Responses => ["gpt-5.1", "o3"],
        Wire::Anthropic => ["claude-sonnet-4-5-20250929", "claude-opus-4-7"],
        Wire::Gemini => ["gemini-2.5-flash", "gemini-3-pro-preview"],
    }
}

#[tokio::test]
async fn how_much_to_think_is_said_on_every_wire_to_models_that_think_and_to_no_others() {
    use ThinkingEffort::{High, Low, Medium, Off, Usual};
    let mut book = String::new();
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        let able = |name: &str, words: &[&str]| OfferedModel {
            name: name.to_owned(),
            capabilities: Some(words.iter().map(|word| (*word).to_owned()).collect()),
            ..OfferedModel::default()
        };
        let thinkers = thinkers(wire);
        let offered = thinkers.map(|name| able(name, &["completion", "tools", "thinking"]));
        bench.fake.offer(offered.into_iter().chain([able("plain", &["completion", "tools"])]));
        for model in [thinkers[0], thinkers[1], "plain"] {
            bench.provider().describe(model).await.unwrap();
            for thinking in [Usual, Off, Low, Medium, High] {
                bench.fake.play(Reply::answer(Answer::text("ok")));
                let request = ModelRequest { model: model.to_owned(), thinking, ..hello() };
                let _: Vec<_> = bench.stream(request).collect().await;
                let said = said_of_thinking(&bench.asked().pop().unwrap().body);
                assert!(model != "plain" || said == json!({}), "{wire:?} {said}");
                writeln!(book, "{wire:?} {model} {thinking:?}: {said}").unwrap();
            }
        }
    }
    insta::assert_snapshot!("thinking", book);
}

fn said_of_thinking(body: &Value) -> Value {
    let fields = ["think", "reasoning_effort", "reasoning", "thinking", "output_config", "generationConfig"];
    fields.into_iter().filter_map(|field| Some((field.to_owned(), body.get(field)?.clone()))).collect()
}
