//! `notebooks`: what is asked of the kernel beside running cells, and the whole of what one has put out.

use std::sync::Arc;

use aside_core::WorkspacePath;
use aside_kernels::{Output, Session, SessionError, Trust, WidgetSaid};
use aside_macros::boxed;
use aside_notebook::{CellKey, Raw};
use aside_protocol::{
    AiCellAt, AiCellThread, AnswerInput, AskKernel, GoOn, KernelCompletions, KernelInspection, NotebookTrust,
    TellWidget,
};
use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
};
use serde::Deserialize;

use crate::{
    access::Shown,
    app::{App, blocking},
    connection::for_guests,
    problem::{Asked, Body, Problem},
};

/// Gives the line that running code waits for. What is asked for as a password is kept nowhere.
#[boxed]
pub async fn input(State(app): State<Arc<App>>, Body(answer): Body<AnswerInput>) -> Result<StatusCode, Problem> {
    session(&app, answer.path).await?.answer(answer.execution, answer.question, answer.value).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes more of what a run puts out.
#[boxed]
pub async fn go_on(
    State(app): State<Arc<App>>,
    Body(GoOn { path, execution }): Body<GoOn>,
) -> Result<StatusCode, Problem> {
    session(&app, path).await?.go_on(execution).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells the kernel what a person did to a control, as a line of input is given to code that asks for it.
#[boxed]
pub async fn widget(State(app): State<Arc<App>>, Body(told): Body<TellWidget>) -> Result<StatusCode, Problem> {
    let said = match told.state {
        Some(state) => WidgetSaid::Set { state, buffers: told.buffers },
        None => WidgetSaid::Custom(told.custom),
    };
    session(&app, told.path).await?.tell_widget(told.widget, CellKey(told.cell), said).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What could stand at a place in code.
#[boxed]
pub async fn completions(
    State(app): State<Arc<App>>,
    Body(asked): Body<AskKernel>,
) -> Result<Json<KernelCompletions>, Problem> {
    let found = session(&app, asked.path).await?.complete(&asked.code, asked.place as usize).await?;
    let unit = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Ok(Json(KernelCompletions { matches: found.matches, start: unit(found.start), end: unit(found.end) }))
}

/// What is at a place in code.
#[boxed]
pub async fn inspection(
    State(app): State<Arc<App>>,
    Body(asked): Body<AskKernel>,
) -> Result<Json<KernelInspection>, Problem> {
    let text = session(&app, asked.path).await?.inspect(&asked.code, asked.place as usize).await?;
    Ok(Json(KernelInspection { text }))
}

/// Which notebook.
#[derive(Debug, Deserialize)]
pub struct Notebook {
    path: WorkspacePath,
}

/// Lists the threads of its AI cells.
#[boxed]
pub async fn ai_cells(
    State(app): State<Arc<App>>,
    Asked(Notebook { path }): Asked<Notebook>,
) -> Result<Json<Vec<AiCellThread>>, Problem> {
    let path = session(&app, path).await?.path();
    let threads = blocking(move || app.cells.threads(&path)).await??;
    Ok(Json(threads.into_iter().map(|(cell, thread)| AiCellThread { cell, thread }).collect()))
}

/// The thread of one AI cell, also of one that was never asked.
#[boxed]
pub async fn ai_cell(
    State(app): State<Arc<App>>,
    Body(AiCellAt { path, cell }): Body<AiCellAt>,
) -> Result<Json<AiCellThread>, Problem> {
    let session = session(&app, path).await?;
    let thread = app.cells.thread(&session, &CellKey(cell.clone())).await?;
    Ok(Json(AiCellThread { cell, thread }))
}

/// Tells what of a notebook is trusted; to say it is `notebook.trust`.
#[boxed]
pub async fn trust(
    State(app): State<Arc<App>>,
    Asked(Notebook { path }): Asked<Notebook>,
) -> Result<Json<NotebookTrust>, Problem> {
    let Trust { outputs, said, waits, seen } = session(&app, path.clone()).await?.trust_now().await?;
    Ok(Json(NotebookTrust { path, trusted: outputs, said, waits, seen }))
}

/// One output of a cell.
#[derive(Debug, Deserialize)]
pub struct Which {
    path: WorkspacePath,
    cell: String,
    /// From 0.
    output: usize,
    /// One of its forms; its text, or all of it as JSON, if absent.
    mime: Option<String>,
}

/// Returns the whole of one output as text: what was printed, a traceback, or one form as the notebook has it (base64 of an
/// image, JSON). Never shown as a page: it may be anything.
pub async fn output(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(which): Asked<Which>,
) -> Result<impl IntoResponse, Problem> {
    if let Shown::Guest(_) = shown {
        let (workspace, path) = (app.workspace.clone(), which.path.clone());
        blocking(move || for_guests(&workspace, &path)).await??;
    }
    let outputs = session(&app, which.path).await?.outputs(&CellKey(which.cell)).await?;
    let none = || Problem::not_found("the cell does not have this output");
    let text = outputs.get(which.output).and_then(|output| text(output, which.mime.as_deref())).ok_or_else(none)?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text))
}

fn text(output: &Output, mime: Option<&str>) -> Option<String> {
    match (output, mime) {
        (Output::Stream { text, .. }, _) => Some(text.clone()),
        (Output::Error(raised), _) => Some(raised.traceback.join("\n")),
        (Output::Shown { shown, .. }, mime) => {
            let form = Raw::parse(shown.data.get()).ok()?.get(mime.unwrap_or("text/plain"))?;
            Some(form.text().unwrap_or_else(|| form.as_str().to_owned()))
        }
        (Output::Other(raw), _) => Some(raw.as_str().to_owned()),
    }
}

async fn session(app: &Arc<App>, path: WorkspacePath) -> Result<Arc<Session>, Problem> {
    let sessions = app.kernels.clone();
    Ok(blocking(move || sessions.session(&path)).await??)
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Self {
        error.failure().into()
    }
}
