//! Tables as actions and pages read them.

use std::{
    fs::{File, OpenOptions},
    io::Write as _,
    time::Duration,
};

use aside_table::{ColumnKind, RowOrder, RowRequest, RowView, SummaryState, Table, TableError, Tables};
use proptest::prelude::*;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);
const TIDES: &str = "place,height,note\nCuxhaven,3.1,high\nHamburg,NA,\nBremen,10,\"low, very\"\nkiel,-2,high\n";

/// A table of bytes, all counted, and its scratch folder.
fn table_of(name: &str, bytes: impl Into<Vec<u8>>) -> (Table, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let table = Tables::new(folder.path().to_owned()).of_bytes(name, bytes.into()).unwrap();
    table.wait(PATIENCE);
    (table, folder)
}

fn all() -> RowRequest {
    RowRequest { count: 1_000, patience: PATIENCE, ..RowRequest::default() }
}

fn rows(table: &Table, request: &RowRequest) -> Vec<String> {
    let rows = table.page(request).unwrap().rows;
    rows.into_iter().map(|(row, fields)| format!("{row}: {}", fields.join("|"))).collect()
}

fn viewed(table: &Table, view: RowView) -> Vec<String> {
    rows(table, &RowRequest { view, ..all() })
}

fn by(column: usize, descending: bool) -> RowView {
    RowView { order: Some(RowOrder { column, descending }), ..RowView::default() }
}

#[test]
fn table_has_columns_and_rows() {
    let (table, _folder) = table_of("tides.csv", TIDES);
    let facts = table.facts(None);
    assert_eq!((facts.rows, facts.progress, facts.header, facts.size), (4, 1.0, true, TIDES.len() as u64));
    let columns: Vec<_> =
        facts.columns.iter().map(|column| (column.name.as_str(), column.kind, column.width)).collect();
    let [text, number] = [ColumnKind::Text, ColumnKind::Number];
    assert_eq!(columns, [("place", text, 8), ("height", number, 9), ("note", text, 9)]);
    assert_eq!(rows(&table, &all())[2], "2: Bremen|10|low, very");
    let part = RowRequest { from: 1, count: 2, first: 1, last: Some(2), ..all() };
    assert_eq!(rows(&table, &part), ["1: NA", "2: 10"]);
    assert_eq!(table.cell(None, 2, 2).unwrap().as_deref(), Some("low, very"));
    let plain = RowView { header: Some(false), ..RowView::default() };
    assert_eq!(viewed(&table, plain)[0], "0: place|height|note");
    assert_eq!(table.facts(Some(false)).columns[1].name, "Column 2");
}

#[test]
fn rows_have_the_order_of_a_column() {
    let (table, _folder) = table_of("tides.csv", TIDES);
    let firsts = |view| viewed(&table, view).into_iter().map(|row| row[..1].to_owned()).collect::<String>();
    assert_eq!(firsts(by(0, false)), "2013");
    assert_eq!(firsts(by(1, false)), "3021");
    assert_eq!(firsts(by(1, true)), "2031");
    let error = table.page(&RowRequest { view: by(3, false), ..all() }).unwrap_err();
    assert!(matches!(error, TableError::NoColumn { column: 4, columns: 3 }), "{error}");
}

#[test]
fn filters_choose_rows() {
    let (table, _folder) = table_of("tides.csv", TIDES);
    let anywhere = |text: &str| RowView { anywhere: text.to_owned(), ..RowView::default() };
    let column = |column, text: &str| RowView { columns: [(column, text.to_owned())].into(), ..RowView::default() };
    assert_eq!(viewed(&table, anywhere("HIGH")), ["0: Cuxhaven|3.1|high", "3: kiel|-2|high"]);
    assert_eq!(viewed(&table, column(1, ">0")).len(), 2);
    assert_eq!(viewed(&table, column(1, "=")), ["1: Hamburg|NA|"]);
    let both = RowView { order: by(0, true).order, ..column(2, "high") };
    assert_eq!(viewed(&table, both), ["3: kiel|-2|high", "0: Cuxhaven|3.1|high"]);
    assert_eq!(viewed(&table, anywhere("no such words")), [""; 0]);
}

#[test]
fn summary_counts_the_shown_rows() {
    let (table, _folder) = table_of("tides.csv", TIDES);
    let SummaryState::Done(summary) = table.summary(&RowView::default(), 1, PATIENCE).unwrap() else { panic!() };
    let numbers = summary.numbers.unwrap();
    assert_eq!((summary.count, summary.empty, summary.distinct), (4, 1, Some(3)));
    assert_eq!((numbers.min, numbers.max, numbers.mean), (-2.0, 10.0, (3.1 + 10.0 - 2.0) / 3.0));
    let high = RowView { anywhere: "high".to_owned(), ..RowView::default() };
    let SummaryState::Done(summary) = table.summary(&high, 2, PATIENCE).unwrap() else { panic!() };
    assert_eq!((summary.count, summary.top), (2, vec![("high".to_owned(), 2)]));
}

#[test]
fn other_encodings_and_delimiters_are_read() {
    let (latin, _folder) = table_of("a.csv", b"name;wert\ncaf\xe9;1,5\nK\xc3\xb6ln;2\n".to_vec());
    assert_eq!(rows(&latin, &all()), ["0: café|1,5", "1: Köln|2"]);
    let facts = latin.facts(None);
    assert_eq!((facts.not_utf8, facts.columns[1].kind), (Some(2), ColumnKind::Number));
    for little in [true, false] {
        let units = "\u{feff}a\tb\r\n\"ü\n😀\"\t2\r\n".encode_utf16();
        let bytes = units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
        let (wide, _folder) = table_of("a.csv", bytes.collect::<Vec<u8>>());
        assert_eq!((rows(&wide, &all()), wide.facts(None).encoding), (vec!["0: ü\n😀|2".to_owned()], "UTF-16"));
    }
    let (marked, _folder) = table_of("a.csv", "\u{feff}\"x\";y\n1;2\n");
    assert_eq!(marked.facts(None).columns[0].name, "x");
}

#[test]
fn line_ends_and_open_quotes_are_read() {
    let (table, _folder) = table_of("a.csv", "a\rb\r\nc\n\nd\n");
    assert_eq!(rows(&table, &all()), ["0: b", "1: c", "2: ", "3: d"]);
    let (open, _folder) = table_of("a.csv", "a,b\nc,\"open\nd,e\n");
    assert_eq!(rows(&open, &all()), ["0: c|\"open", "1: d|e"]);
    assert_eq!(open.facts(None).open_quote, Some(2));
    let (empty, _folder) = table_of("a.csv", "");
    assert_eq!((rows(&empty, &all()).len(), empty.facts(None).rows), (0, 0));
}

#[test]
fn very_long_rows_are_cut() {
    let long = format!("a,b\n{},y\n\"{}\",2\n\"{}", "x".repeat(20 << 20), "q\n".repeat(3 << 20), "é".repeat(9 << 20));
    let (table, _folder) = table_of("a.csv", format!("{long}\n1,\"2\"\n"));
    let page = table.page(&all()).unwrap();
    assert_eq!(page.rows[0].1.len(), 1);
    assert_eq!(page.rows[0].1[0].chars().count(), 2_001);
    assert!(page.rows[1].1[0].starts_with("\"q"), "{}", page.rows[1].1[0].len());
    assert_eq!((page.rows[3].1.clone(), table.facts(None).cut), (vec!["1".to_owned(), "2".to_owned()], Some(2)));
    assert_eq!(table.facts(None).open_quote, Some(4));
}

#[test]
fn million_columns_are_bounded() {
    let (table, _folder) = table_of("a.csv", format!("{}\n{}\n", ",".repeat(1_000_000), ",".repeat(1_000_000)));
    let facts = table.facts(None);
    assert_eq!((facts.columns.len(), facts.more_columns, facts.rows), (2_000, true, 2));
    assert_eq!(table.page(&all()).unwrap().rows[0].1.len(), 2_000);
}

fn appended(path: &std::path::Path, text: &str) {
    OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test changes a file as another program does")]
fn changed_file_is_another_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let tables = Tables::new(folder.path().to_owned());
    let open = || tables.open("log.csv", File::open(&path).unwrap()).unwrap();
    appended(&path, &format!("n,word\n{}", "1,x\n".repeat(1_000)));
    let first = open();
    first.wait(PATIENCE);
    assert!(std::sync::Arc::ptr_eq(&first, &open()));
    appended(&path, "2,last\n");
    let grown = open();
    grown.wait(PATIENCE);
    assert_eq!((first.facts(None).rows, grown.facts(None).rows), (1_000, 1_001));
    let last = RowRequest { from: 1_000, ..all() };
    assert_eq!(rows(&grown, &last), ["1000: 2|last"]);
    File::options().write(true).open(&path).unwrap().set_len(20).unwrap();
    let error = grown.page(&RowRequest { view: by(0, false), ..all() }).unwrap_err();
    assert_eq!(error.failure().code, "changed");
    let cut = open();
    cut.wait(PATIENCE);
    assert_eq!(cut.facts(None).rows, 4);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn written_fields_are_read_back(table in prop::collection::vec(prop::collection::vec("[a-c\",\n\ré ]{0,6}", 2..5), 1..60)) {
        let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",");
        let text: String = table.iter().map(|row| line(row) + "\r\n").collect();
        let (read, _folder) = table_of("a.csv", text);
        let plain = RowRequest { view: RowView { header: Some(false), ..RowView::default() }, ..all() };
        let rows: Vec<_> = read.page(&plain).unwrap().rows.into_iter().map(|(_, fields)| fields).collect();
        prop_assert_eq!(rows, table);
    }

    #[test]
    fn any_text_is_read_in_parts(text in "[ab,\"\n\r]{0,200}\n", from in 0_u64..400, times in 1_usize..50) {
        let (read, _folder) = table_of("a.csv", text.repeat(times));
        let plain = |from, count| RowRequest { from, count, view: RowView { header: Some(false), ..RowView::default() }, ..all() };
        let whole = read.page(&plain(0, 1_000)).unwrap().rows;
        let part = read.page(&plain(from, 5)).unwrap().rows;
        let from = (from as usize).min(whole.len());
        prop_assert!(read.facts(Some(false)).rows >= whole.len() as u64);
        prop_assert_eq!(&part[..], &whole[from..(from + 5).min(whole.len()).max(from)]);
    }
}
