//! A change of one line, as a person at work makes it.

use std::{fs, path::Path};

use super::read;

/// Adds a line of code to a Rust or TypeScript file.
pub fn line(file: &Path) -> Result<(), String> {
    let text = read(file)?;
    // Another number each time, so that a second change is one too.
    let number = text.len();
    let line = if file.extension().is_some_and(|ending| ending == "ts") {
        format!("globalThis.document?.documentElement.setAttribute('data-changed', '{number}');")
    } else {
        format!("const _: usize = {number};")
    };
    fs::write(file, format!("{text}\n{line}\n")).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
