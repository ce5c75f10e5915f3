//! `cargo xtask codegen`: writes `web/src/wire/gen/types.ts` from the Rust wire types, `docs/actions` from the catalog,
//! `docs/settings.md` from the table of settings, and `docs/coverage.md` from the routes and the commands.

use crate::{
    run::{command, step},
    web,
};

/// Runs the tests that compare these files, told to write them.
pub fn codegen() -> Result<(), String> {
    write("write the TypeScript of the wire types", &typescript())?;
    write(
        "write the reference pages of the actions",
        &["--package", "aside", "--test", "integration", "action_pages"],
    )?;
    write("write the page of the settings", &["--package", "aside-server", "--test", "server", "settings_page"])?;
    write("write the routes of the coverage page", &["--package", "aside-server", "--lib", "coverage_page"])?;
    web::install()?;
    let mut commands = command("npx", "web");
    commands.args(["vitest", "run", "src/app/coverage.test.ts"]).env("ASIDE_CODEGEN", "1");
    step("write the commands of the coverage page", &mut commands)
}

/// Cargo's arguments for the test of the wire types; only it compiles what describes them in TypeScript.
pub fn typescript() -> [&'static str; 6] {
    ["--package", "aside-protocol", "--features", "typescript", "--test", "typescript"]
}

fn write(name: &str, arguments: &[&str]) -> Result<(), String> {
    let mut test = command(env!("CARGO"), ".");
    step(name, test.args(["test", "--quiet", "--locked"]).args(arguments).env("ASIDE_CODEGEN", "1"))
}
