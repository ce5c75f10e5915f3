//! Binary frames: a document's number as lib0's `varUint`, then one message of the `y-protocols`.

use bytes::{BufMut as _, Bytes, BytesMut};

/// Writes the frame of one message.
pub fn encode(number: u32, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    let mut rest = number;
    while rest >= 0x80 {
        frame.put_u8((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    frame.put_u8(rest as u8);
    frame.extend_from_slice(message);
    frame.freeze()
}

/// Reads a frame's number; the rest is the message. None if there is no number of 32 bits.
pub fn decode(frame: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0u64;
    for (index, byte) in frame.iter().take(5).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((u32::try_from(number).ok()?, &frame[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX] {
            let frame = encode(number, b"message");
            assert_eq!(decode(&frame), Some((number, &b"message"[..])), "{number}");
        }
        assert_eq!(&encode(300, b"")[..], [0xac, 0x02], "as lib0 writes it");
    }

    #[test]
    fn half_a_number_is_none() {
        for frame in [&b""[..], &[0x80], &[0xff; 5], &[0xff, 0xff, 0xff, 0xff, 0x7f]] {
            assert_eq!(decode(frame), None, "{frame:?}");
        }
    }
}
