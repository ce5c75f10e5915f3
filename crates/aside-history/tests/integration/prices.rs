//! What is known costs something else when the person has other prices.
#![expect(clippy::disallowed_methods, reason = "makes logs and lists of prices")]

use std::{fs, path::Path};

use aside_history::{Effort, Filter, History, Period, Sums, periods, zone};
use aside_store::DataFolder;
use serde_json::json;

use crate::recount;

fn log(home: &Path) {
    let folder = home.join(".claude/projects/-w");
    fs::create_dir_all(&folder).unwrap();
    let line = |id: &str, model: &str| {
        json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "requestId": id,
            "message": { "id": id, "model": model, "usage": { "input_tokens": 1_000_000, "output_tokens": 0 } } })
    };
    let text = format!("{}\n{}\n", line("a", "claude-opus-4-5"), line("b", "claude-of-tomorrow"));
    fs::write(folder.join("s.jsonl"), text).unwrap();
}

fn totals(history: &History) -> (f64, u64) {
    let Sums { picodollars, unpriced, .. } =
        periods(history.index(), Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap().totals;
    #[expect(clippy::cast_precision_loss, reason = "dollars")]
    (picodollars as f64 / 1e12, unpriced)
}

#[test]
fn other_prices_change_what_known_responses_cost() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    log(home);
    let environment = |name: &str| (name == "HOME").then(|| home.display().to_string());
    let data = DataFolder::at(home.join("data"));
    let mut history = History::open_in(&data).unwrap();
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert_eq!(totals(&history), (5.0, 1));
    assert_eq!(history.reprice().unwrap(), 0);
    // The person says what the unknown one costs; the history that is open hears of it, too.
    let own = home.join("data/spending.toml");
    fs::write(&own, "[prices.\"anthropic/claude-of-tomorrow\"]\ninput = 2.0\noutput = 4.0\n").unwrap();
    let imported = history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert_eq!((imported.read, totals(&history)), (0, (7.0, 0)));
    // A list that was fetched.
    let list = json!({ "source": "a list", "date": "2099-01-01", "models": { "anthropic/claude-opus-4-5": { "input": 6.0, "output": 30.0 } } });
    fs::write(home.join("data/prices.json"), list.to_string()).unwrap();
    assert_eq!(history.reprice().unwrap(), 1);
    assert_eq!(totals(&history), (8.0, 0));
    recount::check(data.path());
    drop(history);
    // Whoever asks without reading logs is not told old costs.
    fs::write(&own, "").unwrap();
    let named = |name: &str| match name {
        "ASIDE_DATA_DIR" => Some(home.join("data").display().to_string()),
        _ => environment(name),
    };
    assert!(History::open_current(named, None).unwrap().is_none());
    let mut history = History::open_in(&data).unwrap();
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert_eq!(totals(&history), (6.0, 1));
    assert!(History::open_current(named, None).unwrap().is_some());
}
