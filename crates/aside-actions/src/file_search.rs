//! `file.search`: the lines of the workspace's files that have a text.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Finds, Wanted, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::files::{blocking, counted, touching};

/// Arguments of `file.search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The text to find, within one line. Taken literally, not as a pattern.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// Search only in this folder or file. Default: the whole workspace.
    #[serde(default)]
    within: Option<WorkspacePath>,
    /// Match case.
    #[serde(default)]
    match_case: bool,
}

impl Args {
    fn wanted(&self) -> Result<Wanted, Failure> {
        if self.text.is_empty() || self.text.contains(['\n', '\r']) {
            let failure = Failure::new("invalid_args", "the text to find is not within one line");
            return Err(failure.hint("search for one line of it"));
        }
        Ok(Wanted { text: self.text.clone(), within: self.within.clone(), match_case: self.match_case })
    }
}

/// `file.search`.
pub(crate) struct FileSearch {
    pub workspace: Arc<Workspace>,
}

impl FileSearch {
    /// Finds what is admitted: each file is judged as what would be touched if only it were found.
    async fn find(
        &self,
        context: &ActionContext,
        args: &Args,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Send + 'static,
    ) -> Result<Finds, Failure> {
        let (wanted, context) = (args.wanted()?, context.clone());
        blocking(&self.workspace, move |workspace| {
            let view = workspace.view(&context.would_be);
            workspace.find(&wanted, |path| admits(&context, &touching(&view, &[path], [])))
        })
        .await
    }
}

impl Action for FileSearch {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.search",
            summary: "Search for text in the workspace's files",
            description: "Returns the lines that contain a text, each with its file and line number, as they are in \
                open editors now. Skips files that git ignores, notebooks (use `notebook.read`) and files that are \
                not text. Returns at most 40 files and 20 lines of each; narrow the search with `within`. Read the \
                lines with `doc.read` before you edit.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Find where a function is used", json!({"text": "one("})),
                ("Find a word in one folder", json!({"text": "return", "within": "src", "match_case": true})),
            ],
            phrases: &[
                "find a word in all files",
                "search the workspace for a text",
                "where is this used",
                "grep",
                "(search|find|look|grep|search the workspace) [for] [text|word|words|string|phrase|term] {text:text} (in|across|within|through) (all files|files|every file|all my files|workspace|whole workspace|this workspace|project|whole project|this project|everywhere)",
                "(search|find|look) [for] [text|word|string|phrase] {text:text} everywhere",
                "(search|find|look|grep) [for] [text|word|words|string|phrase] {text:text} (in|inside|within) [folder|file] {within:entry}",
                "(search|look through|grep) (all files|files|workspace|whole workspace|project|everything|all my files) for [text|word|words|string|phrase] {text:text}",
                "(search|look) [for] (in|through|inside) (all files|files|workspace|project) for [text|word|string|phrase] {text:text}",
                "grep {text:text}",
                "grep [for] {text:text} in {within:entry}",
                "find (text|word|words|string|phrase) {text:text}",
                "search for (text|word|words|string|phrase) {text:text}",
                "where is [text|word|function|variable|name] {text:text} used",
                "(which|what) files (contain|mention|use) [text|word|string|phrase] {text:text}",
                "(in which|in what) files (is|does) {text:text} (used|mentioned|occur|appear)",
            ],
            tags: &["file", "text", "lines", "find", "grep", "occurrences"],
            safety: &[],
        }
    }

    /// What it would tell of is what it touches, so that rules and labels of each file hold. What the asker may not read
    /// at all is not found: a refusal that names a file would say that the text is in it.
    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let finds = self.find(context, args, |context, found| context.admits.all(&found.targets)).await?;
        let files = finds.files.iter().map(|found| &found.path);
        let paths: Vec<_> = args.within.iter().chain(files).collect();
        Ok(touching(&self.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let place = args.within.as_ref().map_or("the workspace".to_owned(), ToString::to_string);
        Ok(Preview::summary(format!("Search for “{}” in {place}", args.text)))
    }

    /// A file in which the text is only since is not told of: nobody has judged it.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let judged = |context: &ActionContext, found: &Assessment| {
            found.targets.iter().all(|target| context.touches.contains(target))
        };
        let finds = self.find(context, args, judged).await?;
        Ok(Run::observed(Observation::with(told(args, &finds), data(&finds))))
    }
}

fn told(args: &Args, finds: &Finds) -> String {
    let lines: usize = finds.files.iter().map(|found| found.lines.len() + found.more).sum();
    let looked = counted(finds.looked_through, "file");
    let mut text = match lines {
        0 => format!("“{}” was not found in {looked}", args.text),
        _ => format!("“{}”: {} in {} of {looked}", args.text, counted(lines, "line"), finds.files.len()),
    };
    for found in &finds.files {
        write!(text, "\n{}", found.path).expect("writing to a string does not fail");
        for (number, line) in &found.lines {
            write!(text, "\n{number}\t{line}").expect("writing to a string does not fail");
        }
        if found.more > 0 {
            write!(text, "\n… and {}", counted(found.more, "line")).expect("writing to a string does not fail");
        }
    }
    if finds.more {
        text.push_str("\nThe search did not reach all files: narrow it with `within`.");
    }
    text
}

fn data(finds: &Finds) -> serde_json::Value {
    let line = |(number, text): &(u32, String)| json!({"line": number, "text": text});
    let files = finds.files.iter().map(|found| {
        json!({"path": found.path, "lines": found.lines.iter().map(line).collect::<Vec<_>>(), "more": found.more})
    });
    json!({"files": files.collect::<Vec<_>>(), "looked_through": finds.looked_through, "more": finds.more})
}
