//! The WebSocket `/api/v1/connection`. A page adds `?window=NAME`, a name of its own choice, by which actions find it.
//!
//! A text frame is one JSON value of [`ClientFrame`] or [`ServerFrame`]. A binary frame is a
//! variable-length unsigned integer (lib0's `varUint`), the number of an opened document, followed by
//! exactly one message of the `y-protocols` (0 sync, 1 awareness, 3 query awareness).
//!
//! A document that was opened sends sync step 1 and its awareness by itself; the client answers and
//! sends its own step 1, as any Yjs provider does.

use std::collections::BTreeMap;

use aside_core::TS;
use aside_core::{
    ActionId, ActionName, AssistantState, CellExecution, CellOutput, ChatMessage, ChatStanding, EpochId, Failure,
    FileKind, LiveDelta, NotebookKernel, OddCell, Task, Thread, ThreadEvent, ThreadId, Version, WidgetModel,
    WorkspacePath,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientFrame {
    /// Opens a document; answered by `document_opened` or `document_refused` with the same `request`.
    OpenDocument {
        /// Chosen by the client, echoed in the answer.
        request: u32,
        /// Which document.
        document: DocumentName,
        /// The epoch of the copy the client still holds; with another epoch its copy must be dropped.
        epoch: Option<EpochId>,
    },
    /// Closes a document on this connection.
    CloseDocument {
        /// Its number.
        number: u32,
    },
    /// Sends the log of a thread from after `after`, then what comes.
    Subscribe {
        /// Which thread.
        thread: ThreadId,
        /// The last `seq` the client has; 0 for all.
        #[ts(type = "number")]
        after: u64,
    },
    /// Stops the events of a thread.
    Unsubscribe {
        /// Which thread.
        thread: ThreadId,
    },
    /// Sends what a running action has put out so far, then what comes.
    WatchAction {
        /// The action.
        action: ActionId,
    },
    /// Stops the output of an action.
    UnwatchAction {
        /// The action.
        action: ActionId,
    },
    /// Sends the kernel and the outputs of a notebook as they are, then what changes.
    WatchNotebook {
        /// Which.
        path: WorkspacePath,
    },
    /// Stops that.
    UnwatchNotebook {
        /// Which.
        path: WorkspacePath,
    },
    /// Answers a `ui_action`.
    UiResult {
        /// The action.
        action: ActionId,
        /// What came of it; absent if it could not be done.
        #[ts(type = "unknown")]
        result: Option<Value>,
        /// Why it could not be done.
        failure: Option<Failure>,
    },
    /// Says that this window has the person's attention; browser-place actions go to the latest.
    Focused,
    /// Answered by `pong` once everything that was sent before on this connection is taken in.
    Ping {
        /// Chosen by the client, echoed in the answer.
        ping: u32,
    },
}

/// What a document is called on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DocumentName {
    /// A file of the workspace: a text is the Yjs text named `text`, a notebook the Yjs maps `cells` and `metadata`.
    File {
        /// Which file.
        path: WorkspacePath,
    },
    /// The layout of the workspace: the Yjs map named `layout`.
    Layout,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerFrame {
    /// The first frame.
    Hello {
        /// The server's version.
        version: String,
        /// Changes with every start of the server.
        server: String,
    },
    /// Everything that came before the `ping` is taken in, and changes of documents are stored.
    Pong {
        /// As asked.
        ping: u32,
    },
    /// A document is open on this connection.
    DocumentOpened {
        /// As asked.
        request: u32,
        /// Its number in binary frames.
        number: u32,
        /// The CRDT history's id.
        epoch: EpochId,
        /// How it stands with the file.
        state: DocumentState,
        /// What kind of file it is, by its name and its first bytes; absent for the layout.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        kind: Option<FileKind>,
        /// Tells whether it is live as a notebook: cells, not a text.
        #[serde(default)]
        notebook: bool,
    },
    /// A document can't be opened as text.
    DocumentRefused {
        /// As asked.
        request: u32,
        /// `binary`, `not_utf8`, `too_large`, `not_found`, `is_folder` … and the sentence.
        failure: Failure,
        /// What kind of file it is, as far as is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        kind: Option<FileKind>,
    },
    /// How a document stands with its file has changed.
    DocumentState {
        /// Its number.
        number: u32,
        /// How it stands now.
        state: DocumentState,
    },
    /// An action has changed an open document; the change itself came as a sync message just before.
    DocumentEdited {
        /// Its number.
        number: u32,
        /// The action.
        action: ActionId,
        /// The action that this one took back, if it was an undo.
        undoes: Option<ActionId>,
    },
    /// One entry of a subscribed thread's log.
    ThreadEvent {
        /// Which thread.
        thread: ThreadId,
        /// The entry.
        event: Box<ThreadEvent>,
    },
    /// Sent after the backlog of a subscription.
    ThreadCaughtUp {
        /// Which thread.
        thread: ThreadId,
        /// The last `seq` there is.
        #[ts(type = "number")]
        seq: u64,
    },
    /// A thread can't be listened to.
    ThreadRefused {
        /// Which thread.
        thread: ThreadId,
        /// `not_found`, `too_many` … and the sentence.
        failure: Failure,
    },
    /// More of a running step.
    ThreadDelta {
        /// Which thread.
        thread: ThreadId,
        /// The piece.
        delta: LiveDelta,
    },
    /// More of what a watched action puts out; see [`LiveDelta::Output`].
    ActionOutput {
        /// The action.
        action: ActionId,
        /// What was put out from here on, in UTF-16 units, is replaced.
        offset: u32,
        /// The piece.
        text: String,
    },
    /// How the kernel of a watched notebook is.
    NotebookKernel {
        /// Which notebook.
        path: WorkspacePath,
        /// Its kernel.
        kernel: Box<NotebookKernel>,
    },
    /// What a cell of a watched notebook has put out: the outputs from `from` on are these, and no more.
    CellOutputs {
        /// Which notebook.
        path: WorkspacePath,
        /// The key of the cell.
        cell: String,
        /// Its latest run; absent if it was not run since the file was opened here.
        execution: Option<CellExecution>,
        /// The count that the file has of it, if it was not run here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        count: Option<u64>,
        /// How many outputs stay as they are.
        from: u32,
        /// The others.
        outputs: Vec<CellOutput>,
    },
    /// How controls are that code of a watched notebook has made.
    NotebookWidgets {
        /// Which notebook.
        path: WorkspacePath,
        /// These are all that there are.
        whole: bool,
        /// Those that are new or changed.
        models: Vec<WidgetModel>,
        /// The ids of those that are gone.
        gone: Vec<String>,
    },
    /// Whether a notebook that is watched is trusted may be another answer now: `GET notebooks/trust` has it.
    NotebookTrustChanged {
        /// Which notebook.
        path: WorkspacePath,
    },
    /// What is odd about cells of a watched notebook, as its file has them. Not sent as long as there is nothing.
    NotebookOddCells {
        /// Which notebook.
        path: WorkspacePath,
        /// These, and no others.
        cells: Vec<OddCell>,
    },
    /// Sent after the outputs of a notebook that is watched from now on: cells that were not named have none.
    NotebookCaughtUp {
        /// Which notebook.
        path: WorkspacePath,
    },
    /// A thread was started or changed.
    ThreadChanged {
        /// As it is now.
        thread: Box<Thread>,
    },
    /// A thread was deleted; if that is taken back, it is told as one that changed.
    ThreadDeleted {
        /// Which.
        thread: ThreadId,
    },
    /// The threads with a turn that is not over: said at first, and whenever one begins or ends.
    RunningThreads {
        /// All of them.
        threads: Vec<ThreadId>,
    },
    /// A task was made or changed; its plan and timeline are at `tasks/{id}`.
    TaskChanged {
        /// As it is now.
        task: Box<Task>,
    },
    /// Something was said, changed or taken back in a chat, or it has another document now, or this person has read on.
    ChatChanged {
        /// The chat, and how far this person is in it.
        standing: ChatStanding,
        /// The message as it is now, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        message: Option<Box<ChatMessage>>,
        /// Its position among the chat's changes; absent when only the reading went on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(type = "number", optional)]
        seq: Option<u64>,
    },
    /// More was said than this connection could hear: `GET chats` has it.
    ChatsMissed,
    /// Somebody came, went, was invited or removed: `GET people` has them.
    PeopleChanged,
    /// The number of actions that wait for a person has changed.
    NeedsYou {
        /// How many.
        count: u32,
    },
    /// How far AI goes: at the start of a connection, and when it changes.
    Assistant {
        /// As it is now.
        state: AssistantState,
    },
    /// The person's settings that are not at their default: at the start of a connection, and when one changes.
    Settings {
        /// Their values by key.
        #[ts(type = "Record<string, boolean | number | string>")]
        values: BTreeMap<String, Value>,
    },
    /// Files have come, gone or changed; folders whose listing is out of date, `""` for the top.
    FilesChanged {
        /// The folders.
        folders: Vec<String>,
    },
    /// A build of a LaTeX document has begun or ended; how it stands is at `latex`.
    LatexChanged {
        /// Its main file.
        main: WorkspacePath,
    },
    /// What is known to be wrong in files has changed; it is at `problems`.
    ProblemsChanged,
    /// A server's list of tools, or what a person said of it, has changed; it is at `mcp/servers`.
    ServersChanged,
    /// A terminal was opened or closed, has ended, or has another title; they are at `terminals`.
    TerminalsChanged,
    /// Something new is known of the person's AI coding history; it is at `history`.
    HistoryChanged,
    /// Something to do in this window; answered by `ui_result`.
    UiAction {
        /// The action.
        action: ActionId,
        /// Its name.
        action_type: ActionName,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: Value,
    },
    /// The frame that was sent made no sense.
    Problem {
        /// What was wrong.
        failure: Failure,
    },
}

/// How a document stands with its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentState {
    /// The version of the text.
    pub version: Version,
    /// Tells whether the file holds this text.
    pub saved: bool,
    /// The file is gone; the document is kept.
    pub gone: bool,
    /// Why the document can't be written now; it is kept and tried again.
    pub problem: Option<Failure>,
    /// Tells whether a person has to say that the file may become empty or much shorter, or be upgraded.
    pub needs_word: bool,
    /// The older format of a notebook's file, which stays as it is until a person has it upgraded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub older_format: Option<u32>,
}
