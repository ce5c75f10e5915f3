//! Lines of an answer that comes while an action runs.

use aside_core::TS;
use aside_core::{ActionId, Failure};
use serde::{Deserialize, Serialize};

use crate::Submitted;

/// One line of `POST actions?stream=true` and of `POST actions/{id}/decision?stream=true`: first `begun`, then what is put
/// out, last `ended` or `failed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionLine {
    /// The id by which it can be stopped.
    Begun(ActionId),
    /// A piece of output: everything from `offset` on, in UTF-16 units, is replaced by `text`.
    Output {
        /// Where the piece belongs.
        offset: u32,
        /// The piece.
        text: String,
    },
    /// What became of it, as without `stream`.
    Ended(Box<Submitted>),
    /// It was not taken in.
    Failed(Failure),
}
