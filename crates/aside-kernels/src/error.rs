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
    #[error("what stands in `{0}` is not what you looked at: it was changed meanwhile")]
    Changed(WorkspacePath),
    /// What was asked for can't be done while a cell runs.
    #[error("cell `{0}` is run, or waits to be")]
    Runs(String),
    /// There is no such kernel.
    #[error("there is no kernel {wanted}")]
    NoKernel {
        /// In words, after "there is no kernel".
        wanted: String,
    },
    /// None is running.
    #[error("no kernel runs for `{0}`")]
    NotRunning(WorkspacePath),
    /// What was asked for is known of kernels of Python only.
    #[error("the variables of a kernel of {0} can't be listed: only those of Python's can")]
    OnlyPython(String),
    /// It runs something, and is not asked meanwhile.
    #[error("the kernel runs a cell")]
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
    #[error("that run does not wait for input, or asks something else by now")]
    NotAsked,
    /// It was let go on already, or has ended.
    #[error("that run is not held back")]
    NotHeldBack,
    /// It was closed, or its kernel ended.
    #[error("the kernel has no control `{0}`")]
    NoWidget(String),
    /// What came with what a person did to a control is no base64.
    #[error("a binary part of what was said to the control is no base64")]
    NotBase64,
    /// The kernel's answer makes no sense.
    #[error("the kernel's answer makes no sense")]
    BadAnswer,
    /// Another run of the cell has taken its place, or what it put out was cleared.
    #[error("another run of the cell has taken its place")]
    Replaced,
    /// Why the kernel that was waited for did not start.
    #[error(transparent)]
    Told(Failure),
    /// The server is ending.
    #[error("the server is ending")]
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
            Self::Changed(_) => failure("stale").hint("look at it again"),
            Self::Runs(_) => failure("busy").hint("interrupt the kernel, or wait until it has ended"),
            Self::NoKernel { .. } => failure("no_kernel")
                .hint("`aside kernels list` shows what there is; for Python, `python3 -m pip install ipykernel`"),
            Self::NotRunning(_) => failure("no_kernel_runs").hint("running a cell starts one"),
            Self::OnlyPython(_) => failure("not_for_this_kernel").hint("run a cell that shows them"),
            Self::Busy => failure("busy").hint("ask again when it has ended, or interrupt it"),
            Self::ShutDown => failure("shut_down"),
            Self::NoHome => failure("no_home"),
            Self::Kernel(_) | Self::BadAnswer => failure("kernel"),
            Self::NotAsked => failure("not_asked").hint("look at what is asked now"),
            Self::NotHeldBack => failure("not_held_back"),
            Self::NoWidget(_) => failure("no_widget").hint("run the cell that made it again"),
            Self::NotBase64 => failure("bad_request"),
            Self::Replaced => failure("replaced"),
            Self::Told(failure) => failure.clone(),
            Self::Ending => failure("ending"),
        }
    }
}
