//! `find`: matches in the workspace's files, one [`FindLine`] for each file as soon as it is searched.

use std::{
    convert::Infallible,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Instant,
};

use aside_core::WorkspacePath;
use aside_macros::boxed;
use aside_protocol::{FindDone, FindInFiles, FindLine, FoundFile, FoundLine};
use aside_workspace::{
    FileMatches, FindQuery, FindScope, LineLimits, LineMatch, Pattern, SearchTotals, Workspace, WorkspaceError,
};
use axum::{
    Extension,
    body::Body as Answer,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use crate::{
    access::Shown,
    app::{App, blocking},
    connection::for_guests,
    problem::{Body, Problem},
};

/// Lines of all files, lines of one file, and bytes of a line.
const MOST_LINES: u32 = 10_000;
const MOST_OF_A_FILE: usize = 1_000;
const MOST_OF_A_LINE: usize = 400;
/// Answers that wait for a slow reader; then the search waits too.
const WAITING: usize = 64;

/// Searches the files that the asker may open.
#[boxed]
pub async fn find(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(asked): Body<FindInFiles>,
) -> Result<Response, Problem> {
    let pattern = Pattern::new(&query(&asked)).map_err(|error| Problem::bad_request(error.to_string()))?;
    let (workspace, within) = (app.workspace.clone(), asked.within.clone());
    blocking(move || is_there(&workspace, within)).await??;
    let limits = LineLimits { lines: MOST_OF_A_FILE, width: MOST_OF_A_LINE };
    let (sender, receiver) = mpsc::channel(WAITING);
    let stop = Arc::new(AtomicBool::new(false));
    let search = Search {
        workspace: app.workspace.clone(),
        pattern,
        scope: FindScope { within: asked.within, notebooks: true, limits },
        is_guest: matches!(shown, Shown::Guest(_)),
        limit: asked.limit.unwrap_or(MOST_LINES).clamp(1, MOST_LINES),
        stop: stop.clone(),
        sender,
    };
    tokio::task::spawn_blocking(move || search.run());
    let stops = StopsSearch(stop);
    let lines = ReceiverStream::new(receiver).map(move |line| {
        let _ = &stops;
        Ok::<Bytes, Infallible>(line)
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Answer::from_stream(lines)).into_response())
}

fn query(asked: &FindInFiles) -> FindQuery {
    FindQuery {
        text: asked.text.clone(),
        regex: asked.regex,
        match_case: asked.match_case,
        whole_words: asked.whole_words,
        include: asked.include.clone(),
        exclude: asked.exclude.clone(),
    }
}

/// A wrong place is a problem, and not the last line of an answer.
fn is_there(workspace: &Workspace, within: Option<WorkspacePath>) -> Result<(), WorkspaceError> {
    let Some(within) = within else { return Ok(()) };
    match workspace.confine(&within)?.entry()? {
        Some(_) => Ok(()),
        None => Err(WorkspaceError::NotFound(within)),
    }
}

/// Ends the search when the answer is dropped: it is whole, or its reader is gone.
struct StopsSearch(Arc<AtomicBool>);

impl Drop for StopsSearch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Search {
    workspace: Arc<Workspace>,
    pattern: Pattern,
    scope: FindScope,
    /// Files that govern programs are not for a guest to read.
    is_guest: bool,
    limit: u32,
    stop: Arc<AtomicBool>,
    sender: mpsc::Sender<Bytes>,
}

impl Search {
    fn run(self) {
        let (began, files, lines) = (Instant::now(), AtomicU32::new(0), AtomicU32::new(0));
        let found = self
            .workspace
            .find(&self.pattern, &self.scope, &self.stop, &|path, found| self.take(path, found, (&files, &lines)));
        let lines = lines.into_inner();
        let more = lines >= self.limit;
        let end = |SearchTotals { files: searched, .. }: SearchTotals| FindDone {
            files: files.into_inner(),
            lines: lines.min(self.limit),
            looked_through: u32::try_from(searched).unwrap_or(u32::MAX),
            more,
            took_ms: u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX),
        };
        // The reader may be gone.
        let _ = self.send(&match found {
            Ok(totals) => FindLine::Done(end(totals)),
            Err(error) => FindLine::Failed(error.failure()),
        });
    }

    fn take(
        &self,
        path: WorkspacePath,
        mut found: FileMatches,
        (files, lines): (&AtomicU32, &AtomicU32),
    ) -> ControlFlow<()> {
        if self.is_guest && for_guests(&self.workspace, &path).is_err() {
            return ControlFlow::Continue(());
        }
        let count = u32::try_from(found.lines.len()).unwrap_or(u32::MAX);
        let before = lines.fetch_add(count, Ordering::Relaxed);
        let room = self.limit.saturating_sub(before);
        if room == 0 {
            return ControlFlow::Break(());
        }
        let more = found.more > 0 || count > room;
        found.lines.truncate(room as usize);
        files.fetch_add(1, Ordering::Relaxed);
        let file = FoundFile { path, lines: found.lines.into_iter().map(line).collect(), more };
        self.send(&FindLine::File(file))
    }

    fn send(&self, line: &FindLine) -> ControlFlow<()> {
        let mut text = serde_json::to_vec(line).expect("wire types serialise to JSON");
        text.push(b'\n');
        match self.sender.blocking_send(text.into()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

fn line(line: LineMatch) -> FoundLine {
    FoundLine { line: line.number, text: line.text, marks: line.marks }
}
