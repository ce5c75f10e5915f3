//! The messages of the `y-protocols`, one per frame.

use yrs::encoding::{
    read::{Cursor, Read as _},
    write::Write as _,
};

use super::SyncError;

const SYNC: u8 = 0;
const AWARENESS: u8 = 1;
const AUTH: u8 = 2;
const QUERY_AWARENESS: u8 = 3;

const STEP_1: u8 = 0;
const STEP_2: u8 = 1;
const UPDATE: u8 = 2;

/// One decoded message; the bytes inside are still encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// A state vector: "send me what I don't have".
    Step1(Vec<u8>),
    /// The answer to a step 1, an update.
    Step2(Vec<u8>),
    /// A change.
    Update(Vec<u8>),
    /// States of some clients.
    Awareness(Vec<u8>),
    /// "Send me the states of all clients".
    QueryAwareness,
    /// A refusal, with the reason.
    Denied(String),
}

impl Message {
    /// Reads the one message of a frame.
    pub(crate) fn decode(frame: &[u8]) -> Result<Self, SyncError> {
        let mut cursor = Cursor::new(frame);
        let message = read(&mut cursor).map_err(|error| SyncError::Malformed(error.to_string()))?;
        if cursor.has_content() {
            return Err(SyncError::Malformed("bytes after the message".to_owned()));
        }
        message
    }

    /// Writes the message as a frame.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut frame = Vec::new();
        let (tags, body): (&[u8], &[u8]) = match self {
            Self::Step1(vector) => (&[SYNC, STEP_1], vector),
            Self::Step2(update) => (&[SYNC, STEP_2], update),
            Self::Update(update) => (&[SYNC, UPDATE], update),
            Self::Awareness(states) => (&[AWARENESS], states),
            Self::Denied(reason) => (&[AUTH, 0], reason.as_bytes()),
            Self::QueryAwareness => return vec![QUERY_AWARENESS],
        };
        frame.extend_from_slice(tags);
        frame.write_buf(body);
        frame
    }
}

type Read = Result<Result<Message, SyncError>, yrs::encoding::read::Error>;

fn read(cursor: &mut Cursor) -> Read {
    let tag = cursor.read_var()?;
    let message = match tag {
        SYNC => return read_sync(cursor),
        AWARENESS => Message::Awareness(cursor.read_buf()?.to_vec()),
        QUERY_AWARENESS => Message::QueryAwareness,
        AUTH => {
            let _kind: u8 = cursor.read_var()?;
            Message::Denied(cursor.read_string()?.to_owned())
        }
        other => return Ok(Err(SyncError::Malformed(format!("unknown message {other}")))),
    };
    Ok(Ok(message))
}

fn read_sync(cursor: &mut Cursor) -> Read {
    let tag = cursor.read_var()?;
    let body = cursor.read_buf()?.to_vec();
    Ok(match tag {
        STEP_1 => Ok(Message::Step1(body)),
        STEP_2 => Ok(Message::Step2(body)),
        UPDATE => Ok(Message::Update(body)),
        other => Err(SyncError::Malformed(format!("unknown sync message {other}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_a_round_trip() {
        let messages = [
            Message::Step1(vec![0]),
            Message::Step2(vec![0, 0]),
            Message::Update(vec![7; 200]),
            Message::Awareness(vec![0]),
            Message::QueryAwareness,
            Message::Denied("read only".to_owned()),
        ];
        for message in messages {
            assert_eq!(Message::decode(&message.encode()).unwrap(), message);
        }
    }

    #[test]
    fn a_frame_holds_exactly_one_message() {
        let mut two = Message::QueryAwareness.encode();
        two.extend(Message::QueryAwareness.encode());
        for bad in [&b""[..], &two, &[0, 0, 9, 1], &[0, 7, 0], &[99]] {
            assert!(Message::decode(bad).is_err(), "{bad:?}");
        }
    }
}
