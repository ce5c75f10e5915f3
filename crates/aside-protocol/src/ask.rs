//! `ask/route`: a sentence, and the actions that rules read in it without a model.

use aside_core::{ActionName, Risks, TS, ThreadId, UndoSupport, WorkspacePath};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Asks for the actions that a sentence means. Nothing is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RouteSentence {
    /// The sentence.
    pub text: String,
    /// The tabs, files and cells that its words can mean, as the window knows them. Default: as the server knows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub context: Option<Value>,
    /// The window that asks. Default: the tabs of the window that was used last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<WindowSituation>,
}

/// The window that asks, as far as a sentence can mean it and a message to the Navigator tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct WindowSituation {
    /// Its tabs, in reading order.
    pub tabs: Vec<SentenceTab>,
    /// The cell with the cursor, or the one that had it last, of the notebook in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cell: Option<SentenceCell>,
    /// The thread in the side panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thread: Option<ThreadId>,
    /// The parts that it shows, and its theme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub layout: Option<SentenceLayout>,
    /// The person's clock with its offset, as RFC 3339. Default: the server's clock in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<String>,
}

/// A cell of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SentenceCell {
    /// The notebook.
    pub path: WorkspacePath,
    /// The key of the cell.
    pub key: String,
}

/// The parts that a window shows, and its theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SentenceLayout {
    /// Whether it shows the list of files.
    pub sidebar: bool,
    /// Whether it shows the side panel.
    pub side: bool,
    /// Whether its theme is dark now.
    pub dark: bool,
}

/// A tab that a sentence can mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SentenceTab {
    /// The path of its file; of a task or page, its address in the workspace.
    pub path: String,
    /// Whether it shows a file.
    pub is_file: bool,
    /// Whether it has the person's attention.
    pub active: bool,
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// One action.
    Action,
    /// Several actions, in order.
    Actions,
    /// One of the candidates: the command is clear, its object is not.
    Choose,
    /// Nothing that rules can tell: ask a model.
    Model,
}

/// The actions that a sentence means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RoutedSentence {
    /// The list that counts.
    pub kind: RouteKind,
    /// The action, or the actions in order.
    pub actions: Vec<RoutedStep>,
    /// The actions to choose among.
    pub candidates: Vec<RoutedStep>,
    /// The time it took, in microseconds.
    pub took_us: u32,
}

/// An action as a sentence means it, with words for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RoutedStep {
    /// The action.
    pub action_type: ActionName,
    /// Its arguments.
    #[ts(type = "unknown")]
    pub args: Value,
    /// The action with its objects, as a sentence: `Rename a.md to b.md`.
    pub title: String,
    /// Its objects in a line where the title does not name them. Names are content.
    pub detail: String,
    /// Its risks, without those that arguments add.
    pub risks: Risks,
    /// Whether it can be undone.
    pub undo: UndoSupport,
    /// Whether it only shows or reads, so that it needs no card.
    pub is_gentle: bool,
}
