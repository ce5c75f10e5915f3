use std::collections::BTreeSet;

use aside_core::ToolCall;
use aside_llm::{Image, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::history::Part;

/// One exchange: words in the question, in what is shown beside it, in standing instructions before it, in each answer, in
/// each result and in what the provider wants back with each answer; results an answer.
#[derive(Clone, Debug, Default)]
struct Exchange {
    words: usize,
    shown: usize,
    standing: usize,
    answers: Vec<(usize, Vec<usize>)>,
    echo: usize,
    images: usize,
}

fn said(message: Message, part: Part) -> Said {
    Said { message, part }
}

fn text(name: &str, words: usize) -> String {
    format!("{name} {}", "word ".repeat(words))
}

fn exchange(number: usize, exchange: &Exchange) -> Vec<Said> {
    let mut history = Vec::new();
    if exchange.standing > 0 {
        history.push(said(Message::user(text("standing", exchange.standing)), Part::Standing));
    }
    if exchange.shown > 0 {
        let instead = format!("[Aside] Shown then: {number}.");
        history.push(said(Message::user(text("shown", exchange.shown)), Part::Shown { instead }));
    }
    let images = vec![Image { kind: "image/png".into(), base64: "AAAA".repeat(50_000) }; exchange.images];
    history.push(said(Message::User { text: text(&format!("{number}:"), exchange.words), images }, Part::Words));
    for (step, (words, results)) in exchange.answers.iter().enumerate() {
        let call = |index: usize| ToolCall {
            id: format!("{number}_{step}_{index}"),
            name: "doc_read".into(),
            args: json!({"path": "a.py"}),
            problem: None,
            from_text: false,
        };
        let calls: Vec<_> = (0..results.len()).map(call).collect();
        let answers = calls.iter().zip(results).map(|(call, words)| Message::ToolResult {
            call: call.id.clone(),
            name: call.name.clone(),
            text: text("result", *words),
            failed: false,
        });
        let results: Vec<_> = answers.collect();
        // As sealed thinking goes back, in place of text and calls or beside them.
        let echo = match (exchange.echo, step % 2) {
            (0, _) => Value::Null,
            (words, 0) => json!({ "content": [{ "type": "thinking", "thinking": text("thought", words) }] }),
            (words, _) => json!({ "reasoning": text("thought", words) }),
        };
        history.push(said(Message::Assistant { text: text("answer", *words), calls, echo }, Part::Other));
        history.extend(results.into_iter().map(|result| said(result, Part::Other)));
    }
    history
}

fn conversation(exchanges: &[Exchange]) -> Vec<Said> {
    exchanges.iter().enumerate().flat_map(|(number, shape)| exchange(number, shape)).collect()
}

fn plain(words: usize, results: &[usize]) -> Exchange {
    let mut answers: Vec<_> = results.iter().map(|result| (5, vec![*result])).collect();
    answers.push((5, vec![]));
    Exchange { words, answers, ..Exchange::default() }
}

fn room(input: u32) -> Room {
    Room { window: input, reserve: 0 }
}

fn fitted(history: &[Said], input: u32) -> Fitted {
    fit(0, history.to_vec(), room(input)).unwrap()
}

fn sizes(messages: &[Message]) -> usize {
    messages.iter().map(size).sum()
}

#[test]
fn what_fits_is_untouched() {
    let history = conversation(&[plain(10, &[5]), plain(10, &[])]);
    let fitted = fitted(&history, 10_000);
    assert_eq!(fitted.left_out, None);
    assert_eq!(fitted.messages, history.into_iter().map(|said| said.message).collect::<Vec<_>>());
}

#[test]
fn results_are_shortened_before_messages_are_left_out() {
    let fitted = fitted(&conversation(&[plain(10, &[2000]), plain(10, &[2000]), plain(10, &[2000])]), 9000);
    let left_out = fitted.left_out.unwrap();
    assert_eq!((left_out.messages, left_out.shortened), (0, 2));
    assert!(left_out.tokens_before > 9000 && left_out.tokens_after < 4000, "{left_out:?}");
}

#[test]
fn the_first_exchange_and_the_newest_stay_and_the_gap_is_named() {
    let exchanges: Vec<_> = (0..40).map(|_| plain(100, &[])).collect();
    let fitted = fitted(&conversation(&exchanges), 3000);
    let first_words = |message: &Message| match message {
        Message::User { text, .. } | Message::Assistant { text, .. } => {
            text.split(' ').take(3).collect::<Vec<_>>().join(" ")
        }
        Message::ToolResult { .. } => "result".to_owned(),
    };
    let told: Vec<String> = fitted.messages.iter().map(first_words).collect();
    assert_eq!(told[..4], ["0: word word", "answer word word", "[Aside] 56 older", "29: word word"]);
    assert_eq!(told[told.len() - 2..], ["39: word word", "answer word word"]);
    assert_eq!(fitted.left_out.unwrap().messages, 56);
}

#[test]
fn what_cannot_fit_is_said_in_plain_words() {
    let history = conversation(&[plain(10, &[]), Exchange { answers: vec![], ..plain(30_000, &[]) }]);
    let error = fit(super::fixed("Instructions.", &[]), history, Room::of(32_768)).unwrap_err();
    insta::assert_snapshot!(Failure::from(error), @"the instructions, the tools and this message need about 50144 tokens, but the model can read only 28672: 32768 in total, of which 4096 are reserved for its answer");
}

#[test]
fn a_message_that_was_too_large_does_not_stand_in_the_way_of_the_next() {
    let unanswered = |words| Exchange { answers: vec![], ..plain(words, &[]) };
    let history = conversation(&[unanswered(30_000), unanswered(10)]);
    let fitted = fitted(&history, 10_000);
    assert_eq!(fitted.messages.len(), 2, "{:?}", fitted.left_out);
    let history = conversation(&[plain(10, &[]), unanswered(30_000), plain(10, &[]), unanswered(10)]);
    let fitted = super::fit(0, history, room(10_000)).unwrap();
    assert_eq!(fitted.left_out.unwrap().messages, 1);
}

#[test]
fn images_count() {
    let with = |images| sizes(&[exchange(0, &Exchange { images, ..plain(1, &[]) }).remove(0).message]);
    assert_eq!(with(2) - with(0), 3200);
}

#[test]
fn a_long_turn_keeps_its_question_and_its_last_step() {
    let long = Exchange { answers: vec![(300, vec![3000]); 30], ..plain(20, &[]) };
    let fitted = fitted(&conversation(&[long]), 6000);
    assert!(matches!(&fitted.messages[0], Message::User { text, .. } if text.starts_with("0:")));
    let Message::ToolResult { call, text, .. } = fitted.messages.last().unwrap() else { panic!("a result is last") };
    assert_eq!((call.as_str(), text.len()), ("0_29_0", "result ".len() + 15_000));
}

fn exchanges() -> impl Strategy<Value = Vec<Exchange>> {
    let words = || prop_oneof![4 => 0usize..60, 1 => 0usize..1500];
    let seldom = || prop_oneof![4 => Just(0), 1 => 1usize..300];
    let answer = (words(), prop::collection::vec(words(), 0..4));
    let shape = (words(), words(), seldom(), prop::collection::vec(answer, 0..5), seldom(), 0usize..2).prop_map(
        |(words, shown, standing, answers, echo, images)| Exchange { words, shown, standing, answers, echo, images },
    );
    prop::collection::vec(shape, 1..12)
}

/// What goes before a conversation: tools, and what is kept free for the answer.
fn tools() -> impl Strategy<Value = Vec<ToolSpec>> {
    let tool = |words: usize| ToolSpec {
        name: "doc_read".into(),
        description: text("Reads", words),
        schema: json!({ "type": "object", "properties": { "path": { "type": "string", "description": text("where", words) } } }),
    };
    prop::collection::vec((0usize..60).prop_map(tool), 0..12)
}

fn standing(history: &[Said]) -> impl Iterator<Item = &Message> {
    history.iter().filter(|said| said.part == Part::Standing).map(|said| &said.message)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn never_over_budget_and_never_without_the_newest(
        exchanges in exchanges(), tools in tools(), input in 100u32..20_000, reserve in 0u32..5000, fixed in 0usize..3000
    ) {
        let history = conversation(&exchanges);
        let system = "x".repeat(fixed);
        let room = Room { window: input + reserve, reserve };
        let before = super::fixed(&system, &tools);
        match fit(before, history.clone(), room) {
            Ok(fitted) => {
                let sent = before + sizes(&fitted.messages);
                prop_assert!(sent <= input as usize, "{sent} of {input}");
                let words = history.iter().rfind(|said| said.part == Part::Words).unwrap();
                prop_assert!(fitted.messages.contains(&words.message));
                prop_assert!(standing(&history).all(|message| fitted.messages.contains(message)));
                if let Some(left_out) = fitted.left_out {
                    prop_assert_eq!(left_out.tokens_after, sent as u64);
                    prop_assert!(left_out.tokens_before > u64::from(input));
                    prop_assert!(left_out.messages + left_out.shortened > 0);
                }
            }
            // Even with results and shown files shortened there is no room for what is newest.
            Err(error) => prop_assert!(error.needed > input as usize && least(before, &history) > input as usize),
        }
    }

    #[test]
    fn no_call_without_result_and_order_and_roles_as_they_were(
        exchanges in exchanges(), tools in tools(), input in 2000u32..20_000, reserve in 0u32..5000
    ) {
        let history = conversation(&exchanges);
        let Ok(fitted) = fit(super::fixed("", &tools), history.clone(), Room { window: input + reserve, reserve }) else { return Ok(()) };
        let (mut called, mut answered) = (Vec::new(), Vec::new());
        for message in &fitted.messages {
            match message {
                Message::Assistant { calls, .. } => called.extend(calls.iter().map(|call| call.id.clone())),
                Message::ToolResult { call, .. } => answered.push(call.clone()),
                Message::User { .. } => prop_assert_eq!(&called, &answered),
            }
        }
        prop_assert_eq!(&called, &answered);
        prop_assert_eq!(called.iter().collect::<BTreeSet<_>>().len(), called.len());
        // What is not a sentence of ours stands in the conversation, in this order, whole or shortened.
        let mut rest = history.iter();
        for message in fitted.messages.iter().filter(|message| !is_gap(message)) {
            let is_it = |said: &Said| said.message == *message || units::shortened_form(said).as_ref() == Some(message);
            prop_assert!(rest.any(is_it), "{message:?}");
        }
    }

    #[test]
    fn what_was_sent_stays_the_beginning_until_there_is_no_more_room(
        exchanges in exchanges(), tools in tools(), input in 2000u32..20_000
    ) {
        let history = conversation(&exchanges);
        let mut before: Option<Vec<Message>> = None;
        for end in units::units(&history).iter().map(|unit| unit.messages.end) {
            let Ok(fitted) = fit(super::fixed("", &tools), history[..end].to_vec(), room(input)) else {
                before = None;
                continue;
            };
            if let Some(before) = before {
                let grown = sizes(&before) + history[..end].iter().rev().take(5).map(|said| size(&said.message)).sum::<usize>();
                prop_assert!(fitted.messages.starts_with(&before) || grown + GAPS + fixed("", &tools) > input as usize, "{grown} of {input}");
            }
            before = Some(fitted.messages);
        }
    }
}

fn is_gap(message: &Message) -> bool {
    matches!(message, Message::User { text, .. } if text.starts_with("[Aside]") && text.contains("omitted here"))
}
