//! Cells among which are some for AI: each is answered when what was to be run before it has ended, and what comes after
//! waits for the answer.

use std::sync::Arc;

use aside_core::{ExecutionState, Failure, Observation, Origin, WorkspacePath};
use aside_gate::ActionContext;
use aside_kernels::{CellToRun, Ended, Session, SessionError, cells_to_run};
use aside_notebook::{CellKey, CellKind, Notebook};
use serde_json::json;

use super::{Args, CellRun, plan, told};

/// Cells that are run together, or one that is answered.
enum Part {
    Run(Vec<CellToRun>),
    Answer(CellKey),
}

impl CellRun {
    /// Runs them in their order if there are some for AI; nothing if there are none.
    pub(super) async fn with_answers(
        &self,
        context: &ActionContext,
        args: &Args,
        session: &Arc<Session>,
    ) -> Result<Option<Observation>, Failure> {
        let notebook = session.notebook().await.map_err(|error| error.failure())?;
        if !is_asked(&notebook, &super::keys(&notebook, args)?) {
            return Ok(None);
        }
        if context.origin.is_model() {
            return Err(Failure::new("not_code", "Only code cells can be executed, got ai")
                .hint("a person runs AI cells; name the others"));
        }
        let answers = self.0.sessions.answers().ok_or_else(|| Failure::new("no_model", "nobody answers here"))?;
        let cells = plan(session, args).await?;
        let count = cells.len();
        let (session, user, goes_on) = (session.clone(), context.origin.user().to_owned(), args.allow_errors);
        let running = async move {
            let mut all = Vec::new();
            for part in parts(&notebook, cells) {
                let runs = match part {
                    Part::Run(cells) => session.run(cells, !goes_on).map_err(|error| error.failure())?,
                    Part::Answer(cell) => vec![answers.clone().ask(session.clone(), cell, user.clone()).await?],
                };
                for run in &runs {
                    let ended = session.ended(run).await.map_err(|error| error.failure())?;
                    let failed = ended.execution.state != ExecutionState::Ok;
                    all.push(ended);
                    if failed && !goes_on {
                        return Ok(all);
                    }
                }
            }
            Ok::<Vec<Ended>, Failure>(all)
        };
        let waits = args.wait.unwrap_or(!matches!(context.origin, Origin::User { .. }));
        if !waits {
            // What fails is shown in its cell.
            tokio::spawn(running);
            let words = format!("{} of {} will be run", told::cells(count), args.path);
            return Ok(Some(Observation::with(words, json!({ "executions": [] }))));
        }
        let ended = running.await?;
        Ok(Some(told::told(&self.0.workspace, args.path.as_str(), &ended, None)))
    }
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

fn parts(notebook: &Notebook, cells: Vec<CellToRun>) -> Vec<Part> {
    let mut parts = Vec::new();
    for cell in cells {
        match parts.last_mut() {
            _ if is_ai(notebook, &cell.key) => parts.push(Part::Answer(cell.key)),
            Some(Part::Run(cells)) => cells.push(cell),
            _ => parts.push(Part::Run(vec![cell])),
        }
    }
    parts
}
