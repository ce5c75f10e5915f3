//! `security` of macOS: a generic password of the login keychain, for the service `Aside` and an account for each of ours.
//!
//! It takes a password as an argument, which other processes can read, or asks at a terminal. With `-i` it reads whole
//! commands from its standard input instead; there the key stands in hexadecimal (`-X`), so that nothing in it is quoted.

use std::fmt::Write as _;

use super::{Keyring, KeyringError, refused};

/// How it says that there is none (errSecItemNotFound, in the eight bits that an exit code has).
const NO_ITEM: Option<i32> = Some(44);
/// Bytes of a command that it reads in a line.
const LONGEST_LINE: usize = 4095;

pub(super) fn get(keyring: &Keyring, service: &str) -> Result<Option<String>, KeyringError> {
    let answer = keyring.ask(&["find-generic-password", "-s", "Aside", "-a", service, "-w"], "")?;
    match answer.code {
        Some(0) => Ok(Some(answer.said).filter(|key| !key.is_empty())),
        NO_ITEM => Ok(None),
        _ => Err(refused(&answer)),
    }
}

pub(super) fn set(keyring: &Keyring, service: &str, key: &str) -> Result<(), KeyringError> {
    let mut line = format!("add-generic-password -U -s Aside -a {service} -X ");
    for byte in key.bytes() {
        let _ = write!(line, "{byte:02x}");
    }
    if line.len() > LONGEST_LINE {
        return Err(KeyringError::Refused("the key is too long for its program".to_owned()));
    }
    let answer = keyring.ask(&["-i"], &format!("{line}\n"))?;
    if answer.code != Some(0) {
        return Err(refused(&answer));
    }
    // What it makes of a command is not told by its exit in all versions.
    match get(keyring, service)? {
        Some(kept) if kept == key => Ok(()),
        _ => Err(KeyringError::Refused("it did not store the key".to_owned())),
    }
}

pub(super) fn forget(keyring: &Keyring, service: &str) -> Result<(), KeyringError> {
    let answer = keyring.ask(&["delete-generic-password", "-s", "Aside", "-a", service], "")?;
    if matches!(answer.code, Some(0) | NO_ITEM) { Ok(()) } else { Err(refused(&answer)) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "reads what the program was told")]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::process::make;

    /// A keychain that keeps each password in a file, and the arguments it was told in another; `keep` is what it does
    /// with the hexadecimal digits of one.
    fn keyring(folder: &Path, keep: &str) -> Keyring {
        let program = folder.join("security");
        let script = format!(
            "#!/bin/sh\ncd '{}'\necho \"$@\" >> told; env >> told\ncase $1 in\n\
             -i) read -r line; set -- $line; test \"$1 $2 $3 $4 $5 $7\" = 'add-generic-password -U -s Aside -a -X' || exit 2\n\
             {keep} > \"$6.key\";;\n\
             find-generic-password) test -e \"$5.key\" || exit 44; cat \"$5.key\"; echo;;\n\
             delete-generic-password) rm \"$5.key\" 2>/dev/null || exit 44;;\nesac\n",
            folder.display()
        );
        make(&program, &script);
        Keyring::security(program)
    }

    #[test]
    fn a_key_goes_in_and_out_and_is_no_argument() {
        let folder = tempfile::tempdir().unwrap();
        let read = "printf %s \"$8\" | sed 's/../&\\n/g' | while read -r byte; do printf \"\\\\$(printf %o \"0x$byte\")\"; done";
        let keyring = keyring(folder.path(), read);
        let odd = r#"sk-"canary'\ $(id)"#.replace(' ', "");
        assert_eq!(keyring.get("lab-2").unwrap(), None);
        for key in ["sk-canary", &odd] {
            keyring.set("lab-2", key).unwrap();
            assert_eq!(keyring.get("lab-2").unwrap().as_deref(), Some(key));
        }
        assert_eq!(keyring.get("anthropic").unwrap(), None);
        keyring.forget("lab-2").unwrap();
        keyring.forget("lab-2").unwrap();
        assert_eq!(keyring.get("lab-2").unwrap(), None);
        let told = fs::read_to_string(folder.path().join("told")).unwrap();
        assert!(told.starts_with("find-generic-password -s Aside -a lab-2 -w"), "{told}");
        assert!(!told.contains("canary") && !told.contains("63616e617279"), "{told}");
    }

    #[test]
    fn what_was_not_kept_is_said_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let keyring = keyring(folder.path(), "echo other");
        let error = keyring.set("lab", "sk-canary").unwrap_err().to_string();
        assert!(error.contains("did not store") && !error.contains("canary"), "{error}");
        let error = keyring.set("lab", &"k".repeat(4096)).unwrap_err().to_string();
        assert!(error.contains("too long"), "{error}");
    }
}
