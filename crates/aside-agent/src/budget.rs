//! Keeps a conversation within what a model can read: the first exchange and the newest stay.
//!
//! Old exchanges go several at a time, so that the beginning stays the same from message to message and
//! providers can cache it. A call never loses its result.

use aside_llm::{Message, ModelRequest, ToolSpec};

use serde_json::json;

use crate::fence::shortened;

/// Exchanges that are left out at once.
const STRIDE: usize = 4;
/// Bytes that stay of an old result when nothing else helps.
const STUB: usize = 400;

/// Returns the messages that fit into about this many tokens.
pub fn fit(messages: Vec<Message>, tokens: usize) -> Vec<Message> {
    let mut exchanges = exchanges(messages);
    if total(&exchanges) > tokens {
        leave_out(&mut exchanges, tokens);
    }
    let mut messages: Vec<Message> = exchanges.into_iter().flatten().collect();
    shorten_results(&mut messages, tokens);
    messages
}

/// About how many tokens a request has; rather too many than too few.
pub fn tokens(request: &ModelRequest) -> u64 {
    let messages: usize = request.messages.iter().map(size).sum();
    (fixed(&request.system, &request.tools) + messages) as u64
}

/// About how many tokens go before the conversation.
pub fn fixed(system: &str, tools: &[ToolSpec]) -> usize {
    estimate(system) + tools.iter().map(|tool| estimate(&json!(tool).to_string())).sum::<usize>()
}

/// Three bytes a token: code has many short ones.
fn estimate(text: &str) -> usize {
    text.len().div_ceil(3)
}

fn size(message: &Message) -> usize {
    8 + match message {
        Message::User { text, .. } | Message::ToolResult { text, .. } => estimate(text),
        Message::Assistant { text, calls, echo } => {
            let calls: usize = calls.iter().map(|call| estimate(&call.name) + estimate(&call.args.to_string())).sum();
            estimate(text) + calls + if echo.is_null() { 0 } else { estimate(&echo.to_string()) }
        }
    }
}

fn total(exchanges: &[Vec<Message>]) -> usize {
    exchanges.iter().flatten().map(size).sum()
}

/// An exchange starts where the model's side is over.
fn exchanges(messages: Vec<Message>) -> Vec<Vec<Message>> {
    let mut exchanges: Vec<Vec<Message>> = Vec::new();
    for message in messages {
        let is_user = matches!(message, Message::User { .. });
        match exchanges.last_mut() {
            Some(exchange) if !is_user || matches!(exchange.last(), Some(Message::User { .. })) => {
                exchange.push(message)
            }
            _ => exchanges.push(vec![message]),
        }
    }
    exchanges
}

fn leave_out(exchanges: &mut Vec<Vec<Message>>, tokens: usize) {
    let most = exchanges.len().saturating_sub(2);
    let mut count = 0;
    while count < most && total(exchanges) - total(&exchanges[1..=count]) > tokens {
        count = (count + STRIDE).min(most);
    }
    if count > 0 {
        let gone: usize = exchanges.drain(1..=count).map(|exchange| exchange.len()).sum();
        let text = format!("[Aside] {gone} older messages are left out here.");
        exchanges[1].insert(0, Message::user(text));
    }
}

fn shorten_results(messages: &mut [Message], tokens: usize) {
    let mut total: usize = messages.iter().map(size).sum();
    let newest = messages.len().saturating_sub(1);
    for message in &mut messages[..newest] {
        if total <= tokens {
            return;
        }
        let before = size(message);
        if let Message::ToolResult { text, .. } = message
            && text.len() > 2 * STUB
        {
            *text = shortened(text, STUB);
        }
        total -= before - size(message);
    }
}

#[cfg(test)]
mod tests {
    use aside_core::ToolCall;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn user(text: String) -> Message {
        Message::user(text)
    }

    fn exchange(number: usize, words: usize, calls: usize) -> Vec<Message> {
        let call = |index: usize| ToolCall {
            id: format!("{number}_{index}"),
            name: "doc_read".into(),
            args: json!({}),
            problem: None,
            from_text: false,
        };
        let calls: Vec<_> = (0..calls).map(call).collect();
        let results = calls.iter().map(|call| Message::ToolResult {
            call: call.id.clone(),
            name: call.name.clone(),
            text: "result ".repeat(words),
            failed: false,
        });
        let results: Vec<_> = results.collect();
        let text = "word ".repeat(words);
        let mut messages = vec![user(format!("{number}: {text}"))];
        messages.push(Message::Assistant { text, calls, echo: Value::Null });
        messages.extend(results);
        messages
    }

    #[test]
    fn what_fits_is_untouched() {
        let messages = exchange(1, 10, 1);
        assert_eq!(fit(messages.clone(), 10_000), messages);
    }

    #[test]
    fn the_same_exchanges_stay_out_for_a_while() {
        let conversation = |count| (0..count).flat_map(|number| exchange(number, 50, 0)).collect::<Vec<_>>();
        let second = |count| match &fit(conversation(count), 2000)[2] {
            Message::User { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        };
        assert!(second(16).contains("left out"), "{}", second(16));
        assert_eq!(second(16), second(17));
    }

    proptest! {
        #[test]
        fn the_ends_stay_and_no_call_loses_its_result(
            shape in prop::collection::vec((0usize..200, 0usize..3), 1..30),
            tokens in 0usize..20_000,
        ) {
            let all: Vec<Vec<Message>> =
                shape.iter().enumerate().map(|(number, (words, calls))| exchange(number, *words, *calls)).collect();
            let messages: Vec<Message> = all.iter().flatten().cloned().collect();
            let kept = fit(messages.clone(), tokens);
            prop_assert_eq!(&kept[0], &messages[0]);
            let newest_question = &all.last().unwrap()[0];
            prop_assert!(kept.contains(newest_question));
            let ids = |wanted: fn(&Message) -> Vec<String>| kept.iter().flat_map(wanted).collect::<Vec<_>>();
            let called = ids(|message| match message {
                Message::Assistant { calls, .. } => calls.iter().map(|call| call.id.clone()).collect(),
                _ => vec![],
            });
            let answered = ids(|message| match message {
                Message::ToolResult { call, .. } => vec![call.clone()],
                _ => vec![],
            });
            prop_assert_eq!(called, answered);
            if messages.iter().map(size).sum::<usize>() <= tokens {
                prop_assert_eq!(kept, messages);
            }
        }
    }
}
