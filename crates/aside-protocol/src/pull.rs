//! Getting a model for Ollama.

use aside_core::TS;
use aside_core::{ActionId, ActionRecord, Failure, ModelRef};
use serde::{Deserialize, Serialize};

use crate::Submitted;

/// The body of `POST models/pull`. It is the action `model.pull`; the answer is NDJSON, one [`PullLine`] a line. Closing
/// the connection takes a question back that nobody has answered yet; what runs goes on, until `actions/ID/stop`. Who asks
/// for a model that is on its way hears of that one, and who asks nothing (`GET models/pull`) of the one that goes on, if any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PullModel {
    /// Which, of which Ollama: `ollama/qwen3:4b`.
    pub model: ModelRef,
}

/// One line of the answer of `models/pull`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PullLine {
    /// The first line.
    Begun {
        /// The action; it may still have to be asked for.
        action: ActionId,
        /// What it gets.
        model: ModelRef,
    },
    /// It waits for a person's decision. Decide as on any action.
    Waiting {
        /// The action.
        submitted: Box<Submitted>,
    },
    /// It goes on.
    Progress(PullProgress),
    /// The last line: the action as it ended.
    Ended {
        /// The action.
        record: Box<ActionRecord>,
    },
    /// The last line: it could not be asked for.
    Failed {
        /// Why.
        failure: Failure,
    },
}

/// How far a pull is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PullProgress {
    /// What Ollama is doing, in its words: `pulling manifest`, `verifying sha256 digest`.
    pub status: String,
    /// Bytes of all parts that are known so far; absent before any is.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
    /// Of these, how many are here.
    #[ts(type = "number")]
    pub completed: u64,
}

/// What was found of Ollama on this machine, so that a person without a model knows what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OllamaFound {
    /// It answers and has models to talk with.
    Ready,
    /// It answers and has no model to talk with: one can be pulled.
    NoModels,
    /// It is installed and does not answer: `ollama serve`.
    NotRunning,
    /// It does not answer, and its program is not where programs are.
    NotInstalled,
}
