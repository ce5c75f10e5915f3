//! Threads go along when the file they are beside, or its folder, is moved; and what was done to a file is found by the
//! name that it has now.

use std::collections::{BTreeMap, HashSet};

use aside_core::{Thread, ThreadId, Timestamp, WorkspacePath};
use aside_store::{Durability, Store, StoreError};
use serde::{Deserialize, Serialize};

use super::{KIND, make_room, write};

/// The latest moves, as one record: the oldest first.
const MOVES: &str = "file_moves";
/// Moves that are remembered.
const MOST: usize = 500;

/// A file or folder that has another name since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Moved {
    from: WorkspacePath,
    to: WorkspacePath,
    at: Timestamp,
}

/// Takes the threads beside what was moved along, and remembers the move; nothing else about them changes.
pub(crate) fn follow(
    store: &Store,
    from: &WorkspacePath,
    to: &WorkspacePath,
    protected: &HashSet<ThreadId>,
) -> Result<(), StoreError> {
    store.transaction(Durability::Normal, |transaction| {
        for thread in transaction.list::<Thread>(KIND)? {
            let moved = |path: &Option<WorkspacePath>| path.as_ref().and_then(|path| path.moved(from, to));
            let (document, notebook) = (moved(&thread.document), moved(&thread.runs_after_outputs));
            if document.is_none() && notebook.is_none() {
                continue;
            }
            let thread = Thread {
                document: document.or(thread.document),
                runs_after_outputs: notebook.or(thread.runs_after_outputs),
                ..thread
            };
            if !thread.archived {
                make_room(transaction, &thread, protected)?;
            }
            write(transaction, &thread)?;
        }
        let mut moves: Vec<Moved> = transaction.get(MOVES, MOVES)?.unwrap_or_default();
        moves.push(Moved { from: from.clone(), to: to.clone(), at: transaction.now() });
        moves.drain(..moves.len().saturating_sub(MOST));
        transaction.put(MOVES, MOVES, None, &moves)
    })
}

/// The names that a file has had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// Each with the last moment of it; the one that it has now has none.
    until: BTreeMap<Timestamp, WorkspacePath>,
    now: WorkspacePath,
    /// Before this moment the first of them was another file's.
    since: Timestamp,
}

impl Names {
    /// The names that what is at a path has had.
    pub(crate) fn of(store: &Store, now: &WorkspacePath) -> Result<Self, StoreError> {
        let moves: Vec<Moved> = store.get(MOVES, MOVES)?.unwrap_or_default();
        let (mut names, mut first) =
            (Self { until: BTreeMap::new(), now: now.clone(), since: Timestamp(i64::MIN) }, now.clone());
        for Moved { from, to, at } in moves.iter().rev() {
            if let Some(before) = first.moved(to, from) {
                names.until.insert(*at, before.clone());
                first = before;
            } else if first.is_within(from) {
                // What was there then went elsewhere.
                names.since = *at;
                break;
            }
        }
        Ok(names)
    }

    /// Tells whether it had this name at that time.
    pub(crate) fn had(&self, name: &str, at: Timestamp) -> bool {
        let then = self.until.range(at..).next().map_or(&self.now, |(_, name)| name);
        at >= self.since && then.as_str() == name
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &WorkspacePath> {
        self.until.values().chain([&self.now])
    }
}

#[cfg(test)]
mod tests {
    use aside_core::RunMode;
    use aside_store::StoreOptions;

    use super::*;
    use crate::threads::{NewThread, create, get, list};

    #[test]
    fn threads_follow_a_file_and_a_folder_and_no_twin() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let path = |text: &str| -> WorkspacePath { text.parse().unwrap() };
        let beside = |text: &str| {
            let new = NewThread { document: Some(path(text)), ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let (one, twin) = (beside("src/a.py"), beside("src-old/a.py"));
        follow(&store, &path("src/a.py"), &path("src/b.py"), &HashSet::new()).unwrap();
        follow(&store, &path("src"), &path("lib"), &HashSet::new()).unwrap();
        assert_eq!(get(&store, &one).unwrap().document, Some(path("lib/b.py")));
        assert_eq!(get(&store, &twin).unwrap().document, Some(path("src-old/a.py")));
        assert_eq!(list(&store, Some(&path("lib/b.py"))).unwrap().len(), 1);
        assert!(list(&store, Some(&path("src/a.py"))).unwrap().is_empty());
        let wish = Some(path("lib/c.ipynb"));
        let new = NewThread { runs: Some(RunMode::Auto), runs_after_outputs: wish, ..NewThread::default() };
        let elsewhere = create(&store, new, &HashSet::new()).unwrap().id;
        follow(&store, &path("lib"), &path("src"), &HashSet::new()).unwrap();
        let moved = get(&store, &elsewhere).unwrap();
        assert_eq!((moved.document, moved.runs_after_outputs), (None, Some(path("src/c.ipynb"))));
    }

    #[test]
    fn a_file_is_known_by_each_name_at_the_time_that_it_had_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let path = |text: &str| -> WorkspacePath { text.parse().unwrap() };
        let mut moments = vec![store.now()];
        for (from, to) in [("src/a.py", "src/b.py"), ("src", "lib"), ("other.py", "src/a.py"), ("lib/b.py", "c.py")] {
            follow(&store, &path(from), &path(to), &HashSet::new()).unwrap();
            moments.push(store.now());
        }
        let had = |names: &Names, name: &str| moments.iter().map(|at| names.had(name, *at)).collect::<Vec<_>>();
        let names = Names::of(&store, &path("c.py")).unwrap();
        assert_eq!(had(&names, "src/a.py"), [true, false, false, false, false]);
        assert_eq!(had(&names, "src/b.py"), [false, true, false, false, false]);
        assert_eq!(had(&names, "lib/b.py"), [false, false, true, true, false]);
        assert_eq!(had(&names, "c.py"), [false, false, false, false, true]);
        let another = Names::of(&store, &path("src/a.py")).unwrap();
        assert_eq!(had(&another, "other.py"), [true, true, true, false, false]);
        assert_eq!(had(&another, "src/a.py"), [false, false, false, true, true], "its namesake went elsewhere");
    }
}
