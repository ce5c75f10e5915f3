//! Whether Ollama is on this machine, running or not.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Where its installers put it beside what `PATH` names: on Linux and macOS, and inside the macOS application.
const USUAL: &[&str] =
    &["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin", "/snap/bin", "/Applications/Ollama.app/Contents/Resources"];

/// Tells whether the program `ollama` is where programs are. Looks at names only and runs nothing.
pub fn is_ollama_installed() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    is_in(env::split_paths(&path).chain(USUAL.iter().map(PathBuf::from)))
}

fn is_in(folders: impl IntoIterator<Item = PathBuf>) -> bool {
    let name = format!("ollama{}", env::consts::EXE_SUFFIX);
    // A relative folder in PATH is the workspace's, and what lies there is not what is installed.
    folders.into_iter().any(|folder| folder.is_absolute() && is_program(&folder.join(&name)))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_program_and_neither_a_folder_nor_what_lies_beside_the_documents() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_in([folder.path().to_owned()]));
        let program = folder.path().join(format!("ollama{}", env::consts::EXE_SUFFIX));
        std::os::unix::fs::symlink(env::current_exe().unwrap(), &program).unwrap();
        assert!(is_in([folder.path().to_owned()]));
        assert!(!is_in([PathBuf::from("."), PathBuf::new()]));
    }
}
