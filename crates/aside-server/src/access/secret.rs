//! The token of one run of the server, and the CSRF value that is derived from it. Cookies are those of devices and guests.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use aside_core::Sha256;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;

/// How many tokens that work once may be open; the oldest goes first.
const MOST_ONCE: usize = 16;
/// Seconds that a browser keeps a cookie, which is as long as browsers keep any. The server ends unused ones earlier.
const LONGEST_COOKIE: u32 = 400 * 24 * 60 * 60;

/// The token and what is derived from it. Never printed by `Debug`.
pub struct Secret {
    token: String,
    once: Mutex<Vec<String>>,
    csrf: Sha256,
    cookie_name: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

impl Secret {
    /// The secret of a server on `port` with a given token. Cookies are shared by all ports of a host,
    /// so the cookie is named for the port.
    pub fn new(token: String, port: u16) -> Self {
        let derived = |purpose: &str| Sha256::of(format!("aside {purpose}\0{token}"));
        Self { csrf: derived("csrf"), cookie_name: format!("aside-session-{port}"), once: Mutex::default(), token }
    }

    /// Makes a token of 32 random bytes.
    pub fn random_token() -> Result<String, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Makes a token that opens one session: for a browser's command line, which other users can read.
    pub fn token_for_once(&self) -> Result<String, getrandom::Error> {
        let token = Self::random_token()?;
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        if once.len() == MOST_ONCE {
            once.remove(0);
        }
        once.push(token.clone());
        Ok(token)
    }

    /// Tells whether this opens a session; a token for once is used up by it.
    pub fn opens_session(&self, given: &str) -> bool {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        match once.iter().position(|token| same(given, token)) {
            Some(found) => {
                once.remove(found);
                true
            }
            None => self.is_token(given),
        }
    }

    /// Tells whether this is the token.
    pub fn is_token(&self, given: &str) -> bool {
        same(given, &self.token)
    }

    /// Tells whether this is the CSRF value.
    pub fn is_csrf(&self, given: &str) -> bool {
        same(given, self.csrf.as_str())
    }

    /// What a page of ours sends back in `X-Aside-CSRF`.
    pub fn csrf(&self) -> &str {
        self.csrf.as_str()
    }

    /// The cookie's name.
    pub fn cookie_name(&self) -> &str {
        &self.cookie_name
    }

    /// The value of `Set-Cookie` for a signed-in browser, for pages under `path`: it outlives the browser and the server.
    pub fn set_device_cookie(&self, path: &str, secret: &str) -> String {
        format!("{}; Max-Age={LONGEST_COOKIE}", self.cookie_of(path, secret))
    }

    /// The same for a guest: their own secret, which ends with their invitation.
    pub fn set_guest_cookie(&self, path: &str, secret: &str) -> String {
        self.cookie_of(path, secret)
    }

    fn cookie_of(&self, path: &str, value: &str) -> String {
        format!("{}={value}; Path={path}; HttpOnly; SameSite=Strict", self.cookie_name)
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn same(given: &str, wanted: &str) -> bool {
    given.as_bytes().ct_eq(wanted.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_token_revokes_the_csrf_value() {
        let (old, new) = (Secret::new("old".into(), 4177), Secret::new("new".into(), 4177));
        assert!(old.is_csrf(old.csrf()) && !new.is_csrf(old.csrf()));
        assert!(!old.is_token(old.csrf()));
    }

    #[test]
    fn does_not_print_itself() {
        let secret = Secret::new("canary".into(), 1);
        assert!(!format!("{secret:?}").contains("canary"));
        assert!(!secret.csrf().contains("canary"));
    }

    #[test]
    fn a_token_for_once_works_once_and_only_for_a_session() {
        let secret = Secret::new("token".into(), 1);
        let once = secret.token_for_once().unwrap();
        assert!(!secret.is_token(&once));
        assert!(secret.opens_session(&once));
        assert!(!secret.opens_session(&once));
        assert!(secret.opens_session("token") && secret.opens_session("token"));
        let oldest = secret.token_for_once().unwrap();
        for _ in 0..MOST_ONCE {
            secret.token_for_once().unwrap();
        }
        assert!(!secret.opens_session(&oldest));
    }

    #[test]
    fn random_tokens_are_long_and_differ() {
        let one = Secret::random_token().unwrap();
        assert_eq!(one.len(), 43);
        assert_ne!(one, Secret::random_token().unwrap());
    }
}
