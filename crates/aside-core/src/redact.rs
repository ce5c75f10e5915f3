//! Masks what looks like a secret, and what is known to be one: before the audit hashes and keeps it, and before it is
//! told what a model service said.

use std::{borrow::Cow, fmt};

use serde_json::Value;

use crate::TOKEN_PREFIX;

/// What the beginning of a secret looks like, and how long it is at least.
const SECRETS: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 35),
    ("ya29.", 30),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xapp-", 20),
    ("hf_", 30),
    ("npm_", 30),
    ("pypi-", 40),
    ("eyJhbGciOi", 40),
    (TOKEN_PREFIX, 49),
];

const MASK: &str = "[secret]";

/// Shorter values are not taken for secrets: words of everyday would be masked.
const SHORTEST: usize = 8;

/// Values that are written and told nowhere, wherever they turn up and whatever they look like.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The longest first, so that nothing is left of one that another begins.
    known: Vec<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.known.len())
    }
}

impl Secrets {
    /// Takes the values that have 8 bytes or more.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut known: Vec<String> = values.into_iter().filter(|value| value.len() >= SHORTEST).collect();
        known.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self { known }
    }

    /// Takes more values.
    pub fn add(&mut self, more: Self) {
        let known = std::mem::take(&mut self.known).into_iter().chain(more.known);
        *self = Self::new(known);
        self.known.dedup();
    }

    /// Returns the value with every known secret masked, in keys too.
    pub fn masked(&self, value: Value) -> Value {
        if self.known.is_empty() { value } else { masked(value, &|text| self.masked_text(text)) }
    }

    /// Returns the text with every known secret masked, also one that was cut off at the end of the text, and with
    /// whatever else looks like a secret or is given as one: `?key=…`, `Bearer …`.
    pub fn redacted(&self, text: &str) -> String {
        let text = self.masked_text(text).unwrap_or_else(|| text.to_owned());
        without_credentials(&redacted_text(&self.without_a_cut_one(text)))
    }

    fn masked_text(&self, text: &str) -> Option<String> {
        let mut hits = self.known.iter().filter(|value| text.contains(value.as_str())).peekable();
        hits.peek()?;
        Some(hits.fold(text.to_owned(), |text, value| text.replace(value, MASK)))
    }

    /// Masks the beginning of a known secret that the text ends in: long texts are cut before they are told.
    fn without_a_cut_one(&self, text: String) -> String {
        let (body, end) = match text.strip_suffix('…') {
            Some(body) => (body.trim_end(), "…"),
            None => (&*text, ""),
        };
        let cut = self.known.iter().filter_map(|value| longest_beginning(value, body)).max();
        cut.map_or_else(|| text.clone(), |cut| format!("{}{MASK}{end}", &body[..body.len() - cut]))
    }
}

/// How many bytes at the end of a text are the beginning of a value, if those are enough to tell it by.
fn longest_beginning(value: &str, text: &str) -> Option<usize> {
    let most = value.len().min(text.len());
    (SHORTEST..=most).rev().find(|length| value.is_char_boundary(*length) && text.ends_with(&value[..*length]))
}

/// Words before a secret, in small letters: parameters of an address, and headers.
const BEFORE: &[&str] = &[
    "key=",
    "api_key=",
    "api-key=",
    "apikey=",
    "token=",
    "access_token=",
    "secret=",
    "password=",
    "signature=",
    "sig=",
    "bearer ",
    "basic ",
    "api-key: ",
    "api-key\": \"",
    "api-key\":\"",
    "token: ",
];
/// Letters and digits in a row that are taken for a secret after these words.
const SHORTEST_GIVEN: usize = 12;

/// Masks what stands after the words that a secret is given with.
fn without_credentials(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    let ends = BEFORE.iter().flat_map(|word| small.match_indices(word).map(|(at, word)| at + word.len()));
    let mut starts: Vec<usize> = ends.collect();
    starts.sort_unstable();
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for start in starts.into_iter().filter(|start| text.is_char_boundary(*start)) {
        let is_part = |letter: char| is_token(letter) || matches!(letter, '+' | '/' | '=' | '%' | '~');
        let length = text[start..].find(|letter| !is_part(letter)).unwrap_or(text.len() - start);
        let given = &text[start..start + length];
        // `basic understanding` is none.
        let is_prose = text[..start].ends_with(' ') && !given.bytes().any(|byte| byte.is_ascii_digit());
        if start >= from && length >= SHORTEST_GIVEN && !is_prose {
            out.push_str(&text[from..start]);
            out.push_str(MASK);
            from = start + length;
        }
    }
    out.push_str(&text[from..]);
    out
}

const KEY_START: &str = "-----BEGIN ";
const KEY_NAME: &str = "PRIVATE KEY-----";

/// Returns the value with every secret masked, in keys too.
pub fn redacted(value: Value) -> Value {
    masked(value, &masked_text)
}

/// Returns the text with every secret masked.
pub fn redacted_text(text: &str) -> Cow<'_, str> {
    masked_text(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Changes the texts for which `mask` has another one, and nothing else.
fn masked(mut value: Value, mask: &impl Fn(&str) -> Option<String>) -> Value {
    match &mut value {
        Value::String(text) => {
            if let Some(masked) = mask(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = masked(item.take(), mask)),
        Value::Object(map) => {
            map.values_mut().for_each(|value| *value = masked(value.take(), mask));
            if map.keys().any(|key| mask(key).is_some()) {
                *map = std::mem::take(map).into_iter().map(|(key, value)| (mask(&key).unwrap_or(key), value)).collect();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    value
}

/// Returns the text with every secret masked; none if there is no secret in it.
fn masked_text(text: &str) -> Option<String> {
    let has_secret = text.split(|character| !is_token(character)).any(is_secret);
    (has_secret || text.contains(KEY_START)).then(|| without_private_keys(&without_tokens(text)))
}

fn without_tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_token) {
        let end = rest[start..].find(|character| !is_token(character)).map_or(rest.len(), |length| start + length);
        out.push_str(&rest[..start]);
        out.push_str(if is_secret(&rest[start..end]) { MASK } else { &rest[start..end] });
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.')
}

fn is_secret(token: &str) -> bool {
    SECRETS.iter().any(|(prefix, length)| token.len() >= *length && token.starts_with(prefix))
}

/// Masks what lies between the first and the last line of a private key, or all after the first.
fn without_private_keys(text: &str) -> String {
    let Some(start) = text.find(KEY_START) else { return text.to_owned() };
    let Some(named) = text[start..].find(KEY_NAME) else { return text.to_owned() };
    let body = start + named + KEY_NAME.len();
    let end = text[body..].find("-----END ").map_or(text.len(), |end| body + end);
    // Onwards from the end line, which has `-----` but no `BEGIN`.
    format!("{}{MASK}{}", &text[..body], without_private_keys(&text[end..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn masks_keys_wherever_they_are() {
        let secret = format!("sk-{}", "a1".repeat(20));
        let value = json!({ "text": format!("key = \"{secret}\"!"), "list": [{ secret.clone(): 1 }] });
        let text = redacted(value.clone()).to_string();
        assert!(!text.contains(&secret), "{text}");
        assert_eq!(redacted(value.clone())["text"], "key = \"[secret]\"!");
    }

    #[test]
    fn masks_private_keys() {
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb";
        assert_eq!(redacted_text(text), "a\n-----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY-----\nb");
        assert!(!redacted_text("-----BEGIN PRIVATE KEY-----\nMIIE").contains("MIIE"));
    }

    #[test]
    fn masks_what_is_known_whatever_it_looks_like() {
        let secrets = Secrets::new(["correct horse", "correct horse battery", "short"].map(str::to_owned));
        let value = json!({ "a correct horse": ["short", "a correct horse battery, a correct horse", 5] });
        let masked = json!({ "a [secret]": ["short", "a [secret], a [secret]", 5] });
        assert_eq!(secrets.masked(value), masked);
        assert!(!format!("{secrets:?}").contains("horse"));
    }

    #[test]
    fn what_was_cut_off_in_the_middle_of_a_secret_shows_no_half_of_it() {
        let secrets = Secrets::new(["correct horse battery".to_owned()]);
        assert_eq!(secrets.redacted("said: correct horse ba…"), "said: [secret]…");
        assert_eq!(secrets.redacted("said: correct horse"), "said: [secret]");
        assert_eq!(secrets.redacted("correct horse battery, sk-aaaaaaaaaaaaaaaaaaaa"), "[secret], [secret]");
        for ordinary in ["said: correct", "a correct horse is correct", "", "…"] {
            assert_eq!(secrets.redacted(ordinary), ordinary);
        }
    }

    #[test]
    fn given_credentials_are_masked_whatever_they_are() {
        let none = Secrets::default();
        let check = |text: &str, masked: &str| assert_eq!(none.redacted(text), masked);
        check(
            "GET https://api.example/v1?alt=sse&key=abcdefgh12345678 failed",
            "GET https://api.example/v1?alt=sse&key=[secret] failed",
        );
        check(
            "wrong header: Authorization: Bearer abc/def+123456789==",
            "wrong header: Authorization: Bearer [secret]",
        );
        check(r#"{"x-api-key": "0123456789abcdef"}"#, r#"{"x-api-key": "[secret]"}"#);
        check("?access_token=aaaaaaaaaaaa1&token=bbbbbbbbbbbb2", "?access_token=[secret]&token=[secret]");
        for ordinary in ["the key=value form", "a bearer of news", "a basic understanding", "max_tokens: 4096", "key=é"]
        {
            check(ordinary, ordinary);
        }
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        for text in
            ["sk-learn", "def f(x):\n    return x - 1  # ä", "AKIA", "risk-aversion-of-the-people-concerned", ""]
        {
            assert_eq!(redacted_text(text), text);
        }
    }
}
