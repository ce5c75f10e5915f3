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
    /// How far AI goes; absent to take back what was said there.
    #[serde(default)]
    level: Option<AiLevel>,
    /// From then on; milliseconds since 1970.
    #[serde(default)]
    from: Option<Timestamp>,
    /// Until then; milliseconds since 1970.
    #[serde(default)]
    until: Option<Timestamp>,
    /// `everywhere` is written to your own folder, `workspace` to the folder's `aside-policy.toml`.
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
            RuleScope::Everywhere => "wherever you are",
        };
        let Some(level) = self.level else { return format!("Take back what was said of AI {place}") };
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
            summary: "Say how far AI goes",
            description: "Off: no model is asked, and no program does anything here. Partial: it explains and gives \
                hints, and changes and runs nothing. Full: this one restricts nothing. The narrowest of all that hold \
                counts: your organisation's, this server's, the folder's and yours. Only a person can say so.",
            preconditions: &["a person asks"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Explain and hint only, in this folder", json!({"level": "partial", "scope": "workspace"})),
                ("Take back what you said for yourself", json!({"scope": "everywhere"})),
            ],
            phrases: &["restrict AI", "turn AI off", "hints only"],
            tags: &["ai", "assistant", "restriction", "exam", "class", "hint"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            return Err(Failure::new("person_only", "how far AI goes is for a person to say"));
        }
        args.restriction()?;
        Ok(Assessment { targets: vec![setting()], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(args.words()))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let gate = self.gate.upgrade().ok_or_else(|| Failure::new("shutting_down", "the server is ending"))?;
        let (scope, restriction) = (args.scope, args.restriction()?);
        let now = blocking(move || gate.restrict(scope, restriction.as_ref())).await??;
        let observation = Observation::with(format!("{}. {}", args.words(), now.sentence()), json!(now));
        Ok(Run { observation, inverse: None, changed: vec![setting()] })
    }
}

fn setting() -> ObjectRef {
    ObjectRef { kind: "setting".to_owned(), id: "assistant".to_owned() }
}
