//! `doc.read`: the text of a document as it is now, with line numbers and its version.

use std::{fmt::Write as _, ops::Range, sync::Arc};

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TOLD_BYTES, UndoSupport, Version,
    WorkspacePath,
};
use aside_doc::{Lines, Window};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::files::{blocking, is_notebook, not_as_json, touching};

/// Lines and bytes a single answer holds.
const MOST_LINES: usize = 2_000;
const MOST_BYTES: usize = 100_000;
/// Bytes of an answer beside its lines and the names in its head, and of a line beside its text.
const HEAD: usize = 512;
const NUMBER: usize = 32;

/// Arguments of `doc.read`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// First line, from 1. Default: the first line.
    #[serde(default)]
    start: Option<u32>,
    /// Last line, inclusive. Default: the last line.
    #[serde(default)]
    end: Option<u32>,
    /// The version that was read before. The answer notes if the text has changed since.
    #[serde(default)]
    base: Option<String>,
}

/// `doc.read`.
pub(crate) struct DocRead {
    pub workspace: Arc<Workspace>,
}

impl Action for DocRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.read",
            summary: "Read a text document with line numbers",
            description: "Returns lines of a text file as they are in open editors now, each after its number and a \
                tab, and the text's version. Give that version as `base` to `doc.edit`. Returns at most 2,000 \
                lines; ask for the rest with `start` and `end`. For notebooks use `notebook.read`.",
            preconditions: &["the file is UTF-8 text"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Read a file", json!({"path": "src/model.py"})),
                ("Read some lines", json!({"path": "src/model.py", "start": 2, "end": 3})),
            ],
            phrases: &["read the file", "show the text", "what is in this document"],
            tags: &["document", "text", "lines", "open", "cat"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Read {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, by_person) = (args.path.clone(), context.origin.is_person());
        let would_be = context.would_be.clone();
        let shown = blocking(&self.workspace, move |workspace| {
            if !would_be.is_empty() {
                if !by_person && is_notebook(&path) {
                    return Ok(None);
                }
                let (path, text, _) = workspace.view(&would_be).peek_text(&path)?;
                return Ok(Some((path, Version::of(text.as_bytes()), text)));
            }
            let document = workspace.document(&path)?;
            if !by_person && document.is_notebook() {
                return Ok(None);
            }
            let (version, text) = document.show()?;
            Ok(Some((document.path(), version, text)))
        });
        let (path, version, text) = shown.await?.ok_or_else(|| not_as_json(&args.path))?;
        let start = args.start.map_or(0, |start| start.max(1) as usize - 1);
        let Window { total, text: wanted } = Window::new(&text, start..args.end.map_or(usize::MAX, |end| end as usize));
        let wanted_end = args.end.map_or(total, |end| end as usize);
        let end = wanted_end.min(total);
        let is_empty = total == 0 && start == 0;
        if end <= start && !is_empty {
            let message = format!(
                "`{path}` has no lines {} to {}: its last line is {total}",
                start + 1,
                wanted_end.max(start + 1)
            );
            return Err(Failure::new("no_such_lines", message).hint("leave out `start` and `end` to read all lines"));
        }
        let lines = Lines::new(wanted);
        let most = match context.origin.is_told() {
            true => TOLD_BYTES.saturating_sub(HEAD + path.as_str().len() + args.base.as_ref().map_or(0, String::len)),
            false => MOST_BYTES,
        };
        let (shown, end) = numbered(&lines, start..end, most.max(HEAD));
        let mut head = format!("{path}, lines {}-{end} of {total}, version {}", start + 1, version.short());
        if total == 0 {
            head = format!("{path}, empty, version {}", version.short());
        } else if !text.ends_with('\n') && end == total {
            head.push_str(", no newline at the end");
        }
        if let Some(base) = args.base.as_deref().filter(|base| !version.matches(base)) {
            head.push_str(&moved(base));
        }
        let data = json!({
            "path": path, "version": version, "start": start + 1, "end": end, "lines": total,
            "text": lines.slice(0..end - start),
        });
        Ok(Run::observed(Observation::with(format!("{head}\n{shown}"), data)))
    }
}

/// Says that numbers of an earlier version are not those of this one.
pub(crate) fn moved(base: &str) -> String {
    format!(
        "\nThe text has changed since version {base}. Line numbers here refer to the new version; keep using the \
            old numbers for lines that you read in another version."
    )
}

/// Returns lines, of which the first is that of `range`, which is from 0, with their numbers in at most so many bytes, and the
/// line it got to. The first one is always there, cut if it is longer than that.
fn numbered(lines: &Lines, range: Range<usize>, most: usize) -> (String, usize) {
    let mut shown = String::new();
    for line in range.clone() {
        let whole = lines.get(line - range.start);
        let is_full = line > range.start && shown.len() + whole.len() + NUMBER > most;
        if line - range.start == MOST_LINES || is_full {
            let rest = range.end - line;
            write!(shown, "… {rest} more lines, from {}", line + 1).expect("writing to a string does not fail");
            return (shown, line);
        }
        let text = &whole[..whole.floor_char_boundary(most - NUMBER)];
        let mark = if text.len() < whole.len() { " … (line cut)" } else { "" };
        writeln!(shown, "{}\t{text}{mark}", line + 1).expect("writing to a string does not fail");
    }
    (shown, range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_say_where_to_go_on() {
        let text = "x\n".repeat(3_000);
        let (shown, end) = numbered(&Lines::new(&text), 0..3_000, MOST_BYTES);
        assert_eq!(end, 2_000);
        assert!(shown.ends_with("2000\tx\n… 1000 more lines, from 2001"));
    }

    #[test]
    fn an_answer_is_as_long_as_it_may_be_and_has_a_line_at_least() {
        let text = format!("{}\nshort\n{}\nlast\n", "é".repeat(300), "x".repeat(300));
        let (shown, end) = numbered(&Lines::new(&text), 0..4, 400);
        assert_eq!(end, 1);
        assert!(shown.contains("é … (line cut)\n… 3 more lines, from 2") && shown.len() < 450, "{shown}");
        let (shown, end) = numbered(&Lines::new(text.split_once('\n').unwrap().1), 1..4, 340);
        assert_eq!((end, shown.ends_with("x\n… 1 more lines, from 4")), (3, true), "{shown}");
    }
}
