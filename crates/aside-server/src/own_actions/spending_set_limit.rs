//! `spending.set_limit`: sets what models may cost, or lifts a limit.

use std::sync::{Arc, Weak};

use aside_agent::{Agents, LimitsError, SpendingLimits};
use aside_core::{
    Assessment, ChangeRow, EffectScope, Failure, Observation, Place, Preview, PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{check_person, ending, object, request};
use crate::app::blocking;

/// A dollar, in the unit of limits.
const DOLLAR: f64 = 1e12;
/// The largest limit, in dollars.
const LARGEST: f64 = 1e6;

/// Arguments of `spending.set_limit`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitArgs {
    /// The unit that the limit is for; `day` is a day of this workspace, in UTC.
    of: Limited,
    /// The limit in US dollars; absent for no limit.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    dollars: Option<f64>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Limited {
    Turn,
    Task,
    Thread,
    Day,
    Workspace,
}

/// `spending.set_limit`.
pub(crate) struct SetLimit {
    pub(super) agents: Weak<Agents>,
}

impl Action for SetLimit {
    type Args = LimitArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "spending.set_limit",
            summary: "Set a spending limit",
            description: "Limits what models may cost by one turn, task or thread, in a day, or in this workspace. \
                It is kept in the user's `spending.toml` and holds in every workspace. Only the user can request \
                this.",
            preconditions: &["the user requests it", "spending.toml has no mistake"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Spend at most two dollars a day", json!({"of": "day", "dollars": 2.0})),
                ("Lift the limit of a turn", json!({"of": "turn"})),
            ],
            phrases: &["set a spending limit", "spend at most", "limit the cost per day"],
            tags: &["spending", "limit", "budget", "cost", "money", "dollars"],
            safety: &["A higher limit, or none, needs approval."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &LimitArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        if args.dollars.is_some_and(|dollars| !(0.0..=LARGEST).contains(&dollars)) {
            return Err(Failure::new("invalid_args", "a limit is an amount in dollars, from 0 to a million"));
        }
        let before = self.before(args.of)?;
        let is_more = match (before, args.wanted()) {
            (Some(before), Some(wanted)) => wanted > before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let risks = if is_more { [Risk::Billing].into() } else { Default::default() };
        Ok(Assessment { risks, targets: vec![object("setting", args.name())], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &LimitArgs) -> Result<Preview, Failure> {
        let (before, after) = (Some(words(self.before(args.of)?)), Some(words(args.wanted())));
        let row = ChangeRow { object: format!("Limit per {}", args.name()), before, after };
        let summary = format!("Set the spending limit per {} to {}", args.name(), words(args.wanted()));
        Ok(Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &LimitArgs) -> Result<Run, Failure> {
        let (agents, args) = (self.agents()?, args.clone());
        let (name, wanted) = (args.name(), args.wanted());
        let changing = move || -> Result<_, Failure> {
            let mut limits = agents.spending().limits().map_err(mistake)?;
            let before = std::mem::replace(of(&mut limits, args.of), args.wanted());
            agents.spending().set_limits(&limits).map_err(failure)?;
            Ok(before)
        };
        let before = blocking(changing).await??;
        #[expect(clippy::cast_precision_loss, reason = "a limit has a few digits")]
        let back = before
            .map_or_else(|| json!({ "of": name }), |limit| json!({ "of": name, "dollars": limit as f64 / DOLLAR }));
        let inverse = (before != wanted).then(|| request("spending.set_limit", back));
        let text = format!("the spending limit per {name} is {} now", words(wanted));
        let observation = Observation { unchanged: before == wanted, ..Observation::text(text) };
        Ok(Run { observation, inverse, changed: vec![object("setting", name)] })
    }
}

impl SetLimit {
    fn agents(&self) -> Result<Arc<Agents>, Failure> {
        self.agents.upgrade().ok_or_else(ending)
    }

    fn before(&self, limited: Limited) -> Result<Option<u64>, Failure> {
        let mut limits = self.agents()?.spending().limits().map_err(mistake)?;
        Ok(*of(&mut limits, limited))
    }
}

impl LimitArgs {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was checked before it runs")]
    fn wanted(&self) -> Option<u64> {
        self.dollars.map(|dollars| (dollars.clamp(0.0, LARGEST) * DOLLAR).round() as u64)
    }

    fn name(&self) -> String {
        json!(self.of).as_str().unwrap_or_default().to_owned()
    }
}

fn of(limits: &mut SpendingLimits, limited: Limited) -> &mut Option<u64> {
    match limited {
        Limited::Turn => &mut limits.turn,
        Limited::Task => &mut limits.task,
        Limited::Thread => &mut limits.thread,
        Limited::Day => &mut limits.day,
        Limited::Workspace => &mut limits.workspace,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a limit has a few digits")]
fn words(limit: Option<u64>) -> String {
    limit.map_or_else(|| "no limit".to_owned(), |limit| format!("${:.2}", limit as f64 / DOLLAR))
}

fn mistake(message: String) -> Failure {
    Failure::new("damaged", format!("spending.toml has a mistake: {message}")).hint("fix the file by hand")
}

fn failure(error: LimitsError) -> Failure {
    let code = match error {
        LimitsError::NoFolder => "no_folder",
        LimitsError::Mistake(_) => "damaged",
        LimitsError::Io(_) => "io",
    };
    Failure::new(code, error.to_string())
}
