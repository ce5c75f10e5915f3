//! What a person sends along with a message beside where they look.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::ThreadId;

/// One thing that goes along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Attached {
    /// Another conversation: its last exchange, as it is when the message is sent.
    Thread {
        /// Which one.
        thread: ThreadId,
    },
    /// What a program said: a problem of a build, the end of a log. It is shown to the model as data from outside.
    Data {
        /// What it is, for the person: "Problem in paper.tex, line 12".
        label: String,
        /// Who said it, as a part of a sentence: "what `latexmk` put out".
        from: String,
        /// The data; the beginning of it is sent where it is long.
        text: String,
    },
    /// What a word with a slash stands for.
    Command {
        /// The word, without the slash.
        name: String,
        /// What it says to the model.
        text: String,
    },
}
