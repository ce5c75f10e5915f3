//! Bytes to lines, however the bytes were cut.

use memchr::memchr2;

/// A line that does not end within the limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Collects lines ended by LF, CRLF or CR. Keeps at most one unfinished line of at most `limit` bytes.
pub(super) struct Lines {
    unfinished: Vec<u8>,
    after_cr: bool,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { unfinished: Vec::new(), after_cr: false, limit }
    }

    /// Takes some bytes and hands over the lines that they complete.
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&str) -> Result<(), TooLong>,
    ) -> Result<(), TooLong> {
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && *first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else { return self.keep(bytes) };
            self.after_cr = bytes[end] == b'\r';
            if self.unfinished.is_empty() && end <= self.limit {
                take(&String::from_utf8_lossy(&bytes[..end]))?;
            } else {
                self.keep(&bytes[..end])?;
                take(&self.finish())?;
            }
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    /// Returns what came after the last line's end.
    pub(super) fn rest(&mut self) -> Option<String> {
        (!self.unfinished.is_empty()).then(|| self.finish())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.unfinished.len() + bytes.len() > self.limit {
            return Err(TooLong);
        }
        self.unfinished.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(&mut self) -> String {
        let line = String::from_utf8_lossy(&self.unfinished).into_owned();
        self.unfinished.clear();
        line
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn push(lines: &mut Lines, bytes: &[u8]) -> Result<Vec<String>, TooLong> {
        let mut found = Vec::new();
        lines.push(bytes, |line| {
            found.push(line.to_owned());
            Ok(())
        })?;
        Ok(found)
    }

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::new(100);
        let mut found: Vec<_> = pieces.iter().flat_map(|piece| push(&mut lines, piece).unwrap()).collect();
        found.extend(lines.rest());
        found
    }

    #[test]
    fn accepts_every_line_ending() {
        assert_eq!(all(&[b"a\nb\r\nc\rd\r", b"\n\ne"]), ["a", "b", "c", "d", "", "e"]);
    }

    #[test]
    fn refuses_a_line_without_end_and_one_that_is_too_long() {
        let mut lines = Lines::new(4);
        assert_eq!(push(&mut lines, b"abcd").unwrap(), Vec::<String>::new());
        assert_eq!(push(&mut lines, b"e"), Err(TooLong));
        assert_eq!(push(&mut Lines::new(4), b"abcde\n"), Err(TooLong));
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(text in "[aé\r\n]{0,40}", cut in 0usize..60) {
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            prop_assert_eq!(all(&[bytes]), all(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}
