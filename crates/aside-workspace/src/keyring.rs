//! The keyring of the system, by way of its own program `secret-tool`: a library for it would bring a stack of D-Bus
//! along. A key goes in by standard input and comes out by standard output, never by an argument.

use std::{
    collections::BTreeMap,
    env,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::process::{find_program, keyring_environment};

/// How long the program may take: it may ask the person to unlock the keyring.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Bytes of its answer that are read.
const LONGEST: u64 = 16 << 10;

/// The keyring of whoever is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyring {
    program: PathBuf,
}

/// Why the keyring did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// It said no.
    #[error("the keyring can't be used: {0}")]
    Refused(String),
    /// It did not answer.
    #[error("the keyring did not answer within {} s", PATIENCE.as_secs())]
    Silent,
    /// The program can't be run.
    #[error("cannot run secret-tool: {0}")]
    Io(#[from] io::Error),
}

impl Keyring {
    /// Finds it; none where its program is not installed, or nobody is logged in where it could be asked.
    pub fn find() -> Option<Self> {
        let bus = |folder| Path::new(&folder).join("bus").exists();
        let reachable =
            env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || env::var_os("XDG_RUNTIME_DIR").is_some_and(bus);
        if reachable { find_program("secret-tool").map(Self::at) } else { None }
    }

    /// Asks this program.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into() }
    }

    /// Returns the key of a service; none if there is none.
    pub fn get(&self, service: &str) -> Result<Option<String>, KeyringError> {
        match self.run(&["lookup"], service, None) {
            Ok(key) if key.is_empty() => Ok(None),
            Ok(key) => Ok(Some(key)),
            // This is how it says that there is none.
            Err(KeyringError::Refused(words)) if words.is_empty() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps a key in the place of an earlier one.
    pub fn set(&self, service: &str, key: &str) -> Result<(), KeyringError> {
        let label = format!("--label=Aside: {service}");
        self.run(&["store", &label], service, Some(key)).map(drop)
    }

    /// Forgets a key, if there is one.
    pub fn forget(&self, service: &str) -> Result<(), KeyringError> {
        match self.run(&["clear"], service, None) {
            Err(KeyringError::Refused(words)) if words.is_empty() => Ok(()),
            other => other.map(drop),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
    fn run(&self, what: &[&str], service: &str, input: Option<&str>) -> Result<String, KeyringError> {
        let environment: BTreeMap<String, String> = keyring_environment();
        let mut child = Command::new(&self.program)
            .args(what)
            .args(["application", "aside", "service", service])
            .env_clear()
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // Dropped, so that it has an end.
        let written =
            child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input.unwrap_or_default().as_bytes()));
        let begun = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if begun.elapsed() > PATIENCE => {
                    child.kill()?;
                    child.wait()?;
                    return Err(KeyringError::Silent);
                }
                None => thread::sleep(LOOK_EVERY),
            }
        };
        let (said, complaint) = (text(child.stdout.take())?, text(child.stderr.take())?);
        match status.success() {
            true => written.map(|()| said).map_err(KeyringError::Io),
            false => {
                Err(KeyringError::Refused(complaint.lines().next().unwrap_or_default().chars().take(200).collect()))
            }
        }
    }
}

fn text(from: Option<impl io::Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(LONGEST).read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "plays the keyring's program")]
mod tests {
    use std::fs;

    use super::*;

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
        Keyring::at(program)
    }

    /// Written by another program: a file that this one has open for writing, or a fork of it, can't be run.
    fn make(program: &Path, script: &str) {
        let write = "printf '%s' \"$1\" > \"$0\"; chmod 700 \"$0\"";
        let made = Command::new("sh").args(["-c", write]).arg(program).arg(script).status().unwrap();
        assert!(made.success());
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

    #[test]
    fn what_it_complains_of_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("secret-tool");
        make(&program, "#!/bin/sh\necho 'secret-tool: no bus' >&2\nexit 1\n");
        let error = Keyring::at(program).get("openai").unwrap_err();
        assert_eq!(error.to_string(), "the keyring can't be used: secret-tool: no bus");
        assert!(matches!(Keyring::at("/nowhere/secret-tool").get("openai"), Err(KeyringError::Io(_))));
    }
}
