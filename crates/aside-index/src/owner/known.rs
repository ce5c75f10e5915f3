//! The documents of the index, each with the state in which it was read.

use std::collections::{HashMap, HashSet};

use aside_core::Timestamp;

use crate::{
    file_state::FileState,
    progress::{LeftOut, MOST_NAMED},
};

/// The state of a document.
#[derive(Debug)]
enum State {
    /// A file, and the walk that saw it last.
    File(FileState, u32),
    Conversation(String),
}

/// The documents of the index.
#[derive(Debug, Default)]
pub(super) struct KnownDocuments {
    all: HashMap<String, State>,
    /// The number of the walk over everything that is under way or was the last.
    walk: u32,
    left_out: HashSet<String>,
}

impl KnownDocuments {
    /// Reads the stamps of an index. A stamp that is none of a file is one of a conversation.
    pub fn of(stamps: HashMap<String, String>) -> Self {
        let mut known = Self::default();
        for (path, stamp) in stamps {
            match stamp.parse::<FileState>() {
                Ok(stamp) => known.set_file(path, stamp),
                Err(_) => known.set_conversation(path, stamp),
            }
        }
        known
    }

    pub fn set_file(&mut self, path: String, stamp: FileState) {
        if stamp.left_out.is_some() {
            self.left_out.insert(path.clone());
        } else {
            self.left_out.remove(&path);
        }
        self.all.insert(path, State::File(stamp, self.walk));
    }

    pub fn set_conversation(&mut self, path: String, stamp: String) {
        self.all.insert(path, State::Conversation(stamp));
    }

    pub fn remove(&mut self, path: &str) {
        self.left_out.remove(path);
        self.all.remove(path);
    }

    pub fn contains(&self, path: &str) -> bool {
        self.all.contains_key(path)
    }

    /// Returns the state of a file.
    pub fn file(&self, path: &str) -> Option<&FileState> {
        match self.all.get(path)? {
            State::File(stamp, _) => Some(stamp),
            State::Conversation(_) => None,
        }
    }

    /// Tells whether a file is known in the state that a walk has seen.
    pub fn is_current(&mut self, path: &str, size: u64, modified: Timestamp) -> bool {
        let Some(State::File(stamp, walk)) = self.all.get_mut(path) else { return false };
        *walk = self.walk;
        stamp.is_of(size, modified)
    }

    /// Tells whether a conversation is known in a state.
    pub fn has_stamp(&self, path: &str, stamp: &str) -> bool {
        matches!(self.all.get(path), Some(State::Conversation(known)) if known == stamp)
    }

    /// Begins a walk over all files.
    pub fn begin_walk(&mut self) {
        self.walk += 1;
    }

    /// Returns the files that the walk has not come to.
    pub fn not_seen(&self) -> Vec<String> {
        let is_old = |state: &State| matches!(state, State::File(_, walk) if *walk != self.walk);
        self.all.iter().filter(|(_, state)| is_old(state)).map(|(path, _)| path.clone()).collect()
    }

    /// Returns the conversations that are not among some.
    pub fn other_conversations(&self, listed: &[(String, String)]) -> Vec<String> {
        let there: HashSet<&str> = listed.iter().map(|(path, _)| path.as_str()).collect();
        let is_gone = |path: &str, state: &State| matches!(state, State::Conversation(_)) && !there.contains(path);
        self.all.iter().filter(|(path, state)| is_gone(path, state)).map(|(path, _)| path.clone()).collect()
    }

    /// Returns the files below a folder.
    pub fn within(&self, folder: &str) -> Vec<String> {
        let is_below = |path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let files = self.all.iter().filter(|(path, state)| matches!(state, State::File(..)) && is_below(path));
        files.map(|(path, _)| path.clone()).collect()
    }

    /// Returns how many documents there are.
    pub fn documents(&self) -> usize {
        self.all.len()
    }

    /// Returns how many files are found by their names only.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Returns some of these.
    pub fn named(&self) -> Vec<LeftOut> {
        let reason = |path: &String| {
            let reason = self.file(path)?.left_out.clone()?;
            Some(LeftOut { path: path.clone(), reason })
        };
        let mut named: Vec<_> = self.left_out.iter().take(MOST_NAMED).filter_map(reason).collect();
        named.sort_by(|one, other| one.path.cmp(&other.path));
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walk_tells_gone_files_from_current_ones() {
        let stamp = |size: u64| FileState { size, modified: Timestamp(5), hash: "-".into(), left_out: None };
        let stamps = [("a.md", stamp(1).to_string()), ("x/b.md", stamp(2).to_string()), ("thread/1", "t7".to_owned())];
        let mut known = KnownDocuments::of(stamps.map(|(path, stamp)| (path.to_owned(), stamp)).into());
        known.begin_walk();
        assert!(known.is_current("a.md", 1, Timestamp(5)) && !known.is_current("a.md", 3, Timestamp(5)));
        assert_eq!(known.not_seen(), ["x/b.md"]);
        assert_eq!(known.within("x"), ["x/b.md"]);
        assert!(known.has_stamp("thread/1", "t7") && !known.has_stamp("thread/1", "t8"));
        assert_eq!(known.other_conversations(&[]), ["thread/1"]);
        known.set_file("c.bin".into(), FileState { left_out: Some("no text".into()), ..stamp(4) });
        assert_eq!((known.left_out(), known.named()[0].reason.as_str()), (1, "no text"));
    }
}
