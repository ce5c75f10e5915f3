//! The figures of the Gate: an action, many at once, a verdict, a search, a long audit.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::run::{command, quiet, target};

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn gate() -> Result<(), String> {
    // Not in the system's folder for temporary files, which may be in memory.
    let folder = scratch(target("tmp"), "gate")?;
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", "aside-actions", "--example", "gate_bench"]);
    let text = quiet("gate_bench", example.arg("--").arg(&folder));
    let _ = fs::remove_dir_all(&folder);
    report(&text?.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
