//! `aside notebook`.

use std::path::PathBuf;

use clap::Subcommand;

/// Commands about notebooks.
#[derive(Debug, Subcommand)]
pub enum Notebook {
    /// Run all cells in a new kernel and write the outputs into the notebook; exits with 1 if a cell fails
    Run {
        /// The notebook
        file: PathBuf,
        /// Write the notebook with its outputs to this file instead
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Continue after a failed cell
        #[arg(long)]
        allow_errors: bool,
        /// Time limit per cell, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
        timeout: Option<u32>,
        /// The kernel's name in `aside kernels list` [default: the notebook's kernel]
        #[arg(long, value_name = "NAME")]
        kernel: Option<String>,
    },
    /// Save a notebook of nbformat 1, 2 or 3 in format 4.5; the old file is stored for undo
    Upgrade {
        /// The notebook
        file: PathBuf,
    },
}
