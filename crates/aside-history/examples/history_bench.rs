//! Indexes the logs below a home and says what it took, a JSON line each time: `history_bench HOME DATA [day]`.

use std::time::Instant;

use aside_history::{Effort, Filter, Index, Period, Source, find, import, periods, zone};
use aside_prices::Prices;
use aside_store::DataFolder;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, home, data] = &arguments[..] else { panic!("usage: history_bench HOME DATA") };
    let started = Instant::now();
    let mut index = Index::open(&DataFolder::at(data)).expect("the index opens");
    let sources: Vec<Source> = Source::all().collect();
    let places = find(&sources, |name| (name == "HOME").then(|| home.clone()));
    let imported = import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).expect("logs are read");
    let read = started.elapsed();
    let utc = zone(Some("UTC")).expect("UTC is a zone");
    let report = periods(&index, Period::Day, &Filter::default(), &utc).expect("the index answers");
    let line = serde_json::json!({
        "files": imported.files, "read": imported.read, "bytes": imported.bytes, "problems": imported.problems,
        "import_ms": read.as_millis(), "report_ms": (started.elapsed() - read).as_millis(), "totals": report.totals,
    });
    println!("{line}");
}
