//! Answers of every shape, over every wire, in one snapshot.

use std::{fmt::Write as _, time::Duration};

use aside_llm::ModelEvent;
use aside_testkit::fake_models::{Answer, Call, Counts, Delivery, Ending, Part, Reply, Stop, Wire};
use futures_util::{StreamExt as _, future::ready};
use tokio::time::timeout;

use super::bench::{Bench, hello};

pub fn counts() -> Option<Counts> {
    Some(Counts { input: 100, output: 20, cache_read: 40, cache_write: 10, cache_write_hour: 4, reasoning: 5 })
}

pub fn thinking(text: &str) -> Part {
    Part::Thinking { text: text.to_owned(), signature: "c2ln".to_owned() }
}

/// An answer with a bit of everything.
pub fn rich() -> Answer {
    let answer = Answer { counts: counts(), ..Answer::default() };
    answer
        .with(thinking("Two files, déjà vu."))
        .with(Part::Text("I read both: 🦀 é.".to_owned()))
        .with(Part::Call(Call::new("call_a", "doc_read", r#"{"path":"naïve 🦀.py","lines":[1,2]}"#)))
        .with(Part::Call(Call::new("call_b", "file_list", "")))
}

fn cases() -> Vec<(&'static str, Answer)> {
    let call = |id: Option<&str>, args: &str| {
        Part::Call(Call { id: id.map(str::to_owned), name: "doc_read".to_owned(), args: args.to_owned() })
    };
    vec![
        ("text", Answer { counts: counts(), ..Answer::text("Hello there.") }),
        ("everything", rich()),
        ("empty", Answer::default()),
        ("no ids", Answer::default().with(call(None, "{}")).with(call(None, r#"{"a":1}"#))),
        ("one id twice", Answer::default().with(call(Some("x"), "{}")).with(call(Some("x"), r#"{"a":1}"#))),
        ("torn arguments", Answer { stop: Stop::Length, ..Answer::default().with(call(Some("x"), r#"{"path": "a"#)) }),
        ("arguments of another shape", Answer::default().with(call(Some("x"), "[1]"))),
        ("cut by the limit", Answer { stop: Stop::Length, ..Answer::text("And then") }),
        ("refused", Answer { stop: Stop::Refusal, ..Answer::text("No.") }),
        ("only a signature", Answer::text("Yes.").with(thinking(""))),
        (
            "sealed thinking",
            Answer::default().with(Part::Sealed("b3BhcXVl".to_owned())).with(Part::Text("Yes.".to_owned())),
        ),
        (
            "sealed thinking before calls",
            Answer::default()
                .with(Part::Sealed("b3BhcXVl".to_owned()))
                .with(call(Some("x"), "{}"))
                .with(call(Some("y"), "{}")),
        ),
    ]
}

#[tokio::test]
async fn answers_read_the_same_over_every_wire() {
    let mut book = String::new();
    for (name, answer) in cases() {
        writeln!(book, "## {name}").unwrap();
        for wire in Wire::ALL {
            let transcript = Bench::new(wire).await.transcript(Reply::answer(answer.clone())).await;
            writeln!(book, "-- {wire:?}\n{transcript}").unwrap();
        }
    }
    insta::assert_snapshot!("answers", book);
}

#[tokio::test]
async fn where_the_bytes_are_cut_changes_nothing() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        let whole = bench.transcript(Reply::answer(rich())).await;
        for piece in [1, 2, 3, 7, 64, 100_000] {
            let delivery = Delivery { piece: Some(piece), fragment: Some(3), ..Delivery::default() };
            assert_eq!(bench.transcript(Reply::Answer(rich(), delivery)).await, whole, "{wire:?} by {piece}");
        }
    }
}

#[tokio::test]
async fn a_huge_answer_arrives_whole() {
    for wire in Wire::ALL {
        let text = "x".repeat(3 << 20);
        let events = Bench::new(wire).await.events(Reply::answer(Answer::text(&text))).await;
        let whole = |event: &&Result<ModelEvent, _>| matches!(event, Ok(ModelEvent::Text(came)) if *came == text);
        assert_eq!(events.iter().filter(whole).count(), 1, "{wire:?}");
    }
}

#[tokio::test]
async fn pieces_come_while_the_answer_is_still_going_on() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        let delivery = Delivery::ending(Ending::Hang(4));
        bench.fake.play(Reply::Answer(Answer::text("one two three four five"), delivery));
        let mut said = bench.stream(hello()).filter(|event| ready(!matches!(event, Ok(ModelEvent::UsageSoFar(_)))));
        let first = timeout(Duration::from_secs(5), said.next()).await.unwrap();
        assert!(matches!(first, Some(Ok(ModelEvent::Text(text))) if text == "one "), "{wire:?}");
    }
}

#[tokio::test]
async fn a_dropped_stream_closes_the_connection_within_a_second() {
    for wire in Wire::ALL {
        let drip = Delivery { piece: Some(1), pause: Duration::from_millis(2), ..Delivery::ending(Ending::Endless) };
        for delivery in [Delivery::ending(Ending::Hang(4)), Delivery::ending(Ending::Endless), drip] {
            let bench = Bench::new(wire).await;
            bench.fake.play(Reply::Answer(Answer::text("one two three four five"), delivery.clone()));
            let mut stream = bench.stream(hello());
            stream.next().await.unwrap().unwrap();
            drop(stream);
            timeout(Duration::from_secs(1), bench.fake.departed(1))
                .await
                .unwrap_or_else(|_| panic!("{wire:?} {delivery:?}"));
        }
    }
}

/// Turns of the runtime in which what was sent over loopback has long arrived.
const LONG_ENOUGH: usize = 1000;

#[tokio::test]
async fn a_stream_dropped_before_the_answer_begins_closes_the_connection_too() {
    // Nothing at all came; or the head of an answer, and no byte of it.
    for (reply, turns) in [(Reply::Hang, 0), (headers_only(), LONG_ENOUGH)] {
        for wire in Wire::ALL {
            let bench = Bench::new(wire).await;
            bench.fake.play(reply.clone());
            let mut stream = bench.stream(hello());
            let asked = async {
                while bench.asked().is_empty() {
                    tokio::task::yield_now().await;
                }
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
            };
            tokio::select! {
                biased;
                event = stream.next() => panic!("{event:?}"),
                () = asked => {}
            }
            assert_eq!(bench.fake.begun(), usize::from(turns > 0), "{wire:?}");
            drop(stream);
            timeout(Duration::from_secs(1), bench.fake.departed(1)).await.unwrap_or_else(|_| panic!("{wire:?}"));
        }
    }
}

fn headers_only() -> Reply {
    Reply::Answer(Answer::text("never"), Delivery::ending(Ending::Hang(0)))
}
