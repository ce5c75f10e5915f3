//! The keyring of the system, by way of the system's own program for it: a library would bring a stack of D-Bus, or of
//! Apple's frameworks, along. A key goes in by standard input and comes out by standard output, never by an argument.

mod secret_tool;
mod security;

use std::{
    env, io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::process::{Answer, AskError, Question, ask, find_program, keyring_environment};

/// How long the program may take: it may ask the person to unlock the keyring.
const PATIENCE: Duration = Duration::from_secs(20);
/// The macOS program, which no folder of `PATH` may stand in for.
const SECURITY: &str = "/usr/bin/security";

/// The keyring of whoever is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyring {
    program: PathBuf,
    kind: Kind,
}

/// How the program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `secret-tool` of libsecret.
    SecretTool,
    /// `security` of macOS.
    Security,
}

/// Why the keyring did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// It said no.
    #[error("cannot use the keyring: {0}")]
    Refused(String),
    /// It did not answer.
    #[error("the keyring did not answer within {} s", PATIENCE.as_secs())]
    Silent,
    /// The program can't be run.
    #[error("cannot run the keyring's program: {0}")]
    Io(#[from] io::Error),
}

impl From<AskError> for KeyringError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Silent => Self::Silent,
            AskError::Io(error) => Self::Io(error),
        }
    }
}

impl Keyring {
    /// Finds it; none where its program is not installed, or nobody is logged in where it could be asked.
    pub fn find() -> Option<Self> {
        if cfg!(target_os = "macos") {
            return find_program(SECURITY).map(Self::security);
        }
        let bus = |folder| Path::new(&folder).join("bus").exists();
        let reachable =
            env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || env::var_os("XDG_RUNTIME_DIR").is_some_and(bus);
        if reachable { find_program("secret-tool").map(Self::secret_tool) } else { None }
    }

    /// Asks this `secret-tool`.
    pub fn secret_tool(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), kind: Kind::SecretTool }
    }

    /// Asks this `security`.
    pub fn security(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), kind: Kind::Security }
    }

    /// Returns the key of a service; none if there is none.
    pub fn get(&self, service: &str) -> Result<Option<String>, KeyringError> {
        match self.kind {
            Kind::SecretTool => secret_tool::get(self, service),
            Kind::Security => security::get(self, service),
        }
    }

    /// Keeps a key in the place of an earlier one.
    pub fn set(&self, service: &str, key: &str) -> Result<(), KeyringError> {
        match self.kind {
            Kind::SecretTool => secret_tool::set(self, service, key),
            Kind::Security => security::set(self, service, key),
        }
    }

    /// Forgets a key, if there is one.
    pub fn forget(&self, service: &str) -> Result<(), KeyringError> {
        match self.kind {
            Kind::SecretTool => secret_tool::forget(self, service),
            Kind::Security => security::forget(self, service),
        }
    }

    fn ask(&self, arguments: &[&str], input: &str) -> Result<Answer, KeyringError> {
        let environment = keyring_environment();
        Ok(ask(&self.program, Question { arguments, environment, input, patience: PATIENCE })?)
    }
}

/// What it complained of, shortly.
fn refused(answer: &Answer) -> KeyringError {
    KeyringError::Refused(answer.complaint.lines().next().unwrap_or_default().chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::make;

    #[test]
    fn what_it_complains_of_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        make(&program, "#!/bin/sh\necho 'no way in' >&2\nexit 1\n");
        for keyring in [Keyring::secret_tool(&program), Keyring::security(&program)] {
            for error in [
                keyring.get("openai").map(drop).unwrap_err(),
                keyring.set("openai", "sk-canary").unwrap_err(),
                keyring.forget("openai").unwrap_err(),
            ] {
                assert_eq!(error.to_string(), "cannot use the keyring: no way in", "{keyring:?}");
            }
        }
        assert!(matches!(Keyring::secret_tool("/nowhere/x").get("openai"), Err(KeyringError::Io(_))));
    }
}
