//! Bytes of a file to text and back. The text has LF endings and no BOM; the shape remembers the rest.

use std::fmt;

use serde::{Deserialize, Serialize};

mod endings;

pub use endings::MixedEndings;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Why some bytes are not a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// There is a NUL in it.
    #[error("binary: a NUL byte at {at}")]
    Binary {
        /// Offset of the first NUL.
        at: usize,
    },
    /// It is not UTF-8.
    #[error("not UTF-8: invalid at byte {at}")]
    NotUtf8 {
        /// Offset of the first byte that makes no sense.
        at: usize,
    },
}

/// How a line ends in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Line feed.
    #[default]
    Lf,
    /// Carriage return, line feed.
    CrLf,
    /// Carriage return alone.
    Cr,
}

impl Ending {
    pub(crate) fn bytes(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Lf => "LF",
            Self::CrLf => "CRLF",
            Self::Cr => "CR",
        })
    }
}

/// What the text does not say about the file: BOM and line endings. The default is that of a new file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextShape {
    /// The file starts with a UTF-8 byte order mark.
    pub bom: bool,
    /// How most lines end.
    pub dominant: Ending,
    /// Set if lines end in different ways.
    pub mixed: Option<MixedEndings>,
}

impl TextShape {
    /// Returns the shape of the same file with these bytes, and keeps the endings of lines that left it: they come back with the lines.
    ///
    /// # Errors
    /// If the bytes are not a text.
    pub fn after(&self, bytes: &[u8]) -> Result<Self, NotText> {
        let (text, read) = decode(bytes)?;
        Ok(self.continued(&text, read))
    }

    /// The same for a text and a shape that were read already.
    pub fn continued(&self, text: &str, mut read: Self) -> Self {
        if !text.contains('\n') {
            // Nothing in it says how lines end.
            read.dominant = self.dominant;
        }
        let Some(before) = &self.mixed else { return read };
        if before.is_of(text, &read) {
            return Self { mixed: self.mixed.clone(), ..read };
        }
        let dominant = read.dominant;
        let now = read.mixed.unwrap_or_else(|| MixedEndings::uniform(text, dominant));
        Self { bom: read.bom, dominant, mixed: Some(now.following(before)) }
    }
}

/// Returns the text in some bytes, and what it takes to write the same bytes again. How many there may be is for who reads
/// them to say.
pub fn decode(bytes: &[u8]) -> Result<(String, TextShape), NotText> {
    if let Some(at) = memchr::memchr(0, bytes) {
        return Err(NotText::Binary { at });
    }
    let body = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let bom = body.len() < bytes.len();
    let text = std::str::from_utf8(body)
        .map_err(|error| NotText::NotUtf8 { at: error.valid_up_to() + bytes.len() - body.len() })?;
    if memchr::memchr(b'\r', body).is_none() {
        return Ok((text.to_owned(), TextShape { bom, ..TextShape::default() }));
    }
    let (text, endings) = normalised(text);
    Ok(with_endings(text, endings, bom))
}

/// Returns the bytes of a text: lines that stayed or were replaced end as they did, new ones like their neighbour.
pub fn encode(text: &str, shape: &TextShape) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 16 + BOM.len());
    if shape.bom {
        bytes.extend_from_slice(BOM);
    }
    match &shape.mixed {
        Some(mixed) => mixed.encode(text, shape.dominant, &mut bytes),
        None if shape.dominant == Ending::Lf => bytes.extend_from_slice(text.as_bytes()),
        None => bytes.extend_from_slice(text.replace('\n', shape.dominant.bytes()).as_bytes()),
    }
    bytes
}

/// Returns text with line endings as LF, for texts that come from elsewhere than a file.
pub fn to_lf(text: &str) -> String {
    if text.contains('\r') { normalised(text).0 } else { text.to_owned() }
}

fn normalised(text: &str) -> (String, Vec<Ending>) {
    let mut result = String::with_capacity(text.len());
    let mut endings = Vec::new();
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest.as_bytes()) {
        let ending = match &rest.as_bytes()[at..] {
            [b'\r', b'\n', ..] => Ending::CrLf,
            [b'\r', ..] => Ending::Cr,
            _ => Ending::Lf,
        };
        result.push_str(&rest[..at]);
        result.push('\n');
        endings.push(ending);
        rest = &rest[at + ending.bytes().len()..];
    }
    result.push_str(rest);
    (result, endings)
}

fn with_endings(text: String, endings: Vec<Ending>, bom: bool) -> (String, TextShape) {
    let count = |wanted| endings.iter().filter(|ending| **ending == wanted).count();
    let kinds = [Ending::Lf, Ending::Cr, Ending::CrLf];
    let dominant = kinds.into_iter().max_by_key(|kind| count(*kind)).unwrap_or_default();
    let uniform = count(dominant) == endings.len();
    let mixed = (!uniform).then(|| MixedEndings::new(&text, endings));
    (text, TextShape { bom, dominant, mixed })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(bytes: &[u8]) -> (String, TextShape) {
        decode(bytes).unwrap()
    }

    #[test]
    fn text_has_lf_and_no_bom() {
        let (text, shape) = decoded(b"\xEF\xBB\xBFa\r\nb\rc\n\r\n");
        assert_eq!(text, "a\nb\nc\n\n");
        assert!(shape.bom && shape.mixed.is_some());
        assert_eq!(shape.dominant, Ending::CrLf);
    }

    #[test]
    fn refuses_what_is_not_text() {
        assert_eq!(decode(b"a\0b"), Err(NotText::Binary { at: 1 }));
        assert_eq!(decode(b"caf\xe9\n"), Err(NotText::NotUtf8 { at: 3 }));
        assert_eq!(decode(b"\xEF\xBB\xBF\xff"), Err(NotText::NotUtf8 { at: 3 }));
    }

    #[test]
    fn new_lines_of_a_uniform_file_end_like_the_others() {
        let (_, shape) = decoded(b"a\r\nb\r\n");
        assert_eq!(encode("a\nx\nb\n", &shape), b"a\r\nx\r\nb\r\n");
        let (_, shape) = decoded(b"a\rb");
        assert_eq!(encode("a\nx\nb", &shape), b"a\rx\rb");
    }

    #[test]
    fn new_lines_of_a_mixed_file_end_like_their_neighbour() {
        let (_, shape) = decoded(b"a\r\nb\r\nc\nd\ne\n");
        assert_eq!(encode("a\nx\nb\nc\ny\nd\ne\n", &shape), b"a\r\nx\r\nb\r\nc\ny\nd\ne\n");
        assert_eq!(encode("top\na\nb\nc\nd\ne\n", &shape), b"top\r\na\r\nb\r\nc\nd\ne\n");
        assert_eq!(encode("other\n", &shape), b"other\n", "the dominant one where nothing is left");
    }

    #[test]
    fn replaced_line_keeps_its_own_ending() {
        let (_, shape) = decoded(b"a\r\nb\nc\rd\r\n");
        assert_eq!(encode("a\nB\nc\nd\n", &shape), b"a\r\nB\nc\rd\r\n");
        assert_eq!(encode("a\nb\nC\nD\n", &shape), b"a\r\nb\nC\rD\r\n");
        assert_eq!(encode("A\nmore\nb\nc\nd\n", &shape), b"A\r\nmore\r\nb\nc\rd\r\n");
    }

    #[test]
    fn lines_that_come_back_end_as_they_did() {
        for (bytes, changed) in [
            (&b"a\r\nb\nc\r\n"[..], "a\nc\n"),
            (b"a\nb\r\nc\n", "a\nc\n"),
            (b"a\rb\nc\n", "x\nb\nc\n"),
            (b"a\r\n\r\n\nb\n", "a\n\nb\n"),
            (b"a\r\nb\nc\n", "x\nc\n"),
            (b"a\r\nb\nc", "a\nb\nc\nd\n"),
        ] {
            let (text, shape) = decoded(bytes);
            let after = shape.after(&encode(changed, &shape)).unwrap();
            assert_eq!(encode(&text, &after).escape_ascii().to_string(), bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn restored_line_keeps_its_ending_beside_changes() {
        let (_, shape) = decoded(b"a\nb\r\nc\nd\n");
        let gone = shape.after(&encode("a\nc\nd\n", &shape)).unwrap();
        let later = gone.after(&encode("a\nc\nd\ne\n", &gone)).unwrap();
        assert_eq!(encode("a\nb\nc\nd\ne\n", &later), b"a\nb\r\nc\nd\ne\n");
    }

    #[test]
    fn a_missing_final_newline_stays_missing() {
        for bytes in [&b"a\r\nb"[..], b"a\r\nb\nc", b"a", b""] {
            let (text, shape) = decoded(bytes);
            assert_eq!(encode(&text, &shape), bytes);
        }
    }

    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("\r\n"),
            Just("\n"),
            Just("\r"),
            Just("a"),
            Just("b"),
            Just(" "),
            Just("é"),
            Just("👍"),
            Just("\u{feff}")
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #[test]
        fn an_untouched_file_keeps_every_byte(bytes in pieces()) {
            let (text, shape) = decoded(&bytes);
            prop_assert!(!text.contains('\r'));
            prop_assert_eq!(encode(&text, &shape), bytes);
        }

        #[test]
        fn a_written_text_reads_back_the_same(bytes in pieces(), text in "[ab \n]{0,30}") {
            let (_, shape) = decoded(&bytes);
            let (again, _) = decoded(&encode(&text, &shape));
            prop_assert_eq!(again, text);
        }

        #[test]
        fn undone_change_restores_every_byte(bytes in pieces(), changes in proptest::collection::vec("[ab \n]{0,30}", 1..4)) {
            let (text, mut shape) = decoded(&bytes);
            for change in changes {
                shape = shape.after(&encode(&change, &shape)).unwrap();
            }
            prop_assert_eq!(encode(&text, &shape), bytes);
        }

        #[test]
        fn a_shape_survives_json(bytes in pieces()) {
            let (_, shape) = decoded(&bytes);
            let json = serde_json::to_string(&shape).unwrap();
            prop_assert_eq!(serde_json::from_str::<TextShape>(&json).unwrap(), shape);
        }
    }
}
