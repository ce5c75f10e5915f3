//! `cargo xtask test`: everything that has to hold, from formatting to real browsers.

use crate::{
    mcp, models, needed,
    run::{command, root, step, target},
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
        return step("Rust tests", command(env!("CARGO"), ".").args(["test", "--workspace", "--locked", filter]));
    }
    tools::require_node()?;
    web::install()?;
    step("formatting", command(env!("CARGO"), ".").args(["fmt", "--all", "--check"]))?;
    tidy::tidy(&[])?;
    step("types, lint and unit tests of the user interface", command("npm", "web").args(["run", "--silent", "check"]))?;
    web::build()?;
    step("size of the user interface", command("npm", "web").args(["run", "--silent", "size"]))?;
    step(
        "lint",
        command(env!("CARGO"), ".").args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    // A package of its own: what it is made of would else rot unseen.
    step(
        "fuzz targets compile",
        command(env!("CARGO"), ".")
            .args(["check", "--manifest-path", "fuzz/Cargo.toml", "--bins", "--locked", "--target-dir"])
            .arg(target("")),
    )?;
    let found = needed::find()?;
    step("build the binary", command(env!("CARGO"), ".").args(["build", "--package", "aside", "--locked"]))?;
    // What fails in one of these says nothing of the others.
    let results = [rust_tests(&found), mcp::conformance(), models::suite(), browser_tests()];
    // Last, where it is read.
    found.not_tested.iter().for_each(|line| eprintln!("{line}"));
    let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn browser_tests() -> Result<(), String> {
    let chromium = tools::chromium()?;
    step(
        "browser tests",
        command("npm", "web")
            .args(["run", "--silent", "test:browser"])
            .env("CHROMIUM", chromium)
            .env("ASIDE_BIN", target("debug/aside"))
            .env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?)
            .env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB)),
    )
}

fn rust_tests(found: &needed::Found) -> Result<(), String> {
    web::install_below(WEBHOOKS, "install payloads of webhooks")?;
    web::install_below(TYPESCRIPT, "install a kernel of TypeScript")?;
    let mut tests = command(env!("CARGO"), ".");
    if tools::has_cargo_subcommand("nextest") {
        tests.args(["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]);
    } else {
        tests.args(["test", "--workspace", "--locked", "--no-fail-fast"]);
    }
    let payloads = root().join(WEBHOOKS).join("node_modules/@octokit/webhooks-examples/api.github.com/index.json");
    tests.env(needed::HAS, found.working.join(","));
    tests.env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?).env("ASIDE_TEST_WEBHOOKS", payloads);
    tests.env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB));
    step("Rust tests", &mut tests)
}
