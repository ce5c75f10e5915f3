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

    /// The key itself, for the one header it goes into.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns `text` with every occurrence of the key replaced: servers quote keys in their refusals.
    /// A key shorter than that of any real service is a word such as `none`, and stays.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.0.len() < 8 { text.to_owned() } else { text.replace(&self.0, "[key]") }
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
        assert_eq!(key.redact("bad key sk-canary!"), "bad key [key]!");
        assert!(Secret::new(" \n").is_none());
    }
}
