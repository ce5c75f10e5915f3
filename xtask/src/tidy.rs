//! `cargo xtask tidy`: rules that the compiler doesn't check, one file each below `tidy/`.

mod added_lines;
mod crate_table;
mod dependencies;
mod file_length;
mod ratchet;
pub mod source;

use std::fs;

use crate::run::root;

/// Checks the tree and names everything that is wrong at once; with `--shrink` updates the ratchet instead.
pub fn tidy(args: &[&str]) -> Result<(), String> {
    match args {
        [] => check(),
        ["--shrink"] => ratchet::shrink(),
        _ => Err("usage: cargo xtask tidy [--shrink]".to_owned()),
    }
}

fn check() -> Result<(), String> {
    let files = source::files();
    let mut problems = crate_table::problems()?;
    problems.extend(dependencies::unexplained()?);
    problems.extend(file_length::problems(&files));
    problems.extend(ratchet::problems(&files)?);
    if problems.is_empty() { Ok(()) } else { Err(format!("the tree is not tidy:\n  {}", problems.join("\n  "))) }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}
