//! The parts that all actions about terminals share.

use std::sync::Arc;

use aside_core::{ActionId, Failure, LabelSource, OpenTerminal, harmless};
use aside_store::Store;
use aside_terminal::{ScreenText, Terminal, Terminals};
use aside_workspace::Workspace;

/// Bytes of a terminal's text in one answer.
const MOST_BYTES: usize = 100_000;

/// The terminals, and the place for new ids.
#[derive(Clone)]
pub(crate) struct PersonsTerminals {
    pub workspace: Arc<Workspace>,
    pub store: Arc<Store>,
    pub terminals: Arc<Terminals>,
}

impl PersonsTerminals {
    /// Finds a terminal by its id or its name.
    pub fn find(&self, named: &str) -> Result<Arc<Terminal>, Failure> {
        self.terminals.find_named(named).ok_or_else(|| {
            let named: String = harmless(named).chars().take(80).collect();
            Failure::new("not_found", format!("there is no terminal `{named}`: it was closed, or the server restarted"))
                .hint("`terminal.list` lists the open terminals")
        })
    }
}

/// Where a terminal's text comes from: any program may have printed it.
pub(crate) fn printed_in(terminal: &OpenTerminal, action: &ActionId) -> LabelSource {
    LabelSource::external(format!("the terminal {}", terminal.name), "output of programs").by(action)
}

/// `bash (trm_…) in src: running make`
pub(crate) fn line(terminal: &OpenTerminal) -> String {
    let folder = if terminal.cwd.is_empty() { "the workspace folder" } else { &terminal.cwd };
    format!("{} ({}), began in {folder}: {}", terminal.name, terminal.id, standing(terminal))
}

/// Says in words if its program runs, waits or has ended.
pub(crate) fn standing(terminal: &OpenTerminal) -> String {
    match (&terminal.exit, &terminal.running) {
        (Some(exit), _) => match (exit.status, &exit.signal) {
            (Some(status), _) => format!("ended with exit status {status}"),
            (None, Some(signal)) => format!("ended by the signal {signal}"),
            (None, None) => "ended".to_owned(),
        },
        (None, Some(program)) => format!("running {program}"),
        (None, None) => "waiting at its prompt".to_owned(),
    }
}

/// Returns the last lines that fit into an answer, and whether there were more.
pub(crate) fn joined(text: &ScreenText) -> (String, bool) {
    let mut all = text.lines.join("\n");
    let over = all.len().saturating_sub(MOST_BYTES);
    all.drain(..all.ceil_char_boundary(over));
    (all, text.cut || over > 0)
}
