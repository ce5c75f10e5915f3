//! The WebSocket `/api/v1/terminals/{id}/socket?from=SEQ&cols=C&rows=R`: one window of a terminal.
//!
//! A text frame is one JSON value of [`TerminalClientFrame`] or [`TerminalServerFrame`]. A binary frame of the server is
//! the number of its first byte, as 8 bytes with the highest first, then output; one of the client is what was typed.

use aside_core::TS;
use aside_core::{Failure, TerminalExit, TerminalSize};
use serde::{Deserialize, Serialize};

/// Frames of a window of a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalClientFrame {
    /// It has shown all output before a byte.
    Ack {
        /// The number of that byte.
        #[ts(type = "number")]
        seq: u64,
    },
    /// The window has another size now.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
}

/// Frames of the server for a window of a terminal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalServerFrame {
    /// The output goes on at a byte: said first, and when a window was too slow for the output between.
    Start {
        /// The number of the first byte that comes.
        #[ts(type = "number")]
        seq: u64,
        /// Output before this byte is old: a window gives no answers to queries in it.
        #[ts(type = "number")]
        replay_to: u64,
        /// The window empties its terminal first, and writes `restore` into it.
        reset: bool,
        /// The sequences that set the modes which hold there.
        restore: String,
        /// Bytes of output before `seq` that the window has not had and that are gone.
        #[ts(type = "number")]
        omitted: u64,
        /// The size that the program has.
        size: TerminalSize,
    },
    /// The program has another size now.
    Size {
        /// That size.
        size: TerminalSize,
    },
    /// The program has set another title; it is harmless.
    Title {
        /// The title; empty for none.
        title: String,
    },
    /// The shell has ended, and all its output was sent.
    Exit {
        /// How.
        exit: TerminalExit,
    },
    /// The terminal is not there; the socket closes.
    Gone {
        /// Why.
        why: TerminalGone,
        /// The same in words.
        message: String,
    },
    /// Something that was typed or sent was not taken.
    Problem {
        /// Why.
        failure: Failure,
    },
}

/// Says why a terminal is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TerminalGone {
    /// Somebody has closed it.
    Closed,
    /// It ended with an earlier server.
    ServerRestarted,
    /// It ends with this server, which stops now.
    ServerEnds,
}
