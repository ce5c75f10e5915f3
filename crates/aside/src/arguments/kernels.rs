//! `aside kernels`.

use clap::Subcommand;

/// What to do with kernels.
#[derive(Debug, Subcommand)]
pub enum Kernels {
    /// Lists those that can be started here, the one that is used first of each name; nothing is started
    List,
}
