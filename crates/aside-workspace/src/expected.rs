//! The state that an undo expects at a place. If somebody has changed the place since, going back would lose that.

use aside_core::{Version, WorkspacePath};
use aside_doc::preview_hunks;
use serde::{Deserialize, Serialize};

use crate::{
    KeptEntry, KeptWhat, MOST_KEPT, Survey, View, Workspace, WorkspaceError,
    kept::{self, MOST_SHOWN_BYTES},
    kind::is_notebook,
};

/// Lines of later changes that a refusal shows.
const MOST_LINES: usize = 12;

/// Programs write them by themselves; nobody misses their later changes.
const CACHES: &str = "__pycache__";

/// The state of a place that an action left, as its inverse names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Expected {
    /// Nothing is there.
    Nothing,
    /// A file with these bytes, or a folder with these entries.
    Version(Version),
}

/// How [`Expected::Nothing`] is spelled.
const NOTHING: &str = "nothing";

impl TryFrom<String> for Expected {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match Version::parse(&text) {
            Some(version) => Ok(Self::Version(version)),
            None if text == NOTHING => Ok(Self::Nothing),
            None => Err(format!("`{NOTHING}` or a whole version is expected")),
        }
    }
}

impl From<Expected> for String {
    fn from(expected: Expected) -> Self {
        match expected {
            Expected::Nothing => NOTHING.to_owned(),
            Expected::Version(version) => version.to_string(),
        }
    }
}

impl View<'_> {
    /// Returns the state of a place, for comparing it later. Live documents count as written.
    pub fn state_of(&self, path: &WorkspacePath) -> Result<Expected, WorkspaceError> {
        let survey = match self.survey(path) {
            Ok(survey) => survey,
            Err(WorkspaceError::NotFound(_)) => return Ok(Expected::Nothing),
            Err(error) => return Err(error),
        };
        if let Some(KeptEntry { what: KeptWhat::File { .. }, path }) = survey.entries.first()
            && let Ok(bytes) = self.content(path, MOST_KEPT)
        {
            return Ok(Expected::Version(Version::of(bytes)));
        }
        let listed = match survey.can_be_kept() {
            true => self.listed_whole(&survey),
            false => self.workspace.listed_by_size(path)?,
        };
        Ok(Expected::Version(Version::of_json(&listed)))
    }

    /// Refuses if a place is in another state than an action left it in, and says what would be lost.
    pub fn check_expected(&self, path: &WorkspacePath, expected: Option<&Expected>) -> Result<(), WorkspaceError> {
        let Some(expected) = expected else { return Ok(()) };
        let now = self.state_of(path)?;
        // That it is gone is said by who looks for it.
        if now == *expected || now == Expected::Nothing {
            return Ok(());
        }
        Err(WorkspaceError::NotAsLeft { path: path.clone(), changes: self.later_changes(path, expected) })
    }

    /// Every entry below a place, files by their bytes.
    fn listed_whole(&self, survey: &Survey) -> Vec<(String, String)> {
        let state = |entry: &KeptEntry| match &entry.what {
            KeptWhat::Folder { .. } => "folder".to_owned(),
            KeptWhat::Link { target } => format!("link to {target}"),
            KeptWhat::File { size, .. } => match self.content(&entry.path, MOST_KEPT) {
                Ok(bytes) => Version::of(bytes).to_string(),
                Err(_) => size.to_string(),
            },
        };
        let entries = survey.entries.iter().filter(|entry| !is_cache(&entry.path));
        entries.map(|entry| (entry.path.to_string(), state(entry))).collect()
    }

    /// The lines that came and went since, or what is there now, each on a line of its own.
    fn later_changes(&self, path: &WorkspacePath, expected: &Expected) -> Vec<String> {
        let now = self.content(path, MOST_SHOWN_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let then = match expected {
            Expected::Nothing => Some(String::new()),
            Expected::Version(version) => self.workspace.kept_text(version).ok().flatten(),
        };
        let mut lines = match (then, now, self.survey(path)) {
            // A notebook may have cells that a person keeps from models.
            (Some(then), Some(now), _) if then != now && !is_notebook(path) => changed_lines(&then, &now),
            (_, _, Ok(survey)) => entry_names(&survey),
            _ => Vec::new(),
        };
        if let Some(more) = lines.len().checked_sub(MOST_LINES + 1) {
            lines.truncate(MOST_LINES);
            lines.push(format!("… and {} more", more + 1));
        }
        lines
    }
}

impl Workspace {
    /// Returns the state that an action has just left a place in. A short text is kept, so that later changes can be shown.
    pub(crate) fn left_at(&self, path: &WorkspacePath) -> Result<Expected, WorkspaceError> {
        let would_be = aside_core::WouldBe::default();
        let view = self.view(&would_be);
        if let Ok(bytes) = view.content(path, MOST_SHOWN_BYTES)
            && let Ok(text) = String::from_utf8(bytes)
            && let Err(error) = self.keep_text(&text)
        {
            tracing::warn!(%path, %error, "could not keep a text; an undo can't show what has changed since");
        }
        view.state_of(path)
    }

    /// The same as [`View::check_expected`], of the files as they are.
    pub(crate) fn check_as_left(
        &self,
        path: &WorkspacePath,
        expected: Option<&Expected>,
    ) -> Result<(), WorkspaceError> {
        self.view(&aside_core::WouldBe::default()).check_expected(path, expected)
    }

    /// Every entry below a place that is too large to be read.
    fn listed_by_size(&self, path: &WorkspacePath) -> Result<Vec<(String, String)>, WorkspaceError> {
        let survey = kept::survey_up_to(&self.root.resolve_entry(path)?, usize::MAX)?;
        let entries = survey.entries.iter().filter(|entry| !is_cache(&entry.path));
        let state = |entry: &KeptEntry| match &entry.what {
            KeptWhat::Folder { .. } => "folder".to_owned(),
            KeptWhat::Link { target } => format!("link to {target}"),
            KeptWhat::File { size, .. } => size.to_string(),
        };
        Ok(entries.map(|entry| (entry.path.to_string(), state(entry))).collect())
    }
}

fn is_cache(path: &WorkspacePath) -> bool {
    path.as_str().split('/').any(|part| part == CACHES)
}

fn changed_lines(then: &str, now: &str) -> Vec<String> {
    let hunks = preview_hunks(then, now);
    let line = |sign: char, line: &String| format!("{sign} {line}");
    let of_hunk = |hunk: &aside_core::Hunk| {
        let old = hunk.old.iter().map(|text| line('-', text));
        old.chain(hunk.new.iter().map(|text| line('+', text))).collect::<Vec<_>>()
    };
    hunks.iter().flat_map(of_hunk).collect()
}

fn entry_names(survey: &Survey) -> Vec<String> {
    let said = |entry: &KeptEntry| match &entry.what {
        KeptWhat::File { size, .. } => format!("{} ({size} bytes)", entry.path),
        KeptWhat::Folder { .. } => format!("{}/", entry.path),
        KeptWhat::Link { target } => format!("{} (link to {target})", entry.path),
    };
    survey.entries.iter().map(said).collect()
}
