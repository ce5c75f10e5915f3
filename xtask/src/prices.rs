//! `cargo xtask prices [PYTHON]`: writes the price list that comes with Aside, and the fixtures that hold its sums
//! against LiteLLM's calculator.

use std::path::PathBuf;

use crate::{
    run::{command, step, target},
    tools,
};

const LITELLM: &str = "litellm==1.109.1";
/// Whose sums are compared: those with tiers, cache prices and reasoning prices of their own.
const PROVIDERS: [&str; 6] = ["anthropic", "openai", "gemini", "groq", "deepseek", "xai"];

/// Asks the LiteLLM of an interpreter, or of the repository's own environment, and writes what it says.
pub fn prices(args: &[&str]) -> Result<(), String> {
    let python = match args.first() {
        Some(path) => PathBuf::from(path),
        None => tools::python_with(&[LITELLM])?,
    };
    let mut ask = command(&python.to_string_lossy(), ".");
    let said = ask.arg("xtask/src/prices/fixtures.py").args(PROVIDERS).output().map_err(|error| error.to_string())?;
    if !said.status.success() {
        return Err(format!("LiteLLM failed:\n{}", String::from_utf8_lossy(&said.stderr)));
    }
    let path = target("litellm.json");
    std::fs::write(&path, said.stdout).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut write = command(env!("CARGO"), ".");
    write.args(["test", "--quiet", "--package", "aside-prices", "--test", "prices"]);
    step("write the price list and its fixtures", write.env("ASIDE_PRICES", path))
}
