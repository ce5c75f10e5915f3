//! The figures of a table of 1 GB: `cargo xtask bench table`. Its argument is a folder for the file.
#![expect(clippy::disallowed_methods, reason = "it makes the file that it measures")]

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use aside_table::{RowOrder, RowRequest, RowView, SummaryState, Table, Tables};

const BYTES: u64 = 1 << 30;
const PATIENCE: Duration = Duration::from_secs(600);

fn main() {
    let folder = std::env::args().nth(1).expect("the argument is a folder");
    let path = Path::new(&folder).join("large.csv");
    make(&path);
    let before = memory("VmRSS");
    let tables = Tables::new(folder.into());
    let start = Instant::now();
    let table = tables.open("large.csv", File::open(&path).expect("it was made")).expect("it is a table");
    let rows = page(&table, RowView::default(), 0).0;
    figure("table of 1 GB: first rows (ms)", milliseconds(start), "<=300");
    assert_eq!(rows, 100);
    table.wait(PATIENCE);
    figure("table of 1 GB: all rows counted (ms)", milliseconds(start), "");
    let total = table.facts(None).rows;
    let slowest =
        (0..50).map(|step| total / 50 * step).map(|from| page(&table, RowView::default(), from).1).fold(0.0, f64::max);
    figure("table of 1 GB: slowest of 50 places (ms)", slowest, "<=100");
    let high = RowView { columns: [(2, ">99.9".to_owned())].into(), ..RowView::default() };
    figure("table of 1 GB: filter by a number (ms)", page(&table, high, 0).1, "");
    let place = RowView { anywhere: "hamburg 17".to_owned(), ..RowView::default() };
    figure("table of 1 GB: filter anywhere (ms)", page(&table, place, 0).1, "");
    for (name, column) in [("a number", 2), ("a text", 1)] {
        let order = RowView { order: Some(RowOrder { column, descending: false }), ..RowView::default() };
        figure(&format!("table of 1 GB: order by {name} (ms)"), page(&table, order, 0).1, "");
    }
    let start = Instant::now();
    let summary = table.summary(&RowView::default(), 2, PATIENCE).expect("it is counted");
    assert!(matches!(summary, SummaryState::Done(summary) if summary.count == total));
    figure("table of 1 GB: summary of a column (ms)", milliseconds(start), "");
    figure("table of 1 GB: most memory (MB)", (memory("VmHWM") - before) / 1000.0, "<=100");
    fs::remove_file(&path).expect("it was made");
}

/// Rows of a day, a place, a height and a note.
fn make(path: &Path) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file can be made"));
    let mut written = 0;
    let mut random: u64 = 7;
    writeln!(file, "time,place,height,note").expect("there is room");
    while written < BYTES {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (one, two) = ((random >> 33) % 100_000, (random >> 20) % 1_000);
        let place = ["Cuxhaven", "Hamburg", "Kiel", "Bremen"][usize::try_from(two % 4).expect("it is small")];
        let note = if one % 50 == 0 { "\"high, very high\"" } else { "" };
        let line = format!(
            "2026-11-28 {:02}:{:02},{place} {two},{}.{},{note}\n",
            two % 24,
            one % 60,
            one / 1_000,
            one % 1_000
        );
        file.write_all(line.as_bytes()).expect("there is room");
        written += line.len() as u64;
    }
    file.flush().expect("there is room");
}

/// The number of rows of a page, and the milliseconds until it was there.
fn page(table: &Table, view: RowView, from: u64) -> (usize, f64) {
    let start = Instant::now();
    let request = RowRequest { view, from, count: 100, patience: PATIENCE, ..RowRequest::default() };
    let page = table.page(&request).expect("rows are read");
    (page.rows.len(), milliseconds(start))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// Kilobytes of this process, by a line of its status.
fn memory(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().nth(1)?.parse().ok());
    line.unwrap_or_default()
}

fn figure(name: &str, value: f64, limit: &str) {
    println!("{name}\t{value}\t{limit}\t\t");
}
