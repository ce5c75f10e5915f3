//! `person.rename`: changes the user's own name, as everybody in the workspace reads it.

use aside_core::{
    Assessment, ChangeRow, EffectScope, Failure, Observation, Place, Preview, PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_people::People;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, object, request};
use crate::{app::blocking, profile::Profile};

/// Arguments of `person.rename`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewName {
    /// The name, at most 40 letters.
    name: String,
}

/// `person.rename`.
pub(crate) struct PersonRename {
    pub(super) people: People,
    pub(super) profile: Profile,
}

impl Action for PersonRename {
    type Args = NewName;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "person.rename",
            summary: "Change your name",
            description: "Changes the user's own name, as everybody reads it beside their cursor and in chats, in \
                every workspace. Only the user can request this.",
            preconditions: &["the user requests it", "nobody else here has the name"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Change your name", json!({"name": "Ada L."}))],
            phrases: &["change my name", "rename me"],
            tags: &["person", "name", "people", "profile"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, _args: &NewName) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        Ok(Assessment { targets: vec![object("person", self.people.owner().id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &NewName) -> Result<Preview, Failure> {
        let (before, after) = (Some(self.people.owner().name), Some(args.name.trim().to_owned()));
        let row = ChangeRow { object: "Your name".to_owned(), before, after };
        let summary = format!("Change your name to {}", args.name.trim());
        Ok(Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &NewName) -> Result<Run, Failure> {
        let (people, profile, name) = (self.people.clone(), self.profile.clone(), args.name.clone());
        let renaming = move || -> Result<_, Failure> {
            let before = people.owner();
            let after = people.rename(&before.id, &name).map_err(|error| error.failure())?;
            profile.keep_name(&after.name)?;
            Ok((before, after))
        };
        let (before, after) = blocking(renaming).await??;
        let observation = Observation::with(format!("your name is {} now", after.name), &after);
        let inverse = Some(request("person.rename", json!({ "name": before.name })));
        Ok(Run { observation, inverse, changed: vec![object("person", &after.id)] })
    }
}
