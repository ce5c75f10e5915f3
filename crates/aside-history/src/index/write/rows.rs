//! Rows of one table, many in one statement: opening a table and its indexes takes longer than writing a row into them, and a row that
//! follows the last one of an index is put behind it without looking for its place.

use std::sync::OnceLock;

use aside_store::sql::{Error, ToSql, ToSqlOutput, Transaction, ValueRef};

/// Rows of a statement: the first that are left, as often as there are so many.
const SIZES: [usize; 3] = [16, 4, 1];

/// A statement that writes rows of so many columns. It is to be one that stops at the first row that can't be written (`OR FAIL`, `OR IGNORE`):
/// else SQLite keeps each page as it was before the statement. The transaction is given up then.
pub struct Rows<const COLUMNS: usize> {
    head: &'static str,
    statements: OnceLock<[String; SIZES.len()]>,
}

/// What stands in a row.
#[derive(Clone, Copy)]
pub struct Cell<'c>(ValueRef<'c>);

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Self(ValueRef::Integer(number))
    }
}

impl<'c> From<&'c str> for Cell<'c> {
    fn from(text: &'c str) -> Self {
        Self(ValueRef::Text(text.as_bytes()))
    }
}

impl<'c, T: Into<Self>> From<Option<T>> for Cell<'c> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self(ValueRef::Null), Into::into)
    }
}

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, Error> {
        Ok(ToSqlOutput::Borrowed(self.0))
    }
}

impl<const COLUMNS: usize> Rows<COLUMNS> {
    /// By the statement up to its rows.
    pub const fn of(head: &'static str) -> Self {
        Self { head, statements: OnceLock::new() }
    }

    /// Writes so many rows; returns the number of the first, which the others follow where the table gives numbers.
    pub fn put<'r>(
        &self,
        transaction: &Transaction<'_>,
        count: usize,
        mut row: impl FnMut(usize) -> Result<[Cell<'r>; COLUMNS], Error>,
    ) -> Result<i64, Error> {
        let (mut next, mut first) = (0, None);
        for (size, sql) in SIZES.into_iter().zip(self.statements()) {
            if count - next < size {
                continue;
            }
            let mut put = transaction.prepare_cached(sql)?;
            while count - next >= size {
                for place in 0..size {
                    for (column, cell) in row(next + place)?.into_iter().enumerate() {
                        put.raw_bind_parameter(place * COLUMNS + column + 1, cell)?;
                    }
                }
                put.raw_execute()?;
                next += size;
                let before_last = i64::try_from(size - 1).unwrap_or(i64::MAX);
                first.get_or_insert_with(|| transaction.last_insert_rowid() - before_last);
            }
        }
        Ok(first.unwrap_or(0))
    }

    fn statements(&self) -> &[String; SIZES.len()] {
        self.statements.get_or_init(|| {
            let row = format!("({})", ["?"; COLUMNS].join(", "));
            SIZES.map(|size| format!("{} {}", self.head, vec![row.as_str(); size].join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use aside_store::DataFolder;

    use super::*;
    use crate::Index;

    #[test]
    fn rows_are_all_written_in_their_order_and_numbered_one_after_the_other() {
        static MODELS: Rows<1> = Rows::of("INSERT OR FAIL INTO model (name) VALUES");
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let transaction = index.connection_mut().transaction().unwrap();
        let mut next = 1;
        for count in [0, 1, 3, 4, 16, 43] {
            let names: Vec<String> = (0..count).map(|number| format!("{count} {number}")).collect();
            let first = MODELS.put(&transaction, names.len(), |row| Ok([Cell::from(&*names[row])])).unwrap();
            assert_eq!(first, if names.is_empty() { 0 } else { next });
            for name in &names {
                let sql = "SELECT id FROM model WHERE name = ?";
                let id: i64 = transaction.query_row(sql, [name], |row| row.get(0)).unwrap();
                assert_eq!(id, next);
                next += 1;
            }
        }
        assert!(MODELS.put(&transaction, 2, |_| Ok([Cell::from("one name")])).is_err());
    }
}
