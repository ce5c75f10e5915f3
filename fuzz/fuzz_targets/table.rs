//! Any bytes are a table, or a failure: rows are the same in parts and as a whole, and orders and filters lose none.
#![cfg_attr(fuzzing, no_main)]

use std::{collections::BTreeSet, time::Duration};

use aside_fuzz::fuzz_target;
use aside_table::{RowOrder, RowRequest, RowView, Tables};

const PATIENCE: Duration = Duration::from_secs(60);

fuzz_target!(|bytes: &[u8]| {
    let Some((&[from], bytes)) = bytes.split_first_chunk::<1>() else { return };
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let tables = Tables::new(scratch.path().to_owned());
    let Ok(table) = tables.of_bytes("any.csv", bytes.to_vec()) else { return };
    table.wait(PATIENCE);
    let facts = table.facts(None);
    let page = |view: RowView, from, count| {
        let request = RowRequest { view, from, count, patience: PATIENCE, ..RowRequest::default() };
        table.page(&request).map(|page| page.rows)
    };
    let Ok(whole) = page(RowView::default(), 0, 1_000) else { return };
    assert!(whole.len() as u64 <= facts.rows && facts.columns.len() <= 2_000);
    if let Ok(part) = page(RowView::default(), from.into(), 3) {
        assert!(part.iter().zip(whole.iter().skip(from.into())).all(|(one, two)| one == two));
    }
    let sorted = RowView { order: Some(RowOrder { column: 0, descending: from > 128 }), ..RowView::default() };
    if let Ok(sorted) = page(sorted, 0, 1_000) {
        let numbers: BTreeSet<u64> = sorted.iter().map(|(row, _)| *row).collect();
        assert_eq!(numbers.len(), sorted.len());
    }
    let anywhere = RowView { anywhere: "a".to_owned(), ..RowView::default() };
    let _ = page(anywhere, 0, 10);
    let _ = table.summary(&RowView::default(), 0, PATIENCE);
});
