//! Trees of logs whose truth is known, for the tests of several crates.

use std::{path::Path, process::Command};

/// Makes a tree in a folder and returns the truth about it; none where there is no Python to make it with.
#[expect(clippy::disallowed_methods, reason = "the generator is a program of its own")]
pub fn tree(folder: &Path, megabytes: &str, seed: &str) -> Option<serde_json::Value> {
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/../aside-history/tests/gen_history.py");
    let mut make = Command::new("python3");
    let Ok(made) = make.args([generator, "--mb", megabytes, "--seed", seed, "--out"]).arg(folder).output() else {
        println!("NOT TESTED: what is asked of generated trees of logs, as there is no python3");
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(serde_json::from_slice(&made.stdout).expect("the generator tells the truth as JSON"))
}
