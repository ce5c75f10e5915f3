//! `cargo xtask codegen`: writes `web/src/wire/gen/types.ts` from the Rust wire types and `docs/actions` from the catalog.

use crate::run::{command, step};

/// Runs the tests that know what has to be there, told to write it.
pub fn codegen() -> Result<(), String> {
    generate("write the TypeScript of the wire types", "aside-protocol", "typescript")?;
    generate("write the reference pages of the actions", "aside", "action_pages")
}

fn generate(name: &str, package: &str, test: &str) -> Result<(), String> {
    let mut run = command(env!("CARGO"), ".");
    run.args(["test", "--quiet", "--package", package, "--test", test]).env("ASIDE_CODEGEN", "1");
    step(name, &mut run)
}
