//! `cargo xtask test`: everything that a change can break, from formatting to real browsers. Slower checks are `cargo xtask soak`.
//!
//! Programs are installed and the user interface is checked while Rust compiles.

mod home;
mod rust;

pub use rust::ignored;

use std::{
    fs,
    thread::{ScopedJoinHandle, scope},
};

use crate::{
    mcp, models, needed,
    run::{cargo, command, quiet_step, root, step, take_steps, target, timed},
    tidy, tools, web,
};

/// Where payloads of other people's webhooks are named.
const WEBHOOKS: &str = "crates/aside-history/suite";

/// Where a kernel of another language is named.
const TYPESCRIPT: &str = "crates/aside-kernels/suite";
/// Its program, below that.
const TSLAB: &str = "node_modules/tslab/bin/tslab";

/// What the tests' kernel has: itself, what SQL cells ask with and answer in, and what else writes notebooks.
const KERNEL: &[&str] = &["ipykernel", "ipywidgets", "pandas", "duckdb", "nbformat"];

/// Runs all tests; with a filter only the Rust tests whose name contains it.
pub fn test(args: &[&str]) -> Result<(), String> {
    if let Some(filter) = args.first() {
        return rust::only(filter);
    }
    tools::require_node()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    timed("tidiness", || tidy::tidy(&[]))?;
    let found = prepared()?;
    let results = run(&found);
    summary(&found);
    let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Compiles everything and installs the programs of the tests.
fn prepared() -> Result<needed::Found, String> {
    scope(|scope| {
        let interface = scope.spawn(user_interface);
        let programs = scope.spawn(programs);
        let rust = rust::lint().and_then(|()| rust::build());
        let (interface, programs) = (ended(interface), ended(programs));
        rust?;
        interface?;
        programs
    })
}

/// Runs all suites; a failure in one does not stop the others. One after the other: each keeps all processors busy.
fn run(found: &needed::Found) -> Vec<Result<(), String>> {
    vec![rust::run(found), mcp::conformance(), models::suite(), browser_tests()]
}

fn ended<T>(work: ScopedJoinHandle<'_, Result<T, String>>) -> Result<T, String> {
    work.join().unwrap_or_else(|_| Err("a task of the tests panicked".to_owned()))
}

fn user_interface() -> Result<(), String> {
    web::install()?;
    quiet_step(
        "types, lint and unit tests of the user interface",
        command("npm", "web").args(["run", "--silent", "check"]),
    )?;
    web::build()?;
    quiet_step("size of the user interface", command("npm", "web").args(["run", "--silent", "size"]))
}

/// Installs the programs that tests start.
fn programs() -> Result<needed::Found, String> {
    let chromium = tools::chromium().map(drop);
    let found = needed::find()?;
    tools::python_with(KERNEL)?;
    models::clients()?;
    web::install_below(WEBHOOKS, "install payloads of webhooks")?;
    web::install_below(TYPESCRIPT, "install a kernel of TypeScript")?;
    web::install_below(mcp::SUITE, "install the programs that test MCP")?;
    web::install_below(models::SUITE, "install the mock of model providers")?;
    chromium.map(|()| found)
}

fn browser_tests() -> Result<(), String> {
    let chromium = tools::chromium()?;
    let mut tests = command("npm", "web");
    tests.args(["run", "--silent", "test:browser"]).env("CHROMIUM", chromium).env("ASIDE_BIN", target("debug/aside"));
    tests.env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?);
    tests.env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB));
    home::elsewhere(&mut tests)?;
    step("browser tests", &mut tests)
}

/// Prints the time of each step, and at the very end the tests that were left out.
fn summary(found: &needed::Found) {
    let mut steps = take_steps();
    steps.sort_by_key(|step| std::cmp::Reverse(step.took));
    let lines: String = steps.iter().map(|step| format!("{:.1}\t{}\n", step.took.as_secs_f32(), step.name)).collect();
    eprintln!("==> time of the steps (seconds; some run side by side)\n{lines}");
    let _ = fs::write(target("test-steps.tsv"), lines);
    found.not_tested.iter().for_each(|line| eprintln!("{line}"));
}
