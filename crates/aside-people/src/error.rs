//! Why something of people or chats can't be done.

use aside_core::{Failure, LONGEST_MESSAGE, MessageId, PersonId};
use aside_store::StoreError;

/// Why it can't be done.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// There is no such message. Code `not_found`.
    #[error("there is no message {0}")]
    NoMessage(MessageId),
    /// There is no such person. Code `not_found`.
    #[error("there is no person with the id {0}")]
    Nobody(PersonId),
    /// Somebody else said it, or a program of theirs. Code `not_yours`.
    #[error("only the author can change this message")]
    NotYours,
    /// It was taken back. Code `conflict`.
    #[error("this message was deleted")]
    Deleted,
    /// There is nothing in it. Code `bad_request`.
    #[error("a message needs some text")]
    Empty,
    /// It is too long. Code `too_large`.
    #[error("a message has at most {} KB; this one has {}", LONGEST_MESSAGE >> 10, .0.div_ceil(1 << 10))]
    TooLong(usize),
    /// They say too much at once. Code `too_fast`.
    #[error("too many messages at once")]
    TooFast,
    /// There are as many as there can be. Code `too_many`.
    #[error("the maximum of {0} is reached")]
    TooMany(&'static str),
    /// It can't be the name of a person. Code `bad_request`.
    #[error("“{name}” is not a valid name: {why}")]
    Name {
        /// What was given.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The link of a guest was made before. Code `handed_out`.
    #[error("the link for {0} was already created")]
    HandedOut(String),
    /// Whose workspace it is can't be sent away. Code `conflict`.
    #[error("the owner of the workspace can't be removed")]
    Owner,
    /// It can't be read or written. Code `store`.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ChatError {
    /// Returns the error as a value with a stable code.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NoMessage(_) | Self::Nobody(_) => failure("not_found"),
            Self::NotYours => failure("not_yours"),
            Self::Deleted | Self::Owner => failure("conflict"),
            Self::Empty => failure("bad_request"),
            Self::Name { .. } => failure("bad_request").hint("choose another name"),
            Self::TooLong(_) => failure("too_large").hint("put the text into a file and mention that file"),
            Self::TooFast => failure("too_fast").hint("wait a few seconds and send it again"),
            Self::HandedOut(_) => failure("handed_out").hint("remove the guest and invite them again for a new link"),
            Self::TooMany(_) => failure("too_many"),
            Self::Store(error) => error.failure(),
        }
    }
}
