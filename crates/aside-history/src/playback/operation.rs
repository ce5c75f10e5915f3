//! What a call did to files, by its arguments in the words of all programs.

use serde_json::Value;

use super::{blocks, changed::changed, lines::Change, notebook, patch::patch};
use crate::{
    reader::json::{list, said, text},
    record::{Call, Mode, Touch},
    touch::{PATCH, absolute, heredoc},
};

/// What was done to a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// It was read.
    Seen {
        /// What was read.
        text: String,
        /// That was all of it.
        whole: bool,
        /// It is the text itself, and not what a program makes of it to show it.
        exact: bool,
    },
    /// It was written anew.
    Written {
        /// All of it.
        text: String,
        /// The whole text before, where the log has it; empty if it was not there.
        before: Option<String>,
    },
    /// Pieces of it were replaced.
    Edited {
        /// What is replaced by what, in order.
        edits: Vec<Edit>,
        /// The whole text before, where the log has it.
        before: Option<String>,
    },
    /// Lines of it were replaced by a patch.
    Patched(Vec<Change>),
    /// Lines of it were replaced otherwise: what is not told of stays, an end that is missing at its end, too.
    Lines(Vec<Change>),
    /// It was made of another one, which is gone then, with lines replaced.
    Moved {
        /// Where that one was.
        from: String,
        /// The lines.
        changes: Vec<Change>,
    },
    /// A cell of a notebook was changed.
    Cell {
        /// Its id, or its number.
        cell: String,
        /// What it says now; none if it was deleted.
        source: Option<String>,
        /// It is a new one, of this kind, after the one that is named.
        new: Option<String>,
    },
    /// It was deleted.
    Deleted,
    /// It was changed in a way that the log doesn't tell.
    Unknown,
}

/// A piece that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub old: String,
    pub new: String,
    /// Wherever it is, and not only the first time.
    pub all: bool,
}

/// What a call did, file by file; nothing if it touched none.
pub fn of(call: &Call, arguments: &Value, result: Option<&Value>) -> Vec<(String, Operation)> {
    if let Some(text) = patch_of(arguments) {
        let here = |path: &str| whole(path, call);
        return patch(text)
            .into_iter()
            .flat_map(|file| match file.moved {
                // What it had elsewhere goes on here.
                Some(to) => {
                    let from = here(&file.path);
                    let changes = match file.operation {
                        Operation::Patched(changes) => changes,
                        _ => Vec::new(),
                    };
                    vec![(here(&to), Operation::Moved { from: from.clone(), changes }), (from, Operation::Deleted)]
                }
                None => vec![(here(&file.path), file.operation)],
            })
            .collect();
    }
    if let Some(changes) = arguments.get("changes").and_then(Value::as_object) {
        return changed(changes, |path| whole(path, call));
    }
    if let (Some(_), Some(_), [to, from]) = (text(arguments, "from"), text(arguments, "to"), &call.touches[..]) {
        let moved = Operation::Moved { from: from.path.clone(), changes: Vec::new() };
        let gone = (from.mode == Mode::Delete).then(|| (from.path.clone(), Operation::Deleted));
        return std::iter::once((to.path.clone(), moved)).chain(gone).collect();
    }
    let Some(touch) = call.touches.first() else { return Vec::new() };
    let operation = match touch.mode {
        Mode::Delete => Operation::Deleted,
        Mode::Read => match seen(arguments, result) {
            Some(seen) => seen,
            None => return Vec::new(),
        },
        Mode::Write => written(&call.name, arguments, result),
    };
    vec![(touch.path.clone(), operation)]
}

/// The text of a patch in the form of `apply_patch`, which may stand in the line of a shell.
fn patch_of(arguments: &Value) -> Option<&str> {
    let bare = ["input", "patch", "patchText"].into_iter().find_map(|name| text(arguments, name));
    let words = || list(arguments, "command").filter_map(Value::as_str);
    let bare = bare.or_else(|| words().nth(1)).filter(|text| text.trim_start().starts_with(PATCH));
    let lines = ["command", "cmd"].into_iter().filter_map(|name| text(arguments, name));
    bare.or_else(|| lines.chain(words()).find_map(|line| Some(heredoc(line)?.1)))
}

/// A path of a patch as it stands among the files that its call touched: from the root.
fn whole(path: &str, call: &Call) -> String {
    let path = absolute(path, None);
    let ends = |touch: &&Touch| touch.path == path || touch.path.ends_with(&format!("/{path}"));
    call.touches.iter().find(ends).map_or(path.clone(), |touch| touch.path.clone())
}

/// One of several names for the same argument.
fn named<'a>(arguments: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| arguments.get(name)?.as_str())
}

fn seen(arguments: &Value, result: Option<&Value>) -> Option<Operation> {
    let result = result?;
    if let Some(text) = notebook::shown(result) {
        return Some(Operation::Seen { text, whole: false, exact: false });
    }
    if let Some(content) = result.pointer("/file/content").and_then(Value::as_str) {
        let number = |name: &str| result.pointer(&format!("/file/{name}")).and_then(Value::as_u64);
        let first = number("startLine").unwrap_or(1);
        let whole =
            first <= 1 && number("totalLines").is_none_or(|all| number("numLines").is_none_or(|read| read >= all));
        return Some(Operation::Seen { text: content.to_owned(), whole, exact: true });
    }
    let shown = match result {
        Value::String(text) => text.clone(),
        other => said(other.get("content").or(Some(other))),
    };
    if shown.is_empty() {
        return None;
    }
    let ranged =
        ["offset", "limit", "start_line", "end_line", "view_range"].iter().any(|name| arguments.get(name).is_some());
    // Gemini and Qwen say so before what they show of a longer file.
    let (shown, cut) = match shown.split_once("--- FILE CONTENT (truncated) ---\n") {
        Some((head, rest)) if head.contains("truncated") => (rest, true),
        _ => (shown.as_str(), false),
    };
    let (text, numbered, more) = without_numbers(shown);
    Some(Operation::Seen { text, whole: !ranged && !cut && !more, exact: numbered })
}

/// Without the numbers before lines, if the first line has one, and without what is told after them; whether there were any, and whether there
/// may be more of the file.
fn without_numbers(shown: &str) -> (String, bool, bool) {
    let bare = |line: &str| {
        let (number, rest) = line.split_once(['\t', '→'])?;
        let number: usize = number.trim_start().parse().ok()?;
        Some((number, rest.to_owned()))
    };
    let Some((first, _)) = shown.lines().next().and_then(bare) else { return (shown.to_owned(), false, false) };
    let numbered = |(place, line): (usize, &str)| bare(line).filter(|(number, _)| *number == first + place);
    let lines: Vec<String> = shown.lines().enumerate().map_while(numbered).map(|(_, text)| text).collect();
    let after = shown.lines().skip(lines.len()).find(|line| !line.trim().is_empty());
    (lines.join("\n"), true, first > 1 || after.is_some_and(|line| !line.starts_with("<system-reminder>")))
}

const OLD: &[&str] = &["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
const NEW: &[&str] = &["new_string", "new_str", "newString", "newText", "new_text", "replace"];
/// A sketch with gaps, such as Cursor's `code_edit`, is not among them: what came of it is not told.
const CONTENT: &[&str] = &["content", "file_text", "contents", "text", "new_content"];
/// Tools whose content may be the changes of a file instead.
const CHANGES: &[&str] = &["editedExistingFile", "appliedDiff", "apply_diff", "replace_in_file"];

fn written(name: &str, arguments: &Value, result: Option<&Value>) -> Operation {
    let before = before(result);
    if let Some(change) = cell(arguments) {
        // Newer versions tell the whole file.
        let after = result.and_then(|result| text(result, "updated_file"));
        return after.map_or(change, |after| Operation::Written { text: after.to_owned(), before });
    }
    if arguments.get("deleted") == Some(&Value::Bool(true)) {
        return Operation::Deleted;
    }
    // Lines of a cell are no lines of its notebook's file.
    if text(arguments, "cell").is_some() {
        return Operation::Unknown;
    }
    let changes: Option<Vec<Change>> = list(arguments, "edits").map(change).collect();
    if let Some(changes) = changes.filter(|changes| !changes.is_empty()) {
        return Operation::Lines(changes);
    }
    let edits: Vec<Edit> = list(arguments, "edits").filter_map(edit).collect();
    if !edits.is_empty() {
        return Operation::Edited { edits, before };
    }
    if let Some(edit) = edit(arguments) {
        return Operation::Edited { edits: vec![edit], before };
    }
    let told = || named(arguments, &["diff"]).or_else(|| named(arguments, CONTENT));
    if CHANGES.contains(&name)
        && let Some(told) = told()
    {
        let is_diff = told.lines().any(|line| line.starts_with("@@ ")) || named(arguments, &["diff"]).is_some();
        let text = || told.to_owned();
        let otherwise = || if is_diff { Operation::Unknown } else { Operation::Written { text: text(), before } };
        return blocks::told(told).unwrap_or_else(otherwise);
    }
    match named(arguments, CONTENT) {
        Some(content) => Operation::Written { text: content.to_owned(), before },
        None => Operation::Unknown,
    }
}

/// The whole text before, where what came of the call has it; empty if that says that it made the file.
fn before(result: Option<&Value>) -> Option<String> {
    let result = result?;
    let made = || (text(result, "type") == Some("create")).then_some("");
    named(result, &["originalFile", "originalContent"]).or_else(made).map(str::to_owned)
}

/// Lines that become others, as Aside tells them.
fn change(edit: &Value) -> Option<Change> {
    let lines = |name: &str| Some(edit.get(name)?.as_str()?.lines().map(str::to_owned).collect());
    let at = edit.get("start").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    Some(Change { after: None, at, old: lines("old")?, new: lines("new")? })
}

fn edit(arguments: &Value) -> Option<Edit> {
    let (old, new) = (named(arguments, OLD)?, named(arguments, NEW)?);
    let all = ["replace_all", "replaceAll"].iter().any(|name| arguments.get(name) == Some(&Value::Bool(true)));
    Some(Edit { old: old.to_owned(), new: new.to_owned(), all })
}

fn cell(arguments: &Value) -> Option<Operation> {
    let source = named(arguments, &["new_source"]);
    let mode = text(arguments, "edit_mode");
    let deleted = mode == Some("delete");
    if source.is_none() && !deleted {
        return None;
    }
    let number = || arguments.get("cell_number").map(Value::to_string);
    let cell = text(arguments, "cell_id").map(str::to_owned).or_else(number).unwrap_or_default();
    let kind = || text(arguments, "cell_type").unwrap_or("code").to_owned();
    let new = (mode == Some("insert")).then(kind);
    Some(Operation::Cell { cell, source: source.filter(|_| !deleted).map(str::to_owned), new })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Source,
        playback::{Evidence, Playback, Step},
        reader::{FileFacts, Reader},
        record::{Details, Found},
    };

    /// The text of the only file that a log is about, at its end, and whether all of it is known.
    fn played(source: Source, log: &str) -> (Option<String>, bool) {
        let document = source == Source::Cline;
        let mut found = Found { details: Some(Details::default()), ..Found::default() };
        let mut reader = Reader::new(source, &FileFacts { session: "s".to_owned(), document });
        if document {
            reader.read_document(log.as_bytes(), &mut found);
        } else {
            reader.read(log.as_bytes(), 0, &mut found);
        }
        assert_eq!(found.problems, []);
        let details = found.details.unwrap();
        let place = Evidence { session_id: String::new(), file: String::new(), offset: 0 };
        let steps: Vec<Step> = found
            .calls
            .iter()
            .flat_map(|call| {
                let result = call.id.as_ref().and_then(|id| details.results.get(id));
                of(call, call.arguments.as_ref().unwrap(), result)
            })
            .map(|(path, operation)| Step { at: None, path, name: "x".to_owned(), operation, place: place.clone() })
            .collect();
        let file = Playback::default().files(&steps).files.remove(0);
        (file.text, file.complete)
    }

    fn known(text: &str) -> (Option<String>, bool) {
        (Some(text.to_owned()), true)
    }

    #[test]
    fn a_sketch_of_cursor_is_no_text() {
        let call = json!({ "type": "tool_use", "name": "edit_file", "input": { "target_file": "/w/a", "code_edit": "// ... existing code ...\nx" } });
        let log = format!("{}\n", json!({ "role": "assistant", "message": { "content": [call] } }));
        assert_eq!(played(Source::Cursor, &log), (None, false));
    }

    #[test]
    fn blocks_of_cline_change_the_text_and_are_not_it() {
        let tool = |told: Value| json!({ "ts": 1, "type": "say", "say": "tool", "text": told.to_string() });
        let new = tool(json!({ "tool": "newFileCreated", "path": "/w/a", "content": "a\nb\n" }));
        let edit = |content: &str| tool(json!({ "tool": "editedExistingFile", "path": "/w/a", "content": content }));
        let log = |last: Value| Value::from(vec![new.clone(), last]).to_string();
        let blocks = edit("------- SEARCH\nb\n=======\nc\n+++++++ REPLACE\n");
        assert_eq!(played(Source::Cline, &log(blocks)), known("a\nc\n"));
        assert_eq!(played(Source::Cline, &log(edit("all of it\n"))), known("all of it\n"));
        let diff = edit("@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(played(Source::Cline, &log(diff)), (Some("a\nb\n".to_owned()), false));
    }

    #[test]
    fn what_gemini_shows_of_a_read_is_not_its_text() {
        let log = |output: &str| {
            let result =
                json!([{ "functionResponse": { "id": "c", "name": "read_file", "response": { "output": output } } }]);
            let call = json!({ "id": "c", "name": "read_file", "args": { "absolute_path": "/w/a" }, "status": "success",
                "resultDisplay": "Read all 2 lines", "result": result });
            format!("{}\n", json!({ "type": "gemini", "id": "g", "toolCalls": [call] }))
        };
        assert_eq!(played(Source::Gemini, &log("a\nb\n")), known("a\nb\n"));
        let cut = "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-1 of 2 total lines.\n\n--- FILE CONTENT (truncated) ---\na\n";
        assert_eq!(played(Source::Gemini, &log(cut)), (Some("a\n".to_owned()), false));
    }

    #[test]
    fn what_stands_after_numbered_lines_is_not_of_the_file() {
        let log = |shown: &str| {
            let call = json!({ "type": "tool_use", "id": "c", "name": "Read", "input": { "file_path": "/w/a" } });
            let result = json!({ "type": "tool_result", "tool_use_id": "c", "content": shown });
            let lines = [("assistant", call), ("user", result)];
            lines
                .map(|(kind, block)| format!("{}\n", json!({ "type": kind, "message": { "content": [block] } })))
                .concat()
        };
        let reminder = "     1→a\n     2→\n     3→b\n\n<system-reminder>\nno malware\n</system-reminder>\n";
        assert_eq!(played(Source::Claude, &log(reminder)), known("a\n\nb"));
        assert_eq!(played(Source::Claude, &log("1\ta\n… 9 more lines, from 2")), (Some("a".to_owned()), false));
        assert_eq!(played(Source::Claude, &log("7\ta\n8\tb")), (Some("a\nb".to_owned()), false));
    }
}
