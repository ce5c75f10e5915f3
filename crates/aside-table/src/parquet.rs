//! Parquet files as rows: of each row group, only the pages of the asked columns and rows are unpacked.
//!
//! A column is a leaf of the file's schema. Lists are shown in brackets, and fields of structs have the path as their name.

mod page_header;
mod pages;
mod values;

use std::{
    any::Any,
    borrow::Cow,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use bytes::Bytes;
use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    data_type::DataType,
    errors::{ParquetError, Result as ParquetResult},
    file::{
        metadata::{ParquetMetaData, ParquetMetaDataReader},
        reader::{ChunkReader, Length},
    },
};

use self::{
    pages::Pages,
    values::{Meaning, TextStyle, ValueText},
};
use crate::{
    TableError,
    fields::MOST_OF_FIELD,
    rows::{Fields, KnownRows, Rows, Visit},
    source::{FileVersion, TableSource},
    values::NumberStyle,
};

/// The bytes at the beginning and the end of a file.
pub(crate) const MAGIC: &[u8] = b"PAR1";
/// Bytes of the description of the file.
const MOST_OF_FOOTER: u32 = 64 << 20;
/// Rows that are read at a time.
const BATCH: usize = 1_024;

/// A Parquet file.
pub(crate) struct ParquetFile {
    source: Arc<TableSource>,
    metadata: ParquetMetaData,
    names: Vec<String>,
    /// The number of the first row of each group, and that of all rows.
    starts: Vec<u64>,
}

impl ParquetFile {
    pub fn open(source: TableSource, version: FileVersion) -> Result<Self, TableError> {
        let mut tail = [0; 8];
        let at = version.size.saturating_sub(8);
        let read = source.read_at(at, &mut tail).map_err(TableError::io("read the table"))?;
        let [a, b, c, d, magic @ ..] = tail;
        if read < 8 || magic != MAGIC {
            return Err(TableError::Damaged("its end is missing".to_owned()));
        }
        let footer = u32::from_le_bytes([a, b, c, d]);
        if u64::from(footer) > at || footer > MOST_OF_FOOTER {
            return Err(TableError::Damaged(format!("its description can't be {footer} bytes long")));
        }
        let source = Arc::new(source);
        let parts = Parts { source: Arc::clone(&source), size: version.size };
        let metadata = safely(|| ParquetMetaDataReader::new().parse_and_finish(&parts))?;
        let mut starts = vec![0];
        for group in metadata.row_groups() {
            let count = u64::try_from(group.num_rows()).unwrap_or_default();
            starts.push(starts.last().unwrap_or(&0_u64).saturating_add(count));
        }
        let schema = metadata.file_metadata().schema_descr();
        let names = schema.columns().iter().map(|column| name_of(column.path().parts())).collect();
        Ok(Self { source, metadata, names, starts })
    }

    /// The column in a row group, from a row on.
    fn column(&self, group: usize, column: usize, most: usize) -> ParquetResult<Column> {
        let chunk = self.metadata.row_group(group).columns().get(column);
        let chunk = chunk.ok_or_else(|| ParquetError::General("a row group has no such column".to_owned()))?;
        let (at, length) = chunk.byte_range();
        let descriptor = chunk.column_descr_ptr();
        let is_repeated = descriptor.max_rep_level() > 0;
        let meaning = Meaning::of(&descriptor);
        let (most_def, is_nullable) = (descriptor.max_def_level(), descriptor.max_def_level() > 0);
        let pages = Pages {
            source: Arc::clone(&self.source),
            compression: chunk.compression(),
            kind: descriptor.physical_type(),
            is_repeated,
            at,
            end: at.saturating_add(length),
            next: None,
        };
        let reader = get_column_reader(descriptor, Box::new(pages));
        Ok(Column { reader, style: TextStyle { meaning, most }, most_def, is_nullable, is_repeated })
    }

    /// The group of a row, and the row's number in it.
    fn place(&self, row: u64) -> Option<(usize, u64)> {
        let group = self.starts.partition_point(|start| *start <= row).checked_sub(1)?;
        (group < self.metadata.num_row_groups()).then(|| (group, row - self.starts[group]))
    }

    /// The texts of some rows of a group in one column; the rows are sorted.
    fn texts(&self, group: usize, column: usize, rows: &[u64], most: usize) -> Result<Vec<String>, TableError> {
        safely(|| {
            let mut reader = self.column(group, column, most)?;
            let mut at = 0;
            let mut texts = Vec::with_capacity(rows.len());
            let mut rows = rows;
            while let Some(first) = rows.first() {
                let count = (0_u64..).zip(rows).take(BATCH).take_while(|(place, row)| first + place == **row).count();
                reader.skip(usize::try_from(first - at).unwrap_or(usize::MAX))?;
                texts.extend(reader.read(count)?);
                at = first + count as u64;
                rows = &rows[count..];
            }
            Ok(texts)
        })
    }
}

/// The path of a column without the names that only say that it is a list.
fn name_of(parts: &[String]) -> String {
    let named = |part: &&String| !matches!(part.as_str(), "list" | "element" | "item" | "array" | "bag" | "key_value");
    let name = parts.iter().take(1).chain(parts.iter().skip(1).filter(named)).map(String::as_str);
    name.collect::<Vec<_>>().join(".")
}

/// Runs code of the library: a file that it panics about is damaged too.
fn safely<T>(read: impl FnOnce() -> ParquetResult<T>) -> Result<T, TableError> {
    let damaged = |reason: String| TableError::Damaged(reason.trim_start_matches("Parquet error: ").to_owned());
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| damaged(error.to_string())),
        Err(panic) => Err(damaged(words_of(&*panic).to_owned())),
    }
}

fn words_of(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it can't be read")
}

/// A column that is being read.
struct Column {
    reader: ColumnReader,
    style: TextStyle,
    most_def: i16,
    is_nullable: bool,
    is_repeated: bool,
}

impl Column {
    fn skip(&mut self, rows: usize) -> ParquetResult<()> {
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
        }
        .map(drop)
    }

    fn read(&mut self, rows: usize) -> ParquetResult<Vec<String>> {
        let Self { reader, style, most_def, is_nullable, is_repeated } = self;
        let levels = (*most_def, *is_nullable, *is_repeated);
        match reader {
            ColumnReader::BoolColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::Int32ColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::Int64ColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::Int96ColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::FloatColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::DoubleColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::ByteArrayColumnReader(reader) => read(reader, rows, *style, levels),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => read(reader, rows, *style, levels),
        }
    }
}

/// The texts of the next rows: a value, nothing, or a list in brackets.
fn read<T: DataType<T: ValueText>>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    style: TextStyle,
    (most_def, is_nullable, is_repeated): (i16, bool, bool),
) -> ParquetResult<Vec<String>> {
    let (mut values, mut defs, mut reps) = (Vec::new(), Vec::new(), Vec::new());
    let (found, _, _) =
        reader.read_records(rows, is_nullable.then_some(&mut defs), is_repeated.then_some(&mut reps), &mut values)?;
    if found < rows {
        return Err(ParquetError::General(format!("a column has {found} rows where it should have {rows}")));
    }
    let mut values = values.into_iter();
    if !is_nullable {
        return Ok(values.map(|value| value.text(style)).collect());
    }
    let texts =
        defs.iter().map(|def| (*def == most_def).then(|| values.next().map(|value| value.text(style))).flatten());
    if !is_repeated {
        return Ok(texts.map(Option::unwrap_or_default).collect());
    }
    let mut lists: Vec<(Vec<String>, i16)> = Vec::with_capacity(rows);
    for ((text, rep), def) in texts.zip(&reps).zip(&defs) {
        if *rep == 0 {
            lists.push((Vec::new(), *def));
        }
        if let Some((list, _)) = lists.last_mut() {
            // The level below that of a value is an empty place in a list; lower ones are lists without places.
            list.extend(text.or_else(|| (def + 1 == most_def && most_def > 1).then(String::new)));
        }
    }
    let shown = |(list, def): (Vec<String>, i16)| {
        if list.is_empty() && def == 0 { String::new() } else { format!("[{}]", list.join(", ")) }
    };
    Ok(lists.into_iter().map(shown).collect())
}

/// The file as the library reads its description.
struct Parts {
    source: Arc<TableSource>,
    size: u64,
}

impl Length for Parts {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Parts {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let rest = usize::try_from(self.size.saturating_sub(start)).unwrap_or(usize::MAX);
        Ok(bytes::Buf::reader(self.get_bytes(start, rest.min(MOST_OF_FOOTER as usize))?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        if length > MOST_OF_FOOTER as usize + MAGIC.len() + 4 {
            return Err(ParquetError::General(format!("its description can't be {length} bytes long")));
        }
        let mut bytes = vec![0; length];
        let count = self.source.read_at(start, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes.into())
    }
}

impl Rows for ParquetFile {
    fn known(&self) -> KnownRows {
        KnownRows { rows: self.starts.last().copied().unwrap_or_default(), progress: 1.0 }
    }

    fn names(&self) -> Option<Vec<String>> {
        Some(self.names.clone())
    }

    fn rows(&self, rows: &[u64], columns: Range<usize>, most: usize) -> Result<Vec<Vec<String>>, TableError> {
        let (first, last) = (columns.start, columns.end.min(self.names.len()));
        let mut found = vec![vec![String::new(); last.saturating_sub(first)]; rows.len()];
        let mut places: Vec<_> = (0..).zip(rows).filter_map(|(at, row)| Some((self.place(*row)?, at))).collect();
        if places.len() < rows.len() {
            return Err(TableError::Changed);
        }
        places.sort_unstable();
        for group in places.chunk_by(|one, two| one.0.0 == two.0.0) {
            let mut wanted: Vec<u64> = group.iter().map(|((_, row), _)| *row).collect();
            wanted.dedup();
            for column in first..last {
                let texts = self.texts(group[0].0.0, column, &wanted, most)?;
                for ((_, row), at) in group {
                    let place = wanted.partition_point(|wanted| wanted < row);
                    found[*at as usize][column - first] = texts[place].clone();
                }
            }
        }
        Ok(found)
    }

    fn range(
        &self,
        from: u64,
        count: usize,
        columns: Range<usize>,
        most: usize,
    ) -> Result<Vec<Vec<String>>, TableError> {
        let end = from.saturating_add(count as u64).min(self.known().rows);
        self.rows(&(from..end).collect::<Vec<_>>(), columns, most)
    }

    fn walk(&self, from: u64, columns: &[usize], visit: &mut Visit<'_>) -> Result<(), TableError> {
        let all: Vec<usize> = (0..self.names.len()).collect();
        let columns = if columns.is_empty() { &all } else { columns };
        let total = self.known().rows.max(1);
        for group in 0..self.metadata.num_row_groups() {
            let (start, end) = (self.starts[group], self.starts[group + 1]);
            if end <= from {
                continue;
            }
            let mut readers: Vec<_> = columns
                .iter()
                .map(|column| safely(|| self.column(group, *column, MOST_OF_FIELD)))
                .collect::<Result<_, _>>()?;
            let mut at = start;
            while at < end {
                let count = usize::try_from(end - at).unwrap_or(BATCH).min(BATCH);
                let texts = readers.iter_mut().map(|reader| safely(|| reader.read(count)));
                let batch = Batch { columns, texts: texts.collect::<Result<_, _>>()? };
                for row in 0..count {
                    let number = at + row as u64;
                    if number >= from {
                        visit(number, number as f64 / total as f64, &BatchRow { batch: &batch, row })?;
                    }
                }
                at += count as u64;
            }
        }
        Ok(())
    }

    fn numbers(&self) -> NumberStyle {
        NumberStyle::Point
    }
}

/// Some rows of some columns.
struct Batch<'a> {
    columns: &'a [usize],
    texts: Vec<Vec<String>>,
}

struct BatchRow<'a> {
    batch: &'a Batch<'a>,
    row: usize,
}

impl Fields for BatchRow<'_> {
    fn field(&self, column: usize) -> Cow<'_, str> {
        let at = self.batch.columns.iter().position(|known| *known == column);
        Cow::Borrowed(at.map_or("", |at| &self.batch.texts[at][self.row]))
    }

    fn any(&self, _words: Option<&str>, test: &dyn Fn(&str) -> bool) -> bool {
        self.batch.texts.iter().any(|texts| test(&texts[self.row]))
    }
}
