//! Terminals of a workspace, as people and programs hear of them.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{TerminalId, Timestamp};

/// Characters of a terminal: columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TerminalSize {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl TerminalSize {
    /// The size of a terminal that no window shows yet.
    pub const USUAL: Self = Self { cols: 80, rows: 24 };

    /// Returns the nearest size that a terminal can have: 2 to 1,000 columns, 1 to 1,000 rows.
    pub fn bounded(cols: u16, rows: u16) -> Self {
        Self { cols: cols.clamp(2, 1_000), rows: rows.clamp(1, 1_000) }
    }
}

/// The end of a terminal's shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TerminalExit {
    /// The exit status, unless a signal ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<u32>,
    /// The name of the signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signal: Option<String>,
    /// Its last lines, as plain text.
    pub said: String,
}

/// One terminal: it runs, or it has ended and nobody has closed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenTerminal {
    /// Its id.
    pub id: TerminalId,
    /// The person's name for it, or that of its shell, with a number if there are several.
    pub name: String,
    /// The title that its program set last; control characters and invisible ones are spelled out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// The path of the shell.
    pub shell: String,
    /// The folder that it began in, relative to the workspace; empty for the workspace's own.
    pub cwd: String,
    /// The size that its program has.
    pub size: TerminalSize,
    /// Bytes that its program has put out in all.
    #[ts(type = "number")]
    pub seq: u64,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The program in the foreground, unless that is the shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub running: Option<String>,
    /// How it ended; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exit: Option<TerminalExit>,
}
