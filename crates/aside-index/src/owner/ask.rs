//! Answers, each checked against the files as they are: a file that is gone or empty is never found.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use aside_core::WorkspacePath;
use aside_search::{Hit, MayFind, SearchError};

use super::{Owner, WALK_AFTER};
use crate::{DocumentKind, FoundPlace, FoundPlaces, IndexError, errand::IndexQuestion, source};

/// Places of one document.
const MOST_OF_ONE: usize = 3;
/// Places that are looked at, to have enough after those of gone files are left out.
const MOST_LOOKED_AT: usize = 100;
/// Found files that are read again before the answer, since they have changed.
const MOST_READ: usize = 8;

/// A found file as it is now.
enum Now {
    AsIndexed,
    Changed,
    Gone,
}

impl Owner {
    /// Answers a question.
    pub(super) fn answer(&mut self, question: &IndexQuestion) -> Result<FoundPlaces, IndexError> {
        if self.walked.is_some_and(|at| at.elapsed() > WALK_AFTER) && self.walks == 0 {
            self.walked = Some(Instant::now());
            self.walk(None);
        }
        self.catch_up();
        let (mut hits, mut changed) = self.checked(question)?;
        if !changed.is_empty() {
            changed.truncate(MOST_READ);
            if self.refresh(&changed) {
                (hits, _) = self.checked(question)?;
            }
        }
        let (limit, of_one) = match question {
            IndexQuestion::Search { limit, query, .. } => (*limit, query.per_document.unwrap_or(MOST_OF_ONE)),
            IndexQuestion::Related { limit, .. } => (*limit, MOST_OF_ONE),
        };
        let mut counts: HashMap<String, usize> = HashMap::new();
        hits.retain(|hit| {
            let count = counts.entry(hit.path.clone()).or_default();
            *count += 1;
            *count <= of_one
        });
        hits.truncate(limit);
        Ok(FoundPlaces { places: hits.into_iter().filter_map(FoundPlace::of).collect(), progress: self.progress() })
    }

    /// The hits in files that are there, and the files that have changed since they were read.
    fn checked(&mut self, question: &IndexQuestion) -> Result<(Vec<Hit>, Vec<WorkspacePath>), IndexError> {
        let mut hits = match self.asked(question) {
            Ok(hits) => hits,
            Err(error) if error.is_damaged() => {
                self.start_over(&error);
                self.asked(question)?
            }
            Err(error) => return Err(error.into()),
        };
        let (mut gone, mut changed) = (HashSet::new(), Vec::new());
        let mut looked_at = HashSet::new();
        for hit in &hits {
            if !looked_at.insert(hit.path.clone()) {
                continue;
            }
            if !DocumentKind::of_name(&hit.kind).is_some_and(DocumentKind::is_file) {
                let is_there = self.conversations.as_ref().is_none_or(|all| all.is_there(&hit.path));
                gone.extend((!is_there).then(|| hit.path.clone()));
                continue;
            }
            let Ok(path) = hit.path.parse::<WorkspacePath>() else { continue };
            match self.now(&path) {
                Now::AsIndexed => {}
                Now::Changed => changed.push(path),
                Now::Gone => drop(gone.insert(hit.path.clone())),
            }
        }
        hits.retain(|hit| !gone.contains(&hit.path));
        if !gone.is_empty() {
            self.remove(gone.into_iter().collect());
        }
        Ok((hits, changed))
    }

    fn asked(&self, question: &IndexQuestion) -> Result<Vec<Hit>, SearchError> {
        let Some(index) = &self.index else { return Ok(Vec::new()) };
        match question {
            IndexQuestion::Search { query, .. } if query.is_empty() => Ok(Vec::new()),
            IndexQuestion::Search { query, meaning, limit, may } => {
                let of_kind = may.as_ref().map(|may| {
                    |path: &str, kind: &str| DocumentKind::of_name(kind).is_some_and(|kind| may(path, kind))
                });
                let of_kind = of_kind.as_ref().map(|may| may as MayFind<'_>);
                index.search_in(query, meaning.as_deref(), MOST_LOOKED_AT.max(*limit), of_kind)
            }
            IndexQuestion::Related { path, limit } => index.related(path, limit + MOST_READ),
        }
    }

    fn now(&self, path: &WorkspacePath) -> Now {
        let Some(workspace) = self.workspace.upgrade() else { return Now::AsIndexed };
        let known = self.known.file(path.as_str());
        match source::state(&workspace, path) {
            Ok(None) | Err(_) => Now::Gone,
            // Changes of a live text are told.
            Ok(Some(_)) if workspace.open_document(path).is_some() => Now::AsIndexed,
            Ok(Some((size, modified))) if known.is_some_and(|known| known.is_of(size, modified)) => Now::AsIndexed,
            Ok(Some(_)) => Now::Changed,
        }
    }
}
