//! Answers in the bytes of one wire, for what some servers get wrong: calls at the wrong index, arguments of the wrong
//! shape, figures before a failure, thoughts in an unusual field.

use aside_llm::{Message, ModelEvent, ModelRequest};
use aside_testkit::fake_models::{Answer, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::bench::{Bench, hello};

/// An answer of these messages, which are JSON or, as text, themselves.
pub fn raw(wire: Wire, messages: &[Value]) -> Reply {
    let line = |message: &Value| message.as_str().map_or_else(|| message.to_string(), str::to_owned);
    let (kind, body): (&str, String) = match wire {
        Wire::Ollama => ("application/x-ndjson", messages.iter().map(|message| line(message) + "\n").collect()),
        _ => ("text/event-stream", messages.iter().map(|message| format!("data: {}\n\n", line(message))).collect()),
    };
    Reply::Other { kind: kind.to_owned(), body }
}

async fn read(wire: Wire, messages: &[Value]) -> String {
    Bench::new(wire).await.transcript(raw(wire, messages)).await
}

pub fn chat(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

pub fn finished() -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] })
}

pub fn fragment(index: usize, fields: Value) -> Value {
    let mut call = fields;
    call["index"] = index.into();
    chat(json!({ "tool_calls": [call] }))
}

pub fn head(id: &str, args: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "shell_run", "arguments": args } })
}

fn tail(args: &str) -> Value {
    json!({ "function": { "arguments": args } })
}

pub fn block(index: usize, id: &str) -> Value {
    let block = json!({ "type": "tool_use", "id": id, "name": "shell_run", "input": {} });
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

pub fn input(index: usize, json: &str) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": json } })
}

pub fn over(index: usize) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

pub fn message_of(blocks: Vec<Value>) -> Vec<Value> {
    let start = json!({ "type": "message_start", "message": { "usage": {} } });
    let delta = json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } });
    [vec![start], blocks, vec![delta, json!({ "type": "message_stop" })]].concat()
}

pub fn item(id: &str, call: &str, args: &str) -> Value {
    json!({ "type": "function_call", "id": id, "call_id": call, "name": "shell_run", "arguments": args })
}

pub fn item_event(kind: &str, index: Option<usize>, item: Value) -> Value {
    let mut event = json!({ "type": format!("response.output_item.{kind}"), "item": item });
    if let Some(index) = index {
        event["output_index"] = index.into();
    }
    event
}

fn item_args(index: Option<usize>, id: Option<&str>, delta: &str) -> Value {
    let mut event = json!({ "type": "response.function_call_arguments.delta", "delta": delta });
    if let Some(index) = index {
        event["output_index"] = index.into();
    }
    if let Some(id) = id {
        event["item_id"] = id.into();
    }
    event
}

pub fn response_of(events: Vec<Value>) -> Vec<Value> {
    let end = json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } });
    [vec![json!({ "type": "response.created" })], events, vec![end]].concat()
}

pub fn candidate(parts: Value, reason: Option<&str>) -> Value {
    let mut candidate = json!({ "content": { "parts": parts } });
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    json!({ "candidates": [candidate] })
}

const ARGS: &str = r#"{"command":"date"}"#;

/// The same call at three places.
fn copies(wire: Wire) -> Vec<Value> {
    let args: Value = serde_json::from_str(ARGS).unwrap();
    match wire {
        Wire::Chat => (0..3).map(|index| fragment(index, head("x", ARGS))).chain([finished()]).collect(),
        Wire::Anthropic => {
            message_of((0..3).flat_map(|index| [block(index, "x"), input(index, ARGS), over(index)]).collect())
        }
        Wire::Responses => {
            let id = |index| format!("fc_{index}");
            let done = |index| item_event("done", Some(index), item(&id(index), "x", ARGS));
            let begun = |index| item_event("added", Some(index), item(&id(index), "x", ""));
            response_of(
                (0..3).flat_map(|index| [begun(index), item_args(Some(index), None, ARGS), done(index)]).collect(),
            )
        }
        Wire::Gemini => {
            let call = json!({ "functionCall": { "id": "x", "name": "shell_run", "args": args } });
            vec![candidate(json!([call, call]), None), candidate(json!([call]), Some("STOP"))]
        }
        Wire::Ollama => {
            let call =
                |index| json!({ "id": "x", "function": { "index": index, "name": "shell_run", "arguments": args } });
            vec![
                json!({ "message": { "role": "assistant", "tool_calls": [call(0), call(1)] }, "done": false }),
                json!({ "message": { "role": "assistant", "tool_calls": [call(2)] }, "done": true }),
            ]
        }
    }
}

#[tokio::test]
async fn copied_call_is_one_call_on_every_wire() {
    for wire in Wire::ALL {
        let said = read(wire, &copies(wire)).await;
        assert_eq!(said.matches("call: x shell_run").count(), 1, "{wire:?}\n{said}");
        assert_eq!(said.matches("call: ").count(), 1, "{wire:?}\n{said}");
    }
}

#[tokio::test]
async fn copied_call_goes_back_once_on_every_wire() {
    for wire in Wire::ALL {
        let body = sent_back(wire, &copies(wire)).await;
        assert_eq!(body.to_string().matches("date").count(), 1, "{wire:?}\n{body:#}");
    }
}

/// Two calls, of which the second ends at another place than it began.
fn misplaced(wire: Wire) -> Option<Vec<Value>> {
    match wire {
        Wire::Chat => Some(vec![
            fragment(0, head("a", "")),
            fragment(0, tail(r#"{"n":1}"#)),
            fragment(0, head("b", "")),
            fragment(1, tail(r#"{"n""#)),
            fragment(1, tail(":2}")),
            finished(),
        ]),
        // All blocks at one index, or the input at an index that no block has.
        Wire::Anthropic => Some(message_of(vec![
            block(0, "a"),
            input(0, r#"{"n":1}"#),
            block(0, "b"),
            input(1, r#"{"n""#),
            input(1, ":2}"),
            over(0),
        ])),
        Wire::Responses => Some(response_of(vec![
            item_event("added", None, item("fc_a", "a", "")),
            item_args(None, None, r#"{"n":1}"#),
            item_event("done", None, item("fc_a", "a", "")),
            item_event("added", Some(1), item("fc_b", "b", "")),
            item_args(Some(7), None, r#"{"n""#),
            item_args(Some(7), Some("fc_b"), ":2}"),
        ])),
        // Their calls come whole.
        Wire::Gemini | Wire::Ollama => None,
    }
}

#[tokio::test]
async fn misplaced_arguments_belong_to_the_streamed_call() {
    for wire in Wire::ALL {
        let Some(messages) = misplaced(wire) else { continue };
        let said = read(wire, &messages).await;
        let calls: Vec<&str> = said.lines().filter(|line| line.starts_with("call: ")).collect();
        assert_eq!(calls, [r#"call: a shell_run {"n":1}"#, r#"call: b shell_run {"n":2}"#], "{wire:?}\n{said}");
    }
}

#[tokio::test]
async fn responses_items_are_told_by_id_before_index() {
    // No index at all, and pieces of two items in turn.
    let items = vec![
        item_event("added", None, item("fc_a", "a", "")),
        item_event("added", None, item("fc_b", "b", "")),
        item_args(None, Some("fc_a"), r#"{"n":1}"#),
        item_args(None, Some("fc_b"), r#"{"n":2}"#),
    ];
    let said = read(Wire::Responses, &response_of(items)).await;
    assert!(said.contains(r#"call: a shell_run {"n":1}"#) && said.contains(r#"call: b shell_run {"n":2}"#), "{said}");
    // Ids that change from event to event say nothing.
    let items = vec![
        item_event("added", Some(0), item("q1", "a", "")),
        item_args(Some(0), Some("q2"), r#"{"n":1}"#),
        item_event("done", Some(0), item("q3", "a", r#"{"n":1}"#)),
    ];
    let said = read(Wire::Responses, &response_of(items)).await;
    assert_eq!(said, "call: a shell_run {\"n\":1}\nstop: \"tool_calls\"");
}

/// Sends an answer's calls and echo back with a result for each, and returns the body of that request.
async fn sent_back(wire: Wire, messages: &[Value]) -> Value {
    let bench = Bench::new(wire).await;
    let (mut calls, mut echo) = (Vec::new(), Value::Null);
    for event in bench.events(raw(wire, messages)).await {
        match event {
            Ok(ModelEvent::ToolCall(call)) => calls.push(call),
            Ok(ModelEvent::Echo(value)) => echo = value,
            _ => {}
        }
    }
    let results = calls.iter().map(|call| Message::ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        text: "refused".to_owned(),
        failed: true,
    });
    let results: Vec<Message> = results.collect();
    let assistant = Message::Assistant { text: String::new(), calls, echo };
    let request = hello();
    let said = [request.messages.clone(), vec![assistant], results].concat();
    bench.fake.play(Reply::answer(Answer::text("ok")));
    let _: Vec<_> = bench.stream(ModelRequest { messages: said, ..request }).collect().await;
    bench.asked().pop().unwrap().body
}

/// A signed call whose arguments are no object, of a tool whose name no server takes.
fn malformed(wire: Wire, args: &Value) -> Vec<Value> {
    let text = args.to_string();
    match wire {
        Wire::Chat => {
            let call = json!({ "index": 0, "id": "x", "function": { "name": "doc.edit now", "arguments": text } });
            vec![chat(json!({ "reasoning_content": "hm", "tool_calls": [call] })), finished()]
        }
        Wire::Anthropic => {
            let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "c2ln" });
            let call = json!({ "type": "tool_use", "id": "x", "name": "doc.edit now", "input": {} });
            message_of(vec![
                json!({ "type": "content_block_start", "index": 0, "content_block": thought }),
                over(0),
                json!({ "type": "content_block_start", "index": 1, "content_block": call }),
                input(1, &text),
                over(1),
            ])
        }
        Wire::Responses => {
            let thought = json!({ "type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "c2ln" });
            let call = json!({ "type": "function_call", "call_id": "x", "name": "doc.edit now", "arguments": text });
            response_of(vec![item_event("done", Some(0), thought), item_event("done", Some(1), call)])
        }
        Wire::Gemini => {
            let call = json!({ "functionCall": { "name": "doc.edit now", "args": args }, "thoughtSignature": "c2ln" });
            vec![candidate(json!([call]), Some("STOP"))]
        }
        Wire::Ollama => {
            let call = json!({ "function": { "name": "doc.edit now", "arguments": args } });
            vec![json!({ "message": { "role": "assistant", "thinking": "hm", "tool_calls": [call] }, "done": true })]
        }
    }
}

#[tokio::test]
async fn malformed_call_goes_back_well_formed() {
    for wire in Wire::ALL {
        for args in [json!([1]), json!("a.py"), json!(7), json!("{\"pa")] {
            let body = sent_back(wire, &malformed(wire, &args)).await;
            let calls = echoed(wire, &body);
            assert_eq!(calls.len(), 1, "{wire:?} {body:#}");
            let (name, args) = &calls[0];
            assert_eq!((name.as_str(), args.is_object()), ("doc_edit_now", true), "{wire:?} {body:#}");
            assert!(
                wire == Wire::Ollama || body.to_string().contains("c2ln") || wire == Wire::Chat,
                "{wire:?} {body:#}"
            );
        }
    }
}

/// The calls of a request: their names and arguments.
fn echoed(wire: Wire, body: &Value) -> Vec<(String, Value)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |call: &Value| call["name"].as_str().unwrap_or_default().to_owned();
    let parsed = |text: &Value| serde_json::from_str(text.as_str().unwrap_or_default()).unwrap_or_default();
    let messages = list(&body[if wire == Wire::Gemini { "contents" } else { "messages" }]);
    match wire {
        Wire::Chat | Wire::Ollama => {
            let calls = messages.iter().flat_map(|message| list(&message["tool_calls"]));
            let args = |call: &Value| match wire {
                Wire::Chat => parsed(&call["function"]["arguments"]),
                _ => call["function"]["arguments"].clone(),
            };
            calls.map(|call| (name(&call["function"]), args(&call))).collect()
        }
        Wire::Anthropic => {
            let blocks = messages.iter().flat_map(|message| list(&message["content"]));
            blocks
                .filter(|block| block["type"] == "tool_use")
                .map(|call| (name(&call), call["input"].clone()))
                .collect()
        }
        Wire::Gemini => {
            let parts = messages.iter().flat_map(|message| list(&message["parts"]));
            let calls = parts.map(|part| part["functionCall"].clone()).filter(Value::is_object);
            calls.map(|call| (name(&call), call["args"].clone())).collect()
        }
        Wire::Responses => {
            let items = list(&body["input"]).into_iter().filter(|item| item["type"] == "function_call");
            items.map(|call| (name(&call), parsed(&call["arguments"]))).collect()
        }
    }
}

#[tokio::test]
async fn stated_usage_counts_when_the_answer_fails() {
    let broken = json!({ "error": { "message": "CUDA out of memory", "type": "server_error", "status": "INTERNAL" } });
    let usage = json!({ "prompt_tokens": 70, "completion_tokens": 9 });
    let figures = json!({ "promptTokenCount": 70, "candidatesTokenCount": 9 });
    let mut spoken = candidate(json!([{ "text": "half" }]), None);
    spoken["usageMetadata"] = figures.clone();
    let mut malformed = candidate(json!([]), Some("MALFORMED_FUNCTION_CALL"));
    malformed["usageMetadata"] = figures;
    let figures = json!({ "input_tokens": 70, "output_tokens": 9 });
    let failed =
        json!({ "status": "failed", "error": { "code": "server_error", "message": "broken" }, "usage": figures });
    let delta = json!({ "type": "message_delta", "delta": {}, "usage": { "output_tokens": 9 } });
    let start = json!({ "type": "message_start", "message": { "usage": { "input_tokens": 70, "output_tokens": 1 } } });
    let error = json!({ "type": "error", "error": { "type": "api_error", "message": "broken" } });
    let cases = [
        (
            Wire::Chat,
            vec![chat(json!({ "content": "half" })), json!({ "choices": [], "usage": usage }), broken.clone()],
        ),
        (Wire::Chat, vec![json!({ "choices": [], "usage": usage })]),
        (Wire::Gemini, vec![spoken, broken]),
        (Wire::Gemini, vec![malformed]),
        (Wire::Responses, vec![json!({ "type": "response.failed", "response": failed })]),
        (Wire::Anthropic, vec![start, delta, error]),
    ];
    for (wire, messages) in cases {
        let said = read(wire, &messages).await;
        assert!(said.contains("usage: in 70, out 9") && said.contains("error: "), "{wire:?} {messages:?}\n{said}");
        assert_eq!(said.matches("usage: ").count(), 1, "{said}");
    }
}

#[tokio::test]
async fn thinking_beside_the_runs_is_counted() {
    let run = json!({ "input_tokens": 10, "output_tokens": 20 });
    let beside = [json!({ "output_tokens_details": { "thinking_tokens": 12 } }), json!({ "thinking_tokens": 12 })];
    for mut usage in beside {
        usage["iterations"] = json!([run, run]);
        let mut messages = message_of(vec![]);
        messages[1]["usage"] = usage;
        let said = read(Wire::Anthropic, &messages).await;
        assert!(said.contains("usage: in 20, out 40, reasoning 12"), "{said}");
    }
}

#[tokio::test]
async fn thoughts_in_details_alone_are_read() {
    let cases = [
        json!({ "reasoning_details": [{ "type": "reasoning.text", "text": "hm" }] }),
        json!({ "reasoning_details": [{ "type": "reasoning.summary", "summary": "hm" }] }),
        json!({ "reasoning": { "summary": "hm" } }),
        json!({ "reasoning": "hm", "reasoning_details": [{ "type": "reasoning.text", "text": "hm" }] }),
    ];
    for delta in cases {
        let end = json!({ "choices": [{ "index": 0, "delta": { "content": "Yes." }, "finish_reason": "stop" }] });
        let said = read(Wire::Chat, &[chat(delta.clone()), end]).await;
        assert_eq!(said, "thinking: hm\ntext: Yes.\nstop: \"end\"", "{delta}");
    }
}
