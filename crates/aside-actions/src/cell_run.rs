//! `cell.run`: runs cells of a notebook in the kernel beside it. The code is never an argument: it is what the cells hold.

mod ask;
mod phrases;
mod told;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, ExecutionId, ExecutionState, Failure, LabelSource, ObjectRef,
    Observation, Origin, Place, Preview, PreviewBody, Risk, UndoSupport, Version, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::{CellToRun, Ended, Session, SessionError, cells_to_run};
use aside_notebook::{Cell, CellKey, Notebook};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use self::ask::{all_to_run, is_asked};
use crate::{
    checkpoint::NotOnDisk,
    kernels::{NotebookKernels, said_by_code},
};
use phrases::PHRASES;

/// Seconds that a model waits, if it does not say how long.
const PATIENCE: u32 = 120;
/// How long a kernel may take to heed an interrupt.
const HEED: Duration = Duration::from_secs(5);

/// Arguments of `cell.run`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// The keys of the cells, in the order to run them.
    #[serde(default)]
    cells: Vec<String>,
    /// A part of the notebook instead of `cells`: all code, the code above the one cell in `cells`, or that cell and
    /// the code below it.
    #[serde(default)]
    part: Option<Part>,
    /// The expected version of each cell's text by cell key, or at least its first 8 digits. If a cell has changed,
    /// nothing runs.
    #[serde(default)]
    versions: BTreeMap<String, String>,
    /// Continues with the next cell after one fails.
    #[serde(default)]
    allow_errors: bool,
    /// Waits for the cells to end and returns their outputs. Default: false in a window, where outputs appear as they
    /// come; true for all other callers.
    #[serde(default)]
    wait: Option<bool>,
    /// Seconds to wait before the kernel is interrupted. Default: 120 for a model; no limit for the user.
    #[serde(default)]
    timeout: Option<u32>,
}

/// A part of a notebook.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Part {
    All,
    Above,
    Below,
}

/// `cell.run`.
pub(crate) struct CellRun(pub NotebookKernels);

impl Action for CellRun {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "cell.run",
            summary: "Run notebook cells",
            description: "Runs code cells in the notebook's kernel in order, and returns their printed text, their \
                value, or the error with its traceback. Starts a kernel if none runs; variables stay in it. Outputs \
                are also written into the notebook. After a cell fails, the rest don't run, unless `allow_errors` \
                is set. To run other code, write it into a cell first.",
            preconditions: &[
                "a kernel of the notebook's language is installed",
                "the user approves the run if a model asks",
            ],
            effect: EffectScope::System,
            risks: [Risk::Write, Risk::Destructive, Risk::Access, Risk::Install, Risk::Network].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Run one cell", json!({"path": "analysis.ipynb", "cells": ["c1"]})),
                ("Run all cells, at most a minute", json!({"path": "analysis.ipynb", "part": "all", "timeout": 60})),
            ],
            phrases: PHRASES,
            tags: &["notebook", "jupyter", "cell", "execute", "kernel", "code"],
            safety: &["cell code runs without a sandbox and can do anything the user can"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let assessment = self.0.assess(context, &args.path, []).await?;
        Ok(Assessment { brings: Some(put_out(&args.path).of_runs(&args.path)), ..assessment })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let session = self.0.session(&args.path)?;
        let notebook = now(&session).await?;
        Ok(shown(args, &plan(&notebook, args, context)?))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        let notebook = now(&session).await?;
        let cells = plan(&notebook, args, context)?;
        if context.approved.as_ref().is_some_and(|approved| shown(args, &cells).essence() != *approved) {
            return Err(Failure::new("stale", "the cells changed after this was approved, so nothing was run")
                .hint("read the cells again and send a new request"));
        }
        if let Some(said) = self.with_answers(context, args, &session, &notebook, &cells).await? {
            return self.done(context, args, said).await;
        }
        let runs = begin(&session, cells, args, context).map_err(|error| error.failure())?;
        if !args.wait.unwrap_or(!matches!(context.origin, Origin::User { .. })) {
            context.progress.goes_on();
            let words = format!("running {} of {}", told::cells(runs.len()), args.path);
            // Nothing that code put out is in it.
            return Ok(ran(args, Observation::with(words, json!({ "executions": runs }))));
        }
        let stopped = wait(&session, &runs, context, args.limit(&context.origin)).await;
        let mut ended = Vec::new();
        for run in &runs {
            ended.push(so_far(&session, run).await.map_err(|error| error.failure())?);
        }
        if let Some(problem) = never_begun(&ended) {
            return Err(problem);
        }
        let observation = told::told(&self.0.workspace, args.path.as_str(), &ended, stopped.as_deref());
        self.done(context, args, observation).await
    }
}

impl CellRun {
    async fn done(&self, context: &ActionContext, args: &Args, observation: Observation) -> Result<Run, Failure> {
        let source = said_by_code(&self.0.label(&args.path).await?, &args.path, put_out(&args.path));
        let run = ran(args, observation.from_source(source.by(&context.id)));
        Ok(NotOnDisk::told(self.0.written_or_kept(&args.path).await, run))
    }
}

fn ran(args: &Args, observation: Observation) -> Run {
    Run { observation, inverse: None, changed: vec![ObjectRef::file(&args.path)] }
}

impl Args {
    fn limit(&self, origin: &Origin) -> Option<Duration> {
        let seconds = self.timeout.or(origin.is_model().then_some(PATIENCE))?;
        Some(Duration::from_secs(seconds.into()))
    }
}

/// What a person decides on: each cell with its code.
fn shown(args: &Args, cells: &[CellToRun]) -> Preview {
    let row = |cell: &CellToRun| ChangeRow { object: named(cell), before: None, after: Some(cell.code.clone()) };
    Preview {
        summary: format!("Run {} of {}", told::cells(cells.len()), args.path),
        body: PreviewBody::Changes { rows: cells.iter().map(row).collect() },
        completeness: Completeness::Opaque,
        warnings: Vec::new(),
    }
}

/// A cell, and what one of SQL asks.
fn named(cell: &CellToRun) -> String {
    let asks =
        cell.sql.as_ref().map(|sql| sql.words().map_or_else(|| " (sql)".to_owned(), |asks| format!(" (sql {asks})")));
    format!("cell {}{}", cell.key.0, asks.unwrap_or_default())
}

fn put_out(path: &WorkspacePath) -> LabelSource {
    LabelSource::external(format!("cells of {path}"), "output of their code")
}

/// Puts them into the queue. One that a person runs while it waits behind an answer keeps that place, with the text that it
/// has now; what a model runs is a part of its answer.
fn begin(
    session: &Session,
    cells: Vec<CellToRun>,
    args: &Args,
    context: &ActionContext,
) -> Result<Vec<ExecutionId>, SessionError> {
    let is_held = |cell: &CellToRun| !context.origin.is_model() && session.held(&cell.key).is_some();
    let (waiting, cells): (Vec<_>, Vec<_>) = cells.into_iter().partition(is_held);
    let mut runs: Vec<ExecutionId> = session.hold(waiting, !args.allow_errors)?;
    runs.extend(session.run(cells, !args.allow_errors)?);
    Ok(runs)
}

/// The notebook as it is now.
async fn now(session: &Session) -> Result<Arc<Notebook>, Failure> {
    session.notebook().await.map_err(|error| error.failure())
}

/// The cells with their code.
fn plan(notebook: &Notebook, args: &Args, context: &ActionContext) -> Result<Vec<CellToRun>, Failure> {
    let keys = keys(notebook, args, context.origin.is_person())?;
    let cells = if is_asked(notebook, &keys) {
        all_to_run(notebook, &args.path, &keys)
    } else {
        cells_to_run(notebook, &args.path, &keys)
    };
    let cells = cells.map_err(|error| error.failure())?;
    for cell in &cells {
        let now = Version::of(&cell.code);
        let is_other = |version: &String| version.len() < 8 || !now.as_str().starts_with(version.as_str());
        if args.versions.get(&cell.key.0).is_some_and(is_other) {
            let message = format!("cell `{}` is no longer at the version that was given", cell.key.0);
            return Err(
                Failure::new("stale", message).data(json!({"cell": cell.key.0, "version": now, "text": cell.code}))
            );
        }
    }
    Ok(cells)
}

/// Which cells are meant. For a model or a program those that a person keeps from models are not there.
fn keys(notebook: &Notebook, args: &Args, by_person: bool) -> Result<Vec<CellKey>, Failure> {
    let named: Vec<CellKey> = args.cells.iter().cloned().map(CellKey).collect();
    let is_there = |cell: &Cell| by_person || !cell.is_hidden();
    if let Some(key) = named.iter().find(|key| notebook.cell(key).is_some_and(|cell| !is_there(cell))) {
        return Err(SessionError::NoCell { path: args.path.clone(), cell: key.0.clone() }.failure());
    }
    let wrong = |message: &str| Err(Failure::new("invalid_args", message));
    let Some(part) = args.part else {
        return if named.is_empty() { wrong("name cells in `cells`, or give a `part`") } else { Ok(named) };
    };
    let cells = &notebook.cells;
    let range = match (part, &named[..]) {
        (Part::All, []) => 0..cells.len(),
        (Part::Above | Part::Below, [key]) => match cells.iter().position(|cell| cell.key() == key) {
            Some(at) if matches!(part, Part::Above) => 0..at,
            Some(at) => at..cells.len(),
            None => return Err(Failure::new("not_found", format!("there is no cell `{}`", key.0))),
        },
        (Part::All, _) => return wrong("`part: all` doesn't go with `cells`"),
        _ => return wrong("`above` and `below` need exactly one cell in `cells`"),
    };
    let code = cells[range]
        .iter()
        .filter(|cell| is_there(cell))
        .filter(|cell| cell.kind().has_outputs() && !cell.source().trim().is_empty());
    Ok(code.map(|cell| cell.key().clone()).collect())
}

/// Waits for the end of all runs. Returns why it did not come to that.
async fn wait(
    session: &Session,
    runs: &[ExecutionId],
    context: &ActionContext,
    limit: Option<Duration>,
) -> Option<String> {
    let all = async {
        for (number, run) in runs.iter().enumerate() {
            context.progress.line(&format!("cell {} of {}", number + 1, runs.len()));
            // One whose cell is run anew is over too.
            let _ = session.ended(run).await;
        }
    };
    tokio::pin!(all);
    let why = tokio::select! {
        () = &mut all => return None,
        () = late(session, limit) => told_late(limit),
        by = context.progress.stopped() => format!("{by} stopped it"),
    };
    let heeds = session.interrupt_runs(runs.to_vec()).await.is_ok() && timeout(HEED, all).await.is_ok();
    Some(if heeds {
        why
    } else {
        format!("{why}, but the kernel ignored the interrupt and the code still runs; `kernel.restart` ends it")
    })
}

/// Waits for a time, from when a kernel answers: how long it takes to start is not the code's business, and has a limit of
/// its own.
async fn late(session: &Session, limit: Option<Duration>) {
    let _ = session.answers().await;
    after(limit).await;
}

async fn after(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

fn told_late(limit: Option<Duration>) -> String {
    format!("{} {} s and was interrupted", told::LATE, limit.unwrap_or_default().as_secs())
}

/// Why no cell was begun at all: the kernel did not start.
fn never_begun(ended: &[Ended]) -> Option<Failure> {
    let none_began = ended.iter().all(|one| one.execution.state == ExecutionState::Aborted);
    let problem = ended.iter().find_map(|one| one.execution.problem.clone());
    problem.filter(|_| none_began).map(|problem| *problem)
}

/// How a run is, over or not.
async fn so_far(session: &Session, run: &ExecutionId) -> Result<Ended, SessionError> {
    let execution = session.execution(run).ok_or(SessionError::Replaced)?;
    let is_begun = execution.state != ExecutionState::Queued && execution.state != ExecutionState::Aborted;
    let outputs = if is_begun { session.outputs(&CellKey(execution.cell.clone())).await? } else { Vec::new() };
    Ok(Ended { execution, outputs })
}
