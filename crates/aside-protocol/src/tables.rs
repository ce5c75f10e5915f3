//! Tables: rows by range, summaries and whole fields of delimited files.

use aside_core::TS;
use aside_core::WorkspacePath;
use serde::{Deserialize, Serialize};

/// The body of `POST tables/rows`. The answer is [`TableRows`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReadTable {
    /// The file.
    pub path: WorkspacePath,
    /// The shown rows and their order.
    #[serde(default)]
    #[ts(as = "Option<TableView>", optional)]
    pub view: TableView,
    /// The first row, counted in the shown rows from 0.
    #[serde(default)]
    #[ts(as = "Option<u32>", optional)]
    pub from: u64,
    /// How many rows; 1,000 at most.
    pub rows: u32,
    /// The first column; from 0.
    #[serde(default)]
    #[ts(as = "Option<u32>", optional)]
    pub first: u32,
    /// The column behind the last; all without one.
    #[serde(default)]
    #[ts(optional)]
    pub last: Option<u32>,
    /// The version whose columns the asker has. The answer has them for another one only.
    #[serde(default)]
    #[ts(optional)]
    pub known: Option<String>,
}

/// The shown rows of a table, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct TableView {
    /// The first row names the columns; guessed if nobody says.
    #[ts(optional)]
    pub header: Option<bool>,
    /// The order; as in the file without one.
    #[ts(optional)]
    pub order: Option<TableOrder>,
    /// A filter that any field may pass.
    #[ts(as = "Option<String>", optional)]
    pub anywhere: String,
    /// Filters of columns: words, `=` for all of the field, `!` for fields without the words, `>`, `>=`, `<`, `<=`.
    #[ts(as = "Option<Vec<ColumnFilter>>", optional)]
    pub filters: Vec<ColumnFilter>,
}

/// The order of rows by a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TableOrder {
    /// The column, from 0.
    pub column: u32,
    /// The largest first.
    pub descending: bool,
}

/// The filter of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ColumnFilter {
    /// The column, from 0.
    pub column: u32,
    /// The filter.
    pub text: String,
}

/// Rows of a table, and facts about it as far as it has been read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TableRows {
    /// Differs between versions of the file, and with and without a header.
    pub version: String,
    /// Bytes of the file.
    #[ts(type = "number")]
    pub size: u64,
    /// Rows that are known, without the one that names the columns.
    #[ts(type = "number")]
    pub total: u64,
    /// The share of the file that has been read, from 0 to 1.
    pub progress: f64,
    /// The first row names the columns.
    pub header: bool,
    /// The columns, 2,000 at most, for an asker that does not know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub columns: Option<Vec<TableColumn>>,
    /// There are more columns.
    pub more_columns: bool,
    /// `UTF-8` or `UTF-16`.
    pub encoding: String,
    /// The first row with bytes that are not UTF-8, from 1. Its fields are read as Windows-1252.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub not_utf8: Option<u64>,
    /// The first row with a quote that never ends, from 1. It is read as a letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub open_quote: Option<u64>,
    /// The first row of which only the first megabyte is read, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub cut: Option<u64>,
    /// The shown rows that are known.
    #[ts(type = "number")]
    pub count: u64,
    /// The share of the work on order and filters that is done.
    pub work: f64,
    /// The rows.
    pub rows: Vec<TableRow>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// The kind of its values.
    pub kind: TableColumnKind,
    /// Its width in letters.
    pub width: u32,
}

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TableColumnKind {
    /// Most values are numbers.
    Number,
    /// Anything else.
    Text,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableRow {
    /// Its number in the file, from 0 without the row that names the columns.
    #[ts(type = "number")]
    pub row: u64,
    /// The fields, each cut after 2,000 bytes.
    pub fields: Vec<String>,
}

/// The body of `POST tables/summary`. The answer is [`TableSummary`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SummariseColumn {
    /// The file.
    pub path: WorkspacePath,
    /// The rows that count.
    #[serde(default)]
    #[ts(as = "Option<TableView>", optional)]
    pub view: TableView,
    /// The column, from 0.
    pub column: u32,
}

/// A summary of a column, or how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TableSummary {
    /// The share of the file that has been looked through.
    pub progress: f64,
    /// The summary, once it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub facts: Option<ColumnFacts>,
}

/// Facts about the values of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ColumnFacts {
    /// Rows.
    #[ts(type = "number")]
    pub count: u64,
    /// Fields without a value.
    #[ts(type = "number")]
    pub empty: u64,
    /// Different values, unless they are more than are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub distinct: Option<u64>,
    /// The most frequent values, the most frequent first.
    #[ts(type = "[string, number][]")]
    pub top: Vec<(String, u64)>,
    /// The numbers of a column of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub numbers: Option<ColumnNumbers>,
}

/// The numbers of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ColumnNumbers {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// How many are in each of equal parts from the smallest to the largest.
    #[ts(type = "number[]")]
    pub bins: Vec<u64>,
}

/// The body of `POST tables/cell`. The answer is [`TableCell`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReadCell {
    /// The file.
    pub path: WorkspacePath,
    /// The first row names the columns; guessed if nobody says.
    #[serde(default)]
    #[ts(optional)]
    pub header: Option<bool>,
    /// The row of the file, from 0 without the one that names the columns.
    #[ts(type = "number")]
    pub row: u64,
    /// The column, from 0.
    pub column: u32,
}

/// The text of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableCell {
    /// The text, up to a megabyte.
    pub text: String,
}
