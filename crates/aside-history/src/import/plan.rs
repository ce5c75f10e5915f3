//! Which files are to be read, and from where.

use std::{collections::HashMap, path::Path};

use super::is_same;
use crate::{LogFile, Places, index::Known};

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
}

/// What is to be done.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to be read, the largest first, so that no thread ends with one alone.
    pub jobs: Vec<Job>,
    /// The numbers of files that are gone.
    pub gone: Vec<i64>,
}

/// Compares what is there with what is known.
pub fn plan(places: Places, known: Vec<Known>) -> Plan {
    let mut known: HashMap<String, Known> = known.into_iter().map(|one| (one.state.path.clone(), one)).collect();
    let mut plan = Plan::default();
    let mut new = Vec::new();
    for log in places.files {
        match known.remove(&*log.path.to_string_lossy()) {
            Some(one) if is_unchanged(&log, &one) => {}
            Some(one) => plan.jobs.push(changed(log, one)),
            None => new.push(log),
        }
    }
    if places.partial {
        // What is still at its place is another file, or one of two names of this one.
        known.retain(|path, _| !Path::new(path).exists());
    }
    // Of those that are at their place no longer, some were moved.
    let mut by_number: HashMap<u64, Known> = HashMap::new();
    for one in known.into_values() {
        // A folder that can't be read now says nothing of its files.
        let hidden = places.unreadable.iter().any(|(folder, _)| one.state.path.starts_with(&*folder.to_string_lossy()));
        if hidden {
            continue;
        }
        match one.state.inode {
            0 => plan.gone.extend((!one.gone).then_some(one.id)),
            inode => _ = by_number.insert(inode, one),
        }
    }
    for log in new {
        let moved = by_number.get(&log.inode).is_some_and(|one| one.source == log.source && is_same(&log, one));
        let job = match by_number.remove(&log.inode).filter(|_| moved) {
            Some(one) => Job { from: one.state.position, known: Some(one), log },
            None => Job { known: None, from: 0, log },
        };
        plan.jobs.push(job);
    }
    if places.partial {
        plan.gone.clear();
    } else {
        plan.gone.extend(by_number.into_values().filter(|one| !one.gone).map(|one| one.id));
    }
    plan.gone.sort_unstable();
    plan.jobs.sort_by(|one, two| two.new_bytes().cmp(&one.new_bytes()).then_with(|| one.log.path.cmp(&two.log.path)));
    plan
}

fn is_unchanged(log: &LogFile, known: &Known) -> bool {
    let state = &known.state;
    !known.gone && !known.stale && (log.size, log.modified, log.inode) == (state.size, state.modified, state.inode)
}

fn changed(log: LogFile, known: Known) -> Job {
    // What was written to and is as long as before may have been written over.
    let over = log.size == known.state.size && log.modified != known.state.modified;
    let goes_on = !known.stale && !log.facts.document && !over && is_same(&log, &known);
    let from = if goes_on { known.state.position } else { 0 };
    Job { log, known: Some(known), from }
}
