//! Finds the kernels of a machine. Nothing is started for a look.

use std::{collections::HashSet, path::Path};

use aside_core::{FoundKernel, FoundKernels, KernelPlace, KernelProblem, WithoutKernel, WorkspacePath};

use crate::{
    Files, KernelSpec, Surroundings,
    folders::{DataFolder, data_folders},
    spec::{interpreter, read},
};

/// What was found: the list, and how each kernel of it is started.
#[derive(Clone, Debug, Default)]
pub struct Kernels {
    /// For people and programs.
    pub found: FoundKernels,
    specs: Vec<KernelSpec>,
}

impl Kernels {
    /// Returns a kernel by its name; Jupyter takes no notice of the case of names.
    pub fn get(&self, name: &str) -> Option<(&FoundKernel, &KernelSpec)> {
        self.all().find(|(found, _)| found.name.eq_ignore_ascii_case(name))
    }

    /// Returns the first kernel of a language; Jupyter takes no notice of the case of languages.
    pub fn of_language(&self, language: &str) -> Option<(&FoundKernel, &KernelSpec)> {
        self.all().find(|(found, _)| found.language.eq_ignore_ascii_case(language))
    }

    /// Returns all, the first to be used first.
    pub fn all(&self) -> impl Iterator<Item = (&FoundKernel, &KernelSpec)> {
        self.found.kernels.iter().zip(&self.specs)
    }

    fn add(&mut self, name: String, spec: KernelSpec, place: KernelPlace) {
        self.found.kernels.push(FoundKernel {
            name,
            display_name: spec.display_name.clone(),
            language: spec.language.clone(),
            place,
            path: spec.resource_folder.display().to_string(),
        });
        self.specs.push(spec);
    }
}

/// Looks for kernels where Jupyter does, and in the environments of the workspace.
pub fn find_kernels(files: &impl Files, around: &Surroundings) -> Kernels {
    let mut search = Search { files, around, names: HashSet::new(), kernels: Kernels::default() };
    for folder in data_folders(files, around) {
        search.folder(&folder);
    }
    search.kernels
}

struct Search<'a, F> {
    files: &'a F,
    around: &'a Surroundings,
    /// Names that are taken, in lower case.
    names: HashSet<String>,
    kernels: Kernels,
}

impl<F: Files> Search<'_, F> {
    fn folder(&mut self, folder: &DataFolder) {
        let kernels = folder.path.join("kernels");
        let mut has_python = false;
        for name in self.files.list(&kernels) {
            let path = kernels.join(&name);
            let Ok(bytes) = self.files.read(&path.join("kernel.json")) else { continue };
            if let Some(spec) = self.described(&bytes, &path, folder) {
                has_python |= spec.language.eq_ignore_ascii_case("python");
                self.named(name.to_ascii_lowercase(), spec, folder);
            }
        }
        if let Some(prefix) = folder.environment.as_deref().filter(|_| !has_python) {
            self.bare(prefix, folder);
        }
    }

    fn described(&mut self, bytes: &[u8], path: &Path, folder: &DataFolder) -> Option<KernelSpec> {
        let mut read = read(bytes, path, folder.environment.as_deref());
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !is_name(name) {
            read.problems.push("its folder's name may only hold letters, digits, `.`, `_` and `-`".to_owned());
            read.spec = None;
        }
        let file = path.join("kernel.json").display().to_string();
        let problems = read.problems.into_iter().map(|message| KernelProblem { path: file.clone(), message });
        self.kernels.found.problems.extend(problems);
        read.spec
    }

    /// The first of a name has it. Others are only seen if they are an environment's, under its name too.
    fn named(&mut self, name: String, spec: KernelSpec, folder: &DataFolder) {
        if self.names.insert(name.clone()) {
            return self.kernels.add(name, spec, folder.place);
        }
        let Some(prefix) = &folder.environment else { return };
        let inside = prefix.strip_prefix(&self.around.workspace).unwrap_or(prefix);
        let longer = format!("{name}@{}", inside.display());
        if self.names.insert(longer.to_lowercase()) {
            self.kernels.add(longer, spec, folder.place);
        }
    }

    /// An environment that no file says a kernel of Python of: its interpreter is one if it has ipykernel.
    fn bare(&mut self, prefix: &Path, folder: &DataFolder) {
        let python = interpreter(prefix);
        if !self.files.is_file(&python) {
            return;
        }
        let libraries = self.files.list(&prefix.join("lib")).into_iter().filter(|name| name.starts_with("python"));
        let mut packages =
            libraries.map(|name| prefix.join("lib").join(name).join("site-packages/ipykernel_launcher.py"));
        if packages.any(|package| self.files.is_file(&package)) {
            let spec = KernelSpec { resource_folder: python, ..KernelSpec::of_interpreter(prefix) };
            self.named("python3".to_owned(), spec, folder);
        } else {
            let inside = prefix.strip_prefix(&self.around.workspace).ok().and_then(Path::to_str);
            let environment = inside.and_then(|inside| WorkspacePath::new(inside).ok());
            let without = WithoutKernel { interpreter: python.display().to_string(), environment };
            self.kernels.found.without_kernel.push(without);
        }
    }
}

/// As `jupyter_client.kernelspec` checks it.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests;
