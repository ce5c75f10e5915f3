//! What an action may tell of that finds out by itself what it touches, such as a search.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use aside_core::{Assessment, ObjectRef, Risk, Ruling};

use crate::{Gate, approval::asked, record::StoredAction};

type Judge = dyn Fn(&[ObjectRef]) -> bool + Send + Sync;

/// Tells whether whoever asks may read something at all: what lies outside of their grant, or is denied to them, is left
/// out of an answer without a word, since a refusal that names it would tell of it.
#[derive(Clone)]
pub struct Admits(Arc<Judge>);

impl Admits {
    /// Tells whether all of these may be read. What may be read after a question may.
    pub fn all(&self, targets: &[ObjectRef]) -> bool {
        (self.0)(targets)
    }
}

impl fmt::Debug for Admits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Admits")
    }
}

impl Gate {
    pub(crate) fn admits(&self, action: &StoredAction) -> Admits {
        let (live, action, now) = (self.policy.clone(), action.clone(), self.store.now());
        // Few actions ask, and those that do ask often.
        let policy = OnceLock::new();
        Admits(Arc::new(move |targets| {
            let policy = policy.get_or_init(|| live.current());
            let assessment = Assessment { targets: targets.to_vec(), ..Assessment::default() };
            let risks = [Risk::Read].into();
            let question = asked(&action, &risks, &assessment, None, now);
            action.grant.first_outside(targets).is_none() && policy.evaluate(&question).ruling != Ruling::Deny
        }))
    }
}
