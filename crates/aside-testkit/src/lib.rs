//! What tests of several crates share: fake model servers and transcripts.

pub mod fake_models;
