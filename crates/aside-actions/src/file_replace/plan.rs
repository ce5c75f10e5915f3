//! The plan of a replacement over all files.

use aside_core::{Failure, Warning, WorkspacePath};
use aside_gate::ActionContext;
use aside_workspace::{FindScope, Workspace};

use super::{Args, Except, change::FileReplacement};
use crate::{
    files::{counted, is_notebook},
    in_files::{gather, gather_in, may_read, pattern, scope, was_judged},
    notes::NoteStep,
};

/// Files that one action changes, and bytes of their texts.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: usize = 64 << 20;
/// Warnings that are shown.
const MOST_WARNINGS: usize = 20;

/// A replacement that is planned to its end.
#[derive(Default)]
pub(super) struct Planned {
    pub changes: Vec<FileReplacement>,
    /// Files with matches that stay as they are, with the reasons.
    pub left: Vec<(WorkspacePath, String)>,
    pub warnings: Vec<Warning>,
}

impl Planned {
    /// Returns the files with matches.
    pub fn paths(&self) -> impl Iterator<Item = &WorkspacePath> {
        self.changes.iter().map(|change| &change.path).chain(self.left.iter().map(|(path, _)| path))
    }

    /// Returns the steps that make it.
    pub fn steps(&self) -> Vec<NoteStep> {
        self.changes.iter().map(FileReplacement::step).collect()
    }
}

/// Plans a replacement in all files that the asker may read, or in some that were found before.
pub(super) fn planned(
    workspace: &Workspace,
    context: &ActionContext,
    args: &Args,
    files: Option<Vec<WorkspacePath>>,
) -> Result<Planned, Failure> {
    let pattern = pattern(&args.query())?;
    // Only the person hears of matches in cells, some of which may be kept from models.
    let scope = FindScope { notebooks: context.origin.is_person(), ..scope(args.within.as_ref(), 1, 1) };
    let runs = !context.touches.is_empty();
    let admits = |path: &WorkspacePath| match runs {
        true => was_judged(workspace, context, path),
        false => may_read(workspace, context, path),
    };
    let gathered = match files {
        Some(files) => gather_in(workspace, (&pattern, &scope), &files, &admits)?,
        None => gather(workspace, (&pattern, &scope), MOST_FILES, &admits)?,
    };
    if gathered.totals.more_files > 0 {
        return Err(too_many(gathered.files.len() + gathered.totals.more_files));
    }
    let view = workspace.view(&context.would_be);
    let (mut planned, mut bytes) = (Planned::default(), 0);
    for path in gathered.files.keys() {
        let except: Vec<&Except> = args.except.iter().filter(|except| except.path == *path).collect();
        if except.iter().any(|except| except.lines.is_none()) {
            continue;
        }
        if is_notebook(path) {
            planned.left.push((path.clone(), "replace in a notebook’s cells in the notebook itself".to_owned()));
            continue;
        }
        match FileReplacement::planned(&view, path, (&pattern, &args.replacement), &except) {
            Ok(None) => {}
            Ok(Some(change)) => {
                bytes += change.before.len() + change.after.len();
                if bytes > MOST_BYTES {
                    return Err(too_large());
                }
                let room = MOST_WARNINGS.saturating_sub(planned.warnings.len());
                planned.warnings.extend(change.warnings()?.into_iter().take(room));
                planned.changes.push(change);
            }
            Err(error) => planned.left.push((path.clone(), error.failure().message)),
        }
    }
    Ok(planned)
}

fn too_many(files: usize) -> Failure {
    let message = format!("the text is in {}; one action changes at most {MOST_FILES}", counted(files, "file"));
    Failure::new("invalid_args", message).hint("narrow it with `within`, `include` or `exclude`")
}

fn too_large() -> Failure {
    let message = format!("the files are too large together; one action changes at most {} MB", MOST_BYTES >> 20);
    Failure::new("invalid_args", message).hint("narrow it with `within`, `include` or `exclude`")
}
