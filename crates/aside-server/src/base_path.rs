//! The path below which everything is served: empty, or `/user/ada`, as a hub's proxy wants it.

use std::str::FromStr;

/// A prefix of every address: empty, or starting and not ending with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

/// Says that a text is not a path to serve below.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a base path: expected parts of letters, digits and `-._~@` such as /user/ada")]
pub struct InvalidBasePath(String);

impl FromStr for BasePath {
    type Err = InvalidBasePath;

    fn from_str(text: &str) -> Result<Self, InvalidBasePath> {
        let plain = |part: &str| {
            !part.is_empty()
                && part != "."
                && part != ".."
                && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._~@".contains(letter))
        };
        let parts = text.trim_matches('/');
        match parts {
            "" => Ok(Self::default()),
            _ if parts.split('/').all(plain) => Ok(Self(format!("/{parts}"))),
            _ => Err(InvalidBasePath(text.chars().take(200).collect())),
        }
    }
}

impl BasePath {
    /// Without a slash at its end; empty for the top.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// With a slash at its end.
    pub fn folder(&self) -> String {
        format!("{}/", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_path_are_one() {
        for text in ["user/ada", "/user/ada", "/user/ada/"] {
            assert_eq!(text.parse::<BasePath>().unwrap().folder(), "/user/ada/");
        }
        for text in ["", "/"] {
            assert_eq!(text.parse::<BasePath>().unwrap().as_str(), "");
        }
    }

    #[test]
    fn refuses_what_could_leave_an_attribute_or_the_path() {
        for text in ["/a\"b", "/a b", "/../x", "/a//b", "/{x}", "/<script>"] {
            assert!(text.parse::<BasePath>().is_err(), "{text}");
        }
    }
}
