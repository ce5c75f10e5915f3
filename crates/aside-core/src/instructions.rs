//! Standing instructions: files that tell the assistant how to work, with every message of a thread.

use std::fmt;

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::WorkspacePath;

/// Where standing instructions are kept, in the order in which they are sent: what is nearer to the document comes later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InstructionsAt {
    /// The person's own, for all workspaces: `instructions.md` in their folder.
    Person,
    /// The workspace's own: `.aside/instructions.md`.
    Workspace,
    /// A file that lies among the workspace's files: an `AGENTS.md`. It may have come with them.
    File {
        /// Which one; it is about the folder it is in.
        path: WorkspacePath,
    },
}

impl fmt::Display for InstructionsAt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => formatter.write_str("your instructions.md"),
            Self::Workspace => formatter.write_str(".aside/instructions.md"),
            Self::File { path } => path.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_from_the_widest_to_the_narrowest() {
        let file = |path: &str| InstructionsAt::File { path: path.parse().unwrap() };
        let mut all = [file("src/AGENTS.md"), InstructionsAt::Workspace, file("AGENTS.md"), InstructionsAt::Person];
        all.sort();
        assert_eq!(all, [InstructionsAt::Person, InstructionsAt::Workspace, file("AGENTS.md"), file("src/AGENTS.md")]);
    }
}
