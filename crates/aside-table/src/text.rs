//! A file as text: its encoding, and its bytes in units of that encoding.

use std::{borrow::Cow, io};

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::source::TableSource;

/// The bytes at the beginning that tell the encoding of a file without a byte order mark.
const SAMPLE: usize = 4096;

/// The encoding of a file. Fields of a file of bytes are UTF-8, and those that are not are Windows-1252.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// One byte a unit.
    Bytes,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
}

/// A file and its encoding. Places in it are counted in units: bytes, or pairs of them in UTF-16.
#[derive(Debug)]
pub(crate) struct Text {
    pub source: TableSource,
    pub encoding: Encoding,
    /// The unit after the byte order mark.
    pub start: u64,
}

impl Text {
    /// Looks at the first bytes.
    pub fn open(source: TableSource) -> io::Result<Self> {
        let mut head = vec![0; SAMPLE];
        let count = source.read_at(0, &mut head)?;
        let (encoding, start) = match &head[..count] {
            [0xff, 0xfe, ..] => (Encoding::Utf16Le, 1),
            [0xfe, 0xff, ..] => (Encoding::Utf16Be, 1),
            [0xef, 0xbb, 0xbf, ..] => (Encoding::Bytes, 3),
            head => (unmarked(head), 0),
        };
        Ok(Self { source, encoding, start })
    }

    /// Tells whether the first bytes are those of a text.
    pub fn is_text(&self) -> io::Result<bool> {
        let mut head = vec![0; SAMPLE];
        let count = self.source.read_at(0, &mut head)?;
        Ok(self.encoding != Encoding::Bytes || memchr::memchr(0, &head[..count]).is_none())
    }

    /// Bytes of a unit.
    pub fn width(&self) -> usize {
        if self.encoding == Encoding::Bytes { 1 } else { 2 }
    }

    /// Appends up to `most` units after `at`; fewer at the end.
    pub fn read(&self, at: u64, most: usize, raw: &mut Vec<u8>) -> io::Result<usize> {
        let (old, width) = (raw.len(), self.width());
        raw.resize(old + most * width, 0);
        let count = self.source.read_at(at * width as u64, &mut raw[old..])? / width;
        raw.truncate(old + count * width);
        Ok(count)
    }

    /// Appends one byte for each unit: itself if it is ASCII, a byte that is no delimiter otherwise.
    pub fn flatten(&self, raw: &[u8], flat: &mut Vec<u8>) {
        let low = usize::from(self.encoding == Encoding::Utf16Be);
        flat.extend(raw.chunks_exact(2).map(|pair| if pair[1 - low] == 0 { pair[low] } else { 0x80 }));
    }

    /// The bytes of a row as UTF-8, or as they are in a file of bytes.
    pub fn decode<'a>(&self, raw: &'a [u8]) -> Cow<'a, [u8]> {
        let decoder = match self.encoding {
            Encoding::Bytes => return Cow::Borrowed(raw),
            Encoding::Utf16Le => UTF_16LE,
            Encoding::Utf16Be => UTF_16BE,
        };
        let (text, _) = decoder.decode_without_bom_handling(raw);
        Cow::Owned(text.into_owned().into_bytes())
    }
}

/// Text in UTF-16 without a mark has a zero in most pairs, always on the same side.
fn unmarked(head: &[u8]) -> Encoding {
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1)) {
        (0, low) if low > head.len() / 4 => Encoding::Utf16Le,
        (high, 0) if high > head.len() / 4 => Encoding::Utf16Be,
        _ => Encoding::Bytes,
    }
}

/// The text of bytes: UTF-8, or else Windows-1252.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(bytes: &[u8]) -> (Encoding, u64) {
        let text = Text::open(TableSource::Bytes(bytes.into())).unwrap();
        (text.encoding, text.start)
    }

    #[test]
    fn encoding_is_detected() {
        assert_eq!(encoding(b"a,b\n"), (Encoding::Bytes, 0));
        assert_eq!(encoding(b"\xef\xbb\xbfa,b\n"), (Encoding::Bytes, 3));
        assert_eq!(encoding(b"\xff\xfea\0,\0"), (Encoding::Utf16Le, 1));
        assert_eq!(encoding(b"\xfe\xff\0a\0,"), (Encoding::Utf16Be, 1));
        assert_eq!(encoding(b"a\0,\0b\0\n\0"), (Encoding::Utf16Le, 0));
        assert_eq!(encoding(b"\0a\0,\0b\0\n"), (Encoding::Utf16Be, 0));
        assert_eq!(encoding(b""), (Encoding::Bytes, 0));
    }

    #[test]
    fn odd_bytes_are_windows_1252() {
        assert_eq!(text_of("Köln".as_bytes()), "Köln");
        assert_eq!(text_of(b"K\xf6ln \x80"), "Köln €");
    }
}
