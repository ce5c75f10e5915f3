//! The programs the tasks need: found, or named with what to install.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::{command, quiet, quiet_step, root};

/// Makes sure that Node and npm are there; the UI is built with them.
pub fn require_node() -> Result<(), String> {
    let version = version_of("node").ok_or(
        "Node.js, which builds the user interface, was not found.\nhint: install Node.js 22.13 or newer (nodejs.org, \
         or your package manager's `nodejs` and `npm`)",
    )?;
    if !builds_with(&version) {
        return Err(format!(
            "The user interface can't be built with Node.js {version}: it needs 20.19 and newer of 20, or 22.13 or newer.\n\
             hint: install Node.js 22.13 or newer (nodejs.org)"
        ));
    }
    version_of("npm").map(|_| ()).ok_or("npm was not found.\nhint: install it with Node.js".to_owned())
}

/// What the packages of the user interface ask for; a version that can't be read is tried.
fn builds_with(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(20)), Some(Ok(minor))) => minor >= 19,
        (Some(Ok(22)), Some(Ok(minor))) => minor >= 13,
        (Some(Ok(major)), _) => major > 22,
        _ => true,
    }
}

/// Returns the Python 3 of the machine, if any.
pub fn python() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|name| version_of(name).is_some_and(|version| version.contains("Python 3")))
}

/// Says what is missing without Python; nothing else depends on it.
pub fn mention_python() {
    if python().is_none() {
        eprintln!(
            "note: Python 3 was not found. Files, notes and the assistant work without it; notebooks need it.\n\
             hint: install Python 3.9 or newer with `venv` (python.org, or your package manager's `python3-venv`)"
        );
    }
}

/// Returns the repository's virtual environment, made if need be.
fn python_environment() -> Result<PathBuf, String> {
    let inside = root().join(".venv/bin/python");
    if !inside.exists() {
        let python = python().ok_or("Python 3 was not found.\nhint: install Python 3.9 or newer with `venv`")?;
        quiet_step("make the Python environment .venv", command(python, ".").args(["-m", "venv", ".venv"]))?;
    }
    Ok(inside)
}

/// Returns the repository's Python with what a file requires, installed unless the file is as it was.
pub fn python_with_requirements(file: &str) -> Result<PathBuf, String> {
    let inside = python_environment()?;
    let wanted = fs::read_to_string(root().join(file)).map_err(|error| format!("cannot read {file}: {error}"))?;
    let stamp = root().join(".venv").join(file.replace('/', "-"));
    if !fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        let mut install = command(&inside.to_string_lossy(), ".");
        quiet_step("install Python packages", install.args(["-m", "pip", "install", "-q", "-r", file]))?;
        fs::write(&stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    Ok(inside)
}

/// Returns the repository's Python with the given packages in it.
pub fn python_with(packages: &[&str]) -> Result<PathBuf, String> {
    let inside = python_environment()?;
    let interpreter = inside.to_string_lossy().into_owned();
    // `pip show` is content when it finds one of several.
    let find = "import sys, importlib.metadata as m; [m.version(name) for name in sys.argv[1:]]";
    let mut installed = command(&interpreter, ".");
    if quiet("the packages", installed.args(["-c", find]).args(packages)).is_err() {
        let mut install = command(&interpreter, ".");
        quiet_step("install Python packages", install.args(["-m", "pip", "install", "-q"]).args(packages))?;
    }
    Ok(inside)
}

/// Returns the versions of the programs that the results of tests depend on, as one text.
pub fn versions(packages: &[&str], working: &[&str]) -> Result<String, String> {
    let mut installed = command(&python_with(packages)?.to_string_lossy(), ".");
    let list = "import sys, importlib.metadata as m; print(sys.version, sorted(f'{d.name} {d.version}' for d in m.distributions()))";
    let python = quiet("the Python packages", installed.args(["-c", list]))?;
    let compiler = quiet("rustc --version", command("rustc", ".").arg("-vV"))?;
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let others = ["node", &*chromium()?.to_string_lossy()].map(|program| version_of(program).unwrap_or_default());
    Ok([&python, &compiler, &flags, &others.join("\n"), &working.join(",")].map(String::as_str).join("\n"))
}

/// Returns a Chromium for the browser tests, installed with the system's packages where that is possible.
pub fn chromium() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        return Ok(path);
    }
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    // Without a user interface of its own it takes a third less of the processors. Not every distribution has it.
    if install("chromium-headless-shell", "install Chromium for the browser tests").is_err()
        || find_chromium().is_none()
    {
        install("chromium", "install Chromium for the browser tests")?;
    }
    find_chromium().ok_or(
        "Chromium, which the browser tests need, was not found.\nhint: install it (`sudo apt-get install chromium`), \
         or set CHROMIUM to its path"
            .to_owned(),
    )
}

/// Installs one of the system's packages, where that is possible.
pub fn install(package: &str, why: &str) -> Result<(), String> {
    if version_of("apt-get").is_none() || !is_root() {
        return Ok(());
    }
    let install = "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends";
    quiet_step(why, command("sh", ".").args(["-c", &format!("{install} {package}")]))
}

fn find_chromium() -> Option<PathBuf> {
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .map(|name| Path::new("/usr/bin").join(name))
        .find(|path| path.exists())
}

fn is_root() -> bool {
    quiet("id", command("id", ".").arg("-u")).is_ok_and(|text| text.trim() == "0")
}

/// Tells whether a cargo subcommand is installed.
pub fn has_cargo_subcommand(name: &str) -> bool {
    version_of(&format!("cargo-{name}")).is_some()
}

/// What a program says of its version, if it is there.
pub fn version_of(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn node_is_new_enough_by_major_and_minor() {
        let said = ["v18.20.4", "v20.18.3", "v20.19.0", "v21.7.3", "v22.12.0", "v22.13.0", "v24.0.1", "odd"];
        let able = said.map(super::builds_with);
        assert_eq!(able, [false, false, true, false, false, true, true, true]);
    }
}
