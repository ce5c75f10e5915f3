//! Regular expressions in a query: they are looked for in the files themselves, so they find what the index does not have yet.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use aside_core::WorkspacePath;
use aside_grep::{FileMatches, FindQuery, LineLimits, LineMatch, Pattern};
use aside_search::{Condition, Filter, Query, Why, text::fold};
use aside_workspace::{FindScope, Workspace};

use crate::{DocumentKind, FoundPlace, IndexError};

/// Files after which the search ends: an expression that is nearly everywhere.
const MOST_FILES: usize = 1_000;
/// Bytes of a line that are shown.
const WIDTH: usize = 400;
/// Places of one document.
const MOST_OF_ONE: usize = 3;
/// Matching lines of one file that are looked at for the other words of the query.
const MOST_LOOKED_AT: usize = 2_000;

/// The conditions that a line has to fulfil.
pub(crate) struct LineQuery {
    /// Finds the lines.
    first: Pattern,
    /// Other expressions on the same line.
    others: Vec<Pattern>,
    /// Words and phrases on the same line, folded.
    words: Vec<String>,
    /// Words and phrases that are not on it, folded.
    without: Vec<String>,
    kinds: Vec<String>,
    /// Conditions on paths and kinds, which need no index.
    filters: Vec<Filter>,
}

impl LineQuery {
    /// Reads a query with expressions; none if it has none.
    pub fn of(query: &Query) -> Result<Option<Self>, IndexError> {
        let pattern = |text: &String| {
            let query = FindQuery { text: text.clone(), regex: true, ..FindQuery::default() };
            Pattern::new(&query).map_err(|error| IndexError::Expression(error.to_string()))
        };
        let mut patterns = query.expressions.iter().map(pattern).collect::<Result<Vec<_>, _>>()?.into_iter();
        let Some(first) = patterns.next() else { return Ok(None) };
        let left_out = |filter: &Filter| match &filter.what {
            Condition::Text(text) if filter.without => Some(fold(text)),
            _ => None,
        };
        let words = query.text.split_whitespace().map(str::to_owned).chain(query.phrases.iter().cloned());
        Ok(Some(Self {
            first,
            others: patterns.collect(),
            words: words.map(|word| fold(&word)).collect(),
            without: query.filters.iter().filter_map(left_out).collect(),
            kinds: query.kinds.clone(),
            filters: query.filters.clone(),
        }))
    }

    /// Finds the places in the documents that are let through, by path and line.
    pub fn places(
        &self,
        workspace: &Workspace,
        admits: &(dyn Fn(&str, DocumentKind) -> bool + Sync),
        limit: usize,
    ) -> Result<Vec<FoundPlace>, IndexError> {
        let is_plain = self.others.is_empty() && self.words.is_empty() && self.without.is_empty();
        let lines = if is_plain { MOST_OF_ONE } else { MOST_LOOKED_AT };
        let scope = FindScope { within: None, notebooks: true, limits: LineLimits { lines, width: WIDTH } };
        let (stop, files, found) = (AtomicBool::new(false), AtomicUsize::new(0), Mutex::new(Vec::new()));
        let each = |path: WorkspacePath, matches: FileMatches| {
            let kind = DocumentKind::of_file(&path).filter(|kind| self.admits(path.as_str(), kind.name()));
            let Some(kind) = kind.filter(|kind| admits(path.as_str(), *kind)) else {
                return ControlFlow::Continue(());
            };
            let fitting = matches.lines.into_iter().filter(|line| self.fits(line)).take(MOST_OF_ONE);
            let mut places: Vec<_> = fitting.map(|line| place(&path, kind, line)).collect();
            if places.is_empty() {
                return ControlFlow::Continue(());
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut places);
            match files.fetch_add(1, Ordering::Relaxed) < MOST_FILES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        workspace.find(&self.first, &scope, &stop, &each).map_err(|error| IndexError::Files(error.to_string()))?;
        let mut places = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        places.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
        places.truncate(limit);
        Ok(places)
    }

    /// Tells whether the filters have to ask the index.
    pub fn needs_index(&self) -> bool {
        let by_file =
            |filter: &Filter| matches!(filter.what, Condition::Path(_) | Condition::Kind(_) | Condition::Text(_));
        !self.filters.iter().all(by_file)
    }

    fn admits(&self, path: &str, kind: &str) -> bool {
        let fits = |Filter { without, what }: &Filter| match what {
            Condition::Path(start) => path.to_lowercase().starts_with(start.as_str()) != *without,
            Condition::Kind(wanted) => (wanted == kind) != *without,
            _ => true,
        };
        (self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind)) && self.filters.iter().all(fits)
    }

    fn fits(&self, line: &LineMatch) -> bool {
        let is_in = |pattern: &Pattern| !pattern.lines_of(&line.text, LineLimits { lines: 1, width: WIDTH }).is_empty();
        let needs_words = !self.words.is_empty() || !self.without.is_empty();
        let folded = if needs_words { fold(&line.text) } else { String::new() };
        self.others.iter().all(is_in)
            && self.words.iter().all(|word| folded.contains(word))
            && !self.without.iter().any(|word| folded.contains(word))
    }
}

fn place(path: &WorkspacePath, kind: DocumentKind, line: LineMatch) -> FoundPlace {
    FoundPlace {
        path: path.as_str().to_owned(),
        kind,
        line: line.number,
        title: path.name().to_owned(),
        headings: Vec::new(),
        text: line.text,
        marks: line.marks.into_iter().map(|(start, end)| [start, end]).collect(),
        why: Why::Words,
    }
}
