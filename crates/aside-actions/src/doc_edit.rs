//! `doc.edit`: changes some lines of a document, at the right place or not at all.

use std::sync::Arc;

use aside_core::{
    ActionId, Assessment, Completeness, Confidence, EffectScope, Effects, Failure, FileChange, FileDiff, FileEffect,
    Hunk, ObjectRef, ObjectVersion, Observation, Place, Preview, PreviewBody, Risk, UndoSupport, Version,
    WorkspacePath,
};
use aside_doc::{AnchoredEdit, Report};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_workspace::{Applied, Document, EditRefused, PlannedEdit, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    checkpoint::{NotOnDisk, written},
    files::{counted, refuse_raw_notebook, touching},
    request,
};

/// Changes of one call. Each is looked for in the whole text and held against all others.
const MOST_EDITS: usize = 1_000;

/// Arguments of `doc.edit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// The version that `doc.read` returned. Line numbers refer to this version.
    #[serde(default)]
    base: Option<String>,
    /// The changes. All are made, or none.
    #[schemars(length(min = 1))]
    edits: Vec<EditArgs>,
}

/// One change: the lines `old` become the lines `new`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditArgs {
    /// First line to replace, from 1, in the version that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    start: Option<u32>,
    /// Last line to replace, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<u32>,
    /// The whole lines to replace, exactly as they were read, without line numbers. Empty: `new` is inserted before
    /// line `start` (one past the last line appends).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) old: Option<String>,
    /// The new whole lines. Empty deletes the old ones; a single newline is one blank line.
    pub(crate) new: String,
}

impl From<&EditArgs> for AnchoredEdit {
    fn from(edit: &EditArgs) -> Self {
        let EditArgs { start, end, old, new } = edit.clone();
        Self { start, end, old, new }
    }
}

impl From<AnchoredEdit> for EditArgs {
    fn from(edit: AnchoredEdit) -> Self {
        let AnchoredEdit { start, end, old, new } = edit;
        Self { start, end, old, new }
    }
}

impl Args {
    /// Returns the arguments for some edits of a file.
    pub(crate) fn new(path: WorkspacePath, base: Option<String>, edits: Vec<EditArgs>) -> Self {
        Self { path, base, edits }
    }

    fn edits(&self) -> Vec<AnchoredEdit> {
        self.edits.iter().map(AnchoredEdit::from).collect()
    }
}

/// `doc.edit`.
pub(crate) struct DocEdit {
    pub workspace: Arc<Workspace>,
}

impl DocEdit {
    async fn planned(&self, context: &ActionContext, args: &Args) -> Result<PlannedEdit, Failure> {
        let would_be = Arc::clone(&context.would_be);
        let (path, base, edits) = (args.path.clone(), args.base.clone(), args.edits());
        self.at_work(args, move |workspace| workspace.view(&would_be).plan(&path, base.as_deref(), &edits)).await
    }

    async fn at_work<T: Send + 'static>(
        &self,
        args: &Args,
        work: impl FnOnce(&Workspace) -> Result<T, EditRefused> + Send + 'static,
    ) -> Result<T, Failure> {
        refuse_raw_notebook(&args.path)?;
        let workspace = Arc::clone(&self.workspace);
        waiting(move || work(&workspace)).await.map_err(|error| error.failure())?.map_err(failure)
    }
}

impl Action for DocEdit {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.edit",
            summary: "Edit lines of a text document",
            description: "Replaces, inserts or deletes whole lines. Read the lines first with `doc.read`, give its \
                version as `base`, and copy `old` exactly. All edits of one call are made, or none; if one can't be \
                placed, the answer gives the reason and the nearest lines. Text typed since then is kept.",
            preconditions: &["the file exists and is UTF-8 text"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                (
                    "Replace a line",
                    json!({"path": "src/model.py", "edits": [{"old": "    return 1", "new": "    return 2"}]}),
                ),
                (
                    "Insert before a line and delete another",
                    json!({"path": "src/model.py", "edits": [
                        {"start": 1, "old": "", "new": "import math\n"},
                        {"start": 3, "old": "# end", "new": ""},
                    ]}),
                ),
            ],
            phrases: &["edit the file", "change this", "replace these lines", "insert a line", "rename in this file"],
            tags: &["document", "text", "change", "replace", "insert", "delete", "patch"],
            safety: &["the preview shows the exact lines", "undo keeps what was typed since"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        // What takes one edit back may be many: one for each place where lines differ.
        if context.undoes.is_none() && args.edits.len() > MOST_EDITS {
            let message = format!("{} changes in one call; the limit is {MOST_EDITS}", args.edits.len());
            return Err(Failure::new("invalid_args", message));
        }
        let (path, would_be) = (args.path.clone(), Arc::clone(&context.would_be));
        let (path, version) = self
            .at_work(args, move |workspace| {
                let (path, text, _) = workspace.view(&would_be).text(&path)?;
                Ok((path, Version::of(text.as_bytes())))
            })
            .await?;
        let versions = vec![ObjectVersion { object: ObjectRef::file(&path), version: Some(version) }];
        Ok(Assessment { versions, ..touching(&self.workspace.view(&context.would_be), &[&args.path], []) })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(shown(&self.planned(context, args).await?))
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let planned = self.planned(context, args).await?;
        Ok(Effects::Known(vec![FileEffect::bytes(planned.path.clone(), planned.bytes_after())]))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (id, undoes) = (context.id.clone(), context.undoes.clone());
        let (path, base, edits) = (args.path.clone(), args.base.clone(), args.edits());
        let work = move |workspace: &Workspace| {
            let document = workspace.document(&path)?;
            let applied = document.apply(base.as_deref(), &edits, &id, undoes.as_ref())?;
            Ok((document, applied))
        };
        let (document, applied) = self.at_work(args, work).await?;
        checkpointed(&self.workspace, document, applied, &context.id).await
    }

    fn parts(&self, _args: &Args, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let (file, edits) = edits_of(preview, parts)?;
        Ok(json!({"path": file.path, "base": file.base, "edits": edits}))
    }

    fn again(&self, args: &Value) -> Value {
        let mut again = args.clone();
        let Some(fields) = again.as_object_mut() else { return again };
        fields.remove("base");
        for edit in fields.get_mut("edits").and_then(Value::as_array_mut).into_iter().flatten() {
            let is_found = |old: &Value| old.as_str().is_some_and(|old| !old.is_empty());
            if let Some(edit) = edit.as_object_mut().filter(|edit| edit.get("old").is_some_and(is_found)) {
                edit.remove("start");
                edit.remove("end");
            }
        }
        again
    }
}

/// Some hunks of the one file that a preview is about, as edits of the version that it was made for.
pub(crate) fn edits_of<'a>(preview: &'a Preview, parts: &[u32]) -> Result<(&'a FileDiff, Vec<EditArgs>), Failure> {
    let missing = || no_part(parts.first().copied().unwrap_or_default());
    let PreviewBody::Diff { files } = &preview.body else { return Err(missing()) };
    let [file] = &files[..] else { return Err(missing()) };
    let hunk = |part: &u32| file.hunks.iter().find(|hunk| hunk.part == *part).ok_or_else(|| no_part(*part));
    let edits = parts.iter().map(|part| hunk(part).map(alone)).collect::<Result<_, _>>()?;
    Ok((file, edits))
}

/// One hunk as an edit of the version the preview was made for.
fn alone(hunk: &Hunk) -> EditArgs {
    let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let count = u32::try_from(hunk.old.len()).unwrap_or(u32::MAX);
    EditArgs {
        start: Some(hunk.start),
        end: Some((hunk.start - 1).saturating_add(count)),
        // Without `old` the version's own lines count, here none: the insertion is meant literally.
        old: (!hunk.old.is_empty()).then(|| text(&hunk.old)),
        new: text(&hunk.new),
    }
}

pub(crate) fn no_part(part: u32) -> Failure {
    Failure::new("no_parts", format!("the preview has no change {}", part + 1))
}

pub(crate) fn shown(planned: &PlannedEdit) -> Preview {
    let mut hunks = planned.plan.preview(&planned.text);
    for (hunk, anchor) in hunks.iter_mut().zip(&planned.anchors) {
        hunk.anchor.clone_from(anchor);
    }
    let summary = match hunks.len() {
        0 => format!("Edit {}: nothing to change", planned.path.name()),
        count => format!("Edit {}, {}", planned.path.name(), counted(count, "change")),
    };
    let note = planned.plan.final_newline.map(|gains| match gains {
        true => "A newline is added at the end of the file.".to_owned(),
        false => "The newline at the end of the file is removed.".to_owned(),
    });
    let file = FileDiff {
        path: planned.path.clone(),
        change: FileChange::Edited,
        base: Some(planned.version.clone()),
        hunks,
        note,
        cell: None,
    };
    Preview {
        summary,
        body: PreviewBody::Diff { files: vec![file] },
        completeness: Completeness::Full,
        warnings: planned.warnings.clone(),
    }
}

/// Waits until edits that were made are in the file; takes them back if the disk refuses.
pub(crate) async fn checkpointed(
    workspace: &Arc<Workspace>,
    document: Arc<Document>,
    applied: Applied,
    action: &ActionId,
) -> Result<Run, Failure> {
    let (after, back, action) = (applied.after.clone(), applied.inverse.clone(), action.clone());
    let run = made(&document.path(), applied);
    if back.is_empty() {
        return Ok(run);
    }
    let take_back =
        move |document: &Arc<Document>| document.apply(Some(after.as_str()), &back, &action, Some(&action)).is_ok();
    Ok(NotOnDisk::told(written(workspace, document, take_back).await?, run))
}

fn made(path: &WorkspacePath, applied: Applied) -> Run {
    let Applied { after, report, hunks, inverse, .. } = applied;
    let text = words(path, &report, hunks, after.short());
    let observation = Observation::with(text, json!({"path": path, "version": after.short(), "report": report}));
    if inverse.is_empty() {
        return Run::observed(observation);
    }
    let edits: Vec<EditArgs> = inverse.into_iter().map(EditArgs::from).collect();
    let inverse = request("doc.edit", json!({"path": path, "base": after, "edits": edits}));
    Run { observation, inverse: Some(inverse), changed: vec![ObjectRef::file(path)] }
}

/// "Edited model.py: 2 changes, lines 3-4 and 9. Version 0123456789ab."
fn words(path: &WorkspacePath, report: &Report, hunks: usize, version: &str) -> String {
    if hunks == 0 {
        return format!("{path} already has this text; nothing was changed. Version {version}.");
    }
    format!("Edited {path}, {}: {}. Version {version}.{}", counted(hunks, "change"), places(report), care(report))
}

/// "lines 3-4, line 9".
pub(crate) fn places(report: &Report) -> String {
    let places: Vec<String> = report
        .applied
        .iter()
        .map(|edit| match (edit.range_after.start, edit.range_after.end, edit.already) {
            (start, _, true) => format!("line {start} (already in place)"),
            (start, end, _) if end < start => format!("before line {start} (deleted)"),
            (start, end, _) if end == start => format!("line {start}"),
            (start, end, _) => format!("lines {start}-{end}"),
        })
        .collect();
    places.join(", ")
}

/// A word of care where lines were not exactly as they were given.
pub(crate) fn care(report: &Report) -> &'static str {
    let unsure = report.applied.iter().any(|edit| edit.confidence == Confidence::Loose);
    if unsure { " Some lines did not match exactly; check them." } else { "" }
}

pub(crate) fn failure(refused: EditRefused) -> Failure {
    match refused {
        EditRefused::UnknownBase { path, version } => {
            Failure::new("stale", format!("version `{version}` of `{path}` is unknown"))
                .hint("read the file again with `doc.read` and use the version it gives")
        }
        EditRefused::NotPlaced(report) => not_placed(&report, AGAIN),
        unfit @ EditRefused::Unfit { .. } => Failure::new("unfit", unfit.to_string())
            .hint("this is a notebook: edit its cells, or make edits that leave valid notebook JSON"),
        EditRefused::Workspace(error @ WorkspaceError::NotFound(_)) => {
            Failure { hint: Some("`doc.create` makes a new file".to_owned()), ..error.failure() }
        }
        EditRefused::Workspace(error) => error.failure(),
    }
}

/// What to do before a second try.
const AGAIN: &str = "read the lines again with `doc.read`, copy `old` exactly, and give its version as `base`";

/// Nothing was changed: why, with the nearest lines, and what to do before a second try.
pub(crate) fn not_placed(report: &Report, again: &str) -> Failure {
    let reason = report.failed.first().map(|failed| serde_json::to_value(failed.reason));
    let code = match reason {
        Some(Ok(Value::String(code))) => code,
        _ => "no_match".to_owned(),
    };
    let mut lines = vec!["nothing was changed:".to_owned()];
    for failed in &report.failed {
        lines.push(format!("edit {} (counted from 0): {}", failed.index, failed.message));
        for candidate in &failed.candidates {
            lines.push(format!("  line {}: {}", candidate.line, candidate.text.replace('\n', "\n  | ")));
        }
    }
    Failure::new(code, lines.join("\n")).hint(again).data(report)
}
