//! The figures of scripts: a fresh engine, a call beside the same call by the Gate, a dry run beside the run, the check.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::run::{command, quiet, target};

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn script() -> Result<(), String> {
    // Not in the system's folder for temporary files, which may be in memory.
    let folder = scratch(target("tmp"), "script")?;
    let mut example = command(env!("CARGO"), ".");
    example.args([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "aside-testkit",
        "--example",
        "script_bench",
    ]);
    let text = quiet("script_bench", example.arg("--").arg(&folder));
    let _ = fs::remove_dir_all(&folder);
    report(&text?.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
