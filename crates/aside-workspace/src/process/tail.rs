//! All that a command put out, or its beginning and its end where it is more than is kept.

use std::collections::VecDeque;

/// Bytes that are kept of one command: half of them from the beginning, half from the end.
pub const MOST_OUTPUT: usize = 16 << 20;

/// What was put out, bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Captured {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (MOST_OUTPUT / 2).saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        let rest = &bytes[room..];
        let rest = &rest[rest.len().saturating_sub(MOST_OUTPUT / 2)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(MOST_OUTPUT / 2);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// Bytes that were put out.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Bytes that are not kept.
    pub fn left_out(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// What is kept, with a line where something is left out.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if self.left_out() > 0 {
            bytes.extend_from_slice(format!("\n[{} bytes omitted]\n", self.left_out()).as_bytes());
        }
        let (one, two) = self.tail.as_slices();
        bytes.extend_from_slice(one);
        bytes.extend_from_slice(two);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_flood_is_left_out_and_said() {
        let mut captured = Captured::default();
        captured.push(b"begin ");
        for _ in 0..40 {
            captured.push(&vec![b'x'; 1 << 20]);
        }
        captured.push(b" end");
        let bytes = captured.bytes();
        assert!(bytes.len() < MOST_OUTPUT + 100 && bytes.starts_with(b"begin x") && bytes.ends_with(b"x end"));
        assert_eq!(captured.total(), (40 << 20) + 10);
        assert_eq!(captured.left_out(), captured.total() - MOST_OUTPUT as u64);
        let said = format!("\n[{} bytes omitted]\n", captured.left_out());
        assert!(bytes.windows(said.len()).any(|window| window == said.as_bytes()));
    }

    #[test]
    fn little_is_kept_whole() {
        let mut captured = Captured::default();
        captured.push(b"a\xff");
        captured.push(b"b");
        assert_eq!((captured.bytes().as_slice(), captured.left_out()), (&b"a\xffb"[..], 0));
    }
}
