//! Sessions with ipykernel, and with a kernel of another language, as a person meets them.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

mod restarts;
mod runs;
mod sql;
mod trust;
mod typescript;

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use aside_core::{CellOutput, ExecutionId, ExecutionState, KernelState, NotebookKernel, ProblemSource, WorkspacePath};
use aside_jupyter::{Disk, NotebookSecret};
use aside_kernels::{
    AskedVariables, CellToRun, Ended, NotebookNews, NotebookWatch, Output, Session, SessionError, SessionOptions,
    Sessions, cells_to_run,
};
use aside_notebook::CellKey;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use serde_json::{Value, json};

#[ctor::ctor(unsafe)]
fn enter() {
    aside_jupyter::enter_if_relay();
}

struct Bench {
    folder: tempfile::TempDir,
    store: Arc<Store>,
    workspace: Arc<Workspace>,
    sessions: Arc<Sessions>,
}

fn path() -> WorkspacePath {
    WorkspacePath::new("a.ipynb").unwrap()
}

fn key(at: usize) -> CellKey {
    CellKey(format!("c{at}"))
}

impl Bench {
    /// A notebook of these cells, and an environment that has a kernel.
    fn new(sources: &[&str]) -> Option<Self> {
        let cell = |(at, source): (usize, &&str)| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": [], "source": [source]});
        Self::of(sources.iter().enumerate().map(cell).collect())
    }

    fn of(cells: Vec<Value>) -> Option<Self> {
        let prefix = aside_testkit::python()?;
        let folder = tempfile::tempdir().unwrap();
        symlink(prefix, folder.path().join(".venv")).unwrap();
        Some(Self::over(folder, json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})))
    }

    fn over(folder: tempfile::TempDir, notebook: Value) -> Self {
        fs::write(folder.path().join("a.ipynb"), serde_json::to_string_pretty(&notebook).unwrap()).unwrap();
        Self::open(folder)
    }

    fn open(folder: tempfile::TempDir) -> Self {
        Self::open_with(folder, MOST)
    }

    fn open_with(folder: tempfile::TempDir, most_output: usize) -> Self {
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store.clone()).unwrap();
        let options = SessionOptions { most_output, ..SessionOptions::for_tests(folder.path()) };
        let sessions = Sessions::open(workspace.clone(), store.clone(), options).unwrap();
        Self { folder, store, workspace, sessions }
    }

    fn session(&self) -> Arc<Session> {
        self.sessions.session(&path()).unwrap()
    }

    async fn run(&self, cells: &[usize]) -> Vec<ExecutionId> {
        let session = self.session();
        let keys: Vec<_> = cells.iter().copied().map(key).collect();
        let cells = cells_to_run(&session.notebook().await.unwrap(), &path(), &keys).unwrap();
        session.run(cells, true).unwrap()
    }

    async fn ended(&self, cells: &[usize]) -> Vec<Ended> {
        let mut ended = Vec::new();
        for id in self.run(cells).await {
            ended.push(self.session().ended(&id).await.unwrap());
        }
        ended
    }

    /// Whether the kernel's environment has a library.
    fn has(&self, library: &str) -> bool {
        let versions = fs::read_dir(self.folder.path().join(".venv/lib")).unwrap();
        versions.flatten().any(|version| version.path().join("site-packages").join(library).is_dir())
    }

    /// As after `kill -9` of the server: nothing is told to anybody.
    fn killed(self) -> tempfile::TempDir {
        let Self { folder, store, workspace, sessions } = self;
        drop((sessions, workspace, store));
        folder
    }

    fn started_again(self) -> Self {
        Self::open(self.killed())
    }

    /// The notebook's file, when it has this.
    async fn file_with(&self, text: &str) -> Value {
        self.file_where(|file| serde_json::to_string(file).unwrap().contains(text)).await
    }

    /// The notebook's file, when this holds.
    async fn file_where(&self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let file = fs::read(self.folder.path().join("a.ipynb")).unwrap();
            match serde_json::from_slice(&file) {
                Ok(file) if holds(&file) => return file,
                _ => (),
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn end(self) {
        self.session().shut_down().await.unwrap();
    }
}

/// Bytes that a run may put out in these tests before it is held back.
const MOST: usize = 40 << 20;

fn states(ended: &[Ended]) -> Vec<ExecutionState> {
    ended.iter().map(|ended| ended.execution.state).collect()
}

fn printed(ended: &Ended) -> String {
    let text = |output: &Output| match output {
        Output::Stream { text, .. } => text.clone(),
        Output::Error(raised) => format!("{}: {}", raised.name, raised.value),
        other => other.write().as_str().to_owned(),
    };
    ended.outputs.iter().map(text).collect()
}

/// Watches until something holds of what was told so far.
async fn until(watch: &mut NotebookWatch, told: &mut Vec<NotebookNews>, holds: impl Fn(&NotebookNews) -> bool) {
    loop {
        if told.iter().any(&holds) {
            return;
        }
        told.extend(watch.next().await.unwrap());
    }
}

fn kernel_is(state: KernelState) -> impl Fn(&NotebookNews) -> bool {
    move |news| matches!(news, NotebookNews::Kernel(kernel) if kernel.state == state)
}

/// Until a cell has printed this.
async fn until_printed(session: &Arc<Session>, wanted: &str) {
    until(&mut session.watch(), &mut Vec::new(), |news| {
        matches!(news, NotebookNews::Outputs { outputs, .. }
            if matches!(&outputs[..], [CellOutput::Stream { text, .. }] if text.contains(wanted)))
    })
    .await;
}
