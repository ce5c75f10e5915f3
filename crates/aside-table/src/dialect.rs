//! Guesses how a text separates its fields.

use std::io;

use crate::{cursor::Cursor, fields::field_count, text::Text};

pub(crate) const QUOTE: u8 = b'"';
/// The most frequent one in the first rows wins.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at, and their bytes.
const SAMPLE_ROWS: usize = 20;
const SAMPLE: u64 = 64 << 10;

/// Returns the byte between two fields, from the file's name and its first rows.
pub(crate) fn delimiter_of(text: &Text, name: &str) -> io::Result<u8> {
    match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("tsv" | "tab") => return Ok(b'\t'),
        Some("psv") => return Ok(b'|'),
        _ => {}
    }
    let mut best = (0, b',');
    for delimiter in DELIMITERS {
        let score = score(text, delimiter)?;
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    Ok(best.1)
}

/// Returns the number of delimiters that each of the first rows has at least.
fn score(text: &Text, delimiter: u8) -> io::Result<usize> {
    let mut rows = Cursor::new(text, delimiter, text.start);
    let mut least = None;
    for _ in 0..SAMPLE_ROWS {
        if rows.at() > text.start + SAMPLE {
            break;
        }
        let Some(row) = rows.next()? else { break };
        let count = field_count(&row.bytes, delimiter) - 1;
        least = Some(least.unwrap_or(count).min(count));
    }
    Ok(least.unwrap_or_default())
}
