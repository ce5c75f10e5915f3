//! Work that waits: changes first, then the queue of the first look.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;

/// A live text is read again when it has not changed for so long …
const QUIET: Duration = Duration::from_millis(80);
/// … but at the latest so long after its first change.
const AT_LATEST: Duration = Duration::from_millis(500);

/// A thing to read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// A file that is or was searched.
    File(WorkspacePath),
    /// A place on the disk: a file, a folder, or nothing any more.
    Place(WorkspacePath),
    /// A conversation.
    Conversation(String),
}

/// Work that waits.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// To be done at once, in order.
    changed: VecDeque<Item>,
    /// Each with its first and its last change.
    edited: HashMap<Item, (Instant, Instant)>,
    queue: VecDeque<Item>,
    queued: HashSet<Item>,
}

impl Pending {
    /// Adds a change that is over.
    pub fn now(&mut self, item: Item) {
        if !self.changed.contains(&item) {
            self.changed.push_back(item);
        }
    }

    /// Adds a change that may go on: somebody types.
    pub fn soon(&mut self, item: Item) {
        let now = Instant::now();
        self.edited.entry(item).and_modify(|(_, last)| *last = now).or_insert((now, now));
    }

    /// Adds a thing behind all others.
    pub fn later(&mut self, item: Item) {
        if self.queued.insert(item.clone()) {
            self.queue.push_back(item);
        }
    }

    /// Returns the time until there is work; none if nothing waits.
    pub fn due(&self, now: Instant) -> Option<Duration> {
        if !self.changed.is_empty() || !self.queue.is_empty() {
            return Some(Duration::ZERO);
        }
        self.edited.values().map(|times| due_at(times).saturating_duration_since(now)).min()
    }

    /// Takes the next change, edits only if they are due.
    pub fn next_due(&mut self, now: Instant) -> Option<Item> {
        self.changed.pop_front().or_else(|| self.take_edit(|times| due_at(times) <= now))
    }

    /// Takes the next change, due or not.
    pub fn next_change(&mut self) -> Option<Item> {
        self.changed.pop_front().or_else(|| self.take_edit(|_| true))
    }

    /// Takes the next of the queue.
    pub fn next_queued(&mut self) -> Option<Item> {
        let item = self.queue.pop_front()?;
        self.queued.remove(&item);
        Some(item)
    }

    /// Returns how many wait in the queue.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    fn take_edit(&mut self, may: impl Fn(&(Instant, Instant)) -> bool) -> Option<Item> {
        let item = self.edited.iter().find(|(_, times)| may(times)).map(|(item, _)| item.clone())?;
        self.edited.remove(&item);
        Some(item)
    }
}

fn due_at((first, last): &(Instant, Instant)) -> Instant {
    (*last + QUIET).min(*first + AT_LATEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_before_the_queue() {
        let file = |path: &str| Item::File(path.parse().unwrap());
        let mut pending = Pending::default();
        assert_eq!(pending.due(Instant::now()), None);
        pending.later(file("c"));
        pending.later(file("c"));
        pending.soon(file("b"));
        pending.now(file("a"));
        assert_eq!(pending.due(Instant::now()), Some(Duration::ZERO));
        assert_eq!(pending.next_due(Instant::now()), Some(file("a")));
        assert_eq!(pending.next_due(Instant::now()), None, "somebody may still type");
        assert_eq!(pending.next_change(), Some(file("b")));
        assert_eq!((pending.next_queued(), pending.next_queued()), (Some(file("c")), None));
    }
}
