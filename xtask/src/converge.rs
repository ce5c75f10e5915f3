//! `cargo xtask converge`: two people and an agent edit one notebook at the real server, and have to end the same. The tests
//! do it for a few seconds; see `web/tests/browser/converge.spec.ts`.

use crate::{
    run::{command, step, target},
    tools, web,
};

const MINUTES: &str = "10";
const SEED: &str = "7";

/// Has them edit for so many minutes, 10 if nothing is said, what a seed names.
pub fn converge(args: &[&str]) -> Result<(), String> {
    let mut arguments = args.iter().copied();
    let (minutes, seed) = (arguments.next().unwrap_or(MINUTES), arguments.next().unwrap_or(SEED));
    for number in [minutes, seed] {
        number
            .parse::<u32>()
            .map_err(|_| format!("`{number}` is not a number\nhint: cargo xtask converge [MINUTES] [SEED]"))?;
    }
    tools::require_node()?;
    web::install()?;
    web::build()?;
    step("build the binary", command(env!("CARGO"), ".").args(["build", "--package", "aside", "--locked"]))?;
    let mut test = command("npm", "web");
    test.args(["run", "--silent", "test:browser", "--", "tests/browser/converge.spec.ts"]);
    test.env("ASIDE_BIN", target("debug/aside"));
    step("converge", test.env("ASIDE_CONVERGE_MINUTES", minutes).env("ASIDE_CONVERGE_SEED", seed))
}
