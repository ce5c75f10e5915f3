//! One opened folder: confined paths, documents and their files, what changes on the disk, and commands.
//!
//! Knows no action, no gate and no HTTP. Calls block for as long as a disk takes; callers on an async
//! runtime hand those that touch files to a blocking thread.

mod cells;
mod confined;
mod document;
mod error;
mod event;
mod expected;
mod file_news;
mod files;
mod find;
mod foresee;
mod format;
mod instructions;
mod keeper;
mod kept;
mod keyring;
mod kind;
mod labels;
mod latex;
mod layout;
mod left;
mod listing;
mod merge;
mod notes;
mod problems;
pub mod process;
mod programs;
mod record;
mod renamed;
mod room;
mod root;
mod save;
mod scratch;
mod snapshot;
mod upgrade;
mod versions;
mod view;
mod view_list;
mod watch;
mod workspace;

pub use aside_grep::{FileMatches, FindQuery, LineLimits, LineMatch, Pattern, QueryError, Replacement, SearchTotals};
pub use cells::SeenNotebook;
pub use confined::{ConfinedPath, Entry, EntryKind};
pub use document::{
    Applied, BroughtBack, CellsRefused, ChangedCells, Document, DocumentState, EditRefused, PlannedBack, PlannedEdit,
};
pub use error::WorkspaceError;
pub use event::WorkspaceEvent;
pub use expected::Expected;
pub use file_news::{FileNews, Walked};
pub use files::{Existing, Placed};
pub use find::FindScope;
pub use format::{FormatError, FoundFormatter};
pub use kept::{Kept, KeptEntry, KeptId, KeptWhat, MOST_ENTRIES, MOST_KEPT, Survey};
pub use keyring::{Keyring, KeyringError};
pub use latex::{LatexBuilt, LatexDocument, LatexEngine, LatexError, LatexFaults, LatexSaid, LatexTurn, LatexWishes};
pub use layout::Layout;
pub use left::Left;
pub use listing::{ListedEntry, MOST_NAMES, Names, natural_order};
pub use notes::WorkspaceNotes;
pub use problems::MOST_KEPT_PROBLEMS;
pub use programs::{find_latex, find_python};
pub use room::{DocumentFrame, Frames, Peer};
pub use root::PRIVATE_FOLDER;
pub use save::Word;
pub use snapshot::{
    Change, ChangedSince, Compared, Coverage, KEPT_FOR, MOST_BYTES, MOST_FILES, MOST_OF_ALL, MOST_SHARED, Restored,
    Restoring, Since, Snapshot, State, Taken, ToRestore,
};
pub use view::View;
pub use workspace::{MOST_TEXT, Workspace};
