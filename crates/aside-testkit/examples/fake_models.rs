//! Serves one rich answer over all wires until it is stopped, to be tried with other people's clients.
//!
//! `cargo run -p aside-testkit --example fake_models`

use aside_testkit::fake_models::{Answer, Call, Counts, Delivery, FakeModels, OfferedModel, Part, Quirk, Reply};

#[tokio::main]
async fn main() {
    let fake = FakeModels::start().await;
    let counts = Some(Counts { input: 100, output: 20, cache_read: 40, cache_write: 10, reasoning: 5 });
    let answer = Answer { counts, ..Answer::default() }
        .with(Part::Thinking { text: "Let me see.".to_owned(), signature: "c2ln".to_owned() })
        .with(Part::Text("I read both: 🦀 é.".to_owned()))
        .with(Part::Call(Call::new("call_a", "doc_read", r#"{"path":"naïve.py","lines":[1,2]}"#)))
        .with(Part::Call(Call::new("call_b", "file_list", "")));
    let quirks = if std::env::args().any(|argument| argument == "--quirks") {
        vec![Quirk::CrLf, Quirk::Comments, Quirk::Padding]
    } else {
        Vec::new()
    };
    fake.otherwise(Reply::Answer(
        answer,
        Delivery { piece: Some(7), fragment: Some(5), quirks, ..Delivery::default() },
    ));
    fake.offer([OfferedModel {
        name: "fake".to_owned(),
        capabilities: Some(vec!["completion".to_owned()]),
        context: Some(4096),
        max_output: Some(1024),
    }]);
    println!("{}", fake.url());
    std::future::pending::<()>().await;
}
