//! The tools of an AI cell, and the actions that they stand for.

use std::{collections::BTreeMap, sync::Arc};

use aside_agent::fence::fenced;
use aside_core::{ActionRecord, ActionRequest, Descriptor, Failure, Outcome, ToolCall, Version, WorkspacePath};
use aside_llm::ToolSpec;
use serde_json::{Value, json};

/// Seconds that a cell may run if the model doesn't say.
const PATIENCE: u64 = 30;

/// Returns the tools whose actions are among these.
pub fn tools(offered: &[Arc<Descriptor>]) -> Vec<ToolSpec> {
    let text = |words: &str| json!({ "type": "string", "description": words });
    let id = || text("The id of the cell.");
    let all = [
        (
            "create_cell",
            "cell.insert",
            "Create a cell below another one.",
            json!({
                "source": text("The cell's text."), "after_id": text("The id of the cell above it."),
                "cellType": {"type": "string", "enum": ["code", "markdown", "ai", "sql"], "description": "Default: code."},
                "connection": text("For an SQL cell: the database file, relative to the notebook's folder. Default: the kernel's data frames."),
                "result": text("For an SQL cell: the variable for the result. Default: `result`."),
            }),
            &["source", "after_id"][..],
        ),
        (
            "modify_cell",
            "cell.set",
            "Replace the whole text of a cell. Refused if the cell was changed since you saw it.",
            json!({
                "cellId": id(), "source": text("The cell's whole new text."),
                "version": text("The version you saw, if `read_cell` or a refusal named one."),
            }),
            &["cellId", "source"],
        ),
        (
            "execute_cell",
            "cell.run",
            "Run a code or SQL cell and return its outputs.",
            json!({
                "cellId": id(), "timeout": {"type": "integer", "description": "Time limit in seconds, after which the run is interrupted. Default: 30."},
            }),
            &["cellId"],
        ),
        (
            "read_cell",
            "notebook.read",
            "Read a cell with its version and outputs, or more of one output.",
            json!({
                "cellId": id(), "output": {"type": "integer", "description": "Only the output with this number; the first is 1."},
                "start": {"type": "integer", "description": "The first line to read; the first is 1."},
            }),
            &["cellId"],
        ),
        ("delete_cell", "cell.delete", "Delete a cell.", json!({ "cellId": id() }), &["cellId"][..]),
        (
            "move_cell",
            "cell.move",
            "Move a cell below another one.",
            json!({
                "cellId": id(), "after_id": text("The id of the cell above it."),
            }),
            &["cellId", "after_id"],
        ),
        ("interrupt_kernel", "kernel.interrupt", "Interrupt the kernel.", json!({}), &[][..]),
    ];
    let is_offered = |action: &str| offered.iter().any(|descriptor| descriptor.name.as_str() == action);
    let offered = all.into_iter().filter(|(_, action, ..)| is_offered(action));
    let spec = |(name, _, description, properties, required): (&str, &str, &str, Value, &[&str])| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({ "type": "object", "properties": properties, "required": required }),
    };
    offered.map(spec).collect()
}

/// Returns the request that a call stands for, or what to tell the model. `seen`: the versions of the cells as the model saw
/// them.
pub fn request(
    call: &ToolCall,
    path: &WorkspacePath,
    seen: &BTreeMap<String, Version>,
) -> Result<ActionRequest, String> {
    if let Some(problem) = &call.problem {
        return Err(format!("Error parsing arguments: {problem}"));
    }
    let args = &call.args;
    let text = |name: &str| args[name].as_str().map(str::to_owned);
    let source = || text("source").or_else(|| text("content"));
    let missing = |names: &[(&str, bool)]| {
        let names: Vec<&str> = names.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
        if names.is_empty() { Ok(()) } else { Err(format!("Missing required parameters: {}", names.join(", "))) }
    };
    let cell = || text("cellId").unwrap_or_default();
    let need_cell = || {
        if text("cellId").is_some() { Ok(()) } else { Err(format!("{}: cellId is required", call.name)) }
    };
    // A cell that the model has not seen has no version: the refusal shows it.
    let version = |cell: &str| {
        let known = || seen.get(cell).map_or_else(|| "not-seen".to_owned(), Version::to_string);
        text("version").unwrap_or_else(known)
    };
    let (action, mut args) = match call.name.as_str() {
        "create_cell" => {
            missing(&[("source", source().is_some()), ("after_id", text("after_id").is_some())])?;
            let kind = text("cellType").unwrap_or_else(|| "code".to_owned());
            let mut cell = json!({ "kind": kind, "source": source() });
            for name in ["connection", "result"] {
                if let Some(said) = text(name) {
                    cell[name] = said.into();
                }
            }
            ("cell.insert", json!({ "after": text("after_id"), "cells": [cell] }))
        }
        "modify_cell" => {
            need_cell()?;
            missing(&[("source", source().is_some())])?;
            ("cell.set", json!({ "cell": cell(), "version": version(&cell()), "source": source() }))
        }
        "execute_cell" => {
            need_cell()?;
            let seconds = args["timeout"].as_u64().unwrap_or(PATIENCE).clamp(1, 3600);
            ("cell.run", json!({ "cells": [cell()], "timeout": seconds, "wait": true }))
        }
        "read_cell" => {
            need_cell()?;
            let mut wanted = json!({ "cells": [cell()] });
            for name in ["output", "start"] {
                if let Some(number) = args[name].as_u64() {
                    wanted[name] = number.into();
                }
            }
            ("notebook.read", wanted)
        }
        "delete_cell" => {
            need_cell()?;
            ("cell.delete", json!({ "cells": [{ "cell": cell(), "version": version(&cell()) }] }))
        }
        "move_cell" => {
            need_cell()?;
            missing(&[("after_id", text("after_id").is_some())])?;
            ("cell.move", json!({ "cell": cell(), "after": text("after_id") }))
        }
        "interrupt_kernel" => ("kernel.interrupt", json!({})),
        other => return Err(format!("Unknown tool: {}", other.chars().take(60).collect::<String>())),
    };
    args["path"] = json!(path);
    Ok(ActionRequest::new(action.parse().expect("these are names of actions"), args))
}

/// The words of a result, where they are those of the tool and not of its action; and whether it failed.
pub fn result_words(call: &ToolCall, record: &ActionRecord) -> Option<(String, bool)> {
    let observation = match &record.outcome {
        Some(Outcome::Done { observation }) => observation,
        Some(Outcome::Failed { failure }) => return failure_words(call, failure).map(|words| (words, true)),
        _ => return None,
    };
    let (data, cell) = (&observation.data, call.args["cellId"].as_str().unwrap_or_default());
    let source = || call.args["source"].as_str().or(call.args["content"].as_str()).unwrap_or_default();
    match call.name.as_str() {
        "create_cell" => {
            let kind = call.args["cellType"].as_str().unwrap_or("code");
            Some((format!("Created {kind} cell: {}", data["cells"][0]["cell"].as_str()?), false))
        }
        "modify_cell" => Some((format!("Modified cell {cell} with {} characters", source().chars().count()), false)),
        "execute_cell" => {
            let ran = &data["cells"][0];
            let (words, failed) = match (data["stopped"].as_str(), ran["state"].as_str()) {
                (Some(why), _) if data["late"] == true => {
                    let seconds = call.args["timeout"].as_u64().unwrap_or(PATIENCE);
                    (format!("Error: Execution timeout after {seconds} seconds for cell {cell}: {why}"), true)
                }
                (Some(why), _) => (format!("Execution of cell {cell} was stopped: {why}"), true),
                (None, Some("ok")) => (format!("Cell {cell} executed successfully"), false),
                _ => {
                    let why = ran["problem"]["message"].as_str().map(|why| format!(": {why}")).unwrap_or_default();
                    (format!("Error: Execution failed for cell {cell}{why}"), true)
                }
            };
            let mut texts: Vec<String> =
                ran["outputs"].as_array().into_iter().flatten().filter_map(output_words).collect();
            if let Some(more @ 1..) = ran["left_out"].as_u64() {
                texts.push(format!("{more} more outputs are omitted: read each with `read_cell` and `output`"));
            }
            if texts.is_empty() {
                return Some((words, failed));
            }
            // What it put out is somebody else's words.
            let data = fenced(&texts.join(". "), &record.told_from(), record.envelope.id.as_str());
            Some((format!("{words}. {data}"), failed))
        }
        _ => None,
    }
}

/// The words of a failure, where they are those of the tool: the action's name other tools.
fn failure_words(call: &ToolCall, failure: &Failure) -> Option<String> {
    let named = |name: &str| call.args[name].as_str().unwrap_or_default().chars().take(80).collect::<String>();
    let words = match (call.name.as_str(), failure.code.as_str()) {
        ("create_cell", "no_such_cell") => format!("Cell with ID {} not found", named("after_id")),
        ("execute_cell", "not_code") => {
            let kind = failure.data["kind"].as_str().unwrap_or("another kind");
            format!("execute_cell: Only code cells can be executed, got {kind}")
        }
        (tool @ ("modify_cell" | "delete_cell" | "read_cell"), "no_such_cell")
        | (tool @ "execute_cell", "not_found") => {
            format!("{tool}: Cell not found: {}", named("cellId"))
        }
        _ => return None,
    };
    Some(format!("Error: {words}"))
}

fn output_words(output: &Value) -> Option<String> {
    let text = output["text"].as_str()?.trim();
    let (head, body) = text.split_once('\n').unwrap_or(("", text));
    let body = if matches!(head, "stdout:" | "stderr:" | "value:" | "shown:") { body } else { text };
    let word = match output["type"].as_str()? {
        "result" | "display" => "Result",
        "error" => "Error",
        _ => "Output",
    };
    Some(format!("{word}: {}", body.trim()))
}
