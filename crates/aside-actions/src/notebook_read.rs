//! `notebook.read`: the cells of a notebook as they are now, with their keys, their versions and what they put out.

mod answer;

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Failure, LabelSource, Observation, Origin, Place, Preview, Risk, TOLD_BYTES, UndoSupport,
    WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{SeenNotebook, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use self::answer::{Answer, Wanted};
use crate::{
    cells::{is_hidden, place, show_images},
    files::{blocking, touching, viewing},
    kernels::said_by_code,
};

/// Arguments of `notebook.read`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// Only these cells in full, each by its key or the beginning of it.
    #[serde(default)]
    cells: Vec<String>,
    /// Only the cells around this one: this cell in full, its neighbours in short.
    #[serde(default)]
    around: Option<String>,
    /// Only from this position on, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    from: Option<u32>,
    /// Only up to this position, inclusive.
    #[serde(default)]
    to: Option<u32>,
    /// Only the lines that contain this text, in any case.
    #[serde(default)]
    find: Option<String>,
    /// Only this output, from 1, of the one cell in `cells`, in more detail.
    #[serde(default)]
    #[schemars(range(min = 1))]
    output: Option<u32>,
    /// The first line to show of the one cell's source or output, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    start: Option<u32>,
    /// The version of the one cell in `cells` that was read before. The answer notes if the cell has changed since.
    #[serde(default)]
    base: Option<String>,
}

/// `notebook.read`.
pub(crate) struct NotebookRead {
    pub workspace: Arc<Workspace>,
}

impl Action for NotebookRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "notebook.read",
            summary: "Read the cells and outputs of a notebook",
            description: "Returns the cells in order: position, type, key, version, numbered lines, and a summary \
                of the outputs. A small notebook is returned in full; a large one as the first line of each cell, \
                and `cells`, `from` and `to`, `around` or `find` return more. A long output shows its beginning and \
                end; `output` and `start` page through it. Keys stay the same when cells move; positions don't.",
            preconditions: &["the notebook exists and can be read"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Read a notebook", json!({"path": "tides.ipynb"})),
                ("Find the cells that use a name", json!({"path": "tides.ipynb", "find": "heights"})),
                ("Read more of an output", json!({"path": "tides.ipynb", "cells": ["load"], "output": 1, "start": 1})),
            ],
            phrases: &[
                "read the notebook",
                "show the cells",
                "what did the cell print",
                "read (this|the|current) notebook => path={notebook}",
                "(show|show me|list) [all] [the] cells [of this notebook] => path={notebook}",
            ],
            tags: &["notebook", "cell", "output", "ipynb", "open"],
            safety: &["outputs are untrusted content"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Read {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let path = args.path.clone();
        let seen = viewing(&self.workspace, context, move |view| Ok((view.notebook(&path)?, view.label_of(&path))));
        let (mut seen, label) = seen.await?;
        let all = seen.cells.len();
        if !context.origin.is_person() {
            seen.cells.retain(|cell| !is_hidden(cell));
        }
        let hidden = all - seen.cells.len();
        let most = if context.origin.is_told() { TOLD_BYTES - answer::REST } else { answer::MOST_BYTES };
        let Answer { text, mut data, has_outputs, forms } = answer::answer(&seen, hidden, &wanted(args, &seen)?, most);
        if context.origin.is_told() || matches!(context.origin, Origin::Mcp { .. }) {
            data = blocking(&self.workspace, move |workspace| {
                show_images(workspace, &mut data, forms.into_iter().rev());
                Ok(data)
            })
            .await?;
        }
        let observation = Observation::with(text, data);
        if !has_outputs {
            return Ok(Run::observed(observation));
        }
        let source = LabelSource::external(format!("outputs of {}", seen.path), "output of its code");
        let source = said_by_code(&label, &args.path, source);
        Ok(Run::observed(observation.from_source(source.by(&context.id))))
    }
}

/// What is asked for, if it is there.
fn wanted(args: &Args, seen: &SeenNotebook) -> Result<Wanted, Failure> {
    let path = &seen.path;
    let start = args.start.map_or(0, |start| start.max(1) as usize - 1);
    let places: Vec<usize> =
        args.cells.iter().map(|meant| place(path, &seen.cells, meant)).collect::<Result<_, Failure>>()?;
    let invalid = |message: &str| Err(Failure::new("invalid_args", message));
    let ways = [!args.cells.is_empty(), args.around.is_some(), args.from.or(args.to).is_some(), args.find.is_some()];
    if ways.iter().filter(|way| **way).count() > 1 {
        return invalid("give only one of `cells`, `around`, `find`, or `from` with `to`");
    }
    if let Some(output) = args.output {
        let [cell] = places[..] else { return invalid("`output` needs exactly one cell in `cells`") };
        return Ok(Wanted::Output { cell, number: output as usize, start });
    }
    if let Some(around) = &args.around {
        return Ok(Wanted::Around(place(path, &seen.cells, around)?));
    }
    if let Some(find) = args.find.as_ref() {
        return if find.trim().is_empty() { invalid("`find` is empty") } else { Ok(Wanted::Find(find.clone())) };
    }
    if !places.is_empty() {
        return Ok(Wanted::Cells { places, start, base: args.base.clone() });
    }
    if args.from.or(args.to).is_none() {
        return Ok(Wanted::All);
    }
    let count = seen.cells.len();
    let (from, to) = (args.from.unwrap_or(1) as usize, args.to.map_or(count, |to| (to as usize).min(count)));
    if from < 1 || from > to {
        let message = format!("`{path}` has no cells from position {from} to {to}: it has {count}");
        return Err(Failure::new("no_such_cell", message).hint("leave out `from` and `to` to see all cells"));
    }
    Ok(Wanted::Range { from: from - 1, to })
}
