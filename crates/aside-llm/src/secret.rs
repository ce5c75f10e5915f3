//! Keys, kept out of every log and message.

use std::fmt;

/// A provider key. It has no `Display` and its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key, without the white space that files and shells leave around it; `None` if nothing is left.
    pub fn new(text: impl AsRef<str>) -> Option<Self> {
        let text = text.as_ref().trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key itself, for the one header it goes into and for what masks it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_nothing_of_the_key() {
        let key = Secret::new(" sk-canary\n").unwrap();
        assert_eq!(format!("{key:?}"), "Secret(..)");
        assert!(Secret::new(" \n").is_none());
    }
}
