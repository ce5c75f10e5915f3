//! What an action did to files, as other programs tell it of their calls: changes of lines as they were shown before, and what was read.

use serde_json::{Value, json};

use crate::{
    reader::json,
    record::{Mode, Touch},
    touch::absolute,
};

/// What an action was told; where it was taken back, what would do that.
pub fn arguments(name: &str, record: &Value, is_back: bool) -> Value {
    let args = json::at(record, "envelope.args").cloned().unwrap_or_default();
    let path = &args["path"];
    match name {
        "file.move" if is_back => json!({ "from": args["to"], "to": args["from"] }),
        "file.create" if args["folder"] == json!(true) => json!({}),
        "doc.create" | "file.create" if is_back => json!({ "path": path, "deleted": true }),
        "file.create" => json!({ "path": path, "text": args["text"].as_str().unwrap_or_default() }),
        "doc.edit" | "doc.restore" | "doc.format" => match changes(record, is_back) {
            Some(changes) => json!({ "path": path, "edits": changes }),
            None if is_back => json!({ "path": path }),
            None => args,
        },
        // How it was before is not told.
        _ if is_back => json!({ "path": path }),
        _ => args,
    }
}

/// The lines that were shown before, each with its number; backwards if it was taken back.
fn changes(record: &Value, is_back: bool) -> Option<Vec<Value>> {
    let mut files = json::list(record, "preview.body.files");
    let (file, None) = (files.next()?, files.next()) else { return None };
    if file.get("cell").is_some_and(|cell| !cell.is_null()) {
        return None;
    }
    let lines = |hunk: &Value, name: &str| -> Vec<String> {
        json::list(hunk, name).filter_map(Value::as_str).map(|line| format!("{line}\n")).collect()
    };
    let (mut came, mut went) = (0, 0);
    let change = |hunk: &Value| {
        let (old, new, start) = (lines(hunk, "old"), lines(hunk, "new"), json::count(hunk, "start"));
        let then = (start + came).saturating_sub(went);
        (came, went) = (came + new.len() as u64, went + old.len() as u64);
        let (start, old, new) = if is_back { (then, new, old) } else { (start, old, new) };
        json!({ "start": start, "old": old.concat(), "new": new.concat() })
    };
    Some(json::list(file, "hunks").map(change).collect())
}

/// What an action gave to read, as Claude Code tells it of a file.
pub fn read(name: &str, record: &Value) -> Option<Value> {
    if !matches!(name, "doc.read" | "file.read") {
        return None;
    }
    let data = json::at(record, "outcome.observation.data")?;
    let text = data.get("text")?.as_str()?;
    let (start, end, lines) = (json::count(data, "start").max(1), json::count(data, "end"), json::count(data, "lines"));
    // Of a file that was cut, how much is missing is not told.
    let lines = if data["cut"] == json!(true) { u64::MAX } else { lines };
    Some(
        json!({ "file": { "content": text, "startLine": start, "numLines": (end + 1).saturating_sub(start), "totalLines": lines } }),
    )
}

/// The two files of an action that brings one elsewhere: where it is then, and where it was.
pub fn moved(name: &str, arguments: &Value, workspace: Option<&str>) -> Option<Vec<Touch>> {
    let mode = match name {
        "file.move" => Mode::Delete,
        "file.copy" => Mode::Read,
        _ => return None,
    };
    let touch = |of: &str, mode| Some(Touch { path: absolute(json::text(arguments, of)?, workspace), mode });
    Some(vec![touch("to", Mode::Write)?, touch("from", mode)?])
}
