//! `assistant.restrict`: a person says how far AI goes, for this folder or wherever they are.

use std::sync::Weak;

use aside_core::{
    AiLevel, AiRestriction, Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, RuleScope,
    Timestamp, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Gate, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::app::blocking;

/// Its name.
pub const NAME: &str = "assistant.restrict";

/// Arguments of `assistant.restrict`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The AI level; absent to remove the restriction in this scope.
    #[serde(default)]
    level: Option<AiLevel>,
    /// Start time, in milliseconds since 1970.
    #[serde(default)]
    from: Option<Timestamp>,
    /// End time, in milliseconds since 1970.
    #[serde(default)]
    until: Option<Timestamp>,
    /// `everywhere` is stored in your own folder, `workspace` in the folder's `aside-policy.toml`.
    scope: RuleScope,
}

impl Args {
    fn restriction(&self) -> Result<Option<AiRestriction>, Failure> {
        let Some(level) = self.level else { return Ok(None) };
        let restriction = AiRestriction { level, from: self.from, until: self.until };
        restriction.checked().map(Some).map_err(|error| Failure::new("invalid_args", error.to_string()))
    }

    fn words(&self) -> String {
        let place = match self.scope {
            RuleScope::Workspace => "in this folder",
            RuleScope::Everywhere => "in every folder",
        };
        let Some(level) = self.level else { return format!("Remove the AI restriction {place}") };
        let time = |word: &str, time: Option<Timestamp>| time.map(|time| format!(" {word} {time}")).unwrap_or_default();
        format!("AI {} {place}{}{}", level.words(), time("from", self.from), time("until", self.until))
    }
}

/// `assistant.restrict`. It does not keep the Gate, whose catalog it is in.
pub(crate) struct Restrict {
    pub(crate) gate: Weak<Gate>,
}

impl Action for Restrict {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAME,
            summary: "Set AI restrictions",
            description: "Off: no model is used, and no program acts here. Partial: AI explains and gives hints, but \
                changes and runs nothing. Full: no restriction. Of the restrictions of your organisation, this \
                server, the folder and yourself, the strictest applies. Only the user can request this.",
            preconditions: &["the user requests it"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Allow only explanations and hints in this folder", json!({"level": "partial", "scope": "workspace"})),
                ("Remove your own restriction", json!({"scope": "everywhere"})),
            ],
            phrases: &[
                "restrict AI",
                "turn AI off",
                "hints only",
                "(turn off|disable|switch off) (ai|assistant) in this (folder|workspace|project) => level=off, scope=workspace",
                "(turn off|disable|switch off) (ai|assistant) everywhere => level=off, scope=everywhere",
                "turn (ai|assistant) off in this (folder|workspace|project) => level=off, scope=workspace",
                "turn (ai|assistant) off everywhere => level=off, scope=everywhere",
                "hints only in this (folder|workspace|project) => level=partial, scope=workspace",
                "hints only everywhere => level=partial, scope=everywhere",
            ],
            tags: &["ai", "assistant", "restriction", "exam", "class", "hint"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            return Err(Failure::new("person_only", "only the user can set AI restrictions"));
        }
        args.restriction()?;
        Ok(Assessment { targets: vec![setting()], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(args.words()))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let gate = self.gate.upgrade().ok_or_else(|| Failure::new("shutting_down", "the server is shutting down"))?;
        let (scope, restriction) = (args.scope, args.restriction()?);
        let now = blocking(move || gate.restrict(scope, restriction.as_ref())).await??;
        let observation = Observation::with(format!("{}. {}", args.words(), now.sentence()), json!(now));
        Ok(Run { observation, inverse: None, changed: vec![setting()] })
    }
}

fn setting() -> ObjectRef {
    ObjectRef { kind: "setting".to_owned(), id: "assistant".to_owned() }
}
