//! What keeps a program that Aside starts from reaching what it has no business with.

use std::fmt;

use crate::TS;
use serde::{Deserialize, Serialize};

/// How a program is kept apart from the rest of the machine, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// Bubblewrap: it sees no other files, processes or networks than it is given.
    Bubblewrap,
    /// Landlock and seccomp: it can't open other files or sockets. Nothing new can be put directly into a folder
    /// that holds something protected, such as the top of the workspace.
    Landlock,
    /// Nothing: it can do whatever the person can. Always asked, whatever the rules say.
    None,
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "Landlock",
            Self::None => "no sandbox",
        })
    }
}
