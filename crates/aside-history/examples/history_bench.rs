//! Indexes the logs below a home and says what it took, a JSON line each time: `history_bench HOME DATA` for the index and the report of all
//! days, `… words` for the words of what was said, `… line LOG` for what is new in one log, `… tools` for every question.

use std::{path::Path, time::Instant};

use aside_history::{
    Asking, Effort, Filter, History, Index, Listing, Origin, Period, Plan, Said, Source, TOOLS, answer, find,
    hosts::Host, import, list, periods, timeline, zone,
};
use aside_prices::Prices;
use aside_store::DataFolder;
use serde_json::{Value, json};

/// How often each question is asked.
const TIMES: usize = 100;
/// The latest sessions, of which the longest is asked about; entries of it that are looked at for words.
const LATEST: usize = 200;
/// Pull requests, and runs, of a repository.
const TOLD: usize = 1_000;
/// Its name.
const REPO: &str = "octo/shop";

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

/// The slowest question at the 99th percentile, in milliseconds, with its name. Each is asked about something that is there.
fn tools(data: &DataFolder) -> Value {
    told_by_hosts(data);
    let index = Index::open_to_read(data).expect("the index opens").expect("there is one");
    let now = "2026-07-01".parse().expect("a time");
    let plan = Plan { name: "claude-max".to_owned(), monthly_usd: None, reset_day: 1 };
    let asking = Asking { now, zone: zone(Some("UTC")).expect("UTC is a zone"), workspace: None, plan: Some(plan) };
    let ask = |name: &str, arguments: &Value| answer(&index, &asking, name, arguments);
    let known = known(&index, &ask);
    let mut all: Vec<(f64, &str)> = TOOLS
        .iter()
        .map(|tool| {
            let mut arguments = tool.example();
            let about = if tool.name == "get_file_risk" { "file" } else { "path" };
            for (name, value) in [
                ("session_id", &known["session"]),
                ("path", &known[about]),
                ("slug", &known["path"]),
                ("project", &known["path"]),
                ("file", &known["file"]),
                ("query", &known["words"]),
                ("repo", &json!(REPO)),
            ] {
                if tool.parameters.iter().any(|parameter| parameter.name == name) {
                    arguments[name] = value.clone();
                }
            }
            let once = |_| {
                let started = Instant::now();
                let told = ask(tool.name, &arguments);
                let took = started.elapsed().as_secs_f64() * 1000.0;
                assert!(told.get("error").is_none(), "{} {arguments}: {told}", tool.name);
                took
            };
            let mut times: Vec<f64> = (0..TIMES).map(once).collect();
            times.sort_by(f64::total_cmp);
            (times[TIMES * 99 / 100], tool.name)
        })
        .collect();
    all.sort_by(|one, two| two.0.total_cmp(&one.0));
    let rows: Vec<Value> = all.iter().map(|(time, name)| json!([name, time])).collect();
    json!({ "slowest_ms": all[0].0, "slowest": all[0].1, "all": rows, "about": known })
}

/// What questions are about: the longest of the latest sessions, its folder, a file of it and words that were said in it.
fn known(index: &Index, ask: &dyn Fn(&str, &Value) -> Value) -> Value {
    let (sessions, _) = list(index, &Listing { most: LATEST, ..Listing::default() }).expect("the index answers");
    let session = sessions.iter().max_by_key(|session| session.message_count).expect("there are sessions");
    let said = timeline(index, session, 0, LATEST).expect("the index answers").entries;
    let texts = said.iter().filter_map(|entry| match &entry.what {
        Said::Message { text, .. } => text.as_deref(),
        Said::Call { .. } => None,
    });
    let words = texts.flat_map(|text| text.split_whitespace()).filter(|word| word.len() > 3).take(2);
    let words = words.collect::<Vec<_>>().join(" ");
    let played = ask("get_session_playback", &json!({ "session_id": session.session_id }));
    json!({ "session": session.session_id, "path": session.path, "file": played["files"][0]["path"], "words": words })
}

/// Pull requests and runs of a repository, as many as are asked for at once when a host is asked.
fn told_by_hosts(data: &DataFolder) {
    let mut index = Index::open(data).expect("the index opens");
    let pull = |number: usize| json!({ "number": number, "title": "Change", "state": "open", "updated_at": "2026-06-01T00:00:00Z" });
    let run = |number: usize| json!({ "id": number, "name": "Tests", "status": "completed", "conclusion": "success" });
    let pulls: Vec<Value> = (1..=TOLD).map(pull).collect();
    let runs: Vec<Value> = (1..=TOLD).map(run).collect();
    let facts = [Host::GitHub.pull_requests(REPO, &pulls.into()), Host::GitHub.runs(REPO, &runs.into())].concat();
    index.note(Host::GitHub, &facts, &Origin::Address("https://api.github.com")).expect("the index takes them");
}
