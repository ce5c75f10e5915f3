//! What the helper is told, and what it says in the end: one line of JSON each.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use aside_core::SandboxLevel;
use serde::{Deserialize, Serialize};

/// One command and how to keep it apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub level: SandboxLevel,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Where it runs; absolute.
    pub cwd: PathBuf,
    pub environment: BTreeMap<String, String>,
    pub network: bool,
    pub reach: Reach,
    pub limits: Limits,
    /// It is spoken to: what follows the plan is its input, and its output is its own.
    #[serde(default)]
    pub spoken_to: bool,
    /// The file that is locked for as long as the command runs.
    pub running: PathBuf,
}

/// Folders of a command's own: its home, its temporary files, its shared memory, and one in which nothing is.
pub(crate) const PRIVATE: [&str; 4] = ["home", "tmp", "shm", "empty"];

/// What a command may reach; absolute paths without links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// Programs, libraries and settings of the system, and toolchains of the person.
    pub read: Vec<PathBuf>,
    /// The workspace and the private temporary folder.
    pub write: Vec<PathBuf>,
    /// The private temporary folder, with the folders of [`PRIVATE`] in it.
    pub temporary: PathBuf,
    /// Below those, what governs programs and agents: to be read only.
    pub read_only: Vec<PathBuf>,
    /// Below all of those, what is nobody's business.
    pub hidden: Vec<PathBuf>,
}

impl Reach {
    /// What could be written in a folder can only be read from now on.
    pub fn keep_from_writing(&mut self, folder: &Path) {
        let inside = self.write.extract_if(.., |path| path.starts_with(folder));
        self.read.extend(inside);
    }
}

/// How much a command may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Until it is ended, by the clock.
    pub time: Duration,
    /// Bytes of memory, of all its processes together.
    pub memory: u64,
    /// Processes at once.
    pub processes: u32,
    /// Bytes of one file that it writes.
    pub file: u64,
    /// Bytes that it writes to the disk, of all its processes and files together.
    pub disk: u64,
    /// How often it is looked at: seldom for what stays for hours, so that it costs next to nothing.
    pub look_every: Duration,
}

impl Limits {
    /// Those of a command.
    pub const COMMAND: Self = Self {
        time: Duration::from_secs(120),
        memory: 4 << 30,
        processes: 512,
        file: 2 << 30,
        disk: 8 << 30,
        look_every: Duration::from_millis(100),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::COMMAND
    }
}

/// Why a command is at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandEnd {
    /// By itself, or by a signal from elsewhere.
    Exited,
    /// Somebody stopped it.
    Stopped,
    /// It took too long.
    TimedOut,
    /// It used too much memory.
    OutOfMemory,
    /// It started too many processes.
    TooManyProcesses,
    /// It wrote too much to the disk.
    TooMuchWritten,
}

/// The last word of the helper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    /// It could not be started.
    NotStarted {
        /// Why.
        reason: String,
    },
    /// It ran.
    Ended {
        why: CommandEnd,
        /// Exit status, if it ended by itself.
        status: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// Processes that it left behind and that were ended.
        left_behind: u32,
        /// Processes that would not end.
        still_there: u32,
    },
}
