//! Jupyter kernels: found, started, spoken to, ended. What they say comes as typed values, and none of it is lost.
//!
//! Knows no document, no action and no HTTP: whoever runs code through it decides what is run, and keeps what comes.

mod discover;
mod files;
mod folders;
mod spec;
mod surroundings;

pub use discover::{Kernels, find_kernels};
pub use files::{Disk, Files};
pub use spec::{InterruptMode, KernelSpec};
pub use surroundings::Surroundings;
