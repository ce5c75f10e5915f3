//! `aside kernels`.

use clap::Subcommand;

/// What to do with kernels.
#[derive(Debug, Subcommand)]
pub enum Kernels {
    /// Lists those that can be started here, the one that is used first of each name, and those that run beside notebooks;
    /// nothing is started
    List,
    /// Ends kernels that run beside notebooks; what they have computed and not written is gone
    Stop {
        /// The notebook, or the name of a kernel: all that run under it
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// All of them
        #[arg(long)]
        all: bool,
    },
}
