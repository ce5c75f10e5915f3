//! What has to be run so that Python can run notebooks here, and what is meant when that fails.

use aside_core::Failure;

/// The environment that is made where there is none, as path in the workspace.
pub(super) const ENVIRONMENT: &str = ".venv";
/// Where projects have one, the first that is there counts.
pub(super) const USUAL: [&str; 4] = [ENVIRONMENT, "venv", "env", ".pixi/envs/default"];

/// What is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Here {
    /// There is something where the environment is or would be …
    pub folder: bool,
    /// … and an interpreter in it …
    pub interpreter: bool,
    /// … that has pip.
    pub pip: bool,
    /// There is a Python outside it.
    pub python: bool,
    /// There is uv, whose environments have no pip.
    pub uv: bool,
}

/// Returns the lines for a shell, in the order in which they are run.
///
/// # Errors
/// If it can't be done here.
pub(super) fn lines(environment: &str, here: Here) -> Result<Vec<String>, Failure> {
    let python = quoted(&format!("{environment}/bin/python"));
    let install = format!("{python} -m pip install --disable-pip-version-check --no-input ipykernel");
    match here {
        Here { interpreter: true, pip: true, .. } => Ok(vec![install]),
        Here { interpreter: true, uv: true, .. } => Ok(vec![format!("uv pip install --python {python} ipykernel")]),
        Here { interpreter: true, .. } => Ok(vec![format!("{python} -m ensurepip"), install]),
        Here { folder: true, .. } => Err(Failure::new("exists", format!("`{environment}` exists but has no Python in it"))
            .hint("move or delete it, then try again")),
        _ if environment != ENVIRONMENT => {
            Err(Failure::new("not_found", format!("there is no Python environment at `{environment}`"))
                .hint(format!("leave out `environment` to create one in `{ENVIRONMENT}`")))
        }
        Here { python: false, .. } => Err(Failure::new("no_python", "Python is not installed on this computer")
            .hint("install Python 3 (`apt install python3 python3-venv`, `dnf install python3`, or python.org), then try again")),
        _ => Ok(vec![format!("python3 -m venv {environment}"), install]),
    }
}

/// As a shell takes it for one word.
fn quoted(path: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-');
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// Reads what the programs said when they failed.
pub(super) fn failed(output: &str) -> Failure {
    let has = |words: &[&str]| words.iter().any(|words| output.contains(words));
    if has(&["ensurepip is not", "No module named venv"]) {
        return Failure::new("no_venv", "this Python can't create environments: its `venv` module is not installed")
            .hint("on Debian and Ubuntu: `sudo apt install python3-venv`, then try again");
    }
    if has(&["No module named pip", "No module named ensurepip"]) {
        return Failure::new("no_pip", "the environment has no `pip`, and `pip` can't be installed in it").hint(
            "if uv created the environment, run `uv pip install ipykernel`; for conda, run `conda install \
                ipykernel`",
        );
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
        return Failure::new("no_network", "cannot reach the Python package index").hint(
            "check the connection; behind a proxy or with your own index, set `HTTPS_PROXY` or \
                `PIP_INDEX_URL` and run the lines in a terminal",
        );
    }
    if has(&["No space left on device"]) {
        return Failure::new("disk_full", "the disk is full");
    }
    let last = output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no output");
    Failure::new("setup_failed", format!("could not set up Python: {}", last.trim())).hint("the full output is above")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Here = Here { folder: false, interpreter: false, pip: false, python: true, uv: false };
    const FULL: Here = Here { folder: true, interpreter: true, pip: true, ..NOTHING };

    #[test]
    fn an_environment_is_made_where_none_is_and_taken_where_one_is() {
        let made = lines(".venv", NOTHING).unwrap();
        assert_eq!((made.len(), made[0].as_str()), (2, "python3 -m venv .venv"));
        assert_eq!(lines(".venv", FULL).unwrap(), made[1..]);
        let code = |environment, here| lines(environment, here).unwrap_err().code;
        assert_eq!(code(".venv", Here { folder: true, ..NOTHING }), "exists");
        assert_eq!(code(".venv", Here { python: false, ..NOTHING }), "no_python");
        assert_eq!(code("conda", NOTHING), "not_found");
    }

    #[test]
    fn what_installs_is_what_the_environment_has() {
        let bare = Here { pip: false, ..FULL };
        let uv = lines("my env", Here { uv: true, ..bare }).unwrap();
        assert_eq!(uv, ["uv pip install --python 'my env/bin/python' ipykernel"]);
        assert_eq!(lines("venv", bare).unwrap()[0], "venv/bin/python -m ensurepip");
        assert!(lines("venv", Here { uv: true, ..FULL }).unwrap()[0].starts_with("venv/bin/python -m pip install "));
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
