//! The pages in `docs/actions` are what the catalog says; `cargo xtask codegen` writes them anew.
#![allow(clippy::disallowed_methods, reason = "this test starts the program and reads the pages")]

use std::{collections::BTreeMap, fs, path::Path, process::Command};

fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())).collect()
}

fn write_pages(folder: &Path) {
    let workspace = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_aside"))
        .args(["actions", "docs"])
        .arg(folder)
        .arg("--workspace")
        .arg(workspace.path())
        .env("HOME", workspace.path())
        .env("ASIDE_DATA_DIR", workspace.path().join("data"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn the_action_pages_are_what_the_catalog_says() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/actions");
    if std::env::var_os("ASIDE_CODEGEN").is_some() {
        let _ = fs::remove_dir_all(&kept);
        return write_pages(&kept);
    }
    let now = tempfile::tempdir().unwrap();
    write_pages(now.path());
    let (now, kept) = (pages(now.path()), pages(&kept));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&now), names(&kept), "run `cargo xtask codegen`");
    for (name, text) in &now {
        assert!(kept[name] == *text, "docs/actions/{name} is out of date: run `cargo xtask codegen`");
    }
}

/// The catalog as the tests of `aside-route` read it, one action a line.
fn manifest() -> String {
    let workspace = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_aside"))
        .args(["actions", "manifest", "--json", "--workspace"])
        .arg(workspace.path())
        .env("HOME", workspace.path())
        .env("ASIDE_DATA_DIR", workspace.path().join("data"))
        .output()
        .unwrap();
    let actions: Vec<serde_json::Value> = serde_json::from_slice(&made.stdout).unwrap();
    let spoken = actions.into_iter().filter(|action| action["phrases"].as_array().is_some_and(|all| !all.is_empty()));
    let lines: Vec<String> = spoken.map(|action| action.to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

#[test]
fn route_tests_read_the_present_catalog() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../aside-route/tests/catalog.json");
    let now = manifest();
    if std::env::var_os("ASIDE_CODEGEN").is_some() {
        return fs::write(&kept, now).unwrap();
    }
    assert!(fs::read_to_string(&kept).unwrap() == now, "{} is out of date: run `cargo xtask codegen`", kept.display());
}
