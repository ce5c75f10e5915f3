//! The latest turn of a thread as outputs of its cell. Pure.

use std::collections::BTreeMap;

use aside_agent::observation::told_of;
use aside_core::{ActionRecord, ModelRef, Origin, Outcome, ShownImage, StepStop, ThreadEventBody, ToolCall, TurnEnd};
use aside_llm::Image;
use serde_json::{Value, json};

use crate::tools::result_words;

/// Bytes of an image, as base64, that stands in an answer beside the cell that put it out.
const MOST_IMAGE: usize = 3 << 20;

/// Returns what the latest turn of a log is in a notebook, each output as the format has it; `saying` is the beginning of
/// an answer that still comes.
pub fn outputs(log: &[ThreadEventBody], saying: &str) -> Vec<Value> {
    let start = log.iter().rposition(|event| matches!(event, ThreadEventBody::TurnStarted { .. }));
    let Some(turn) = start.map(|start| &log[start..]) else { return Vec::new() };
    let ThreadEventBody::TurnStarted { model, .. } = &turn[0] else { return Vec::new() };
    let over = turn.iter().any(|event| matches!(event, ThreadEventBody::TurnEnded { .. }));
    let results = results(turn);
    let (mut outputs, mut steps) = (Vec::new(), 0);
    for event in turn {
        match event {
            ThreadEventBody::StepEnded { step, text, calls, stop, echo, .. } => {
                steps = *step;
                let is_whole =
                    matches!(stop, StepStop::End | StepStop::ToolCalls | StepStop::Length | StepStop::Refusal);
                let calls = if is_whole { &calls[..] } else { &[] };
                if !text.is_empty() {
                    let echo = if is_whole && calls.is_empty() { echo } else { &Value::Null };
                    outputs.push(text_output(text, model, *step, echo));
                }
                for (number, call) in calls.iter().enumerate() {
                    let result = results.get(&(*step, call.id.as_str()));
                    let echo = if number == 0 { echo } else { &Value::Null };
                    outputs.push(call_output(call, *step, echo, result));
                    match result {
                        Some(Came { text: Some((text, failed)), .. }) => {
                            outputs.push(result_output(call, *step, text, *failed));
                            outputs.extend(
                                result.and_then(|came| came.record).iter().flat_map(|record| images_of(call, record)),
                            );
                        }
                        // The others have not been begun.
                        _ => break,
                    }
                }
            }
            ThreadEventBody::TurnEnded { end, .. } => outputs.extend(end_output(end)),
            _ => (),
        }
    }
    if !over && !saying.is_empty() {
        outputs.push(text_output(saying, model, steps + 1, &Value::Null));
    }
    outputs
}

/// What came of a call: nothing yet if it waits.
struct Came<'a> {
    record: Option<&'a ActionRecord>,
    text: Option<(String, bool)>,
}

fn results(turn: &[ThreadEventBody]) -> BTreeMap<(u32, &str), Came<'_>> {
    let mut results = BTreeMap::new();
    let mut calls: BTreeMap<(u32, &str), &ToolCall> = BTreeMap::new();
    for event in turn {
        match event {
            ThreadEventBody::StepEnded { step, calls: made, .. } => {
                calls.extend(made.iter().map(|call| ((*step, call.id.as_str()), call)));
            }
            ThreadEventBody::ActionChanged { record } => {
                let Origin::Turn { step, call, .. } = &record.origin else { continue };
                let Some((at, asked)) = calls.get_key_value(&(*step, call.as_str())) else { continue };
                if record.parent.is_some() || record.undoes.is_some() {
                    continue;
                }
                // What the model was told first is what it was told.
                let told = || results_text(asked, record);
                let known = results.get_mut(at).and_then(|came: &mut Came<'_>| came.text.take());
                let text = known.or_else(|| record.state.is_final().then(told));
                results.insert(*at, Came { record: Some(&**record), text });
            }
            ThreadEventBody::Notice { step, call: Some(call), text, .. } => {
                let Some((at, asked)) = calls.get_key_value(&(*step, call.as_str())) else { continue };
                let text = match &asked.problem {
                    Some(problem) => format!("Error: Error parsing arguments: {problem}"),
                    None => format!("Error: {text}"),
                };
                results.insert(*at, Came { record: None, text: Some((text, true)) });
            }
            _ => (),
        }
    }
    results
}

fn results_text(call: &ToolCall, record: &ActionRecord) -> (String, bool) {
    let told = told_of(record);
    match result_words(call, record) {
        Some(words) => words,
        None if told.failed => (format!("Error: {}", told.text), true),
        None => (told.text, false),
    }
}

fn text_output(text: &str, model: &ModelRef, step: u32, echo: &Value) -> Value {
    let anode = json!({
        "role": "assistant", "ai_provider": model.provider, "ai_model": model.name, "iteration": step,
    });
    shown(json!({ "text/markdown": text }), anode, echo, None)
}

fn call_output(call: &ToolCall, step: u32, echo: &Value, came: Option<&Came<'_>>) -> Value {
    let arguments = match &call.args {
        Value::Object(_) if call.problem.is_none() => call.args.clone(),
        Value::String(raw) => json!({ "raw_arguments": raw }),
        other => json!({ "raw_arguments": other.to_string() }),
    };
    let status = match came.and_then(|came| came.text.as_ref()) {
        Some((_, true)) => "error",
        Some((_, false)) => "success",
        None => "pending",
    };
    let action = came.and_then(|came| came.record).map(|record| record.envelope.id.to_string());
    let words = format!("{} ({status})", call.name);
    let data = json!({
        "application/vnd.anode.aitool+json": {
            "tool_call_id": call.id, "tool_name": call.name, "arguments": arguments, "status": status,
            "timestamp": came.and_then(|came| came.record).map(|record| record.created),
            "result": came.and_then(|came| came.text.as_ref()).map(|(text, _)| text),
        },
        "text/markdown": format!("`{}` {status}", call.name),
        "text/plain": words,
    });
    shown(data, json!({ "role": "function_call", "iteration": step }), echo, action)
}

fn result_output(call: &ToolCall, step: u32, text: &str, failed: bool) -> Value {
    let status = if failed { "error" } else { "success" };
    let data = json!({
        "application/vnd.anode.aitool.result+json": { "tool_call_id": call.id, "result": text, "status": status },
        "text/plain": text,
    });
    shown(data, json!({ "role": "tool", "iteration": step }), &Value::Null, None)
}

/// What a call has shown, each as an output of its own that names where it is kept: [`with_images`] puts it there.
fn images_of(call: &ToolCall, record: &ActionRecord) -> Vec<Value> {
    let Some(Outcome::Done { observation }) = &record.outcome else { return Vec::new() };
    let output = |image: ShownImage| {
        let mut output = shown(json!({}), json!({ "role": "image" }), &Value::Null, None);
        output["metadata"]["aside"] = json!({ "of": call.id, "kept": image });
        output
    };
    ShownImage::all_in(&observation.data).into_iter().map(output).collect()
}

/// Puts images into the outputs that show them, so that the notebook has them whatever becomes of this workspace. One that is
/// lost, or too large to be there twice, is left out.
pub(crate) fn with_images(outputs: Vec<Value>, load: impl Fn(&ShownImage) -> Option<Image>) -> Vec<Value> {
    let with_image = |mut output: Value| {
        let kept = output.pointer("/metadata/aside/kept").cloned().unwrap_or_default();
        let Ok(kept) = serde_json::from_value::<ShownImage>(kept) else { return Some(output) };
        let Image { kind, base64 } = load(&kept).filter(|image| image.base64.len() <= MOST_IMAGE)?;
        output["metadata"]["aside"] = json!({ "of": output["metadata"]["aside"]["of"] });
        output["data"] = json!({ kind: base64 });
        Some(output)
    };
    outputs.into_iter().filter_map(with_image).collect()
}

fn shown(data: Value, anode: Value, echo: &Value, action: Option<String>) -> Value {
    let mut metadata = json!({ "anode": anode });
    if !echo.is_null() {
        metadata["aside"]["echo"] = echo.clone();
    }
    if let Some(action) = action {
        metadata["aside"]["action"] = action.into();
    }
    json!({ "output_type": "display_data", "data": data, "metadata": metadata })
}

fn end_output(end: &TurnEnd) -> Option<Value> {
    let error = |name: &str, value: &str, hint: Option<&str>| {
        let lines: Vec<&str> = std::iter::once(value).chain(hint).collect();
        Some(json!({ "output_type": "error", "ename": name, "evalue": value, "traceback": lines }))
    };
    match end {
        TurnEnd::Done => None,
        TurnEnd::OutOfBudget { steps, .. } | TurnEnd::StepLimit { steps } => Some(json!({
            "output_type": "display_data", "metadata": {},
            "data": { "text/markdown": format!("Reached maximum iterations ({steps}). To continue, run a cell with the next instruction.") },
        })),
        TurnEnd::HandOff { offer } => error("HandOff", &offer.reason, None),
        TurnEnd::Stopped => error("Stopped", "the answer was stopped by the user", None),
        TurnEnd::Interrupted => {
            error("Interrupted", "the server stopped before the answer was complete", Some("run the cell again"))
        }
        TurnEnd::Failed { failure } => error(&failure.code, &failure.message, failure.hint.as_deref()),
    }
}
