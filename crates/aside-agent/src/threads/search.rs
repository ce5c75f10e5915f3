//! Finding threads by what people and models said in them: the latest entry of each that has all words.

use aside_core::{Thread, ThreadEventBody, TurnId, harmless};
use aside_store::{Store, StoreError};

use super::{events, list};

/// Threads that are found at most.
const MOST_FOUND: usize = 50;
/// Entries of logs that are looked at; what is older is not found.
const MOST_LOOKED_AT: usize = 50_000;
/// Characters of an excerpt, and of these before the first word.
const EXCERPT: usize = 160;
const BEFORE: usize = 40;

/// A thread, and what was found in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundThread {
    /// The thread.
    pub thread: Thread,
    /// The turn in which it was said; absent if only the title has the words.
    pub turn: Option<TurnId>,
    /// One line around the first word.
    pub excerpt: String,
}

/// Returns threads in which one message or answer, or the title, has all words, in whatever case; the one that was busy
/// last comes first. Put-away ones are looked at too.
pub(crate) fn search(store: &Store, query: &str) -> Result<Vec<FoundThread>, StoreError> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let (mut found, mut looked_at) = (Vec::new(), 0);
    if words.is_empty() {
        return Ok(found);
    }
    for thread in list(store, None)? {
        let log = events(store, &thread.id, 0)?;
        looked_at += log.len();
        let said = log.iter().rev().filter_map(|event| said(&event.body));
        let mut hits = said.filter_map(|(turn, text)| Some((Some(turn.clone()), excerpt(text, &words)?)));
        let title = || Some((None, excerpt(&thread.title, &words)?));
        if let Some((turn, excerpt)) = hits.next().or_else(title) {
            found.push(FoundThread { thread, turn, excerpt });
        }
        if found.len() == MOST_FOUND || looked_at >= MOST_LOOKED_AT {
            break;
        }
    }
    Ok(found)
}

/// What somebody said, if an entry holds that.
fn said(event: &ThreadEventBody) -> Option<(&TurnId, &str)> {
    match event {
        ThreadEventBody::TurnStarted { turn, text, .. } | ThreadEventBody::StepEnded { turn, text, .. } => {
            Some((turn, text))
        }
        _ => None,
    }
}

/// One line around the first word, if all are there.
fn excerpt(text: &str, words: &[String]) -> Option<String> {
    let lower = text.to_lowercase();
    if !words.iter().all(|word| lower.contains(word.as_str())) {
        return None;
    }
    let first = words.iter().filter_map(|word| lower.find(word.as_str())).min().unwrap_or(0);
    // Changing case can change lengths: the place is counted in characters, and close enough.
    let skipped = lower[..first].chars().count().saturating_sub(BEFORE);
    let piece: String = text.chars().skip(skipped).take(EXCERPT).collect();
    Some(harmless(&piece).split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use aside_store::StoreOptions;

    use super::*;
    use crate::{
        testing::turn_id,
        threads::{NewThread, create},
    };

    #[test]
    fn what_was_said_is_found_by_all_words_and_the_busiest_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let thread = |title: &str, text: &str| {
            let new = NewThread { title: Some(title.to_owned()), ..NewThread::default() };
            let thread = create(&store, new, &HashSet::new()).unwrap();
            let model = "rehearsal/demo".parse().unwrap();
            let started = ThreadEventBody::TurnStarted {
                turn: turn_id(),
                text: text.to_owned(),
                focus: None,
                model,
                by: "ada".into(),
                program: None,
                attached: vec![],
            };
            store.append(thread.id.as_str(), &started).unwrap();
        };
        thread("One", "The Ärger with tides\nand moons");
        thread("Tides", "nothing");
        thread("Three", "moons only");
        let titles = |query: &str| -> Vec<String> {
            search(&store, query).unwrap().into_iter().map(|found| found.thread.title).collect()
        };
        assert_eq!(titles("MOONS tides"), ["One"]);
        assert_eq!(titles("tides"), ["Tides", "One"]);
        assert_eq!(titles("ärger"), ["One"]);
        assert!(titles("  ").is_empty() && titles("sun").is_empty());
        let found = search(&store, "moons tides").unwrap().remove(0);
        assert_eq!((found.excerpt.as_str(), found.turn), ("The Ärger with tides and moons", Some(turn_id())));
        assert_eq!(search(&store, "tides").unwrap()[0].turn, None);
    }

    #[test]
    fn a_long_text_is_cut_around_the_word() {
        let text = format!("{} needle {}", "a ".repeat(500), "é ".repeat(500));
        let shown = excerpt(&text, &["needle".to_owned()]).unwrap();
        assert!(shown.contains("needle") && shown.chars().count() <= EXCERPT, "{shown}");
    }
}
