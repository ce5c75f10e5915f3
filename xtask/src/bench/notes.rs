//! The figures of notes: a start with 10,000 of them, the next one, a change, beside a plain walk and read of the same files.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::run::{command, quiet, target};

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn notes() -> Result<(), String> {
    let folder = scratch(target("tmp"), "notes")?;
    let mut example = command(env!("CARGO"), ".");
    example.args([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "aside-workspace",
        "--example",
        "notes_bench",
    ]);
    let text = quiet("notes_bench", example.arg("--").arg(&folder));
    let _ = fs::remove_dir_all(&folder);
    report(&text?.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
