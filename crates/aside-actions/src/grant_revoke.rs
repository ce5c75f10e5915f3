//! `grant.revoke`: ends a grant, at once and for ever.

use aside_core::{Assessment, EffectScope, Failure, GrantRecord, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Grants, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::grants::{Change, object, preview};

/// Arguments of `grant.revoke`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The grant's id, or its name if only one active grant has it.
    grant: String,
}

/// `grant.revoke`.
pub(crate) struct GrantRevoke {
    pub grants: Grants,
}

impl Action for GrantRevoke {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "grant.revoke",
            summary: "Revoke a grant",
            description: "Ends a grant immediately and for good: its token stops working, its running actions are \
                stopped, and grants created under it end too.",
            preconditions: &["the grant exists"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Revoke a script's grant", json!({"grant": "nightly script"}))],
            phrases: &[
                "revoke the grant",
                "take access away",
                "end the token",
                "(revoke|cancel|end) grant {grant:word}",
                "(revoke|cancel|end) {grant:word} grant",
            ],
            tags: &["grant", "token", "access", "revoke", "permission"],
            safety: &["a revoked grant can't be restored; create a new one instead"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let ended = self.meant(args, context)?;
        Ok(Assessment { targets: vec![object(&ended.grant)], ..Assessment::default() })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(preview(&self.meant(args, context)?.grant, Change::Ended))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let found = self.meant(args, context)?.grant;
        let id = found.id.as_ref().expect("a stored grant has an id");
        let record = self.grants.revoke(id).map_err(|error| error.failure())?;
        let words = format!("revoked the grant “{}”", record.grant.name);
        let observation = Observation::with(words, json!({ "id": id, "revoked": record.revoked }));
        Ok(Run { observation, inverse: None, changed: vec![object(&found)] })
    }
}

impl GrantRevoke {
    /// The one that is meant. Who asks under a grant finds that one and those made under it, and no others.
    fn meant(&self, args: &Args, context: &ActionContext) -> Result<GrantRecord, Failure> {
        let own = |record: &GrantRecord| match &context.grant.id {
            Some(own) => record.grant.stands_on().any(|id| id == own),
            None => true,
        };
        let mut records = self.grants.list().map_err(|error| error.failure())?;
        records.retain(own);
        if let Some(found) =
            records.iter().find(|record| record.grant.id.as_ref().is_some_and(|id| id.as_str() == args.grant))
        {
            return Ok(found.clone());
        }
        records.retain(|record| record.grant.name == args.grant && record.holds(context.now));
        match records.len() {
            0 => Err(Failure::new("not_found", format!("there is no grant “{}”", args.grant))
                .hint("list the grants with `aside grants list`")),
            1 => Ok(records.remove(0)),
            more => Err(Failure::new("invalid_args", format!("{more} grants are named “{}”", args.grant))
                .hint("give the grant's id")),
        }
    }
}
