//! What shows that a message is a host's: GitHub and others sign its bytes, GitLab repeats the secret.

use aside_history::hosts::Host;
use axum::http::HeaderMap;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use super::named;

/// What came with a message.
pub enum Proof {
    /// The HMAC-SHA-256 of its bytes.
    Signature([u8; 32]),
    /// The secret itself.
    Token(String),
}

impl Proof {
    /// Reads it from the head; none if there is none of the right form.
    pub fn of(host: Host, headers: &HeaderMap) -> Option<Self> {
        match host {
            Host::GitHub => hex(named(headers, "x-hub-signature-256")?.strip_prefix("sha256=")?).map(Self::Signature),
            Host::GitLab => named(headers, "x-gitlab-token").map(|token| Self::Token(token.to_owned())),
            Host::Generic => {
                let value = named(headers, "x-webhook-signature-256")?;
                hex(value.strip_prefix("sha256=").unwrap_or(value)).map(Self::Signature)
            }
        }
    }

    /// Tells whether it was made with the secret. How long that takes says nothing about the secret.
    pub fn holds(&self, secret: &str, body: &[u8]) -> bool {
        match self {
            Self::Token(token) => token.as_bytes().ct_eq(secret.as_bytes()).into(),
            Self::Signature(given) => {
                let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length will do");
                mac.update(body);
                mac.verify_slice(given).is_ok()
            }
        }
    }
}

fn hex(text: &str) -> Option<[u8; 32]> {
    let (mut bytes, digits) = ([0; 32], text.as_bytes());
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |at: usize| char::from(pair[at]).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(0)? << 4 | digit(1)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_githubs_own_pages_holds_and_nothing_near_it() {
        let given = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let holds = |given: &str, secret: &str, body: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-hub-signature-256", format!("sha256={given}").parse().unwrap());
            Proof::of(Host::GitHub, &headers).is_some_and(|proof| proof.holds(secret, body.as_bytes()))
        };
        let secret = "It's a Secret to Everybody";
        assert!(holds(given, secret, "Hello, World!"));
        assert!(holds(&given.to_uppercase(), secret, "Hello, World!"));
        assert!(!holds(given, secret, "Hello, World?"));
        assert!(!holds(given, "another", "Hello, World!"));
        for wrong in ["", "75", &given[1..], &given.replace('7', "x"), &"0".repeat(64)] {
            assert!(!holds(wrong, secret, "Hello, World!"), "{wrong}");
        }
    }

    #[test]
    fn a_header_that_is_there_twice_shows_nothing() {
        let mut headers = HeaderMap::new();
        headers.insert("x-gitlab-token", "one".parse().unwrap());
        assert!(Proof::of(Host::GitLab, &headers).unwrap().holds("one", b""));
        assert!(!Proof::of(Host::GitLab, &headers).unwrap().holds("onetwo", b""));
        headers.append("x-gitlab-token", "two".parse().unwrap());
        assert!(Proof::of(Host::GitLab, &headers).is_none());
    }
}
