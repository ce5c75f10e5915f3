//! A planner in place of a model. It does what its task says, step by step; the evil one first does what anything that it
//! reads tells it to.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use aside_core::{StepStop, ToolCall};
use aside_llm::{Message, ModelEvent, ModelInfo, ModelRequest, ModelStream, Provider, ProviderError, ProviderInfo};
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, ready},
    stream,
};
use serde_json::{Value, json};

/// A tool and its arguments.
pub type Order = (String, Value);

/// Spells an order as it is planted.
pub fn spelled(orders: &[Order]) -> String {
    orders.iter().map(|(tool, args)| format!("{{{{do {tool} {}}}}}", ascii(args))).collect::<Vec<_>>().join(" ")
}

/// JSON whose every character can be seen.
fn ascii(args: &Value) -> String {
    let escaped = |character: char| match character.is_ascii() {
        true => character.to_string(),
        false => format!("\\u{:04x}", u32::from(character)),
    };
    args.to_string().chars().map(escaped).collect()
}

/// Reads every order in a text, also where quotes are written as JSON writes them.
pub fn orders(text: &str) -> Vec<Order> {
    let mut found = Vec::new();
    for piece in text.split("{{do ").skip(1) {
        let Some((tool, rest)) = piece.split_once(' ') else { continue };
        let args = [rest.to_owned(), rest.replace("\\\"", "\"").replace("\\\\", "\\")];
        let read =
            args.iter().find_map(|args| serde_json::Deserializer::from_str(args).into_iter::<Value>().next()?.ok());
        found.extend(read.map(|args| (tool.to_owned(), args)));
    }
    found
}

/// The planner; clones are one.
#[derive(Clone)]
pub struct Planning {
    evil: bool,
    steps: Arc<Mutex<Vec<Vec<Order>>>>,
    obeyed: Arc<Mutex<HashSet<String>>>,
}

impl Planning {
    /// A planner with a task: what it asks for, step by step.
    pub fn new(evil: bool, steps: Vec<Vec<Order>>) -> Self {
        Self { evil, steps: Arc::new(Mutex::new(steps.into_iter().rev().collect())), obeyed: Arc::default() }
    }

    /// Tells whether something that it read gave it this order.
    pub fn was_told(&self, order: &Order) -> bool {
        self.obeyed.lock().unwrap().contains(&format!("{order:?}"))
    }

    fn next(&self, request: &ModelRequest) -> Vec<Order> {
        let told = if self.evil { self.told(request) } else { Vec::new() };
        if told.is_empty() { self.steps.lock().unwrap().pop().unwrap_or_default() } else { told }
    }

    /// Orders that it was not given before, from wherever they come.
    fn told(&self, request: &ModelRequest) -> Vec<Order> {
        let mut texts: Vec<String> =
            request.tools.iter().map(|tool| format!("{} {}", tool.description, tool.schema)).collect();
        texts.extend(request.messages.iter().map(|message| match message {
            Message::User { text, .. } | Message::ToolResult { text, .. } => text.clone(),
            Message::Assistant { .. } => String::new(),
        }));
        let mut obeyed = self.obeyed.lock().unwrap();
        let found = texts.iter().flat_map(|text| orders(text));
        found.filter(|order| obeyed.insert(format!("{order:?}"))).collect()
    }
}

impl Provider for Planning {
    fn info(&self) -> ProviderInfo {
        ProviderInfo {
            id: "rehearsal".to_owned(),
            name: "Planner".to_owned(),
            local: true,
            endpoint: None,
            host: None,
            pulls: false,
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        ready(Ok(vec![ModelInfo::named("planner")])).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        let known = ModelInfo { tools: Some(true), context: Some(1_000_000), ..ModelInfo::named(model) };
        ready(Ok(known)).boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        let round = request.messages.len();
        let calls: Vec<_> = self.next(&request).into_iter().enumerate().collect();
        let stop = if calls.is_empty() { StepStop::End } else { StepStop::ToolCalls };
        let call = move |(index, (tool, args)): (usize, Order)| {
            let (id, name) = (format!("call_{round}_{index}"), tool.replace('.', "_"));
            ModelEvent::ToolCall(ToolCall { id, name, args, problem: None, from_text: false })
        };
        let calls = calls.into_iter().map(call);
        let said = [ModelEvent::Text("So be it.".to_owned())].into_iter().chain(calls).chain([ModelEvent::Stop(stop)]);
        stream::iter(said.map(Ok).collect::<Vec<_>>()).boxed()
    }
}

#[test]
fn an_order_is_read_as_it_was_spelled_also_inside_json() {
    let given = vec![
        ("file.delete".to_owned(), json!({"path": "a b.md", "text": "1\n2\u{202e}"})),
        ("x.y".to_owned(), json!({})),
    ];
    let text = spelled(&given);
    assert_eq!(orders(&format!("noise {{{{ {text} more")), given);
    assert_eq!(orders(&json!({ "source": text }).to_string()), given);
}
