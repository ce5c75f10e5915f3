//! The search behind `file.search` and `file.replace`: files with matches, as far as the asker may read them.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

use aside_core::{Failure, WorkspacePath};
use aside_gate::ActionContext;
use aside_workspace::{FileMatches, FindQuery, FindScope, LineLimits, Pattern, QueryError, Workspace, WorkspaceError};

use crate::files::targets_of;

/// The first files with matches, by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    pub files: BTreeMap<WorkspacePath, FileMatches>,
    pub totals: Totals,
}

/// How much there is beside the first files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Files that were searched.
    pub searched: usize,
    /// Files with matches that are not listed, and their matching lines.
    pub more_files: usize,
    pub more_lines: usize,
}

/// Compiles a query.
pub(crate) fn pattern(query: &FindQuery) -> Result<Pattern, Failure> {
    Pattern::new(query).map_err(|error| {
        let failure = Failure::new("invalid_args", error.to_string());
        match error {
            QueryError::LineBreak => failure.hint("search for one line of it"),
            QueryError::TooLarge => failure.hint("use smaller repetitions, or `\\w*` in place of a counted one"),
            _ => failure,
        }
    })
}

/// Searches without notebooks, whose cells may be kept from models.
pub(crate) fn scope(within: Option<&WorkspacePath>, lines: usize, width: usize) -> FindScope {
    FindScope { within: within.cloned(), notebooks: false, limits: LineLimits { lines, width } }
}

/// Tells whether the asker may read a file at all: each file is judged as if it alone were touched.
pub(crate) fn may_read(workspace: &Workspace, context: &ActionContext, path: &WorkspacePath) -> bool {
    context.admits.all(&targets_of(&workspace.view(&context.would_be), path))
}

/// Tells whether a file was judged when the action was assessed.
pub(crate) fn was_judged(workspace: &Workspace, context: &ActionContext, path: &WorkspacePath) -> bool {
    let targets = targets_of(&workspace.view(&context.would_be), path);
    targets.iter().all(|target| context.touches.contains(target))
}

/// Returns the files that an action was assessed to touch.
pub(crate) fn judged(context: &ActionContext) -> Vec<WorkspacePath> {
    let files = context.touches.iter().filter(|target| target.kind == "file");
    files.filter_map(|target| target.id.parse().ok()).collect()
}

/// Searches all files, and gathers those that are admitted: the first `most` by path.
pub(crate) fn gather(
    workspace: &Workspace,
    (pattern, scope): (&Pattern, &FindScope),
    most: usize,
    admits: &(dyn Fn(&WorkspacePath) -> bool + Sync),
) -> Result<Gathered, WorkspaceError> {
    let gathered = Mutex::new(Gathered::default());
    let searched = workspace.find(pattern, scope, &AtomicBool::new(false), &|path, found| {
        if admits(&path) {
            gathered.lock().unwrap_or_else(PoisonError::into_inner).add(path, found, most);
        }
        ControlFlow::Continue(())
    })?;
    let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    gathered.totals.searched = searched.files;
    Ok(gathered)
}

/// Searches some files, and gathers those that are admitted.
pub(crate) fn gather_in(
    workspace: &Workspace,
    (pattern, scope): (&Pattern, &FindScope),
    paths: &[WorkspacePath],
    admits: &(dyn Fn(&WorkspacePath) -> bool + Sync),
) -> Result<Gathered, WorkspaceError> {
    let gathered = Mutex::new(Gathered::default());
    workspace.find_in(paths, pattern, scope, &|path, found| {
        if admits(&path) {
            gathered.lock().unwrap_or_else(PoisonError::into_inner).add(path, found, usize::MAX);
        }
        ControlFlow::Continue(())
    })?;
    Ok(gathered.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Gathered {
    fn add(&mut self, path: WorkspacePath, found: FileMatches, most: usize) {
        self.files.insert(path, found);
        if self.files.len() > most
            && let Some((_, last)) = self.files.pop_last()
        {
            self.totals.more_files += 1;
            self.totals.more_lines += last.lines.len() + last.more;
        }
    }
}
