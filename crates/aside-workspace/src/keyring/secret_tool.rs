//! `secret-tool` of libsecret, which asks whatever keeps secrets on a Linux desktop.

use super::{Answer, Keyring, KeyringError, refused};

pub(super) fn get(keyring: &Keyring, service: &str) -> Result<Option<String>, KeyringError> {
    let answer = run(keyring, &["lookup"], service, "")?;
    match answer.code {
        Some(0) => Ok(Some(answer.said).filter(|key| !key.is_empty())),
        // This is how it says that there is none.
        _ if answer.complaint.is_empty() => Ok(None),
        _ => Err(refused(&answer)),
    }
}

pub(super) fn set(keyring: &Keyring, service: &str, key: &str) -> Result<(), KeyringError> {
    let label = format!("--label=Aside: {service}");
    let answer = run(keyring, &["store", &label], service, key)?;
    if answer.code == Some(0) { Ok(()) } else { Err(refused(&answer)) }
}

pub(super) fn forget(keyring: &Keyring, service: &str) -> Result<(), KeyringError> {
    let answer = run(keyring, &["clear"], service, "")?;
    if answer.code == Some(0) || answer.complaint.is_empty() { Ok(()) } else { Err(refused(&answer)) }
}

fn run(keyring: &Keyring, what: &[&str], service: &str, input: &str) -> Result<Answer, KeyringError> {
    keyring.ask(&[what, &["application", "aside", "service", service]].concat(), input)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "reads what the program was told")]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::process::make;

    /// A keyring that keeps each secret in a file, and what it was told in another.
    fn keyring(folder: &Path) -> Keyring {
        let program = folder.join("secret-tool");
        let script = format!(
            "#!/bin/sh\ncd '{}'\necho \"$@\" >> told; env >> told\nfor last; do :; done\ncase $1 in\n\
             store) cat > \"$last.key\";;\nlookup) test -e \"$last.key\" || exit 1; cat \"$last.key\";;\n\
             clear) rm \"$last.key\" 2>/dev/null || exit 1;;\nesac\n",
            folder.display()
        );
        make(&program, &script);
        Keyring::secret_tool(program)
    }

    #[test]
    fn a_key_goes_in_and_out_and_is_no_argument() {
        let folder = tempfile::tempdir().unwrap();
        let keyring = keyring(folder.path());
        assert_eq!(keyring.get("openai").unwrap(), None);
        keyring.set("openai", "sk-canary").unwrap();
        assert_eq!(keyring.get("openai").unwrap().as_deref(), Some("sk-canary"));
        assert_eq!(keyring.get("anthropic").unwrap(), None);
        keyring.forget("openai").unwrap();
        keyring.forget("openai").unwrap();
        assert_eq!(keyring.get("openai").unwrap(), None);
        let told = fs::read_to_string(folder.path().join("told")).unwrap();
        assert!(told.contains("store --label=Aside: openai application aside service openai"), "{told}");
        assert!(!told.contains("canary"), "{told}");
    }
}
