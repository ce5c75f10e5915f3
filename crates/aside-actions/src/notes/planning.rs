//! A change of notes while it is planned: the notes that it touches, their edits, and the rows that a person sees.

use std::{cell::OnceCell, collections::BTreeMap, sync::Arc};

use aside_core::{Failure, FileEffect, NoteRow, ObjectRef, ObjectVersion, Version, Warning, WorkspacePath, WouldBe};
use aside_doc::{AnchoredEdit, BaseText, edits_between, encode, guards, plan, text_guards};
use aside_notes::{ByteEdit, Note, SignStyle, Vault, edited, note_style};
use aside_workspace::{View, Workspace};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    NoteStep, NoteText,
    index::style_of,
    reading::{parsed, read},
};
use crate::{doc_edit::EditArgs, doc_format::joined, files::version_of};

/// A change while it is planned.
pub(crate) struct Planning<'a> {
    pub view: &'a View<'a>,
    workspace: &'a Arc<Workspace>,
    now: OnceCell<Arc<Vault>>,
    /// The person's day.
    pub today: Date,
    pub rows: Vec<NoteRow>,
    /// One outcome for each row of the request.
    pub outcomes: Vec<Value>,
    pub warnings: Vec<Warning>,
    drafts: BTreeMap<WorkspacePath, Draft>,
    files: Vec<NoteStep>,
}

/// A note with the edits that wait for it.
struct Draft {
    read: NoteText,
    /// The text that it had.
    before: Arc<str>,
    edits: Vec<ByteEdit>,
}

/// A change that is planned to its end.
pub(crate) struct Planned {
    pub rows: Vec<NoteRow>,
    pub outcomes: Vec<Value>,
    pub warnings: Vec<Warning>,
    pub steps: Vec<NoteStep>,
    pub effects: Vec<FileEffect>,
    pub versions: Vec<ObjectVersion>,
    pub targets: Vec<WorkspacePath>,
}

impl<'a> Planning<'a> {
    pub(crate) fn new(view: &'a View<'a>, workspace: &'a Arc<Workspace>, today: Date) -> Self {
        let (rows, outcomes, warnings) = (Vec::new(), Vec::new(), Vec::new());
        let now = OnceCell::new();
        Self { view, workspace, now, today, rows, outcomes, warnings, drafts: BTreeMap::new(), files: Vec::new() }
    }

    /// Returns all notes as they are now.
    pub(crate) fn notes(&self) -> &Arc<Vault> {
        self.now.get_or_init(|| self.workspace.notes_now())
    }

    /// Returns a note as it is, or as the change has made it so far.
    pub(crate) fn note(&mut self, path: &WorkspacePath) -> Result<&NoteText, Failure> {
        let path = self.opened(path)?;
        Ok(&self.drafts[&path].read)
    }

    fn opened(&mut self, path: &WorkspacePath) -> Result<WorkspacePath, Failure> {
        if self.drafts.contains_key(path) {
            return Ok(path.clone());
        }
        let read = read(self.view, path)?;
        let real = read.path.clone();
        let before = read.text.clone();
        self.drafts.entry(real.clone()).or_insert(Draft { read, before, edits: Vec::new() });
        Ok(real)
    }

    /// Returns the note of today, and whether it is new: then it lies beside the latest note of a day.
    pub(crate) fn daily(&self) -> Result<(WorkspacePath, bool), Failure> {
        let vault = self.notes();
        if let Some(path) = vault.notes_of_day(self.today).first() {
            return Ok(((*path).clone(), false));
        }
        let days = vault.notes().filter_map(|note| Some((note.daily?, &note.path)));
        let folder = days.max().and_then(|(_, path)| path.parent());
        let name = format!("{}.md", self.today);
        let whole = folder.map_or(name.clone(), |folder| format!("{folder}/{name}"));
        let path = WorkspacePath::new(&whole).map_err(|error| Failure::new("invalid_args", error.to_string()))?;
        Ok((path, true))
    }

    /// Adds edits of a note as it was read. Edits of one note must not overlap.
    pub(crate) fn edit(&mut self, path: &WorkspacePath, edits: Vec<ByteEdit>) -> Result<(), Failure> {
        let path = self.opened(path)?;
        if let Some(draft) = self.drafts.get_mut(&path) {
            draft.edits.extend(edits);
        }
        Ok(())
    }

    /// Makes the edits that wait for a note, and parses it again.
    pub(crate) fn settle(&mut self, path: &WorkspacePath) -> Result<(), Failure> {
        let path = self.opened(path)?;
        let Some(draft) = self.drafts.get_mut(&path).filter(|draft| !draft.edits.is_empty()) else { return Ok(()) };
        let after = edited(&draft.read.text, &draft.edits).map_err(|refused| refused.failure())?;
        draft.edits.clear();
        draft.read.note = parsed(self.view, &path, &after);
        draft.read.text = after.into();
        Ok(())
    }

    /// Adds a file that comes, goes or gets another path.
    pub(crate) fn step(&mut self, step: NoteStep) {
        self.files.push(step);
    }

    /// Adds a row of the table.
    pub(crate) fn row(&mut self, row: NoteRow) {
        self.rows.push(row);
    }

    /// Adds the outcome of a row of the request.
    pub(crate) fn outcome(&mut self, part: u32, path: &WorkspacePath, words: &str) {
        self.outcomes.push(json!({"part": part, "path": path, "outcome": words}));
    }

    /// Returns the notation that most dates of the workspace have, if a note has none to go by.
    pub(crate) fn style_for(&self, note: &Note, is_wanted: bool) -> Option<SignStyle> {
        (is_wanted && note_style(note).is_none()).then(|| style_of(self.notes())).flatten()
    }

    /// Ends the plan.
    pub(crate) fn ended(mut self) -> Result<Planned, Failure> {
        let paths: Vec<WorkspacePath> = self.drafts.keys().cloned().collect();
        for path in &paths {
            self.settle(path)?;
        }
        let Self { view, mut rows, outcomes, mut warnings, drafts, files, .. } = self;
        rows.sort_by_key(|row| row.part);
        let (mut steps, mut effects, mut versions, mut targets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (path, Draft { read, before, .. }) in drafts {
            if before == read.text {
                continue;
            }
            let edits = joined(edits_between(&before, &read.text), &before, &read.text);
            warnings.extend(guarded(&path, &before, &read.version, &edits)?);
            let edits = edits.into_iter().map(EditArgs::from).collect();
            effects.push(FileEffect::bytes(path.clone(), encode(&read.text, &read.shape)));
            versions.push(ObjectVersion { object: ObjectRef::file(&path), version: Some(read.version.clone()) });
            steps.push(NoteStep::Edit { path: path.clone(), base: read.version.to_string(), edits });
            view.check_writable(&path)?;
            targets.push(path);
        }
        let mut after: WouldBe = view.after(&effects);
        for step in files {
            let new = effects_of(&view.of(&after), &step)?;
            after.apply(&new);
            effects.extend(new);
            for path in step.paths() {
                versions.push(version_of(view, path)?);
                if matches!(step, NoteStep::Create { .. }) {
                    view.check_writable(path)?;
                }
                targets.push(path.clone());
            }
            if let NoteStep::Create { path, text } = &step {
                warnings.extend(text_guards(Some(path.name()), text));
            }
            steps.push(step);
        }
        Ok(Planned { rows, outcomes, warnings, steps, effects, versions, targets })
    }
}

/// Returns reasons to look twice at the edits of a note or another text.
pub(crate) fn guarded(
    path: &WorkspacePath,
    before: &str,
    version: &Version,
    edits: &[AnchoredEdit],
) -> Result<Vec<Warning>, Failure> {
    let base = BaseText { version: version.clone(), text: before };
    let planned = plan(before, version, Some(&base), edits);
    let planned = planned.map_err(|_| Failure::new("internal", format!("the edits of `{path}` have no place")))?;
    let named = |warning: Warning| Warning { text: format!("{path}: {}", warning.text), ..warning };
    Ok(guards(Some(path.name()), before, &planned).into_iter().map(named).collect())
}

/// Returns the effects of a step.
pub(crate) fn effects_of(view: &View<'_>, step: &NoteStep) -> Result<Vec<FileEffect>, Failure> {
    Ok(match step {
        NoteStep::Edit { path, base, edits } => {
            let edits: Vec<_> = edits.iter().map(AnchoredEdit::from).collect();
            let planned = view.plan(path, Some(base), &edits).map_err(crate::doc_edit::failure)?;
            vec![FileEffect::bytes(planned.path.clone(), planned.bytes_after())]
        }
        NoteStep::Create { path, text } => view.create_document(path, text)?,
        NoteStep::Delete { path, tidy, expected } => {
            view.check_expected(path, expected.as_ref())?;
            view.delete(path, tidy.as_ref())?
        }
        NoteStep::Restore { kept } => {
            let id = aside_core::Sha256::parse(kept);
            view.restore(&id.ok_or_else(|| Failure::new("invalid_args", format!("`{kept}` is no handle")))?)?
        }
        NoteStep::Move { from, to, tidy } => {
            view.move_entry(from, to, aside_workspace::Existing::Refuse, tidy.as_ref())?
        }
    })
}
