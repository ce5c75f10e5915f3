//! Walks over the rows of a text: finds the end of each, in a window of bounded size.
//!
//! ```text
//! row    = field *( delimiter field ) ( "\n" / "\r\n" / "\r" / end )
//! field  = anything but delimiters and line ends / quote *( anything / quote quote ) quote
//! ```

use std::{borrow::Cow, io};

use memchr::{memchr, memchr3};

use crate::{dialect::QUOTE, text::Text};

/// The units of a row that are read; the rest of a longer one is passed over.
pub(crate) const MOST_OF_ROW: usize = 1 << 20;
/// The units after which a quote without an end is a letter.
const MOST_QUOTED: u64 = 16 << 20;
/// The units of the first read, so that a few rows cost little. Later reads are twice as long each time.
const FIRST_READ: usize = 16 << 10;

/// A row as it is in the file.
pub(crate) struct RawRow<'a> {
    /// The unit where it begins.
    pub at: u64,
    /// Its bytes without the line end, as UTF-8 where the file is UTF-16.
    pub bytes: Cow<'a, [u8]>,
    /// It is longer than the part that is read.
    pub cut: bool,
    /// A quote in it has no end.
    pub open_quote: bool,
}

/// A walk over rows.
pub(crate) struct Cursor<'a> {
    text: &'a Text,
    delimiter: u8,
    /// The unit at the beginning of the window.
    base: u64,
    raw: Vec<u8>,
    /// A byte for each unit of the window, where units are not bytes.
    flat: Vec<u8>,
    /// The place in the window where the next row begins.
    next: usize,
    read: usize,
    /// The file has no more than the window.
    ended: bool,
    /// The first part of a row that is longer than the window.
    long: Vec<u8>,
}

/// The end of a row in the window: of its content, and of its line end.
struct RowEnd {
    content: usize,
    next: usize,
}

/// The state between two bytes of a row.
#[derive(Default)]
struct Scan {
    /// The unit with the quote that is open.
    quote: Option<u64>,
    /// The byte before the next; none at the beginning.
    before: Option<u8>,
}

impl<'a> Cursor<'a> {
    /// Begins at a unit where a row begins.
    pub fn new(text: &'a Text, delimiter: u8, at: u64) -> Self {
        Self {
            text,
            delimiter,
            base: at,
            raw: Vec::new(),
            flat: Vec::new(),
            next: 0,
            read: FIRST_READ,
            ended: false,
            long: Vec::new(),
        }
    }

    /// The unit where the next row begins.
    pub fn at(&self) -> u64 {
        self.base + self.next as u64
    }

    /// Returns the next row. An empty line at the end is none.
    pub fn next(&mut self) -> io::Result<Option<RawRow<'_>>> {
        let at = self.at();
        let mut scan = Scan::default();
        let mut from = self.next;
        let (mut is_long, mut open_quote) = (false, false);
        self.long.clear();
        let end = loop {
            let (to, found) =
                scan.find_end(self.delimiter, flat(self.text, &self.raw, &self.flat), from, self.ended, self.base);
            if let Some(end) = found {
                break end;
            }
            from = to;
            let unit = self.base + from as u64;
            if let Some(quote) = scan.quote.filter(|quote| self.ended || unit - quote > MOST_QUOTED) {
                // A quote without an end is a letter like others.
                open_quote = true;
                scan = Scan { quote: None, before: Some(QUOTE) };
                from = self.rewind(quote + 1);
                continue;
            }
            if self.ended {
                if self.at() == unit && !is_long {
                    return Ok(None);
                }
                break RowEnd { content: from, next: from };
            }
            if !is_long && from - self.next >= MOST_OF_ROW {
                is_long = true;
                let width = self.text.width();
                self.long.extend_from_slice(&self.raw[self.next * width..(self.next + MOST_OF_ROW) * width]);
            }
            from = self.more(if is_long { from } else { self.next }, from)?;
        };
        let row = self.next..end.content;
        self.next = end.next;
        let width = self.text.width();
        let raw = if is_long { &self.long[..] } else { &self.raw[row.start * width..row.end * width] };
        let cut = raw.len() > MOST_OF_ROW * width;
        let raw = &raw[..raw.len().min(MOST_OF_ROW * width)];
        Ok(Some(RawRow { at, bytes: self.text.decode(raw), cut: cut || is_long, open_quote }))
    }

    /// Forgets the window before `keep`, reads on behind it, and returns the new place of `from`.
    fn more(&mut self, keep: usize, from: usize) -> io::Result<usize> {
        let width = self.text.width();
        self.raw.drain(..keep * width);
        self.flat.drain(..keep.min(self.flat.len()));
        self.base += keep as u64;
        self.next = self.next.saturating_sub(keep);
        let held = self.raw.len();
        let count = self.text.read(self.base + (held / width) as u64, self.read, &mut self.raw)?;
        if width > 1 {
            self.text.flatten(&self.raw[held..], &mut self.flat);
        }
        self.ended = count < self.read;
        self.read = (self.read * 2).min(MOST_OF_ROW);
        Ok(from - keep)
    }

    /// Returns the place of a unit that was scanned before; reads it again if the window has passed it.
    fn rewind(&mut self, unit: u64) -> usize {
        if let Some(place) = unit.checked_sub(self.base) {
            return usize::try_from(place).expect("it is in the window");
        }
        self.raw.clear();
        self.flat.clear();
        (self.base, self.next, self.ended) = (unit, 0, false);
        0
    }
}

/// A byte for each unit of the window.
fn flat<'a>(text: &Text, raw: &'a [u8], flat: &'a [u8]) -> &'a [u8] {
    if text.width() == 1 { raw } else { flat }
}

impl Scan {
    /// Looks for the end of the row from a place on; returns the place that it got to. The last byte waits for the next one, unless
    /// there is none.
    fn find_end(
        &mut self,
        delimiter: u8,
        bytes: &[u8],
        from: usize,
        is_last: bool,
        base: u64,
    ) -> (usize, Option<RowEnd>) {
        let mut at = from;
        while at < bytes.len() {
            let found = match self.quote {
                Some(_) => memchr(QUOTE, &bytes[at..]),
                None => memchr3(b'\n', b'\r', QUOTE, &bytes[at..]),
            };
            let Some(place) = found.map(|found| at + found) else {
                self.before = bytes.last().copied();
                return (bytes.len(), None);
            };
            let before = if place > at { Some(bytes[place - 1]) } else { self.before };
            let after = bytes.get(place + 1).copied();
            let waits = after.is_none() && !is_last;
            match (self.quote, bytes[place]) {
                (None, b'\n') => return (place, Some(RowEnd { content: place, next: place + 1 })),
                (Some(_), _) | (None, b'\r') if waits => {
                    self.before = before;
                    return (place, None);
                }
                (None, b'\r') => {
                    let next = place + 1 + usize::from(after == Some(b'\n'));
                    return (place, Some(RowEnd { content: place, next }));
                }
                (Some(_), _) if after == Some(QUOTE) => at = place + 2,
                (Some(_), _) => {
                    self.quote = None;
                    at = place + 1;
                }
                (None, _) => {
                    if before.is_none_or(|before| before == delimiter) {
                        self.quote = Some(base + place as u64);
                    }
                    at = place + 1;
                }
            }
            self.before = Some(QUOTE);
        }
        (at, None)
    }
}
