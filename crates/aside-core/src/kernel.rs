//! Kernels that can be started, as they were found on this machine.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::WorkspacePath;

/// All that was found of kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundKernels {
    /// Those that can be started; of two with one name the one that is used comes first.
    pub kernels: Vec<FoundKernel>,
    /// Environments of Python that have no kernel.
    pub without_kernel: Vec<WithoutKernel>,
    /// What is wrong with kernels that are therefore left out, or with a part of one that is not.
    pub problems: Vec<KernelProblem>,
}

/// An environment of Python that has no kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WithoutKernel {
    /// The path of its interpreter.
    pub interpreter: String,
    /// Its folder, if it is in the workspace: `kernel.setup` adds a kernel to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub environment: Option<WorkspacePath>,
}

/// A kernel that can be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundKernel {
    /// What it is asked for by; unique. `NAME@ENVIRONMENT` where Jupyter would find another kernel of this name first.
    pub name: String,
    /// For people.
    pub display_name: String,
    /// The language it runs, as the kernel spells it; empty if it doesn't say.
    pub language: String,
    /// Whose it is.
    pub place: KernelPlace,
    /// The folder that describes it, or the interpreter where no file does.
    pub path: String,
}

/// Whose a kernel is, in the order in which kernels are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KernelPlace {
    /// A folder that `JUPYTER_PATH` names.
    Named,
    /// The environment that Aside was started in.
    Environment,
    /// An environment in the workspace: it came with the files.
    Workspace,
    /// The person's.
    Person,
    /// The machine's.
    System,
}

/// What is wrong with a kernel's description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KernelProblem {
    /// The file.
    pub path: String,
    /// What is wrong, and where in it.
    pub message: String,
}
