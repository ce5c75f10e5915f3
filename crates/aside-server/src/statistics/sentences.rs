//! The sentences of *Ask Aside*, counted by day: the way that each took and the actions, never the words.

use std::collections::BTreeMap;

use aside_core::{ActionName, Timestamp};
use aside_protocol::{ActionCount, CountSentence, SentenceCounts, SentenceWay};
use aside_store::{Durability, Store, StoreError};
use serde::{Deserialize, Serialize};

/// The kind of a day's record; its id is the day.
const KIND: &str = "sentences";

/// The most actions of one sentence that are counted.
const MOST_ACTIONS: usize = 20;

/// The sentences of one day.
#[derive(Debug, Default, Serialize, Deserialize)]
struct DayOfSentences {
    day: String,
    rules: u32,
    model: u32,
    handed_on: u32,
    actions: BTreeMap<ActionName, u32>,
}

/// Counts a sentence.
pub fn count(store: &Store, sentence: &CountSentence) -> Result<(), StoreError> {
    let day = store.now().day();
    store.transaction(Durability::Soon, |transaction| {
        let mut counts: DayOfSentences = transaction.get(KIND, &day)?.unwrap_or_default();
        counts.day.clone_from(&day);
        counts.add(sentence);
        transaction.put(KIND, &day, None, &counts)
    })
}

/// Deletes all counts.
pub fn forget(store: &Store) -> Result<(), StoreError> {
    let days = store.list::<DayOfSentences>(KIND)?;
    store.transaction(Durability::Soon, |transaction| {
        days.iter().try_for_each(|counts| transaction.delete(KIND, &counts.day).map(drop))
    })
}

/// Returns the sum of the days since a time, with the whole first day.
pub(super) fn since(store: &Store, from: Timestamp) -> Result<SentenceCounts, StoreError> {
    let first = from.day();
    let days = store.list::<DayOfSentences>(KIND)?.into_iter().filter(|counts| counts.day >= first);
    let mut sum = DayOfSentences::default();
    for day in days {
        sum.rules += day.rules;
        sum.model += day.model;
        sum.handed_on += day.handed_on;
        for (action, count) in day.actions {
            *sum.actions.entry(action).or_default() += count;
        }
    }
    let DayOfSentences { rules, model, handed_on, actions, .. } = sum;
    let mut actions: Vec<_> = actions.into_iter().map(|(action, count)| ActionCount { action, count }).collect();
    actions.sort_by_key(|of| std::cmp::Reverse(of.count));
    Ok(SentenceCounts { rules, model, handed_on, actions })
}

impl DayOfSentences {
    fn add(&mut self, sentence: &CountSentence) {
        match sentence.way {
            SentenceWay::Rules => self.rules += 1,
            SentenceWay::Model => self.model += 1,
            SentenceWay::Thread => self.handed_on += 1,
        }
        for action in sentence.actions.iter().take(MOST_ACTIONS) {
            *self.actions.entry(action.clone()).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use aside_store::StoreOptions;

    use super::*;

    #[test]
    fn sentences_are_counted_until_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let name = |name: &str| name.parse::<ActionName>().unwrap();
        let taken = |actions: &[&str]| CountSentence {
            way: SentenceWay::Rules,
            actions: actions.iter().map(|action| name(action)).collect(),
        };
        let now = store.now();
        count(&store, &taken(&["ui.open"])).unwrap();
        count(&store, &taken(&["ui.tabs.close", "ui.open"])).unwrap();
        count(&store, &CountSentence { way: SentenceWay::Model, actions: Vec::new() }).unwrap();
        let counts = since(&store, now).unwrap();
        assert_eq!((counts.rules, counts.model, counts.handed_on), (2, 1, 0));
        assert_eq!(counts.actions[0], ActionCount { action: name("ui.open"), count: 2 });
        assert_eq!(since(&store, now.plus(2 * 24 * 60 * 60 * 1000)).unwrap(), SentenceCounts::default());
        forget(&store).unwrap();
        assert_eq!(since(&store, now).unwrap(), SentenceCounts::default());
    }
}
