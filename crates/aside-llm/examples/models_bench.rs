//! Measures how fast answers are read, and how much later than its bytes the first word is there.
//!
//! `cargo run --release -p aside-llm --example models_bench -- FOLDER`; the streams that were read are left in the
//! folder, for other programs to read the same. Prints `name<TAB>value<TAB>limit<TAB><TAB>` lines.

#![allow(clippy::disallowed_methods, reason = "measured streams are left for another program to read")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    time::{Duration, Instant},
};

use aside_llm::{
    Api, Environment, Message, ModelEvent, ModelRequest, Models, Service,
    bytes::{Format, read},
};
use aside_testkit::fake_models::{Answer, Call, Counts, Delivery, FakeModels, Part, Reply, Wire, rendered};
use futures_util::StreamExt as _;

const WIRES: [(&str, Wire, Format); 5] = [
    ("ollama", Wire::Ollama, Format::Ollama),
    ("chat", Wire::Chat, Format::Chat),
    ("responses", Wire::Responses, Format::Responses),
    ("anthropic", Wire::Anthropic, Format::Messages),
    ("gemini", Wire::Gemini, Format::Gemini),
];
/// Words of the recorded answers: some hundred kilobytes on every wire, read before another program gets its turn.
const WORDS: usize = 1600;
const ROUNDS: usize = 300;
/// As much as a connection usually hands over at once.
const PIECE: usize = 16 << 10;
const FIRST_WORDS: usize = 1000;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder for the streams is named");
    for (name, wire, format) in WIRES {
        let stream = rendered(wire, &long_answer(), &Delivery { fragment: Some(40), ..Delivery::default() });
        fs::write(Path::new(&folder).join(name), &stream).expect("the folder can be written");
        println!("reading {name} (MB/s)\t{:.1}\t>=200\t\t", megabytes_a_second(format, &stream));
    }
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let (ours, bare) = runtime.block_on(first_words());
    // In turn on the same machine, so that what else it has to do is in both.
    let added = |part| percentile(&ours, part) - percentile(&bare, part);
    println!("first word, added to a bare socket's, median (ms)\t{:.3}\t\t\t", added(0.5));
    println!("first word, added to a bare socket's, p99 (ms)\t{:.3}\t<=2\t\t", added(0.99));
}

/// Words, thoughts, and a call with long arguments.
fn long_answer() -> Answer {
    let counts = Some(Counts { input: 1000, output: 30_000, ..Counts::default() });
    let text = "some words of an ordinary length, naïve and 🦀 ".repeat(WORDS / 8);
    let args = format!(r#"{{"path":"a.py","text":"{}"}}"#, "x = 1\\n".repeat(WORDS / 10));
    Answer { counts, ..Answer::default() }
        .with(Part::Thinking { text: text.chars().take(text.len() / 4).collect(), signature: "c2ln".to_owned() })
        .with(Part::Text(text))
        .with(Part::Call(Call::new("call_a", "doc_edit", &args)))
}

/// The best of some rounds: with other work beside, the others say little.
fn megabytes_a_second(format: Format, stream: &[u8]) -> f64 {
    let round = |_| {
        let started = Instant::now();
        let answer = read(format, stream.chunks(PIECE));
        assert!(matches!(answer.events.last(), Some(ModelEvent::Stop(_))), "{:?}", answer.problem);
        started.elapsed()
    };
    let best = (0..ROUNDS).map(round).min().unwrap_or(Duration::MAX);
    stream.len() as f64 / 1e6 / best.as_secs_f64()
}

/// Returns our times and a bare socket's, in order, taken in turn against the same server.
async fn first_words() -> (Vec<Duration>, Vec<Duration>) {
    let fake = FakeModels::start().await;
    fake.otherwise(Reply::answer(Answer::text("Hello")));
    let base = fake.base_url(Wire::Chat);
    let service = Service { api: Some(Api::Chat), ..Service::new("openai", Some(base), None) };
    let models = Models::discover(Environment { services: vec![service], ..Environment::default() });
    let provider = models.provider(&"openai/fake".parse().expect("that is a name")).expect("it is set up");
    let request =
        ModelRequest { model: "fake".to_owned(), messages: vec![Message::user("Hello")], ..ModelRequest::default() };
    let address = fake.url().trim_start_matches("http://").to_owned();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for round in 0..FIRST_WORDS + 50 {
        let started = Instant::now();
        let mut events = provider.stream(request.clone());
        let first = events.next().await;
        let elapsed = started.elapsed();
        assert!(matches!(first, Some(Ok(ModelEvent::Text(_)))), "{first:?}");
        while events.next().await.is_some() {}
        let address = address.clone();
        let socket = tokio::task::spawn_blocking(move || bare_word(&address)).await.expect("it does not panic");
        // The first rounds open the connections.
        if round >= 50 {
            ours.push(elapsed);
            bare.push(socket);
        }
    }
    ours.sort_unstable();
    bare.sort_unstable();
    (ours, bare)
}

/// The time from a request on an open connection to the bytes of the first word.
fn bare_word(address: &str) -> Duration {
    let body = r#"{"model":"fake","messages":[{"role":"user","content":"Hello"}],"stream":true}"#;
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).expect("the fake listens");
    stream.set_nodelay(true).expect("a socket takes the option");
    let started = Instant::now();
    stream.write_all(request.as_bytes()).expect("the fake reads");
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    while !seen.windows(7).any(|window| window == b"\"Hello\"") {
        let count = stream.read(&mut piece).expect("the fake answers");
        assert!(count > 0, "the fake said no word");
        seen.extend_from_slice(&piece[..count]);
    }
    started.elapsed()
}

fn percentile(sorted: &[Duration], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0
}
