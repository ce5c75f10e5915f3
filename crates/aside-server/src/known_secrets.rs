//! Secrets that the process was given: they are kept out of the audit wherever they turn up.

use std::{env, path::PathBuf};

use aside_core::Secrets;
use aside_store::TextFile;

/// How the names of variables that hold a secret end.
const NAMES: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS"];
/// The longest file of passwords that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Returns what the environment's variables and the person's `~/.netrc` hold.
pub fn known_secrets() -> Secrets {
    let netrc = env::var_os("HOME").map(|home| TextFile::new(PathBuf::from(home).join(".netrc"), LONGEST));
    let text = netrc.and_then(|file| file.read().ok().flatten()).unwrap_or_default();
    Secrets::new(of_environment(env::vars_os().filter_map(texts)).into_iter().chain(of_netrc(&text)))
}

fn texts<T: Into<std::ffi::OsString>>((name, value): (T, T)) -> Option<(String, String)> {
    Some((name.into().into_string().ok()?, value.into().into_string().ok()?))
}

fn of_environment(variables: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let is_secret = |name: &str| {
        let name = name.to_ascii_uppercase();
        NAMES.iter().any(|ending| name.ends_with(ending))
    };
    variables.filter(|(name, _)| is_secret(name)).map(|(_, value)| value.trim().to_owned()).collect()
}

/// The words that follow `password`, as far as the file has that form.
fn of_netrc(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == "password").map(|pair| pair[1].trim_matches('"').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_known_by_their_names() {
        let variables = [("OPENAI_API_KEY", " one "), ("gh_token", "two"), ("KEYBOARD", "three"), ("PATH", "four")];
        let found = of_environment(variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(found, ["one", "two"]);
    }

    #[test]
    fn passwords_are_read_from_a_netrc_in_any_layout() {
        let text = "machine a login b password c\nmachine d\n  login e\n  password \"f\"\nmacdef init\npassword";
        assert_eq!(of_netrc(text), ["c", "f"]);
        assert!(of_netrc("").is_empty());
    }
}
