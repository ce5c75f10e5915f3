//! Messages as they travel: frames, signed.
//!
//! `identities…, <IDS|MSG>, signature, header, parent header, metadata, content, buffers…`, the signature being that of
//! the four parts after it as they were sent. Source: "The wire protocol" in the documentation of jupyter_client.

mod repair;

use bytes::Bytes;
use ring::hmac;
use serde::Deserialize;
use serde_json::json;

pub(crate) use repair::repaired;

const DELIMITER: &[u8] = b"<IDS|MSG>";

/// The key of a kernel's messages; none if it signs nothing.
#[derive(Clone, Debug)]
pub(crate) struct Key(Option<hmac::Key>);

/// One message that came.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Such as `stream`.
    pub kind: String,
    /// The id of the request that it answers.
    pub parent: Option<String>,
    /// JSON.
    pub metadata: String,
    /// JSON.
    pub content: String,
    pub buffers: Vec<Bytes>,
}

#[derive(Deserialize)]
struct Header {
    #[serde(default)]
    msg_type: String,
}

#[derive(Deserialize)]
struct ParentHeader {
    #[serde(default)]
    msg_id: Option<String>,
}

impl Key {
    pub fn new(key: &str) -> Self {
        Self((!key.is_empty()).then(|| hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes())))
    }

    /// Writes a message with an id that its answers will name.
    pub fn write(&self, id: &str, session: &str, date: &str, kind: &str, content: &str) -> Vec<Bytes> {
        self.write_with(id, session, date, kind, "{}", content)
    }

    /// The same with metadata.
    pub fn write_with(
        &self,
        id: &str,
        session: &str,
        date: &str,
        kind: &str,
        metadata: &str,
        content: &str,
    ) -> Vec<Bytes> {
        let header = json!({
            "msg_id": id, "session": session, "username": "aside", "date": date, "msg_type": kind, "version": "5.3",
        });
        let parts = [header.to_string(), "{}".to_owned(), metadata.to_owned(), content.to_owned()];
        let parts = parts.map(Bytes::from);
        let mut frames = vec![Bytes::from_static(DELIMITER), Bytes::from(self.signature(&parts))];
        frames.extend(parts);
        frames
    }

    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it, as a part of a sentence.
    pub fn read(&self, frames: &[Bytes]) -> Result<Message, String> {
        let at = frames.iter().position(|frame| frame == DELIMITER).ok_or("a message has no delimiter")?;
        let [signature, parts @ ..] = &frames[at + 1..] else { return Err("a message has no signature".into()) };
        let Some((parts, buffers)) = parts.split_at_checked(4) else { return Err("a message is too short".into()) };
        self.check(signature, parts)?;
        let header: Header = read(&parts[0]).ok_or("a message's header can't be read")?;
        let parent: Option<ParentHeader> = read(&parts[1]);
        Ok(Message {
            kind: header.msg_type,
            parent: parent.and_then(|parent| parent.msg_id).filter(|id| !id.is_empty()),
            metadata: repaired(&parts[2]),
            content: repaired(&parts[3]),
            buffers: buffers.to_vec(),
        })
    }

    fn signature(&self, parts: &[Bytes]) -> String {
        let Some(key) = &self.0 else { return String::new() };
        let mut context = hmac::Context::with_key(key);
        parts.iter().for_each(|part| context.update(part));
        context.sign().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn check(&self, signature: &[u8], parts: &[Bytes]) -> Result<(), String> {
        let Some(key) = &self.0 else { return Ok(()) };
        let wrong = || "its messages are not signed with the key that it was given".to_owned();
        let signature = from_hex(signature).ok_or_else(wrong)?;
        hmac::verify(key, &parts.concat(), &signature).map_err(|_| wrong())
    }
}

fn read<T: for<'a> Deserialize<'a>>(part: &[u8]) -> Option<T> {
    serde_json::from_str(&repaired(part)).ok()
}

fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    text.chunks(2).map(|pair| Some(digit(pair.first()?)? << 4 | digit(pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(key: &Key) -> Vec<Bytes> {
        key.write("m1", "s", "2026-01-01T00:00:00.000Z", "stream", r#"{"text":"\ud83d a"}"#)
    }

    #[test]
    fn what_is_written_is_read() {
        let key = Key::new("secret");
        let mut frames = written(&key);
        frames.insert(0, Bytes::from_static(b"an identity"));
        frames.push(Bytes::from_static(b"a buffer"));
        let message = key.read(&frames).unwrap();
        assert_eq!((message.kind.as_str(), message.parent, message.buffers.len()), ("stream", None, 1));
        assert_eq!(message.content, r#"{"text":"\ufffd a"}"#);
        assert!(Key::new("").read(&written(&Key::new(""))).is_ok());
        let frames = key.write_with("m1", "s", "2026-01-01T00:00:00.000Z", "comm_open", r#"{"version":"1.0.0"}"#, "{}");
        assert_eq!(key.read(&frames).unwrap().metadata, r#"{"version":"1.0.0"}"#);
    }

    #[test]
    fn what_was_changed_or_signed_by_others_is_refused() {
        let key = Key::new("secret");
        for frame in 1..6 {
            let mut frames = written(&key);
            frames[frame] = Bytes::from_static(b"{\"a\": 1}");
            assert!(key.read(&frames).unwrap_err().contains("signed"), "{frame}");
        }
        assert!(Key::new("another").read(&written(&key)).is_err());
        for length in 0..6 {
            assert!(key.read(&written(&key)[..length]).is_err(), "{length}");
        }
    }

    /// From another implementation: `hmac.new(b"secret", b"{}{}{}{}", "sha256")` in Python.
    #[test]
    fn signatures_are_those_of_the_protocol() {
        let parts = [(); 4].map(|()| Bytes::from_static(b"{}"));
        let signature = Key::new("secret").signature(&parts);
        assert_eq!(signature, SIGNED_BY_PYTHON);
    }

    const SIGNED_BY_PYTHON: &str = "34982f0bfec60e7b933ffde06c1ecab0fba073717a95ab943d1dd06f82c2d5e4";
}
