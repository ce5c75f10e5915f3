//! The folders that may hold `kernels/NAME/kernel.json`, in the order in which they count.
//!
//! That is Jupyter's (`jupyter_core.paths.jupyter_path`), but that Jupyter runs in one environment of Python, and we in
//! none: the one that Aside was started in comes first, then those of the workspace. Conda's `base`, which most people
//! who have it are always in, stands behind what the person installed, as there.

use std::path::{Path, PathBuf};

use aside_core::KernelPlace;

use crate::{Files, Surroundings, files::find_program};

/// A folder of Jupyter's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataFolder {
    pub path: PathBuf,
    pub place: KernelPlace,
    /// The environment of Python that it belongs to.
    pub environment: Option<PathBuf>,
}

/// Returns them, each once.
pub(crate) fn data_folders(files: &impl Files, around: &Surroundings) -> Vec<DataFolder> {
    let named = around.variable("JUPYTER_PATH").unwrap_or_default().split(':').map(PathBuf::from);
    let named = named.filter(|path| path.is_absolute()).map(|path| plain(path, KernelPlace::Named));
    let environments = environments(files, around);
    let person = person(around).map(|path| plain(path, KernelPlace::Person));
    let mut folders: Vec<DataFolder> = named.collect();
    if prefers_person(around) {
        folders.extend(person.chain(environments));
    } else {
        folders.extend(environments.into_iter().chain(person));
    }
    folders.extend(base(around).map(|prefix| of_environment(prefix, KernelPlace::Environment)));
    folders.extend(on_path(files, around).map(|prefix| of_environment(prefix, KernelPlace::System)));
    folders.extend(of_system(around).map(|path| plain(path, KernelPlace::System)));
    let mut seen = std::collections::HashSet::new();
    folders.retain(|folder| seen.insert(folder.path.clone()));
    folders
}

/// Those of the machine. Where they lie elsewhere, or are not to be looked at, a variable says so: it may be empty.
fn of_system(around: &Surroundings) -> impl Iterator<Item = PathBuf> {
    let said = around.variables.get("ASIDE_SYSTEM_JUPYTER").map_or(SYSTEM, String::as_str);
    said.split(':').map(PathBuf::from).filter(|path| path.is_absolute())
}

const SYSTEM: &str = "/usr/local/share/jupyter:/usr/share/jupyter";

fn plain(path: PathBuf, place: KernelPlace) -> DataFolder {
    DataFolder { path, place, environment: None }
}

fn of_environment(prefix: PathBuf, place: KernelPlace) -> DataFolder {
    DataFolder { path: prefix.join("share/jupyter"), place, environment: Some(prefix) }
}

fn person(around: &Surroundings) -> impl Iterator<Item = PathBuf> + use<> {
    let site = around.folder("PYTHONUSERBASE").or_else(|| Some(around.folder("HOME")?.join(".local")));
    around.person_data().into_iter().chain(site.map(|base| base.join("share/jupyter")))
}

/// The person said that what they installed comes before environments.
fn prefers_person(around: &Surroundings) -> bool {
    let word = around.variable("JUPYTER_PREFER_ENV_PATH").map(str::to_ascii_lowercase);
    word.is_some_and(|word| ["0", "no", "n", "false", "off"].contains(&word.as_str()))
}

fn is_base(around: &Surroundings) -> bool {
    around.variable("CONDA_DEFAULT_ENV") == Some("base")
}

fn base(around: &Surroundings) -> Option<PathBuf> {
    around.folder("CONDA_PREFIX").filter(|_| is_base(around))
}

fn environments(files: &impl Files, around: &Surroundings) -> Vec<DataFolder> {
    let conda = around.folder("CONDA_PREFIX").filter(|_| !is_base(around));
    let active = around.folder("VIRTUAL_ENV").into_iter().chain(conda).map(|prefix| {
        let inside = prefix.starts_with(&around.workspace);
        of_environment(prefix, if inside { KernelPlace::Workspace } else { KernelPlace::Environment })
    });
    let workspace = of_workspace(files, around).into_iter();
    active.chain(workspace.map(|prefix| of_environment(prefix, KernelPlace::Workspace))).collect()
}

/// Environments that lie in the workspace: those of venv and uv, of conda, of pixi.
fn of_workspace(files: &impl Files, around: &Surroundings) -> Vec<PathBuf> {
    let folder = &around.workspace;
    let uv = around.variable("UV_PROJECT_ENVIRONMENT").map(|path| folder.join(path));
    let own = [".venv", "venv", "env", ".conda"].map(|name| folder.join(name));
    let below = |path: &Path| files.list(path).into_iter().map(|name| path.join(name)).collect::<Vec<_>>();
    let several = [".pixi/envs", "envs"].into_iter().flat_map(|path| below(&folder.join(path)));
    uv.into_iter().chain(own).chain(several).filter(|prefix| is_environment(files, prefix)).collect()
}

/// By the mark that venv, uv and virtualenv leave, or by that of conda and pixi.
fn is_environment(files: &impl Files, prefix: &Path) -> bool {
    files.is_file(&prefix.join("pyvenv.cfg")) || !files.list(&prefix.join("conda-meta")).is_empty()
}

/// The Python that a shell would start.
fn on_path(files: &impl Files, around: &Surroundings) -> Option<PathBuf> {
    let python = find_program(files, around.variable("PATH")?, "python3")?;
    let bin = python.parent().filter(|folder| folder.ends_with("bin"))?;
    bin.parent().map(Path::to_owned)
}
