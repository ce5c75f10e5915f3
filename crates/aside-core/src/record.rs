//! One action as it is stored, sent and shown: the envelope and all that became of it.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{
    ActionId, ActionRequest, Assessment, Envelope, GrantRef, Label, LabelSource, MarkedArgument, Origin, Outcome,
    PartDecision, Preview, Provenance, Remembered, Sha256, Timestamp, Verdict,
};

/// Where an action is in its life.
///
/// ```text
///             policy: allow
///  proposed ---------------------------> running --> done ----> undone
///     |  policy: confirm                   ^  |
///     +-----------> awaiting --approve-----+  +--> failed | interrupted
///     |  policy: deny   |  ^--- base changed: asked again with a new preview
///     +--> refused <----+ reject
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionState {
    /// Taken in, not yet ruled on.
    Proposed,
    /// A person has to decide.
    AwaitingConfirmation,
    /// The handler is at work.
    Running,
    /// It did what it was asked for.
    Done,
    /// It could not.
    Failed,
    /// Policy, a grant or a person said no.
    Refused,
    /// Started, and nobody knows how it ended.
    Interrupted,
    /// Done and taken back.
    Undone,
}

impl ActionState {
    /// Tells whether nothing more will happen by itself.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Proposed | Self::AwaitingConfirmation | Self::Running)
    }
}

/// One action and all that became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ActionRecord {
    /// The request as taken in.
    pub envelope: Envelope,
    /// Who asked.
    pub origin: Origin,
    /// What they were allowed to do.
    #[serde(default)]
    pub grant: GrantRef,
    /// What the request was made from.
    #[serde(default)]
    pub provenance: Provenance,
    /// The arguments that hold text from outside.
    #[serde(default)]
    pub marked: Vec<MarkedArgument>,
    /// Where it is in its life.
    pub state: ActionState,
    /// What policy said.
    pub verdict: Verdict,
    /// What the handler said.
    pub assessment: Assessment,
    /// What is or was shown.
    pub preview: Option<Preview>,
    /// SHA-256 over envelope hash, preview, versions and `expires`: what an approval is bound to, if it needs one.
    pub approval_hash: Option<Sha256>,
    /// Until when an approval of what is shown counts; after that it is shown anew.
    #[serde(default)]
    pub expires: Option<Timestamp>,
    /// What was decided so far, part by part.
    pub parts: Vec<PartDecision>,
    /// Who decided, when a person did.
    pub decided_by: Option<String>,
    /// The rule that the person's answer left behind, if it reaches further than this action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remembered: Option<Remembered>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Tells whether a recorded inverse can be asked for.
    pub can_undo: bool,
    /// Until when it can be, where what that needs is kept for a time only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undo_until: Option<Timestamp>,
    /// The action of which this carries out one part, or whose plan this is a step of.
    pub parent: Option<ActionId>,
    /// The action that this takes back.
    pub undoes: Option<ActionId>,
    /// The action that took this back.
    pub undone_by: Option<ActionId>,
    /// When it was asked for.
    pub created: Timestamp,
    /// When it ended.
    pub ended: Option<Timestamp>,
}

impl ActionRecord {
    /// The parts of the preview on which nothing was decided yet.
    pub fn open_parts(&self) -> Vec<u32> {
        let parts = self.preview.as_ref().map(Preview::parts).unwrap_or_default();
        parts.into_iter().filter(|part| self.parts.iter().all(|decided| decided.part != *part)).collect()
    }

    /// Tells whether the action was done, and what it ran has failed.
    pub fn ran_badly(&self) -> bool {
        matches!(&self.outcome, Some(Outcome::Done { observation }) if observation.has_failed())
    }

    /// Returns the state as people read it: an action whose command failed is not shown as a success.
    pub fn told_state(&self) -> ActionState {
        match self.state {
            ActionState::Done if self.ran_badly() => ActionState::Failed,
            state => state,
        }
    }

    /// Returns where that comes from which one learns who is told of its outcome. A failure tells of the same things.
    pub fn told_from(&self) -> Provenance {
        let mut told = self.assessment.provenance.clone();
        if let Some(Outcome::Done { observation }) = &self.outcome {
            let name = &self.envelope.action_type;
            let unnamed = || LabelSource::new(observation.label, format!("output of {name}"), "its own output");
            let grave = observation.label > Label::Workspace;
            if let Some(source) = observation.source.clone().or_else(|| grave.then(unnamed)) {
                told.add(LabelSource { label: source.label.max(observation.label), ..source });
            }
            told.label = told.label.max(observation.label);
        }
        let id = &self.envelope.id;
        told.sources = told.sources.into_iter().map(|source| source.by(id)).collect();
        told
    }
}

/// The recorded way back: a request that enters by the Gate like any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inverse {
    /// What to ask for.
    pub request: ActionRequest,
}
