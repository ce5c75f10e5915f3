//! `cargo xtask codegen`: writes `web/src/wire/gen/types.ts` from the Rust wire types.

use crate::run::{command, step};

/// Runs the test that knows the types, told to write.
pub fn codegen() -> Result<(), String> {
    let mut test = command(env!("CARGO"), ".");
    test.args(["test", "--quiet", "--package", "aside-protocol", "--test", "typescript"]).env("ASIDE_CODEGEN", "1");
    step("write the TypeScript of the wire types", &mut test)
}
