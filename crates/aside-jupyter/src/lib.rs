//! Jupyter kernels: found, started, spoken to, ended. What they say comes as typed values, and none of it is lost here.
//! (A kernel itself drops messages while more than about a thousand of them wait to be read; most put out few and large ones.)
//!
//! Knows no document, no action and no HTTP: whoever runs code through it decides what is run, and keeps what comes.
//!
//! ```text
//! find_kernels -> KernelSpec -> Launch -> Kernel::start -> Kernel, News
//! Kernel::run(code) -> Execution::next: Status busy, Begun, Stream …, Reply, Status idle, and no more
//! KernelRecord (kept by the caller) -> Kernel::find_again -> Kernel, News, the Execution that is not at its end
//!                                      or LeftBehind::open, if it has ended
//! ```

mod backlog;
mod channels;
mod connection;
mod discover;
mod error;
mod event;
mod files;
mod folders;
mod kernel;
mod launch;
mod left;
mod message;
mod process;
mod receipts;
mod relay;
mod requests;
mod signatures;
mod spec;
mod surroundings;

pub use discover::{Kernels, find_kernels};
pub use error::{KernelEnd, KernelError};
pub use event::{Display, KernelEvent, Raised, Reply, ReplyStatus};
pub use files::{Disk, Files};
pub use kernel::{Kernel, KernelInfo, RunCode};
pub use launch::{GoesOn, KernelRecord, Launch, Unfinished};
pub use left::{LeftBehind, LeftEvent};
pub use relay::enter_if_relay;
pub use requests::{Execution, News};
pub use signatures::NotebookSecret;
pub use spec::{InterruptMode, KernelSpec};
pub use surroundings::Surroundings;
