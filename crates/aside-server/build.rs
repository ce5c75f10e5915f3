//! A release without the user interface is a mistake; a debug build serves a page that says what to run.

use std::{env, path::Path};

fn main() {
    let dist = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", dist.join("index.html").display());
    println!("cargo::rerun-if-env-changed=ASIDE_ALLOW_NO_UI");
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let allowed = env::var("ASIDE_ALLOW_NO_UI").is_ok_and(|value| value == "1");
    if release && !allowed && !dist.join("index.html").is_file() {
        println!(
            "cargo::error=web/dist is missing: run `cargo xtask up`, or set ASIDE_ALLOW_NO_UI=1 for a server without pages"
        );
    }
}
