//! Serves one rich answer over all wires until it is stopped, to be tried with other people's clients.
//!
//! `cargo run -p aside-testkit --example fake_models [-- --quirks|--crlf|--busy|--failing]`

use aside_testkit::fake_models::{
    Answer, Call, Counts, Delivery, Ending, FakeModels, OfferedModel, Part, Quirk, Reply,
};

#[tokio::main]
async fn main() {
    let fake = FakeModels::start().await;
    let counts =
        Some(Counts { input: 100, output: 20, cache_read: 40, cache_write: 10, cache_write_hour: 4, reasoning: 5 });
    let answer = Answer { counts, ..Answer::default() }
        .with(Part::Thinking { text: "Let me see.".to_owned(), signature: "c2ln".to_owned() })
        .with(Part::Text("I read both: 🦀 é.".to_owned()))
        .with(Part::Call(Call::new("call_a", "doc_read", r#"{"path":"naïve.py","lines":[1,2]}"#)))
        .with(Part::Call(Call::new("call_b", "file_list", "")));
    let habit = std::env::args().nth(1).unwrap_or_default();
    let (mut quirks, mut ending) = (Vec::new(), Ending::Whole);
    match &*habit {
        "--quirks" => quirks = vec![Quirk::CrLf, Quirk::Comments, Quirk::Padding],
        "--crlf" => quirks = vec![Quirk::CrLf],
        "--failing" => {
            let [kind, message] = ["server_error", "It broke"].map(str::to_owned);
            ending = Ending::Error { after: 3, kind, message };
        }
        _ => {}
    }
    let delivery = Delivery { piece: Some(7), fragment: Some(5), quirks, ending, ..Delivery::default() };
    fake.otherwise(match &*habit {
        "--busy" => Reply::Status { status: 429, retry_after: None, message: "Too much to do".to_owned() },
        _ => Reply::Answer(answer, delivery),
    });
    fake.offer([OfferedModel {
        name: "fake".to_owned(),
        capabilities: Some(vec!["completion".to_owned()]),
        context: Some(4096),
        max_output: Some(1024),
    }]);
    println!("{}", fake.url());
    std::future::pending::<()>().await;
}
