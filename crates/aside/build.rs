//! Packs the relocations of a release, which are a twentieth of it, where the C library of this machine reads them so: glibc
//! does since 2.36. Flags that a person gave themselves are left alone: another linker may not know this one.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let own_flags = env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| !flags.is_empty());
    let is_native = env::var("HOST").ok() == env::var("TARGET").ok();
    // Rust links with its own linker there.
    let is_known = is("TARGET", "x86_64-unknown-linux-gnu") && is_native && !own_flags;
    if is("PROFILE", "release") && is_known && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of the C library: `glibc 2.36` is what the system says.
fn glibc() -> Option<(u32, u32)> {
    #[expect(clippy::disallowed_methods, reason = "asks the system, at build time")]
    let answer = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
