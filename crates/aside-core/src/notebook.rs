//! Notebooks that are run: the kernel beside one, the runs of its cells, what they put out as it is shown.

use std::collections::BTreeMap;

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ExecutionId, Failure, FoundKernel, Timestamp, WorkspacePath};

/// The kernel of a notebook, as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NotebookKernel {
    /// What runs, or was last chosen; absent if nothing was ever started.
    pub kernel: Option<FoundKernel>,
    /// How it is.
    pub state: KernelState,
    /// It has run something since it was started: a restart would lose what that computed.
    pub has_run: bool,
    /// Why it is not as it should be: it ended, it can't be started.
    pub problem: Option<Failure>,
    /// The runs that are under way or wait, in order.
    pub queue: Vec<ExecutionId>,
    /// A line of input that the code waits for.
    pub asks: Option<InputAsked>,
    /// A run that waits because it has put out so much.
    pub holds: Option<HeldBack>,
}

/// A kernel that runs beside a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunningKernel {
    /// The notebook.
    pub path: WorkspacePath,
    /// What runs.
    pub kernel: FoundKernel,
    /// How it is.
    pub state: KernelState,
    /// It has run something since it was started: its end would lose what that computed.
    pub has_run: bool,
    /// When it last began or ended something.
    pub used: Timestamp,
}

/// A live widget of a kernel, as it is now: shown where an output names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WidgetModel {
    /// What outputs and other widgets name it by.
    pub id: String,
    /// By name, as Jupyter's widgets have it; `IPY_MODEL_` and an id names another one.
    #[ts(type = "Record<string, unknown>")]
    pub state: BTreeMap<String, Value>,
    /// Parts of the state that are no JSON.
    pub buffers: Vec<WidgetBuffer>,
    /// What it caught of what code put out, bounded.
    pub outputs: Vec<CellOutput>,
}

/// A binary part of the state of a widget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WidgetBuffer {
    /// Where in the state it belongs.
    pub path: Vec<String>,
    /// The bytes.
    pub base64: String,
}

/// How a kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KernelState {
    /// None runs.
    Absent,
    /// It does not answer yet.
    Starting,
    /// It waits for something to do.
    Idle,
    /// It runs something.
    Busy,
    /// It is started anew, by a person or because it died.
    Restarting,
    /// It died, and was not started again.
    Dead,
}

/// A line of input that running code waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InputAsked {
    /// The run that waits.
    pub execution: ExecutionId,
    /// Which of its questions: later ones have larger numbers.
    #[ts(type = "number")]
    pub question: u64,
    /// What is shown before it.
    pub prompt: String,
    /// What is typed is neither shown nor stored.
    pub password: bool,
}

/// A run that has put out so much that nothing more is taken from it before a person says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HeldBack {
    /// The run.
    pub execution: ExecutionId,
    /// About how many bytes it has put out.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// One run of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CellExecution {
    /// Which.
    pub id: ExecutionId,
    /// The key of the cell.
    pub cell: String,
    /// How it is.
    pub state: ExecutionState,
    /// The number that the kernel gave it.
    #[ts(type = "number | null")]
    pub count: Option<u64>,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// When the kernel began it.
    pub began_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What the code wants to have written next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next_input: Option<Box<NextInput>>,
    /// Why its kernel did not run it, or not to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<Box<Failure>>,
}

/// A text that code wants to have in a cell, such as what `%load` read. The window that ran it writes it, as its person's edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NextInput {
    /// The text.
    pub text: String,
    /// In place of what was run; else in a new cell below.
    #[serde(default)]
    pub replace: bool,
}

/// How a run of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionState {
    /// It waits for others.
    Queued,
    /// The kernel runs it.
    Running,
    /// It ended as it should.
    Ok,
    /// It ended with an error, which is among its outputs.
    Failed,
    /// It was not begun, because one before it failed or its person stopped it.
    Aborted,
    /// Its kernel died.
    Lost,
}

/// What is odd about a cell of a notebook's file. The cell is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OddCell {
    /// The key of the cell.
    pub cell: String,
    /// What, for a person.
    pub message: String,
}

/// One thing that a cell put out, bounded for being shown; the whole of it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CellOutput {
    /// Printed text, with the colours and carriage returns of a terminal.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// The text, or its beginning.
        text: String,
        /// How many bytes between `text` and `tail` are left out here.
        #[ts(type = "number")]
        omitted: u64,
        /// Its end, if something is left out.
        tail: String,
    },
    /// Something in several forms.
    Display {
        /// By MIME type: a text, base64 of an image, or JSON.
        #[ts(type = "Record<string, unknown>")]
        data: BTreeMap<String, Value>,
        /// What is to be known of it, by MIME type.
        #[ts(type = "unknown")]
        metadata: Value,
        /// Tells whether it is the value of the cell's last expression.
        is_result: bool,
        /// Forms that are too large to be sent unasked, with their bytes.
        #[ts(type = "Record<string, number>")]
        omitted: BTreeMap<String, u64>,
    },
    /// What the code failed with.
    Error {
        /// Such as `ZeroDivisionError`.
        name: String,
        /// Such as `division by zero`.
        value: String,
        /// Lines with the colours of a terminal; its end if it is very long.
        traceback: String,
    },
}
