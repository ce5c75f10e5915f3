//! Which files are to be read, and from where.

use std::{collections::HashMap, path::Path};

use super::is_same;
use crate::{
    HistoryError, Index, LogFile, Places,
    index::{Known, Stamp},
    places::{is_compressed, plain_name},
};

/// Bytes of a large file.
const LARGE: u64 = 4 << 20;

/// A file with something to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The file.
    pub log: LogFile,
    /// What the index knows of it.
    pub known: Option<Known>,
    /// Where to begin; at 0 what is known of it is forgotten.
    pub from: u64,
}

impl Job {
    /// How much is new.
    pub fn new_bytes(&self) -> u64 {
        self.log.size.saturating_sub(self.from)
    }

    /// How much is new, if that is much.
    fn large(&self) -> u64 {
        Some(self.new_bytes()).filter(|bytes| *bytes >= LARGE).unwrap_or(0)
    }
}

/// What is to be done.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to be read: large ones first, the largest before, so that no thread ends with one alone; then by their paths, so that the logs of a session
    /// follow each other, and what is told of it is near.
    pub jobs: Vec<Job>,
    /// The numbers of files that are gone.
    pub gone: Vec<i64>,
}

/// Compares what is there with what is known: of most files no more than how they look.
pub fn plan(index: &Index, places: Places) -> Result<Plan, HistoryError> {
    let known = if places.partial { index.files_among(&places)? } else { index.files()? };
    let mut known: HashMap<&str, &Stamp> = known.iter().map(|one| (&*one.path, one)).collect();
    let mut plan = Plan::default();
    let mut new = Vec::new();
    for log in places.files {
        match known.remove(&*log.path.to_string_lossy()) {
            Some(one) if is_unchanged(&log, one) => {}
            Some(one) => plan.jobs.push(changed(log, index.file(one.id)?)),
            None => new.push(log),
        }
    }
    if places.partial {
        // What is still at its place is another file, or one of two names of this one.
        known.retain(|path, _| !Path::new(path).exists());
    }
    // Of those that are at their place no longer, some were moved.
    let mut by_number: HashMap<u64, &Stamp> = HashMap::new();
    for one in known.into_values() {
        // A folder that can't be read now says nothing of its files.
        let hidden = places.unreadable.iter().any(|(folder, _)| one.path.starts_with(&*folder.to_string_lossy()));
        if hidden {
            continue;
        }
        match one.inode {
            0 => plan.gone.extend((!one.gone).then_some(one.id)),
            inode => _ = by_number.insert(inode, one),
        }
    }
    let mut by_name = by_name(&new, by_number.values().copied());
    for log in new {
        // One that was compressed, or unpacked, is the same log in other bytes: it is read whole.
        if let Some(one) = by_name.remove(&*name_of(&log)) {
            by_number.remove(&one.inode);
            plan.jobs.push(Job { log, known: index.file(one.id)?, from: 0 });
            continue;
        }
        let one = by_number.get(&log.inode).map(|one| index.file(one.id)).transpose()?.flatten();
        let moved = one.filter(|one| one.source == log.source && is_same(&log, one));
        by_number.remove(&log.inode);
        let from = moved.as_ref().map_or(0, |one| one.state.position);
        plan.jobs.push(Job { from, known: moved, log });
    }
    if places.partial {
        plan.gone.clear();
    } else {
        plan.gone.extend(by_number.into_values().filter(|one| !one.gone).map(|one| one.id));
    }
    plan.gone.sort_unstable();
    plan.jobs.sort_by(|one, two| {
        let by_path = || one.log.path.as_os_str().cmp(two.log.path.as_os_str());
        two.large().cmp(&one.large()).then_with(by_path)
    });
    Ok(plan)
}

/// The known logs by the names that new ones have, too, of which one is compressed and the other is not. A name is that of one log: it has the
/// session's id in it.
fn by_name<'k>(new: &[LogFile], known: impl Iterator<Item = &'k Stamp>) -> HashMap<String, &'k Stamp> {
    let names: HashMap<String, bool> = new.iter().map(|log| (name_of(log), is_compressed(&log.path))).collect();
    let repacked = |one: &&'k Stamp| {
        let path = Path::new(&one.path);
        let name = path.file_name().map(|name| plain_name(&name.to_string_lossy()).to_owned())?;
        (names.get(&name).is_some_and(|compressed| *compressed != is_compressed(path))).then_some(name)
    };
    known.filter_map(|one| Some((repacked(&one)?, one))).collect()
}

fn name_of(log: &LogFile) -> String {
    let name = log.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    plain_name(&name).to_owned()
}

fn is_unchanged(log: &LogFile, known: &Stamp) -> bool {
    !known.gone && !known.stale && (log.size, log.modified, log.inode) == (known.size, known.modified, known.inode)
}

fn changed(log: LogFile, known: Option<Known>) -> Job {
    let goes_on = known.as_ref().is_some_and(|known| {
        // What was written to and is as long as before may have been written over.
        let over = log.size == known.state.size && log.modified != known.state.modified;
        !known.stale && !log.facts.document && !over && is_same(&log, known)
    });
    let from = known.as_ref().filter(|_| goes_on).map_or(0, |known| known.state.position);
    Job { log, known, from }
}
