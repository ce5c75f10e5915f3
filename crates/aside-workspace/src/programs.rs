//! Programs of this machine that Aside works with, as they are found now, and those that came with the workspace.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use aside_core::{FoundProgram, FoundPython, SandboxLevel, WorkspacePath};

use crate::{
    Workspace,
    process::{AskError, Question, ask, companion_environment, find_program},
};

/// Where a project has the programs that it was set up with.
const OF_PROJECT: &[&str] = &[".venv/bin", "venv/bin", "node_modules/.bin"];

/// What builds LaTeX documents and finds places in them.
const LATEX: &[&str] = &["latexmk", "tectonic", "pdflatex", "xelatex", "lualatex", "biber", "bibtex", "synctex"];
/// What Python is called.
const PYTHON: &[&str] = &["python3", "python"];
/// Says its version, and whether it has the package that Jupyter kernels need.
const ASKED: &str =
    "import sys, importlib.util as u\nprint(sys.version.split()[0], u.find_spec('ipykernel') is not None)";
/// How long it may take: a Python that was never started reads its files first.
const PATIENCE: Duration = Duration::from_secs(10);

impl Workspace {
    /// Returns where a program is that works on files of a folder: that of the project it belongs to, the nearest first.
    /// None where commands are not kept apart: whoever made the files would choose what runs with the person's rights.
    pub fn find_own_program(&self, folder: Option<&WorkspacePath>, name: &str) -> Option<PathBuf> {
        if name.contains('/') || name.starts_with('.') || self.processes().found().level == SandboxLevel::None {
            return None;
        }
        let inner = folder.map_or_else(|| self.folder().to_owned(), |folder| self.root.place_of(folder));
        let folders = inner.ancestors().take_while(|folder| folder.starts_with(self.folder()));
        let mut places = folders.flat_map(|folder| OF_PROJECT.iter().map(move |place| folder.join(place).join(name)));
        places.find_map(|path| find_program(path.to_str()?))
    }

    /// What a program is called where it is shown: its path in the workspace, if it is there.
    pub fn program_name(&self, program: &Path) -> String {
        match program.strip_prefix(self.folder()) {
            Ok(own) => own.display().to_string(),
            Err(_) => program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned(),
        }
    }
}

/// Looks for the programs of LaTeX.
pub fn find_latex() -> Vec<FoundProgram> {
    let found = |name: &str| find_program(name).map(|path| path.display().to_string());
    LATEX.iter().map(|&name| FoundProgram { name: name.to_owned(), path: found(name) }).collect()
}

/// Looks for Python: that of the environment the server was started in, else the first that is found by its name. It is
/// asked about itself unless it lies in the workspace, where anybody may have changed it.
pub fn find_python(workspace: &Path) -> FoundPython {
    let Some(path) = python() else { return FoundPython::default() };
    let found = FoundPython { path: Some(path.display().to_string()), ..FoundPython::default() };
    if lies_in(&path, workspace) {
        let note = "it is in the workspace, so it was not run to check its version".to_owned();
        return FoundPython { note: Some(note), ..found };
    }
    match about(&path) {
        Ok((version, ipykernel)) => FoundPython { version: Some(version), ipykernel: Some(ipykernel), ..found },
        Err(note) => FoundPython { note: Some(note), ..found },
    }
}

fn python() -> Option<PathBuf> {
    let environments = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(env::var_os);
    let own = environments.map(|folder| Path::new(&folder).join("bin/python")).find_map(|path| {
        // Only a whole path is one of the person's own.
        find_program(path.to_str()?)
    });
    own.or_else(|| PYTHON.iter().find_map(|name| find_program(name)))
}

/// By its name or by what it is a link to.
fn lies_in(path: &Path, workspace: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    [Some(real), folder].into_iter().flatten().any(|place| place.starts_with(workspace))
}

fn about(python: &Path) -> Result<(String, bool), String> {
    let environment = companion_environment();
    let question = Question { arguments: &["-c", ASKED], environment, input: "", patience: PATIENCE };
    let answer = ask(python, question).map_err(|error: AskError| format!("it can't be checked: {error}"))?;
    let said = answer.said.split_once(' ').filter(|_| answer.code == Some(0));
    let (version, has) = said.ok_or_else(|| {
        let complaint = answer.complaint.lines().last().unwrap_or("it ended with an error").chars().take(200);
        format!("it does not run: {}", complaint.collect::<String>())
    })?;
    Ok((version.chars().take(40).collect(), has == "True"))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "makes folders for programs")]
mod tests {
    use std::fs;

    use super::*;
    use crate::process::make;

    #[test]
    fn a_python_says_its_version_and_whether_it_has_ipykernel() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("python3");
        let said = |script: &str| {
            make(&program, script);
            about(&program)
        };
        assert_eq!(said("#!/bin/sh\necho 3.12.1 True\n"), Ok(("3.12.1".to_owned(), true)));
        assert_eq!(said("#!/bin/sh\necho 3.9.0 False\n"), Ok(("3.9.0".to_owned(), false)));
        let broken = said("#!/bin/sh\necho 'pyenv: no such version' >&2\nexit 1\n");
        assert_eq!(broken, Err("it does not run: pyenv: no such version".to_owned()));
    }

    #[test]
    fn what_lies_in_the_workspace_is_known_also_behind_a_link() {
        let (workspace, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let real = workspace.path().canonicalize().unwrap();
        fs::create_dir(real.join("bin")).unwrap();
        make(&real.join("bin/python"), "#!/bin/sh\n");
        std::os::unix::fs::symlink(real.join("bin/python"), outside.path().join("python")).unwrap();
        std::os::unix::fs::symlink("/bin/sh", real.join("bin/python3")).unwrap();
        for path in [real.join("bin/python"), outside.path().join("python"), real.join("bin/python3")] {
            assert!(lies_in(&path, &real), "{path:?}");
        }
        assert!(!lies_in(Path::new("/bin/sh"), &real));
    }

    #[test]
    fn the_nearest_program_of_a_project_is_found_and_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let store =
            aside_store::Store::open(&folder.path().join(".aside"), aside_store::StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let put = |path: &str| {
            let path = workspace.folder().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            make(&path, "#!/bin/sh\n");
        };
        put(".venv/bin/ruff");
        put("web/node_modules/.bin/prettier");
        put("web/app/node_modules/.bin/ruff");
        fs::write(workspace.folder().join(".venv/bin/black"), "no program").unwrap();
        let found = |folder: &str, name: &str| {
            let folder = WorkspacePath::new(folder).ok();
            let found = workspace.find_own_program(folder.as_ref(), name);
            found.map(|path| workspace.program_name(&path)).unwrap_or_default()
        };
        if workspace.processes().found().level == SandboxLevel::None {
            assert_eq!(found("", "ruff"), "", "what came with the files does not run with the person's rights");
            return;
        }
        assert_eq!(found("", "ruff"), ".venv/bin/ruff");
        assert_eq!(found("web/app/src", "ruff"), "web/app/node_modules/.bin/ruff");
        assert_eq!(found("web/app", "prettier"), "web/node_modules/.bin/prettier");
        for name in ["black", "prettier", "../bin/ruff", ".", ""] {
            assert_eq!(found("", name), "", "{name}");
        }
        assert_eq!(workspace.program_name(Path::new("/usr/bin/ruff")), "ruff");
    }

    #[test]
    fn every_program_of_latex_is_looked_for() {
        let found = find_latex();
        assert_eq!(found.len(), LATEX.len());
        assert!(found.iter().all(|one| one.path.as_ref().is_none_or(|path| path.starts_with('/'))));
    }
}
