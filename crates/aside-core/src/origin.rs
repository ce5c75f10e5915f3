//! The origin of a request: a person, a model, a program, or a script of one of them.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{GrantId, Place, TaskId, ThreadId, TurnId};

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// A person at the UI.
    User {
        /// Their name.
        user: String,
    },
    /// A person at the command line.
    Cli {
        /// Their name.
        user: String,
    },
    /// A program with a token of its own, under the grant that the token names.
    Client {
        /// Who made the token.
        user: String,
        /// The grant.
        grant: GrantId,
    },
    /// A model, in a turn that a person started.
    Turn {
        /// Whose turn it is.
        user: String,
        /// The conversation.
        thread: ThreadId,
        /// The message being answered.
        turn: TurnId,
        /// The model call, from 1.
        step: u32,
        /// The provider's id of the tool call, unique within the step.
        call: String,
    },
    /// Another program over MCP, with a model of its own.
    Mcp {
        /// Whose token it uses.
        user: String,
        /// What the program calls itself.
        client: String,
        /// Tells programs of one name apart: a short hash of what names the connection; absent if nothing does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<String>,
    },
    /// A model of this machine that a person asks about their AI history, beside the documents.
    Sidebar {
        /// Who asks it.
        user: String,
    },
    /// A script, in the name of its starter.
    Script {
        /// The task of the run.
        task: TaskId,
        /// The number of the call in the run, from 1.
        call: u32,
        /// The place where the script runs.
        place: Place,
        /// The origin of the script's start.
        by: Box<Origin>,
    },
}

/// Bytes of an answer to what a model reads, as it is told ([`Origin::is_told`]): more of one would be cut off behind its back.
pub const TOLD_BYTES: usize = 16 * 1024;

impl Origin {
    /// The call of what is read for a message, before a model asks for anything. What of it was sent say the chips.
    pub const FOCUS: &str = "focus";

    /// The person on whose behalf it is; keys are scoped to them.
    pub fn user(&self) -> &str {
        match self {
            Self::User { user } | Self::Cli { user } => user,
            Self::Client { user, .. } | Self::Turn { user, .. } | Self::Mcp { user, .. } | Self::Sidebar { user } => {
                user
            }
            Self::Script { by, .. } => by.user(),
        }
    }

    /// The origin of a script's start; any other origin itself.
    pub fn starter(&self) -> &Self {
        match self {
            Self::Script { by, .. } => by.starter(),
            other => other,
        }
    }

    /// The task of a script's call.
    pub fn script(&self) -> Option<&TaskId> {
        match self {
            Self::Script { task, .. } => Some(task),
            _ => None,
        }
    }

    /// The conversation it belongs to, if any. Calls of a script belong to its task only.
    pub fn thread(&self) -> Option<&ThreadId> {
        match self {
            Self::Turn { thread, .. } => Some(thread),
            Self::User { .. }
            | Self::Cli { .. }
            | Self::Client { .. }
            | Self::Mcp { .. }
            | Self::Sidebar { .. }
            | Self::Script { .. } => None,
        }
    }

    /// Tells whether a model decided to ask, so that what it sends is data and never consent.
    pub fn is_model(&self) -> bool {
        matches!(self.starter(), Self::Turn { .. } | Self::Mcp { .. } | Self::Sidebar { .. })
    }

    /// Tells whether a model is told the answer itself, as what came of its call.
    pub fn is_told(&self) -> bool {
        matches!(self, Self::Turn { call, .. } if call != Self::FOCUS)
    }

    /// Tells whether a person asked, at a page, at the command line or by a script of theirs, and not a model or another program.
    pub fn is_person(&self) -> bool {
        matches!(self.starter(), Self::User { .. } | Self::Cli { .. })
    }
}
