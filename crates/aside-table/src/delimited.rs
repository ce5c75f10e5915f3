//! Delimited text as rows: read from its marks on, and indexed from its beginning to its end.

use std::{
    borrow::Cow,
    ops::{ControlFlow, Range},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    TableError,
    cursor::{Cursor, RawRow},
    dialect::delimiter_of,
    fields::{self, MOST_OF_FIELD, contains_ascii, shown},
    row_index::RowIndex,
    rows::{Fields, KnownRows, Rows, Visit},
    source::{FileVersion, TableSource},
    text::Text,
    values::NumberStyle,
};

/// Rows and units between two times that others see how far the index is.
const BATCH_ROWS: usize = 4096;
const BATCH_UNITS: u64 = 1 << 20;
/// Bytes before the last mark that have to be the same for the index of a grown file to go on.
const TAIL: u64 = 4096;

/// A file of delimited text.
pub(crate) struct Delimited {
    pub text: Text,
    pub delimiter: u8,
    /// The units of the file when it was opened.
    units: u64,
    index: Mutex<RowIndex>,
}

impl Delimited {
    pub fn open(source: TableSource, stamp: FileVersion, name: &str) -> Result<Self, TableError> {
        let text = Text::open(source).map_err(TableError::io("read the table"))?;
        if !text.is_text().map_err(TableError::io("read the table"))? {
            return Err(TableError::NotATable("it is binary".to_owned()));
        }
        let delimiter = delimiter_of(&text, name).map_err(TableError::io("read the table"))?;
        let index = Mutex::new(RowIndex::new(text.start));
        Ok(Self { units: stamp.size / text.width() as u64, text, delimiter, index })
    }

    /// Takes over the index of an earlier version to which only rows were added.
    pub fn continue_from(&self, earlier: &Self, tail: &[u8]) -> Result<(), TableError> {
        let index = earlier.index().clone();
        let is_same = (self.text.encoding, self.text.start, self.delimiter)
            == (earlier.text.encoding, earlier.text.start, earlier.delimiter);
        if index.done && is_same && !tail.is_empty() && self.tail(&index)? == tail {
            *self.index() = index.continued();
        }
        Ok(())
    }

    /// The bytes before the last mark, once everything has been read.
    pub fn last_bytes(&self) -> Result<Vec<u8>, TableError> {
        let index = self.index().clone();
        if index.done { self.tail(&index) } else { Ok(Vec::new()) }
    }

    fn tail(&self, index: &RowIndex) -> Result<Vec<u8>, TableError> {
        let end = index.last().at;
        let start = end.saturating_sub(TAIL);
        let mut tail = Vec::new();
        let count = usize::try_from(end - start).expect("it is a few bytes");
        self.text.read(start, count, &mut tail).map_err(TableError::io("read the table"))?;
        Ok(tail)
    }

    pub fn index(&self) -> MutexGuard<'_, RowIndex> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file to its end and sets marks; ends early if it is cancelled.
    pub fn index_all(&self, cancelled: &AtomicBool) -> Result<(), TableError> {
        let mark = self.index().last();
        let (mut row, mut rows) = (mark.row, self.cursor(mark.at));
        let mut batch = Vec::with_capacity(BATCH_ROWS);
        while !cancelled.load(Ordering::Relaxed) {
            let mut problems = [None; 3];
            let began = rows.at();
            batch.clear();
            while batch.len() < BATCH_ROWS && rows.at() - began < BATCH_UNITS {
                let Some(found) = next(&mut rows)? else { break };
                note(&mut problems, row + batch.len() as u64, &found);
                batch.push(found.at);
            }
            let mut index = self.index();
            for at in &batch {
                index.add(row, *at);
                row += 1;
            }
            let [not_utf8, open_quote, cut] = problems;
            index.not_utf8 = index.not_utf8.or(not_utf8);
            index.open_quote = index.open_quote.or(open_quote);
            index.cut = index.cut.or(cut);
            (index.rows, index.end) = (row, rows.at());
            if batch.is_empty() {
                index.done = true;
                break;
            }
        }
        Ok(())
    }

    fn cursor(&self, at: u64) -> Cursor<'_> {
        Cursor::new(&self.text, self.delimiter, at)
    }

    /// A walk that begins at a row; none behind the last.
    fn cursor_at(&self, row: u64) -> Result<Option<Cursor<'_>>, TableError> {
        let mark = self.index().before(row);
        let mut rows = self.cursor(mark.at);
        for _ in mark.row..row {
            if next(&mut rows)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(rows))
    }

    fn fields(&self, row: &RawRow<'_>, columns: &Range<usize>, most: usize) -> Vec<String> {
        let mut texts = Vec::new();
        fields::walk(&row.bytes, self.delimiter, |column, bytes| {
            if column >= columns.end {
                return ControlFlow::Break(());
            }
            if column >= columns.start {
                texts.push(shown(bytes, most).into_owned());
            }
            ControlFlow::Continue(())
        });
        texts
    }
}

fn next<'a>(rows: &'a mut Cursor<'_>) -> Result<Option<RawRow<'a>>, TableError> {
    rows.next().map_err(TableError::io("read the table"))
}

fn note(problems: &mut [Option<u64>; 3], number: u64, row: &RawRow<'_>) {
    let is_utf8 = problems[0].is_some() || std::str::from_utf8(&row.bytes).is_ok() || row.cut;
    let found = [!is_utf8, row.open_quote, row.cut];
    for (problem, found) in problems.iter_mut().zip(found) {
        if found {
            problem.get_or_insert(number);
        }
    }
}

impl Rows for Delimited {
    fn known(&self) -> KnownRows {
        let index = self.index();
        let share = |units: u64| if self.units == 0 { 1.0 } else { (units as f64 / self.units as f64).min(1.0) };
        KnownRows { rows: index.rows, progress: if index.done { 1.0 } else { share(index.end).min(0.999) } }
    }

    fn names(&self) -> Option<Vec<String>> {
        None
    }

    fn rows(&self, rows: &[u64], columns: Range<usize>, most: usize) -> Result<Vec<Vec<String>>, TableError> {
        let read = |row: &u64| {
            let mut rows = self.cursor_at(*row)?.ok_or(TableError::Changed)?;
            let row = next(&mut rows)?.ok_or(TableError::Changed)?;
            Ok(self.fields(&row, &columns, most))
        };
        rows.iter().map(read).collect()
    }

    fn range(
        &self,
        from: u64,
        count: usize,
        columns: Range<usize>,
        most: usize,
    ) -> Result<Vec<Vec<String>>, TableError> {
        let mut found = Vec::new();
        let Some(mut rows) = self.cursor_at(from)? else { return Ok(found) };
        while found.len() < count {
            let Some(row) = next(&mut rows)? else { break };
            found.push(self.fields(&row, &columns, most));
        }
        Ok(found)
    }

    fn walk(&self, from: u64, _columns: &[usize], visit: &mut Visit<'_>) -> Result<(), TableError> {
        let Some(mut rows) = self.cursor_at(from)? else { return Ok(()) };
        let mut number = from;
        while let Some(row) = next(&mut rows)? {
            let share = if self.units == 0 { 1.0 } else { row.at as f64 / self.units as f64 };
            let row = DelimitedRow { bytes: row.bytes, delimiter: self.delimiter };
            visit(number, share.min(1.0), &row)?;
            number += 1;
        }
        if rows.at() < self.units { Err(TableError::Changed) } else { Ok(()) }
    }

    /// Where fields are kept apart by a semicolon, fractions begin with a comma.
    fn numbers(&self) -> NumberStyle {
        if self.delimiter == b';' { NumberStyle::Comma } else { NumberStyle::Point }
    }
}

struct DelimitedRow<'a> {
    bytes: Cow<'a, [u8]>,
    delimiter: u8,
}

impl Fields for DelimitedRow<'_> {
    fn field(&self, column: usize) -> Cow<'_, str> {
        fields::field(&self.bytes, self.delimiter, column, MOST_OF_FIELD)
    }

    fn any(&self, words: Option<&str>, test: &dyn Fn(&str) -> bool) -> bool {
        // A field without its quotes has no words that the row has not, but for a quote itself.
        let can_look = words.filter(|words| words.is_ascii() && !words.contains('"'));
        if can_look.is_some_and(|words| !contains_ascii(&self.bytes, words.as_bytes())) {
            return false;
        }
        let mut found = false;
        fields::walk(&self.bytes, self.delimiter, |_, bytes| {
            found = test(&shown(bytes, MOST_OF_FIELD));
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}
