//! Programs of this machine that Aside works with.

use crate::TS;
use serde::{Deserialize, Serialize};

/// A program, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundProgram {
    /// What it is called.
    pub name: String,
    /// Its whole path; absent if it was not found.
    pub path: Option<String>,
}

/// The Python that kernels of notebooks would run in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundPython {
    /// Its whole path; absent if none was found.
    pub path: Option<String>,
    /// Such as `3.12.1`; absent if it could not be asked.
    pub version: Option<String>,
    /// It has the package that Jupyter kernels need; absent if it could not be asked.
    pub ipykernel: Option<bool>,
    /// Why it could not be asked.
    pub note: Option<String>,
}
