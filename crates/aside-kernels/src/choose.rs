//! Which kernel runs a notebook, and how it is started.

use std::{path::Path, time::Duration};

use aside_core::{FoundKernel, WorkspacePath};
use aside_jupyter::{Disk, KernelSpec, Kernels, Launch, Surroundings, find_kernels};
use aside_notebook::{Notebook, Raw, joined};
use aside_workspace::Workspace;

use crate::SessionError;

/// How long a kernel may take until it answers; what Jupyter waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// A kernel that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What it is called, and whose it is.
    pub kernel: FoundKernel,
    /// How it is started.
    pub spec: KernelSpec,
    around: Surroundings,
}

/// Chooses the kernel of a name, or the one that a notebook asks for: by name, or by language where it has no name for it. For
/// one that asks for none it is the first of Python, else the first. Looks at the disk.
///
/// # Errors
/// If there is none such. A notebook that names one which is not here has the person choose.
pub fn choose(folder: &Path, named: Option<&str>, notebook: &Notebook) -> Result<Chosen, SessionError> {
    let around = Surroundings::of_process(folder);
    let kernels = find_kernels(&Disk, &around);
    let found = match named {
        Some(name) => kernels.get(name),
        None => asked_for(&kernels, notebook),
    };
    let missing = || SessionError::NoKernel { wanted: wanted(named, notebook), here: here(&kernels, notebook) };
    let (kernel, spec) = found.ok_or_else(missing)?;
    Ok(Chosen { kernel: kernel.clone(), spec: spec.clone(), around })
}

impl Chosen {
    /// How it is started for a notebook: in the notebook's folder, without the variables that hold keys of Aside. What code
    /// puts out is shown, kept and sent to models.
    ///
    /// # Errors
    /// If there is no place for its files.
    pub fn launch(self, workspace: &Workspace, path: &WorkspacePath, outlives: bool) -> Result<Launch, SessionError> {
        let runtime = self.around.runtime_folder().ok_or(SessionError::NoHome)?;
        let folder = workspace.folder();
        let folder = path.parent().map_or_else(|| folder.to_owned(), |path| folder.join(path.on_disk()));
        let (mut environment, withheld) = (self.around.variables, workspace.processes().withheld());
        environment.retain(|name, _| !withheld.contains(name));
        Ok(Launch {
            name: self.kernel.name,
            spec: self.spec,
            folder,
            runtime,
            environment,
            patience: PATIENCE,
            outlives,
        })
    }
}

/// What a notebook's metadata says of its kernel, as Jupyter writes it.
pub fn kernelspec(kernel: &FoundKernel) -> Raw {
    Raw::of(&serde_json::json!({
        "display_name": kernel.display_name, "language": kernel.language, "name": kernel.name,
    }))
}

fn asked_for<'a>(kernels: &'a Kernels, notebook: &Notebook) -> Option<(&'a FoundKernel, &'a KernelSpec)> {
    match (name(notebook), notebook.language()) {
        (Some(name), _) => kernels.get(&name),
        (None, Some(language)) => kernels.of_language(&language),
        (None, None) => kernels.of_language("python").or_else(|| kernels.all().next()),
    }
}

/// The names of the kernels that could be chosen instead, those of the notebook's language first.
fn here(kernels: &Kernels, notebook: &Notebook) -> Vec<String> {
    let language = notebook.language();
    let mut all: Vec<&FoundKernel> = kernels.all().map(|(kernel, _)| kernel).collect();
    let is_other =
        |kernel: &&FoundKernel| !language.as_ref().is_some_and(|name| kernel.language.eq_ignore_ascii_case(name));
    all.sort_by_key(is_other);
    all.into_iter().map(|kernel| kernel.name.clone()).collect()
}

fn name(notebook: &Notebook) -> Option<String> {
    let spec = notebook.get("metadata").and_then(|metadata| metadata.get("kernelspec"));
    spec.and_then(|spec| spec.get("name")).as_ref().and_then(joined).filter(|name| !name.is_empty())
}

fn wanted(named: Option<&str>, notebook: &Notebook) -> String {
    let wanted = named.map(str::to_owned).or_else(|| name(notebook)).or_else(|| notebook.language());
    wanted.map_or_else(|| "on this computer".to_owned(), |name| format!("named `{name}`"))
}
