//! What can go wrong between a path and a document, in words a person and a model can use.

use std::io;

use aside_core::{Failure, WorkspacePath};
use serde_json::json;

use crate::kind::is_notebook;

/// Why something in the workspace could not be done.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// There is nothing at the path.
    #[error("there is no `{0}` in the workspace")]
    NotFound(WorkspacePath),
    /// A file is needed and a folder is there.
    #[error("`{0}` is a folder, not a file")]
    IsFolder(WorkspacePath),
    /// A folder is needed and something else is there.
    #[error("`{0}` is not a folder")]
    NotFolder(WorkspacePath),
    /// Neither a file nor a folder: a device, a socket, a pipe.
    #[error("`{0}` is neither a file nor a folder")]
    Special(WorkspacePath),
    /// No such version of the document is kept.
    #[error("version `{version}` of `{path}` is not stored")]
    NoVersion {
        /// The document.
        path: WorkspacePath,
        /// What was asked for.
        version: String,
    },
    /// A symbolic link on the way leads out of the workspace, or in a circle.
    #[error("`{path}` is outside the workspace: {reason}")]
    Outside {
        /// What was asked for.
        path: WorkspacePath,
        /// What leads out.
        reason: String,
    },
    /// The path belongs to Aside itself.
    #[error("`{0}` belongs to Aside and is not part of the workspace's files")]
    Private(WorkspacePath),
    /// Something is there already.
    #[error("`{0}` already exists")]
    Exists(WorkspacePath),
    /// A folder can't go into itself.
    #[error("`{from}` can't go to `{to}`: a folder can't contain itself")]
    IntoItself {
        /// The folder.
        from: WorkspacePath,
        /// Where it should go.
        to: WorkspacePath,
    },
    /// The file is not text.
    #[error("`{0}` is not text: it is binary")]
    Binary(WorkspacePath),
    /// The file is not UTF-8.
    #[error("`{path}` is not UTF-8 text: invalid byte at {at}")]
    NotUtf8 {
        /// The file.
        path: WorkspacePath,
        /// Offset of the first bad byte.
        at: usize,
    },
    /// The file is no notebook that can be read.
    #[error("`{path}` is not open as a notebook: {reason}")]
    NotANotebook {
        /// The file.
        path: WorkspacePath,
        /// Why not.
        reason: String,
    },
    /// The file is too large for what was asked.
    #[error("`{path}` is too large: {size} bytes, and the limit is {limit}")]
    TooLarge {
        /// The file.
        path: WorkspacePath,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// A document would become a file that can't be opened again.
    #[error("cannot save `{path}`: {size} bytes is over the limit of {limit} for opening it again")]
    Outgrown {
        /// The file.
        path: WorkspacePath,
        /// The size it would have.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// Going back would lose what somebody has done since.
    #[error("restoring would overwrite later changes:{0}")]
    ChangedSince(String),
    /// A place is not as an action left it, so that its undo would lose what somebody has done since.
    #[error("`{path}` has changed since, so nothing was undone. This would be lost:{}", listed(changes))]
    NotAsLeft {
        /// The place.
        path: WorkspacePath,
        /// The changes since, each on a line of its own.
        changes: Vec<String>,
    },
    /// Nothing is kept under this id any more.
    #[error("nothing is stored under `{0}`")]
    NotKept(String),
    /// A plan moves a link, and what it would lead to then can't be told.
    #[error("cannot preview the result for `{0}`: a link on its path is moved")]
    Unforeseen(WorkspacePath),
    /// The file was changed so that it can't be merged or written now.
    #[error("cannot save `{path}`: {reason}")]
    Held {
        /// The file.
        path: WorkspacePath,
        /// Why.
        reason: String,
    },
    /// The file is no notebook any more, and the document is one.
    #[error("`{path}` is open as a notebook, but its file is no longer a notebook: {reason}")]
    Unfit {
        /// The file.
        path: WorkspacePath,
        /// Why not.
        reason: aside_doc::Unfit,
    },
    /// A message of a connected editor made no sense.
    #[error("invalid sync message for `{path}`: {reason}")]
    Sync {
        /// The document.
        path: String,
        /// What was wrong.
        reason: String,
    },
    /// The system refused.
    #[error("cannot {attempt} `{path}`: {}", without_number(source))]
    Io {
        /// What was attempted: "read", "write" …
        attempt: &'static str,
        /// On what.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The store refused.
    #[error("cannot store the state of the workspace: {0}")]
    Store(#[from] aside_store::StoreError),
}

impl WorkspaceError {
    /// Tells whether it is what stands in a file that can't be taken in, and not that the file can't be read.
    pub(crate) fn is_of_the_content(&self) -> bool {
        matches!(self, Self::Unfit { .. } | Self::Binary(_) | Self::NotUtf8 { .. })
    }

    pub(crate) fn io(attempt: &'static str, path: &WorkspacePath, source: impl Into<io::Error>) -> Self {
        let source = source.into();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound(path.clone()),
            io::ErrorKind::AlreadyExists => Self::Exists(path.clone()),
            _ => Self::Io { attempt, path: path.as_str().to_owned(), source },
        }
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::IsFolder(_) => "is_folder",
            Self::NotFolder(_) => "not_folder",
            Self::Special(_) => "not_a_file",
            Self::Outside { .. } => "outside",
            Self::NoVersion { .. } => "no_such_version",
            Self::Private(_) => "private",
            Self::Exists(_) => "exists",
            Self::IntoItself { .. } => "into_itself",
            Self::Binary(_) => "binary",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::NotANotebook { .. } => "not_a_notebook",
            Self::TooLarge { .. } => "too_large",
            Self::Outgrown { .. } => "outgrown",
            Self::ChangedSince(_) | Self::NotAsLeft { .. } => "conflict",
            Self::NotKept(_) => "not_kept",
            Self::Unforeseen(_) => "unforeseen",
            Self::Held { .. } => "held",
            Self::Unfit { .. } => "unfit",
            Self::Sync { .. } => "sync",
            Self::Io { source, .. } => io_code(source),
            Self::Store(_) => "store",
        }
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFound(_) => "`file.list` shows the files in a folder",
            Self::IsFolder(_) => "`file.list` shows the files in it",
            Self::Outside { .. } => "open that folder as a separate workspace",
            Self::NoVersion { .. } => {
                "`aside versions FILE` lists the stored versions; the oldest are removed over time"
            }
            Self::Exists(_) => "choose another name, or allow overwriting",
            Self::NotAsLeft { .. } => "`file.move` keeps it under another name; `file.delete` removes it as it is now",
            Self::Binary(_) => "binary files can't be edited as text",
            Self::NotUtf8 { .. } => "convert it to UTF-8 first: `iconv -f latin1 -t utf-8`",
            Self::NotANotebook { .. } => "`doc.read` shows it as text",
            Self::TooLarge { .. } => "open it with another program, or split it",
            Self::Outgrown { path, .. } if is_notebook(path) => {
                "clear large cell outputs; your changes are kept until then"
            }
            Self::Outgrown { .. } => "make it shorter; your changes are kept until then",
            Self::Held { .. } => "`doc.checkpoint` saves it if the user confirms",
            Self::Unfit { .. } => "the open notebook is kept; fix the file, and both are merged",
            Self::Io { source, .. } => return io_hint(source),
            _ => return None,
        })
    }
}

fn listed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

fn io_code(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "disk_full",
        io::ErrorKind::ReadOnlyFilesystem => "read_only",
        _ => "io",
    }
}

/// What the system says, without `(os error 28)`: that helps nobody who reads it.
fn without_number(error: &io::Error) -> String {
    let (said, number) = (error.to_string(), error.raw_os_error());
    let end = number.map(|number| format!(" (os error {number})"));
    end.and_then(|end| said.strip_suffix(&end)).unwrap_or(&said).to_owned()
}

fn io_hint(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space, then try again",
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only; move the file to another place",
        _ => return None,
    })
}

impl WorkspaceError {
    /// Returns the error as a value for people, models and programs.
    pub fn failure(&self) -> Failure {
        if let Self::Store(error) = self {
            return error.failure();
        }
        let failure = Failure::new(self.code(), self.to_string());
        let failure = match self {
            Self::NotAsLeft { path, changes } => failure.data(json!({"path": path, "changes": changes})),
            _ => failure,
        };
        match self.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        error.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_named_and_has_a_hint() {
        let path = WorkspacePath::new("a.md").unwrap();
        let failure: Failure = WorkspaceError::io("write", &path, io::Error::from(io::ErrorKind::StorageFull)).into();
        assert_eq!(failure.code, "disk_full");
        assert!(failure.message.starts_with("cannot write `a.md`"), "{}", failure.message);
        assert!(failure.hint.unwrap().contains("space"));
        let said = WorkspaceError::io("write", &path, io::Error::from_raw_os_error(13)).failure().message;
        assert_eq!(said, "cannot write `a.md`: Permission denied");
    }
}
