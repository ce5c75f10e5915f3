//! The shells of this computer.

use std::{env, path::Path};

use rustix::fs::{Access, access};

use crate::TerminalError;

/// The file that lists the shells of a computer.
const LIST: &str = "/etc/shells";
/// Shells that are looked for where nothing names one.
const USUAL: [&str; 3] = ["/bin/bash", "/bin/zsh", "/bin/sh"];

/// Returns the paths of the shells that can be started: the person's own first, then those that the computer lists.
pub fn known_shells() -> Vec<String> {
    #[expect(clippy::disallowed_methods, reason = "a list of the system, in no workspace")]
    let listed = std::fs::read_to_string(LIST).unwrap_or_default();
    let own = env::var("SHELL").ok();
    let listed = listed.lines().map(str::trim).filter(|line| line.starts_with('/')).map(str::to_owned);
    let mut all: Vec<String> = Vec::new();
    for path in own.into_iter().chain(listed).chain(USUAL.map(str::to_owned)) {
        if !all.contains(&path) && can_start(&path) {
            all.push(path);
        }
    }
    all
}

/// Returns the path of a shell: that of a name or path which the computer knows, else the person's own.
pub fn usual_shell(wanted: Option<&str>) -> Result<String, TerminalError> {
    let mut known = known_shells();
    match wanted {
        None if known.is_empty() => {
            Err(TerminalError::UnknownShell { wanted: "/bin/sh".to_owned(), known: Vec::new() })
        }
        None => Ok(known.swap_remove(0)),
        Some(wanted) => match known.iter().position(|path| path == wanted || name(path) == wanted) {
            Some(at) => Ok(known.swap_remove(at)),
            None => {
                let wanted = aside_core::harmless(wanted).chars().take(80).collect();
                Err(TerminalError::UnknownShell { wanted, known })
            }
        },
    }
}

/// Returns the last part of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn can_start(path: &str) -> bool {
    Path::new(path).is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shells_of_the_computer_are_started() {
        let usual = usual_shell(None).unwrap();
        assert!(usual.starts_with('/'), "{usual}");
        assert_eq!(usual_shell(Some(name(&usual))).unwrap(), usual);
        let Err(TerminalError::UnknownShell { wanted, known }) = usual_shell(Some("/bin/rm")) else { panic!() };
        assert_eq!(wanted, "/bin/rm");
        assert!(known.contains(&usual));
    }
}
