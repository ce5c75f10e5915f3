//! `grant.create`: lets a program or a script do some things, never more than whoever asks for it may do.

use aside_core::{
    Assessment, EffectScope, Failure, Grant, GrantLimits, Observation, Place, Preview, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Grants, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    grants::{Change, object, preview},
    request,
};

/// What a name is cut off at.
const LONGEST_NAME: usize = 80;

/// Arguments of `grant.create`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// For whom or what, as people will read it.
    name: String,
    /// How far it reaches.
    #[serde(default)]
    limits: GrantLimits,
}

/// `grant.create`.
pub(crate) struct GrantCreate {
    pub grants: Grants,
}

impl Action for GrantCreate {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "grant.create",
            summary: "Let a program or a script do some things",
            description: "Makes a grant: some actions, risks and paths, until it ends or is revoked. It never covers \
                more than who asks for it may do, and ends with the grant of who asked. A person hands its token out.",
            preconditions: &["its end is not over"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Let a script read and change notes",
                json!({"name": "nightly script", "limits": {"risks": ["read", "write"], "paths": ["notes/**"]}}),
            )],
            phrases: &["let a script in", "give a program a token", "grant access"],
            tags: &["grant", "token", "access", "permission", "script", "program"],
            safety: &["whoever has its token can do all that it covers"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        wanted(args, context)?;
        Ok(Assessment::default())
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(preview(&wanted(args, context)?, Change::Made))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let record = self.grants.create(wanted(args, context)?, context.origin.user());
        let grant = record.map_err(|error| error.failure())?.grant;
        let observation = Observation::with(format!("made the grant “{}”", grant.name), json!({ "id": grant.id }));
        let inverse = grant.id.as_ref().map(|id| request("grant.revoke", json!({ "grant": id })));
        Ok(Run { observation, inverse, changed: vec![object(&grant)] })
    }
}

/// What would be made: the limits, narrowed by the grant of who asks.
fn wanted(args: &Args, context: &ActionContext) -> Result<Grant, Failure> {
    let Args { name, limits } = args;
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(invalid(&format!("the name of a grant has 1 to {LONGEST_NAME} letters on one line")));
    }
    if limits.expires.is_some_and(|end| end <= context.now) {
        return Err(invalid("its end is over already"));
    }
    let narrowed = Grant::limited(name.trim(), limits.clone()).narrowed(&context.grant);
    if narrowed.risks.0.is_empty() || narrowed.actions.as_ref().is_some_and(Vec::is_empty) {
        return Err(invalid(&format!("nothing of it would be left, since {} may do none of it", context.grant.name)));
    }
    // The name is a person's to read; what it was narrowed from is kept by id.
    Ok(Grant { name: name.trim().to_owned(), ..narrowed })
}

fn invalid(message: &str) -> Failure {
    Failure::new("invalid_args", message)
}
