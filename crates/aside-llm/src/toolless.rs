//! Models that refused the tools they were offered, whatever was known of them before.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{ModelInfo, ProviderError};

/// Those of one provider, as long as it is set up as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toolless(Arc<Mutex<BTreeSet<String>>>);

impl Toolless {
    /// Takes note if a model was refused because of its tools.
    pub(crate) fn heard(&self, model: &str, error: &ProviderError) {
        if error.refuses_tools() {
            self.names().insert(model.to_owned());
        }
    }

    /// What is known of a model, and of what it refused.
    pub(crate) fn corrected(&self, model: ModelInfo) -> ModelInfo {
        match self.names().contains(&model.name) {
            true => ModelInfo { tools: Some(false), ..model },
            false => model,
        }
    }

    /// Forgets them: the server may have been started in another way.
    pub(crate) fn forget(&self) {
        self.names().clear();
    }

    fn names(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
