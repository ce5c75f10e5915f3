//! A message to a thread, and its limits.

use aside_core::{Attached, Focus, Seed};

use crate::{attached, error::AgentError, sent};

/// Bytes of one message of a person.
const LONGEST_MESSAGE: usize = 200 * 1024;

/// What a person, or a program, says to a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The words.
    pub text: String,
    /// Where the person is looking.
    pub focus: Option<Focus>,
    /// What goes along beside that.
    pub attached: Vec<Attached>,
    /// A problem that it is about, with what programs said of it.
    pub seed: Option<Seed>,
    /// The situation that it is sent in, for the Navigator: tabs, cells, kernels, problems, one a line.
    pub situation: Option<String>,
    /// Sent again under the same key it is the turn that it began, as long as it is among the latest of its thread.
    pub key: Option<String>,
}

impl Message {
    /// Words, said while looking somewhere.
    pub fn new(text: impl Into<String>, focus: Option<Focus>) -> Self {
        Self { text: text.into(), focus, attached: Vec::new(), seed: None, situation: None, key: None }
    }
}

/// Fails if it can't be taken.
pub fn check(Message { text, attached, key, .. }: &Message) -> Result<(), AgentError> {
    check_key(key.as_deref())?;
    if attached.len() > attached::MOST {
        Err(AgentError::Message("has more than 8 attachments"))
    } else if text.trim().is_empty() {
        Err(AgentError::Message("is empty"))
    } else if text.len() > LONGEST_MESSAGE {
        Err(AgentError::Message("is longer than 200 kB: put long text into a file"))
    } else {
        Ok(())
    }
}

/// The same of its key alone.
pub fn check_key(key: Option<&str>) -> Result<(), AgentError> {
    if key.is_some_and(|key| key.len() > sent::LONGEST_KEY) { Err(AgentError::Key) } else { Ok(()) }
}
