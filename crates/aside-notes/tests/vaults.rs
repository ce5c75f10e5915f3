//! Reads whole vaults as a file beside each says. `ASIDE_NOTE_VAULTS=FOLDER` names others of the same form.
#![expect(clippy::disallowed_methods, reason = "reads the vaults of the tests")]

#[path = "../examples/read_vault.rs"]
#[expect(dead_code, reason = "the example prints what is compared here")]
mod read_vault;

use std::{env, fs, path::Path};

use serde_json::Value;

fn check(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let vault = entry.path();
        let expected = vault.with_file_name(format!("{}.expected.json", entry.file_name().to_string_lossy()));
        if !vault.is_dir() || !expected.exists() {
            continue;
        }
        let read = sorted(read_vault::read_folder(&vault));
        if env::var_os("ASIDE_WRITE_EXPECTED").is_some() {
            fs::write(&expected, serde_json::to_string_pretty(&read).unwrap() + "\n").unwrap();
        }
        let expected = sorted(serde_json::from_slice(&fs::read(&expected).unwrap()).unwrap());
        for (path, note) in expected["notes"].as_object().unwrap() {
            assert_eq!(read["notes"][path], *note, "{path} in {}", vault.display());
        }
        assert_eq!(read, expected, "{}", vault.display());
    }
}

/// The links of a line are in no order.
fn sorted(mut vault: Value) -> Value {
    for note in vault["notes"].as_object_mut().unwrap().values_mut() {
        let links = note["links"].as_array_mut().unwrap();
        links.sort_by_cached_key(|link| (link["line"].as_u64(), link.to_string()));
    }
    vault
}

#[test]
fn own_vaults_read_as_expected() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vaults"));
}

#[test]
fn named_vaults_read_as_expected() {
    if let Some(folder) = env::var_os("ASIDE_NOTE_VAULTS") {
        check(Path::new(&folder));
    }
}
