//! The ends of a turn.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{BudgetLimit, Failure, HandOff};

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnEnd {
    /// The model had nothing more to do.
    Done,
    /// The person pressed Stop.
    Stopped,
    /// The step limit was reached; it can be continued.
    StepLimit {
        /// How many steps were made.
        steps: u32,
    },
    /// The Navigator has used up its budget; it can be continued.
    OutOfBudget {
        /// Which part of it.
        limit: BudgetLimit,
        /// How many steps were made.
        steps: u32,
        /// How many actions had an effect.
        done: u32,
        /// The rest of the work, as far as the model has said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left: Option<String>,
    },
    /// The Navigator offers to hand the work over.
    HandOff {
        /// The offer.
        offer: Box<HandOff>,
    },
    /// The server ended in the middle; it can be continued.
    Interrupted,
    /// It could not go on.
    Failed {
        /// Why.
        failure: Failure,
    },
}
