//! `aside notebook`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with a notebook.
#[derive(Debug, Subcommand)]
pub enum Notebook {
    /// Runs all its code in a kernel of its own and writes what it puts out into it; ends with 1 if a cell fails
    Run {
        /// The notebook
        file: PathBuf,
        /// Where the notebook with its outputs goes; else into the notebook itself
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Goes on after a cell that fails
        #[arg(long)]
        allow_errors: bool,
        /// Seconds that each cell may take
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
        timeout: Option<u32>,
        /// The kernel, as `aside kernels list` names it; else the one that the notebook asks for
        #[arg(long, value_name = "NAME")]
        kernel: Option<String>,
    },
}
