//! Thread ⊃ turn ⊃ step, as events: the thread log is the only record, everything shown is folded from it.

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ActionGroup, ActionId, ActionRecord, Attached, Cost, Focus, Grant, GrantRef, InstructionsAt, LabelSource,
    LineRange, ModelRef, NavigatorBudget, Provenance, Sha256, ThinkingEffort, ThreadId, Timestamp, TurnEnd, TurnId,
    Usage, Version, WorkspacePath,
};

/// How a thread's edits reach the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReviewMode {
    /// The turn waits at each proposal until it is decided.
    #[default]
    ReviewEach,
    /// Proposals collect; the turn goes on and they are decided when the person likes.
    ReviewAtEnd,
    /// Edits are made at once, and can be undone. Guards still ask.
    AutoApply,
}

/// Whether what a model runs in a thread's notebook is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    /// Each time.
    #[default]
    Ask,
    /// Not while the thread's edits are reviewed: what a person has let into the cells may be run. Edits that are made at once
    /// nobody has looked at: then it is asked about.
    AfterReview,
    /// It is run at once. Rules still hold, and so does what is asked after content from outside was read.
    Auto,
}

/// A conversation, without its messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// What the list shows; the first words of the first message until somebody renames it.
    pub title: String,
    /// The document it was started beside, if any.
    pub document: Option<WorkspacePath>,
    /// How edits reach the document.
    pub mode: ReviewMode,
    /// Whether what is run in the notebook is asked about.
    #[serde(default)]
    #[ts(as = "Option<RunMode>", optional)]
    pub runs: RunMode,
    /// The notebook whose cells are run also after the thread has read what runs of it put out, as a person wished who knew
    /// that anything a cell prints can then lead to the next one being run. Not while `runs` is `ask`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub runs_after_outputs: Option<WorkspacePath>,
    /// The AI cell, by its key, whose answers are made here; the conversation stands in its notebook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cell: Option<String>,
    /// The model of the next turn; the workspace's choice if absent.
    pub model: Option<ModelRef>,
    /// When it was started.
    pub created: Timestamp,
    /// When something last happened.
    pub updated: Timestamp,
    /// Put away, still kept.
    pub archived: bool,
    /// What agents may do here at most; as their profile says if absent. Set when the thread is started.
    #[serde(default)]
    pub grant: Option<Grant>,
    /// Hints and no solutions: the grant only reads, and the model is told to give nudges. Set when the thread is started.
    #[serde(default)]
    pub hint: bool,
    /// The Navigator answers here, within this budget; else the agent for the document. Set when the thread is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub navigator: Option<NavigatorBudget>,
    /// Standing instructions that don't go along here, because a person left them out.
    #[serde(default)]
    pub without: Vec<InstructionsAt>,
    /// How much the model thinks, if it can.
    #[serde(default)]
    pub thinking: ThinkingEffort,
    /// Groups of actions that are off here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ActionGroup>>", optional)]
    pub off: Vec<ActionGroup>,
}

/// One entry of a thread's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ThreadEvent {
    /// Position in the thread, from 1, without gaps; readers resume after it.
    #[ts(type = "number")]
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// What happened.
    pub body: ThreadEventBody,
}

/// What happened in a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ThreadEventBody {
    /// A person sent a message.
    TurnStarted {
        /// The turn.
        turn: TurnId,
        /// The message.
        text: String,
        /// Where they were looking.
        focus: Option<Focus>,
        /// Which model answers.
        model: ModelRef,
        /// Who sent it.
        by: String,
        /// The grant of the program that sent it for them, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        program: Option<GrantRef>,
        /// What they sent along.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Attached>>", optional)]
        attached: Vec<Attached>,
    },
    /// What went to the model beside the message.
    ContextSent {
        /// The turn.
        turn: TurnId,
        /// One entry a piece.
        chips: Vec<ContextChip>,
    },
    /// A model is being called.
    StepStarted {
        /// The turn.
        turn: TurnId,
        /// The call, from 1.
        step: u32,
        /// Where all that comes from which the model has been shown in this thread, this call included.
        #[serde(default)]
        provenance: Provenance,
    },
    /// The model has answered, or was cut off.
    StepEnded {
        /// The turn.
        turn: TurnId,
        /// The call.
        step: u32,
        /// The whole text.
        text: String,
        /// The whole of what it thought aloud.
        thinking: String,
        /// The tools it called, in order.
        calls: Vec<ToolCall>,
        /// What the call used.
        usage: Usage,
        /// What the call cost.
        #[serde(default)]
        cost: Cost,
        /// Why it ended.
        stop: StepStop,
        /// What of the conversation the call was not given whole, if it did not all fit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_out: Option<LeftOut>,
        /// What the provider wants to have back unchanged.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        #[ts(type = "unknown", optional)]
        echo: Value,
    },
    /// An action of this thread changed state; the newest record of an id replaces the older one.
    ActionChanged {
        /// The whole record.
        record: Box<ActionRecord>,
    },
    /// Something was said to the model that is neither a message nor an outcome.
    Notice {
        /// The turn.
        turn: TurnId,
        /// The step it answers.
        step: u32,
        /// The tool call it answers, if that never became an action; else it is about the step.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        call: Option<String>,
        /// What was said.
        text: String,
    },
    /// The turn is over.
    TurnEnded {
        /// The turn.
        turn: TurnId,
        /// How.
        end: TurnEnd,
        /// What all its steps used.
        usage: Usage,
        /// What all its steps cost.
        #[serde(default)]
        cost: Cost,
    },
    /// The title, the mode or the model changed.
    ThreadChanged {
        /// The thread as it is now.
        thread: Thread,
    },
}

/// A tool call as the model made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolCall {
    /// The provider's id, or ours where it gave none; unique within the step.
    pub id: String,
    /// The action's name as the model wrote it.
    pub name: String,
    /// The arguments as the model wrote them.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Set when the arguments were not JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
    /// Read out of the model's text, because it has no tools or did not use them.
    #[serde(default)]
    pub from_text: bool,
}

/// What a model was not given of a conversation, because it can't read so much at once. People still see all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeftOut {
    /// Messages that are not there at all.
    pub messages: u32,
    /// Results and shown files of which only the beginning is there.
    pub shortened: u32,
    /// About how many tokens the whole request would have had.
    #[ts(type = "number")]
    pub tokens_before: u64,
    /// About how many it has.
    #[ts(type = "number")]
    pub tokens_after: u64,
    /// How many tokens the model was given to read, where the person can say how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<u32>,
}

/// Why a model call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepStop {
    /// The model was done.
    End,
    /// The model called tools.
    ToolCalls,
    /// The answer reached its limit.
    Length,
    /// The provider or the model refused.
    Refusal,
    /// The person pressed Stop.
    Stopped,
    /// The server ended in the middle; the text is what had come.
    Interrupted,
    /// The provider failed; the text is what had come.
    Failed {
        /// What happened.
        message: String,
    },
}

/// One piece of context that went to the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContextChip {
    /// For the person: "Cursor at line 12 of model.py".
    pub label: String,
    /// The file it is from.
    pub path: Option<WorkspacePath>,
    /// The version it is from.
    pub version: Option<Version>,
    /// The lines it is.
    pub lines: Option<LineRange>,
    /// Exactly what was sent.
    pub text: String,
    /// The image that was sent with it, to a model that sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub image: Option<ShownImage>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<LabelSource>,
    /// Which standing instructions it is. They hold until others of the same place are sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instructions: Option<InstructionsAt>,
}

/// An image that a model is shown. Its bytes are kept in the workspace under their hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShownImage {
    /// Its media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub kind: String,
    /// The hash of its bytes.
    pub sha256: Sha256,
    /// How many there are.
    #[ts(type = "number")]
    pub bytes: u64,
}

impl ShownImage {
    /// Reads what the data of an observation say of the images that a model is to be shown: several in `images`, or one in
    /// `image`.
    pub fn all_in(data: &Value) -> Vec<Self> {
        let several = serde_json::from_value::<Vec<Self>>(data["images"].clone()).unwrap_or_default();
        if several.is_empty() { serde_json::from_value(data["image"].clone()).into_iter().collect() } else { several }
    }
}

/// What is heard of a running step before it is written down; lost on restart but for the text so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveDelta {
    /// More of the answer.
    Text {
        /// The turn.
        turn: TurnId,
        /// The step.
        step: u32,
        /// Where the piece belongs, in UTF-16 units from the start of the step's text.
        offset: u32,
        /// The piece.
        text: String,
    },
    /// More of what it thinks aloud.
    Thinking {
        /// The turn.
        turn: TurnId,
        /// The step.
        step: u32,
        /// As for `Text`.
        offset: u32,
        /// The piece.
        text: String,
    },
    /// The model's server is busy and is asked again; whatever comes next of the step ends that.
    Waiting {
        /// The turn.
        turn: TurnId,
        /// The step.
        step: u32,
        /// In how many seconds.
        seconds: u32,
    },
    /// More of what a running action puts out; the whole is in its outcome.
    Output {
        /// The turn.
        turn: TurnId,
        /// The action.
        action: ActionId,
        /// What was put out from here on, in UTF-16 units, is replaced: a progress bar is drawn again and again.
        /// An offset behind the known end means that something was left out.
        offset: u32,
        /// The piece.
        text: String,
    },
}
