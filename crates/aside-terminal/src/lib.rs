//! Terminals: shells behind pseudo terminals, their scrollback, the sizes of their windows, and their text.
//!
//! ```text
//! program -> pty -> reader thread -> Scrollback (bytes, cut at safe places) -> windows, each from its own place
//! window  -> queue of 1 MB -> writer thread -> pty
//! ```
//!
//! A program never waits for a window, and memory stays bounded: a window that is too slow goes on at the newest
//! output. Sockets, actions and the decision about who may type belong to others.

mod answers;
mod environment;
mod error;
mod flow;
mod modes;
mod scrollback;
mod shell;
mod terminal;
mod terminals;
mod text;
mod viewers;

pub use answers::is_answer;
pub use environment::environment;
pub use error::TerminalError;
pub use flow::{Flow, FlowStep};
pub use scrollback::{Resume, Scrollback};
pub use shell::{known_shells, usual_shell};
pub use terminal::{Start, Terminal};
pub use terminals::{FoundTerminal, Terminals};
pub use text::ScreenText;
pub use viewers::{ViewerId, Viewers};
