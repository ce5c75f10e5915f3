//! The home of tests: not the home of the person who runs them, and one in which nothing works, so that a test that reads its
//! own environment in place of the one it made fails.

use std::{env, fs, process::Command};

use crate::run::target;

/// A policy under which a test that reads it gets nothing done.
const POLICY: &str = "[[rule]]\nname = 'not-the-home-of-a-test'\nruling = 'deny'\naction = '*'\n";

/// Gives a command another home, and takes away what the environment says of models, keys and Aside itself.
pub fn elsewhere(command: &mut Command) -> Result<(), String> {
    let home = target("test-home");
    let data = home.join(".local/share/aside");
    let failed = |error| format!("cannot make the home of the tests {}: {error}", home.display());
    fs::create_dir_all(&data).map_err(failed)?;
    fs::write(data.join("policy.toml"), POLICY).map_err(failed)?;
    // The toolchain is found by the home unless this is said.
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        if let (None, Some(own)) = (env::var_os(name), env::home_dir()) {
            command.env(name, own.join(folder));
        }
    }
    for (name, _) in env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        let of_models =
            ["OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "OLLAMA"].iter().any(|start| text.starts_with(start));
        if of_models || text.starts_with("XDG_") || text.starts_with("ASIDE_") || text.starts_with("JUPYTER") {
            command.env_remove(&name);
        }
    }
    // Nothing answers there.
    command.env("HOME", &home).env("OLLAMA_HOST", "127.0.0.1:1");
    Ok(())
}
