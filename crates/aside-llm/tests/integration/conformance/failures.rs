//! What goes wrong, and what is said about it: in one snapshot, then the cases with a course of events.

use std::{fmt::Write as _, time::Duration};

use aside_core::{Secrets, Usage};
use aside_llm::{Limits, ModelEvent, Models, ProviderError};
use aside_testkit::fake_models::{Answer, Call, Delivery, Ending, Part, Reply, Wire};
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::time::timeout;

use super::bench::{Bench, CANARY, environment, hello, limits, model, nobody_there, transcript};

fn words() -> Answer {
    Answer::text("one two three four").with(Part::Call(Call::new("a", "doc_read", "{}")))
}

fn ending(ending: Ending) -> Reply {
    Reply::Answer(words(), Delivery::ending(ending))
}

fn failing(after: usize, kind: &str) -> Reply {
    ending(Ending::Error { after, kind: kind.to_owned(), message: "CUDA out of memory".to_owned() })
}

fn status(status: u16, retry_after: Option<&str>) -> Reply {
    Reply::Status { status, retry_after: retry_after.map(str::to_owned), message: "no, {authorization}".to_owned() }
}

fn other(kind: &str, body: &str) -> Reply {
    Reply::Other { kind: kind.to_owned(), body: body.to_owned() }
}

fn cases() -> Vec<(&'static str, Reply)> {
    vec![
        ("an error after some words", failing(5, "server_error")),
        ("too busy after some words", failing(5, "overloaded_error")),
        ("closed in the middle", ending(Ending::Close(4))),
        ("broken in the middle", ending(Ending::Break(4))),
        ("closed before anything", ending(Ending::Close(0))),
        ("a web page", other("text/html; charset=utf-8", "<html><body>Log in</body></html>")),
        ("a plain text", other("text/plain", "proxy says hello")),
        ("JSON of another shape", other("application/json", r#"{"status":"ok"}"#)),
        ("an error as a success", other("application/json", r#"{"error":{"message":"no such model"}}"#)),
        ("lines that are no protocol", other("application/octet-stream", "hello\nworld\n\ndata: {\n\n")),
        ("a redirect", Reply::Redirect { location: "http://127.0.0.1:1/steal".to_owned() }),
        ("a refused key", status(401, None)),
        ("an unknown model", status(404, None)),
        ("a bad request", status(400, None)),
        ("a broken server", status(500, None)),
        ("busy for an hour", status(429, Some("3600"))),
    ]
}

#[tokio::test]
async fn other_secrets_of_the_environment_are_masked() {
    const OTHER: &str = "hunter2-of-the-database";
    let quoting = |text: &str| format!("proxy at postgres://me:{text}@db refused");
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        bench.models.keep_out(Secrets::new([OTHER.to_owned()]));
        for reply in [
            Reply::Status { status: 400, retry_after: None, message: quoting(OTHER) },
            Reply::Status { status: 401, retry_after: None, message: quoting(OTHER) },
            ending(Ending::Error { after: 5, kind: "server_error".to_owned(), message: quoting(OTHER) }),
            other("application/json", &json!({ "error": { "message": quoting(OTHER) } }).to_string()),
            other("text/plain", &quoting(OTHER)),
            Reply::Redirect { location: format!("http://127.0.0.1:1/{OTHER}") },
        ] {
            let told = bench.transcript(reply).await;
            assert!(told.contains("error") && !told.contains("hunter2"), "{wire:?} {told}");
        }
    }
}

#[tokio::test]
async fn failures_say_what_where_and_what_to_try() {
    let mut book = String::new();
    for (name, reply) in cases() {
        writeln!(book, "## {name}").unwrap();
        for wire in Wire::ALL {
            let transcript = Bench::new(wire).await.transcript(reply.clone()).await;
            writeln!(book, "-- {wire:?}\n{transcript}").unwrap();
        }
    }
    assert!(!book.contains(CANARY));
    insta::assert_snapshot!("failures", book);
}

#[tokio::test]
async fn silence_is_an_error_and_no_hang() {
    let impatient = Limits { start: Duration::from_millis(200), idle: Duration::from_millis(200), ..limits() };
    for wire in Wire::ALL {
        for silent in [Reply::Hang, ending(Ending::Hang(0)), ending(Ending::Hang(4))] {
            let bench = Bench::with(wire, impatient).await;
            let said = bench.transcript(silent).await;
            assert!(
                said.contains("error: provider_silent: http://fake") && said.contains("sent nothing for 1 s"),
                "{said}"
            );
        }
    }
}

#[tokio::test]
async fn a_server_that_only_says_that_it_is_at_work_is_silent_in_the_end() {
    let impatient = Limits { working: Duration::from_millis(300), ..limits() };
    for wire in Wire::ALL {
        for after in [0, 4] {
            let bench = Bench::with(wire, impatient).await;
            let waiting =
                tokio::time::timeout(Duration::from_secs(20), bench.transcript(ending(Ending::Working(after))));
            let said = waiting.await.expect("it comes to an end");
            assert!(said.contains("error: provider_silent: http://fake"), "{wire:?} {said}");
        }
    }
}

#[tokio::test]
async fn an_answer_may_take_longer_than_any_silence() {
    let impatient = Limits { idle: Duration::from_millis(800), working: Duration::from_millis(800), ..limits() };
    for wire in Wire::ALL {
        let bench = Bench::with(wire, impatient).await;
        let delivery = Delivery { pause: Duration::from_millis(150), ..Delivery::default() };
        let answer = Answer::text("one two three four five six seven eight nine ten");
        let begun = std::time::Instant::now();
        let said = bench.transcript(Reply::Answer(answer, delivery)).await;
        assert!(begun.elapsed() > Duration::from_millis(1000), "slower than what is silence: {:?}", begun.elapsed());
        assert!(
            said.starts_with("text: one two") && said.contains("ten") && said.contains("stop: "),
            "{wire:?} {said}"
        );
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again_before_anything_was_said() {
    for wire in Wire::ALL {
        let date = Some("Sat, 01 Jan 2000 00:00:00 GMT");
        for busy in [status(429, Some("0")), status(429, date), status(529, None), status(503, None)] {
            let bench = Bench::new(wire).await;
            bench.fake.play(busy.clone());
            bench.fake.play(busy);
            let read = bench.transcript(Reply::answer(Answer::text("Now."))).await;
            let read: Vec<_> = read.lines().collect();
            let waits = read[..2].iter().all(|line| line.starts_with("waiting: "));
            assert!(waits && read[2] == "text: Now.", "{wire:?} {read:?}");
            assert_eq!(bench.asked().len(), 3);
        }
    }
}

#[tokio::test]
async fn a_busy_server_is_not_asked_a_fourth_time() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        (0..4).for_each(|_| bench.fake.play(status(503, None)));
        let events: Vec<_> = bench.stream(hello()).collect().await;
        let waiting = |event: &Result<_, _>| matches!(event, Ok(ModelEvent::Waiting(_)));
        assert!(events[..2].iter().all(waiting), "{events:?}");
        assert!(matches!(events[2..], [Err(ProviderError::Busy { .. })]), "{events:?}");
        assert_eq!(bench.asked().len(), 3);
    }
}

#[tokio::test]
async fn a_wait_is_said_and_who_stops_meanwhile_asks_no_more() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        bench.fake.play(status(429, Some("60")));
        let mut events = bench.stream(hello());
        let first = events.next().await.unwrap().unwrap();
        assert_eq!(first, ModelEvent::Waiting(Duration::from_secs(60)), "{wire:?}");
        assert!(timeout(Duration::from_millis(20), events.next()).await.is_err(), "it waits");
        drop(events);
        assert_eq!(bench.asked().len(), 1);
    }
}

#[tokio::test]
async fn what_was_read_is_known_when_an_answer_begins_that_does_not_come_to_its_end() {
    let bench = Bench::new(Wire::Anthropic).await;
    let whole = bench.events(Reply::answer(Answer::text("again"))).await;
    let begun = whole.iter().find_map(|event| match event {
        Ok(ModelEvent::UsageSoFar(usage)) => Some(usage),
        _ => None,
    });
    let ended = whole.iter().find_map(|event| match event {
        Ok(ModelEvent::Usage(usage)) => Some(usage),
        _ => None,
    });
    let (begun, ended) = (begun.unwrap(), ended.unwrap());
    let read = |usage: &Usage| (usage.input, usage.cache_read, usage.cache_write);
    assert!(begun.input.is_some() && read(begun) == read(ended), "{begun:?} {ended:?}");
    let broken = bench.events(failing(4, "overloaded_error")).await;
    assert!(matches!(&broken[0], Ok(ModelEvent::UsageSoFar(usage)) if usage.input.is_some()), "{broken:?}");
}

#[tokio::test]
async fn nothing_is_asked_again_after_the_first_word() {
    let bench = Bench::new(Wire::Anthropic).await;
    bench.fake.play(failing(4, "overloaded_error"));
    let read = bench.transcript(Reply::answer(Answer::text("again"))).await;
    assert!(read.contains("error: provider_busy"), "{read}");
    assert_eq!(bench.asked().len(), 1);
}

#[tokio::test]
async fn too_busy_before_the_first_word_is_asked_again() {
    let bench = Bench::new(Wire::Anthropic).await;
    bench.fake.play(failing(2, "overloaded_error"));
    let read = bench.transcript(Reply::answer(Answer::text("again"))).await;
    assert!(read.starts_with("waiting: 1ms\ntext: again"), "{read}");
    assert_eq!(bench.asked().len(), 2);
}

#[tokio::test]
async fn retry_after_is_handed_on() {
    let events = Bench::new(Wire::Chat).await.events(status(429, Some("3600"))).await;
    assert_eq!(events[0].as_ref().unwrap_err().retry_after(), Some(Duration::from_secs(3600)));
}

#[tokio::test]
async fn an_endless_answer_ends_at_the_limit() {
    for wire in Wire::ALL {
        let bench = Bench::with(wire, Limits { answer: 100_000, ..limits() }).await;
        let events = bench.events(ending(Ending::Endless)).await;
        assert!(matches!(events.last(), Some(Err(ProviderError::TooLarge { of: "answer", .. }))), "{wire:?}");
        assert!(events.len() > 10);
    }
}

#[tokio::test]
async fn an_endless_line_ends_at_the_limit() {
    for wire in Wire::ALL {
        let bench = Bench::with(wire, Limits { line: 1000, ..limits() }).await;
        let events = bench.events(Reply::answer(Answer::text(&"x".repeat(5000)))).await;
        assert!(matches!(events.last(), Some(Err(ProviderError::TooLarge { of: "line", .. }))), "{wire:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_at_once() {
    for wire in Wire::ALL {
        let gone = nobody_there();
        let provider = Models::discover(environment(wire, gone.clone(), limits())).provider(&model(wire)).unwrap();
        let events: Vec<_> = provider.stream(hello()).collect().await;
        let said = transcript(&events);
        let expected = format!("error: provider_unreachable: cannot reach {gone}");
        assert!(said.starts_with(&expected) && said.contains(": connection refused | Start "), "{said}");
    }
}

#[tokio::test]
async fn a_model_without_tools_is_told_from_other_refusals() {
    let bench = Bench::new(Wire::Ollama).await;
    let message = "registry.ollama.ai/library/tiny:latest does not support tools".to_owned();
    let events = bench.events(Reply::Status { status: 400, retry_after: None, message }).await;
    assert!(events[0].as_ref().unwrap_err().refuses_tools());
    let events = bench.events(status(400, None)).await;
    assert!(!events[0].as_ref().unwrap_err().refuses_tools());
}
