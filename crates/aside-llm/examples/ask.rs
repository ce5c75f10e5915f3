//! Asks a model one question, with the servers and keys of the environment, and prints what comes as it comes.
//!
//! `cargo run -p aside-llm --example ask -- ollama/qwen2.5-coder:7b "What is a tide?"`; without a model, lists them.

use std::error::Error;

use aside_core::ModelRef;
use aside_llm::{Environment, Message, ModelRequest, Models, Permits, Said, ToolSpec};
use futures_util::StreamExt as _;
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let models = Models::discover(Environment::from_process());
    let hosts = models.status().await.into_iter().filter_map(|status| Some((status.info.id, status.info.host?)));
    // Whoever runs this says so.
    let said = Said { local_only: false, allowed: hosts.collect() };
    let models = models.permitted_by(Permits::always(said));
    let mut arguments = std::env::args().skip(1);
    let Some(model) = arguments.next() else {
        for status in models.status().await {
            println!("{status:#?}");
        }
        return Ok(());
    };
    let model: ModelRef = model.parse()?;
    let schema = json!({ "type": "object", "properties": { "place": { "type": "string" } }, "required": ["place"] });
    let request = ModelRequest {
        model: model.name.clone(),
        system: "Answer in one sentence. Call the tool when it helps.".to_owned(),
        messages: vec![Message::user(arguments.next().unwrap_or_else(|| "Hello".to_owned()))],
        tools: vec![ToolSpec {
            name: "tide_at".to_owned(),
            description: "Tells the height of the tide at a place.".to_owned(),
            schema,
        }],
        ..ModelRequest::default()
    };
    let mut events = models.provider(&model)?.stream(request);
    while let Some(event) = events.next().await {
        println!("{:?}", event?);
    }
    Ok(())
}
