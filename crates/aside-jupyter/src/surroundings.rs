//! What kernels are looked for by: the environment of the process, the person's home, the workspace.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

/// Where something is looked for.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The environment's variables.
    pub variables: BTreeMap<String, String>,
    /// The opened folder, absolute.
    pub workspace: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_process(workspace: &Path) -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self { variables: env::vars_os().filter_map(text).collect(), workspace: workspace.to_owned() }
    }

    /// Returns a variable's value; one that is empty is not set.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns a variable that names a folder; only a whole path does.
    pub(crate) fn folder(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Returns the person's folder of Jupyter's data, as `jupyter_core.paths.jupyter_data_dir` does.
    pub(crate) fn person_data(&self) -> Option<PathBuf> {
        if let Some(named) = self.folder("JUPYTER_DATA_DIR") {
            return Some(named);
        }
        if cfg!(target_os = "macos") {
            return Some(self.folder("HOME")?.join("Library/Jupyter"));
        }
        let data = self.folder("XDG_DATA_HOME").or_else(|| Some(self.folder("HOME")?.join(".local/share")))?;
        Some(data.join("jupyter"))
    }

    /// Returns the folder of connection files, as `jupyter_core.paths.jupyter_runtime_dir` does.
    pub fn runtime_folder(&self) -> Option<PathBuf> {
        self.folder("JUPYTER_RUNTIME_DIR").or_else(|| Some(self.person_data()?.join("runtime")))
    }
}
