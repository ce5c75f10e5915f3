//! Thoughts that a server has signed or sealed, in the bytes of each wire: they go back as they came while the turn goes on, and
//! no other model gets them.

use aside_core::{ThinkingEffort, ToolCall};
use aside_llm::{Message, ModelEvent, ModelRequest};
use aside_testkit::fake_models::{Answer, OfferedModel, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::{
    bench::{Bench, hello},
    raw::{
        block, candidate, chat, finished, fragment, head, input, item, item_event, message_of, over, raw, response_of,
    },
};

const ARGS: &str = r#"{"command":"date"}"#;

/// An answer with signed thoughts before a call, and what of it has to be in the next request.
fn signed(wire: Wire) -> Option<(Vec<Value>, Value)> {
    let args: Value = serde_json::from_str(ARGS).unwrap();
    Some(match wire {
        Wire::Anthropic => {
            let delta =
                |index: u64, delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
            let start = |index: u64, block: Value| json!({ "type": "content_block_start", "index": index, "content_block": block });
            let stream = message_of(vec![
                start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
                delta(0, json!({ "type": "thinking_delta", "thinking": "Two " })),
                delta(0, json!({ "type": "thinking_delta", "thinking": "files." })),
                delta(0, json!({ "type": "signature_delta", "signature": "secret" })),
                delta(0, json!({ "type": "signature_delta", "signature": "1==" })),
                over(0),
                start(1, json!({ "type": "redacted_thinking", "data": "secret2" })),
                over(1),
                start(2, json!({ "type": "text", "text": "" })),
                delta(2, json!({ "type": "text_delta", "text": "I look." })),
                over(2),
                block(3, "x"),
                input(3, ARGS),
                over(3),
            ]);
            let back = json!([
                { "type": "thinking", "thinking": "Two files.", "signature": "secret1==" },
                { "type": "redacted_thinking", "data": "secret2" },
                { "type": "text", "text": "I look." },
                { "type": "tool_use", "id": "x", "name": "shell_run", "input": args },
            ]);
            (stream, back)
        }
        Wire::Gemini => {
            // Of parallel calls only the first is signed; a text may be signed by an empty part after it.
            let call = |id: &str| json!({ "functionCall": { "id": id, "name": "shell_run", "args": args } });
            let mut first = call("x");
            first["thoughtSignature"] = "secret1".into();
            let parts = [json!({ "text": "I look." }), json!({ "text": "", "thoughtSignature": "secret2" })];
            let stream = vec![
                candidate(json!([{ "text": "Two files.", "thought": true }, parts[0]]), None),
                candidate(json!([parts[1]]), None),
                candidate(json!([first, call("y")]), Some("STOP")),
            ];
            (stream, json!([parts[0], parts[1], first, call("y")]))
        }
        Wire::Responses => {
            let thought = json!({
                "type": "reasoning", "id": "rs_1", "encrypted_content": "secret1",
                "summary": [{ "type": "summary_text", "text": "Two files." }],
            });
            let call = item("fc_1", "x", ARGS);
            let stream = response_of(vec![
                item_event("added", Some(0), json!({ "type": "reasoning", "id": "rs_1", "summary": [] })),
                item_event("done", Some(0), thought.clone()),
                item_event("added", Some(1), item("fc_1", "x", "")),
                item_event("done", Some(1), call.clone()),
            ]);
            (stream, json!([thought, call]))
        }
        Wire::Chat => {
            let detail = |fields: Value| chat(json!({ "reasoning_details": [fields] }));
            let text = |more: &str| json!({ "type": "reasoning.text", "index": 0, "text": more, "format": "f" });
            let mut call = head("x", ARGS);
            call["extra_content"] = json!({ "google": { "thought_signature": "secret3" } });
            let stream = vec![
                detail(text("Two ")),
                detail(text("files.")),
                detail(json!({ "type": "reasoning.text", "index": 0, "signature": "secret1" })),
                detail(json!({ "type": "reasoning.encrypted", "index": 1, "id": "r", "data": "secret2" })),
                fragment(0, call.clone()),
                finished(),
            ];
            let back = json!({
                "role": "assistant", "content": null, "tool_calls": [call], "reasoning_details": [
                    { "type": "reasoning.text", "index": 0, "text": "Two files.", "format": "f", "signature": "secret1" },
                    { "type": "reasoning.encrypted", "index": 1, "id": "r", "data": "secret2" },
                ],
            });
            (stream, back)
        }
        // Its thoughts are plain text.
        Wire::Ollama => return None,
    })
}

/// The part of a request that the answer before it became.
fn sent_back(wire: Wire, body: &Value) -> Value {
    match wire {
        Wire::Anthropic => body["messages"][1]["content"].clone(),
        Wire::Gemini => body["contents"][1]["parts"].clone(),
        Wire::Responses => json!([body["input"][1], body["input"][2]]),
        Wire::Chat | Wire::Ollama => body["messages"][1].clone(),
    }
}

/// A turn that goes on after an answer, asked of some model.
fn goes_on(model: &str, calls: &[ToolCall], echo: Value) -> ModelRequest {
    let result = |call: &ToolCall| Message::ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        text: "ok".to_owned(),
        failed: false,
    };
    let answer = Message::Assistant { text: "I look.".to_owned(), calls: calls.to_vec(), echo };
    let mut request = ModelRequest { model: model.to_owned(), ..hello() };
    request.messages.push(answer);
    request.messages.extend(calls.iter().map(result));
    request
}

#[tokio::test]
async fn signed_thoughts_go_back_unchanged() {
    for wire in Wire::ALL {
        let Some((stream, expected)) = signed(wire) else { continue };
        let bench = Bench::new(wire).await;
        let (mut calls, mut echo) = (Vec::new(), Value::Null);
        for event in bench.events(raw(wire, &stream)).await {
            match event.unwrap() {
                ModelEvent::ToolCall(call) => calls.push(call),
                ModelEvent::Echo(value) => echo = value,
                _ => {}
            }
        }
        // As it is read from the thread's log after a restart.
        let echo: Value = serde_json::from_str(&echo.to_string()).unwrap();
        for model in ["fake", "another"] {
            bench.fake.play(Reply::answer(Answer::text("ok")));
            let mut request = goes_on(model, &calls, echo.clone());
            if wire == Wire::Chat
                && let Message::Assistant { text, .. } = &mut request.messages[1]
            {
                text.clear();
            }
            let _: Vec<_> = bench.stream(request).collect().await;
            let body = bench.asked().pop().unwrap().body;
            match model {
                "fake" => assert_eq!(sent_back(wire, &body), expected, "{wire:?}"),
                _ => assert!(!body.to_string().contains("secret"), "{wire:?} {body:#}"),
            }
        }
    }
}

#[tokio::test]
async fn claude_thinks_only_after_its_own_thoughts() {
    let (stream, _) = signed(Wire::Anthropic).unwrap();
    let bench = Bench::new(Wire::Anthropic).await;
    let model = "claude-sonnet-4-5-20250929";
    bench.fake.offer([OfferedModel {
        name: model.to_owned(),
        capabilities: Some(["completion", "tools", "thinking"].map(str::to_owned).into()),
        ..OfferedModel::default()
    }]);
    bench.provider().describe(model).await.unwrap();
    let call = ToolCall {
        id: "x".to_owned(),
        name: "shell_run".to_owned(),
        args: serde_json::from_str(ARGS).unwrap(),
        problem: None,
        from_text: false,
    };
    let mut thinking = Vec::new();
    let mut asked = async |echo: Value| {
        bench.fake.play(Reply::answer(Answer::text("ok")));
        let request =
            ModelRequest { thinking: ThinkingEffort::High, ..goes_on(model, std::slice::from_ref(&call), echo) };
        let _: Vec<_> = bench.stream(request).collect().await;
        thinking.push(bench.asked().pop().unwrap().body["thinking"]["type"].clone());
    };
    asked(Value::Null).await;
    let request = ModelRequest { model: model.to_owned(), ..hello() };
    bench.fake.play(raw(Wire::Anthropic, &stream));
    let events: Vec<_> = bench.stream(request).collect().await;
    let echo = events.into_iter().find_map(|event| match event {
        Ok(ModelEvent::Echo(echo)) => Some(echo),
        _ => None,
    });
    asked(echo.unwrap()).await;
    assert_eq!(thinking, ["disabled", "enabled"]);
}
