//! One change of the store: how it is carried out on the database, and its bytes in the journal.
//!
//! ```text
//! writes: (tag: u8, field...)*     field: length: u32 LE, bytes     a time is a field of 8 bytes, LE
//! ```

use std::sync::Arc;

use aside_core::{Sha256, Timestamp, canonical_text};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;

use crate::{StoreError, blobs, bytes, chain, log, records, transaction::json};

/// Writes that belong together and need no look at what is there. They cost no more than a line in the journal;
/// see [`Store::write`](crate::Store::write).
#[derive(Clone, Debug, Default)]
pub struct Batch(pub(crate) Vec<Write>);

impl Batch {
    /// Writes a record, in place of the one with this kind and id.
    pub fn put(&mut self, kind: &str, id: &str, owner: Option<&str>, value: &impl Serialize) -> Result<(), StoreError> {
        let (kind, id, owner) = (kind.to_owned(), id.to_owned(), owner.map(str::to_owned));
        self.0.push(Write::Put { kind, id, owner, body: json(value)? });
        Ok(())
    }

    /// Deletes a record, if there is one.
    pub fn delete(&mut self, kind: &str, id: &str) {
        self.0.push(Write::Delete { kind: kind.to_owned(), id: id.to_owned() });
    }

    /// Deletes a binary log.
    pub fn delete_bytes(&mut self, stream: &str) {
        self.0.push(Write::DeleteBytes { stream: stream.to_owned() });
    }

    /// Appends an entry to a stream, at this time.
    pub fn append(&mut self, stream: &str, at: Timestamp, body: &impl Serialize) -> Result<(), StoreError> {
        self.0.push(Write::Append { stream: stream.into(), at, body: json(body)?.into() });
        Ok(())
    }

    /// Appends an entry to the chain, as canonical JSON.
    pub fn chain_append(&mut self, body: &Value) {
        self.0.push(Write::Chain { body: canonical_text(body) });
    }

    pub(crate) fn writes(&self) -> &[Write] {
        &self.0
    }

    pub(crate) fn into_writes(self) -> Vec<Write> {
        self.0
    }
}

impl<const COUNT: usize> From<[Write; COUNT]> for Batch {
    fn from(writes: [Write; COUNT]) -> Self {
        Self(writes.into())
    }
}

/// What is changed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    Put { kind: String, id: String, owner: Option<String>, body: String },
    Delete { kind: String, id: String },
    Append { stream: Arc<str>, at: Timestamp, body: Arc<str> },
    Chain { body: String },
    AppendBytes { stream: String, piece: Vec<u8> },
    DeleteBytes { stream: String },
    SmallBlob { hash: Sha256, bytes: Vec<u8> },
}

const PUT: u8 = 1;
const PUT_OWNED: u8 = 2;
const DELETE: u8 = 3;
const APPEND: u8 = 4;
const CHAIN: u8 = 5;
const APPEND_BYTES: u8 = 6;
const DELETE_BYTES: u8 = 7;
const SMALL_BLOB: u8 = 8;

impl Write {
    /// Carries it out on the database.
    pub(crate) fn apply(&self, connection: &Connection) -> Result<(), StoreError> {
        match self {
            Self::Put { kind, id, owner, body } => records::put(connection, kind, id, owner.as_deref(), body),
            Self::Delete { kind, id } => records::delete(connection, kind, id).map(drop),
            Self::Append { stream, at, body } => log::append(connection, stream, *at, body).map(drop),
            Self::Chain { body } => chain::append(connection, body.clone()).map(drop),
            Self::AppendBytes { stream, piece } => bytes::append(connection, stream, piece),
            Self::DeleteBytes { stream } => bytes::delete(connection, stream),
            Self::SmallBlob { hash, bytes } => blobs::put_small(connection, hash, bytes),
        }
    }

    fn encode(&self, into: &mut Vec<u8>) {
        let mut all = |tag: u8, fields: &[&[u8]]| {
            into.push(tag);
            for field in fields {
                // A record that long is never written: it would not fit into the journal.
                into.extend(u32::try_from(field.len()).unwrap_or(u32::MAX).to_le_bytes());
                into.extend(*field);
            }
        };
        match self {
            Self::Put { kind, id, owner: None, body } => all(PUT, &[kind.as_bytes(), id.as_bytes(), body.as_bytes()]),
            Self::Put { kind, id, owner: Some(owner), body } => {
                all(PUT_OWNED, &[kind.as_bytes(), id.as_bytes(), owner.as_bytes(), body.as_bytes()]);
            }
            Self::Delete { kind, id } => all(DELETE, &[kind.as_bytes(), id.as_bytes()]),
            Self::Append { stream, at, body } => {
                all(APPEND, &[stream.as_bytes(), &at.0.to_le_bytes(), body.as_bytes()]);
            }
            Self::Chain { body } => all(CHAIN, &[body.as_bytes()]),
            Self::AppendBytes { stream, piece } => all(APPEND_BYTES, &[stream.as_bytes(), piece]),
            Self::DeleteBytes { stream } => all(DELETE_BYTES, &[stream.as_bytes()]),
            Self::SmallBlob { hash, bytes } => all(SMALL_BLOB, &[hash.as_str().as_bytes(), bytes]),
        }
    }
}

pub(crate) fn encode(writes: &[Write]) -> Vec<u8> {
    let mut bytes = Vec::new();
    writes.iter().for_each(|write| write.encode(&mut bytes));
    bytes
}

/// Reads what [`encode`] wrote; none if it is anything else.
pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<Write>> {
    let (mut fields, mut writes) = (Fields(bytes), Vec::new());
    while let Some((&tag, rest)) = fields.0.split_first() {
        fields.0 = rest;
        writes.push(fields.write(tag)?);
    }
    Some(writes)
}

/// What is still to be read.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn write(&mut self, tag: u8) -> Option<Write> {
        Some(match tag {
            PUT => Write::Put { kind: self.text()?, id: self.text()?, owner: None, body: self.text()? },
            PUT_OWNED => {
                Write::Put { kind: self.text()?, id: self.text()?, owner: Some(self.text()?), body: self.text()? }
            }
            DELETE => Write::Delete { kind: self.text()?, id: self.text()? },
            APPEND => Write::Append { stream: self.text()?.into(), at: self.time()?, body: self.text()?.into() },
            CHAIN => Write::Chain { body: self.text()? },
            APPEND_BYTES => Write::AppendBytes { stream: self.text()?, piece: self.field()?.to_vec() },
            DELETE_BYTES => Write::DeleteBytes { stream: self.text()? },
            SMALL_BLOB => Write::SmallBlob { hash: Sha256::parse(&self.text()?)?, bytes: self.field()?.to_vec() },
            _ => return None,
        })
    }

    fn field(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let (field, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        self.0 = rest;
        Some(field)
    }

    fn text(&mut self) -> Option<String> {
        Some(std::str::from_utf8(self.field()?).ok()?.to_owned())
    }

    fn time(&mut self) -> Option<Timestamp> {
        Some(Timestamp(i64::from_le_bytes(self.field()?.try_into().ok()?)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn any_write() -> impl Strategy<Value = Write> {
        let (name, text) = (|| "[a-c]", || "\\PC{0,20}");
        prop_oneof![
            (name(), name(), prop::option::of(name()), text()).prop_map(|(kind, id, owner, body)| Write::Put {
                kind,
                id,
                owner,
                body
            }),
            (name(), name()).prop_map(|(kind, id)| Write::Delete { kind, id }),
            (name(), any::<i64>(), text()).prop_map(|(stream, at, body)| Write::Append {
                stream: stream.into(),
                at: Timestamp(at),
                body: body.into()
            }),
            text().prop_map(|body| Write::Chain { body }),
            (name(), prop::collection::vec(any::<u8>(), 0..20))
                .prop_map(|(stream, piece)| Write::AppendBytes { stream, piece }),
            name().prop_map(|stream| Write::DeleteBytes { stream }),
            prop::collection::vec(any::<u8>(), 0..20)
                .prop_map(|bytes| Write::SmallBlob { hash: Sha256::of(&bytes), bytes }),
        ]
    }

    proptest! {
        #[test]
        fn reads_what_it_wrote_and_nothing_of_what_was_cut(writes in prop::collection::vec(any_write(), 0..6), cut in 1_usize..10) {
            let bytes = encode(&writes);
            prop_assert_eq!(decode(&bytes), Some(writes.clone()));
            let left = decode(&bytes[..bytes.len().saturating_sub(cut)]);
            prop_assert!(left.is_none_or(|left| writes.starts_with(&left) && (left.len() < writes.len() || writes.is_empty())));
        }

        #[test]
        fn any_bytes_are_read_or_not_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes);
        }
    }
}
