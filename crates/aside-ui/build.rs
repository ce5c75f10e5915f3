//! Says where the built user interface is. A release without it is a mistake; a debug build reads it from
//! disk when it is asked for, and serves a page that says what to run as long as it is not there.

use std::{env, path::Path};

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let web = Path::new(&manifest).join("../../web").canonicalize().expect("the repository has the folder `web`");
    let dist = web.join("dist");
    // Without `..` in it, so that the path is the same before and after the folder is made.
    println!("cargo::rustc-env=ASIDE_WEB_DIST={}", dist.display());
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        require(&dist);
    }
}

fn require(dist: &Path) {
    println!("cargo::rerun-if-changed={}", dist.join("index.html").display());
    println!("cargo::rerun-if-env-changed=ASIDE_ALLOW_NO_UI");
    let allowed = env::var("ASIDE_ALLOW_NO_UI").is_ok_and(|value| value == "1");
    if !allowed && !dist.join("index.html").is_file() {
        println!(
            "cargo::error=web/dist is missing: run `cargo xtask up`, \
             or set ASIDE_ALLOW_NO_UI=1 for a server without pages"
        );
    }
}
