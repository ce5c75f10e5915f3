//! What tests of several crates share: fake model servers, transcripts, and the kernels that they start.

pub mod fake_models;
mod kernels;

pub use kernels::{python, typescript};
