//! An action as a script sees it: plain data, so that this crate knows no catalog.

use serde_json::Value;

/// The name, the arguments and the description of one action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionSignature {
    /// The name in the catalog: `file.create`.
    pub name: String,
    /// One sentence for the declaration file.
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub args_schema: Value,
}
