//! The kernels that tests start: `cargo xtask test` names what has them, and then they have to be there. Without that what
//! lies in the repository is used; else the tests say that they tested nothing.

use std::{
    env,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

/// Returns the environment of Python that has ipykernel: that of the interpreter in `ASIDE_TEST_PYTHON`, or the
/// repository's own, if it is there.
///
/// # Panics
/// If one is named that has no kernel.
pub fn python() -> Option<PathBuf> {
    let named = env::var_os("ASIDE_TEST_PYTHON");
    let interpreter = named.clone().map_or_else(|| repository(".venv/bin/python"), PathBuf::from);
    let prefix = interpreter.parent().and_then(Path::parent).and_then(|prefix| prefix.canonicalize().ok());
    let found = prefix.filter(|prefix| prefix.join("share/jupyter/kernels/python3").is_dir());
    assert!(found.is_some() || named.is_none(), "there is no ipykernel beside {}", interpreter.display());
    found.or_else(|| not_tested("kernel in .venv"))
}

/// Returns what `kernel.json` says of tslab, a kernel of TypeScript in `ASIDE_TEST_TSLAB`, or in the repository.
///
/// # Panics
/// If one is named that is not there.
pub fn typescript() -> Option<Value> {
    let named = env::var_os("ASIDE_TEST_TSLAB");
    let own = || repository("crates/aside-kernels/suite/node_modules/tslab/bin/tslab");
    let program = named.clone().map_or_else(own, PathBuf::from);
    assert!(program.is_file() || named.is_none(), "there is no {}", program.display());
    let argv = json!(["node", program, "kernel", "--config-path={connection_file}"]);
    let spec = json!({"argv": argv, "display_name": "TypeScript", "language": "typescript"});
    program.is_file().then_some(spec).or_else(|| not_tested("kernel of TypeScript"))
}

fn not_tested<T>(what: &str) -> Option<T> {
    eprintln!("NOT TESTED: there is no {what} (`cargo xtask test` makes it)");
    None
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
