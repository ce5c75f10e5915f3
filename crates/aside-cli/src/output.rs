//! What is printed, for people or for programs. Text of models and files is made harmless for a terminal.

use std::io::{self, IsTerminal as _, Write as _};

use aside_core::{Failure, harmless};
use aside_protocol::ErrorBody;
use aside_server::ServeError;
use serde::Serialize;

use crate::ended::Ended;

/// Where results go.
#[derive(Debug)]
pub struct Output {
    /// For programs.
    pub json: bool,
    /// Colours are welcome.
    pub colour: bool,
}

impl Output {
    /// Finds out what standard output is.
    pub fn new(json: bool) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|set| !set.is_empty() && set != "0");
        // Claude Code shows the colours of a line that it reads from a pipe.
        let wanted = io::stdout().is_terminal() || is_set("FORCE_COLOR");
        let refused = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
        Self { json, colour: !json && wanted && !refused }
    }

    /// Prints a value as one line of JSON, or what `words` makes of it.
    pub fn result(&self, value: &impl Serialize, words: impl FnOnce() -> String) {
        if self.json {
            self.line(&serde_json::to_string(value).expect("results serialise to JSON"));
        } else {
            self.line(words().trim_end());
        }
    }

    /// Prints a line. A closed pipe is no failure of ours.
    pub fn line(&self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(io::stdout(), "{text}");
        }
    }

    /// Says something beside the result, to people.
    pub fn notice(&self, text: &str) {
        if !self.json {
            eprintln!("note: {}", harmless(text));
        }
    }

    /// Prints a piece of a line at once.
    pub fn piece(&self, text: &str) {
        let mut stdout = io::stdout();
        let _ = write!(stdout, "{}", harmless(text)).and_then(|()| stdout.flush());
    }

    /// Prints a piece of a line at once, over what is in the line if it says so.
    pub fn draw(&self, over: bool, text: &str) {
        if over {
            let _ = write!(io::stdout(), "\r\x1b[K");
        }
        self.piece(text);
    }

    /// Prints what went wrong, with the hint on its own line; returns how the command ended.
    pub fn error(&self, error: &anyhow::Error) -> Ended {
        let failure = match error.downcast_ref::<Failure>() {
            Some(failure) => failure.clone(),
            None => {
                let hint = error.downcast_ref::<ServeError>().and_then(ServeError::hint).map(str::to_owned);
                Failure { hint, ..Failure::new("failed", said_once(error)) }
            }
        };
        let ended = if failure.code == "unknown_action" { Ended::Usage } else { Ended::Failed };
        if self.json {
            self.line(&serde_json::to_string(&ErrorBody { error: failure }).expect("failures serialise to JSON"));
        } else {
            eprintln!("error: {}", harmless(&failure.message));
            if let Some(hint) = &failure.hint {
                eprintln!("hint: {}", harmless(hint));
            }
        }
        ended
    }

    /// Wraps text in a colour, if colours are welcome.
    pub fn paint(&self, colour: Colour, text: &str) -> String {
        if self.colour { format!("\x1b[{}m{text}\x1b[0m", colour as u8) } else { text.to_owned() }
    }
}

/// An error and its causes, each once: some say their cause themselves.
fn said_once(error: &anyhow::Error) -> String {
    error
        .chain()
        .map(ToString::to_string)
        .reduce(|said, cause| if said.contains(&cause) { said } else { format!("{said}: {cause}") })
        .unwrap_or_default()
}

/// The colours in use.
#[derive(Clone, Copy, Debug)]
pub enum Colour {
    Bold = 1,
    Dim = 2,
    Red = 31,
    Green = 32,
    Yellow = 33,
    Cyan = 36,
}

/// Returns a name harmless for a terminal, on one line.
pub fn on_one_line(name: &str) -> String {
    harmless(name).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let error = anyhow::anyhow!("no space (os error 28)")
            .context("cannot write a: no space (os error 28)")
            .context("stopped");
        assert_eq!(said_once(&error), "stopped: cannot write a: no space (os error 28)");
    }
}
