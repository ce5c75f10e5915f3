//! Scripts over actions: TypeScript that calls actions through one host function, in a sandbox without files, network, environment or clock.
//!
//! [`compile`] erases the types, [`check`] compares the calls with the catalog, [`declarations`] writes `aside.d.ts`, and [`run`] runs the script or
//! replays its journal. The caller decides what a call does: the host of a dry run only foresees.

mod action;
mod check;
mod console;
mod control;
mod declarations;
mod engine;
mod erase;
mod error;
mod host;
mod journal;
mod limits;
mod literal;
mod memory;
mod nesting;
mod program;
mod run;
mod stuck;
mod syntax;

pub use action::ActionSignature;
pub use check::{CallSite, Finding, called, check};
pub use console::ConsoleLog;
pub use control::CancelHandle;
pub use declarations::{declaration, declarations};
pub use error::{AsideError, CallFailure, ScriptError};
pub use host::{Host, HostFuture, Observation, PersonWait, ScriptCall};
pub use journal::{CallNumber, JournalEntry};
pub use limits::ScriptLimits;
pub use program::{Program, compile};
pub use run::{Script, ScriptOutcome, run};
