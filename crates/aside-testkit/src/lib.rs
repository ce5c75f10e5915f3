//! What tests of several crates share: fake model servers, transcripts, the kernels that they start, and the programs that there are.

pub mod fake_models;
mod kernels;

pub use kernels::{python, typescript};

/// Tells whether `cargo xtask test` has seen a program do its work here (`ASIDE_TEST_HAS`): then a test that needs it fails
/// if it can't be used, and is not left out.
pub fn is_promised(program: &str) -> bool {
    std::env::var("ASIDE_TEST_HAS").is_ok_and(|has| has.split(',').any(|one| one == program))
}
