//! A switch that is looked at whenever it matters.

use std::{fmt, sync::Arc};

/// A switch that one part of the program keeps and others look at, such as *Local only*.
#[derive(Clone)]
pub struct Switch(Arc<dyn Fn() -> bool + Send + Sync>);

impl Switch {
    /// Looks by a function each time.
    pub fn by(look: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }

    /// Tells whether it is on now.
    pub fn is_on(&self) -> bool {
        (self.0)()
    }
}

/// Off, always.
impl Default for Switch {
    fn default() -> Self {
        Self::by(|| false)
    }
}

impl fmt::Debug for Switch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Switch({})", self.is_on())
    }
}
