//! How the relay and the server speak: pieces, each with its length before it. Numbers are little-endian.
//!
//! ```text
//! piece    length u32, then as many bytes
//! to the server, and in the log: number u64, then frames, each with its length u32; the first piece has no frames and the
//!          number up to which everything was kept before
//! to the relay: 0, number u64 (everything up to it is kept), or a channel's letter, then frames
//! ```

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

use crate::connection::Channel;

/// What the relay is told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Everything up to this number is kept.
    Kept(u64),
    /// Send this to the kernel.
    Send(Channel, Vec<Bytes>),
}

const KEPT: u8 = 0;
const CHANNELS: [(u8, Channel); 3] = [(b's', Channel::Shell), (b'c', Channel::Control), (b'i', Channel::Input)];

/// A message of the kernel, with its number.
pub(crate) fn message(number: u64, frames: &[Bytes]) -> Bytes {
    piece(8, frames, |piece| piece.put_u64_le(number))
}

/// Reads what [`message`] wrote, without its length.
pub(crate) fn read_message(mut piece: Bytes) -> Option<(u64, Vec<Bytes>)> {
    Some((piece.try_get_u64_le().ok()?, frames(piece)?))
}

impl Order {
    pub fn write(&self) -> Bytes {
        match self {
            Self::Kept(number) => piece(9, &[], |piece| {
                piece.put_u8(KEPT);
                piece.put_u64_le(*number);
            }),
            Self::Send(channel, frames) => {
                let known = CHANNELS.iter().find(|(_, known)| known == channel);
                let letter = known.map_or(b's', |(letter, _)| *letter);
                piece(1, frames, |piece| piece.put_u8(letter))
            }
        }
    }

    /// Reads what [`Order::write`] wrote, without its length.
    pub fn read(mut piece: Bytes) -> Option<Self> {
        let letter = piece.try_get_u8().ok()?;
        if letter == KEPT {
            return piece.try_get_u64_le().ok().map(Self::Kept);
        }
        let (_, channel) = CHANNELS.iter().find(|(known, _)| *known == letter)?;
        Some(Self::Send(*channel, frames(piece)?))
    }
}

/// Takes a whole piece from the front, if there is one.
pub(crate) fn next_piece(buffer: &mut BytesMut) -> Option<Bytes> {
    let length = usize::try_from(u32::from_le_bytes(*buffer.first_chunk()?)).ok()?;
    if buffer.len() - 4 < length {
        buffer.reserve(length + 4 - buffer.len());
        return None;
    }
    buffer.advance(4);
    Some(buffer.split_to(length).freeze())
}

fn piece(head: usize, frames: &[Bytes], write_head: impl FnOnce(&mut BytesMut)) -> Bytes {
    let length = head + frames.iter().map(|frame| 4 + frame.len()).sum::<usize>();
    let mut piece = BytesMut::with_capacity(4 + length);
    piece.put_u32_le(short(length));
    write_head(&mut piece);
    for frame in frames {
        piece.put_u32_le(short(frame.len()));
        piece.put_slice(frame);
    }
    piece.freeze()
}

fn short(length: usize) -> u32 {
    u32::try_from(length).expect("a message has less than 4 GiB")
}

fn frames(mut rest: Bytes) -> Option<Vec<Bytes>> {
    let mut frames = Vec::new();
    while !rest.is_empty() {
        let length = usize::try_from(rest.try_get_u32_le().ok()?).ok()?;
        if rest.len() < length {
            return None;
        }
        frames.push(rest.split_to(length));
    }
    Some(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_however_it_is_cut() {
        let frames = vec![Bytes::from_static(b"a"), Bytes::new(), Bytes::from_static(b"bcd")];
        let whole = [message(7, &frames), message(8, &[])].concat();
        let mut buffer = BytesMut::new();
        let mut read = Vec::new();
        for byte in whole {
            buffer.put_u8(byte);
            read.extend(next_piece(&mut buffer).and_then(read_message));
        }
        assert_eq!(read, [(7, frames.clone()), (8, Vec::new())]);
        for order in [Order::Kept(3), Order::Send(Channel::Control, frames)] {
            let mut buffer = BytesMut::from(&order.write()[..]);
            assert_eq!(Order::read(next_piece(&mut buffer).unwrap()).unwrap(), order);
        }
    }

    #[test]
    fn nonsense_is_nothing() {
        for bytes in [&b"z"[..], b"", b"s\x09\0\0\0a", b"\0\x01"] {
            assert_eq!(Order::read(Bytes::from_static(bytes)), None);
        }
        assert_eq!(read_message(Bytes::from_static(b"1234567")), None);
    }
}
