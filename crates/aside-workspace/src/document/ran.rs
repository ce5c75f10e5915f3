//! A notebook takes what was run beside it, while people went on with it.

use std::sync::Arc;

use aside_core::{ActionId, Version};
use aside_doc::CellOutputs;

use super::{Document, EditRefused, back::notebook_of};
use crate::merge::merge_into;

impl Document {
    /// Takes what its cells have put out in an action's name: nothing else of it changes. A cell that is gone is passed over.
    /// Returns the versions before and after.
    ///
    /// # Errors
    /// If it is no notebook.
    pub fn take_outputs(
        self: &Arc<Self>,
        outputs: &[CellOutputs],
        action: &ActionId,
    ) -> Result<(Version, Version), EditRefused> {
        let mut inner = self.lock();
        notebook_of(&inner)?;
        let (before, old) = (inner.content.version(), inner.content.text());
        inner.content.as_notebook_mut().expect("it was one a moment ago").set_outputs(outputs);
        let after = self.has_acted(inner, (&before, &old), Some(&[]), action, None);
        Ok((before, after))
    }

    /// Takes what an action made of a notebook that was the text `base` of this one: what was changed here since stays.
    /// Returns the versions before and after.
    ///
    /// # Errors
    /// If it is no notebook, or the other one is none.
    pub fn take_in(
        self: &Arc<Self>,
        base: &str,
        theirs: &str,
        action: &ActionId,
    ) -> Result<(Version, Version), EditRefused> {
        let mut inner = self.lock();
        notebook_of(&inner)?;
        let (before, old, path) = (inner.content.version(), inner.content.text(), inner.path.clone());
        let merged = merge_into(&mut inner.content, base, theirs);
        let changes = merged.map_err(|reason| EditRefused::Unfit { path, reason })?;
        let after = self.has_acted(inner, (&before, &old), Some(&changes), action, None);
        Ok((before, after))
    }
}
