//! `doc.restore`: a document becomes what it was, by one of its kept versions. Of a text that is an edit.

use std::{collections::HashMap, sync::Arc};

use aside_core::{
    ActionId, Assessment, Completeness, EffectScope, Failure, FileChange, FileDiff, Hunk, ObjectRef, ObjectVersion,
    Observation, Place, Preview, PreviewBody, Risk, UndoSupport, Version, WorkspacePath,
};
use aside_doc::{AnchoredEdit, NotebookCell, edits_between, preview_hunks};
use aside_gate::{Action, ActionContext, Declaration, Run, all_or_nothing, waiting};
use aside_workspace::{Applied, BroughtBack, Document, EditRefused, PlannedBack, PlannedEdit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cells::{cell_diff, whole_hunk},
    checkpoint::{NotOnDisk, written},
    doc_edit,
    doc_format::joined,
    files::{blocking, counted, touching},
    request,
};

/// Arguments of `doc.restore`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// The version to restore: one that `aside versions FILE` lists, or the full version id of a text from an earlier
    /// action.
    version: String,
    /// For a notebook: the version of the whole text after the change to undo. Later changes stay.
    #[serde(default)]
    since: Option<String>,
}

/// `doc.restore`.
pub(crate) struct DocRestore {
    pub workspace: Arc<Workspace>,
}

/// What would become of a document.
enum Planned {
    Text(Box<PlannedEdit>),
    Notebook(PlannedBack),
}

/// The result of a restore.
enum Done {
    Text(Applied),
    Notebook(BroughtBack),
}

impl DocRestore {
    async fn planned(&self, context: &ActionContext, args: &Args) -> Result<Planned, Failure> {
        // Nobody has read what a version holds, and cells in it may be kept from models and programs.
        if !context.origin.is_person() {
            return Err(Failure::new("person_only", "only the user can choose the version to restore"));
        }
        self.at_work(args, |document, then, since| {
            if document.is_notebook() {
                return document.plan_back(then, since).map(Planned::Notebook);
            }
            let (base, edits) = edits(document, then)?;
            document.plan(Some(base.as_str()), &edits).map(|planned| Planned::Text(planned.into()))
        })
        .await
    }

    async fn at_work<T: Send + 'static>(
        &self,
        args: &Args,
        work: impl FnOnce(&Arc<Document>, &str, Option<&str>) -> Result<T, EditRefused> + Send + 'static,
    ) -> Result<T, Failure> {
        let (workspace, args) = (Arc::clone(&self.workspace), args.clone());
        let done = waiting(move || {
            let document = workspace.document(&args.path)?;
            let text = |version: &String| workspace.version_text(&args.path, version);
            let (then, since) = (text(&args.version)?, args.since.as_ref().map(text).transpose()?);
            work(&document, &then, since.as_deref())
        });
        done.await.map_err(|error| error.failure())?.map_err(doc_edit::failure)
    }
}

/// The changes that lead to a text, and the version they are for.
fn edits(document: &Arc<Document>, then: &str) -> Result<(Version, Vec<AnchoredEdit>), EditRefused> {
    let (version, now) = document.show()?;
    Ok((version, joined(edits_between(&now, then), &now, then)))
}

impl Action for DocRestore {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.restore",
            summary: "Restore a version of a document",
            description: "Restores an earlier version as a new change: a text line by line, a notebook cell by cell \
                with its outputs. Notebook settings such as the kernel stay. Versions are stored automatically when \
                something replaces them.",
            preconditions: &["the version is still stored", "the file exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Restore a version",
                json!({"path": "src/model.py", "version": "9d5bc506938b2bbaa60025d4d0cb7b03caf6909f78a2ffeef02c193c9fb36e74"}),
            )],
            phrases: &["go back to an earlier version", "restore this file as it was", "bring back the version"],
            tags: &["document", "notebook", "version", "revert", "history", "backup"],
            safety: &[
                "the preview shows the changes",
                "the current text is stored as a version too",
                "undo keeps later changes",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.planned(context, args).await?;
        let path = args.path.clone();
        let found = blocking(&self.workspace, move |workspace| {
            let document = workspace.document(&path)?;
            Ok((document.path(), document.version()))
        });
        let (path, version) = found.await?;
        let versions = vec![ObjectVersion { object: ObjectRef::file(&path), version: Some(version) }];
        Ok(Assessment { versions, ..touching(&self.workspace.view(&context.would_be), &[&args.path], []) })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let mut preview = match self.planned(context, args).await? {
            Planned::Text(planned) => doc_edit::shown(&planned),
            Planned::Notebook(planned) => shown(&args.path, &planned),
        };
        let PreviewBody::Diff { files } = &preview.body else { return Ok(preview) };
        preview.summary = match files.iter().any(|file| !file.hunks.is_empty() || file.note.is_some()) {
            true => format!("Restore an earlier version of {}", args.path),
            false => format!("Restore an earlier version of {}: nothing to change", args.path),
        };
        Ok(preview)
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (id, undoes, path) = (context.id.clone(), context.undoes.clone(), args.path.clone());
        let done = self.at_work(args, move |document, then, since| {
            if document.is_notebook() {
                let brought = document.bring_back(then, since, &id, undoes.as_ref())?;
                return Ok((Arc::clone(document), Done::Notebook(brought)));
            }
            let (base, edits) = edits(document, then)?;
            let applied = document.apply(Some(base.as_str()), &edits, &id, undoes.as_ref())?;
            Ok((Arc::clone(document), Done::Text(applied)))
        });
        let (document, brought) = match done.await? {
            (document, Done::Text(applied)) => {
                return doc_edit::checkpointed(&self.workspace, document, applied, &context.id).await;
            }
            (document, Done::Notebook(brought)) => (document, brought),
        };
        let (run, id) = (made(&path, &brought), context.id.clone());
        let take_back = move |document: &Arc<Document>| went_forth(document, &brought, &id).is_ok();
        Ok(NotOnDisk::told(written(&self.workspace, document, take_back).await?, run))
    }

    fn parts(&self, _args: &Args, _preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        Err(all_or_nothing(parts))
    }
}

/// Takes back that a notebook went back.
fn went_forth(document: &Arc<Document>, brought: &BroughtBack, action: &ActionId) -> Result<(), EditRefused> {
    let text = |version: &Version| {
        let lost = || EditRefused::UnknownBase { path: document.path(), version: version.to_string() };
        document.text_at(version.as_str())?.map(|(_, text)| text).ok_or_else(lost)
    };
    let (before, after) = (text(&brought.before)?, text(&brought.after)?);
    document.bring_back(&before, Some(&*after), action, Some(action)).map(drop)
}

fn made(path: &WorkspacePath, brought: &BroughtBack) -> Run {
    let BroughtBack { before, after, cells } = brought;
    let words = match cells {
        0 => format!("{path} already has this version; nothing was changed."),
        count => format!("Restored an earlier version of {path}: {} changed.", counted(*count, "cell")),
    };
    let observation = Observation::with(words, json!({"path": path, "cells": cells, "version": after.short()}));
    if *cells == 0 {
        return Run::observed(observation);
    }
    let inverse = request("doc.restore", json!({"path": path, "version": before, "since": after}));
    Run { observation, inverse: Some(inverse), changed: vec![ObjectRef::file(path)] }
}

/// One diff for each cell that comes, goes or is different.
fn shown(path: &WorkspacePath, planned: &PlannedBack) -> Preview {
    let PlannedBack { before, after, outputs } = planned;
    let places: HashMap<_, _> = before.iter().enumerate().map(|(at, cell)| (&cell.key, at)).collect();
    let (mut files, mut parts) = (Vec::new(), 0);
    let mut add = |at: usize, cell: &NotebookCell, change: FileChange, mut hunks: Vec<Hunk>, note: Option<String>| {
        for hunk in &mut hunks {
            hunk.part = parts;
            parts += 1;
        }
        files.push(FileDiff { note, ..cell_diff(path, (at + 1, cell), change, hunks) });
    };
    for (at, cell) in after.iter().enumerate() {
        let Some(place) = places.get(&cell.key) else {
            let change = FileChange::Created;
            add(at, cell, change.clone(), whole_hunk(0, &cell.source, &change), None);
            continue;
        };
        let now = &before[*place];
        let note = differences(now, cell, outputs.contains(&cell.key));
        if now.source != cell.source || note.is_some() {
            add(at, cell, FileChange::Edited, preview_hunks(&now.source, &cell.source), note);
        }
    }
    for (at, cell) in before.iter().enumerate() {
        if after.iter().all(|after| after.key != cell.key) {
            let change = FileChange::Deleted;
            add(at, cell, change.clone(), whole_hunk(0, &cell.source, &change), None);
        }
    }
    let order = |cells: &[NotebookCell], others: &[NotebookCell]| -> Vec<_> {
        let is_there = |cell: &&NotebookCell| others.iter().any(|other| other.key == cell.key);
        cells.iter().filter(is_there).map(|cell| cell.key.clone()).collect()
    };
    let moves = order(before, after) != order(after, before);
    if moves {
        let note = Some("the cells are in another order".to_owned());
        let (change, hunks, base) = (FileChange::Edited, Vec::new(), None);
        files.push(FileDiff { path: path.clone(), change, base, hunks, note, cell: None });
    }
    let body = PreviewBody::Diff { files };
    Preview { body, completeness: Completeness::Full, ..Preview::summary(String::new()) }
}

/// What of a cell but its text would be different.
fn differences(now: &NotebookCell, then: &NotebookCell, outputs: bool) -> Option<String> {
    let kind = (now.kind != then.kind).then(|| format!("{} becomes {}", now.kind.name(), then.kind.name()));
    let others = now.metadata != then.metadata || now.others != then.others;
    let others = others.then(|| "its metadata changes".to_owned());
    let outputs = outputs.then(|| "its outputs are restored".to_owned());
    let all: Vec<String> = [kind, others, outputs].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}
