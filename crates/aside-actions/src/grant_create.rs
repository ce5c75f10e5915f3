//! `grant.create`: lets a program or a script do some things, never more than whoever asks for it may do.

use aside_core::{
    Assessment, EffectScope, Failure, Grant, GrantLimits, Observation, Place, Preview, Risk, Timestamp, UndoSupport,
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
    /// The name of the grant, such as the program it is for.
    name: String,
    /// The limits of the grant.
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
            summary: "Create a grant for a program or script",
            description: "Creates a grant for some actions, risks and paths, until it expires or is revoked. A \
                grant never covers more than its creator may do, and ends with the creator's own grant. The user \
                hands out its token.",
            preconditions: &["its expiry is in the future"],
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
            safety: &["anyone with the token can do everything it covers"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        // Its id is of its own; the one it was narrowed from is not what is touched.
        let made = Grant { id: None, ..wanted(args, &context.grant, context.now)? };
        Ok(Assessment { targets: vec![object(&made)], ..Assessment::default() })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(preview(&wanted(args, &context.grant, context.now)?, Change::Made))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let record = self.grants.create(wanted(args, &context.grant, context.now)?, context.origin.user());
        let grant = record.map_err(|error| error.failure())?.grant;
        let observation = Observation::with(format!("created the grant “{}”", grant.name), json!({ "id": grant.id }));
        let inverse = grant.id.as_ref().map(|id| request("grant.revoke", json!({ "grant": id })));
        Ok(Run { observation, inverse, changed: vec![object(&grant)] })
    }
}

/// What would be made: the limits, narrowed by the grant of who asks.
fn wanted(args: &Args, own: &Grant, now: Timestamp) -> Result<Grant, Failure> {
    let Args { name, limits } = args;
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(invalid(&format!("the name of a grant is 1 to {LONGEST_NAME} characters on one line")));
    }
    if limits.expires.is_some_and(|end| end <= now) {
        return Err(invalid("the expiry is in the past"));
    }
    let narrowed = Grant::limited(name.trim(), limits.clone()).narrowed(own);
    if narrowed.risks.0.is_empty() || narrowed.actions.as_ref().is_some_and(Vec::is_empty) {
        return Err(invalid(&format!("the grant would be empty, because {} may do none of it", own.name)));
    }
    // The name is a person's to read; what it was narrowed from is kept by id.
    Ok(Grant { name: name.trim().to_owned(), ..narrowed })
}

fn invalid(message: &str) -> Failure {
    Failure::new("invalid_args", message)
}

#[cfg(test)]
mod tests {
    use aside_core::{GrantId, Id as _, ObjectRef, Risks};
    use proptest::prelude::*;

    use super::*;

    fn some_risks() -> impl Strategy<Value = Risks> {
        prop::collection::btree_set(prop::sample::select(Risk::ALL.to_vec()), 0..7).prop_map(Risks)
    }

    fn some_of<T: std::str::FromStr<Err: std::fmt::Debug> + Clone + std::fmt::Debug + 'static>(
        texts: &'static [&'static str],
    ) -> impl Strategy<Value = Option<Vec<T>>> {
        let one = prop::sample::select(texts).prop_map(|text| text.parse().unwrap());
        prop::option::of(prop::collection::vec(one, 0..4))
    }

    fn limits() -> impl Strategy<Value = GrantLimits> {
        let actions = some_of(&["grant.*", "grant.create", "doc.*", "doc.read", "file.list"]);
        let paths = some_of(&["notes/**", "notes/a/*", "**/b", "*", "src/**"]);
        let expires = prop::option::of((0_i64..20).prop_map(Timestamp));
        (actions, prop::option::of(some_risks()), paths, expires)
            .prop_map(|(actions, risks, paths, expires)| GrantLimits { actions, risks, paths, expires })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// Whatever is asked for, and however deep: what a child covers, its parents cover, and it ends with them.
        #[test]
        fn a_child_covers_nothing_that_its_parents_do_not(
            generations in prop::collection::vec(limits(), 1..4),
            name in prop::sample::select(&["grant.create", "doc.edit", "doc.read", "file.list"]),
            risks in some_risks(),
            now in 0_i64..22,
            path in prop::sample::select(&["notes/x", "notes/a/b", "src/b", "b", "notes-evil/b", ".aside/aside.db"]),
        ) {
            let id = |number: usize| GrantId::from_parts(Timestamp(1), number as u128);
            let mut family = vec![Grant { id: Some(id(0)), ..Grant::full("a person's") }];
            for (number, limits) in generations.into_iter().enumerate() {
                let args = Args { name: format!("child {number}"), limits };
                // Stored as the store does it.
                let Ok(child) = wanted(&args, &family[number], Timestamp(0)) else { break };
                let within = child.stands_on().cloned().collect();
                family.push(Grant { id: Some(id(number + 1)), within, ..child });
            }
            let (name, now) = (name.parse().unwrap(), Timestamp(now));
            let target = [ObjectRef { kind: "file".to_owned(), id: path.to_owned() }];
            let covers = |grant: &Grant| grant.covers(&name, &risks, now) && grant.first_outside(&target).is_none();
            for (parent, child) in family.iter().zip(&family[1..]) {
                prop_assert!(!covers(child) || covers(parent), "{child:?} of {parent:?}");
                prop_assert!(child.within.contains(parent.id.as_ref().unwrap()));
            }
        }
    }
}
