//! How a command ended, as the exit code that scripts read.

use aside_core::{Outcome, RefusedBy};
use aside_protocol::{SubmitState, Submitted};

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ended {
    /// It is done.
    Done = 0,
    /// It could not be done.
    Failed = 1,
    /// It was asked for in a way that makes no sense.
    Usage = 2,
    /// A person has to decide first.
    NeedsDecision = 3,
    /// Policy, a grant or the person said no.
    Refused = 4,
}

impl Ended {
    /// How an action ended. One that was done can say that what it ran has failed, such as a command or a cell.
    pub fn of(submitted: &Submitted) -> Self {
        match submitted.state {
            SubmitState::Done if submitted.record.ran_badly() => Self::Failed,
            SubmitState::Done => Self::Done,
            SubmitState::AwaitingConfirmation => Self::NeedsDecision,
            SubmitState::Failed | SubmitState::Running => Self::Failed,
            SubmitState::Refused => match submitted.outcome {
                Some(Outcome::Refused { by: RefusedBy::Request, .. }) => Self::Usage,
                _ => Self::Refused,
            },
        }
    }
}
