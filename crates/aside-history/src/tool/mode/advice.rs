//! For which kinds of task a cheaper model did as well.

use std::collections::BTreeMap;

use super::{LOOKED_AT, Similar, Tried, is_bad, is_same, median, outlined, tried};
use crate::{HistoryError, Index, again::Logs, tool::Evidence};

/// Sessions of a kind; fewer say nothing.
const FEWEST: usize = 5;
/// Sessions with the cheaper model that did not fail; fewer say nothing.
const PROOFS: usize = 2;
/// What is less than so much cheaper is not.
const CHEAPER: f64 = 0.8;
/// Sessions that are named.
const NAMED: usize = 5;

/// A model that did tasks of a kind as well, for less.
#[derive(Clone, Debug, PartialEq)]
pub struct Cheaper {
    /// The kind of task.
    pub task: String,
    /// The model that mostly did them.
    pub current: String,
    /// The other one.
    pub cheaper: String,
    /// The middle cost of a session with the first, in dollars.
    pub current_dollars: f64,
    /// With the other one.
    pub cheaper_dollars: f64,
    /// Sessions of this kind.
    pub sessions: usize,
    /// Sessions with the cheaper one that did not fail.
    pub evidence: Vec<Evidence>,
}

/// Compares the models of the latest sessions, for each kind of first message.
pub fn cheaper(index: &Index) -> Result<Vec<Cheaper>, HistoryError> {
    let mut kinds: BTreeMap<(&'static str, &'static str), Vec<Similar>> = BTreeMap::new();
    let mut logs = Logs::default();
    outlined(index, LOOKED_AT, &mut logs, |features, similar| {
        kinds.entry((features.intent, features.token_band)).or_default().push(similar);
        true
    })?;
    let mut found: Vec<Cheaper> = Vec::new();
    for ((intent, band), all) in kinds {
        if let Some((current, best)) = compared(&all) {
            let good = all.iter().filter(|one| is_same(&one.model, &best.model) && !is_bad(one.outcome));
            found.push(Cheaper {
                task: format!("{intent}, {}", size(band)),
                current_dollars: median(&current.costs),
                cheaper_dollars: median(&best.costs),
                current: current.model,
                cheaper: best.model.clone(),
                sessions: all.len(),
                evidence: good.filter_map(|one| one.place.clone()).take(NAMED).collect(),
            });
        }
    }
    Ok(found)
}

fn size(band: &str) -> &str {
    match band {
        "tiny" => "a few words",
        "small" => "a paragraph",
        "med" => "a page",
        _ => "longer",
    }
}

/// The model that most sessions were with, and a cheaper one that failed no more often; none if there is none.
fn compared(all: &[Similar]) -> Option<(Tried, Tried)> {
    if all.len() < FEWEST {
        return None;
    }
    let mut models = tried(all);
    let most = models.iter().enumerate().max_by_key(|(_, one)| one.costs.len() + one.failed).map(|(at, _)| at)?;
    let current = models.remove(most);
    #[expect(clippy::cast_precision_loss, reason = "a few sessions")]
    let failing = |one: &Tried| one.failed as f64 / (one.costs.len() + one.failed).max(1) as f64;
    let best = models.into_iter().find(|one| one.costs.len() >= PROOFS && failing(one) <= failing(&current))?;
    (median(&best.costs) < median(&current.costs) * CHEAPER).then_some((current, best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;

    #[test]
    fn a_cheaper_model_is_named_if_it_does_as_well() {
        let one = |model: &str, dollars, outcome| Similar {
            session: String::new(),
            model: model.to_owned(),
            dollars,
            outcome,
            place: None,
        };
        let told = |cheap: [Outcome; 2]| {
            let all: Vec<Similar> = (0..4)
                .map(|_| one("dear", 5.0, Outcome::Worked))
                .chain(cheap.map(|outcome| one("cheap", 0.5, outcome)))
                .collect();
            compared(&all).map(|(current, best)| (current.model, best.model))
        };
        let names = |text: [&str; 2]| Some((text[0].to_owned(), text[1].to_owned()));
        assert_eq!(told([Outcome::Worked, Outcome::Uncertain]), names(["dear", "cheap"]));
        assert_eq!(told([Outcome::Worked, Outcome::Failed]), None);
    }
}
