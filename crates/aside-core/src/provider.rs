//! What a person said of the services that run models.

use crate::TS;
use serde::{Deserialize, Serialize};

/// Whether a person let content go to where a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// It runs on this machine: nothing leaves it.
    NotNeeded,
    /// It runs elsewhere, and nobody has said yes: nothing is sent to it.
    Needed,
    /// It runs elsewhere, and the person said yes.
    Given,
}

/// Where the key of a service is from. The environment goes before what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// There is none.
    None,
    /// A variable of the environment that Aside was started with.
    Environment,
    /// The system's keyring.
    Keyring,
    /// A file in the person's own folder that nobody else can read.
    File,
}
