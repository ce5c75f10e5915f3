//! `cargo xtask up [PATH]`: build what changed, then open the folder, or the sample workspace.

use crate::{
    run::{command, step, target},
    tools, web,
};

/// Builds the UI and the binary, and runs it; returns when the server ends.
pub fn up(args: &[&str]) -> Result<(), String> {
    let (path, flags) = match args.iter().position(|arg| *arg == "--") {
        Some(at) => (args[..at].first(), &args[at + 1..]),
        None => (args.first(), &[][..]),
    };
    tools::require_node()?;
    tools::mention_python();
    web::install()?;
    web::build()?;
    let mut build = command(env!("CARGO"), ".");
    build.args(["build", "--release", "--package", "aside", "--locked"]);
    let binary = target("release/aside");
    if binary.exists() {
        build.arg("--quiet");
        let status = build.status().map_err(|error| format!("cannot start cargo: {error}"))?;
        if !status.success() {
            return Err("the build failed".to_owned());
        }
    } else {
        step("build Aside (the first time takes some minutes)", &mut build)?;
    }
    // The person's own folder: relative paths are theirs, not the repository's.
    let mut aside = std::process::Command::new(binary);
    match path {
        Some(path) => aside.arg(path),
        None => aside.arg("demo"),
    };
    let status = aside.args(flags).status().map_err(|error| format!("cannot start aside: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("aside ended with {status}")) }
}
