//! The work on a view: the list of its rows.

use crate::{RowView, TableError, filter::Filters, jobs::Job, row_list::RowList, rows::Rows, sort::Sorter};

pub(super) const SCRATCH: &str = "write the order of the table to the scratch folder";

/// Lists the rows that pass the filters of a view.
pub(super) fn select(job: &Job<RowList>, rows: &dyn Rows, view: &RowView, from: u64) -> Result<(), TableError> {
    let filters = Filters::of(view, rows.numbers());
    rows.walk(from, &filters.columns().unwrap_or_default(), &mut |row, share, fields| {
        if filters.pass(fields) {
            job.value().push(short(row)?).map_err(TableError::io(SCRATCH))?;
        }
        job.goes_on(row, share)
    })
}

/// Lists them in the order of a column.
pub(super) fn arrange(
    job: &Job<RowList>,
    rows: &dyn Rows,
    view: &RowView,
    from: u64,
    mut sorter: Sorter,
    mut write_key: impl FnMut(&str, &mut Vec<u8>) -> bool,
) -> Result<(), TableError> {
    let filters = Filters::of(view, rows.numbers());
    let column = view.order.map(|order| order.column).unwrap_or_default();
    let columns = filters.columns().map(|columns| [columns, vec![column]].concat()).unwrap_or_default();
    let mut key = Vec::new();
    rows.walk(from, &columns, &mut |row, share, fields| {
        if filters.pass(fields) {
            let pushed = match write_key(&fields.field(column), &mut key) {
                true => sorter.push(short(row)?, &key),
                false => sorter.push_last(short(row)?),
            };
            pushed.map_err(TableError::io(SCRATCH))?;
        }
        job.goes_on(row, share)
    })?;
    let mut listed = 0;
    sorter.finish(|row| {
        job.goes_on(listed, 1.0)?;
        listed += 1;
        job.value().push(row).map_err(TableError::io(SCRATCH))
    })
}

fn short(row: u64) -> Result<u32, TableError> {
    u32::try_from(row).map_err(|_| TableError::TooManyRows)
}
