//! A question that the model asks: through the Gate, told as it is asked and answered.

use std::time::Instant;

use aside_core::{ActionRequest, Label, LabelSource, Outcome, ToolCall};
use aside_llm::Message;
use aside_protocol::MetaAgentLine;
use serde_json::{Value, json};

use super::{Answer, Over};

/// Questions that are about the current project where none is named, and how that is named.
const ABOUT_PROJECT: &[(&str, &str)] = &[("get_project_summary", "slug"), ("recommend_skills", "project")];

/// Asks it, and returns what the model is told. What is wrong with it is an answer, too.
pub async fn ask(answer: &Answer, call: &ToolCall, project: &str) -> Result<Message, Over> {
    let (id, name) = (call.id.clone(), call.name.clone());
    let args = arguments(call, project);
    let told = args.clone().unwrap_or_else(|_| call.args.clone());
    answer.say(MetaAgentLine::ToolCall { id: id.clone(), name: name.clone(), args: told, ts: answer.now() }).await?;
    let begun = Instant::now();
    let data = match args {
        Ok(args) => asked(answer, &name, args).await,
        Err(problem) => json!({ "error": problem }),
    };
    let ok = data.get("error").is_none();
    let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (text, ts) = (data.to_string(), answer.now());
    let line = MetaAgentLine::ToolResult { id: id.clone(), name: name.clone(), ok, data, duration_ms, ts };
    answer.say(line).await?;
    Ok(Message::ToolResult { call: id, name, text, failed: !ok })
}

/// The arguments, which may be JSON in a text; with the current project where it is meant.
fn arguments(call: &ToolCall, project: &str) -> Result<Value, String> {
    if let Some(problem) = &call.problem {
        return Err(format!("the arguments could not be read: {problem}"));
    }
    let mut args = match &call.args {
        Value::Null => json!({}),
        Value::String(text) => {
            serde_json::from_str(text).map_err(|error| format!("the arguments are not JSON: {error}"))?
        }
        other => other.clone(),
    };
    let Some(object) = args.as_object_mut() else { return Err("the arguments are no object".to_owned()) };
    if let Some((_, argument)) = ABOUT_PROJECT.iter().find(|(name, _)| *name == call.name) {
        object.entry(*argument).or_insert_with(|| project.into());
    }
    Ok(args)
}

async fn asked(answer: &Answer, name: &str, args: Value) -> Value {
    let error = |text: String| json!({ "error": text });
    if let Err(unknown) = aside_history::Tool::named(name) {
        return error(unknown.to_string());
    }
    let Ok(action) = format!("history.{name}").parse() else { return error(format!("no tool `{name}`")) };
    let mut submission = answer.submission.clone();
    let model = LabelSource::new(Label::Model, "the sidebar's model", "what a model asks for");
    submission.provenance.add(model);
    match answer.app.gate.submit(ActionRequest::new(action, args), submission).await {
        Ok(submitted) => match submitted.record.outcome {
            Some(Outcome::Done { observation }) => observation.data,
            Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => error(failure.message),
            _ => error("it waits for the person's word".to_owned()),
        },
        Err(problem) => error(problem.to_string()),
    }
}
