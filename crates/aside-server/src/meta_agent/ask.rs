//! A question that the model asks: through the Gate, told as it is asked and answered.

use std::{
    path::{Component, Path},
    time::Instant,
};

use aside_core::{ActionRequest, Label, LabelSource, Outcome, Timestamp, ToolCall};
use aside_llm::Message;
use aside_protocol::{MetaAgentBounds, MetaAgentLine};
use serde_json::{Map, Value, json};

use super::{Answer, Over};

/// Questions that are about the current project where none is named, and how that is named.
const ABOUT_PROJECT: &[(&str, &str)] = &[
    ("get_project_summary", "slug"),
    ("recommend_skills", "project"),
    ("find_sessions_in_path", "project"),
    ("find_sessions_touching_file", "project"),
    ("get_file_risk", "project"),
];

/// Asks it, and returns what the model is told. What is wrong with it is an answer, too.
pub async fn ask(answer: &Answer, call: &ToolCall, project: &str) -> Result<Message, Over> {
    let (id, name) = (call.id.clone(), call.name.clone());
    let args = arguments(call, project, answer.asked.bounds.as_ref());
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

/// The arguments, which may be JSON in a text; with the current project where it is meant, and within the person's bounds.
fn arguments(call: &ToolCall, project: &str, bounds: Option<&MetaAgentBounds>) -> Result<Value, String> {
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
    let Some(object) = args.as_object_mut() else { return Err("the arguments are not an object".to_owned()) };
    if let Some((_, argument)) = ABOUT_PROJECT.iter().find(|(name, _)| *name == call.name) {
        object.entry(*argument).or_insert_with(|| project.into());
    }
    bounds.into_iter().for_each(|bounds| bound(object, bounds));
    Ok(args)
}

/// What the person said counts; a model may look at less, but not at more.
fn bound(object: &mut Map<String, Value>, bounds: &MetaAgentBounds) {
    let MetaAgentBounds { since, until, source, workspace, timezone } = bounds;
    // How much later the model's moment is than the person's; what is no plain time can't be told.
    let later = |name: &str, said: &str| {
        let asked: Timestamp = object.get(name)?.as_str()?.parse().ok()?;
        Some(asked.0.saturating_sub(said.parse::<Timestamp>().ok()?.0))
    };
    let less = |name: &str, said: &str| match name {
        "since" => later(name, said).is_some_and(|by| by > 0),
        "until" => later(name, said).is_some_and(|by| by < 0),
        "workspace" => object.get(name).and_then(Value::as_str).is_some_and(|asked| is_below(asked, said)),
        _ => false,
    };
    let said =
        [("since", since), ("until", until), ("source", source), ("workspace", workspace), ("timezone", timezone)];
    let said = said.into_iter().filter_map(|(name, said)| Some((name, said.as_deref()?)));
    let counting: Vec<(&str, &str)> = said.filter(|(name, said)| !less(name, said)).collect();
    object.extend(counting.into_iter().map(|(name, said)| (name.to_owned(), said.into())));
}

/// Tells whether a path is one below a folder, and nothing leads out of it again.
fn is_below(path: &str, folder: &str) -> bool {
    let path = Path::new(path);
    path.is_absolute() && path.starts_with(folder) && !path.components().any(|part| part == Component::ParentDir)
}

async fn asked(answer: &Answer, name: &str, args: Value) -> Value {
    let error = |text: String| json!({ "error": text });
    if let Err(unknown) = aside_history::Tool::named(name) {
        return error(unknown.to_string());
    }
    let Ok(action) = format!("history.{name}").parse() else { return error(format!("no tool `{name}`")) };
    let mut submission = answer.submission.clone();
    let model = LabelSource::new(Label::Model, "the sidebar's model", "a model's request");
    submission.provenance.add(model);
    match answer.app.gate.submit(ActionRequest::new(action, args), submission).await {
        Ok(submitted) => match submitted.record.outcome {
            Some(Outcome::Done { observation }) => observation.data,
            Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => error(failure.message),
            _ => error("it waits for your decision".to_owned()),
        },
        Err(problem) => error(problem.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_looks_at_no_more_than_the_person_said() {
        let june = |day: u32| format!("2026-06-{day:02}T00:00:00Z");
        let bounds = MetaAgentBounds {
            since: Some(june(5)),
            until: Some(june(20)),
            source: Some("claude".into()),
            ..Default::default()
        };
        let bound = |args: Value| {
            let call = json!({ "id": "1", "name": "get_cost_summary", "args": args });
            let call: ToolCall = serde_json::from_value(call).unwrap();
            arguments(&call, "/w", Some(&bounds)).unwrap()
        };
        let whole = json!({ "since": june(5), "until": june(20), "source": "claude" });
        assert_eq!(bound(json!({})), whole);
        assert_eq!(bound(json!({ "since": june(1), "until": june(30), "source": "codex" })), whole);
        assert_eq!(bound(json!({ "since": "30d" })), whole);
        assert_eq!(bound(json!({ "since": june(7), "until": june(9) }))["since"], june(7));
        let bounds = MetaAgentBounds { workspace: Some("/w".into()), ..Default::default() };
        for (asked, counts) in [("/w/src", "/w/src"), ("/w/../x", "/w"), ("/wx", "/w"), ("x", "/w"), ("w", "/w")] {
            let mut object = json!({ "workspace": asked }).as_object().unwrap().clone();
            super::bound(&mut object, &bounds);
            assert_eq!(object["workspace"], counts, "{asked}");
        }
        assert_eq!(bound(json!({ "since": june(7), "until": june(9) }))["until"], june(9));
    }
}
