//! `ask/route`: a sentence, and the actions that rules read in it without a model.

use aside_core::{ActionName, Risks, TS, UndoSupport};
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
    /// The tabs of the window that asks, in reading order. Default: those of the window that was used last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tabs: Option<Vec<SentenceTab>>,
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
    /// The action in a few words.
    pub title: String,
    /// Its objects in a line: `data/raw.csv, results/raw.csv`. Names are content.
    pub detail: String,
    /// Its risks, without those that arguments add.
    pub risks: Risks,
    /// Whether it can be undone.
    pub undo: UndoSupport,
    /// Whether it only shows or reads, so that it needs no card.
    pub is_gentle: bool,
}
