//! Indexes the logs below a home and says what it took, a JSON line each time: `history_bench HOME DATA` for the index and the report of all
//! days, `… words` for the words of what was said, `… line LOG` for what is new in one log, `… tools` for every question.

use std::{path::Path, time::Instant};

use aside_history::{
    Asking, Effort, Filter, History, Index, Period, Source, TOOLS, answer, find, import, periods, zone,
};
use aside_prices::Prices;
use aside_store::DataFolder;
use serde_json::{Value, json};

/// How often each question is asked.
const TIMES: usize = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (home, data) = match &arguments[..] {
        [_, home, data, ..] => (home.clone(), DataFolder::at(data)),
        _ => panic!("usage: history_bench HOME DATA [words | line LOG | tools]"),
    };
    let line = match arguments.get(3).map(String::as_str) {
        None => all(&home, &data),
        Some("words") => words(&data),
        Some("line") => line(&data, Path::new(&arguments[4])),
        Some("tools") => tools(&data),
        Some(other) => panic!("`{other}` is nothing to measure"),
    };
    println!("{line}");
}

fn all(home: &str, data: &DataFolder) -> Value {
    let started = Instant::now();
    let mut index = Index::open(data).expect("the index opens");
    let sources: Vec<Source> = Source::all().collect();
    let places = find(&sources, |name| (name == "HOME").then(|| home.to_owned()));
    let imported = import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).expect("logs are read");
    let read = started.elapsed();
    let utc = zone(Some("UTC")).expect("UTC is a zone");
    let report = periods(&index, Period::Day, &Filter::default(), &utc).expect("the index answers");
    json!({
        "files": imported.files, "read": imported.read, "bytes": imported.bytes, "problems": imported.problems,
        "import_ms": read.as_millis(), "report_ms": (started.elapsed() - read).as_millis(), "totals": report.totals,
    })
}

fn words(data: &DataFolder) -> Value {
    let started = Instant::now();
    let mut history = History::open_in(data).expect("the index opens");
    let messages = history.index().texts_left().expect("the index answers");
    history.read_texts().expect("logs are read");
    json!({ "messages": messages, "words_ms": started.elapsed().as_millis() })
}

fn line(data: &DataFolder, log: &Path) -> Value {
    let started = Instant::now();
    let mut history = History::open_in(data).expect("the index opens");
    history.update_session(log, |_| None).expect("the log is read");
    json!({ "line_ms": started.elapsed().as_millis() })
}

/// The slowest question at the 99th percentile, in milliseconds, with its name.
fn tools(data: &DataFolder) -> Value {
    let index = Index::open_to_read(data).expect("the index opens").expect("there is one");
    let now = "2026-07-01".parse().expect("a time");
    let asking = Asking { now, zone: zone(Some("UTC")).expect("UTC is a zone"), workspace: None, plan: None };
    let recent = answer(&index, &asking, "list_recent_sessions", &Value::Null);
    let session = recent["sessions"][0]["session_id"].clone();
    let path = recent["sessions"][0]["project_path"].clone();
    let mut all: Vec<(f64, &str)> = TOOLS
        .iter()
        .map(|tool| {
            let mut arguments = tool.example();
            for (name, value) in [("session_id", &session), ("path", &path), ("slug", &path), ("project", &path)] {
                if arguments.get(name).is_some() {
                    arguments[name] = value.clone();
                }
            }
            let once = |_| {
                let started = Instant::now();
                drop(answer(&index, &asking, tool.name, &arguments));
                started.elapsed().as_secs_f64() * 1000.0
            };
            let mut times: Vec<f64> = (0..TIMES).map(once).collect();
            times.sort_by(f64::total_cmp);
            (times[TIMES * 99 / 100], tool.name)
        })
        .collect();
    all.sort_by(|one, two| two.0.total_cmp(&one.0));
    let rows: Vec<Value> = all.iter().map(|(time, name)| json!([name, time])).collect();
    json!({ "slowest_ms": all[0].0, "slowest": all[0].1, "all": rows })
}
