//! Cells among which are some for AI: each is answered when what was to be run before it has ended, and what comes after
//! waits for the answer, and is then run if it is still what the person ran: an answer that changed it has it looked at.

use std::sync::Arc;

use aside_core::{ExecutionId, ExecutionState, Failure, Observation, Origin, WorkspacePath};
use aside_gate::ActionContext;
use aside_kernels::{Answers, CellToRun, Session, SessionError, cells_to_run};
use aside_notebook::{CellKey, CellKind, Notebook};
use serde_json::json;
use tokio::time::timeout;

use super::{Args, CellRun, HEED, after, so_far, told, told_late};

/// A cell with its place in the queue.
type Waiting = (CellKey, ExecutionId);

/// Cells that are run together, or one that is answered.
enum Part {
    Run(Vec<Waiting>),
    Answer(Waiting),
}

/// All that is run and answered, one after the other.
struct Chain {
    session: Arc<Session>,
    answers: Arc<dyn Answers>,
    path: WorkspacePath,
    waiting: Vec<Waiting>,
    parts: Vec<Part>,
    user: String,
    goes_on: bool,
}

impl CellRun {
    /// Runs them in their order if there are some for AI; nothing if there are none. Each is what was asked for: one that has
    /// another text when its time has come says so and is not run.
    pub(super) async fn with_answers(
        &self,
        context: &ActionContext,
        args: &Args,
        session: &Arc<Session>,
        notebook: &Notebook,
        cells: &[CellToRun],
    ) -> Result<Option<Observation>, Failure> {
        let keys: Vec<CellKey> = cells.iter().map(|cell| cell.key.clone()).collect();
        if !is_asked(notebook, &keys) {
            return Ok(None);
        }
        if !context.origin.is_person() {
            return Err(Failure::new("not_code", "Only code cells can be executed, got ai")
                .hint("only the user runs AI cells; name other cells"));
        }
        let answers = self.0.sessions.answers().ok_or_else(|| Failure::new("no_model", "no model is available"))?;
        let runs = session.hold(cells.to_vec(), !args.allow_errors).map_err(|error| error.failure())?;
        let waiting: Vec<Waiting> = keys.into_iter().zip(runs.clone()).collect();
        let chain = Chain {
            session: session.clone(),
            answers,
            path: args.path.clone(),
            parts: parts(notebook, &waiting),
            waiting,
            user: context.origin.user().to_owned(),
            goes_on: args.allow_errors,
        };
        if !args.wait.unwrap_or(!matches!(context.origin, Origin::User { .. })) {
            // What fails is shown in its cell.
            tokio::spawn(async move { chain.follow().await });
            let words = format!("running {} of {}", told::cells(runs.len()), args.path);
            return Ok(Some(Observation::with(words, json!({ "executions": runs }))));
        }
        let stopped = chain.wait(context, args).await;
        let mut ended = Vec::new();
        for run in &runs {
            match so_far(session, run).await {
                Ok(so_far) => ended.push(so_far),
                Err(SessionError::Replaced) => (),
                Err(error) => return Err(error.failure()),
            }
        }
        Ok(Some(told::told(&self.0.workspace, args.path.as_str(), &ended, stopped.as_deref())))
    }
}

impl Chain {
    /// Waits for the end of all. Returns why it did not come to that.
    async fn wait(&self, context: &ActionContext, args: &Args) -> Option<String> {
        let limit = args.limit(&context.origin);
        let following = self.follow();
        tokio::pin!(following);
        let why = tokio::select! {
            () = &mut following => return None,
            () = after(limit) => told_late(limit),
            by = context.progress.stopped() => format!("{by} stopped it"),
        };
        self.stop().await;
        let heeds = timeout(HEED, following).await.is_ok();
        Some(if heeds { why } else { format!("{why}, but it has not stopped yet") })
    }

    /// Ends what is under way and what waits, of these cells and no others.
    async fn stop(&self) {
        let runs: Vec<_> = self.waiting.iter().map(|(_, run)| run.clone()).collect();
        self.session.end_held(Some(&runs));
        for (cell, run) in &self.waiting {
            if self.session.open_answers().iter().any(|open| open.id == *run) {
                self.answers.stop(&self.session, Some(cell));
            }
        }
        // Whether it is heeded is seen in what runs.
        let _ = self.session.interrupt_runs(runs).await;
    }

    async fn follow(&self) {
        for part in &self.parts {
            let begun = match part {
                Part::Run(cells) => self.run(cells).await,
                Part::Answer(cell) => self.answer(cell).await,
            };
            let runs = match begun {
                Ok(runs) => runs,
                Err(failure) => {
                    self.session.fail_held(&part.first().0, &failure);
                    break;
                }
            };
            if !self.all_well(&runs).await && !self.goes_on {
                break;
            }
        }
        let runs: Vec<_> = self.waiting.iter().map(|(_, run)| run.clone()).collect();
        self.session.end_held(Some(&runs));
    }

    /// Lets cells go. One that is gone, or is no code any more, is passed over; one that was changed since fails.
    async fn run(&self, cells: &[Waiting]) -> Result<Vec<ExecutionId>, Failure> {
        let notebook = self.session.notebook().await.map_err(|error| error.failure())?;
        let (there, gone): (Vec<_>, Vec<_>) = cells.iter().cloned().partition(|(key, _)| {
            notebook.cell(key).is_some_and(|cell| matches!(cell.kind(), CellKind::Code | CellKind::Sql))
        });
        let gone: Vec<_> = gone.into_iter().map(|(_, run)| run).collect();
        self.session.end_held(Some(&gone));
        let (keys, runs): (Vec<_>, Vec<_>) = there.into_iter().unzip();
        let cells = cells_to_run(&notebook, &self.path, &keys).map_err(|error| error.failure())?;
        let mut all: Vec<_> = runs.into_iter().zip(cells).collect();
        let is_changed = |(run, cell): &(ExecutionId, CellToRun)| self.session.is_held_for_another_text(run, cell);
        // What comes after one that fails is run only if that was wished.
        let until = if self.goes_on { None } else { all.iter().position(is_changed) };
        all.truncate(until.map_or(all.len(), |at| at + 1));
        let runs = all.iter().map(|(run, _)| run.clone()).collect();
        let (changed, same): (Vec<_>, Vec<_>) = all.into_iter().partition(is_changed);
        changed.iter().for_each(|(_, cell)| self.session.fail_held(&cell.key, &changed_since()));
        self.session.let_go(same).map_err(|error| error.failure())?;
        Ok(runs)
    }

    /// Asks, unless somebody has begun it or stopped it meanwhile.
    async fn answer(&self, (cell, run): &Waiting) -> Result<Vec<ExecutionId>, Failure> {
        if self.session.held(cell).as_ref() != Some(run) {
            return Ok(vec![run.clone()]);
        }
        let notebook = self.session.notebook().await.map_err(|error| error.failure())?;
        if !is_ai(&notebook, cell) {
            self.session.end_held(Some(std::slice::from_ref(run)));
            return Ok(Vec::new());
        }
        let now = all_to_run(&notebook, &self.path, std::slice::from_ref(cell)).map_err(|error| error.failure())?;
        if now.iter().any(|now| self.session.is_held_for_another_text(run, now)) {
            return Err(changed_since());
        }
        Ok(vec![self.answers.clone().ask(self.session.clone(), cell.clone(), self.user.clone()).await?])
    }

    async fn all_well(&self, runs: &[ExecutionId]) -> bool {
        let mut well = true;
        for run in runs {
            match self.session.ended(run).await {
                Ok(ended) => well &= ended.execution.state == ExecutionState::Ok,
                // Somebody ran its cell again: that run is theirs.
                Err(SessionError::Replaced) => (),
                Err(_) => well = false,
            }
        }
        well
    }
}

impl Part {
    fn first(&self) -> &Waiting {
        match self {
            Self::Run(cells) => &cells[0],
            Self::Answer(cell) => cell,
        }
    }
}

/// What a cell says whose text is another than the one that was run.
fn changed_since() -> Failure {
    Failure::new("changed", "this cell changed after you ran it, so it was not run")
        .hint("check the cell and run it again")
}

/// Tells whether some of these cells are for AI.
pub(super) fn is_asked(notebook: &Notebook, keys: &[CellKey]) -> bool {
    keys.iter().any(|key| is_ai(notebook, key))
}

fn is_ai(notebook: &Notebook, key: &CellKey) -> bool {
    notebook.cell(key).is_some_and(|cell| cell.kind() == CellKind::Ai)
}

/// The texts of these cells, also of those for AI.
pub(super) fn all_to_run(
    notebook: &Notebook,
    path: &WorkspacePath,
    keys: &[CellKey],
) -> Result<Vec<CellToRun>, SessionError> {
    let mut cells = Vec::new();
    for key in keys {
        match notebook.cell(key).filter(|_| is_ai(notebook, key)) {
            Some(cell) => cells.push(CellToRun { key: key.clone(), code: cell.source(), sql: None }),
            None => cells.extend(cells_to_run(notebook, path, std::slice::from_ref(key))?),
        }
    }
    Ok(cells)
}

fn parts(notebook: &Notebook, waiting: &[Waiting]) -> Vec<Part> {
    let mut parts = Vec::new();
    for cell in waiting.iter().cloned() {
        match parts.last_mut() {
            _ if is_ai(notebook, &cell.0) => parts.push(Part::Answer(cell)),
            Some(Part::Run(cells)) => cells.push(cell),
            _ => parts.push(Part::Run(vec![cell])),
        }
    }
    parts
}
