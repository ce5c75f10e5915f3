//! `doc.format`: formats a document with the formatter that is installed for its kind. What comes of it is an edit.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, FileEffect, ObjectRef, ObjectVersion, Observation, Place, Preview, Risk,
    Risks, SandboxLevel, UndoSupport, Version, WorkspacePath,
};
use aside_doc::{AnchoredEdit, edits_between};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_workspace::{FormatError, FoundFormatter, PlannedEdit, Workspace, process::Stop};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    doc_edit,
    files::{blocking, counted, refuse_raw_notebook, touching},
};

/// Places that are changed one by one; of more the whole text is changed as one.
const MOST_PLACES: usize = 1_000;

/// Arguments of `doc.format`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
}

/// `doc.format`.
pub(crate) struct DocFormat {
    pub workspace: Arc<Workspace>,
}

/// What a formatter would change.
struct Formatted {
    formatter: FoundFormatter,
    base: Version,
    edits: Vec<AnchoredEdit>,
}

impl Action for DocFormat {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.format",
            summary: "Format a text document",
            description: "Formats a document with the installed formatter for its file type: ruff or black, \
                rustfmt, prettier, gofmt, latexindent and others. A formatter in the project's `.venv/bin` or \
                `node_modules/.bin` takes precedence. Only lines that differ change. The formatter can read the \
                workspace for its settings, but can't write to it or use the network.",
            preconditions: &["a formatter for this file type is installed", "the file exists and is UTF-8 text"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Format a file", json!({"path": "src/main.rs"}))],
            phrases: &[
                "format this file",
                "tidy up the layout",
                "run the formatter",
                "fix the indentation",
                "(format|reformat|autoformat|auto-format|prettify) [this|the] [current|open] [file|document|code|script|it] => path={file}",
                "(format|reformat|autoformat|auto-format|prettify) {path:file}",
                "run formatter [on this file|on this] => path={file}",
                "run formatter (on|over|for) {path:file}",
                "(tidy up the layout|fix the indentation) => path={file}",
            ],
            tags: &["document", "format", "layout", "indent", "ruff", "black", "rustfmt", "prettier"],
            safety: &["the preview shows the exact lines", "undo keeps what was typed since"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        refuse_raw_notebook(&args.path)?;
        let (asked, would_be) = (args.path.clone(), Arc::clone(&context.would_be));
        let found = blocking(&self.workspace, move |workspace| {
            let (path, text, _) = workspace.view(&would_be).text(&asked)?;
            let formatter = workspace.formatter_of(&path);
            Ok((path, Version::of(text.as_bytes()), formatter, workspace.processes().found().level))
        });
        let (path, version, formatter, level) = found.await?;
        formatter.map_err(|error| error.failure())?;
        let versions = vec![ObjectVersion { object: ObjectRef::file(&path), version: Some(version) }];
        let touched = touching(&self.workspace.view(&context.would_be), &[&args.path], risks(level));
        Ok(Assessment { versions, ..touched })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let (formatter, planned) = self.planned(context, args).await?;
        let mut preview = doc_edit::shown(&planned);
        let changes = match planned.plan.hunks.len() {
            0 => "nothing to change".to_owned(),
            count => counted(count, "change"),
        };
        preview.summary = format!("Format {} with {}: {changes}", planned.path.name(), formatter.name);
        Ok(preview)
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (_, planned) = self.planned(context, args).await?;
        Ok(Effects::Known(vec![FileEffect::bytes(planned.path.clone(), planned.bytes_after())]))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let asked = args.path.clone();
        let shown = blocking(&self.workspace, move |workspace| {
            let document = workspace.document(&asked)?;
            // Kept, so that what is typed meanwhile is known from what was there.
            let (version, text) = document.show()?;
            Ok((document, version, text))
        });
        let (document, version, text) = shown.await?;
        let formatted = self.formatted(context, &document.path(), version, &text).await?;
        if formatted.edits.is_empty() {
            let words = format!("{} is already formatted ({}).", args.path, formatted.formatter.name);
            return Ok(Run::observed(Observation::with(words, json!({"path": args.path, "changes": 0}))));
        }
        let (id, undoes) = (context.id.clone(), context.undoes.clone());
        let applied = waiting(move || {
            let applied = document.apply(Some(formatted.base.as_str()), &formatted.edits, &id, undoes.as_ref());
            applied.map(|applied| (document, applied))
        });
        let (document, applied) = applied.await.map_err(|error| error.failure())?.map_err(doc_edit::failure)?;
        doc_edit::checkpointed(&self.workspace, document, applied, &context.id).await
    }
}

impl DocFormat {
    async fn planned(&self, context: &ActionContext, args: &Args) -> Result<(FoundFormatter, PlannedEdit), Failure> {
        let (asked, would_be) = (args.path.clone(), Arc::clone(&context.would_be));
        let text = blocking(&self.workspace, move |workspace| workspace.view(&would_be).text(&asked));
        let (path, text, _) = text.await?;
        let formatted = self.formatted(context, &path, Version::of(text.as_bytes()), &text).await?;
        let (workspace, would_be) = (Arc::clone(&self.workspace), Arc::clone(&context.would_be));
        let planned = waiting(move || {
            let base = Some(formatted.base.as_str());
            workspace.view(&would_be).plan(&path, base, &formatted.edits).map(|planned| (formatted.formatter, planned))
        });
        planned.await.map_err(|error| error.failure())?.map_err(doc_edit::failure)
    }

    /// Lets the formatter have its way with a text; a person can stop it.
    async fn formatted(
        &self,
        context: &ActionContext,
        path: &WorkspacePath,
        base: Version,
        text: &Arc<str>,
    ) -> Result<Formatted, Failure> {
        let (workspace, path, text) = (Arc::clone(&self.workspace), path.clone(), Arc::clone(text));
        let stop = Stop::default();
        let stopping = stop.clone();
        let mut formatting = tokio::task::spawn_blocking(move || -> Result<Formatted, FormatError> {
            let formatter = workspace.formatter_of(&path)?;
            let after = workspace.format(&path, &text, &formatter, &stop)?;
            Ok(Formatted { formatter, base, edits: joined(edits_between(&text, &after), &text, &after) })
        });
        let formatted = tokio::select! {
            formatted = &mut formatting => formatted,
            _ = context.progress.stopped() => {
                stopping.stop();
                formatting.await
            }
        };
        let broke_off = |error| Failure::new("internal", format!("the formatter was interrupted: {error}"));
        formatted.map_err(broke_off)?.map_err(|error| error.failure())
    }
}

/// Very many changes as one.
pub(crate) fn joined(edits: Vec<AnchoredEdit>, before: &str, after: &str) -> Vec<AnchoredEdit> {
    if edits.len() <= MOST_PLACES {
        return edits;
    }
    vec![AnchoredEdit { start: Some(1), end: None, old: Some(before.to_owned()), new: after.to_owned() }]
}

/// Without a sandbox a formatter can do what the person can, and its settings may be code.
fn risks(level: SandboxLevel) -> Risks {
    match level {
        SandboxLevel::None => [Risk::Write, Risk::Access, Risk::Install, Risk::Network].into(),
        _ => [Risk::Write].into(),
    }
}
