//! What can go wrong between a notebook and its kernel, in words for people and models.

use aside_core::{Failure, WorkspacePath};
use aside_jupyter::KernelError;
use aside_store::StoreError;
use aside_workspace::WorkspaceError;
use thiserror::Error;

/// Why something could not be done with a notebook's kernel.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The file.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The file is no notebook.
    #[error("cannot read the notebook `{path}`: {error}")]
    NotNotebook {
        /// Which file.
        path: WorkspacePath,
        /// Why not.
        error: String,
    },
    /// It has no such cell.
    #[error("`{path}` has no cell `{cell}`")]
    NoCell {
        /// Which notebook.
        path: WorkspacePath,
        /// The key.
        cell: String,
    },
    /// Only code is run.
    #[error("cell `{cell}` is a {kind} cell: only code can be run")]
    NotCode {
        /// The key.
        cell: String,
        /// What it is.
        kind: String,
    },
    /// What a person looked at is not what stands there now.
    #[error("`{0}` has changed since you looked at it")]
    Changed(WorkspacePath),
    /// What was asked for can't be done while a cell runs.
    #[error("cell `{0}` is running or queued")]
    Runs(String),
    /// There is no such kernel.
    #[error("there is no kernel {wanted}")]
    NoKernel {
        /// In words, after "there is no kernel".
        wanted: String,
        /// The names of those that there are.
        here: Vec<String>,
    },
    /// None is running.
    #[error("no kernel is running for `{0}`")]
    NotRunning(WorkspacePath),
    /// What was asked for is known of kernels of Python only.
    #[error("variables can be listed only for Python kernels; this is a kernel of {0}")]
    OnlyPython(String),
    /// It runs something, and is not asked meanwhile.
    #[error("the kernel is running a cell")]
    Busy,
    /// The kernel was ended while it was waited for.
    #[error("the kernel was shut down")]
    ShutDown,
    /// There is no folder for the kernel's files.
    #[error("there is no folder for the kernel's files: HOME is not set")]
    NoHome,
    /// The kernel.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing waits for input, another run does, or another question is asked by now.
    #[error("that run no longer waits for this input")]
    NotAsked,
    /// It was let go on already, or has ended.
    #[error("that run is not on hold")]
    NotHeldBack,
    /// It was closed, or its kernel ended.
    #[error("the kernel has no widget `{0}`")]
    NoWidget(String),
    /// What came with what a person did to a control is no base64.
    #[error("a binary part of the widget message is not base64")]
    NotBase64,
    /// The kernel's answer makes no sense.
    #[error("the kernel's answer is invalid")]
    BadAnswer,
    /// Another run of the cell has taken its place, or what it put out was cleared.
    #[error("a newer run of the cell replaced this one")]
    Replaced,
    /// Why the kernel that was waited for did not start.
    #[error(transparent)]
    Told(Failure),
    /// The server is ending.
    #[error("the server is shutting down")]
    Ending,
}

impl SessionError {
    /// The same for people, programs and models.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::Workspace(error) => error.failure(),
            Self::Store(error) => error.failure(),
            Self::NotNotebook { .. } => failure("notebook"),
            Self::NoCell { .. } => failure("not_found").hint("`notebook.read` shows the cells with their keys"),
            Self::NotCode { kind, .. } => failure("not_code").data(serde_json::json!({ "kind": kind })),
            Self::Changed(_) => failure("stale").hint("review its content again"),
            Self::Runs(_) => failure("busy").hint("interrupt the kernel, or wait until the cell has ended"),
            Self::NoKernel { here, .. } if here.is_empty() => {
                failure("no_kernel").hint("for Python, run `python3 -m pip install ipykernel`")
            }
            Self::NoKernel { here, .. } => failure("no_kernel")
                .hint(format!(
                    "choose one that is installed with `kernel.start` and `kernel`: {}; the notebook keeps the name of its \
                        kernel until then",
                    named(here)
                ))
                .data(serde_json::json!({ "kernels": here })),
            Self::NotRunning(_) => failure("no_kernel_runs").hint("running a cell starts one"),
            Self::OnlyPython(_) => failure("not_for_this_kernel").hint("run a cell that shows them"),
            Self::Busy => failure("busy").hint("try again when the cell has ended, or interrupt it"),
            Self::ShutDown => failure("shut_down"),
            Self::NoHome => failure("no_home"),
            Self::Kernel(_) | Self::BadAnswer => failure("kernel"),
            Self::NotAsked => failure("not_asked").hint("check the current question"),
            Self::NotHeldBack => failure("not_held_back"),
            Self::NoWidget(_) => failure("no_widget").hint("run the cell that created it again"),
            Self::NotBase64 => failure("bad_request"),
            Self::Replaced => failure("replaced"),
            Self::Told(failure) => failure.clone(),
            Self::Ending => failure("ending"),
        }
    }
}

/// Kernels in a hint: as many as there is room for.
fn named(kernels: &[String]) -> String {
    const MOST: usize = 8;
    let named: Vec<String> = kernels.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = if kernels.len() > MOST { " and more" } else { "" };
    named.join(", ") + more
}
