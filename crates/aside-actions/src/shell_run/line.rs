//! The arguments of `shell.run`, and the command that they mean.

use std::time::Duration;

use aside_core::{Failure, WorkspacePath};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::folder_named;

/// Seconds that a command may take if nobody says.
const USUAL: u32 = 120;
/// Seconds that a command may take at most.
const LONGEST: u32 = 3_600;
/// Bytes of a command: a person has to be able to read it.
const MOST_BYTES: usize = 32 * 1024;

/// Arguments of `shell.run`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// A line for `/bin/sh`, with pipes, `&&` and so on. Give this or `argv`.
    #[serde(default)]
    command: Option<String>,
    /// A program and its arguments, started without a shell. Give this or `command`.
    #[serde(default)]
    argv: Option<Vec<String>>,
    /// The folder to run in, relative to the workspace. Default: the workspace folder.
    #[serde(default)]
    cwd: Option<String>,
    /// Timeout in seconds. Default: 120, at most 3,600.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3600))]
    timeout: Option<u32>,
    /// Allows network access.
    #[serde(default)]
    network: bool,
}

/// The command that arguments mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The same as one line that a shell would read.
    pub line: String,
    /// Where; none for the workspace's own folder.
    pub cwd: Option<WorkspacePath>,
    pub time: Duration,
    pub network: bool,
}

impl Args {
    #[cfg(test)]
    pub(super) fn shell(line: &str) -> Self {
        Self { command: Some(line.to_owned()), ..Self::default() }
    }

    pub(super) fn wanted(&self) -> Result<Wanted, Failure> {
        let (argv, line) = match (&self.command, &self.argv) {
            (Some(line), None) => (["/bin/sh", "-c", line].map(str::to_owned).to_vec(), line.clone()),
            (None, Some(argv)) => (argv.clone(), quoted(argv)),
            _ => {
                return Err(invalid("give either `command` (a shell line) or `argv` (a program with arguments)"));
            }
        };
        if argv.first().is_none_or(|program| program.is_empty()) || line.trim().is_empty() {
            return Err(invalid("there is no program to run"));
        }
        if argv.iter().any(|word| word.contains('\0')) {
            return Err(invalid("an argument contains a null character"));
        }
        if line.len() > MOST_BYTES {
            return Err(invalid("the command is longer than 32 kB; write it into a file and run that"));
        }
        let seconds = self.timeout.unwrap_or(USUAL).clamp(1, LONGEST);
        let time = Duration::from_secs(seconds.into());
        Ok(Wanted { argv, line, cwd: folder_named(self.cwd.as_deref())?, time, network: self.network })
    }
}

fn invalid(message: &str) -> Failure {
    Failure::new("invalid_args", message)
}

/// Program and arguments as one line that a shell reads as exactly these. See section 2.2.2 of the POSIX shell language.
fn quoted(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,@%+".contains(c);
    let quote = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    argv.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(words: &[&str]) -> Args {
        Args { argv: Some(words.iter().map(|word| (*word).to_owned()).collect()), ..Args::default() }
    }

    #[test]
    fn a_program_s_arguments_are_never_read_by_a_shell() {
        let wanted = argv(&["grep", "-e", "$(rm -rf x); 'y' `z`", "", "A=b", "a.txt"]).wanted().unwrap();
        assert_eq!(wanted.line, r"grep -e '$(rm -rf x); '\''y'\'' `z`' '' 'A=b' a.txt");
        assert_eq!(wanted.argv.len(), 6);
        assert_eq!(Args::shell("a | b").wanted().unwrap().argv, ["/bin/sh", "-c", "a | b"]);
    }

    #[test]
    fn there_is_one_command_and_it_is_within_bounds() {
        let both = Args { command: Some("ls".to_owned()), ..argv(&["ls"]) };
        for args in [Args::default(), both, argv(&[]), argv(&["", "x"]), Args::shell(" \n"), argv(&["a\0b"])] {
            assert_eq!(args.wanted().unwrap_err().code, "invalid_args", "{args:?}");
        }
        assert!(Args::shell(&"x".repeat(MOST_BYTES + 1)).wanted().is_err());
        let long = Args { timeout: Some(u32::MAX), ..Args::shell("ls") };
        assert_eq!(long.wanted().unwrap().time, Duration::from_secs(3_600));
    }

    #[test]
    fn a_folder_is_in_the_workspace() {
        let at = |cwd: &str| Args { cwd: Some(cwd.to_owned()), ..Args::shell("ls") }.wanted().map(|wanted| wanted.cwd);
        for top in ["", ".", "./"] {
            assert_eq!(at(top).unwrap(), None, "{top}");
        }
        assert_eq!(at("./src/").unwrap().unwrap().as_str(), "src");
        for outside in ["..", "/", "/etc", "src/../../x"] {
            assert_eq!(at(outside).unwrap_err().code, "invalid_args", "{outside}");
        }
    }
}
