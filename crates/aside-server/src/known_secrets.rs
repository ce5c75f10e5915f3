//! Secrets that the process was given: they are kept out of the audit wherever they turn up.

use std::{env, path::PathBuf};

use aside_core::Secrets;
use aside_store::TextFile;

/// How the names of variables that hold a secret end.
const NAMES: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS"];
/// How the names of variables end whose values look like secrets and are none.
const PUBLIC: &[&str] = &["SHA", "HASH", "COMMIT", "DIGEST", "ID", "VERSION", "CHECKSUM", "REF"];
/// Letters and digits in a row that make up no word.
const LONGEST_WORD: usize = 20;
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
    variables.filter_map(|(name, value)| secret_of(&name.to_ascii_uppercase(), value.trim())).collect()
}

/// The secret that a variable holds: its value by its name or its looks, or the password in an address.
fn secret_of(name: &str, value: &str) -> Option<String> {
    if NAMES.iter().any(|ending| name.ends_with(ending)) {
        return Some(value.to_owned());
    }
    if let Some(password) = password_in(value) {
        return Some(password.to_owned());
    }
    let is_named_so = name.split('_').any(|word| NAMES.contains(&word));
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_path = value.starts_with(['/', '~', '.']);
    (!is_path && ((is_named_so && has_digit) || looks_random(name, value))).then(|| value.to_owned())
}

fn password_in(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let host_and_more = rest.split(['/', '?', '#']).next()?;
    let (user, _) = host_and_more.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password).filter(|password| !password.is_empty())
}

/// Tells whether a value is one word with a long run of letters and digits, as only made-up values have.
fn looks_random(name: &str, value: &str) -> bool {
    let is_public = PUBLIC.iter().any(|ending| name.ends_with(ending));
    let is_word = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+=~".contains(&byte));
    let mut runs = value.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_random = |run: &str| {
        let has = |test: fn(&u8) -> bool| run.bytes().any(|byte| test(&byte));
        run.len() >= LONGEST_WORD && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
    };
    !is_public && is_word && runs.any(is_random)
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
    fn variables_are_known_by_their_values() {
        let secret = |name: &str, value: &str| secret_of(name, value);
        let random = "4f9a8b7c6d5e4f3a2b1c0d9e";
        assert_eq!(secret("MY_SERVICE", random).as_deref(), Some(random));
        assert_eq!(secret("DATABASE_URL", "postgres://me:hunter2hunter@db:5432/x").as_deref(), Some("hunter2hunter"));
        assert_eq!(secret("TOKEN_FOR_CI", "abc-123-def").as_deref(), Some("abc-123-def"));
        for (name, value) in [
            ("GITHUB_SHA", random),
            ("SSH_KEY_PATH", "/home/me/.ssh/id_ed25519"),
            ("HOST", "x86_64-unknown-linux-gnu"),
            ("TERM", "xterm-256color"),
            ("SECRET_BACKEND", "keychain"),
            ("HOMEPAGE", "https://example.org/a@b:c"),
            ("LONG", "averylongwordwithoutanynumberinit"),
        ] {
            assert_eq!(secret(name, value), None, "{name}");
        }
    }

    #[test]
    fn passwords_are_read_from_a_netrc_in_any_layout() {
        let text = "machine a login b password c\nmachine d\n  login e\n  password \"f\"\nmacdef init\npassword";
        assert_eq!(of_netrc(text), ["c", "f"]);
        assert!(of_netrc("").is_empty());
    }
}
