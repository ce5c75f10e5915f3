//! The variables of this process that nothing gets which is started here with all others: they hold keys.

use std::{collections::BTreeSet, fmt, sync::Arc};

/// Where to ask for their names.
#[derive(Clone)]
pub(super) struct Withheld(Arc<dyn Fn() -> BTreeSet<String> + Send + Sync>);

impl Withheld {
    pub(super) fn by(names: impl Fn() -> BTreeSet<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(names))
    }

    pub(super) fn names(&self) -> BTreeSet<String> {
        (self.0)()
    }
}

impl fmt::Debug for Withheld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Withheld")
    }
}
