//! The header of a page: a struct of Thrift's compact protocol, of which only some fields count.

use parquet::basic::Encoding;

/// Bytes of a header, with the statistics that some writers put into it.
pub(super) const MOST_OF_HEADER: usize = 64 << 10;
/// Structs within structs.
const DEEPEST: usize = 8;

/// The header of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PageHeader {
    pub kind: i64,
    pub unpacked: i64,
    pub packed: i64,
    pub values: i64,
    pub encoding: i64,
    pub def_encoding: i64,
    pub rep_encoding: i64,
    pub v2: Option<PageLevels>,
}

/// Facts that only headers of the second version have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PageLevels {
    pub nulls: i64,
    pub rows: i64,
    pub def_bytes: i64,
    pub rep_bytes: i64,
    pub is_packed: bool,
}

pub(super) const DATA: i64 = 0;
pub(super) const DICTIONARY: i64 = 2;
pub(super) const DATA_V2: i64 = 3;

/// A field of a struct.
enum Value {
    Number(i64),
    Bool(bool),
    Other,
}

/// Reads a header and says how many bytes it has; none if it can't be read.
pub(super) fn read(bytes: &[u8]) -> Option<(PageHeader, usize)> {
    let mut input = Input { bytes, at: 0 };
    let mut header = PageHeader::default();
    let mut last = 0;
    while let Some((field, kind)) = input.field(&mut last)? {
        match (field, kind) {
            (5 | 7 | 8, STRUCT) => input.page(field, &mut header)?,
            (field, kind) => {
                let Value::Number(number) = input.value(kind, 0)? else { continue };
                match field {
                    1 => header.kind = number,
                    2 => header.unpacked = number,
                    3 => header.packed = number,
                    _ => {}
                }
            }
        }
    }
    Some((header, input.at))
}

/// The encoding of a number in the file.
pub(super) fn encoding(number: i64) -> Option<Encoding> {
    Some(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// The number and kind of the next field; none inside at the end of the struct.
    #[expect(clippy::option_option, reason = "a struct can end well or be torn")]
    fn field(&mut self, last: &mut i64) -> Option<Option<(i64, u8)>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        let step = i64::from(head >> 4);
        *last = if step == 0 { self.zigzag()? } else { last.checked_add(step)? };
        Some(Some((*last, head & 0x0f)))
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        match kind {
            TRUE => return Some(Value::Bool(true)),
            FALSE => return Some(Value::Bool(false)),
            BYTE => self.skip(1)?,
            4..=6 => return self.zigzag().map(Value::Number),
            DOUBLE => self.skip(8)?,
            BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.skip(length)?;
            }
            STRUCT if depth < DEEPEST => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.value(kind, depth + 1)?;
                }
            }
            LIST | SET if depth < DEEPEST => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                for _ in 0..count {
                    // Truths in lists have a byte of their own, unlike those in structs.
                    match head & 0x0f {
                        TRUE | FALSE => self.skip(1)?,
                        kind => self.value(kind, depth + 1).map(|_| ())?,
                    }
                }
            }
            _ => return None,
        }
        Some(Value::Other)
    }

    /// The struct within the header that is for one kind of page.
    fn page(&mut self, of: i64, header: &mut PageHeader) -> Option<()> {
        let mut levels = PageLevels { nulls: 0, rows: 0, def_bytes: 0, rep_bytes: 0, is_packed: true };
        let mut last = 0;
        while let Some((field, kind)) = self.field(&mut last)? {
            match (of, field, self.value(kind, 0)?) {
                (_, 1, Value::Number(number)) => header.values = number,
                (5 | 7, 2, Value::Number(number)) | (8, 4, Value::Number(number)) => header.encoding = number,
                (5, 3, Value::Number(number)) => header.def_encoding = number,
                (5, 4, Value::Number(number)) => header.rep_encoding = number,
                (8, 2, Value::Number(number)) => levels.nulls = number,
                (8, 3, Value::Number(number)) => levels.rows = number,
                (8, 5, Value::Number(number)) => levels.def_bytes = number,
                (8, 6, Value::Number(number)) => levels.rep_bytes = number,
                (8, 7, Value::Bool(is_packed)) => levels.is_packed = is_packed,
                _ => {}
            }
        }
        if of == 8 {
            header.v2 = Some(levels);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_of_a_data_page_is_read() {
        // type 0, 100 bytes, 50 packed, and a struct with 7 values, PLAIN, RLE, RLE.
        let bytes = [0x15, 0, 0x15, 0xc8, 1, 0x15, 100, 0x2c, 0x15, 14, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0, 99];
        let (header, length) = read(&bytes).unwrap();
        assert_eq!((header.kind, header.unpacked, header.packed, header.values), (0, 100, 50, 7));
        assert_eq!((header.encoding, header.def_encoding, header.rep_encoding, length), (0, 3, 3, 18));
        for end in 0..17 {
            assert_eq!(read(&bytes[..end]), None, "{end}");
        }
    }

    #[test]
    fn endless_lists_and_structs_end() {
        assert_eq!(read(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), None);
        assert_eq!(read(&[0x1c; 1000]), None);
        assert_eq!(read(&[0x18, 0xff, 0xff, 0xff, 0xff, 0x0f]), None);
    }
}
