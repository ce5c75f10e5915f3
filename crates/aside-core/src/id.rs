//! Identifiers: a short prefix, then 26 characters that sort by creation time.
//!
//! The layout is that of a ULID (48 bits of milliseconds, 80 random bits, Crockford base 32)
//! in lower case, so that ids read well in URLs and on a command line.

use std::{fmt, str::FromStr};

use crate::TS;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Timestamp;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Which bytes are in the alphabet: logs are full of ids, and each is looked at when one is read.
const IS_DIGIT: [bool; 256] = {
    let mut is_digit = [false; 256];
    let mut at = 0;
    while at < ALPHABET.len() {
        is_digit[ALPHABET[at] as usize] = true;
        at += 1;
    }
    is_digit
};

/// Says why a text is not an identifier of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an id of this kind: expected `{prefix}_` and 26 characters")]
pub struct InvalidId {
    /// What was given.
    pub text: String,
    /// The prefix the kind has.
    pub prefix: &'static str,
}

/// What the kinds of id share, so that one source can make them all.
pub trait Id: Sized {
    /// The letters before the underscore.
    const PREFIX: &'static str;

    /// Builds the id from a time and 80 random bits (the upper 48 bits of `random` are ignored).
    fn from_parts(at: Timestamp, random: u128) -> Self;
}

fn encode(prefix: &str, at: Timestamp, random: u128) -> String {
    let milliseconds = u128::from(at.0.max(0).unsigned_abs() & 0xffff_ffff_ffff);
    let bits = (milliseconds << 80) | (random & ((1 << 80) - 1));
    let digits = (0..26).rev().map(|place| {
        let digit = (bits >> (place * 5)) & 31;
        char::from(ALPHABET[usize::try_from(digit).expect("five bits fit")])
    });
    format!("{prefix}_{}", digits.collect::<String>())
}

fn valid(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
        .is_some_and(|rest| rest.len() == 26 && rest.bytes().all(|byte| IS_DIGIT[usize::from(byte)]))
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
        #[serde(transparent)]
        #[ts(type = "string")]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Id for $name {
            const PREFIX: &'static str = $prefix;

            fn from_parts(at: Timestamp, random: u128) -> Self {
                Self(encode($prefix, at, random))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if valid($prefix, text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidId { text: text.chars().take(60).collect(), prefix: $prefix })
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// One action, from its submission through its outcome to its undo.
    ActionId, "act"
);
id!(
    /// One conversation.
    ThreadId, "thr"
);
id!(
    /// One message to the end of its answer.
    TurnId, "trn"
);
id!(
    /// One goal, across turns and hand-offs.
    TaskId, "tsk"
);
id!(
    /// One grant that is stored, from its creation to its end.
    GrantId, "grt"
);
id!(
    /// One point-in-time copy of what a command changed in a workspace.
    SnapshotId, "snp"
);
id!(
    /// One text of a document that is kept after something else took its place.
    KeptVersionId, "ver"
);
id!(
    /// One life of a live document: a CRDT history that shares nothing with another epoch's.
    EpochId, "epo"
);
id!(
    /// One person who comes to a workspace: who it belongs to, or a guest.
    PersonId, "psn"
);
id!(
    /// One signed-in browser.
    DeviceId, "dev"
);
id!(
    /// What people say to each other beside one document.
    ChatId, "cht"
);
id!(
    /// One thing that a person said in a chat.
    MessageId, "msg"
);
id!(
    /// One run of one cell of a notebook.
    ExecutionId, "exe"
);
id!(
    /// One terminal, from its opening until it is closed.
    TerminalId, "trm"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let early = ActionId::from_parts(Timestamp(1), u128::MAX);
        let late = ActionId::from_parts(Timestamp(2), 0);
        assert!(early < late);
        assert_eq!(early.as_str().len(), 30);
    }

    #[test]
    fn parses_only_its_own_kind() {
        let id = ThreadId::from_parts(Timestamp(1_700_000_000_000), 7);
        assert_eq!(id.as_str().parse::<ThreadId>().as_ref(), Ok(&id));
        assert!(id.as_str().parse::<ActionId>().is_err());
        assert!("thr_short".parse::<ThreadId>().is_err());
        assert!(serde_json::from_str::<ThreadId>("\"thr_../../../../../../../etc/pa\"").is_err());
    }
}
