//! Bodies of the routes of threads.

use aside_core::TS;
use aside_core::{
    ActionGroup, ActionId, Attached, Focus, GrantLimits, InstructionsAt, Label, LineRange, LiveDelta, ModelRef,
    NavigatorBudget, ReviewMode, RunMode, Seed, ThinkingEffort, Thread, ThreadEvent, ThreadId, Timestamp, TurnId,
    Version, WorkspacePath,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::WindowSituation;

/// `POST threads`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewThread {
    /// Started beside this document.
    #[serde(default)]
    #[ts(optional)]
    pub document: Option<WorkspacePath>,
    /// A title; else the first words of the first message.
    #[serde(default)]
    #[ts(optional)]
    pub title: Option<String>,
    /// How edits reach the document.
    #[serde(default)]
    #[ts(optional)]
    pub mode: Option<ReviewMode>,
    /// Whether what a model runs in the notebook is asked about.
    #[serde(default)]
    #[ts(optional)]
    pub runs: Option<RunMode>,
    /// The notebook whose cells are run also after the thread has read what runs of it put out; not with `ask`.
    #[serde(default)]
    #[ts(optional)]
    pub runs_after_outputs: Option<WorkspacePath>,
    /// The model; else the workspace's choice.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<ModelRef>,
    /// How much the model thinks.
    #[serde(default)]
    #[ts(optional)]
    pub thinking: Option<ThinkingEffort>,
    /// What agents may do in it at most; it stays so. `{"risks": ["read"]}` only looks.
    #[serde(default)]
    #[ts(optional)]
    pub grant: Option<GrantLimits>,
    /// Hints and no solutions; it stays so. Nothing is changed or run in such a thread.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub hint: bool,
    /// The Navigator answers in it, within this budget: `{}` for the usual one. It finds its actions in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub navigator: Option<NavigatorBudget>,
    /// Standing instructions that don't go along.
    #[serde(default)]
    #[ts(as = "Option<Vec<InstructionsAt>>", optional)]
    pub without: Vec<InstructionsAt>,
    /// Groups of actions that are off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ActionGroup>>", optional)]
    pub off: Vec<ActionGroup>,
    /// Chosen by who sends it: asked for again under its key it is the thread that was begun. At most 64 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
}

/// `PATCH threads/{id}`: what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangeThread {
    /// The new title.
    #[serde(default)]
    #[ts(optional)]
    pub title: Option<String>,
    /// The new mode.
    #[serde(default)]
    #[ts(optional)]
    pub mode: Option<ReviewMode>,
    /// Whether what a model runs in the notebook is asked about from now on.
    #[serde(default)]
    #[ts(optional)]
    pub runs: Option<RunMode>,
    /// The notebook whose cells are run also after the thread has read what runs of it put out; null takes that back, and so
    /// does `ask`.
    #[serde(default, deserialize_with = "present")]
    #[ts(as = "Option<WorkspacePath>", optional = nullable)]
    pub runs_after_outputs: Option<Option<WorkspacePath>>,
    /// The new model.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<ModelRef>,
    /// How much the model thinks.
    #[serde(default)]
    #[ts(optional)]
    pub thinking: Option<ThinkingEffort>,
    /// Put away or taken back.
    #[serde(default)]
    #[ts(optional)]
    pub archived: Option<bool>,
    /// All standing instructions that don't go along from the next message on.
    #[serde(default)]
    #[ts(optional)]
    pub without: Option<Vec<InstructionsAt>>,
    /// All groups of actions that are off from the next message on. A message that mentions a group, as `@notes`, turns it on.
    #[serde(default)]
    #[ts(optional)]
    pub off: Option<Vec<ActionGroup>>,
}

/// Tells null from what is absent.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// `POST threads/{id}/turns`: sends a message. Answers at once with [`TurnStarted`], or with
/// `?stream=true` as NDJSON: the thread's events until the turn ends or waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct StartTurn {
    /// The message.
    pub text: String,
    /// Where the person is looking.
    #[serde(default)]
    #[ts(optional)]
    pub focus: Option<Focus>,
    /// A problem that the message is about, and what programs said of it.
    #[serde(default)]
    #[ts(optional)]
    pub seed: Option<Seed>,
    /// What goes along beside that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Attached>>", optional)]
    pub attached: Vec<Attached>,
    /// The situation of the window that it is sent from, for the Navigator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<WindowSituation>,
    /// Chosen by who sends it: one of a thread's latest messages, sent again under its key, is the turn that it began.
    /// Another message under that key is refused (409). At most 64 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
}

/// `GET slash[?thread=]`: the words with a slash that are of use in a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SlashWords {
    /// By name.
    pub words: Vec<SlashWord>,
}

/// A word that stands for a longer request when a message begins with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SlashWord {
    /// Without the slash.
    pub name: String,
    /// What it is for.
    pub summary: String,
}

/// One line of `threads/{id}/events` and of `POST threads/{id}/turns?stream=true`. Deltas come only with
/// `&deltas=true`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum StreamLine {
    /// An entry of the log.
    Event(Box<ThreadEvent>),
    /// More of a running step.
    Delta {
        /// The piece.
        delta: LiveDelta,
    },
}

/// Answer of `POST threads/{id}/turns`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TurnStarted {
    /// The turn.
    pub turn: TurnId,
}

/// One answer of `GET threads/search?q=`: a thread in which something was said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ThreadFound {
    /// The thread.
    pub thread: Thread,
    /// The turn in which it was said; absent if only the title has the words.
    pub turn: Option<TurnId>,
    /// One line around the first word.
    pub excerpt: String,
}

/// `GET threads/edits?path=`: what edits made in threads have left of a file's lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ThreadEdits {
    /// The version of the text that the lines are counted in.
    pub version: Version,
    /// The latest first; not those that were taken back.
    pub edits: Vec<ThreadEdit>,
}

/// An edit that was made in a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ThreadEdit {
    /// The thread.
    pub thread: ThreadId,
    /// What it is called.
    pub title: String,
    /// The message that led to it.
    pub turn: TurnId,
    /// The action.
    pub action: ActionId,
    /// The action of which it carried out a part or a step.
    pub parent: Option<ActionId>,
    /// When it was made.
    pub at: Timestamp,
    /// What it was shown as.
    pub summary: String,
    /// The lines that are still as it made them, in order; where lines only went, the empty place. None if all were
    /// written over since.
    pub lines: Vec<LineRange>,
}

/// `GET threads/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ThreadWithEvents {
    /// The thread.
    pub thread: Thread,
    /// Its log.
    pub events: Vec<ThreadEvent>,
}

/// `GET instructions[?document=][&thread=]`: the standing instructions that there are for a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StandingInstructions {
    /// In the order in which they are sent.
    pub files: Vec<InstructionFile>,
}

/// One file of standing instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstructionFile {
    /// Which one.
    pub at: InstructionsAt,
    /// What it is called.
    pub name: String,
    /// How long it is.
    #[ts(type = "number")]
    pub bytes: u64,
    /// How much of it goes along; less if it is longer than the limit.
    #[ts(type = "number")]
    pub sent: u64,
    /// Whose word it is.
    pub label: Label,
    /// Why, as a part of a sentence.
    pub why: String,
    /// A person has left it out of the thread.
    pub left_out: bool,
    /// Why it can't be read.
    pub problem: Option<String>,
}
