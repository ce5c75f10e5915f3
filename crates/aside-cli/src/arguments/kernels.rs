//! `aside kernels`.

use clap::Subcommand;

/// Commands about kernels.
#[derive(Debug, Subcommand)]
pub enum Kernels {
    /// List the kernels that can be started here, in order of preference for each name, and the running ones; starts
    /// nothing
    List,
    /// Stop kernels; unsaved results in their memory are lost
    Stop {
        /// A notebook, or the name of a kernel to stop all kernels of that name
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// Stop all kernels
        #[arg(long)]
        all: bool,
    },
}
