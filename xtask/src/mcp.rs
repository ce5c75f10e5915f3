//! Other people's programs against our MCP server and client: the protocol's conformance suite and its own SDK.

use crate::{
    run::{command, step, target},
    web,
};

/// Where the programs are named, each with its version.
pub const SUITE: &str = "crates/aside-mcp/suite";

/// Runs the suite against the binary, which is built by now.
pub fn conformance() -> Result<(), String> {
    web::install_below(SUITE, "install the programs that test MCP")?;
    let aside = target("debug/aside");
    step("MCP conformance", command("node", SUITE).arg("conformance.mjs").arg(&aside))?;
    step("MCP with the SDK's client", command("node", SUITE).arg("clients.mjs").arg(&aside))
}
