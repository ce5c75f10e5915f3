//! A table: the version of a file that was opened, its columns, and the work on it.

mod arrange;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use self::arrange::{SCRATCH, arrange, select};
use crate::{
    Column, MOST_COLUMNS, RowView, Summary, SummaryState, TableError, TableSource,
    columns::Sample,
    delimited::Delimited,
    fields::MOST_OF_FIELD,
    jobs::{Job, Latest},
    parquet::{MAGIC, ParquetFile},
    row_index::RowIndex,
    row_list::RowList,
    rows::Rows,
    sort::Sorter,
    sort_key::write_key,
    source::FileVersion,
    summary::summarise,
    text::Encoding,
};

/// Views and summaries that are remembered; several windows may show one table.
const MOST_JOBS: usize = 3;
/// The most rows of one answer, and the bytes of their fields.
const MOST_ROWS: usize = 1_000;
const MOST_BYTES: usize = 8 << 20;
/// The progress of work that has looked at all rows and still puts them in order.
const ALMOST: f64 = 0.99;
/// The most bytes of a field that is asked for alone.
const MOST_OF_CELL: usize = 1 << 20;

/// A table. It shows the file as it was opened; a newer version is another table.
pub struct Table {
    rows: Arc<dyn Rows>,
    /// Of delimited text: the counting of its rows.
    text: Option<CountedText>,
    stamp: FileVersion,
    names: ColumnNames,
    has_more_columns: bool,
    /// The columns without names, and with those in the first row.
    columns: [Arc<[Column]>; 2],
    scratch: PathBuf,
    views: Mutex<Latest<RowView, RowList>>,
    summaries: Mutex<Latest<(RowView, usize), Option<Summary>>>,
}

/// A text, and the work of counting its rows, which leaves the bytes before the last mark.
struct CountedText {
    text: Arc<Delimited>,
    work: Arc<Job<Vec<u8>>>,
}

/// Where the names of the columns are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnNames {
    /// The format has them.
    InFormat,
    /// The first row looks as if it had them.
    InFirstRow,
    Nowhere,
}

/// Facts about a table as far as it has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFacts {
    /// Differs between versions of the file.
    pub version: String,
    /// Bytes of the file.
    pub size: u64,
    /// Rows that are known, without the one that names the columns.
    pub rows: u64,
    /// The share of the file that has been read, from 0 to 1.
    pub progress: f64,
    /// The first row names the columns.
    pub header: bool,
    /// The columns, as many as are shown.
    pub columns: Arc<[Column]>,
    /// There are more columns.
    pub more_columns: bool,
    /// `UTF-8` or `UTF-16`.
    pub encoding: &'static str,
    /// The first row with bytes that are not UTF-8, from 1. Its fields are read as Windows-1252.
    pub not_utf8: Option<u64>,
    /// The first row with a quote that never ends, from 1. It is read as a letter.
    pub open_quote: Option<u64>,
    /// The first row of which only the first megabyte is read, from 1.
    pub cut: Option<u64>,
}

/// Rows that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowRequest {
    /// The shown rows and their order.
    pub view: RowView,
    /// The first row, counted in the shown rows from 0.
    pub from: u64,
    /// How many.
    pub count: usize,
    /// The first column.
    pub first: usize,
    /// The column behind the last; all without one.
    pub last: Option<usize>,
    /// How long the asker waits for an order or a filter.
    pub patience: Duration,
}

/// Rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowPage {
    /// The number of each row in the file, from 0 without the one that names the columns, and its fields.
    pub rows: Vec<(u64, Vec<String>)>,
    /// The shown rows that are known.
    pub count: u64,
    /// The share of the work on the order and the filters that is done.
    pub progress: f64,
}

impl Table {
    /// Opens a table and begins to count its rows. Lists of rows are kept in the scratch folder.
    pub(crate) fn open(
        source: TableSource,
        name: &str,
        scratch: &Path,
        earlier: Option<&Self>,
    ) -> Result<Self, TableError> {
        let stamp = source.stamp().map_err(TableError::io("read the table"))?;
        let (rows, text): (Arc<dyn Rows>, _) = if is_parquet(&source)? {
            (Arc::new(ParquetFile::open(source, stamp)?), None)
        } else {
            let text = Delimited::open(source, stamp, name)?;
            let earlier = earlier.filter(|earlier| stamp.may_continue(&earlier.stamp));
            if let Some(earlier) = earlier.and_then(|earlier| earlier.text.as_ref()) {
                text.continue_from(&earlier.text, &earlier.work.value())?;
            }
            let text = Arc::new(text);
            (Arc::clone(&text) as Arc<dyn Rows>, Some(text))
        };
        let sample = Sample::of(&*rows)?;
        let names = match (rows.names(), sample.has_header()) {
            (Some(_), _) => ColumnNames::InFormat,
            (None, true) => ColumnNames::InFirstRow,
            (None, false) => ColumnNames::Nowhere,
        };
        Ok(Self {
            text: text.map(CountedText::start),
            rows,
            stamp,
            names,
            has_more_columns: sample.has_more_columns(),
            columns: [None, Some(())].map(|header| sample.columns(header).into()),
            scratch: scratch.to_owned(),
            views: Mutex::new(Latest::new(MOST_JOBS)),
            summaries: Mutex::new(Latest::new(MOST_JOBS)),
        })
    }

    /// Tells whether the file is still the one that was opened.
    pub(crate) fn is_of(&self, stamp: FileVersion) -> bool {
        self.stamp == stamp
    }

    /// Waits until all rows are counted, but not longer than that.
    pub fn wait(&self, patience: Duration) {
        if let Some(text) = &self.text {
            text.work.wait(patience);
        }
    }

    /// The facts, with a header or without.
    pub fn facts(&self, header: Option<bool>) -> TableFacts {
        let known = self.rows.known();
        let header = self.has_names(header);
        let first = self.first_row(header);
        let text = self.text.as_ref().map(|counted| &counted.text);
        let index = text.map(|text| text.index());
        let problem = |of: fn(&RowIndex) -> Option<u64>| index.as_ref().and_then(|index| of(index)).map(|row| row + 1);
        let is_wide = text.is_some_and(|text| text.text.encoding != Encoding::Bytes);
        TableFacts {
            version: self.stamp.version(),
            size: self.stamp.size,
            rows: known.rows.saturating_sub(first),
            progress: known.progress,
            header,
            columns: Arc::clone(self.columns(header)),
            more_columns: self.has_more_columns,
            encoding: if is_wide { "UTF-16" } else { "UTF-8" },
            not_utf8: problem(|index| index.not_utf8),
            open_quote: problem(|index| index.open_quote),
            cut: problem(|index| index.cut),
        }
    }

    /// Fails if the counting of rows has failed: nobody would know how many there are.
    fn check(&self) -> Result<(), TableError> {
        let failure = self.text.as_ref().and_then(|text| text.work.standing().failure);
        failure.map_or(Ok(()), |failure| Err(TableError::Failed(failure)))
    }

    fn columns(&self, header: bool) -> &Arc<[Column]> {
        &self.columns[usize::from(header)]
    }

    /// Tells whether columns have names, if the asker has said whether the first row has them.
    fn has_names(&self, said: Option<bool>) -> bool {
        match self.names {
            ColumnNames::InFormat => true,
            guessed => said.unwrap_or(guessed == ColumnNames::InFirstRow),
        }
    }

    /// The first row of the file that has values.
    fn first_row(&self, has_names: bool) -> u64 {
        u64::from(has_names && self.names != ColumnNames::InFormat)
    }

    /// Returns rows of a view. Rows that pass a filter come one after the other; an order has none before its end.
    pub fn page(&self, request: &RowRequest) -> Result<RowPage, TableError> {
        self.check()?;
        let first_row = self.first_row(self.has_names(request.view.header));
        let count = request.count.min(MOST_ROWS);
        let columns = request.first..request.last.unwrap_or(MOST_COLUMNS).min(MOST_COLUMNS);
        if request.view.is_plain() {
            let rows = self.rows.range(first_row + request.from, count, columns, MOST_OF_FIELD)?;
            let known = self.rows.known();
            let rows: Vec<_> = bounded((request.from..).zip(rows));
            let count = known.rows.saturating_sub(first_row).max(request.from + rows.len() as u64);
            return Ok(RowPage {
                count: if rows.is_empty() { known.rows.saturating_sub(first_row) } else { count },
                rows,
                progress: 1.0,
            });
        }
        let job = self.view(&request.view)?;
        let standing = job.wait(request.patience);
        if let Some(failure) = standing.failure {
            return Err(TableError::Failed(failure));
        }
        let (numbers, known) = {
            let list = job.value();
            (list.range(request.from, count).map_err(TableError::io("read the order of the table"))?, list.len())
        };
        let numbers: Vec<u64> = numbers.into_iter().map(u64::from).collect();
        let fields = self.rows.rows(&numbers, columns, MOST_OF_FIELD)?;
        let rows = numbers.into_iter().map(|number| number - first_row).zip(fields);
        Ok(RowPage {
            rows: bounded(rows),
            count: known,
            progress: if standing.done { 1.0 } else { standing.progress.min(ALMOST) },
        })
    }

    /// The text of one field, up to a megabyte. The row is one of the file, from 0 without the one that names the columns.
    pub fn cell(&self, header: Option<bool>, row: u64, column: usize) -> Result<Option<String>, TableError> {
        let row = row.saturating_add(self.first_row(self.has_names(header)));
        let rows = self.rows.range(row, 1, column..column.saturating_add(1), MOST_OF_CELL)?;
        Ok(rows.into_iter().flatten().next())
    }

    /// Summarises a column in the shown rows; the work goes on when the asker does not wait.
    pub fn summary(&self, view: &RowView, column: usize, patience: Duration) -> Result<SummaryState, TableError> {
        let kind = self.known_column(view, column)?.kind;
        let view = RowView { order: None, ..view.clone() };
        let from = self.first_row(self.has_names(view.header));
        let key = (view.clone(), column);
        let job = locked(&self.summaries).get(key, || {
            let rows = Arc::clone(&self.rows);
            Ok(Job::start(None, move |job| summarise(job, &*rows, (&view, from), (column, kind))))
        })?;
        let standing = job.wait(patience);
        match (standing.failure, job.value().clone()) {
            (Some(failure), _) => Err(TableError::Failed(failure)),
            (None, Some(summary)) => Ok(SummaryState::Done(summary)),
            (None, None) => Ok(SummaryState::Working(standing.progress)),
        }
    }

    fn known_column(&self, view: &RowView, column: usize) -> Result<&Column, TableError> {
        let columns = self.columns(self.has_names(view.header));
        columns.get(column).ok_or(TableError::NoColumn { column: column + 1, columns: columns.len() })
    }

    /// The list of the rows of a view, on its way.
    fn view(&self, view: &RowView) -> Result<Arc<Job<RowList>>, TableError> {
        let kind = match &view.order {
            Some(order) => Some(self.known_column(view, order.column)?.kind),
            None => None,
        };
        for column in view.columns.keys() {
            self.known_column(view, *column)?;
        }
        locked(&self.views).get(view.clone(), || {
            let list = RowList::new(&self.scratch).map_err(TableError::io(SCRATCH))?;
            let from = self.first_row(self.has_names(view.header));
            let (rows, view) = (Arc::clone(&self.rows), view.clone());
            let scratch = self.scratch.clone();
            Ok(Job::start(list, move |job| match (view.order, kind) {
                (Some(order), Some(kind)) => {
                    let sorter = Sorter::new(&scratch).map_err(TableError::io(SCRATCH))?;
                    arrange(job, &*rows, &view, from, sorter, |text, key| {
                        write_key(text, kind, rows.numbers(), order.descending, key)
                    })
                }
                _ => select(job, &*rows, &view, from),
            }))
        })
    }
}

/// Tells whether the file begins as Parquet does.
fn is_parquet(source: &TableSource) -> Result<bool, TableError> {
    let mut magic = [0; MAGIC.len()];
    let count = source.read_at(0, &mut magic).map_err(TableError::io("read the table"))?;
    Ok(&magic[..count] == MAGIC)
}

impl CountedText {
    fn start(text: Arc<Delimited>) -> Self {
        let counted = Arc::clone(&text);
        let work = Job::start(Vec::new(), move |job| {
            counted.index_all(job.cancelled())?;
            let tail = counted.last_bytes()?;
            *job.value() = tail;
            Ok(())
        });
        Self { text, work }
    }
}

impl Drop for CountedText {
    fn drop(&mut self) {
        self.work.cancel();
    }
}

/// The first rows whose fields are not more bytes than fit into an answer; one at least.
fn bounded(rows: impl Iterator<Item = (u64, Vec<String>)>) -> Vec<(u64, Vec<String>)> {
    let mut bytes = 0;
    let fits = |(_, fields): &(u64, Vec<String>)| {
        let is_first = bytes == 0;
        bytes += 1 + fields.iter().map(|field| field.len() + 4).sum::<usize>();
        is_first || bytes <= MOST_BYTES
    };
    rows.take_while(fits).collect()
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
