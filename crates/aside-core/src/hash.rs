//! SHA-256 over bytes and over JSON in one canonical spelling.

use std::fmt;

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Digest as _;

/// A SHA-256 digest as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct Sha256(String);

impl Sha256 {
    /// Returns the digest of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        let digest = sha2::Sha256::digest(bytes.as_ref());
        let digits = digest.into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
        Self(digits.map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])).collect())
    }

    /// Returns the digest of a value's canonical JSON.
    pub fn of_json(value: &impl Serialize) -> Self {
        Self::of(canonical_json(value))
    }

    /// Accepts 64 lower-case hexadecimal digits and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(hex)).then(|| Self(text.to_owned()))
    }

    /// The 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 12 digits, for people and models; accepted back wherever a version is.
    pub fn short(&self) -> &str {
        &self.0[..self.0.len().min(12)]
    }

    /// Tells whether `prefix` names this digest: at least 8 digits, and equal as far as it goes.
    pub fn matches(&self, prefix: &str) -> bool {
        prefix.len() >= 8 && self.0.starts_with(prefix)
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Returns JSON with sorted keys and no white space, whatever order the keys came in.
pub fn canonical_json(value: &impl Serialize) -> String {
    canonical_text(&serde_json::to_value(value).expect("wire types serialise to JSON"))
}

/// The same for what is JSON already, which need not be copied for it.
pub fn canonical_text(value: &Value) -> String {
    let mut text = Vec::with_capacity(1024);
    write_canonical(value, &mut text);
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn write_canonical(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push(b'{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_plain(key, out);
                out.push(b':');
                write_canonical(value, out);
            }
            out.push(b'}');
        }
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_canonical(item, out);
            }
            out.push(b']');
        }
        scalar => write_plain(scalar, out),
    }
}

fn write_plain(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_order_does_not_change_the_hash() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"y":2,"x":1}],"a":null}"#).unwrap();
        let two: Value = serde_json::from_str(r#"{"a":null,"b":[1,{"x":1,"y":2}]}"#).unwrap();
        assert_eq!(canonical_json(&one), r#"{"a":null,"b":[1,{"x":1,"y":2}]}"#);
        assert_eq!(Sha256::of_json(&one), Sha256::of_json(&two));
    }

    #[test]
    fn what_is_hashed_stays_as_it_is() {
        let value = serde_json::json!({ "z\n\"ä": [1.5, -2, true, "\u{1}\u{2028}"], "a": { "b": {}, "A": [] } });
        assert_eq!(
            canonical_json(&value),
            "{\"a\":{\"A\":[],\"b\":{}},\"z\\n\\\"ä\":[1.5,-2,true,\"\\u0001\u{2028}\"]}"
        );
        assert_eq!(Sha256::of("").as_str(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn a_short_prefix_names_nothing() {
        let hash = Sha256::of("text");
        assert!(hash.matches(hash.short()));
        assert!(!hash.matches(&hash.as_str()[..7]));
        assert!(!hash.matches(""));
    }
}
