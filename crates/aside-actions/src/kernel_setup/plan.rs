//! What has to be run so that Python can run notebooks here, and what is meant when that fails.

use aside_core::Failure;

/// The environment, as path in the workspace.
pub(super) const ENVIRONMENT: &str = ".venv";

/// What is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Here {
    /// There is something at [`ENVIRONMENT`] …
    pub folder: bool,
    /// … and an interpreter in it.
    pub interpreter: bool,
    /// There is a Python outside it.
    pub python: bool,
}

/// Returns the lines for a shell, in the order in which they are run.
///
/// # Errors
/// If it can't be done here.
pub(super) fn lines(here: Here) -> Result<Vec<String>, Failure> {
    let install = format!("{ENVIRONMENT}/bin/python -m pip install --disable-pip-version-check --no-input ipykernel");
    match here {
        Here { interpreter: true, .. } => Ok(vec![install]),
        Here { folder: true, .. } => Err(Failure::new("exists", format!("`{ENVIRONMENT}` is there, and no Python in it"))
            .hint("move it away or delete it, then try again")),
        Here { python: false, .. } => Err(Failure::new("no_python", "there is no Python on this machine")
            .hint("install Python 3 (`apt install python3 python3-venv`, `dnf install python3`, or python.org), then try again")),
        _ => Ok(vec![format!("python3 -m venv {ENVIRONMENT}"), install]),
    }
}

/// Reads what the programs said when they failed.
pub(super) fn failed(output: &str) -> Failure {
    let has = |words: &[&str]| words.iter().any(|words| output.contains(words));
    if has(&["ensurepip is not", "No module named venv", "No module named ensurepip"]) {
        return Failure::new("no_venv", "this Python can make no environments: its module `venv` is not installed")
            .hint("on Debian and Ubuntu: `sudo apt install python3-venv`, then try again");
    }
    if has(&["No module named pip"]) {
        return Failure::new("no_pip", format!("there is no `pip` in `{ENVIRONMENT}`"))
            .hint(format!("`{ENVIRONMENT}/bin/python -m ensurepip`; where uv made it, `uv pip install ipykernel`"));
    }
    if has(&[
        "NewConnectionError",
        "NameResolutionError",
        "Temporary failure in name resolution",
        "ProxyError",
        "ConnectTimeoutError",
        "Network is unreachable",
        "SSLError",
    ]) {
        return Failure::new("no_network", "the index of Python's packages can't be reached from here")
            .hint("check the connection; behind a proxy or with an index of your own, set `HTTPS_PROXY` or `PIP_INDEX_URL` and run the lines in a terminal");
    }
    if has(&["No space left on device"]) {
        return Failure::new("disk_full", "there is no room left on the disk");
    }
    let last = output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    Failure::new("setup_failed", format!("Python could not be set up: {}", last.trim()))
        .hint("all that was put out is above")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Here = Here { folder: false, interpreter: false, python: true };

    #[test]
    fn an_environment_is_made_where_none_is_and_taken_where_one_is() {
        let made = lines(NOTHING).unwrap();
        assert_eq!((made.len(), made[0].as_str()), (2, "python3 -m venv .venv"));
        assert_eq!(lines(Here { folder: true, interpreter: true, ..NOTHING }).unwrap(), made[1..]);
        let code = |here| lines(here).unwrap_err().code;
        assert_eq!(code(Here { folder: true, ..NOTHING }), "exists");
        assert_eq!(code(Here { python: false, ..NOTHING }), "no_python");
    }

    #[test]
    fn what_fails_is_said_with_a_way_out() {
        for (output, code) in [
            ("The virtual environment was not created successfully because ensurepip is not\navailable.", "no_venv"),
            ("/usr/bin/python3: No module named venv", "no_venv"),
            (".venv/bin/python: No module named pip", "no_pip"),
            ("NewConnectionError('<pip…>: [Errno -3] Temporary failure in name resolution')", "no_network"),
            ("ERROR: something else\n\n", "setup_failed"),
        ] {
            let failure = failed(output);
            assert_eq!(failure.code, code);
            assert!(failure.hint.is_some());
        }
        assert!(failed("a\nERROR: odd\n").message.ends_with("ERROR: odd"));
    }
}
