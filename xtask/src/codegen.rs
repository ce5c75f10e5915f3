//! `cargo xtask codegen`: writes `web/src/wire/gen/types.ts` from the Rust wire types and `docs/actions` from the catalog.

use crate::run::{command, step};

/// Runs the tests that compare these files, told to write them.
pub fn codegen() -> Result<(), String> {
    write("write the TypeScript of the wire types", &typescript())?;
    write("write the reference pages of the actions", &["--package", "aside", "--test", "integration", "action_pages"])
}

/// Cargo's arguments for the test of the wire types; only it compiles what describes them in TypeScript.
pub fn typescript() -> [&'static str; 6] {
    ["--package", "aside-protocol", "--features", "typescript", "--test", "typescript"]
}

fn write(name: &str, arguments: &[&str]) -> Result<(), String> {
    let mut test = command(env!("CARGO"), ".");
    step(name, test.args(["test", "--quiet", "--locked"]).args(arguments).env("ASIDE_CODEGEN", "1"))
}
