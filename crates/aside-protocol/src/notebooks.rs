//! Bodies of the routes about notebooks that are run. Cells are run and kernels are started by actions.

use aside_core::TS;
use aside_core::{ExecutionId, Sha256, Thread, WidgetBuffer, WorkspacePath};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `POST notebooks/input`: the line that running code waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnswerInput {
    /// The notebook.
    pub path: WorkspacePath,
    /// The run that waits.
    pub execution: ExecutionId,
    /// Which of its questions is answered.
    #[ts(type = "number")]
    pub question: u64,
    /// The line, without its end.
    pub value: String,
}

/// `POST notebooks/go-on`: a run that has put out much may put out as much again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GoOn {
    /// The notebook.
    pub path: WorkspacePath,
    /// The run that waits.
    pub execution: ExecutionId,
}

/// `GET notebooks/trust?path=…`: what of a notebook the person trusts. They say it by `notebook.trust`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NotebookTrust {
    /// The notebook.
    pub path: WorkspacePath,
    /// Scripts of its outputs may run.
    pub trusted: bool,
    /// The person said it, here or in Jupyter.
    pub said: bool,
    /// It asks something of models, or has answers of some, that came with its file and that the person has not trusted.
    pub waits: bool,
    /// Names what would be trusted now, for `seen` of the action.
    pub seen: Sha256,
}

/// `POST notebooks/ai-cells`: a cell whose thread is wanted before it was first asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AiCellAt {
    /// The notebook.
    pub path: WorkspacePath,
    /// The key of the cell.
    pub cell: String,
}

/// One of `GET notebooks/ai-cells?path=…`: the thread in which an AI cell is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AiCellThread {
    /// The key of the cell.
    pub cell: String,
    /// Its thread.
    pub thread: Thread,
}

/// `POST notebooks/completions` and `POST notebooks/inspection`: what a kernel knows about a place in code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskKernel {
    /// The notebook.
    pub path: WorkspacePath,
    /// The text of the cell.
    pub code: String,
    /// The place in it, in UTF-16 units.
    pub place: u32,
}

/// `POST notebooks/widgets`: what a person did to a control that code has made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TellWidget {
    /// The notebook.
    pub path: WorkspacePath,
    /// The key of the cell that shows it: there stands what comes of it.
    pub cell: String,
    /// Which control.
    pub widget: String,
    /// Parts of its state that are these now; absent for something that is no state.
    #[ts(type = "Record<string, unknown> | null")]
    pub state: Option<Map<String, Value>>,
    /// Parts of that state that are no JSON, such as the content of files.
    #[serde(default)]
    pub buffers: Vec<WidgetBuffer>,
    /// Something that is no state, such as that it was pressed.
    #[ts(type = "unknown")]
    pub custom: Value,
}

/// What could stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KernelCompletions {
    /// Texts that would replace what is between `start` and `end`.
    pub matches: Vec<String>,
    /// In UTF-16 units.
    pub start: u32,
    /// In UTF-16 units.
    pub end: u32,
}

/// What is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KernelInspection {
    /// Text with the colours of a terminal; absent if the kernel knows nothing.
    pub text: Option<String>,
}
