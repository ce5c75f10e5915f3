//! `shell.output`: reads what a command put out, page by page.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{
    Assessment, EffectScope, Failure, LabelSource, Observation, Place, Preview, Risk, Sha256, UndoSupport,
};
use aside_doc::Lines;
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Workspace, WorkspaceError, process::plain_text};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::files::{blocking, counted};

/// Lines and bytes of one answer, and bytes of one line in it.
const MOST_LINES: usize = 1_000;
const MOST_BYTES: usize = 100_000;
const MOST_OF_LINE: usize = 4_000;

/// Arguments of `shell.output`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The handle of the output, as `shell.run` returned it.
    output: String,
    /// First line, from 1. Default: the first line.
    #[serde(default)]
    #[schemars(range(min = 1))]
    start: Option<u32>,
    /// Last line, inclusive. Default: the last line.
    #[serde(default)]
    end: Option<u32>,
}

/// `shell.output`.
pub(crate) struct ShellOutput {
    pub workspace: Arc<Workspace>,
}

impl Action for ShellOutput {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "shell.output",
            summary: "Read the output of a command",
            description: "Returns lines of a command's output as a terminal would show them. Returns at most 1,000 \
                lines; ask for others with `start` and `end`.",
            preconditions: &["a command produced the output"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![(
                "Read some lines",
                json!({
                    "output": "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2",
                    "start": 1,
                    "end": 2,
                }),
            )],
            phrases: &["show the rest of the output", "what did the command print", "what the program printed"],
            tags: &["shell", "terminal", "program", "log", "stdout", "stderr"],
            safety: &["output of programs is untrusted data"],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, _args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary("Read the output of a command"))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let lost = || Failure::from(WorkspaceError::NotKept(args.output.chars().take(80).collect()));
        let handle = Sha256::parse(&args.output).ok_or_else(lost)?;
        let text = blocking(&self.workspace, move |workspace| Ok(plain_text(&workspace.kept_output(&handle)?))).await?;
        let page = page(&Lines::new(&text), args)?;
        let words = format!("lines {}-{} of {}\n{}", page.start, page.end, page.lines, page.text);
        let data = json!({"start": page.start, "end": page.end, "lines": page.lines, "text": page.text});
        let source = LabelSource::external("the output of a command", "output of programs");
        Ok(Run::observed(Observation::with(words, data).from_source(source)))
    }
}

/// Some lines of a text, counted from 1.
struct Page {
    start: usize,
    end: usize,
    lines: usize,
    text: String,
}

fn page(lines: &Lines, args: &Args) -> Result<Page, Failure> {
    let start = args.start.map_or(1, |start| start.max(1) as usize);
    let wanted = args.end.map_or(lines.len(), |end| end as usize).min(lines.len());
    if start > wanted.max(1) {
        let message =
            format!("there are no lines {start} to {wanted}: the output has {}", counted(lines.len(), "line"));
        return Err(Failure::new("no_such_lines", message));
    }
    let (mut text, mut end) = (String::new(), start - 1);
    while end < wanted && end - (start - 1) < MOST_LINES && text.len() < MOST_BYTES {
        let line = lines.get(end);
        let shown = &line[..line.floor_char_boundary(MOST_OF_LINE)];
        let mark = if shown.len() < line.len() { " … (line cut)" } else { "" };
        writeln!(text, "{shown}{mark}").expect("writing to a string does not fail");
        end += 1;
    }
    Ok(Page { start, end, lines: lines.len(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(start: Option<u32>, end: Option<u32>) -> Args {
        Args { output: String::new(), start, end }
    }

    #[test]
    fn a_page_is_bounded_and_says_where_it_is() {
        let text = "x\n".repeat(3_000) + &"y".repeat(9_000);
        let lines = Lines::new(&text);
        let first = page(&lines, &args(None, None)).unwrap();
        assert_eq!((first.start, first.end, first.lines), (1, 1_000, 3_001));
        let last = page(&lines, &args(Some(3_001), Some(9_999))).unwrap();
        assert_eq!((last.start, last.end), (3_001, 3_001));
        assert!(last.text.len() < 4_100 && last.text.ends_with("(line cut)\n"));
        assert_eq!(page(&lines, &args(Some(4_000), None)).err().unwrap().code, "no_such_lines");
        assert_eq!(page(&Lines::new(""), &args(None, None)).unwrap().end, 0);
    }
}
