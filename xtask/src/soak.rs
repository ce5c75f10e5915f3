//! `cargo xtask soak`: checks that take too long for every change: kills of the server, people who edit together for minutes,
//! fuzz targets, other people's notebooks. Run it before a release, and after work on the store, documents or parsers.

use std::fs;

use crate::{
    converge, crash, notebooks,
    run::{cargo, command, root, step, target},
};

/// Seconds for each fuzz target. Without a nightly compiler libFuzzer is not guided by coverage: this finds what is shallow.
const FUZZED: &str = "-max_total_time=10";

/// Runs all of them; one that fails keeps none from running.
pub fn soak() -> Result<(), String> {
    let results = [crash::crash(&[]), converge::converge(&[]), notebooks::notebooks(), fuzz()];
    let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Builds the fuzz targets with libFuzzer, and runs each for a moment.
fn fuzz() -> Result<(), String> {
    let folder = target("fuzz");
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "aside-fuzz", "--bins", "--target-dir"]).arg(&folder);
    step("build the fuzz targets", build.env("RUSTFLAGS", "--cfg fuzzing"))?;
    let mut failed = Vec::new();
    for name in targets()? {
        let artifacts = target("fuzz-artifacts").join(&name);
        fs::create_dir_all(&artifacts).map_err(|error| format!("cannot make {}: {error}", artifacts.display()))?;
        let program = folder.join("debug").join(&name);
        let mut run = command(&program.to_string_lossy(), ".");
        run.args([FUZZED, "-rss_limit_mb=4096"]).arg(format!("-artifact_prefix={}/", artifacts.display()));
        failed.extend(step(&format!("fuzz {name}"), &mut run).err());
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The names of the fuzz targets: those of their files.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|error| format!("cannot list {}: {error}", folder.display()))?;
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}
