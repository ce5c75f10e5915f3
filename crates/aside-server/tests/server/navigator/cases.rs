//! A case as data, and the check of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::play::{Played, play};

/// One request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The words of the person.
    pub ask: String,
    /// A program that it needs, by its name in `ASIDE_TEST_HAS`; without it the case is passed over.
    #[serde(default)]
    pub needs: Option<String>,
    /// More files than those that every case has.
    #[serde(default)]
    pub more: BTreeMap<String, String>,
    /// More tabs than those that every window has.
    #[serde(default)]
    pub open: Vec<String>,
    /// The budget.
    #[serde(default)]
    pub budget: Option<Value>,
    /// How the thread reviews.
    #[serde(default)]
    pub mode: Option<String>,
    /// The limits of the thread.
    #[serde(default)]
    pub grant: Option<Value>,
    /// Whether a window is open.
    #[serde(default = "open")]
    pub window: bool,
    /// The plan of the model, a step an entry: words, one call, or a list of calls.
    pub model: Vec<Value>,
    /// The acts of the person: `approve`, `approve: all` of a class, `resume` of a script, `reject: REASON`, `say: WORDS`, `stop`, `restart`.
    #[serde(default)]
    pub person: Vec<String>,
    /// The actions as they ended, in the order in which they were asked for: a name, or a name and a state.
    pub did: Vec<String>,
    /// Files afterwards; `null` for none.
    #[serde(default)]
    pub files: BTreeMap<String, Option<String>>,
    /// Paths of the tabs afterwards.
    #[serde(default)]
    pub tabs: Option<Vec<String>>,
    /// The last answer.
    pub says: String,
    /// The end of the last turn; `done` if absent.
    #[serde(default)]
    pub end: Option<Value>,
    /// Parts of what Aside says in the thread.
    #[serde(default)]
    pub notices: Vec<String>,
    /// Parts of the results of actions, in any order.
    #[serde(default)]
    pub results: Vec<String>,
    /// Parts of the situation that goes along with the request.
    #[serde(default)]
    pub situation: Vec<String>,
}

fn open() -> bool {
    true
}

/// Reads a file of cases.
pub fn read(text: &str) -> Vec<Case> {
    serde_json::from_str(text).expect("the cases are well formed")
}

/// Plays every case of a file, and says of all that differ how.
pub async fn check(text: &str) {
    let mut differ = Vec::new();
    let has = std::env::var("ASIDE_TEST_HAS").unwrap_or_default();
    let is_met = |case: &Case| case.needs.as_ref().is_none_or(|needed| has.split(',').any(|one| one == needed));
    for case in read(text).into_iter().filter(is_met) {
        let played = play(&case).await;
        let found = differences(&case, &played);
        if !found.is_empty() {
            differ.push(format!("“{}”\n{}\n", case.ask, found.join("\n")));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

fn differences(case: &Case, played: &Played) -> Vec<String> {
    let mut found = Vec::new();
    let mut same = |what: &str, wanted: Value, is: Value| {
        if wanted != is {
            found.push(format!("  {what}: wanted {wanted}\n  {what}: found  {is}"));
        }
    };
    same("did", json!(case.did), json!(played.did));
    same("says", json!(case.says), json!(played.says));
    same("end", case.end.clone().unwrap_or_else(|| json!({ "kind": "done" })), ending(case, &played.end));
    for (path, wanted) in &case.files {
        same(path, json!(wanted), json!(played.files.get(path)));
    }
    if let Some(tabs) = &case.tabs {
        same("tabs", json!(tabs), json!(played.tabs));
    }
    same("audit", json!(played.effects), json!(played.intents));
    let parts = [("notice", &case.notices, &played.notices), ("result", &case.results, &played.results)];
    for (what, wanted, is) in parts {
        for part in wanted.iter().filter(|part| !is.iter().any(|text| text.contains(*part))) {
            found.push(format!("  {what}: no “{part}” in {is:#?}"));
        }
    }
    for part in case.situation.iter().filter(|part| !played.situation.contains(*part)) {
        found.push(format!("  situation: no “{part}” in {}", played.situation));
    }
    found
}

/// The end with the fields that the case names.
fn ending(case: &Case, end: &Value) -> Value {
    let wanted = case.end.clone().unwrap_or_else(|| json!({ "kind": "done" }));
    pick(&wanted, end)
}

fn pick(wanted: &Value, value: &Value) -> Value {
    match wanted.as_object() {
        Some(fields) => fields.iter().map(|(name, wanted)| (name.clone(), pick(wanted, &value[name]))).collect(),
        None => value.clone(),
    }
}
