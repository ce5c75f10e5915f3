//! The columns of a table: names, kinds and widths, from its first rows.

use std::collections::HashSet;

use crate::{
    TableError,
    rows::Rows,
    values::{ColumnKind, NumberStyle, kind_of, number_in},
};

/// The most columns that are shown.
pub const MOST_COLUMNS: usize = 2_000;
/// Rows that are looked at, their bytes all in all, and of a field.
const SAMPLE_ROWS: usize = 200;
const SAMPLE: usize = 2 << 20;
/// Rows that are read at a time.
const STEP: usize = 20;
const SAMPLE_FIELD: usize = 200;
/// Rows whose number of fields counts.
const COUNTED: usize = 20;
const NARROWEST: usize = 5;
const WIDEST: usize = 40;
/// Letters that a button beside a name needs.
const BESIDE: usize = 3;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name; `Column 3` without one.
    pub name: String,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// Its width in letters.
    pub width: usize,
}

/// The first rows of a table.
pub(crate) struct Sample {
    /// The names of a format that has names.
    names: Option<Vec<String>>,
    rows: Vec<Vec<String>>,
    style: NumberStyle,
}

impl Sample {
    pub fn of(rows: &dyn Rows) -> Result<Self, TableError> {
        let mut sample = Self { names: rows.names(), rows: Vec::new(), style: rows.numbers() };
        let mut left = SAMPLE;
        let size = |row: &Vec<String>| row.iter().map(|field| field.len() + size_of::<String>()).sum::<usize>();
        // Columns of pages are read from the beginning each time.
        let step = if sample.names.is_some() { SAMPLE_ROWS } else { STEP };
        while sample.rows.len() < SAMPLE_ROWS && left > 0 {
            let more = rows.range(sample.rows.len() as u64, step, 0..MOST_COLUMNS + 1, SAMPLE_FIELD)?;
            if more.is_empty() {
                break;
            }
            left = left.saturating_sub(more.iter().map(size).sum());
            sample.rows.extend(more);
        }
        Ok(sample)
    }

    /// Tells whether the first row names the columns: each name is another one, and no number. The first may be empty, as that of an
    /// index is.
    pub fn has_header(&self) -> bool {
        let [names, _, ..] = &self.rows[..] else { return false };
        let is_name = |(at, name): (usize, &String)| {
            (!name.trim().is_empty() || (at == 0 && names.len() > 1)) && number_in(name, self.style).is_none()
        };
        names.iter().enumerate().all(is_name) && names.iter().collect::<HashSet<_>>().len() == names.len()
    }

    /// Tells whether there are more columns than are shown.
    pub fn has_more_columns(&self) -> bool {
        let named = self.names.as_ref().is_some_and(|names| names.len() > MOST_COLUMNS);
        named || self.rows.iter().take(COUNTED).any(|row| row.len() > MOST_COLUMNS)
    }

    /// The columns with the names of the first row, or without names.
    pub fn columns(&self, header: Option<()>) -> Vec<Column> {
        let from = usize::from(header.is_some() && self.names.is_none()).min(self.rows.len());
        let (first, rows) = self.rows.split_at(from);
        let names = self.names.as_ref().or(first.first()).map(Vec::as_slice).unwrap_or_default();
        let counts = rows.iter().take(COUNTED).map(Vec::len).chain([names.len(), 1]);
        let count = counts.max().unwrap_or(1).min(MOST_COLUMNS);
        (0..count).map(|at| column(at, names.get(at), rows, self.style)).collect()
    }
}

fn column(at: usize, name: Option<&String>, rows: &[Vec<String>], style: NumberStyle) -> Column {
    let name = name.map(|name| name.trim()).filter(|name| !name.is_empty());
    let name = name.map_or_else(|| format!("Column {}", at + 1), str::to_owned);
    let fields = || rows.iter().filter_map(|row| row.get(at)).map(String::as_str);
    let longest = fields().map(|field| field.chars().count()).chain([name.chars().count() + BESIDE]).max();
    let width = longest.unwrap_or_default().clamp(NARROWEST, WIDEST);
    Column { kind: kind_of(fields(), style), name, width }
}
