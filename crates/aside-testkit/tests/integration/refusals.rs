//! What a server refuses and would have taken otherwise: tools it was not started for, and more than its model reads.
//!
//! The path is the real one: agent, Gate, actions, workspace, adapters, HTTP.
#![allow(clippy::disallowed_methods, reason = "the tests prepare the workspace as another program would")]

mod scene;

use aside_core::{ThreadEventBody, TurnEnd};
use aside_testkit::fake_models::{Answer, FakeModels, Reply};
use serde_json::Value;

use scene::{CONTEXT, Scene};

/// What vLLM says that was started without a parser of calls.
const NO_TOOLS: &str = "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set";
const TOO_LONG: &str =
    "This model's maximum context length is 16384 tokens. However, your messages resulted in 20000 tokens.";

fn refusal(message: &str) -> Reply {
    Reply::Status { status: 400, retry_after: None, message: message.to_owned() }
}

fn ready() -> Reply {
    Reply::answer(Answer::text("ready"))
}

/// The bodies of what a model was asked.
fn asked(fake: &FakeModels) -> Vec<Value> {
    fake.requests().into_iter().map(|request| request.body).filter(|body| body["stream"] == true).collect()
}

fn has_tools(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_takes_no_tools_is_asked_for_text_from_then_on() {
    let scene = Scene::new(&[]).await;
    [refusal(NO_TOOLS), ready(), ready()].into_iter().for_each(|reply| scene.fake.play(reply));
    assert_eq!(scene.turn("hello", None).await, TurnEnd::Done);
    assert_eq!(scene.turn("and again", None).await, TurnEnd::Done);
    let asked = asked(&scene.fake);
    assert_eq!(asked.iter().map(has_tools).collect::<Vec<_>>(), [true, false, false]);
    // How to answer in text is said in place of the tools.
    let told = |body: &Value| body["messages"][0]["content"].as_str().unwrap_or_default().len();
    assert!(told(&asked[1]) > told(&asked[0]) + 500, "{} {}", told(&asked[0]), told(&asked[1]));
    let status = scene.models.status().await;
    let model = status.iter().flat_map(|provider| &provider.models).find(|model| model.name == "fake").unwrap();
    assert_eq!(model.tools, Some(false), "the page can say so");
    let notices = scene.events().into_iter().filter(|event| matches!(event, ThreadEventBody::Notice { .. })).count();
    assert_eq!(notices, 1, "the thread says it once");
    // Who asks for the list again may have started the server otherwise.
    scene.models.fetch("vllm").await.unwrap();
    scene.fake.play(ready());
    scene.turn("once more", None).await;
    assert!(has_tools(&self::asked(&scene.fake)[3]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_of_tools_counts_towards_no_limit() {
    let scene = Scene::new(&[]).await;
    [refusal(NO_TOOLS), ready()].into_iter().for_each(|reply| scene.fake.play(reply));
    assert_eq!(scene.turn("hello", None).await, TurnEnd::Done);
    assert_eq!(scene.agents.spending().calls().unwrap().len(), 1, "one call was made");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_too_long_is_cut_and_sent_again() {
    let words = "Every line of this file is like the others, and none of them is needed. \n".repeat(250);
    let scene = Scene::new(&[("long.md", &words), ("short.md", "A line.\n")]).await;
    scene.fake.play(ready());
    assert_eq!(scene.turn("look at this", Some("long.md")).await, TurnEnd::Done);
    [refusal(TOO_LONG), ready(), ready()].into_iter().for_each(|reply| scene.fake.play(reply));
    assert_eq!(scene.turn("and at this", Some("short.md")).await, TurnEnd::Done);
    let asked = asked(&scene.fake);
    let length = |body: &Value| body["messages"].to_string().len();
    assert!(length(&asked[2]) < length(&asked[1]) - 5000, "{} {}", length(&asked[1]), length(&asked[2]));
    let left_out = scene.events().into_iter().rev().find_map(|event| match event {
        ThreadEventBody::StepEnded { left_out, .. } => Some(left_out),
        _ => None,
    });
    assert!(left_out.flatten().is_some(), "the thread says what was left out");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_t_be_cut_is_told_in_the_server_s_words() {
    let scene = Scene::new(&[]).await;
    scene.fake.otherwise(refusal(TOO_LONG));
    let TurnEnd::Failed { failure } = scene.turn("hello", None).await else { panic!("it was refused") };
    assert!(failure.message.contains("maximum context length is 16384"), "{}", failure.message);
    assert!(asked(&scene.fake).len() <= 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_of_numbers_stays_within_what_the_model_reads() {
    // As many digits as would be twice the context, if each were a token: as they are for many models.
    let row =
        |row: usize| (0..8).map(|column| format!("{}.{:04}", row % 7, row * 37 + column * 1009)).collect::<Vec<_>>();
    let table: String = (0..900).map(|number| row(number).join(",") + "\n").collect();
    let scene = Scene::new(&[("a.csv", &table), ("b.csv", &table), ("c.csv", &table)]).await;
    for file in ["a.csv", "b.csv", "c.csv"] {
        scene.fake.play(ready());
        assert_eq!(scene.turn("sum this up", Some(file)).await, TurnEnd::Done);
    }
    for body in asked(&scene.fake) {
        let digits = body["messages"].to_string().bytes().filter(u8::is_ascii_digit).count();
        assert!(digits < CONTEXT as usize, "{digits} digits in one request");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_of_money_asks_for_no_longer_an_answer_than_there_is_room_for() {
    let words = "Every line of this file is like the others, and none of them is needed. \n".repeat(250);
    let scene = Scene::elsewhere(&[("long.md", &words)]).await;
    scene.limit("[limits]\nday = 50\n[prices.\"openai/fake\"]\ninput = 1\noutput = 2\n");
    scene.fake.play(ready());
    assert_eq!(scene.turn("look at this", Some("long.md")).await, TurnEnd::Done);
    let body = asked(&scene.fake).remove(0);
    let input = u64::try_from(body.to_string().len()).unwrap() / 4;
    let most = body["max_completion_tokens"].as_u64().unwrap();
    assert!((1024..=u64::from(CONTEXT) - input).contains(&most), "{most} beside {input}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_estimate_is_no_less_than_what_is_sent() {
    let words = "Every line of this file is like the others, and none of them is needed. \n".repeat(60);
    let numbers = "0.25,17,3.125,2041\n".repeat(200);
    let files = [("here.md", &*words), ("there.csv", &*numbers)];
    let scene = Scene::new(&files).await;
    let text = "compare this with @there.csv";
    let estimate = scene.estimate(text, "here.md", &files).await;
    scene.fake.play(ready());
    assert_eq!(scene.turn(text, Some("here.md")).await, TurnEnd::Done);
    let body = asked(&scene.fake).remove(0);
    // Three bytes a token, and a digit is one.
    let sent = body["messages"].to_string() + &body["tools"].to_string();
    let digits = sent.bytes().filter(u8::is_ascii_digit).count();
    let least = (sent.len() - digits) / 4 + digits;
    assert!(estimate >= least as u64, "{estimate} for {least}");
    assert!(estimate < 2 * least as u64, "and not twice as much: {estimate} for {least}");
}
