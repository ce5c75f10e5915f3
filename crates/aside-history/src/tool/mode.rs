//! Which model did tasks like this one well for the least money.

mod advice;
mod features;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use aside_prices::undated;

use super::{Asking, Evidence, args::Arguments, cache::kept, told};
use crate::{
    HistoryError, Index,
    again::Logs,
    outcome::{Anchor, Outcome, judge},
};
pub use advice::{Cheaper, cheaper};
use features::{Features, features};

/// Sessions that are looked at, the latest first.
const LOOKED_AT: i64 = 200;
/// Of those the ones that are most like the task.
const MOST: usize = 20;
/// Fewer say nothing.
const FEWEST: usize = 3;

#[derive(Serialize)]
struct Recommended<'a> {
    recommended_model: Option<String>,
    current_model: Option<&'a str>,
    confidence: f64,
    cost_delta_usd: f64,
    similar_session_count: usize,
    evidence_session_ids: Vec<String>,
    features: Features,
    task_pattern_hash: String,
    rationale: String,
    evidence: Vec<Evidence>,
}

/// A past session that is like the task.
struct Similar {
    session: String,
    model: String,
    dollars: f64,
    outcome: Outcome,
    /// Where the task stands.
    place: Option<Evidence>,
}

/// What the sessions of a model came to.
struct Tried {
    /// As it was called last.
    model: String,
    /// Dollars of the sessions that did not fail, sorted.
    costs: Vec<f64>,
    failed: usize,
}

/// Compares the models of sessions that were like the prompt.
pub fn recommend(index: &Index, _asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let (prompt, current) = (arguments.required("prompt")?, arguments.text("current_model"));
    let question = serde_json::json!(["recommend_mode", prompt, current]).to_string();
    let (mut answer, hit) = kept(index, &question, || compared(index, prompt, current))?;
    answer["cache_hit"] = hit.into();
    Ok(answer)
}

fn compared(index: &Index, prompt: &str, current: Option<&str>) -> Result<Value, HistoryError> {
    let features = features(prompt);
    let similar = similar(index, &features)?;
    let mut recommended = Recommended {
        recommended_model: current.map(str::to_owned),
        current_model: current,
        confidence: 0.0,
        cost_delta_usd: 0.0,
        similar_session_count: similar.len(),
        evidence_session_ids: Vec::new(),
        task_pattern_hash: features.hash(),
        features,
        rationale: "no historical data: fewer than three past sessions are similar".to_owned(),
        evidence: Vec::new(),
    };
    let tried = tried(&similar);
    let Some(best) = tried.first().filter(|_| similar.len() >= FEWEST) else { return told(&recommended) };
    let cost = median(&best.costs);
    let of_current = tried
        .iter()
        .find(|one| current.is_some_and(|current| is_same(current, &one.model)))
        .map(|one| median(&one.costs));
    recommended.confidence = confidence(&tried);
    recommended.cost_delta_usd = of_current.map_or(0.0, |of_current| cents(of_current - cost));
    let of_best = || similar.iter().filter(|one| is_same(&one.model, &best.model) && !is_bad(one.outcome)).take(5);
    recommended.evidence_session_ids = of_best().map(|one| one.session.clone()).collect();
    recommended.evidence = of_best().filter_map(|one| one.place.clone()).collect();
    let all = best.costs.len() + best.failed;
    recommended.rationale = format!(
        "{} of {all} similar sessions with {} neither failed nor were reverted; their median cost was ${cost:.2}",
        best.costs.len(),
        best.model
    );
    recommended.recommended_model = Some(best.model.clone());
    told(&recommended)
}

fn is_bad(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Reverted)
}

/// A model is the same with the date of its version in its name and without.
fn is_same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

fn plain(model: &str) -> &str {
    undated(model).unwrap_or(model)
}

/// The models that were tried in sessions of which the newest is the first; the cheapest first.
fn tried(similar: &[Similar]) -> Vec<Tried> {
    let mut models: BTreeMap<&str, Tried> = BTreeMap::new();
    for one in similar {
        let new = || Tried { model: one.model.clone(), costs: Vec::new(), failed: 0 };
        let tried = models.entry(plain(&one.model)).or_insert_with(new);
        if is_bad(one.outcome) {
            tried.failed += 1;
        } else {
            tried.costs.push(one.dollars);
        }
    }
    let mut all: Vec<Tried> = models.into_values().filter(|tried| !tried.costs.is_empty()).collect();
    all.iter_mut().for_each(|tried| tried.costs.sort_by(f64::total_cmp));
    all.sort_by(|one, two| {
        median(&one.costs).total_cmp(&median(&two.costs)).then_with(|| two.costs.len().cmp(&one.costs.len()))
    });
    all
}

/// Of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (length, half) if length % 2 == 1 => sorted[half],
        (_, half) => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// More sessions, less spread and a wider gap to the others make it surer.
#[expect(clippy::cast_precision_loss, reason = "a few sessions")]
fn confidence(tried: &[Tried]) -> f64 {
    let Some(best) = tried.first() else { return 0.0 };
    let number = best.costs.len() as f64;
    let mean = best.costs.iter().sum::<f64>() / number;
    let deviation = (best.costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>() / number).sqrt();
    let spread = if best.costs.len() < 2 || mean <= 0.0 { 0.5 } else { (1.0 - deviation / mean).clamp(0.0, 1.0) };
    let gap = tried.get(1).map_or(0.5, |next| {
        let (cheap, other) = (median(&best.costs), median(&next.costs));
        if other > 0.0 { ((other - cheap) / other).clamp(0.0, 1.0) } else { 0.0 }
    });
    cents((number / 5.0).min(1.0) * spread * gap)
}

fn cents(dollars: f64) -> f64 {
    (dollars * 100.0).round() / 100.0
}

/// Past sessions whose first message is like the prompt.
fn similar(index: &Index, wanted: &Features) -> Result<Vec<Similar>, HistoryError> {
    let (mut found, mut logs) = (Vec::new(), Logs::default());
    let mut take = |features: &Features, one: Similar| {
        if features.is_like(wanted) {
            found.push(one);
        }
        found.len() < MOST
    };
    outlined_if(index, LOOKED_AT, &mut logs, |features| features.is_like(wanted), &mut take)?;
    Ok(found)
}

/// The latest sessions, each with what its first message is like; `take` tells whether it wants more.
fn outlined(
    index: &Index,
    most: i64,
    logs: &mut Logs,
    mut take: impl FnMut(&Features, Similar) -> bool,
) -> Result<(), HistoryError> {
    outlined_if(index, most, logs, |_| true, &mut take)
}

/// The same for those whose first message is wanted.
fn outlined_if(
    index: &Index,
    most: i64,
    logs: &mut Logs,
    wants: impl Fn(&Features) -> bool,
    take: &mut dyn FnMut(&Features, Similar) -> bool,
) -> Result<(), HistoryError> {
    let mut sessions = index
        .connection()
        .prepare_cached("SELECT id, name FROM session WHERE messages > 0 ORDER BY last DESC LIMIT ?")?;
    let sessions = sessions.query_map([most], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    for one in sessions.collect::<Result<Vec<_>, _>>()? {
        let (id, session) = one;
        let Some(first) = first_message(index, id)? else { continue };
        let Some(text) = logs.text(index.connection(), first)? else { continue };
        let features = features(&text);
        if !wants(&features) {
            continue;
        }
        let Some((model, dollars)) = main_model(index, id)? else { continue };
        let outcome = match last_change(index, id)? {
            Some(anchor) => judge(index, anchor, logs)?.outcome,
            None => Outcome::Uncertain,
        };
        let place = Some(super::search::place(index, &session, first)?);
        if !take(&features, Similar { session, model, dollars, outcome, place }) {
            return Ok(());
        }
    }
    Ok(())
}

/// What the person said first in a session.
fn first_message(index: &Index, session: i64) -> Result<Option<i64>, HistoryError> {
    // Messages have no index by session.
    let mut find = index.connection().prepare_cached(
        "SELECT id FROM message WHERE file IN (SELECT file FROM session_log WHERE session = ?1)
         AND session = ?1 AND role = 0 AND side = 0 ORDER BY COALESCE(at, 0), id LIMIT 1",
    )?;
    Ok(find.query_map([session], |row| row.get(0))?.next().transpose()?)
}

/// The model that cost most in a session, with what the session cost in dollars; none if that is not known of all of it, for what nobody
/// knows the price of is not cheap.
fn main_model(index: &Index, session: i64) -> Result<Option<(String, f64)>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT model.name, SUM(TOTAL(COALESCE(recorded, priced))) OVER () FROM response JOIN model ON model.id = response.model
         WHERE session = ?1 AND counts = 1 AND NOT EXISTS (SELECT 1 FROM response WHERE session = ?1 AND counts = 1
           AND COALESCE(recorded, priced) IS NULL)
         GROUP BY model.id ORDER BY TOTAL(COALESCE(recorded, priced)) DESC LIMIT 1",
    )?;
    let row = find.query_map([session], |row| Ok((row.get(0)?, row.get::<_, f64>(1)? / 1e12)))?.next();
    Ok(row.transpose()?)
}

/// The last change to any file in a session.
fn last_change(index: &Index, session: i64) -> Result<Option<Anchor>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT call.file, call.position FROM call JOIN touch ON touch.call = call.id
         WHERE call.file IN (SELECT file FROM session_log WHERE session = ?1) AND call.session = ?1
         AND call.side = 0 AND mode IN (1, 2) ORDER BY call.at DESC, call.position DESC LIMIT 1",
    )?;
    let row = find.query_map([session], |row| Ok(Anchor { file: row.get(0)?, position: row.get(1)? }))?.next();
    Ok(row.transpose()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_model_whose_sessions_did_not_fail_is_recommended() {
        let one = |model: &str, dollars, outcome| Similar {
            session: String::new(),
            model: model.to_owned(),
            dollars,
            outcome,
            place: None,
        };
        let similar = [
            one("cheap", 0.1, Outcome::Failed),
            one("cheap", 0.1, Outcome::Reverted),
            one("good", 1.0, Outcome::Worked),
            one("good", 3.0, Outcome::Uncertain),
            one("dear", 9.0, Outcome::Worked),
        ];
        let tried = tried(&similar);
        let models: Vec<(&str, f64)> = tried.iter().map(|one| (one.model.as_str(), median(&one.costs))).collect();
        assert_eq!(models, [("good", 2.0), ("dear", 9.0)]);
        assert!(confidence(&tried) > 0.0 && confidence(&tried) < 0.5);
        let dated =
            ["opus-4-5-20251101", "opus-4-5", "opus-4-5-20251101"].map(|model| one(model, 1.0, Outcome::Worked));
        let told: Vec<_> = super::tried(&dated).into_iter().map(|one| (one.model, one.costs.len())).collect();
        assert_eq!(told, [("opus-4-5-20251101".to_owned(), 3)]);
    }
}
