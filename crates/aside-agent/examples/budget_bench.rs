//! Measures how long it takes to fit a conversation of a megabyte to what a model reads.
//!
//! `cargo run --release -p aside-agent --example budget_bench` prints `name<TAB>value<TAB>limit<TAB><TAB>` lines.

use std::time::{Duration, Instant};

use aside_agent::{
    budget::{Room, fit, least},
    history::{Part, Said},
};
use aside_core::ToolCall;
use aside_llm::Message;
use serde_json::{Value, json};

const BYTES: usize = 1 << 20;
const ROUNDS: usize = 200;

fn main() {
    for (name, step) in [("results of 8 kB", 8 << 10), ("messages of 100 bytes", 100)] {
        let history = conversation(step);
        for (much, window) in [("cut to 32,768 tokens", 32_768), ("not cut", 1 << 20)] {
            // The best of some rounds: with other work beside, the others say little.
            let best = (0..ROUNDS).map(|_| round(&history, window)).min().unwrap_or(Duration::MAX);
            let millis = best.as_secs_f64() * 1000.0;
            println!("budget of 1 MB, {name}, {much} (ms)\t{millis:.3}\t<=5\t\t");
        }
    }
}

fn round(history: &[Said], window: u32) -> Duration {
    let history = history.to_vec();
    let started = Instant::now();
    let needed = least(0, &history);
    let fitted = fit(0, history, Room::of(window));
    let elapsed = started.elapsed();
    assert!(needed < window as usize && fitted.is_ok_and(|fitted| !fitted.messages.is_empty()));
    elapsed
}

/// A megabyte of questions, calls and results of so many bytes.
fn conversation(step: usize) -> Vec<Said> {
    let mut history = Vec::new();
    let mut bytes = 0;
    while bytes < BYTES {
        let number = history.len();
        let text = "x = 1\n".repeat(step / 6);
        let call = |args| ToolCall {
            id: format!("call_{number}"),
            name: "doc_read".into(),
            args,
            problem: None,
            from_text: false,
        };
        let calls = vec![call(json!({"path": "a.py", "old": "x".repeat(step / 10), "lines": [number, number + 40]}))];
        let result = Message::ToolResult {
            call: calls[0].id.clone(),
            name: "doc_read".into(),
            text: text.clone(),
            failed: false,
        };
        history.push(Said { message: Message::user("And this one?"), part: Part::Words });
        let answer = Message::Assistant { text: "I look.".into(), calls, echo: Value::Null };
        history.extend([answer, result].map(|message| Said { message, part: Part::Other }));
        bytes += text.len() + step / 10 + 100;
    }
    history
}
