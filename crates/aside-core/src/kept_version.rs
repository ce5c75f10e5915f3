//! What is kept of a document after something else took its place.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ActionId, KeptVersionId, Timestamp, Version};

/// What has led to a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MadeBy {
    /// The file held it when it was opened.
    Found,
    /// People typed.
    Typing,
    /// Cells were run.
    Run,
    /// Another program wrote the file.
    Disk,
    /// An action.
    Action {
        /// Which.
        action: ActionId,
        /// The one that it took back, if it was an undo.
        undoes: Option<ActionId>,
    },
}

/// One text of a document that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptVersion {
    /// Names it.
    pub id: KeptVersionId,
    /// Since when the document had this text.
    pub at: Timestamp,
    /// The version of the text.
    pub version: Version,
    /// How long it is.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What has led to it since the version before, in order.
    pub made_by: Vec<MadeBy>,
}
