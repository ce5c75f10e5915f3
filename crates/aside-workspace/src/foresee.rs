//! What the operations of `files.rs` would leave, found out by the same rules and without doing anything.

use aside_core::{FileEffect, Version, WorkspacePath, WouldBe, WouldBeFile, WouldBePlace};
use aside_doc::decode;

use crate::{
    EntryKind, Existing, KeptEntry, KeptId, KeptWhat, MOST_KEPT, Survey, View, WorkspaceError, save::not_text,
};

impl View<'_> {
    /// What [`Workspace::create_file`](crate::Workspace::create_file) would leave.
    pub fn create_file(&self, path: &WorkspacePath, bytes: &[u8]) -> Result<Vec<FileEffect>, WorkspaceError> {
        let mut effects = self.make_parents(path)?;
        effects.push(FileEffect::bytes(self.free(path)?, bytes));
        Ok(effects)
    }

    /// The same for [`Workspace::create_document`](crate::Workspace::create_document).
    pub fn create_document(&self, path: &WorkspacePath, text: &str) -> Result<Vec<FileEffect>, WorkspaceError> {
        decode(text.as_bytes()).map_err(|problem| not_text(problem, path))?;
        self.create_file(path, text.as_bytes())
    }

    /// What [`Workspace::create_folder`](crate::Workspace::create_folder) would leave.
    pub fn create_folder(&self, path: &WorkspacePath) -> Result<Vec<FileEffect>, WorkspaceError> {
        let mut effects = self.make_parents(path)?;
        effects.push(folder(self.free(path)?));
        Ok(effects)
    }

    /// What [`Workspace::delete`](crate::Workspace::delete) would leave.
    pub fn delete(
        &self,
        path: &WorkspacePath,
        tidy: Option<&WorkspacePath>,
    ) -> Result<Vec<FileEffect>, WorkspaceError> {
        let place = self.place(path)?;
        self.survey(path)?;
        let mut effects = vec![FileEffect::absent(place)];
        self.tidied(&mut effects, path, tidy)?;
        Ok(effects)
    }

    /// What [`Workspace::move_entry`](crate::Workspace::move_entry) would leave.
    pub fn move_entry(
        &self,
        from: &WorkspacePath,
        to: &WorkspacePath,
        existing: Existing,
        tidy: Option<&WorkspacePath>,
    ) -> Result<Vec<FileEffect>, WorkspaceError> {
        if to != from && to.is_within(from) {
            return Err(WorkspaceError::IntoItself { from: from.clone(), to: to.clone() });
        }
        let source = self.place(from)?;
        let existing = existing.by(kind(&self.survey(from)?));
        let mut effects = self.make_parents(to)?;
        let target = self.make_way(to, existing)?;
        if source != target {
            effects.extend(self.carried(&source, &target)?);
            effects.push(FileEffect::absent(source));
        }
        self.tidied(&mut effects, from, tidy)?;
        Ok(effects)
    }

    /// What [`Workspace::copy`](crate::Workspace::copy) would leave.
    pub fn copy(
        &self,
        from: &WorkspacePath,
        to: &WorkspacePath,
        existing: Existing,
    ) -> Result<Vec<FileEffect>, WorkspaceError> {
        let source = self.real_path(from)?;
        if to.is_within(&source) {
            return Err(WorkspaceError::IntoItself { from: from.clone(), to: to.clone() });
        }
        let survey = self.survey(&source)?;
        if !survey.can_be_kept() {
            return Err(WorkspaceError::TooLarge { path: from.clone(), size: survey.bytes, limit: MOST_KEPT });
        }
        let existing = existing.by(kind(&survey));
        let mut effects = self.make_parents(to)?;
        effects.extend(self.carried(&source, &self.make_way(to, existing)?)?);
        Ok(effects)
    }

    /// What [`Workspace::restore`](crate::Workspace::restore) would leave.
    pub fn restore(&self, id: &KeptId) -> Result<Vec<FileEffect>, WorkspaceError> {
        let kept = self.workspace.kept(id)?;
        let is_file = matches!(kept.entries.first().map(|entry| &entry.what), Some(KeptWhat::File { .. }));
        let mut effects = self.make_parents(&kept.path)?;
        self.make_way(&kept.path, if is_file { Existing::Overwrite } else { Existing::Refuse })?;
        for entry in &kept.entries {
            effects.push(put_back(self.place(&entry.path)?, entry)?);
        }
        Ok(effects)
    }

    /// The same workspace with other changes.
    pub fn of<'b>(&'b self, would_be: &'b WouldBe) -> View<'b> {
        View { workspace: self.workspace, would_be }
    }

    /// What would be different after some effects.
    pub fn after(&self, effects: &[FileEffect]) -> WouldBe {
        let mut after = self.would_be.clone();
        after.apply(effects);
        after
    }

    /// Refuses if something is at the place.
    fn free(&self, path: &WorkspacePath) -> Result<WorkspacePath, WorkspaceError> {
        self.make_way(path, Existing::Refuse)
    }

    fn make_way(&self, path: &WorkspacePath, existing: Existing) -> Result<WorkspacePath, WorkspaceError> {
        let there = match self.survey(path) {
            Ok(survey) => survey.entries.into_iter().next().map(|entry| entry.what),
            Err(WorkspaceError::NotFound(_)) => None,
            Err(error) => return Err(error),
        };
        match (there, existing) {
            (None, _) | (Some(KeptWhat::File { .. } | KeptWhat::Link { .. }), Existing::Overwrite) => self.place(path),
            (Some(_), _) => Err(WorkspaceError::Exists(path.clone())),
        }
    }

    /// The folders that would be made on the way, the topmost first.
    fn make_parents(&self, path: &WorkspacePath) -> Result<Vec<FileEffect>, WorkspaceError> {
        let mut made = Vec::new();
        for parent in std::iter::successors(path.parent(), WorkspacePath::parent) {
            let survey = match self.real_path(&parent).and_then(|real| self.survey(&real)) {
                Ok(survey) => survey,
                Err(WorkspaceError::NotFound(_)) => {
                    made.insert(0, folder(self.place(&parent)?));
                    continue;
                }
                Err(error) => return Err(error),
            };
            match survey.entries.first().map(|entry| &entry.what) {
                Some(KeptWhat::Folder { .. }) => break,
                _ => return Err(WorkspaceError::NotFolder(parent)),
            }
        }
        Ok(made)
    }

    fn carried(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<Vec<FileEffect>, WorkspaceError> {
        let carried = self.would_be.carried(from, to);
        carried.into_iter().map(|(path, place)| self.effect(path, place)).collect()
    }

    fn effect(&self, path: WorkspacePath, place: WouldBePlace) -> Result<FileEffect, WorkspaceError> {
        let version = match &place {
            WouldBePlace::Absent => None,
            WouldBePlace::Folder => folder(path.clone()).version,
            WouldBePlace::File(file) => Some(file.version()),
            WouldBePlace::Link { target } => Some(Version::of(target)),
            WouldBePlace::Now(source) => self.workspace.view(&WouldBe::default()).version(source)?,
        };
        Ok(FileEffect { path, place, version })
    }

    /// Adds the folders above a path, up to `tidy`, that would be empty.
    fn tidied(
        &self,
        effects: &mut Vec<FileEffect>,
        path: &WorkspacePath,
        tidy: Option<&WorkspacePath>,
    ) -> Result<(), WorkspaceError> {
        let Some(top) = tidy else { return Ok(()) };
        let above = std::iter::successors(path.parent(), WorkspacePath::parent);
        for folder in above.take_while(|folder| folder.is_within(top)) {
            let after = self.after(effects);
            match self.of(&after).survey(&folder) {
                Ok(survey) if survey.entries.len() == 1 => effects.push(FileEffect::absent(self.place(&folder)?)),
                Ok(_) | Err(WorkspaceError::NotFound(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn kind(survey: &Survey) -> EntryKind {
    match survey.entries.first().map(|entry| &entry.what) {
        Some(KeptWhat::Folder { .. }) => EntryKind::Folder,
        _ => EntryKind::File,
    }
}

fn folder(path: WorkspacePath) -> FileEffect {
    FileEffect { path, place: WouldBePlace::Folder, version: Some(Version::of("folder")) }
}

fn put_back(path: WorkspacePath, entry: &KeptEntry) -> Result<FileEffect, WorkspaceError> {
    Ok(match &entry.what {
        KeptWhat::File { blob, size, .. } => {
            let blob = blob.clone().ok_or_else(|| WorkspaceError::NotKept(entry.path.to_string()))?;
            let file = WouldBeFile::Kept { blob, size: *size };
            FileEffect { version: Some(file.version()), place: WouldBePlace::File(file), path }
        }
        KeptWhat::Folder { .. } => folder(path),
        KeptWhat::Link { target } => FileEffect {
            path,
            version: Some(Version::of(target)),
            place: WouldBePlace::Link { target: target.clone() },
        },
    })
}
