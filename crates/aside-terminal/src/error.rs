//! Reasons for which a terminal can't be opened or used.

use aside_core::Failure;

/// Says why something could not be done with a terminal.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// The system has no pseudo terminal left, or the shell does not start.
    #[error("cannot start `{shell}` in a terminal: {why}")]
    Start {
        /// The path of the shell.
        shell: String,
        /// The system's reason.
        why: String,
    },
    /// No shell of this machine has that name or path.
    #[error("`{wanted}` is not a shell of this computer")]
    UnknownShell {
        /// The name or path that was given.
        wanted: String,
        /// The shells that there are.
        known: Vec<String>,
    },
    /// Too many run at once.
    #[error("{0} terminals are open already, which is the most")]
    TooMany(usize),
    /// The program does not read its input.
    #[error("the program in this terminal is not reading its input, so {0} bytes were not typed")]
    InputFull(usize),
    /// The shell has ended.
    #[error("this terminal's program has ended")]
    Ended,
    /// The size could not be set.
    #[error("cannot change the size of the terminal: {0}")]
    Resize(String),
}

impl TerminalError {
    /// Returns it as the answer of an action or a route.
    pub fn failure(&self) -> Failure {
        let (code, hint) = match self {
            Self::Start { .. } => ("not_started", Some("try another shell with `shell`".to_owned())),
            Self::UnknownShell { known, .. } => {
                ("unknown_shell", Some(format!("use one of {}, or leave `shell` out", known.join(", "))))
            }
            Self::TooMany(_) => ("too_many_terminals", Some("close one that you no longer need".to_owned())),
            Self::InputFull(_) => ("input_full", Some("wait, or press Ctrl+C to stop the program".to_owned())),
            Self::Ended => ("terminal_ended", Some("open a new terminal".to_owned())),
            Self::Resize(_) => ("internal", None),
        };
        let failure = Failure::new(code, self.to_string());
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
