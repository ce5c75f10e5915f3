//! `file.search`: the lines of the workspace's files that have a text.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{FindQuery, FindScope, Pattern, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, counted, touching},
    in_files::{Gathered, Totals, gather, gather_in, judged, may_read, pattern, scope, was_judged},
    recent::Recent,
};

/// Files that are listed, lines of one of them, and bytes of a line.
const MOST_FILES: usize = 40;
const MOST_LINES: usize = 20;
const MOST_OF_A_LINE: usize = 200;

/// Arguments of `file.search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The text to find, within one line. Taken literally, unless `regex` is set.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// The text is a regular expression, in the syntax of Rust and ripgrep.
    #[serde(default)]
    regex: bool,
    /// Match case.
    #[serde(default)]
    match_case: bool,
    /// Match whole words only.
    #[serde(default)]
    whole_words: bool,
    /// Search only in this folder or file. Default: the whole workspace.
    #[serde(default)]
    within: Option<WorkspacePath>,
    /// Search only in files that match one of these globs, such as `*.py` or `src/**`.
    #[serde(default)]
    include: Vec<String>,
    /// Leave out files and folders that match one of these globs.
    #[serde(default)]
    exclude: Vec<String>,
}

impl Args {
    fn query(&self) -> FindQuery {
        FindQuery {
            text: self.text.clone(),
            regex: self.regex,
            match_case: self.match_case,
            whole_words: self.whole_words,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
        }
    }
}

/// `file.search`.
pub(crate) struct FileSearch {
    pub workspace: Arc<Workspace>,
    /// How much more there is than the listed files.
    pub recent: Recent<Totals>,
}

impl FileSearch {
    async fn gathered(
        &self,
        args: &Args,
        work: impl FnOnce(&Workspace, Pattern, FindScope) -> Result<Gathered, WorkspaceError> + Send + 'static,
    ) -> Result<Gathered, Failure> {
        let pattern = pattern(&args.query())?;
        let scope = scope(args.within.as_ref(), MOST_LINES, MOST_OF_A_LINE);
        blocking(&self.workspace, move |workspace| work(workspace, pattern, scope)).await
    }
}

impl Action for FileSearch {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.search",
            summary: "Search for text in the workspace's files",
            description: "Returns the lines that contain a text or match a regular expression, each with its file and line \
                number, as they are in open editors now. Skips files that git ignores, notebooks (use `notebook.read`) \
                and files that are not text. Lists the first 40 files and 20 lines of each; narrow the search with \
                `within`, `include` and `exclude`. Read the lines with `doc.read` before you edit.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Find where a function is used", json!({"text": "one("})),
                ("Find a word in one folder", json!({"text": "return", "within": "src", "match_case": true})),
                ("Find definitions in Python files", json!({"text": "^def \\w+", "regex": true, "include": ["*.py"]})),
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

    /// The files that it would list are its targets, so that rules and labels of each file hold. A file that the asker may
    /// not read is not listed: a refusal that names it would say that the text is in it.
    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let asked = context.clone();
        let gathered = self
            .gathered(args, move |workspace, pattern, scope| {
                gather(workspace, (&pattern, &scope), MOST_FILES, &|path| may_read(workspace, &asked, path))
            })
            .await?;
        self.recent.put(&context.id, gathered.totals);
        let paths: Vec<_> = args.within.iter().chain(gathered.files.keys()).collect();
        Ok(touching(&self.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let place = args.within.as_ref().map_or("the workspace".to_owned(), ToString::to_string);
        Ok(Preview::summary(format!("Search for “{}” in {place}", args.text)))
    }

    /// Searches the files that were judged, once more, and no others.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let asked = context.clone();
        let gathered = self
            .gathered(args, move |workspace, pattern, scope| {
                gather_in(workspace, (&pattern, &scope), &judged(&asked), &|path| was_judged(workspace, &asked, path))
            })
            .await?;
        let totals = self.recent.get(&context.id);
        Ok(Run::observed(Observation::with(words(args, &gathered, totals), data(&gathered, totals))))
    }
}

fn words(args: &Args, gathered: &Gathered, totals: Option<Totals>) -> String {
    let more = totals.unwrap_or_default();
    let listed: usize = gathered.files.values().map(|found| found.lines.len() + found.more).sum();
    let (lines, files) = (listed + more.more_lines, gathered.files.len() + more.more_files);
    let of = totals.map(|totals| counted(totals.searched, "file"));
    let mut text = match (lines, of) {
        (0, Some(of)) => format!("“{}” was not found in {of}", args.text),
        (0, None) => format!("“{}” was not found", args.text),
        (_, Some(of)) => format!("“{}”: {} in {files} of {of}", args.text, counted(lines, "line")),
        (_, None) => format!("“{}”: {} in {}", args.text, counted(lines, "line"), counted(files, "file")),
    };
    for (path, found) in &gathered.files {
        write!(text, "\n{path}").expect("writing to a string does not fail");
        for line in &found.lines {
            write!(text, "\n{}\t{}", line.number, line.text).expect("writing to a string does not fail");
        }
        if found.more > 0 {
            write!(text, "\n… and {}", counted(found.more, "line")).expect("writing to a string does not fail");
        }
    }
    if more.more_files > 0 {
        let more = counted(more.more_files, "file");
        write!(text, "\n… and {more}: narrow the search with `within`, `include` or `exclude`.")
            .expect("writing to a string does not fail");
    }
    text
}

fn data(gathered: &Gathered, totals: Option<Totals>) -> serde_json::Value {
    let files = gathered.files.iter().map(|(path, found)| {
        let lines = found.lines.iter().map(|line| json!({"line": line.number, "text": line.text}));
        json!({"path": path, "lines": lines.collect::<Vec<_>>(), "more": found.more})
    });
    let more = totals.is_some_and(|totals| totals.more_files > 0);
    json!({"files": files.collect::<Vec<_>>(), "looked_through": totals.map(|totals| totals.searched), "more": more})
}
