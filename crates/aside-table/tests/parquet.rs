//! Parquet files, whole and damaged.

use std::{sync::Arc, time::Duration};

use aside_table::{RowOrder, RowRequest, RowView, SummaryState, Table, TableError, Tables};
use parquet::{
    basic::Compression,
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use proptest::prelude::*;

const PATIENCE: Duration = Duration::from_secs(60);
const SCHEMA: &str = "message tides {
    required int64 id;
    optional binary place (UTF8);
    optional int32 day (DATE);
    optional group heights (LIST) { repeated group list { optional double element; } }
}";

/// A file of groups of ten rows.
fn tides(groups: i64, compression: Compression) -> Vec<u8> {
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut bytes = Vec::new();
    let mut file =
        SerializedFileWriter::new(&mut bytes, Arc::new(parse_message_type(SCHEMA).unwrap()), properties).unwrap();
    for group in 0..groups {
        let mut rows = file.next_row_group().unwrap();
        while let Some(mut column) = rows.next_column().unwrap() {
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(writer) => {
                    let ids: Vec<i64> = (group * 10..group * 10 + 10).collect();
                    writer.write_batch(&ids, None, None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    let places = ["Kiel", "Bremen", "Kiel", "Köln", "Kiel"].map(ByteArray::from);
                    writer.write_batch(&places, Some(&[1, 0, 1, 0, 1, 0, 1, 0, 1, 0]), None).unwrap();
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    writer.write_batch(&[20_785; 10], Some(&[1; 10]), None).unwrap();
                }
                ColumnWriter::DoubleColumnWriter(writer) => {
                    // [0.5, null, 1.5], nothing, an empty list, and seven lists of one.
                    let defs = [3, 2, 3, 0, 1, 3, 3, 3, 3, 3, 3, 3];
                    let reps = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
                    writer
                        .write_batch(&[0.5, 1.5, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0], Some(&defs), Some(&reps))
                        .unwrap();
                }
                _ => unreachable!(),
            }
            column.close().unwrap();
        }
        rows.close().unwrap();
    }
    file.close().unwrap();
    bytes
}

fn opened(bytes: Vec<u8>) -> Result<(Table, tempfile::TempDir), TableError> {
    let folder = tempfile::tempdir().unwrap();
    let table = Tables::new(folder.path().to_owned()).of_bytes("tides.parquet", bytes)?;
    Ok((table, folder))
}

fn rows(table: &Table, view: RowView, from: u64, count: usize) -> Vec<String> {
    let request = RowRequest { view, from, count, patience: PATIENCE, ..RowRequest::default() };
    let rows = table.page(&request).unwrap().rows;
    rows.into_iter().map(|(row, fields)| format!("{row}: {}", fields.join("|"))).collect()
}

#[test]
fn row_groups_are_read_in_parts() {
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
        let (table, _folder) = opened(tides(3, compression)).unwrap();
        let facts = table.facts(None);
        let names: Vec<_> = facts.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((names, facts.rows), (vec!["id", "place", "day", "heights"], 30));
        assert_eq!(
            rows(&table, RowView::default(), 9, 4),
            [
                "9: 9||2026-11-28|[2]",
                "10: 10|Kiel|2026-11-28|[0.5, , 1.5]",
                "11: 11||2026-11-28|",
                "12: 12|Bremen|2026-11-28|[]"
            ]
        );
        assert_eq!(rows(&table, RowView::default(), 29, 9).len(), 1);
        assert_eq!(table.cell(None, 12, 1).unwrap().as_deref(), Some("Bremen"));
    }
}

#[test]
fn columns_are_sorted_filtered_and_counted() {
    let (table, _folder) = opened(tides(3, Compression::SNAPPY)).unwrap();
    let order = Some(RowOrder { column: 0, descending: true });
    let kiel = RowView { order, columns: [(1, "=kiel".to_owned())].into(), ..RowView::default() };
    let ids: Vec<_> = rows(&table, kiel.clone(), 0, 4).iter().map(|row| row[..2].to_owned()).collect();
    assert_eq!(ids, ["28", "24", "20", "18"]);
    let anywhere = RowView { anywhere: "köln".to_owned(), ..RowView::default() };
    assert_eq!(rows(&table, anywhere, 0, 9).len(), 3);
    let SummaryState::Done(summary) = table.summary(&kiel, 0, PATIENCE).unwrap() else { panic!() };
    assert_eq!((summary.count, summary.numbers.unwrap().max), (9, 28.0));
}

#[test]
fn torn_files_are_refused() {
    let whole = tides(1, Compression::SNAPPY);
    for end in [4, 8, 12, whole.len() / 2, whole.len() - 1] {
        let error = opened(whole[..end].to_vec()).map(drop).unwrap_err();
        assert_eq!(error.failure().code, "damaged_table", "{end}");
    }
    let mut long = whole.clone();
    let at = long.len() - 8;
    long[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = opened(long).map(drop).unwrap_err().to_string();
    assert!(error.contains("its description can't be 4294967295 bytes long"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_end_in_errors(at in 0_usize..4_000, value: u8, more in 0_usize..4_000, another: u8) {
        let mut bytes = tides(2, Compression::SNAPPY);
        let length = bytes.len();
        bytes[4 + at % (length - 4)] = value;
        bytes[4 + more % (length - 4)] = another;
        if let Ok((table, _folder)) = opened(bytes) {
            let request = RowRequest { count: 100, patience: PATIENCE, ..RowRequest::default() };
            let _ = table.page(&request);
            let sorted = RowView { order: Some(RowOrder { column: 0, descending: false }), ..RowView::default() };
            let _ = table.page(&RowRequest { view: sorted, ..request });
        }
    }
}
