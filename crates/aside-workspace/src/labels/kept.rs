//! What is remembered of paths: that content from outside was written there, or what a person has said of it. The
//! nearest word counts: a file's own goes before that of the folder it is in.

use std::collections::BTreeMap;

use aside_core::{Label, LabelSource, WorkspacePath};
use aside_store::Durability;
use serde::{Deserialize, Serialize};

use crate::{Workspace, WorkspaceError};

/// The kind of the records: one a path, for the file or everything in the folder.
const KIND: &str = "file_label";

/// What is known of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileLabel {
    pub path: WorkspacePath,
    pub source: LabelSource,
}

impl Workspace {
    /// Remembers that files hold content from outside; returns those that were not known to, each with what was said
    /// of it before. What runs of a notebook put out stays such in that notebook, and what the assistant wrote stays its own;
    /// anything else that comes takes their place.
    pub fn mark_external(
        &self,
        paths: &[WorkspacePath],
        source: &LabelSource,
    ) -> Result<Vec<(WorkspacePath, Option<LabelSource>)>, WorkspaceError> {
        let is_known = |path: &WorkspacePath, before: &Option<LabelSource>| {
            let is_of_runs = source.runs_of.as_ref() == Some(path);
            let known = before.as_ref().filter(|before| before.label == Label::External);
            known.is_some_and(|before| {
                (before.runs_of.is_none() || is_of_runs) && (!before.by_assistant || source.by_assistant)
            })
        };
        // Mostly it is known, which needs no turn of those who write.
        let mut unknown = Vec::new();
        for path in paths {
            if !is_known(path, &self.kept_label(path)?) {
                unknown.push(path);
            }
        }
        if unknown.is_empty() {
            return Ok(Vec::new());
        }
        let why = match source.by_assistant {
            true => format!("the assistant wrote it after reading {}: {}", source.what, source.why),
            false => format!("it contains content of `{}`: {}", source.what, source.why),
        };
        let marked = self.store.transaction(Durability::Normal, |transaction| {
            let mut marked = Vec::new();
            for path in unknown {
                let before = transaction.get::<FileLabel>(KIND, path.as_str())?.map(|label| label.source);
                if !is_known(path, &before) {
                    let (action, runs_of) = (source.action.clone(), source.runs_of.clone().filter(|of| of == path));
                    let by_assistant = source.by_assistant;
                    let source =
                        LabelSource { action, runs_of, by_assistant, ..LabelSource::external(path.as_str(), &why) };
                    transaction.put(KIND, path.as_str(), None, &FileLabel { path: path.clone(), source })?;
                    marked.push((path.clone(), before));
                }
            }
            Ok(marked)
        })?;
        Ok(marked)
    }

    /// Returns what was said of exactly this path.
    pub fn kept_label(&self, path: &WorkspacePath) -> Result<Option<LabelSource>, WorkspaceError> {
        Ok(self.store.get::<FileLabel>(KIND, path.as_str())?.map(|label| label.source))
    }

    /// Remembers this of a path, or nothing any more.
    pub fn keep_label(&self, path: &WorkspacePath, source: Option<LabelSource>) -> Result<(), WorkspaceError> {
        match source {
            Some(source) => {
                self.store.put(KIND, path.as_str(), None, &FileLabel { path: path.clone(), source })?;
            }
            None => _ = self.store.delete(KIND, path.as_str())?,
        }
        Ok(())
    }

    /// What is known of a place goes along with what is moved or copied from it.
    pub(crate) fn carry_labels(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let source = self.label_of(from);
        if source.label == Label::External {
            self.mark_external(std::slice::from_ref(to), &source)?;
        }
        self.carry_kept_labels(from, to)
    }

    /// The same for what is remembered only, not for what follows from a name.
    pub(crate) fn carry_kept_labels(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let known: Vec<FileLabel> = self.store.list(KIND)?;
        for label in known.iter().filter(|label| label.path.is_within(from)) {
            let below = &label.path.as_str()[from.as_str().len()..];
            let path = WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one");
            if label.source.label == Label::External {
                self.mark_external(&[path], &label.source)?;
            }
        }
        Ok(())
    }

    /// All that is known, by path.
    pub(super) fn kept_labels(&self) -> Result<BTreeMap<WorkspacePath, LabelSource>, WorkspaceError> {
        let known: Vec<FileLabel> = self.store.list(KIND)?;
        Ok(known.into_iter().map(|label| (label.path, label.source)).collect())
    }

    /// What was said of a path, or else of the nearest folder above it.
    pub(super) fn nearest_label(&self, path: &WorkspacePath) -> Result<Option<LabelSource>, WorkspaceError> {
        let mut place = Some(path.clone());
        while let Some(path) = place {
            if let Some(source) = self.kept_label(&path)? {
                return Ok(Some(source));
            }
            place = path.parent();
        }
        Ok(None)
    }
}
