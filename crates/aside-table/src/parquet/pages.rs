//! The pages of a column in a row group: read one by one, and never larger than a limit, whatever the file says.

use std::{io::Read as _, sync::Arc};

use bytes::Bytes;
use parquet::{
    basic::{Compression, Type},
    column::page::{Page, PageMetadata, PageReader},
    errors::{ParquetError, Result},
};

use super::page_header::{self, DATA, DATA_V2, DICTIONARY, MOST_OF_HEADER, PageHeader};
use crate::source::TableSource;

/// Bytes of a page, and of one with a dictionary, which takes several times as much in memory.
const MOST_OF_PAGE: i64 = 256 << 20;
const MOST_OF_DICTIONARY: i64 = 64 << 20;
/// Values of a page of lists, whose levels are in memory for a whole row.
const MOST_REPEATED: i64 = 16 << 20;

/// Reads the pages of a column chunk.
pub(super) struct Pages {
    pub source: Arc<TableSource>,
    pub compression: Compression,
    pub kind: Type,
    pub is_repeated: bool,
    /// The rest of the chunk.
    pub at: u64,
    pub end: u64,
    pub next: Option<(PageHeader, u64)>,
}

fn wrong(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

impl Pages {
    /// Looks at the header of the next page.
    fn look(&mut self) -> Result<Option<(PageHeader, u64)>> {
        loop {
            if self.next.is_some() || self.at >= self.end {
                return Ok(self.next.clone());
            }
            let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(MOST_OF_HEADER);
            let bytes = self.bytes(self.at, most.min(512))?;
            let found = match page_header::read(&bytes) {
                Some(found) => Some(found),
                None => page_header::read(&self.bytes(self.at, most)?),
            };
            let (header, length) = found.ok_or_else(|| wrong("the header of a page can't be read"))?;
            self.at += length as u64;
            check(&header, self.end.saturating_sub(self.at), self.is_repeated)?;
            let body = self.at;
            self.at += header.packed.cast_unsigned();
            if matches!(header.kind, DATA | DATA_V2 | DICTIONARY) {
                self.next = Some((header, body));
            }
        }
    }

    fn bytes(&self, at: u64, count: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        let read = self.source.read_at(at, &mut bytes)?;
        if read < count { Err(wrong("the file ends within a page")) } else { Ok(bytes) }
    }

    fn page(&self, header: &PageHeader, at: u64) -> Result<Page> {
        let size = |number: i64| usize::try_from(number).map_err(|_| wrong("a page has a negative length"));
        let packed = self.bytes(at, size(header.packed)?)?;
        let unpacked = size(header.unpacked)?;
        let number = |number: i64| u32::try_from(number).map_err(|_| wrong("a page has a wrong number of values"));
        let encoding = |number| page_header::encoding(number).ok_or_else(|| wrong("a page has an unknown encoding"));
        let (num_values, own_encoding) = (number(header.values)?, encoding(header.encoding)?);
        if let Some(levels) = &header.v2 {
            let head = size(levels.def_bytes)? + size(levels.rep_bytes)?;
            if head > packed.len() || head > unpacked {
                return Err(wrong("the levels of a page are longer than the page"));
            }
            let compression = if levels.is_packed { self.compression } else { Compression::UNCOMPRESSED };
            let mut buf = packed[..head].to_vec();
            // A page without values has nothing behind its levels.
            if unpacked > head {
                unpack(compression, &packed[head..], unpacked - head, &mut buf)?;
            }
            return Ok(Page::DataPageV2 {
                buf: buf.into(),
                num_values,
                encoding: own_encoding,
                num_nulls: number(levels.nulls)?,
                num_rows: number(levels.rows)?,
                def_levels_byte_len: number(levels.def_bytes)?,
                rep_levels_byte_len: number(levels.rep_bytes)?,
                is_compressed: false,
                statistics: None,
            });
        }
        let mut buf = Vec::new();
        unpack(self.compression, &packed, unpacked, &mut buf)?;
        let buf = Bytes::from(buf);
        if header.kind == DICTIONARY {
            let least = match self.kind {
                Type::INT64 | Type::DOUBLE => 8,
                Type::INT96 => 12,
                Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
                Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            };
            if num_values as usize > buf.len() / least {
                return Err(wrong("a dictionary names more values than it has"));
            }
            return Ok(Page::DictionaryPage { buf, num_values, encoding: own_encoding, is_sorted: false });
        }
        Ok(Page::DataPage {
            buf,
            num_values,
            encoding: own_encoding,
            def_level_encoding: encoding(header.def_encoding)?,
            rep_level_encoding: encoding(header.rep_encoding)?,
            statistics: None,
        })
    }
}

/// Refuses lengths that can't be.
fn check(header: &PageHeader, rest: u64, is_repeated: bool) -> Result<()> {
    let most = if header.kind == DICTIONARY { MOST_OF_DICTIONARY } else { MOST_OF_PAGE };
    let PageHeader { packed, unpacked, values, .. } = header;
    if *packed < 0 || packed.cast_unsigned() > rest {
        return Err(wrong(format!("a page of {packed} bytes is longer than its column")));
    }
    if !(0..=most).contains(unpacked) {
        return Err(wrong(format!("a page of {unpacked} bytes is larger than the limit of {most}")));
    }
    if is_repeated && *values > MOST_REPEATED {
        return Err(wrong(format!("a page of lists has {values} values, more than the limit of {MOST_REPEATED}")));
    }
    Ok(())
}

/// Appends the unpacked bytes, which have to be exactly so many.
fn unpack(compression: Compression, packed: &[u8], size: usize, to: &mut Vec<u8>) -> Result<()> {
    let head = to.len();
    // One byte more would show that there are more.
    let most = size as u64 + 1;
    match compression {
        Compression::UNCOMPRESSED => to.extend_from_slice(packed),
        Compression::SNAPPY => {
            let named = snap::raw::decompress_len(packed).map_err(|error| wrong(error.to_string()))?;
            if named != size {
                return Err(wrong(format!("a page of {named} bytes says that it has {size}")));
            }
            to.resize(head + size, 0);
            let unpacked = snap::raw::Decoder::new().decompress(packed, &mut to[head..]);
            unpacked.map_err(|error| wrong(error.to_string()))?;
        }
        Compression::GZIP(_) => {
            flate2::read::MultiGzDecoder::new(packed).take(most).read_to_end(to)?;
        }
        Compression::ZSTD(_) => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|error| wrong(error.to_string()))?;
            decoder.take(most).read_to_end(to)?;
        }
        other => return Err(wrong(format!("the compression {other} is not supported; snappy, gzip and zstd are"))),
    }
    if to.len() - head == size {
        Ok(())
    } else {
        Err(wrong(format!("a page does not have the {size} bytes that it names")))
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some((header, at)) = self.look()? else { return Ok(None) };
        self.next = None;
        self.page(&header, at).map(Some)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let Some((header, _)) = self.look()? else { return Ok(None) };
        let count = |number: i64| usize::try_from(number).ok();
        let is_dict = header.kind == DICTIONARY;
        Ok(Some(PageMetadata {
            num_rows: header.v2.as_ref().and_then(|levels| count(levels.rows)),
            num_levels: count(header.values).filter(|_| !is_dict),
            is_dict,
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.look()?;
        self.next = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn unpacked(compression: Compression, packed: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut bytes = b"head".to_vec();
        unpack(compression, packed, size, &mut bytes).map(|()| bytes.split_off(4))
    }

    #[test]
    fn page_has_exactly_its_bytes() {
        let text = "tide ".repeat(100).into_bytes();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(&text[..], ruzstd::encoding::CompressionLevel::Fastest);
        let packed = [
            (Compression::UNCOMPRESSED, text.clone()),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(&text).unwrap()),
            (Compression::GZIP(Default::default()), gzip.finish().unwrap()),
            (Compression::ZSTD(Default::default()), zstd),
        ];
        for (compression, packed) in packed {
            assert_eq!(unpacked(compression, &packed, 500).unwrap(), text, "{compression}");
            for wrong in [0, 499, 501, 1 << 30] {
                assert!(unpacked(compression, &packed, wrong).is_err(), "{compression} {wrong}");
            }
            assert!(unpacked(compression, &packed[..packed.len() / 2], 500).is_err(), "{compression}");
        }
        assert!(unpacked(Compression::LZ4_RAW, &[0], 1).unwrap_err().to_string().contains("not supported"));
    }

    #[test]
    fn impossible_lengths_are_refused() {
        let header = |packed, unpacked, values| PageHeader { packed, unpacked, values, ..PageHeader::default() };
        assert!(check(&header(10, 20, 5), 10, true).is_ok());
        for (header, rest) in
            [(header(-1, 20, 5), 10), (header(11, 20, 5), 10), (header(1, -1, 5), 10), (header(1, 1 << 40, 5), 10)]
        {
            assert!(check(&header, rest, false).is_err(), "{header:?}");
        }
        assert!(check(&header(1, 1, 1 << 31), 10, true).is_err());
        let dictionary = PageHeader { kind: DICTIONARY, ..header(1, 100 << 20, 5) };
        assert!(check(&dictionary, 10, false).is_err());
    }
}
