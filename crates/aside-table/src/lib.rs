//! Tables of any size: rows by range, columns, order, filters and summaries.
//!
//! No file is ever whole in memory: rows are read from the file when they are asked for, orders and filters are lists of row numbers in a
//! scratch file, and long work runs on threads of its own, with progress. Who may read a file, and where it is, its caller knows.

mod columns;
mod cursor;
mod delimited;
mod dialect;
mod error;
mod fields;
mod filter;
mod jobs;
mod parquet;
mod row_index;
mod row_list;
mod rows;
mod sort;
mod sort_key;
mod source;
mod summary;
mod table;
mod tables;
mod text;
mod values;

pub use columns::{Column, MOST_COLUMNS};
pub use error::TableError;
pub use filter::{RowOrder, RowView};
pub use source::TableSource;
pub use summary::{NumberSummary, Summary, SummaryState};
pub use table::{RowPage, RowRequest, Table, TableFacts};
pub use tables::Tables;
pub use values::ColumnKind;
