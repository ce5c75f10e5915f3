//! A copy of the workspace's files from just before a command, so that what the command changed can be taken back.
//!
//! ```text
//! take ──> the command runs ──> compare: what changed is a manifest, with what is needed to go back
//!   │                              └──> restore: each file three ways (then, after the command, now); what it
//!   └─> the server is killed            replaces is a snapshot in turn, so that it can be taken back as well
//!          └──> the next start compares
//! ```
//!
//! There is one copy of each file, made anew only when the file has changed since, and sharing its blocks with the file
//! where the file system can (reflinks). Copies and snapshots lie in Aside's own folder, out of reach of commands;
//! snapshots for [`KEPT_FOR`].

mod compare;
mod copies;
mod coverage;
mod cut_off;
mod put;
mod restore;
mod shelf;
mod take;
mod touched;
mod walk;

pub use coverage::{Coverage, MOST_BYTES, MOST_FILES, MOST_SHARED};
pub use restore::{ChangedSince, Restored, Restoring, ToRestore};
pub use shelf::{KEPT_FOR, MOST_OF_ALL};
pub use take::Taken;
pub use touched::Since;

use aside_core::{ActionId, Sha256, SnapshotId, Timestamp, WorkspacePath};
use serde::{Deserialize, Serialize};

/// What a command changed, and how to go back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its id.
    pub id: SnapshotId,
    /// When it was taken.
    pub taken: Timestamp,
    /// The action that ran the command; none if it is the way back from going back.
    #[serde(default)]
    pub action: Option<ActionId>,
    /// What is different, by path.
    pub changes: Vec<Change>,
}

/// What became of one file, link or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its path.
    pub path: WorkspacePath,
    /// What was there before; none if nothing was.
    pub before: Option<State>,
    /// What was there after; none if nothing was.
    pub after: Option<State>,
    /// Somebody else changed it as well in the meantime, in an editor; going back leaves it as it is.
    #[serde(default)]
    pub shared: bool,
    /// It was there before at a place that is not covered, such as an ignored folder; going back leaves it as it is.
    #[serde(default)]
    pub moved_in: bool,
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum State {
    /// A file.
    File {
        /// SHA-256 of its bytes.
        content: Sha256,
        /// How many.
        size: u64,
        /// Its permission bits.
        mode: u32,
    },
    /// A file that could not be read or is too much to keep: it is not known whether two such are the same.
    Unread {
        /// Bytes.
        size: u64,
        /// Its permission bits.
        mode: u32,
    },
    /// A folder.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// Where it leads.
        target: String,
    },
}

impl Compared {
    /// The places that may hold something else now.
    pub fn paths(&self) -> Vec<WorkspacePath> {
        self.changes.iter().map(|change| &change.path).chain(self.touched.iter().flatten()).cloned().collect()
    }

    /// Tells whether everything is as it was, as far as was looked.
    pub fn is_as_before(&self) -> bool {
        self.changes.is_empty() && self.touched.iter().flatten().next().is_none() && self.not_put_back.is_empty()
    }
}

impl Change {
    /// `added`, `deleted` or `changed`.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "added",
            (_, None) => "deleted",
            _ => "changed",
        }
    }

    /// Tells whether it is not known what was there, so that it can't go back.
    pub fn is_lost(&self) -> bool {
        matches!(self.before, Some(State::Unread { .. }))
    }

    /// Tells whether it is about a folder itself.
    pub fn is_folder(&self) -> bool {
        let folder = |state: &Option<State>| matches!(state, Some(State::Folder { .. }));
        folder(&self.before) && self.after.is_none() || folder(&self.after) && self.before.is_none()
    }
}

/// What a command changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The way back; none if nothing changed or it could not be kept.
    pub snapshot: Option<Snapshot>,
    /// What is different now.
    pub changes: Vec<Change>,
    /// What was written meanwhile where there is no copy to compare with; none if everything was compared.
    pub touched: Option<Vec<WorkspacePath>>,
    /// What governs programs or agents and was changed: it is as it was again.
    pub put_back: Vec<WorkspacePath>,
    /// The same, where that could not be done.
    pub not_put_back: Vec<WorkspacePath>,
}
