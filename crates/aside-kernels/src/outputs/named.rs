//! Outputs that code can show anew by a name, which the file does not tell.

use aside_notebook::CellKey;

use super::{Output, Outputs};

impl Outputs {
    /// What the outputs of a cell are called, each that can be updated by its name later; nothing if none can.
    pub fn names_of(&self, cell: &CellKey) -> Vec<Option<String>> {
        let name = |output: &Output| match output {
            Output::Shown { shown, .. } => shown.id.clone(),
            _ => None,
        };
        let names: Vec<_> = self.of_cell(cell).map(name).collect();
        if names.iter().any(Option::is_some) { names } else { Vec::new() }
    }

    /// Takes up what a cell has put out before and what that is called; nothing if it is not these outputs any more.
    pub fn resume_named(&mut self, cell: CellKey, mut outputs: Vec<Output>, names: &[Option<String>]) {
        let is_it =
            |(output, name): (&Output, &Option<String>)| name.is_none() || matches!(output, Output::Shown { .. });
        if outputs.len() != names.len() || !outputs.iter().zip(names).all(is_it) {
            return;
        }
        for (output, name) in outputs.iter_mut().zip(names) {
            if let Output::Shown { shown, .. } = output {
                shown.id.clone_from(name);
            }
        }
        self.resume(cell, outputs);
    }
}
