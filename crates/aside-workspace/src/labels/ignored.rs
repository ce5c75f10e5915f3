//! What git ignores, remembered for a moment: to find it out takes some fifty looks at the disk, and the label of a notebook
//! is asked for at each run of a cell.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;

/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(1);
/// The most answers that are remembered.
const MOST: usize = 1_000;

/// Answers by place and whether it is a folder, each with when it was found.
#[derive(Debug, Default)]
pub(crate) struct Ignored(Mutex<BTreeMap<(WorkspacePath, bool), (Instant, bool)>>);

impl Ignored {
    /// Returns what is remembered, or what is found now.
    pub fn or_find(&self, place: &WorkspacePath, folder: bool, find: impl FnOnce() -> bool) -> bool {
        let (key, now) = ((place.clone(), folder), Instant::now());
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some((_, is_ignored)) = known.filter(|(at, _)| now.duration_since(*at) < HOLDS) {
            return is_ignored;
        }
        let is_ignored = find();
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.clear();
        }
        answers.insert(key, (now, is_ignored));
        is_ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_for_its_place_and_a_moment() {
        let (ignored, place) = (Ignored::default(), WorkspacePath::new("a").unwrap());
        assert!(ignored.or_find(&place, false, || true));
        assert!(ignored.or_find(&place, false, || false), "it is remembered");
        assert!(!ignored.or_find(&place, true, || false), "a folder is something else");
        std::thread::sleep(HOLDS);
        assert!(!ignored.or_find(&place, false, || false));
    }
}
