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
    /// The name of the kernel that the notebook asks for, if that is not here and this one speaks its language.
    pub instead_of: Option<String>,
    around: Surroundings,
}

/// Chooses the kernel of a name, or the one that a notebook asks for: by name, else by language. For one that asks for none
/// it is the first of Python, else the first. Looks at the disk.
///
/// # Errors
/// If there is none such.
pub fn choose(folder: &Path, named: Option<&str>, notebook: &Notebook) -> Result<Chosen, SessionError> {
    let around = Surroundings::of_process(folder);
    let kernels = find_kernels(&Disk, &around);
    let found = match named {
        Some(name) => kernels.get(name),
        None => asked_for(&kernels, notebook),
    };
    let (kernel, spec) = found.ok_or_else(|| SessionError::NoKernel { wanted: wanted(named, notebook) })?;
    let instead_of = if named.is_none() { name(notebook).filter(|name| kernels.get(name).is_none()) } else { None };
    Ok(Chosen { kernel: kernel.clone(), spec: spec.clone(), instead_of, around })
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
        let folder = path.parent().map_or_else(|| folder.to_owned(), |path| folder.join(path.as_str()));
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
    let (name, language) = (name(notebook), notebook.language());
    let named = name.as_deref().and_then(|name| kernels.get(name));
    let of_language = || kernels.of_language(language.as_deref()?);
    let any = || kernels.of_language("python").or_else(|| kernels.all().next());
    let is_open = name.is_none() && language.is_none();
    named.or_else(of_language).or_else(|| is_open.then(any).flatten())
}

fn name(notebook: &Notebook) -> Option<String> {
    let spec = notebook.get("metadata").and_then(|metadata| metadata.get("kernelspec"));
    spec.and_then(|spec| spec.get("name")).as_ref().and_then(joined).filter(|name| !name.is_empty())
}

fn wanted(named: Option<&str>, notebook: &Notebook) -> String {
    let wanted = named.map(str::to_owned).or_else(|| name(notebook)).or_else(|| notebook.language());
    wanted.map_or_else(|| "on this computer".to_owned(), |name| format!("named `{name}`"))
}
