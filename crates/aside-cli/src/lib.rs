//! The command line. Serving is `aside-server`; every other command talks HTTP to the running server of the
//! workspace, or to one that it starts in its own process for as long as it runs.

mod action_pages;
mod arguments;
mod client;
mod commands;
mod ended;
mod follow;
mod output;
mod panicking;
mod preview;
mod task_text;
mod workspace;

use std::{num::NonZero, process::ExitCode, thread::available_parallelism};

pub use aside_server::{Ui, UiFile};
use clap::Parser as _;
use futures_util::future::LocalBoxFuture;

use crate::{
    arguments::{Arguments, Command},
    ended::Ended,
    output::Output,
};

/// Does what was typed; `ui` returns files of the user interface.
pub fn run(ui: Ui) -> ExitCode {
    aside_server::enter_if_helper();
    aside_server::enter_if_relay();
    aside_server::enter_if_pdf_reader();
    // The only TLS of this program; a second installation would be a second choice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments = Arguments::parse();
    let output = Output::new(arguments.json);
    log_to_stderr(&arguments);
    panicking::say_without(aside_server::known_secrets());
    if let Some(result) = commands::at_once(&arguments, &output) {
        return result.unwrap_or_else(|error| output.error(&error)).into();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers()).enable_all().build();
    let result = match runtime {
        Ok(runtime) => {
            // Boxed: the runtime would compile all commands once for each of its kinds.
            let command: LocalBoxFuture<'_, _> = Box::pin(commands::run(arguments, ui, &output));
            let result = runtime.block_on(command);
            // A blocked read of standard input must not keep the process.
            runtime.shutdown_background();
            result
        }
        Err(error) => Err(anyhow::Error::new(error).context("cannot start the runtime")),
    };
    result.unwrap_or_else(|error| output.error(&error)).into()
}

/// How many threads do what does not wait. One where there are two processors: a second that looks for work keeps a kernel
/// from running, which takes longer than it helps.
fn workers() -> usize {
    let processors = available_parallelism().map_or(1, NonZero::get);
    if processors > 2 { 2 } else { 1 }
}

/// `ASIDE_LOG=debug` says more; warnings are always said, but for what other programs get wrong over MCP, and what a
/// command prints itself when its server in this process refuses it.
fn log_to_stderr(arguments: &Arguments) {
    let serves = matches!(arguments.command, None | Some(Command::Demo { .. }));
    let usual = if serves { "warn,rmcp=off" } else { "warn,rmcp=off,aside_server::problem=off" };
    let filter = tracing_subscriber::EnvFilter::try_from_env("ASIDE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(usual));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().init();
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(ended as u8)
    }
}
