//! `latex`: the document that a file belongs to, how its builds stand, and what is where on its pages.

use std::sync::Arc;

use aside_core::WorkspacePath;
use aside_macros::boxed;
use aside_protocol::{LatexAreas, LatexOutput, LatexSource, LatexState};
use aside_workspace::{LatexError, LatexFaults, LatexWishes, Workspace};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Any file of the document.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    path: WorkspacePath,
}

/// Says how a document stands.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<LatexState>, Problem> {
    let workspace = app.workspace.clone();
    Ok(Json(blocking(move || state(&workspace, &wanted.path)).await??))
}

fn state(workspace: &Workspace, path: &WorkspacePath) -> Result<LatexState, LatexError> {
    let document = workspace.latex_document(path, LatexWishes::default())?;
    Ok(LatexState {
        engine: document.engine().to_owned(),
        because: document.because().to_owned(),
        missing: document.missing(),
        notes: document.notes().to_vec(),
        running: workspace.latex_running(&document.main),
        last: workspace.latex_build(&document.main)?,
        main: document.main,
    })
}

/// Says what the build put out that found something wrong in a file.
#[boxed]
pub async fn output(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<LatexOutput>, Problem> {
    let workspace = app.workspace.clone();
    let LatexFaults { stages, first } = blocking(move || workspace.latex_faults_about(&wanted.path)).await??;
    Ok(Json(LatexOutput { stages, first }))
}

/// A line of a source file.
#[derive(Debug, Deserialize)]
pub struct Line {
    path: WorkspacePath,
    line: u32,
}

/// Says where a line is in the PDF.
#[boxed]
pub async fn areas(State(app): State<Arc<App>>, Asked(line): Asked<Line>) -> Result<Json<LatexAreas>, Problem> {
    let workspace = app.workspace.clone();
    let (pdf, areas) = blocking(move || workspace.latex_areas(&line.path, line.line)).await??;
    Ok(Json(LatexAreas { pdf, areas }))
}

/// A point of a page of a PDF, in points from its upper left corner.
#[derive(Debug, Deserialize)]
pub struct Point {
    path: WorkspacePath,
    page: u32,
    x: f64,
    y: f64,
}

/// Says what a point of a PDF was made from.
#[boxed]
pub async fn source(State(app): State<Arc<App>>, Asked(point): Asked<Point>) -> Result<Json<LatexSource>, Problem> {
    let workspace = app.workspace.clone();
    let found = blocking(move || workspace.latex_source(&point.path, point.page, point.x, point.y)).await??;
    let (path, line) = found.unzip();
    Ok(Json(LatexSource { path, line }))
}

impl From<LatexError> for Problem {
    fn from(error: LatexError) -> Self {
        error.failure().into()
    }
}
