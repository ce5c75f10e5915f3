//! `file.replace`: a text in many files becomes another one, with one decision and one undo.

mod change;
mod plan;

use std::sync::Arc;

use aside_core::{
    Assessment, Completeness, EffectScope, Effects, Failure, FileEffect, ObjectRef, ObjectVersion, Observation, Place,
    Preview, PreviewBody, Risk, UndoSupport, WorkspacePath,
};
use aside_doc::encode;
use aside_gate::{Action, ActionContext, Declaration, Run, all_or_nothing, waiting};
use aside_workspace::{FindQuery, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    file_diffs::{FileDiffs, Grain},
    files::{counted, touching},
    in_files::judged,
    notes::run_steps,
    recent::Recent,
    request,
};
use change::FileReplacement;
use plan::{Planned, planned};

/// Arguments of `file.replace`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The text to replace, within one line. Taken literally, unless `regex` is set.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// The new text. With `regex`, `$1` is a group, `$&` the whole match, `$$` a dollar sign, and `\n` a line end.
    #[schemars(length(max = 10_000))]
    replacement: String,
    /// The text is a regular expression, in the syntax of Rust and ripgrep.
    #[serde(default, skip_serializing_if = "is_no")]
    regex: bool,
    /// Match case.
    #[serde(default, skip_serializing_if = "is_no")]
    match_case: bool,
    /// Match whole words only.
    #[serde(default, skip_serializing_if = "is_no")]
    whole_words: bool,
    /// Replace only in this folder or file. Default: the whole workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within: Option<WorkspacePath>,
    /// Replace only in files that match one of these globs, such as `*.py` or `src/**`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    include: Vec<String>,
    /// Leave out files and folders that match one of these globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    exclude: Vec<String>,
    /// Files, or lines of files, that stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    except: Vec<Except>,
}

/// A file, or some of its lines, that stay as they are.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Except {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// The lines, from 1. Default: the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<u32>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_no(set: &bool) -> bool {
    !set
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

    /// "Replace “a” with “b”".
    fn words(&self) -> String {
        format!("Replace “{}” with “{}”", self.text, self.replacement)
    }
}

/// `file.replace`.
pub(crate) struct FileReplace {
    pub workspace: Arc<Workspace>,
    /// The files with matches, from the assessment to the preview and the run.
    pub recent: Recent<CandidateFiles>,
}

/// The files with matches, and those of them that stay as they are.
#[derive(Clone)]
pub(crate) struct CandidateFiles {
    files: Vec<WorkspacePath>,
    left: Vec<(WorkspacePath, String)>,
}

impl FileReplace {
    /// Plans the change of all files, or of those that the action was found to touch.
    async fn planned(
        &self,
        context: &ActionContext,
        args: &Args,
        files: Option<Vec<WorkspacePath>>,
    ) -> Result<Planned, Failure> {
        let (workspace, context, args) = (Arc::clone(&self.workspace), context.clone(), args.clone());
        let work = move || planned(&workspace, &context, &args, files);
        waiting(work).await.map_err(|error| error.failure())?
    }

    async fn planned_again(&self, context: &ActionContext, args: &Args) -> Result<Planned, Failure> {
        self.planned(context, args, self.recent.get(&context.id).map(|found| found.files)).await
    }
}

impl Action for FileReplace {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.replace",
            summary: "Replace text in many files",
            description: "Replaces each match of a text or a regular expression in the workspace's text files, with the \
                search of `file.search`. The preview is a diff for each file. All files are changed, or none. Skips files \
                that git ignores and notebooks (use `cell.edit`).",
            preconditions: &["the files are UTF-8 text and can be written"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                (
                    "Rename a function in one folder",
                    json!({"text": "one", "replacement": "two", "within": "src", "match_case": true, "whole_words": true}),
                ),
                (
                    "Swap two columns in all CSV files",
                    json!({"text": "^(\\w+),(\\w+)$", "replacement": "$2,$1", "regex": true, "include": ["*.csv"]}),
                ),
            ],
            phrases: &[
                "replace a word in all files",
                "rename this everywhere",
                "(replace|change|substitute) {text:text} (with|by|to) {replacement:text} (in|across) (all files|every file|the workspace|the project|all my files|everywhere)",
                "(replace|change) {text:text} (with|by|to) {replacement:text} everywhere",
                "(replace|change|substitute) {text:text} (with|by) {replacement:text} in {within:entry}",
            ],
            tags: &["file", "text", "substitute", "rename", "regex", "refactor"],
            safety: &["the preview shows each change", "undo restores all files and keeps later changes"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let planned = self.planned(context, args, None).await?;
        let found = CandidateFiles { files: planned.paths().cloned().collect(), left: planned.left.clone() };
        self.recent.put(&context.id, found);
        let versions = planned.changes.iter().map(|change| ObjectVersion {
            object: ObjectRef::file(&change.path),
            version: Some(change.version.clone()),
        });
        let paths: Vec<_> = args.within.iter().chain(planned.changes.iter().map(|change| &change.path)).collect();
        let view = self.workspace.view(&context.would_be);
        Ok(Assessment { versions: versions.collect(), ..touching(&view, &paths, []) })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(shown(args, self.planned_again(context, args).await?))
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let planned = self.planned_again(context, args).await?;
        let effect =
            |change: &FileReplacement| FileEffect::bytes(change.path.clone(), encode(&change.after, &change.shape));
        Ok(Effects::Known(planned.changes.iter().map(effect).collect()))
    }

    /// Changes the files that were judged, and no others.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let mut planned = self.planned(context, args, Some(judged(context))).await?;
        // A file that stays as it is was no target.
        planned.left.extend(self.recent.get(&context.id).into_iter().flat_map(|found| found.left));
        let (workspace, id, undoes) = (Arc::clone(&self.workspace), context.id.clone(), context.undoes.clone());
        let steps = planned.steps();
        let work = move || run_steps(&workspace, &steps, (&id, undoes.as_ref()));
        let done = waiting(work).await.map_err(|error| error.failure())??;
        let mut lines = vec![format!("{}.", summary(args, &planned))];
        lines.extend(planned.changes.iter().map(|change| format!("- {}: {}", change.path, matched(change.count))));
        lines.extend(planned.left.iter().map(|(path, reason)| format!("Not changed: {path}: {reason}.")));
        lines.extend(done.remarks);
        let files = planned.changes.iter().map(|change| json!({"path": change.path, "replaced": change.count}));
        let left = planned.left.iter().map(|(path, reason)| json!({"path": path, "reason": reason}));
        let data = json!({"files": files.collect::<Vec<_>>(), "left": left.collect::<Vec<_>>()});
        let inverse = request("note.restore", json!({"steps": done.back}));
        let inverse = (!done.back.is_empty()).then_some(inverse);
        Ok(Run { observation: Observation::with(lines.join("\n"), data), inverse, changed: done.changed })
    }

    fn parts(&self, args: &Args, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let PreviewBody::Diff { files } = &preview.body else { return Err(all_or_nothing(parts)) };
        if preview.completeness != Completeness::Full {
            return Err(all_or_nothing(parts));
        }
        let mut args = args.clone();
        for file in files {
            let is_left = |part: &u32| !parts.contains(part);
            let rest: Vec<_> = file.hunks.iter().filter(|hunk| is_left(&hunk.part)).collect();
            if rest.is_empty() {
                continue;
            }
            let lines = (rest.len() < file.hunks.len()).then(|| rest.iter().flat_map(|hunk| lines_of(hunk)).collect());
            args.except.push(Except { path: file.path.clone(), lines });
        }
        serde_json::to_value(args).map_err(|error| Failure::new("internal", error.to_string()))
    }
}

/// The lines with the matches of a hunk. An insertion comes from the line before it.
fn lines_of(hunk: &aside_core::Hunk) -> std::ops::Range<u32> {
    let count = u32::try_from(hunk.old.len()).unwrap_or(u32::MAX);
    if count == 0 { hunk.start.saturating_sub(1)..hunk.start } else { hunk.start..hunk.start.saturating_add(count) }
}

fn shown(args: &Args, planned: Planned) -> Preview {
    let summary = summary(args, &planned);
    let mut diffs = FileDiffs::new(Grain::Places);
    for change in &planned.changes {
        diffs.edited(&change.path, &change.version, &change.before, &change.after);
    }
    for (path, reason) in &planned.left {
        diffs.add_left(path, reason);
    }
    let completeness = if diffs.cut { Completeness::Partial } else { Completeness::Full };
    let summary = if diffs.cut { format!("{summary}; not all changes are shown") } else { summary };
    Preview { summary, body: PreviewBody::Diff { files: diffs.files }, completeness, warnings: planned.warnings }
}

/// "Replace “a” with “b”: 12 matches in 3 files".
fn summary(args: &Args, planned: &Planned) -> String {
    let matches: usize = planned.changes.iter().map(|change| change.count).sum();
    let files = planned.changes.len();
    match matches {
        0 => format!("{}: nothing to change", args.words()),
        _ => format!("{}: {} in {}", args.words(), matched(matches), counted(files, "file")),
    }
}

fn matched(count: usize) -> String {
    if count == 1 { "1 match".to_owned() } else { format!("{count} matches") }
}
